"""Losses over cosines that the approximator's table and the transformers share."""

from __future__ import annotations

import torch
from torch.nn import functional


def cosent_loss(cosines: torch.Tensor, scores: torch.Tensor, temperature: float) -> torch.Tensor:
    """log(1 + the sum of exp((cosine i - cosine j) / temperature) over all i that people scored below j); Su 2022."""
    gaps = (cosines[:, None] - cosines[None, :]) / temperature
    wrong = gaps[scores[:, None] < scores[None, :]]
    return torch.logsumexp(torch.cat([wrong.new_zeros(1), wrong]), dim=0)


def info_nce_loss(cosines: torch.Tensor, alike: torch.Tensor, temperature: float) -> torch.Tensor:
    """Cross-entropy of finding column i by row i, where columns that are `alike` are no wrong answer.

    Both arguments have shape (rows, columns), with at least as many columns as rows; van den Oord, Li and Vinyals 2018.
    """
    rows = torch.arange(len(cosines), device=cosines.device)
    alike = alike.clone()
    alike[rows, rows] = False
    return functional.cross_entropy((cosines / temperature).masked_fill(alike, -torch.inf), rows)
