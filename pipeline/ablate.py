"""What each part of a build is worth: builds without it, measured on tuning data: `python -m pipeline.ablate`."""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.search.artifacts import REPORT, Artifacts, ArtifactsError
from pipeline.data.sources import DATA, DataFolder, SourceError
from pipeline.evaluation.context import CACHE, EvaluationContext
from pipeline.evaluation.metrics import SYSTEM
from pipeline.evaluation.report import ABLATION, write_json
from pipeline.evaluation.retrieval import queries
from pipeline.evaluation.sentences import sentence_pairs
from pipeline.index.assemble import assemble
from pipeline.recipe import Recipe, load_recipe
from pipeline.train.learn import BuildError, learn, learned_by
from pipeline.train.teacher import Teacher, TeacherError
from pipeline.train.texts import training_texts
from pipeline.train.tuning import known_teacher

VARIANTS = Path(__file__).parent / "evaluation/variants.toml"


def make(
    changes: Mapping[str, Any], served: Artifacts, recipe: Recipe, teacher: Teacher, data: DataFolder, cache: Path
) -> Artifacts:
    """The artifacts of a variant, which answers by words alone: it is the table that is compared.

    Its confidence refuses nothing.
    """
    fields = dict(changes)
    of_phrases, weights, fusion = (fields.pop(name, {}) for name in ("phrase", "weights", "fusion"))
    recipe = replace(recipe, **fields, weights={**recipe.weights, **weights}, fusion=replace(recipe.fusion, **fusion))
    learned = learned_by(served)
    if fields.keys() - {"duplicate_meaning"}:
        training = training_texts(data, served.phrases, recipe)
        learned = learn(teacher, training, served.vocabulary, served.phrases, data, recipe, cache)
    phrases = [replace(phrase, **of_phrases) for phrase in served.phrases]
    artifacts = assemble(phrases, replace(learned, reader=None), recipe, cache)
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
        served, data = Artifacts.load(options.artifacts, scenes=True), DataFolder(extra=options.data)
        recipe = load_recipe(served.manifest["recipe"]["name"])
        known = served.manifest.get("teacher", {})
        teacher = known_teacher(recipe.teacher, known.get("fingerprint", ""), recipe, options.cache)
        for name, changes in tomllib.loads(VARIANTS.read_text(encoding="utf-8")).items():
            measured = figures(make(changes, served, recipe, teacher, data, options.cache), data)
            print(f"{name}: {measured}", file=sys.stderr, flush=True)
            change = ", ".join(f"{field} {value}" for field, value in changes.items() if field != "phrase")
            rows.append({"variant": name, "change": change, "figures": measured})
            write_json(rows, options.artifacts / REPORT / ABLATION)
    except (ArtifactsError, SourceError, TeacherError, BuildError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
