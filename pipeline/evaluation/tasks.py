"""What is measured: the tasks of every build, and those of a whole evaluation."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tqdm import tqdm

from bot.search.artifacts import Artifacts
from pipeline.data.sources import DataFolder, SourceError
from pipeline.evaluation import dictionary, rejection, retrieval, robustness, sentences, typed
from pipeline.evaluation.context import EvaluationContext
from pipeline.evaluation.metrics import Figures, Measurement
from pipeline.evaluation.report import write_report
from pipeline.train.teacher import TeacherError

Part = Callable[[EvaluationContext], Figures]

# What every build measures.
QUICK: list[Part] = [
    sentences.sentence_pairs,
    retrieval.queries,
    retrieval.both_languages,
    robustness.own_text,
    rejection.off_topic,
    typed.polarity,
    typed.rebuses,
    sentences.translations,
    sentences.other_halves,
    retrieval.index_recall,
]
# What takes longer, or needs the teacher.
MORE: list[Part] = [
    sentences.dimensions,
    robustness.mistyped,
    robustness.mistyped_by_people,
    robustness.misremembered,
    robustness.counterparts,
    robustness.parts,
    robustness.false_corrections,
    retrieval.definitions,
    retrieval.own_definitions,
    dictionary.reverse_dictionary,
    sentences.russian_paraphrases,
    sentences.english_paraphrases,
    sentences.questions,
]


def measure(artifacts: Artifacts, data: DataFolder) -> list[Measurement]:
    """What every build measures: the engine alone, on the sets that this machine has."""
    return run(EvaluationContext(artifacts, data, alone=True), QUICK)


def write_quick_report(measured: Sequence[Measurement], folder: Path) -> None:
    """Save what a build measured into a folder."""
    about = "What the build measured; `python -m pipeline.evaluate` measures more."
    write_report(measured, folder, {"about": about})


def run(context: EvaluationContext, parts: Sequence[Part]) -> list[Measurement]:
    """All figures; parts whose set or teacher is missing are left out, as `context` and stderr say."""
    measured: list[Measurement] = []
    for part in tqdm(parts, desc="evaluate", unit=" parts"):
        try:
            measured += list(part(context))
        except (SourceError, TeacherError) as error:
            context.left_out[str(error)] = None
    for reason in context.left_out:
        print(f"left out: {reason}", file=sys.stderr)
    return measured
