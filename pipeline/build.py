"""Build the artifacts: `python -m pipeline.build`."""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.search import Artifacts, ArtifactsError, Phrase
from bot.search.approximator import Approximator, WordFeatures
from bot.search.index import VectorIndex
from bot.search.wording import WordingIndex, wording_texts
from pipeline.approximate import choose_stems, contaminate, count_features, fit_table, quantise, train_tokenizer
from pipeline.corpus import CorpusError, read_corpus
from pipeline.embed import Embeddings, Teacher, TeacherError
from pipeline.evaluate import measure, write_report
from pipeline.recipe import RECIPES, Recipe, RecipeError, load_recipe
from pipeline.refine import Judged, Taught, refine_table
from pipeline.select import JudgedPairs, plot_selection, select_dimensions
from pipeline.sources import DataFolder, SourceError
from pipeline.training import JudgedText, TrainingTexts, judged_texts, training_texts
from pipeline.vectors import phrase_vectors, teacher_texts

Vectors = npt.NDArray[np.float32]

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache/embeddings"
CORPUS = [ROOT / "data/idioms/ru.jsonl", ROOT / "data/idioms/en.jsonl"]


class BuildError(Exception):
    """Artifacts that are not good enough to serve."""


def build(
    corpus: Sequence[Path],
    recipe: Recipe,
    data: DataFolder,
    out: Path,
    parallel: Sequence[Path] = (),
    device: str = "auto",
    cache: Path = CACHE,
) -> Artifacts:
    """Read, embed, select, approximate, index, evaluate, save; returns what was saved.

    Raises CorpusError, SourceError, TeacherError, BuildError or ArtifactsError; `out` is then as it was.
    """
    started = time.monotonic()
    phrases = read_corpus(corpus)
    training = training_texts(data, phrases, recipe, parallel)
    pairs = [pair for language in recipe.judged_languages for pair in data.sts(language, "train")]
    _say(f"{len(phrases):,} phrases, {len(training.texts):,} training texts")

    teacher = Teacher(recipe.teacher, recipe.pooling, device, recipe.max_tokens)
    embeddings = Embeddings.of(teacher, [*training.targets, *_sides(pairs), *_senses(phrases, recipe)], cache)
    judged = JudgedPairs(
        embeddings[[pair[0] for pair in pairs]],
        embeddings[[pair[1] for pair in pairs]],
        np.array([pair[2] for pair in pairs]),
    )
    _say("select dimensions")
    selection = select_dimensions(judged, recipe.most_dimensions, recipe.selection_tolerance)
    _say(f"approximate {len(selection.dimensions)} of {teacher.dimensions} dimensions")
    embeddings = embeddings.reduced(recipe.components, selection.dimensions)
    approximator = approximate(training, judged_texts(data), embeddings, recipe)

    _say("index")
    vectors = phrase_vectors(phrases, embeddings, approximator, recipe)
    artifacts = Artifacts(
        phrases=phrases,
        approximator=approximator,
        index=build_index(phrases, vectors, recipe),
        wording=WordingIndex.build(wording_texts(phrases)),
        ranking=recipe.ranking,
        manifest={
            "recipe": asdict(recipe),
            "teacher": {"name": teacher.name, "fingerprint": teacher.fingerprint, "dimensions": teacher.dimensions},
            "corpus": corpus_hash(phrases),
            "selected": selection.dimensions,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
        },
    )
    _say("evaluate")
    with tempfile.TemporaryDirectory() as report:
        plot_selection(selection, Path(report) / "selection.png")
        measured = measure(artifacts, data)
        write_report(measured, Path(report))
        seconds = round(time.monotonic() - started)
        artifacts.manifest = {
            **artifacts.manifest,
            "seconds": seconds,
            "measurements": [asdict(row) for row in measured],
        }
        artifacts.save(out, Path(report))
    _say(f"{out}: done in {seconds} s")
    return artifacts


def approximate(
    training: TrainingTexts, judged: Sequence[JudgedText], embeddings: Embeddings, recipe: Recipe
) -> Approximator:
    """Train the linear imitation of the teacher: regression first, then its refinement."""
    tokenizer = train_tokenizer(training.texts, recipe.vocabulary)
    stems = choose_stems(training.texts, recipe.stems, recipe.stem_lengths)
    features = WordFeatures(tokenizer, stems)
    counts = count_features(training.texts, features)
    if recipe.contamination:
        counts = contaminate(counts, recipe.contamination, recipe.seed)
    taught = Taught(counts, embeddings[training.targets], np.array(training.weights, np.float32))
    table = fit_table(counts, taught.targets, taught.weights, recipe.ridge)
    if recipe.epochs:
        first, second, scores = zip(*judged, strict=True)
        pairs = Judged(count_features(first, features), count_features(second, features), np.array(scores, np.float32))
        table = refine_table(table, taught, pairs, recipe)
    return quantise(table, tokenizer, stems)


def build_index(phrases: Sequence[Phrase], vectors: Vectors, recipe: Recipe) -> VectorIndex:
    """The Annoy index; raises BuildError when a phrase has no vector or too few neighbours are found."""
    lost = np.flatnonzero(np.linalg.norm(vectors, axis=1) < 0.5)
    if len(lost):
        phrase = phrases[int(lost[0])]
        raise BuildError(
            f"the teacher knows no word of the meaning of {phrase.text!r} ({phrase.meanings[0]!r}): "
            "give a meaning in a language that it was taught, or take a multilingual teacher"
        )
    index = VectorIndex.build(vectors, recipe.trees, recipe.search_k, recipe.seed)
    recall = index.recall(vectors[:: max(1, len(vectors) // 1000)])
    if recall < recipe.least_recall:
        raise BuildError(
            f"the index finds {recall:.3f} of the ten nearest, and {recipe.least_recall} is asked: "
            "raise search_k or trees in the recipe"
        )
    return index


def corpus_hash(phrases: Sequence[Phrase]) -> str:
    """Sha256 of all that the phrases say."""
    digest = hashlib.sha256()
    for phrase in phrases:
        digest.update(repr(phrase).encode())
    return digest.hexdigest()


def _sides(pairs: Sequence[JudgedText]) -> list[str]:
    return [side for first, second, _ in pairs for side in (first, second)]


def _senses(phrases: Sequence[Phrase], recipe: Recipe) -> list[str]:
    return [sense for phrase in phrases for sense in teacher_texts(phrase, recipe.multilingual)]


def _say(what: str) -> None:
    print(f"[{time.strftime('%H:%M:%S')}] {what}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        recipe = load_recipe(options.recipe)
        if options.teacher:
            recipe = replace(recipe, teacher=options.teacher)
        data = DataFolder(extra=options.data)
        build(options.corpus, recipe, data, options.out, options.parallel, options.device, options.cache)
    except (CorpusError, RecipeError, SourceError, TeacherError, BuildError, ArtifactsError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; embeddings made so far are kept, and the next build goes on from them", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pipeline.build", description=__doc__)
    parser.add_argument("--corpus", nargs="+", type=Path, default=CORPUS, metavar="FILE", help="phrases to serve")
    parser.add_argument("--teacher", metavar="ID_OR_DIR", help="encoder: a name on the Hub or a folder")
    recipes = f"{', '.join(RECIPES)}, or a TOML file"
    parser.add_argument("--recipe", default="default", metavar="NAME_OR_FILE", help=recipes)
    pairs = "pairs of a text of the teacher's language and its translation, with a tab between"
    parser.add_argument("--parallel", nargs="+", type=Path, default=[], metavar="FILE", help=pairs)
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder that holds the training sets")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--out", type=Path, default=ROOT / "artifacts", metavar="DIR")
    parser.add_argument("--cache", type=Path, default=CACHE, metavar="DIR", help="where embeddings are kept")
    return parser


if __name__ == "__main__":
    sys.exit(main())
