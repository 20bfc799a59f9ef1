"""What every experiment is given: data, encoders, a device, and folders for what it makes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from sentence_transformers import SentenceTransformer

from pipeline.data.sources import DataFolder

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Plan:
    """The budget of a training, and how fast it learns."""

    steps: int
    batch: int = 32
    rate: float = 2e-5
    new_rate: float = 1e-3
    """Of parameters that were not pretrained."""
    looks: int = 5
    """How often the held-out part is looked at and a checkpoint kept."""


@dataclass
class Training:
    """What a training was like; its best weights are in the model."""

    step: int = 0
    """Steps that were taken."""
    history: list[tuple[int, float, float]] = field(default_factory=list)
    """At each look: steps taken, mean loss since the look before, loss of the held-out part."""
    rows: int = 0
    """Rows of data that were trained on."""
    seconds: float = 0.0
    """Spent on them, without the looks at the held-out part."""
    all_flops: float = 0.0
    """Floating point operations of the matrix products of the rows that were counted."""
    counted: int = 0
    """The first rows, so many."""

    @property
    def rate(self) -> float:
        """Rows a second."""
        return self.rows / self.seconds

    @property
    def flops(self) -> float:
        """Operations of a row."""
        return self.all_flops / self.counted


@dataclass(frozen=True)
class Lab:
    """The setting of an experiment."""

    data: DataFolder
    bases: tuple[str, ...]
    """Encoders: folders, names on the Hub, or names of packages; most experiments take the first."""
    device: str
    """cpu or cuda."""
    seeds: int
    """How often each training is repeated."""
    tiny: bool
    """A few rows and steps, to see that everything works; the figures then mean nothing."""
    out: Path
    """Where the report goes."""
    cache: Path
    """Where embeddings, checkpoints and trained encoders are kept."""
    done: dict[str, Training] = field(default_factory=dict)
    """The trainings of the first seed, by name."""

    @property
    def base(self) -> str:
        """The encoder that training starts from."""
        return self.bases[0]

    def rows(self, count: int) -> int:
        """So many rows of data, or a few."""
        return min(count, 24) if self.tiny else count

    def plan(self, plan: Plan) -> Plan:
        """The plan, or one of a few steps that are large enough for the loss to fall."""
        return Plan(steps=12, batch=32, rate=1e-3, new_rate=1e-2, looks=3) if self.tiny else plan

    @property
    def precision(self) -> torch.dtype:
        """That of matrix products: bfloat16 where the hardware has them, which otherwise take ten times as long."""
        half = self.device == "cuda" or torch.cpu._is_avx512_bf16_supported()
        return torch.bfloat16 if half else torch.float32

    def autocast(self) -> AbstractContextManager[object]:
        """Matrix products in `precision`."""
        return torch.autocast(self.device, torch.bfloat16, enabled=self.precision == torch.bfloat16)

    def embed(self, model: SentenceTransformer, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape (len(texts), dimensions)."""
        with self.autocast():
            vectors = model.encode(list(texts), batch_size=128, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, np.float32)
