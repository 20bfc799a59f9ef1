"""The reader: a small sentence transformer on the CPU, which sees what a query says as a whole.

A bag of words sees neither "not" nor who does what to whom. The reader turns a query into a unit vector; those of the
phrases are made while building.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bot.search.files import open_plain, read_plain

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Vectors = npt.NDArray[np.float32]

READER, READER_TOKENIZER = "reader.onnx", "reader.json"

_CPU = Path("/proc/cpuinfo")
_MOST_BYTES = 64_000_000  # Of the tokenizer's file.
_MAX_TOKENS = 64  # Of a text that is read; a description of an idiom is rarely half as long.
_REMEMBERED = 256  # Queries whose vectors are kept: pages and explanations of an answer ask again.


class Reader:
    """Encodes texts into unit vectors. Reading only, so threads may share it."""

    def __init__(self, model: Path, tokenizer: Tokenizer) -> None:
        """`model` is an ONNX file that makes unit vectors of token numbers and their mask."""
        import onnxruntime  # here, because a bot without a reader need not spend 40 MB on it, nor 4 on tokenizers

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # queries run side by side, not each on all
        if not _sums_whole():
            # It would cut off sums, and read queries otherwise than the phrases were read. Takes two thirds longer.
            options.add_session_config_entry("session.x64quantprecision", "1")
        options.enable_cpu_mem_arena = False  # it would keep what the longest query took
        self.model, self.tokenizer = model, tokenizer
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        tokenizer.enable_truncation(_MAX_TOKENS)
        tokenizer.enable_padding()
        # Of these two and not of the reader: an object in a reference cycle is not freed.
        self.encode = lru_cache(_REMEMBERED)(partial(_encode, tokenizer, self._session))
        """The unit vector of a text, shape (dimensions,)."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._session.get_outputs()[0].shape[1])

    def encode_all(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of texts that are read together, shape (len(texts), dimensions)."""
        return _encode_all(self.tokenizer, self._session, texts)

    def save(self, folder: Path) -> list[str]:
        """Write the model and its tokenizer; returns the names of the files."""
        shutil.copyfile(self.model, folder / READER)
        self.tokenizer.save(str(folder / READER_TOKENIZER))
        return [READER, READER_TOKENIZER]

    @classmethod
    def load(cls, folder: Path) -> Reader:
        """Read what `save` wrote. Raises ValueError for anything else."""
        try:
            open_plain(folder / READER).close()
            reader = cls(folder / READER, _load_tokenizer(folder / READER_TOKENIZER))
            reader._probe()
        except Exception as error:  # the library raises nothing narrower
            raise ValueError(f"{READER}: {error}; READER=0 does without it") from error
        return reader

    def _probe(self) -> None:
        """Read the longest text with the last piece, and an unknown one. Raises whatever comes of it, or ValueError."""
        last = max(self.tokenizer.get_vocab().values())
        ids = np.full((1, _MAX_TOKENS), last, np.int64)
        vectors = [*_run(self._session, ids, np.ones_like(ids)), self.encode("слово word 猿")]
        if not all(vector.shape == (self.dimensions,) and abs(vector @ vector - 1) < 0.01 for vector in vectors):
            raise ValueError("it makes no unit vectors")


def _load_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer that a file describes. Raises OSError or ValueError for anything else."""
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_str(read_plain(path, _MOST_BYTES).decode())
    except OSError:
        raise
    except BaseException as error:  # the library raises nothing narrower, and its panics are not even exceptions
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        raise ValueError(f"{path.name} is no tokenizer ({error})") from error


def _sums_whole() -> bool:
    """Whether the CPU has VNNI, the instructions that add up products of eight bits without a limit."""
    try:
        flags = _CPU.read_text(encoding="utf-8").partition("\nflags")[2].partition("\n")[0].split()
    except OSError:
        return False
    return not {"avx512_vnni", "avx_vnni"}.isdisjoint(flags)


def _encode(tokenizer: Tokenizer, session: Any, text: str) -> Vectors:
    vector: Vectors = _encode_all(tokenizer, session, [text])[0]
    return vector


def _encode_all(tokenizer: Tokenizer, session: Any, texts: Sequence[str]) -> Vectors:
    encoded = tokenizer.encode_batch_fast(list(texts))
    ids = np.array([encoding.ids for encoding in encoded], np.int64)
    return _run(session, ids, np.array([encoding.attention_mask for encoding in encoded], np.int64))


def _run(session: Any, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]) -> Vectors:
    return np.asarray(session.run(None, {"ids": ids, "mask": mask})[0], np.float32)
