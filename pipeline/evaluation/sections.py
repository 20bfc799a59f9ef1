"""What the report measures, in its order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pipeline.evaluation import dictionary, paraphrases, retrieval, robustness, similarity
from pipeline.evaluation import rejection as honesty
from pipeline.evaluation.context import Subject
from pipeline.evaluation.metrics import Data, Measurement, mean_of

Part = Callable[[Subject], Iterator[Measurement]]


@dataclass(frozen=True)
class Section:
    """What belongs together in the report."""

    title: str
    note: str
    parts: tuple[Part, ...]
    """What every build measures."""
    more: tuple[Part, ...] = ()
    """What takes longer, or needs the teacher or other systems."""


def index_recall(subject: Subject) -> Iterator[Measurement]:
    """What Annoy finds of the exact ten nearest."""
    index = subject.artifacts.index
    asked = index.vectors[:: max(1, len(index.vectors) // 1000)]
    found = [index.recall(asked)]
    yield mean_of("recall@10 of the index", found, Data("phrases as queries", "in the index"))


SECTIONS = [
    Section(
        "Likeness of sentences",
        "Cosine of sentence pairs against what people judged, 0 to 5. The teacher stands only where it reads the "
        "language; an English one reads no Russian. Other systems count document frequencies on the pairs themselves; "
        "the word vectors are latent semantic analysis of the dictionaries and translations in this repository.",
        (similarity.sentence_pairs,),
        (similarity.teacher_pairs,),
    ),
    Section(
        "How many dimensions",
        "The teacher cut down to its best dimensions, in the order that the Lasso gave them on the training pairs.",
        (),
        (similarity.dimensions,),
    ),
    Section(
        "Queries as people write them",
        "Every system sees the same texts of an idiom: itself, its meanings in both languages, its example and its "
        "scenes, which are what others wrote who looked for it. A query that the engine refuses counts as not found.",
        (retrieval.queries,),
        (retrieval.teacher_queries,),
    ),
    Section(
        "The same over Russian and English idioms together",
        "Right is also an idiom of the other language that a person named as an equivalent of a right one.",
        (retrieval.both_languages,),
    ),
    Section(
        "Mistyped queries",
        "Over the Russian idioms. *Share kept* is R@10 of the mistyped queries divided by R@10 of the clean ones.",
        (),
        (robustness.mistyped, robustness.mistyped_by_people),
    ),
    Section(
        "Dictionary definitions",
        "WordNet's definitions are other people's words for the same idiom; the training texts had them, but nothing "
        "tied them to the idioms. The idiom's own definition is what its vector is made of, so that figure checks the "
        "index and proves no understanding.",
        (),
        (retrieval.definitions, retrieval.own_definitions),
    ),
    Section(
        "The idiom's own text",
        "Half remembered or mistyped.",
        (robustness.own_text,),
        (robustness.misremembered,),
    ),
    Section(
        "Nothing close",
        "Lines that no idiom fits, and real queries; the confidence was fitted to others of both kinds. Brier score "
        "and calibration error see it as the probability that a query has an idiom when half of all queries have one: "
        "both kinds are weighed alike.",
        (honesty.off_topic,),
    ),
    Section("Repair of what is correct", "None of these should be changed.", (), (robustness.needless,)),
    Section(
        "Reverse dictionary",
        "A person's description of a word must find it among the words of its set, which become a collection like that "
        "of the idioms: each known by its WordNet definitions, no number chosen on these sets.",
        (),
        (dictionary.reverse_dictionary,),
    ),
    Section("Translations", "Each sentence must find its translation among all.", (paraphrases.translations,)),
    Section(
        "Paraphrases",
        "Is a pair a paraphrase? The threshold is the most often right one of the training part.",
        (),
        (paraphrases.russian_paraphrases, paraphrases.english_paraphrases, paraphrases.teacher_paraphrases),
    ),
    Section(
        "The other half of a pair",
        "Each text must find the one that means the same, among all such halves.",
        (paraphrases.other_halves,),
        (paraphrases.questions,),
    ),
    Section("The index", "Annoy against looking at every vector.", (index_recall,)),
]
