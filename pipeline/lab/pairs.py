"""Duplicate or not: a siamese classifier with masked inputs, a contrastive encoder and a cross-encoder.

Cosines are compared with the threshold that is best on held-out pairs, and so are the scores of the classifiers. A
cross-encoder of scenes and meanings is tried behind the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
import torch
from matplotlib.figure import Figure
from sentence_transformers import CrossEncoder, SentenceTransformer
from sentence_transformers.cross_encoder.losses import BinaryCrossEntropyLoss
from sentence_transformers.cross_encoder.losses import MultipleNegativesRankingLoss as CrossRankingLoss
from sentence_transformers.sentence_transformer import losses
from torch import nn
from torch.nn import functional

from bot.search.artifacts import Artifacts
from bot.search.engine import SearchEngine
from bot.search.phrases import script_language
from pipeline.data.sources import DATA
from pipeline.evaluation.metrics import Flags, Values
from pipeline.index.readings import ReaderOnDisk
from pipeline.lab import models, reranking, scratch
from pipeline.lab.measuring import add_decided, cosines, labels, macro_f1
from pipeline.lab.report import Findings
from pipeline.lab.setting import Lab, Plan
from pipeline.lab.splits import Pair, Several, Split, mrpc, sampled, with_negatives
from pipeline.lab.training import features, pair_loss, train
from pipeline.train.teacher import teacher_folder

MASKING = Plan(steps=400, batch=32, rate=5e-5, looks=4)
CONTRASTIVE = Plan(steps=200, batch=32, rate=3e-5, looks=4)
CROSS = Plan(steps=480, batch=32, rate=5e-5, new_rate=5e-4, looks=6)
RANKING = Plan(steps=300, batch=16, rate=5e-5, new_rate=5e-4, looks=3)
_POOLINGS = ("cls", "mean", "max")
_TRAINED_LAYERS = 2  # of the siamese classifier; the others are frozen
_MASKED = 0.15  # share of the tokens
_MARGIN = 0.8  # from which a negative's 1 - cosine is far enough
_PAIRS = (5_000, 250, 1_000)  # of questions for training, held out and for the test, beside which there are negatives
_PAIR_TOKENS = 2 * models.MAX_TOKENS
_OTHERS = 1  # of a batch, that a scene is read beside as well as its own meaning and one that the engine finds near
_COMPARED = (
    ("cross-encoder", "masking, mean"),
    ("masking, mean", "contrastive"),
    ("cross-encoder, after questions", "cross-encoder"),
)

Decide = Callable[[Sequence[Pair]], Values]
Train = Callable[[Lab, str, Split, int], Decide]


def run(lab: Lab) -> Findings:
    """Train each on both sets, and compare what they decide."""
    findings, questions = Findings(lab, "pairs"), scratch.questions(lab)
    sizes = zip((questions.train, questions.dev, questions.test), _PAIRS, strict=True)
    parts = (sampled(part, lab.rows(count)) for part, count in sizes)
    learned, held_out, judged = (with_negatives(part, questions.groups) for part in parts)
    sets = {"quora": Split(learned, held_out, judged), "mrpc": mrpc(lab)}
    unread, cross_encoders = scratch.unread(lab), dict[str, list[Decide]]()
    for name, split in sets.items():
        true = labels(split.test) > 0.5
        majority = np.full_like(true, true.mean() > 0.5)
        findings.mean(name, "majority", "accuracy", majority == true)
        findings.metric(name, "majority", "macro F1", macro_f1, true, majority[None])
        said: dict[str, Flags] = {}

        def decide(system: str, deciders: Sequence[Decide], split: Split = split, name: str = name) -> Flags:
            scores = [(one(split.dev), one(split.test)) for one in deciders]
            return add_decided(findings, name, system, split.test, split.dev, scores)

        decide("cosine, untouched", [_cosine(lab, models.encoder(lab))])
        decide("cosine, from nothing", [_cosine(lab, model) for model in unread])
        for system, train_one in _systems(lab, name).items():
            deciders = [train_one(lab, name, split, seed) for seed in range(lab.seeds)]
            said[system] = decide(system, deciders)
            if system.startswith("cross-encoder"):
                cross_encoders[f"{system}, {name}"] = deciders
        for one, other in _COMPARED:
            if one not in said:
                continue
            both = np.stack([said[one], said[other]], axis=2)
            findings.metric(name, f"{one} minus {other}", "macro F1", _difference, true, both)
    if not lab.tiny:
        _for_the_bot(lab, findings, cross_encoders)
    findings.picture(_picture(findings))
    return findings


def _for_the_bot(lab: Lab, findings: Findings, cross_encoders: dict[str, list[Decide]]) -> None:
    """Try one of scenes and meanings behind the bot's engine, with and without the reader, and all on equivalents."""
    artifacts = Artifacts.load(DATA.parent / "artifacts", scenes=True)
    fast, whole = SearchEngine(replace(artifacts, reader=None, readings=None)), SearchEngine(artifacts)
    told = reranking.scenes(lab, fast, artifacts.phrases)
    readers = [_ranking(lab, *told, seed) for seed in range(lab.seeds)]
    linked = reranking.linked(lab, artifacts)
    scores = {"cosine, untouched": [_cosine(lab, models.encoder(lab))(linked)]}
    if artifacts.reader:
        scores["cosine, the bot's reader"] = [cosines(ReaderOnDisk(artifacts.reader).embed, linked)]
    for system, deciders in {**cross_encoders, "cross-encoder, scenes": readers}.items():
        scores[system] = [decide(linked) for decide in deciders]
    reranking.tell_apart(findings, linked, scores)
    asked = {
        name: sampled([query for query in queries if script_language(query[0]) == "en"], reranking.QUERIES)
        for name, queries in reranking.asked(lab, artifacts.phrases).items()
    }
    for name, engine in (("without the reader", fast), ("with the reader", whole)):
        reranking.rerank(findings, engine, {f"{what}, {name}": queries for what, queries in asked.items()}, readers)


def _systems(lab: Lab, name: str) -> dict[str, Train]:
    """Those of a set: questions have all poolings, and what reads news may have learned from questions before."""
    poolings = _POOLINGS if name == "quora" and not lab.tiny else _POOLINGS[1:2]
    systems: dict[str, Train] = {f"masking, {pooling}": partial(_masking, pooling=pooling) for pooling in poolings}
    systems |= {"contrastive": _contrastive, "cross-encoder": _cross}
    return systems if name == "quora" else {**systems, "cross-encoder, after questions": partial(_cross, after="quora")}


class MaskedSiamese(nn.Module):
    """Says of two sentences whether they are duplicates, by both vectors and their difference."""

    def __init__(self, model: SentenceTransformer) -> None:
        super().__init__()
        self.model, tokenizer = model, model.tokenizer
        size = int(model[1].embedding_dimension)  # type: ignore[arg-type]
        self.net = nn.Sequential(nn.Linear(3 * size, size), nn.ReLU(), nn.Linear(size, 1))
        self.mask = int(tokenizer.unk_token_id if tokenizer.mask_token_id is None else tokenizer.mask_token_id)
        self.special = torch.tensor(tokenizer.all_special_ids, device=model.device)
        self.net.to(model.device)

    def logits(self, columns: Sequence[dict[str, torch.Tensor]]) -> torch.Tensor:
        """Shape (pairs,), of the features of both columns."""
        u, v = (self.model[1](self.model[0](dict(one)))["sentence_embedding"] for one in columns)
        scores: torch.Tensor = self.net(torch.cat([u, v, (u - v).abs()], dim=1))
        return scores.squeeze(1).float()

    def forward(self, columns: Sequence[dict[str, torch.Tensor]], label: torch.Tensor) -> torch.Tensor:
        """The loss of exact inputs, and half the loss of inputs of which new tokens are masked each time."""
        exact, masked = self.logits(columns), self.logits([self._masked(one) for one in columns])
        entropy = functional.binary_cross_entropy_with_logits
        return entropy(exact, label) + 0.5 * entropy(masked, label)

    def _masked(self, column: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        ids = column["input_ids"]
        chosen = (torch.rand(ids.shape, device=ids.device) < _MASKED) & ~torch.isin(ids, self.special)
        return {**column, "input_ids": ids.masked_fill(chosen, self.mask)}


def _masking(lab: Lab, name: str, split: Split, seed: int, pooling: str) -> Decide:
    model = models.encoder(lab, pooling, seed=seed)
    models.freeze(model, _TRAINED_LAYERS)
    siamese = MaskedSiamese(model)
    loss, name = pair_loss(lab, model, siamese), f"{name}-masking-{pooling}"
    train(lab, siamese, loss, split.train, split.dev, MASKING, name, seed, siamese.net)

    def decide(pairs: Sequence[Pair]) -> Values:
        columns = [[row.texts[side] for row in pairs] for side in (0, 1)]
        with torch.inference_mode(), lab.autocast():
            parts = [
                siamese.logits([features(model, column[start : start + 128]) for column in columns])
                for start in range(0, len(pairs), 128)
            ]
        return torch.cat(parts).cpu().numpy().astype(np.float64)

    return decide


def _contrastive(lab: Lab, name: str, split: Split, seed: int) -> Decide:
    model = models.encoder(lab, seed=seed)
    loss = pair_loss(lab, model, losses.ContrastiveLoss(model, margin=_MARGIN))
    train(lab, model, loss, split.train, split.dev, CONTRASTIVE, f"{name}-contrastive", seed)
    what = "Its cosine is high for duplicates and low for others: it learned by contrastive loss."
    models.save(lab, model, f"{name}-contrastive/seed-{seed}", what, _trained_on(name), lab.base)
    return _cosine(lab, model)


def _cross(lab: Lab, name: str, split: Split, seed: int, after: str = "") -> Decide:
    """The lab's encoder reads pairs; `after` names a set whose cross-encoder of this seed it begins as."""
    model = _reader_of_pairs(lab, seed, after)
    entropy = BinaryCrossEntropyLoss(model)

    def loss(rows: Sequence[Pair]) -> torch.Tensor:
        label = torch.tensor([row.label for row in rows], device=lab.device)
        return cast(torch.Tensor, entropy([[row.texts[side] for row in rows] for side in (0, 1)], label))

    kind = f"{name}-after-{after}" if after else name
    train(lab, model, loss, split.train, split.dev, CROSS, f"{kind}-cross-encoder", seed, _new(model))
    what = "It reads two texts together, and its score is high for duplicates."
    models.save(lab, model, _folder(kind, seed), what, [*_trained_on(after), *_trained_on(name)], lab.base)
    return _decided_by(lab, model)


def _ranking(lab: Lab, scenes: Sequence[Several], held_out: Sequence[Several], seed: int) -> Decide:
    """What began as the cross-encoder of questions reads scenes beside meanings, and must tell the right one."""
    model = _reader_of_pairs(lab, seed, "quora")
    right_of_some = CrossRankingLoss(model, _OTHERS, scale=1, activation_fn=None)

    def loss(rows: Sequence[Several]) -> torch.Tensor:
        columns = [row.first for row in rows], [row.second for row in rows], [row.drawn() for row in rows]
        return cast(torch.Tensor, right_of_some(columns, None))

    train(lab, model, loss, scenes, held_out, RANKING, "scenes-cross-encoder", seed, _new(model))
    what = "It reads two texts together, and its score is high for a meaning that a scene asks for."
    models.save(lab, model, _folder("scenes", seed), what, ["qqp", models.IDIOMS], lab.base)
    return _decided_by(lab, model)


def _reader_of_pairs(lab: Lab, seed: int, after: str) -> CrossEncoder:
    torch.manual_seed(seed)
    eager = {"attn_implementation": "eager"}
    body = str(lab.cache / _folder(after, seed) / "encoder") if after else teacher_folder(lab.base)
    model: CrossEncoder = CrossEncoder(
        body, num_labels=1, max_length=_PAIR_TOKENS, device=lab.device, model_kwargs=eager
    )
    return model


def _new(model: CrossEncoder) -> nn.Module:
    return cast(nn.Module, model.model.classifier)  # type: ignore[union-attr]


def _decided_by(lab: Lab, model: CrossEncoder) -> Decide:
    def decide(pairs: Sequence[Pair]) -> Values:
        with lab.autocast():
            return np.asarray(model.predict([row.texts for row in pairs], batch_size=128), np.float64)

    return decide


def _folder(kind: str, seed: int) -> str:
    """Of a cross-encoder, in the cache."""
    return f"{kind}-cross-encoder/seed-{seed}"


def _cosine(lab: Lab, model: SentenceTransformer) -> Decide:
    return partial(cosines, partial(lab.embed, model))


def _trained_on(name: str) -> list[str]:
    return {"quora": ["qqp"], "mrpc": ["mrpc_train"]}.get(name, [])


def _difference(true: Flags, both: npt.NDArray[np.bool_]) -> float:
    return macro_f1(true, both[:, 0]) - macro_f1(true, both[:, 1])


def _picture(findings: Findings) -> Figure:
    figure, panes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", sharey=True)
    for axes, name in zip(panes, ("quora", "mrpc"), strict=True):
        cells = [cell for cell in findings.cells if cell.table == f"pairs/{name}" and cell.figure == "macro F1"]
        cells = [cell for cell in cells if " minus " not in cell.system][::-1]
        values = np.array([float(cell.value) for cell in cells])
        reach = [values - [cell.low for cell in cells], [cell.high for cell in cells] - values]
        axes.errorbar(values, [cell.system for cell in cells], xerr=np.maximum(reach, 0), fmt="o")
        axes.set(xlabel="macro F1", title=name)
        axes.grid(alpha=0.3)
    return figure
