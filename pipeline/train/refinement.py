"""Refinement of the regression's table: the approximator learns to order texts as the teacher and as people do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from scipy import sparse
from torch.nn import functional
from tqdm import trange

from pipeline.recipe import Recipe

Vectors = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Taught:
    """Texts and their teacher's vectors."""

    counts: sparse.csr_matrix
    """Shape (texts, features)."""
    targets: Vectors
    """Unit vectors, shape (texts, dimensions)."""
    weights: Vectors
    """How often each text is drawn, relative to the others."""


@dataclass(frozen=True)
class Judged:
    """Pairs of texts that people scored."""

    first: sparse.csr_matrix
    second: sparse.csr_matrix
    scores: Vectors


@dataclass(frozen=True)
class Asked:
    """Scenes, and the phrases that they ask for."""

    scenes: sparse.csr_matrix
    """Shape (scenes, features)."""
    owners: npt.NDArray[np.int64]
    """The phrase of each scene, a row of the following."""
    described: sparse.csr_matrix
    """What is said of each phrase, shape (phrases, features)."""
    taught: Vectors
    """What the teacher makes of it, shape (phrases, dimensions); zeros where it reads nothing."""


def refine_table(table: Vectors, taught: Taught, judged: Judged, asked: Asked, recipe: Recipe) -> Vectors:
    """Gradient steps on a copy of `table`, shape (features, dimensions).

    Three losses are added. A batch's texts are ranked by the teacher among themselves, and the approximator's cosines
    must give the same distribution: the cross-entropy with soft targets of Hinton, Vinyals and Dean (2015). A batch of
    judged pairs must get cosines in the order of their scores (CoSENT, Su 2022). A batch of scenes must find each its
    own phrase among those of the others (InfoNCE, van den Oord, Li and Vinyals 2018).
    """
    torch.manual_seed(recipe.seed)
    dice = np.random.default_rng(recipe.seed)
    steps = max(1, round(recipe.epochs * len(taught.targets) / recipe.batch))
    chance = taught.weights / taught.weights.sum(dtype=np.float64)
    drawn = dice.choice(len(chance), size=(steps, recipe.batch), p=chance)
    rows = torch.nn.Parameter(torch.from_numpy(table / _mean_norm(taught.counts, table)))
    optimiser = torch.optim.Adam([rows], lr=recipe.learning_rate, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, steps)
    for step in trange(steps, desc="refine", unit=" batches"):
        texts, pairs = drawn[step], dice.integers(len(judged.scores), size=recipe.judged_batch)
        teacher = torch.from_numpy(taught.targets[texts])
        loss = _imitation_loss(_encode(taught.counts[texts], rows), teacher, recipe.temperature)
        cosines = (_encode(judged.first[pairs], rows) * _encode(judged.second[pairs], rows)).sum(dim=1)
        loss += recipe.judged_loss * _order_loss(cosines, torch.from_numpy(judged.scores[pairs]), recipe.temperature)
        if len(asked.owners):
            scenes = dice.choice(len(asked.owners), min(recipe.scene_batch, len(asked.owners)), replace=False)
            loss += recipe.scene_loss * _finding_loss(asked, scenes, rows, recipe.temperature)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
    refined: Vectors = rows.detach().numpy()
    return refined


def _mean_norm(counts: sparse.csr_matrix, table: Vectors) -> np.float32:
    """Norm of a typical text's sum: the learning rate is meant for sums of about unit length."""
    return np.float32(np.linalg.norm(counts[:5000] @ table, axis=1).mean())


def _encode(counts: sparse.csr_matrix, rows: torch.Tensor) -> torch.Tensor:
    sums = functional.embedding_bag(
        torch.from_numpy(counts.indices.astype(np.int64)),
        rows,
        torch.from_numpy(counts.indptr[:-1].astype(np.int64)),
        mode="sum",
        per_sample_weights=torch.from_numpy(counts.data),
    )
    return functional.normalize(sums, dim=1)


def _imitation_loss(student: torch.Tensor, teacher: torch.Tensor, temperature: float) -> torch.Tensor:
    wanted = functional.softmax(teacher @ teacher.T / temperature, dim=1)
    given = functional.log_softmax(student @ teacher.T / temperature, dim=1)
    return -(wanted * given).sum(dim=1).mean()


def _order_loss(cosines: torch.Tensor, scores: torch.Tensor, temperature: float) -> torch.Tensor:
    """log(1 + the sum of exp((cosine i - cosine j) / temperature) over all i that people scored below j)."""
    gaps = (cosines[:, None] - cosines[None, :]) / temperature
    wrong = gaps[scores[:, None] < scores[None, :]]
    return torch.logsumexp(torch.cat([torch.zeros(1), wrong]), dim=0)


def _finding_loss(asked: Asked, scenes: Rows, rows: torch.Tensor, temperature: float) -> torch.Tensor:
    """Cross-entropy of each scene's own phrase; another scene's is no wrong answer where it is the same phrase."""
    owners = asked.owners[scenes]
    sought = torch.from_numpy(asked.taught[owners]) + _encode(asked.described[owners], rows)
    likeness = _encode(asked.scenes[scenes], rows) @ functional.normalize(sought, dim=1).T / temperature
    same = torch.from_numpy((owners[:, None] == owners) & ~np.eye(len(owners), dtype=bool))
    return functional.cross_entropy(likeness.masked_fill(same, -torch.inf), torch.arange(len(owners)))
