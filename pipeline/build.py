"""Build the artifacts: `python -m pipeline.build`."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from bot.search.artifacts import REPORT, Artifacts, ArtifactsError
from bot.search.folder import replaceable
from bot.search.phrases import Phrase
from pipeline.data.corpus import CorpusError, read_corpus
from pipeline.data.queries import own_queries, tuning_queries
from pipeline.data.sources import DataFolder, SourceError
from pipeline.evaluation.tasks import measure, write_quick_report
from pipeline.index.assemble import assemble
from pipeline.index.readings import load_reader
from pipeline.index.vocabulary import inflected, vocabulary
from pipeline.recipe import RECIPES, Recipe, RecipeError, load_recipe
from pipeline.train.dimensions import plot_selection
from pipeline.train.encoder import export
from pipeline.train.learn import BuildError, Learned, learn, learned_by, say, say_refused
from pipeline.train.reader import train_reader, tune_reader
from pipeline.train.teacher import Teacher, TeacherError
from pipeline.train.texts import TrainingTexts, training_texts
from pipeline.train.tuning import tuned_teacher

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache/embeddings"
# Files of a report that a build does not write: they stay, though what they tell is of another run.
_OF_OTHERS = ("lab*", "ablation.json", "timings.json", "selection.png")
_TRAINED = "train", "tune"  # Ways to a reader that need a teacher and texts.
CORPUS = [ROOT / "data/idioms/ru.jsonl", ROOT / "data/idioms/en.jsonl"]


def build(
    corpus: Sequence[Path],
    recipe: Recipe,
    data: DataFolder,
    out: Path,
    parallel: Sequence[Path] = (),
    device: str = "auto",
    cache: Path = CACHE,
    reuse: Artifacts | None = None,
    reader: str = "",
    queries: Sequence[Path] = (),
) -> Artifacts:
    """Read, embed, select, approximate, index, evaluate, save; returns what was saved.

    With `reuse`, other artifacts that are loaded with scenes, their approximator and reader are taken, and what the
    reader makes of the phrases that are there already; unless a reader is trained, no teacher and no training text is
    needed. `reader` is "train", "tune" (the reused one is trained on), "none", or the folder of a trained one; ""
    trains one unless it is reused. The weights of the search are fitted to the repository's tuning queries and those of
    the files `queries`.
    Raises CorpusError, SourceError, TeacherError, BuildError or ArtifactsError; `out` is then as it was.
    """
    replaceable(out)  # now rather than after hours
    started = time.monotonic()
    phrases = read_corpus(corpus)
    say(f"{len(phrases):,} phrases")
    asked = [*tuning_queries(), *(row for path in queries for row in own_queries(path, phrases))]
    wanted = reader or ("" if reuse else "train")
    training = None
    if reuse:
        _check_teacher(recipe, reuse)
    if wanted == "tune" and not (reuse and reuse.reader):
        raise BuildError("--reader tune: name artifacts that have a reader with --reuse")
    if reuse is None or wanted in _TRAINED:
        training = training_texts(data, phrases, recipe, parallel)  # before the teacher: a missing set is found at once
    if training:
        teacher = Teacher(recipe.teacher, recipe.pooling, device, recipe.max_tokens)
        learned = _taught(teacher, training, phrases, data, recipe, cache, reuse, wanted)
    else:
        assert reuse
        learned = learned_by(reuse)
    if wanted not in ("", *_TRAINED):
        learned = replace(learned, reader=None if wanted == "none" else load_reader(Path(wanted)))
    say("index")
    artifacts = assemble(phrases, learned, recipe, cache, asked, reuse)
    say("evaluate")
    with tempfile.TemporaryDirectory() as report:
        if learned.selection:
            plot_selection(learned.selection, Path(report) / "selection.png")
        measured = measure(artifacts, data)
        write_quick_report(measured, Path(report))
        for path in (path for name in _OF_OTHERS for path in (out / REPORT).glob(name)):
            if not (Path(report) / path.name).exists():
                shutil.copy(path, report)
        seconds = round(time.monotonic() - started)
        measurements = {"seconds": seconds, "measurements": [asdict(row) for row in measured]}
        artifacts.manifest = {**artifacts.manifest, **measurements}
        artifacts.save(out, Path(report))
    say(f"{out}: done in {seconds} s")
    return artifacts


def _check_teacher(recipe: Recipe, reuse: Artifacts) -> None:
    """Raise BuildError when other artifacts learned from another teacher than the recipe names."""
    known = reuse.manifest.get("recipe", {})
    for name in ("teacher", "pooling", "max_tokens", "multilingual"):
        wanted = getattr(recipe, name)
        if known.get(name, wanted) != wanted:
            raise BuildError(
                f"the artifacts to reuse have {name} = {known[name]!r} in their recipe, this build has {wanted!r}: "
                "take the same teacher, or build without --reuse"
            )


def _taught(
    teacher: Teacher,
    training: TrainingTexts,
    phrases: Sequence[Phrase],
    data: DataFolder,
    recipe: Recipe,
    cache: Path,
    reuse: Artifacts | None,
    reader: str,
) -> Learned:
    """The approximator, unless other artifacts have it, and the reader where it is to be trained."""
    learned = learned_by(reuse) if reuse else None
    if reader == "tune":
        assert learned and learned.reader
        say("train the reader on")
        try:
            student = tune_reader(learned.reader, teacher, training, phrases, data, recipe, cache)
        except ValueError as error:
            raise BuildError(f"--reader tune: {error}") from error
        return replace(learned, reader=export(student, cache / "reader"))
    say("tune the teacher on scenes")
    teacher = tuned_teacher(teacher, phrases, data, recipe, cache)
    if learned is None:
        known = inflected(vocabulary(training.texts, phrases, data), data)
        learned = learn(teacher, training, known, phrases, data, recipe, cache)
    if reader == "train":
        say("train the reader")
        student = train_reader(teacher, training, phrases, data, recipe, cache)
        learned = replace(learned, reader=export(student, cache / "reader"))
    return learned


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        recipe = load_recipe(options.recipe)
        if options.teacher:
            recipe = replace(recipe, teacher=options.teacher)
        data = DataFolder(extra=options.data)
        reuse = Artifacts.load(options.reuse, scenes=True) if options.reuse else None
        build(
            options.corpus,
            recipe,
            data,
            options.out,
            options.parallel,
            options.device,
            options.cache,
            reuse,
            options.reader,
            options.queries,
        )
    except (CorpusError, RecipeError, SourceError, TeacherError, BuildError, ArtifactsError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        say_refused(error)
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
    reused = "artifacts whose approximator and reader are taken, so that no teacher and no training text is needed"
    parser.add_argument("--reuse", type=Path, metavar="DIR", help=reused)
    read = "the sentence transformer beside the table: train, tune the reused one, none, or the folder of a trained one"
    parser.add_argument("--reader", default="", metavar="DIR", help=read)
    own = 'queries of your own, {"query": ..., "gold": ...} in each line, to fit the weights of the search to'
    parser.add_argument("--queries", nargs="+", type=Path, default=[], metavar="FILE", help=own)
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder that holds the training sets")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "artifacts", metavar="DIR", help="an artifacts folder to replace"
    )
    parser.add_argument("--cache", type=Path, default=CACHE, metavar="DIR", help="where embeddings are kept")
    return parser


if __name__ == "__main__":
    sys.exit(main())
