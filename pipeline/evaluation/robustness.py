"""What mistyping costs, and whether correct texts are left alone."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice

import numpy as np

from bot.search.phrases import Phrase
from pipeline.data.sources import DATA
from pipeline.evaluation import noise
from pipeline.evaluation.context import Subject
from pipeline.evaluation.metrics import SERVED, Data, Measurement, bootstrap, mean_of, success
from pipeline.evaluation.retrieval import DEV, dev_queries, served
from pipeline.index.vocabulary import kept_apart

NOISY = DATA / "queries/dev_noisy.jsonl"

_SEED = 2021
_ORDINARY = 5000  # Sentences of each language that must not be repaired.
_ENDINGS = {"ru": ("а", "у", "ом", "е", "ы", "ами"), "en": ("s", "ed", "ing")}

Change = Callable[[str], str]


def mistyped(subject: Subject) -> Iterator[Measurement]:
    """The dev queries mistyped by a program: what is found, and how much that is of what the clean ones find."""
    asked = dev_queries(subject)
    dice = random.Random(_SEED)
    changes: dict[str, tuple[tuple[str, ...], Change]] = {
        "typos": (("ru", "en"), lambda text: noise.typo(text, dice)),
        "wrong layout": (("ru", "en"), noise.layout),
        "Latin letters": (("ru",), lambda text: noise.translit(text, dice)),
    }
    for name, (languages, change) in changes.items():
        for language in languages:
            pairs = [(query.texts[language], change(query.texts[language])) for query in asked]
            data = Data(f"{DEV}, {language}, mistyped", "dev")
            yield from _kept(subject, pairs, [query.right for query in asked], name, data)


def mistyped_by_people(subject: Subject) -> Iterator[Measurement]:
    """Noisy versions of some dev queries, written by hand."""
    asked = {query.number: query for query in dev_queries(subject)}
    rows = [json.loads(line) for line in NOISY.read_text(encoding="utf-8").splitlines()]
    for name, group in groupby(rows, lambda row: row["type"]):
        some = [(asked[row["id"]], row["query"]) for row in group]
        pairs = [(query.texts["ru"], text) for query, text in some]
        data = Data("noisy queries by hand, ru", "dev")
        yield from _kept(subject, pairs, [query.right for query, _ in some], name, data)


def _kept(
    subject: Subject, pairs: Sequence[tuple[str, str]], right: Sequence[frozenset[str]], name: str, data: Data
) -> Iterator[Measurement]:
    search = served(subject, ("ru",))
    clean, noisy = (
        np.array(
            [success([key in keys for key in search(pair[side])], 10) for pair, keys in zip(pairs, right, strict=True)]
        )
        for side in (0, 1)
    )
    yield mean_of(f"R@10, {name}", noisy, data)
    if not clean.any():
        return
    interval = bootstrap(lambda rows: float(noisy[rows].sum() / max(1.0, clean[rows].sum())), len(clean))
    yield Measurement(f"share kept, {name}", float(noisy.sum() / clean.sum()), *data, len(clean), SERVED, *interval)


def own_text(subject: Subject) -> Iterator[Measurement]:
    """Whether an idiom's own text finds it, as it stands and with one typo."""
    dice = random.Random(_SEED)
    yield _finds(subject, "own text finds it first", lambda phrase: phrase.text, 1)
    yield _finds(subject, "with one typo, in the top 3", lambda phrase: with_typo(phrase.text, dice), 3)


def misremembered(subject: Subject) -> Iterator[Measurement]:
    """Whether a changed text finds its idiom among the first three."""
    dice = random.Random(_SEED)
    changes: dict[str, Callable[[Phrase], str]] = {
        "another order of words": lambda phrase: other_order(phrase.text, dice),
        "capital letters": lambda phrase: phrase.text.upper(),
        "another ending of a word": lambda phrase: other_ending(phrase, dice),
    }
    for name, change in changes.items():
        yield _finds(subject, f"with {name}, in the top 3", change, 3)


def _finds(subject: Subject, figure: str, change: Callable[[Phrase], str], count: int) -> Measurement:
    found = [
        any(match.phrase.key == phrase.key for match in subject.engine.search(change(phrase), count))
        for phrase in subject.engine.phrases
    ]
    return mean_of(figure, found, Data("all phrases", "in the index"))


def with_typo(text: str, dice: random.Random) -> str:
    """One letter dropped, doubled, replaced by another of the text, or swapped with the next."""
    places = [place for place, letter in enumerate(text) if letter.isalpha()]
    place = dice.choice(places)
    before, letter, after = text[:place], text[place], text[place + 1 :]
    other = text[dice.choice(places)]
    spellings = ["", letter * 2, other, after[:1] + letter]
    kind = dice.randrange(len(spellings))
    return before + spellings[kind] + (after[1:] if kind == 3 else after)


def other_order(text: str, dice: random.Random) -> str:
    """The words shuffled."""
    return " ".join(dice.sample(text.split(), len(text.split())))


def other_ending(phrase: Phrase, dice: random.Random) -> str:
    """One of the longest words with an ending that another form of it might have."""
    words = phrase.text.split()
    place = max(range(len(words)), key=lambda place: len(words[place]))
    stem = words[place].rstrip("аеёиоуыэюяйь" if phrase.language == "ru" else "esd")
    ending = dice.choice(_ENDINGS.get(phrase.language, ("",)))
    return " ".join([*words[:place], (stem or words[place]) + ending, *words[place + 1 :]])


def needless(subject: Subject) -> Iterator[Measurement]:
    """Correct texts that are changed before the search: none should be."""
    for language in ("ru", "en"):
        texts = [query.texts[language] for query in dev_queries(subject)]
        yield _repaired(subject, texts, Data(f"{DEV}, {language}", "dev"))
        name = {"ru": "tatoeba_rus", "en": "tatoeba_eng"}[language]
        sentences = islice((text for text in subject.data.texts(name) if kept_apart(text)), _ORDINARY)
        yield _repaired(subject, list(sentences), Data(f"everyday sentences, {language}", "held out"))


def _repaired(subject: Subject, texts: Sequence[str], data: Data) -> Measurement:
    return mean_of("repaired though correct", [subject.engine.answer(text, 1).repaired for text in texts], data)
