"""Tuning a teacher on judged pairs, and what it is worth: CoSENT (Su 2022) on STS-B, on ParaPhraser and on both.

`rebuild` goes on: it builds the bot's table with such a teacher, and with one that was tuned on rankings.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer import losses

from pipeline.evaluation.metrics import Values
from pipeline.lab import layers, models, rebuilding, scratch
from pipeline.lab.measuring import cosines, labels, spearman
from pipeline.lab.report import Findings
from pipeline.lab.setting import Lab, Plan
from pipeline.lab.splits import Split, paraphraser, stsb
from pipeline.lab.training import pair_loss, train

TUNE = Plan(steps=240, batch=32)

_TRAINED_ON = {"STS-B": ("stsb-en", "stsb-ru"), "ParaPhraser": ("paraphraser-ru",)}
_TRAINED_ON["both"] = _TRAINED_ON["STS-B"] + _TRAINED_ON["ParaPhraser"]
_SOURCES = {"stsb-en": "sts_en_train", "stsb-ru": "sts_ru_train", "paraphraser-ru": "ru_paraphraser"}


def run(lab: Lab) -> Findings:
    """Tune on each set and on both, and measure on the test parts of both."""
    findings, sets = Findings(lab, "tune"), _sets(lab)

    def measured(model: SentenceTransformer) -> dict[str, Values]:
        return {name: cosines(partial(lab.embed, model), split.test) for name, split in sets.items()}

    before = measured(models.encoder(lab))
    unread = [measured(model) for model in scratch.unread(lab)]
    after = {name: [measured(_tuned(lab, name, sets, seed)) for seed in range(lab.seeds)] for name in _TRAINED_ON}
    for table, split in sets.items():
        true = labels(split.test)
        findings.metric(table, "from nothing", "Spearman", spearman, true, np.array([one[table] for one in unread]))
        findings.metric(table, "untouched", "Spearman", spearman, true, before[table][None])
        for name, tuned in after.items():
            scores = np.array([one[table] for one in tuned])
            findings.metric(table, f"tuned on {name}", "Spearman", spearman, true, scores)
            both = np.stack([scores, np.broadcast_to(before[table], scores.shape)], axis=2)
            findings.metric(table, f"tuned on {name}", "gained", _gained, true, both)
    return findings


def rebuild(lab: Lab) -> Findings:
    """Build the bot's table with the teacher that was tuned on both, and with one that was tuned on rankings."""
    findings, sets = Findings(lab, "rebuild"), _sets(lab)
    for seed in range(lab.seeds):
        _tuned(lab, "both", sets, seed)
        layers.ranking(lab, sets["stsb-en"], seed)
    teachers = {
        "untouched": [lab.base],
        "tuned on both": _folders(lab, "tune-both"),
        "tuned on rankings": _folders(lab, layers.RANKED),
    }
    rebuilding.compare(findings, lab, teachers)
    return findings


def _sets(lab: Lab) -> dict[str, Split]:
    return {"stsb-en": stsb(lab, "en"), "stsb-ru": stsb(lab, "ru"), "paraphraser-ru": paraphraser(lab)}


def _tuned(lab: Lab, name: str, sets: dict[str, Split], seed: int) -> SentenceTransformer:
    model = models.encoder(lab, seed=seed)
    used = _TRAINED_ON[name]
    rows, dev = ([row for one in used for row in getattr(sets[one], part)] for part in ("train", "dev"))
    train(lab, model, pair_loss(lab, model, losses.CoSENTLoss(model)), rows, dev, TUNE, f"tune-{name}", seed)
    what = "Its cosines of sentences are in the order that people gave to pairs: it learned by CoSENT."
    models.save(lab, model, f"tune-{name}/seed-{seed}", what, [_SOURCES[one] for one in used], lab.base)
    return model


def _folders(lab: Lab, name: str) -> list[str]:
    """Where the encoders of each seed are kept."""
    return [str(models.folder_of(lab, f"{name}/seed-{seed}")) for seed in range(lab.seeds)]


def _gained(true: Values, both: Values) -> float:
    return spearman(true, both[:, 0]) - spearman(true, both[:, 1])
