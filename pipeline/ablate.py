"""What each part of a build is worth: builds without it, measured on tuning data: `python -m pipeline.ablate`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.search.artifacts import REPORT, Artifacts, ArtifactsError
from pipeline.build import CACHE, assemble
from pipeline.data.sources import DATA, DataFolder, SourceError
from pipeline.evaluation.context import EvaluationContext
from pipeline.evaluation.metrics import SYSTEM
from pipeline.evaluation.report import ABLATION, write_json
from pipeline.evaluation.retrieval import queries
from pipeline.evaluation.sentences import sentence_pairs
from pipeline.recipe import Recipe, load_recipe
from pipeline.train.learn import BuildError, learn, learned_by
from pipeline.train.teacher import Teacher, TeacherError
from pipeline.train.texts import training_texts

Changes = Mapping[str, Any]
"""Fields of phrases, of the fusion and of the recipe, with other values."""

VARIANTS: dict[str, Changes] = {
    "as served": {},
    "no scenes": {"scenes": ()},
    "scenes in the wording only": {"scene_weight": 0.0},
    "no examples": {"example": ""},
    "no meanings in the other language": {"translations": {}},
    "meaning only, no wording": {"gloss": 0.0, "lexical_threshold": 0.99, "lexical_saturation": 1.0},
    "wording only, no meaning": {"gloss": 1e6},
    "near-duplicates shown": {"twin_meaning": 2.0},
    "no refinement": {"epochs": 0.0},
    "refined without scenes": {"scene_loss": 0.0},
    "no beginnings of words": {"stems": 0},
    "PCA to 200 components": {"components": 200},
    "128 dimensions": {"most_dimensions": 128},
    "two passes of refinement": {"epochs": 2.0},
    "all texts weigh the same": dict.fromkeys(
        ("judged_weight", "sentence_weight", "meaning_weight", "dictionary_weight"), 1.0
    ),
}
_OF_PHRASES = {"scenes", "example", "translations"}
_OF_FUSION = {"gloss", "lexical_threshold", "lexical_saturation"}
_AFTER_TRAINING = {*_OF_PHRASES, *_OF_FUSION, "scene_weight", "twin_meaning"}
"""Fields that need no new approximator, which takes minutes."""


def make(
    changes: Changes, served: Artifacts, recipe: Recipe, teacher: Teacher, data: DataFolder, cache: Path
) -> Artifacts:
    """The artifacts of a variant; its confidence refuses nothing, because that is not what is compared."""
    of_phrases = {name: value for name, value in changes.items() if name in _OF_PHRASES}
    of_fusion = {name: value for name, value in changes.items() if name in _OF_FUSION}
    others = {name: value for name, value in changes.items() if name not in _OF_PHRASES | _OF_FUSION}
    recipe = replace(recipe, **others, fusion=replace(recipe.fusion, **of_fusion))
    learned = learned_by(served, teacher)
    if changes.keys() - _AFTER_TRAINING:
        training = training_texts(data, served.phrases, recipe)
        learned = learn(teacher, training, served.phrases, data, recipe, cache)
    phrases = [replace(phrase, **of_phrases) for phrase in served.phrases]
    artifacts = assemble(phrases, learned, teacher, recipe, cache)
    artifacts.confidence = replace(artifacts.confidence, threshold=0.0)
    return artifacts


def figures(artifacts: Artifacts, data: DataFolder) -> dict[str, float]:
    """Similarity of sentences on the split for tuning, and the dev queries."""
    context = EvaluationContext(artifacts, data, alone=True)
    rows = [*sentence_pairs(context, "dev"), *queries(context)]
    shown = [row for row in rows if row.system == SYSTEM and row.figure in ("Spearman", "R@10", "MRR")]
    return {row.id: round(row.value, 4) for row in shown}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.ablate", description=__doc__)
    parser.add_argument("--artifacts", type=Path, default=DATA.parent / "artifacts", metavar="DIR")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder that holds the training sets")
    parser.add_argument("--cache", type=Path, default=CACHE, metavar="DIR", help="where embeddings are kept")
    options = parser.parse_args(arguments)
    rows: list[dict[str, Any]] = []
    try:
        served, data = Artifacts.load(options.artifacts), DataFolder(extra=options.data)
        recipe = load_recipe(served.manifest["recipe"]["name"])
        teacher = Teacher(recipe.teacher, recipe.pooling, max_tokens=recipe.max_tokens)
        for name, changes in VARIANTS.items():
            measured = figures(make(changes, served, recipe, teacher, data, options.cache), data)
            print(f"{name}: {measured}", file=sys.stderr, flush=True)
            change = ", ".join(f"{field} {value}" for field, value in changes.items() if value not in ("", (), {}))
            rows.append({"variant": name, "change": change, "figures": measured})
            write_json(rows, options.artifacts / REPORT / ABLATION)
    except (ArtifactsError, SourceError, TeacherError, BuildError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
