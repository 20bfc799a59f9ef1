"""What each part of a build is worth: builds without it, measured on tuning data: `python -m pipeline.ablate`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from bot.search.artifacts import REPORT, Artifacts, ArtifactsError
from bot.search.phrases import Phrase
from bot.search.relations import Relations
from bot.search.retrieve.ann import AnnIndex
from bot.search.retrieve.approximator import Approximator
from pipeline.build import CACHE, CORPUS
from pipeline.data.corpus import read_corpus
from pipeline.data.sources import DATA, DataFolder, SourceError
from pipeline.evaluation.context import Subject
from pipeline.evaluation.metrics import Measurement
from pipeline.evaluation.report import ABLATION
from pipeline.evaluation.retrieval import queries
from pipeline.index.assemble import assemble
from pipeline.recipe import Recipe, load_recipe
from pipeline.train.dimensions import cosine_spearman
from pipeline.train.learn import Learned, learn, learned_by
from pipeline.train.teacher import Teacher, TeacherError
from pipeline.train.texts import training_texts

Change = Callable[[Artifacts], Artifacts]


@dataclass(frozen=True)
class Variant:
    """A build with something changed."""

    name: str
    relearned: bool = False
    """Whether the approximator must be trained anew, which takes minutes."""
    recipe: Mapping[str, Any] = field(default_factory=dict)
    ranking: Mapping[str, float] = field(default_factory=dict)
    phrases: Callable[[Phrase], Phrase] = lambda phrase: phrase
    artifacts: Change = lambda artifacts: artifacts

    @property
    def change(self) -> str:
        """The numbers of the recipe that differ."""
        return ", ".join(f"{name} {value:g}" for name, value in {**self.recipe, **self.ranking}.items())


def _centred(artifacts: Artifacts) -> Artifacts:
    vectors = artifacts.index.vectors - artifacts.index.vectors.mean(axis=0)
    centred = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return replace(artifacts, index=AnnIndex.build(centred, 1, artifacts.index.search_k, 1))


def _unrelated(artifacts: Artifacts) -> Artifacts:
    relations = Relations.none(artifacts.phrases, artifacts.relations.log_frequency)
    return replace(artifacts, relations=relations)


def _in_half(artifacts: Artifacts) -> Artifacts:
    """Four bits for a number of the table where eight are served."""
    known = artifacts.approximator
    table = (np.rint(known.table / 16.0) * 16).clip(-112, 112).astype(np.int8)
    return replace(artifacts, approximator=Approximator(known.tokenizer, known.stems, table, known.scale))


VARIANTS = [
    Variant("as served"),
    Variant("no scenes", phrases=lambda phrase: replace(phrase, scenes=())),
    Variant("scenes in the wording only", recipe={"scene_weight": 0.0}),
    Variant("no examples", phrases=lambda phrase: replace(phrase, example="")),
    Variant("no English meanings of Russian idioms", phrases=lambda phrase: replace(phrase, translations={})),
    Variant("meaning only, no wording", ranking={"gloss": 0.0, "lexical_threshold": 0.99, "lexical_saturation": 1.0}),
    Variant("wording only, no meaning", ranking={"gloss": 1e6}),
    Variant(
        "near-duplicates shown",
        artifacts=lambda artifacts: replace(
            artifacts, relations=Relations.none(artifacts.phrases, artifacts.relations.log_frequency)
        ),
    ),
    Variant("the mean taken off the vectors", artifacts=_centred),
    Variant("table in four bits", artifacts=_in_half),
    Variant("no refinement", relearned=True, recipe={"epochs": 0.0}),
    Variant("refined without scenes", relearned=True, recipe={"scene_loss": 0.0}),
    Variant("no beginnings of words", relearned=True, recipe={"stems": 0}),
    Variant("PCA to 200 components", relearned=True, recipe={"components": 200}),
    Variant("a tenth of the features left out", relearned=True, recipe={"contamination": 0.1}),
    Variant("128 dimensions", relearned=True, recipe={"most_dimensions": 128}),
    Variant("two passes of refinement", relearned=True, recipe={"epochs": 2.0}),
    Variant(
        "all texts weigh the same",
        relearned=True,
        recipe={"judged_weight": 1.0, "sentence_weight": 1.0, "meaning_weight": 1.0, "dictionary_weight": 1.0},
    ),
]


@dataclass
class Workshop:
    """What the variants share."""

    served: Artifacts
    recipe: Recipe
    data: DataFolder
    cache: Path

    def __post_init__(self) -> None:
        self.phrases = read_corpus(CORPUS)
        self.teacher = Teacher(self.recipe.teacher, self.recipe.pooling, max_tokens=self.recipe.max_tokens)

    def make(self, variant: Variant) -> Artifacts:
        """The artifacts of a variant; its confidence refuses nothing, because that is not what is compared."""
        fusion = replace(self.recipe.fusion, **variant.ranking)
        recipe = replace(self.recipe, **variant.recipe, fusion=fusion)
        phrases = [variant.phrases(phrase) for phrase in self.phrases]
        artifacts = assemble(phrases, self._learned(variant, recipe), self.teacher, recipe, self.cache)
        artifacts.confidence = replace(artifacts.confidence, threshold=0.0)
        return variant.artifacts(artifacts)

    def _learned(self, variant: Variant, recipe: Recipe) -> Learned:
        if not variant.relearned:
            return learned_by(self.served, self.teacher)
        training = training_texts(self.data, self.phrases, recipe)
        return learn(self.teacher, training, self.phrases, self.data, recipe, self.cache)

    def figures(self, artifacts: Artifacts) -> dict[str, float]:
        """Likeness of sentences on the split for tuning, and the dev queries."""
        subject = Subject(artifacts, self.data, alone=True)
        figures: dict[str, float] = {}
        for language in ("ru", "en"):
            first, second, scores = zip(*self.data.sts(language, "dev"), strict=True)
            spearman = cosine_spearman(subject.encode(first), subject.encode(second), np.array(scores))
            figures[f"Spearman, STS-B {language} dev"] = spearman
        for row in queries(subject):
            if row.system == "Idiomatika" and row.figure in ("R@10", "MRR"):
                figures[_short(row)] = row.value
        return {name: round(value, 4) for name, value in figures.items()}


def _short(row: Measurement) -> str:
    return f"{row.figure}, {', '.join(row.data.split(', ')[:2])}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.ablate", description=__doc__)
    parser.add_argument("--artifacts", type=Path, default=DATA.parent / "artifacts", metavar="DIR")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder that holds the training sets")
    parser.add_argument("--cache", type=Path, default=CACHE, metavar="DIR", help="where embeddings are kept")
    options = parser.parse_args(arguments)
    try:
        served = Artifacts.load(options.artifacts)
        shop = Workshop(
            served, load_recipe(served.manifest["recipe"]["name"]), DataFolder(extra=options.data), options.cache
        )
        rows: list[dict[str, Any]] = []
        for variant in VARIANTS:
            figures = shop.figures(shop.make(variant))
            print(f"{variant.name}: {figures}", file=sys.stderr, flush=True)
            rows.append({"variant": variant.name, "change": variant.change, "figures": figures})
            _write(options.artifacts / REPORT / ABLATION, rows)
    except (ArtifactsError, SourceError, TeacherError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
