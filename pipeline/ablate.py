"""What each part of a build is worth: builds without it, measured on tuning data: `python -m pipeline.ablate`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.search.artifacts import REPORT, Artifacts, ArtifactsError
from pipeline.build import CACHE
from pipeline.data.sources import DATA, DataFolder, SourceError
from pipeline.evaluation.context import EvaluationContext
from pipeline.evaluation.metrics import SYSTEM
from pipeline.evaluation.report import ABLATION, write_json
from pipeline.evaluation.retrieval import queries
from pipeline.evaluation.sentences import sentence_pairs
from pipeline.index.assemble import assemble
from pipeline.recipe import Recipe, load_recipe
from pipeline.train.learn import BuildError, learn, learned_by
from pipeline.train.teacher import Teacher, TeacherError
from pipeline.train.texts import training_texts

Changes = Mapping[str, Any]
"""Other values of fields of the recipe and, after a dot, of the weights and the fusion in it, and of every phrase."""

VARIANTS: dict[str, Changes] = {
    "as served": {},
    "no scenes": {"phrase.scenes": ()},
    "scenes in the wording only": {"weights.scene": 0.0},
    "no examples": {"phrase.example": ""},
    "no meanings in the other language": {"phrase.translations": {}},
    "meaning only, no wording": {
        "fusion.gloss": 0.0,
        "fusion.lexical_threshold": 0.99,
        "fusion.lexical_saturation": 1.0,
    },
    "wording only, no meaning": {"fusion.gloss": 1e6},
    "near-duplicates shown": {"duplicate_meaning": 2.0},
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


def make(
    changes: Changes, served: Artifacts, recipe: Recipe, teacher: Teacher, data: DataFolder, cache: Path
) -> Artifacts:
    """The artifacts of a variant; its confidence refuses nothing, because that is not what is compared."""
    plain = {name: value for name, value in changes.items() if "." not in name}
    weights, fusion = {**recipe.weights, **_of("weights", changes)}, replace(recipe.fusion, **_of("fusion", changes))
    recipe = replace(recipe, **plain, weights=weights, fusion=fusion)
    learned = learned_by(served, teacher)
    if plain.keys() - {"duplicate_meaning"}:  # trained anew, which takes minutes
        training = training_texts(data, served.phrases, recipe)
        learned = learn(teacher, training, served.phrases, data, recipe, cache)
    phrases = [replace(phrase, **_of("phrase", changes)) for phrase in served.phrases]
    artifacts = assemble(phrases, learned, teacher, recipe, cache)
    artifacts.confidence = replace(artifacts.confidence, threshold=0.0)
    return artifacts


def _of(part: str, changes: Changes) -> Changes:
    return {name.partition(".")[2]: value for name, value in changes.items() if name.startswith(f"{part}.")}


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
        served, data = Artifacts.load(options.artifacts, scenes=True), DataFolder(extra=options.data)
        recipe = load_recipe(served.manifest["recipe"]["name"])
        teacher = Teacher(recipe.teacher, recipe.pooling, max_tokens=recipe.max_tokens)
        for name, changes in VARIANTS.items():
            measured = figures(make(changes, served, recipe, teacher, data, options.cache), data)
            print(f"{name}: {measured}", file=sys.stderr, flush=True)
            change = ", ".join(
                f"{field} {value:g}" for field, value in changes.items() if not field.startswith("phrase")
            )
            rows.append({"variant": name, "change": change, "figures": measured})
            write_json(rows, options.artifacts / REPORT / ABLATION)
    except (ArtifactsError, SourceError, TeacherError, BuildError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
