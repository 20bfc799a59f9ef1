"""Finding the question that asks the same: how few dimensions are enough, and what a billion distances cost.

An encoder with a linear head of D dimensions learns from triplets (Schroff et al. 2015, "FaceNet") whose negatives are
mined: only those that break the margin have something to teach. A head begins as the principal components and learns
alone first (Kumar et al. 2022, "Fine-tuning can distort pretrained features"), from the hardest of a large batch
(Hermans et al. 2017, "In defense of the triplet loss"); then encoder and head learn from what that head still finds
too near. One more encoder learns all sizes at once (Kusupati et al. 2022, "Matryoshka representation learning").
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer import losses
from sentence_transformers.sentence_transformer.modules import Normalize
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

from pipeline.evaluation.metrics import Rows
from pipeline.lab import models, scratch
from pipeline.lab.measuring import add_found, jaccard_ranks, ranks
from pipeline.lab.report import Findings
from pipeline.lab.setting import Lab, Plan, Vectors
from pipeline.lab.splits import Pair, Several, Split, mined, sampled, texts_of
from pipeline.lab.training import features, train
from pipeline.train.teacher import Embeddings, Teacher

SIZES = (8, 16, 32, 64, 128, 256, 384, 512, 768, 1024, 2048)
HEAD = Plan(steps=400, batch=512, rate=2e-3, looks=4)
TUNE = Plan(steps=40, batch=32, rate=5e-5, new_rate=2e-4, looks=2)
MATRYOSHKA = replace(TUNE, steps=60)
_MARGIN = 0.05  # of Euclidean distances between unit vectors
_TRAIN_PAIRS = 16_000
_NEGATIVES = 5  # mined for each pair, of which a step draws one
_MAYBE_ALIKE = 0.85  # the cosine from which a question of another group may be a duplicate that nobody judged
_DISTANCES = 10_000  # squared, that are timed

Parts = tuple[list[Several], list[Several]]
"""Rows to train on, and rows that are held out."""


@dataclass(frozen=True)
class Questions:
    """Pairs of duplicates to learn from, and what the untouched encoder makes of their texts."""

    train: list[Pair]
    dev: list[Pair]
    groups: Mapping[str, int]
    """The group of connected questions that each text belongs to."""
    vectors: Embeddings
    components: PCA
    """Of the vectors."""

    @classmethod
    def of(cls, lab: Lab, split: Split) -> Questions:
        """Some of the training pairs, and all that are held out."""
        train = sampled(split.train, lab.rows(_TRAIN_PAIRS))
        teacher = Teacher(lab.base, device=lab.device, max_tokens=models.MAX_TOKENS)
        vectors = Embeddings.of(teacher, texts_of([*train, *split.dev]), lab.cache / "embeddings")
        pca = PCA(random_state=0).fit(vectors.vectors.astype(np.float32))
        return cls(train, split.dev, split.groups, vectors, pca)


def run(lab: Lab) -> Findings:
    """Train a head of each size, all sizes at once, and measure them beside baselines."""
    findings, split = Findings(lab, "duplicates"), scratch.questions(lab)
    asked = texts_of(split.test)
    known = Questions.of(lab, split)
    plain = triplets(lab, known)
    curve: dict[str, list[tuple[int, float]]] = {
        name: [] for name in ("a head of its own", "no head", "Matryoshka", "principal components")
    }

    def read(models_of_seeds: Sequence[SentenceTransformer]) -> list[Vectors]:
        return [lab.embed(model, asked) for model in models_of_seeds]

    def found(vectors_of_seeds: Sequence[Vectors], size: int = 0) -> list[Rows]:
        return [ranks(split.test, _cut(vectors, size)) for vectors in vectors_of_seeds]

    def add(system: str, some: list[Rows], line: str = "", size: int = 0) -> None:
        add_found(findings, "quora", system, some)
        if line:
            curve[line].append((size, float(np.mean(np.array(some) < 1))))

    untouched = lab.embed(models.encoder(lab), asked)
    add("Jaccard over words", [jaccard_ranks(split.test)])
    add("untouched", [ranks(split.test, untouched)])
    add("from nothing", found(read(scratch.unread(lab))))
    for size in (*_sizes(lab), 0):
        tuned = [_tuned(lab, known, plain, size, seed) for seed in range(lab.seeds)]
        name = f"head of {size}" if size else "no head"
        add(name, found(read(tuned)), "a head of its own" if size else name, size or untouched.shape[1])
    nested = read([_tuned(lab, known, plain, 0, seed, matryoshka=True) for seed in range(lab.seeds)])
    components = known.components.components_.T
    for size in [size for size in _sizes(lab) if size <= untouched.shape[1]]:
        add(f"Matryoshka, first {size}", found(nested, size), "Matryoshka", size)
        add(f"principal components, {size}", found([untouched @ components], size), "principal components", size)
    costs = {size: seconds(size, lab.rows(_DISTANCES)) for size in sorted({*_sizes(lab), untouched.shape[1]})}
    for size, cost in costs.items():
        findings.add("distances", f"{size} dimensions", "seconds of 1e9 distances on one core", cost)
    findings.picture(_picture(curve, costs))
    return findings


def triplets(lab: Lab, known: Questions, head: Vectors | None = None) -> Parts:
    """Training pairs and held-out pairs with negatives that break the margin as a head sees them.

    `head`, of shape (size, dimensions), is that of the encoder; without it, vectors are as the untouched encoder
    makes them.
    """
    pairs = [*known.train, *known.dev]
    texts = texts_of(pairs)
    every = known.vectors[texts]
    seen = every if head is None else _unit(every @ head.T)
    ceiling = 1.0 if lab.tiny else _MAYBE_ALIKE  # an encoder that knows nothing finds all texts alike
    near = mined(pairs, every, _NEGATIVES, ceiling, known.groups, seen)
    of_text, held_out = dict(zip(texts, seen, strict=True)), set(texts_of(known.dev))
    parts: Parts = ([], [])
    for number, (row, some) in enumerate(zip(pairs, near, strict=True)):
        judged = number >= len(known.train)
        allowed = some if judged else [text for text in some if text not in held_out]
        if hard := _hard(row, allowed, of_text, _margin(lab)):
            parts[judged].append(Several(row.first, row.second, hard))
    return parts


def _hard(row: Pair, others: Sequence[str], of_text: Mapping[str, Vectors], margin: float) -> list[str]:
    """Those of the others that are not farther from the first text than its second is, by the margin."""
    away = {text: float(np.linalg.norm(of_text[row.first] - of_text[text])) for text in (row.second, *others)}
    return [text for text in others if away[text] < away[row.second] + margin]


def _tuned(
    lab: Lab, known: Questions, plain: Parts, size: int, seed: int, matryoshka: bool = False
) -> SentenceTransformer:
    """The encoder with a head of `size`, which learns alone first, or without one: then `plain` is learned from."""
    model = models.encoder(lab, head=size, seed=seed)
    name = "duplicates-matryoshka" if matryoshka else f"duplicates-{size or 'none'}"
    learned, held_out = triplets(lab, known, _begun(lab, model, known, f"{name}-head", seed)) if size else plain
    triplet: torch.nn.Module = losses.TripletLoss(model, losses.TripletDistanceMetric.EUCLIDEAN, _margin(lab))
    if matryoshka:
        full = known.vectors.vectors.shape[1]
        triplet = losses.MatryoshkaLoss(model, triplet, [full, *(one for one in reversed(_sizes(lab)) if one < full)])

    def loss(rows: Sequence[Several]) -> torch.Tensor:
        columns = [row.first for row in rows], [row.second for row in rows], [row.drawn() for row in rows]
        return cast(torch.Tensor, triplet([features(model, column) for column in columns], None))

    train(lab, model, loss, learned, held_out, MATRYOSHKA if matryoshka else TUNE, name, seed, model[2])
    what = "It finds the question that asks the same, and learned from triplets of questions with mined negatives."
    models.save(lab, model, f"{name}/seed-{seed}", what, ["qqp"], lab.base)
    return model


def _begun(lab: Lab, model: SentenceTransformer, known: Questions, name: str, seed: int) -> Vectors:
    """Let the head learn over vectors that the body has made, from their principal components on; its weights."""
    head = SentenceTransformer(modules=[model[2], Normalize()], device=lab.device)
    weights: torch.Tensor = model[2].linear.weight  # type: ignore[union-attr, assignment]
    components = torch.from_numpy(known.components.components_[: len(weights)]).to(weights)
    with torch.no_grad():
        weights[: len(components)] = components
        weights[len(components) :] *= 0.1
    distance = losses.BatchHardTripletLossDistanceFunction.eucledian_distance
    hardest = losses.BatchHardTripletLoss(head, distance, _margin(lab))

    def loss(rows: Sequence[Pair]) -> torch.Tensor:
        texts = texts_of(rows)
        groups = torch.tensor([known.groups[text] for text in texts], device=lab.device)
        column = {"sentence_embedding": torch.from_numpy(known.vectors[texts]).to(lab.device)}
        return cast(torch.Tensor, hardest([column], groups))

    train(lab, head, loss, known.train, known.dev, HEAD, name, seed)
    return np.asarray(weights.detach().float().cpu().numpy())


def _margin(lab: Lab) -> float:
    return 1.0 if lab.tiny else _MARGIN  # few triplets of a few would have a loss


def seconds(size: int, count: int) -> float:
    """Seconds of 1e9 Euclidean distances in `size` dimensions on one core, from `count` squared of them."""
    vectors = np.random.default_rng(0).normal(size=(count, size)).astype(np.float32)
    squares = (vectors**2).sum(axis=1)
    with threadpool_limits(1):
        started = time.perf_counter()
        for start in range(0, count, 1000):
            some = slice(start, start + 1000)
            distances = vectors[some] @ vectors.T
            distances *= -2
            distances += squares[some, None]
            distances += squares
            np.sqrt(np.maximum(distances, 0, out=distances), out=distances)
        return (time.perf_counter() - started) / count**2 * 1e9


def _cut(vectors: Vectors, size: int) -> Vectors:
    """The first `size` dimensions as unit vectors; all of them for 0."""
    return _unit(vectors[:, :size] if size else vectors)


def _unit(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9))


def _sizes(lab: Lab) -> tuple[int, ...]:
    return (8, 48) if lab.tiny else SIZES


def _picture(curves: dict[str, list[tuple[int, float]]], costs: dict[int, float]) -> Figure:
    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    for name, points in curves.items():
        drawn = [(costs[size], share, size) for size, share in sorted(points)]
        axes.plot([cost for cost, *_ in drawn], [share for _, share, _ in drawn], "o-", label=name)
        for cost, share, size in drawn if name == "a head of its own" else ():
            axes.annotate(str(size), (cost, share), xytext=(0, 6), textcoords="offset points", ha="center", fontsize=8)
    axes.set(xscale="log", xlabel="seconds of 1e9 distances on one core", ylabel="the duplicate is the nearest")
    axes.legend()
    axes.grid(alpha=0.3)
    return figure
