"""Refinement of the regression's table: the approximator learns to order texts as the teacher does."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from scipy import sparse
from torch.nn import functional
from tqdm import trange

from pipeline.recipe import Recipe

Vectors = npt.NDArray[np.float32]


def refine_table(
    table: Vectors, counts: sparse.csr_matrix, targets: Vectors, weights: Vectors, recipe: Recipe
) -> Vectors:
    """Gradient steps on a copy of `table`, shape (vocabulary, dimensions).

    A batch's texts are ranked by the teacher among themselves; the approximator's cosines must give the same
    distribution (cross-entropy of softmaxes at one temperature: the soft targets of Hinton, Vinyals and Dean 2015).
    Texts are drawn with the probability of their weights.
    """
    torch.manual_seed(recipe.seed)
    steps = max(1, round(recipe.epochs * len(targets) / recipe.batch))
    drawn = np.random.default_rng(recipe.seed).choice(
        len(targets), size=(steps, min(recipe.batch, len(targets))), p=weights / weights.sum(dtype=np.float64)
    )
    rows = torch.nn.Parameter(torch.from_numpy(table / _mean_norm(counts, table)))
    optimiser = torch.optim.Adam([rows], lr=recipe.learning_rate, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, steps)
    for step in trange(steps, desc="refine", unit=" batches"):
        teacher = torch.from_numpy(targets[drawn[step]])
        loss = _ranking_loss(_encode(counts[drawn[step]], rows), teacher, recipe.temperature)
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


def _ranking_loss(student: torch.Tensor, teacher: torch.Tensor, temperature: float) -> torch.Tensor:
    wanted = functional.softmax(teacher @ teacher.T / temperature, dim=1)
    given = functional.log_softmax(student @ teacher.T / temperature, dim=1)
    return -(wanted * given).sum(dim=1).mean()
