"""An encoder's training, step by step: what takes the steps, and losses that several trainings share.

Every step draws its batch by the seed and its own number, so a killed training goes on from its last checkpoint as if
nothing had happened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from tqdm import tqdm

from pipeline.data.tables import whole
from pipeline.recipe import Recipe
from pipeline.train.encoder import SentenceEncoder
from pipeline.train.losses import cosent_loss, info_nce_loss

Loss = Callable[[int], torch.Tensor]
"""The loss of a step, by its number."""

TEMPERATURE = 0.05
"""Cosines are divided by it before a softmax."""
POOL = 16
"""Batches whose texts are drawn together and then sorted by length, so that little of a batch is padding."""

_KEPT_EVERY = 200  # Steps between two checkpoints.
_WARM_UP = 0.05  # Share of the steps in which the learning rate rises.
_TABLE_RATE = 10  # The table of pieces learns so many times as fast as the body: few pieces occur in a step.


def kept_in(cache: Path, what: str, *learned_from: object) -> Path:
    """The folder of a training's checkpoints, made if need be: another one for anything else that it learns from."""
    digest = hashlib.sha256()
    for part in learned_from:
        digest.update(repr(part).encode())
    folder = cache / f"{what}-{digest.hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def take_steps(
    encoder: SentenceEncoder, loss: Loss, steps: int, rate: float, checkpoint: Path, *kept: torch.nn.Module
) -> None:
    """Take the steps that the checkpoint lacks; the learning rate rises, then falls to zero.

    What the loss remembers from step to step is `kept` beside the encoder.
    """
    encoder.eval()  # Dropout would take half of the time, and no text is seen often enough to be learned by heart.
    table = encoder.table
    body = [weight for weight in encoder.body.parameters() if weight is not table]
    sparse = cast(torch.nn.Embedding, encoder.body.get_input_embeddings()).sparse
    of_table = torch.optim.SparseAdam([table], rate * _TABLE_RATE) if sparse else torch.optim.AdamW([table], rate)
    optimisers: list[torch.optim.Optimizer] = [torch.optim.AdamW(body, rate), of_table]
    rises = max(1, round(_WARM_UP * steps))

    def share(step: int) -> float:
        return min((step + 1) / rises, (steps - step) / max(1, steps - rises))

    schedules = [torch.optim.lr_scheduler.LambdaLR(optimiser, share) for optimiser in optimisers]
    parts: list[Any] = [encoder, *kept, *optimisers, *schedules]
    start = 0
    if checkpoint.is_file():
        start, states = torch.load(checkpoint, map_location=encoder.device, weights_only=False)
        for part, state in zip(parts, states, strict=False):  # a finished one has kept the encoder alone
            part.load_state_dict(state)
    with tqdm(total=steps, initial=start, desc=checkpoint.stem, unit=" steps") as progress:
        for step in range(start, steps):
            value = loss(step)
            for optimiser in optimisers:
                optimiser.zero_grad()
            value.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(body, 1.0)
            for optimiser, schedule in zip(optimisers, schedules, strict=True):
                optimiser.step()
                schedule.step()
            progress.update()
            if step % 20 == 0:
                progress.set_postfix(loss=f"{value.item():.3f}")
            if (done := step + 1 == steps) or (step + 1) % _KEPT_EVERY == 0:
                with whole(checkpoint) as file:
                    torch.save((step + 1, [part.state_dict() for part in parts[: 1 if done else None]]), file)


def judged_loss(encoder: SentenceEncoder, pairs: Sequence[tuple[str, str, float]], recipe: Recipe) -> Loss:
    """Pairs of texts must be as alike as people found them, in their order."""

    def loss(step: int) -> torch.Tensor:
        drawn = np.random.default_rng([recipe.seed, step]).integers(len(pairs), size=recipe.reader_judged_batch)
        first, second, scores = zip(*(pairs[row] for row in drawn), strict=True)
        cosines = (encoder.encode(first) * encoder.encode(second)).sum(dim=1)
        return cosent_loss(cosines, torch.tensor(scores, device=cosines.device), TEMPERATURE)

    return loss


def both_ways(one: torch.Tensor, other: torch.Tensor, alike: torch.Tensor) -> torch.Tensor:
    """Rows of unit vectors must find each other among all of the other side; those that are `alike` are no mistake."""
    cosines = one @ other.T
    alike = alike.to(cosines.device)
    return (info_nce_loss(cosines, alike, TEMPERATURE) + info_nce_loss(cosines.T, alike.T, TEMPERATURE)) / 2
