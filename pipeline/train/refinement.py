"""Refinement of the regression's table: the approximator learns to order texts as the teacher and as people do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from scipy import sparse
from torch.nn import functional
from tqdm import tqdm

from pipeline.recipe import Recipe
from pipeline.train.losses import cosent_loss, info_nce_loss

Vectors = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class DistillationSet:
    """Texts and the teacher's vectors that they should have."""

    counts: sparse.csr_matrix
    """Shape (texts, features)."""
    targets: Vectors
    """Unit vectors, shape (texts, dimensions)."""
    weights: Vectors
    """How often each text is drawn, relative to the others."""


@dataclass(frozen=True)
class ScoredPairs:
    """Pairs of texts and how similar people judged them."""

    first: sparse.csr_matrix
    """Shape (pairs, features)."""
    second: sparse.csr_matrix
    scores: Vectors


@dataclass(frozen=True)
class QueryPhrasePairs:
    """Queries and the phrases that they ask for."""

    queries: sparse.csr_matrix
    """Shape (queries, features)."""
    phrases: Rows
    """The phrase of each query, a row of the two following arrays."""
    descriptions: sparse.csr_matrix
    """What is said of each phrase, shape (phrases, features)."""
    embeddings: Vectors
    """What the teacher makes of it, shape (phrases, dimensions); zeros where it reads nothing."""


def refine_table(
    table: Vectors, distilled: DistillationSet, scored: ScoredPairs, asked: QueryPhrasePairs, recipe: Recipe
) -> Vectors:
    """Gradient steps on a copy of `table`, shape (features, dimensions).

    Three losses are added. A batch's texts are ranked by the teacher among themselves, and the approximator's cosines
    must give the same distribution: the cross-entropy with soft targets of Hinton, Vinyals and Dean (2015). A batch of
    judged pairs must get cosines in the order of their scores (CoSENT, Su 2022). A batch of queries must each find its
    phrase among those of the others (InfoNCE, van den Oord, Li and Vinyals 2018).
    """
    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    steps = max(1, round(recipe.epochs * len(distilled.targets) / recipe.batch))
    chance = distilled.weights / distilled.weights.sum(dtype=np.float64)
    drawn = rng.choice(len(chance), size=(steps, recipe.batch), p=chance)
    # The learning rate is meant for sums of about unit length.
    norm = np.linalg.norm(distilled.counts[:5000] @ table, axis=1).mean()
    rows = torch.nn.Parameter(torch.from_numpy(table / norm))
    optimiser = torch.optim.Adam([rows], lr=recipe.learning_rate, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, steps)
    for texts in tqdm(drawn, desc="refine", unit=" batches"):
        pairs = rng.integers(len(scored.scores), size=recipe.judged_batch)
        loss = soft_target_loss(distilled, texts, rows, recipe.temperature)
        loss += recipe.judged_loss * scored_loss(scored, pairs, rows, recipe.temperature)
        if len(asked.phrases):
            queries = rng.choice(len(asked.phrases), min(recipe.scene_batch, len(asked.phrases)), replace=False)
            loss += recipe.scene_loss * asked_loss(asked, queries, rows, recipe.temperature)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
    refined: Vectors = rows.detach().numpy()
    return refined


def _encode(counts: sparse.csr_matrix, table: torch.Tensor) -> torch.Tensor:
    """Unit vectors of texts, shape (texts, dimensions)."""
    sums = functional.embedding_bag(
        torch.from_numpy(counts.indices.astype(np.int64)),
        table,
        torch.from_numpy(counts.indptr[:-1].astype(np.int64)),
        mode="sum",
        per_sample_weights=torch.from_numpy(counts.data),
    )
    return functional.normalize(sums, dim=1)


def soft_target_loss(distilled: DistillationSet, batch: Rows, table: torch.Tensor, temperature: float) -> torch.Tensor:
    """Cross-entropy of the approximator's cosines to the teacher's vectors with the teacher's own cosines."""
    teacher = torch.from_numpy(distilled.targets[batch])
    student = _encode(distilled.counts[batch], table)
    soft_targets = functional.softmax(teacher @ teacher.T / temperature, dim=1)
    return functional.cross_entropy(student @ teacher.T / temperature, soft_targets)


def scored_loss(scored: ScoredPairs, batch: Rows, table: torch.Tensor, temperature: float) -> torch.Tensor:
    """The cosines of judged pairs must be in the order of their scores."""
    cosines = (_encode(scored.first[batch], table) * _encode(scored.second[batch], table)).sum(dim=1)
    return cosent_loss(cosines, torch.from_numpy(scored.scores[batch]), temperature)


def asked_loss(asked: QueryPhrasePairs, batch: Rows, table: torch.Tensor, temperature: float) -> torch.Tensor:
    """Each query must find its own phrase; another query's is no wrong answer where it is the same phrase.

    The teacher's view of what a phrase means is a part of what is sought, which holds the table to it.
    """
    phrases = asked.phrases[batch]
    sought = torch.from_numpy(asked.embeddings[phrases]) + _encode(asked.descriptions[phrases], table)
    cosines = _encode(asked.queries[batch], table) @ functional.normalize(sought, dim=1).T
    return info_nce_loss(cosines, torch.from_numpy(phrases[:, None] == phrases), temperature)
