"""One training loop for all experiments: a budget of steps, checkpoints, and the best weights by a held-out part.

Every step draws its batch by the seed and its own number, so a killed training goes on from its last checkpoint as if
nothing had happened.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from sentence_transformers import SentenceTransformer
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.flop_counter import FlopCounterMode
from tqdm import tqdm

from pipeline.data.tables import whole
from pipeline.lab.setting import Lab, Plan, Training
from pipeline.lab.splits import Pair

Rows = npt.NDArray[np.int64]
Loss = Callable[[Sequence[Any]], torch.Tensor]
"""The loss of some rows of the data."""

_POOL = 16  # Batches whose rows are drawn together and then sorted by length, so that little of a batch is padding.
_COUNTED = 8  # Batches whose operations are counted: their lengths differ.
_WARM_UP = 0.1  # Share of the steps in which the learning rate rises; after them it falls to zero.


def train(
    lab: Lab,
    model: torch.nn.Module,
    loss: Loss,
    rows: Sequence[Any],
    dev: Sequence[Any],
    plan: Plan,
    name: str,
    seed: int = 0,
    new: torch.nn.Module | None = None,
    held_out: Callable[[], float] | None = None,
) -> None:
    """Train `model` in place, and leave it with the weights of the look at which the loss of `dev` was lowest.

    Rows have the texts `first` and `second`; `new` holds the parameters that were not pretrained, and `held_out` is
    minimised instead of the loss of `dev` where it is given. What is done is kept in the cache by name, seed, plan,
    rows and first weights, so a second call only loads it; `lab.done` has how it went.
    """
    plan = lab.plan(plan)
    lengths = np.array([len(row.first) + len(row.second) for row in rows])
    folder = lab.cache / name / f"seed-{seed}-{_digest(model, plan, rows, dev)}"
    finished = folder / "trained.pt"
    if not finished.is_file():
        course = _Course(model, plan, list(new.parameters()) if new else [], folder / "checkpoint.pt")
        course.go_on(lab, loss, rows, lengths, held_out or (lambda: _mean(lab, loss, dev)), seed, name)
        with whole(finished) as file:
            torch.save({"training": asdict(course.training), "best": course.best}, file)
        course.checkpoint.unlink()
    kept = torch.load(finished, map_location=lab.device, weights_only=True)
    model.load_state_dict(kept["best"])
    model.eval()
    lab.done.setdefault(name, Training(**kept["training"]))


def drawn(lengths: Rows, batch: int, seed: int, step: int) -> list[int]:
    """The rows of a step: passes over all rows in random order, in batches of rows of like length."""
    batch = min(batch, len(lengths))
    batches = len(lengths) // batch
    turn, number = divmod(step, batches)
    rng = np.random.default_rng([seed, turn])
    order = rng.permutation(len(lengths))[: batches * batch]
    pools = [order[start : start + _POOL * batch] for start in range(0, len(order), _POOL * batch)]
    order = np.concatenate([pool[np.argsort(lengths[pool], kind="stable")] for pool in pools])
    start = int(rng.permutation(batches)[number]) * batch
    return [int(row) for row in order[start : start + batch]]


def _mean(lab: Lab, loss: Loss, rows: Sequence[Any], batch: int = 64) -> float:
    """The mean of a loss over rows that are not trained on."""
    with torch.inference_mode(), lab.autocast():
        parts = [rows[start : start + batch] for start in range(0, len(rows), batch)]
        return float(np.average([float(loss(part)) for part in parts], weights=[len(part) for part in parts]))


def _digest(model: torch.nn.Module, plan: Plan, rows: Sequence[Any], dev: Sequence[Any]) -> str:
    """Sixteen hexadecimal digits of what a training begins with."""
    digest = hashlib.sha256(repr((plan, list(rows), list(dev))).encode())
    for weight in model.state_dict().values():
        digest.update(weight.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()[:16]


def pair_loss(lab: Lab, model: SentenceTransformer, of: torch.nn.Module) -> Loss:
    """A loss of sentence-transformers over pairs and their labels."""

    def loss(rows: Sequence[Pair]) -> torch.Tensor:
        label = torch.tensor([row.label for row in rows], device=lab.device)
        columns = [features(model, [row.texts[side] for row in rows]) for side in (0, 1)]
        return cast(torch.Tensor, of(columns, label))

    return loss


def features(model: SentenceTransformer, texts: Sequence[str]) -> dict[str, torch.Tensor]:
    """What a body takes: token numbers and their mask, where the model is."""
    made = model.preprocess(list(texts))
    return {name: value.to(model.device) for name, value in made.items() if isinstance(value, torch.Tensor)}


class _Course:
    """A training under way."""

    def __init__(self, model: torch.nn.Module, plan: Plan, new: list[torch.nn.Parameter], checkpoint: Path) -> None:
        self.plan, self.checkpoint = plan, checkpoint
        self.training, self.best, self.least = Training(), dict[str, torch.Tensor](), np.inf
        fresh = set(map(id, new))
        known = [one for one in model.parameters() if one.requires_grad and id(one) not in fresh]
        groups = [{"params": known, "lr": plan.rate}, {"params": new, "lr": plan.new_rate}]
        self.model, self.optimiser = model, torch.optim.AdamW([group for group in groups if group["params"]])
        self.schedule = LambdaLR(self.optimiser, self._share)
        self.parts: dict[str, Any] = {"model": model, "optimiser": self.optimiser, "schedule": self.schedule}
        if checkpoint.is_file():
            kept = torch.load(checkpoint, map_location="cpu", weights_only=True)
            for name, part in self.parts.items():
                part.load_state_dict(kept[name])
            self.training, self.best, self.least = Training(**kept["training"]), kept["best"], kept["least"]

    def go_on(
        self,
        lab: Lab,
        loss: Loss,
        rows: Sequence[Any],
        lengths: Rows,
        held_out: Callable[[], float],
        seed: int,
        name: str,
    ) -> None:
        """Take the steps that are left, look by look."""
        ends = [round(self.plan.steps * (number + 1) / self.plan.looks) for number in range(self.plan.looks)]
        with tqdm(
            total=self.plan.steps, initial=self.training.step, desc=f"{name}, seed {seed}", unit=" steps"
        ) as progress:
            for end in ends:
                if end > self.training.step:
                    value = self._until(end, lab, loss, rows, lengths, seed, progress)
                    self.model.eval()  # without dropout, as it will be used
                    torch.manual_seed(seed)  # what is drawn of the held-out part is the same at every look
                    self._look(value, held_out())

    def _until(
        self, end: int, lab: Lab, loss: Loss, rows: Sequence[Any], lengths: Rows, seed: int, progress: tqdm
    ) -> float:
        """The mean loss of the steps up to `end`."""
        self.model.train()
        done, losses = self.training, []
        started = time.perf_counter()
        for step in range(done.step, end):
            some = [rows[row] for row in drawn(lengths, self.plan.batch, seed, step)]
            torch.manual_seed(int(np.random.SeedSequence([seed, step]).generate_state(1)[0]))
            counting = done.rows == done.counted < _COUNTED * self.plan.batch
            with FlopCounterMode(display=False) if counting else nullcontext() as counter:
                with lab.autocast():
                    value = loss(some)
                self.optimiser.zero_grad()
                value.backward()  # type: ignore[no-untyped-call]
            if counter:
                done.all_flops += counter.get_total_flops()
                done.counted += len(some)
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimiser.step()
            self.schedule.step()
            done.rows += len(some)
            losses.append(value.detach().float())
            progress.update()
            if step % 20 == 0:
                progress.set_postfix(loss=f"{float(losses[-1]):.4f}")
        mean = float(torch.stack(losses).mean())
        done.step, done.seconds = end, done.seconds + time.perf_counter() - started
        return mean

    def _look(self, loss: float, held_out: float) -> None:
        """Write down where the training is, and keep the weights if none were better."""
        self.training.history.append((self.training.step, loss, held_out))
        if held_out < self.least:
            self.least = held_out
            weights = self.model.state_dict()
            self.best = {name: weight.detach().cpu().clone() for name, weight in weights.items()}
        parts = {name: part.state_dict() for name, part in self.parts.items()}
        with whole(self.checkpoint) as file:
            torch.save({**parts, "training": asdict(self.training), "best": self.best, "least": self.least}, file)

    def _share(self, step: int) -> float:
        """Of the learning rate, in a step."""
        rises = max(1, round(_WARM_UP * self.plan.steps))
        return min((step + 1) / rises, (self.plan.steps - step) / max(1, self.plan.steps - rises))


@cache
def peak(device: str, precision: torch.dtype) -> float:
    """Floating point operations a second of a large product: what the device could do."""
    size = 8192 if device == "cuda" else 1024
    one, other = (torch.randn(size, size, device=device, dtype=precision) for _ in range(2))
    float((one @ other)[0, 0])  # warms up
    started = time.perf_counter()
    for _ in range(10):
        product = one @ other
    float(product[0, 0])  # waits for the device
    return 10 * 2 * size**3 / (time.perf_counter() - started)
