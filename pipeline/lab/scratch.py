"""A sentence encoder from nothing, by the loss over cosines of labelled pairs and by in-batch negatives.

Nothing that it is measured on was read by it before, which nobody can say of a pretrained encoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer import losses

from pipeline.evaluation.sentences import best_threshold
from pipeline.lab import models
from pipeline.lab.measuring import add_decided, add_found, cosines, labels, ranks, spearman
from pipeline.lab.report import Findings
from pipeline.lab.setting import Lab, Plan, Training
from pipeline.lab.splits import Pair, Split, quora, sampled, stsb, texts_of, with_negatives
from pipeline.lab.training import pair_loss, train

BY_COSINE = Plan(steps=600, batch=64, rate=3e-4, looks=10)
IN_BATCH = Plan(steps=600, batch=128, rate=5e-4, looks=10)
_NAMES = ("scratch-in-batch", "scratch-cosine")
_JUDGED_PAIRS = 2_000  # of the test questions, and as many negatives as there are in Quora


def run(lab: Lab) -> Findings:
    """Train both and measure them on what they have not read."""
    findings, split = Findings(lab, "scratch"), questions(lab)
    parts = split.dev, sampled(split.test, lab.rows(_JUDGED_PAIRS))
    dev, test = (with_negatives(part, split.groups) for part in parts)
    judged = stsb(lab, "en").test
    for name, labelled in zip(_NAMES, ([], with_negatives(split.train, split.groups)), strict=True):
        found, decided, ordered = [], [], []
        for seed in range(lab.seeds):
            model = from_nothing(lab, split, seed, labelled)
            embed = partial(lab.embed, model)
            found.append(ranks(split.test, embed(texts_of(split.test))))
            decided.append((cosines(embed, dev), cosines(embed, test)))
            ordered.append(cosines(embed, judged))
        add_found(findings, "quora", name, found)
        add_decided(findings, "quora-pairs", name, test, dev, decided)
        findings.metric("stsb-en", name, "Spearman", spearman, labels(judged), np.array(ordered))
    findings.mean("quora-pairs", "majority", "accuracy", labels(test) < 0.5)
    findings.picture(_curves({name: lab.done[name] for name in _NAMES}, float(np.mean(labels(dev) < 0.5))))
    return findings


def questions(lab: Lab) -> Split:
    """Quora's duplicates."""
    split = quora(lab.data, lab.rows(5_000), lab.rows(500))
    return replace(split, train=split.train[: lab.rows(len(split.train))])


def unread(lab: Lab) -> list[SentenceTransformer]:
    """The encoder of each seed that learned by in-batch negatives: a row for tables whose other encoders had read."""
    split = questions(lab)
    return [from_nothing(lab, split, seed) for seed in range(lab.seeds)]


def from_nothing(lab: Lab, split: Split, seed: int = 0, labelled: Sequence[Pair] = ()) -> SentenceTransformer:
    """The encoder of a seed, trained unless it was before: by in-batch negatives, or by labelled pairs."""
    model = models.fresh_encoder(lab, texts_of(split.train), *_shape(lab), seed)
    dev, name = with_negatives(split.dev, split.groups), _NAMES[bool(labelled)]
    loss = pair_loss(lab, model, losses.CosineSimilarityLoss(model) if labelled else models.both_ways(model))
    plan, errors = BY_COSINE if labelled else IN_BATCH, partial(_errors, lab, model, dev)
    train(lab, model, loss, labelled or split.train, dev, plan, name, seed, held_out=errors)
    what = f"A transformer of {_shape(lab)[0]} layers that began with random weights and read pairs of questions."
    models.save(lab, model, f"{name}/seed-{seed}", what, ["qqp"])
    return model


def _shape(lab: Lab) -> tuple[int, int]:
    """Layers, and dimensions of each."""
    return (1, 32) if lab.tiny else (4, 256)


def _errors(lab: Lab, model: SentenceTransformer, dev: list[Pair]) -> float:
    """Share of held-out pairs that are called wrongly from the best threshold on."""
    likeness, alike = cosines(partial(lab.embed, model), dev), labels(dev) > 0.5
    return float(np.mean((likeness >= best_threshold(alike, likeness)) != alike))


def _curves(trainings: dict[str, Training], majority: float) -> Figure:
    figure, panes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for name, done in trainings.items():
        steps, loss, errors = zip(*done.history, strict=True)
        share = np.array(steps) / steps[-1]
        panes[0].plot(share, np.array(loss) / loss[0], "o-", label=name)
        panes[1].plot(share, 1 - np.array(errors), "o-", label=name)
    panes[1].axhline(majority, color="grey", linestyle="--", label="majority")
    panes[0].set(xlabel="share of the steps", ylabel="training loss, relative to its first mean")
    panes[1].set(xlabel="share of the steps", ylabel="accuracy on held-out pairs")
    panes[1].legend()
    return figure
