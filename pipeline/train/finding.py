"""The reader's last lesson: to find the phrase that a text asks for among all phrases of the collection.

Every batch is compared with what the reader makes of all phrases, so that the nearest wrong answers and the phrases
that say the contrary are always among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from bot.search.phrases import Phrase, Role, phrase_key, texts_of
from bot.search.text import words
from pipeline.data.sources import Contrast, folded
from pipeline.recipe import Recipe
from pipeline.train.encoder import SentenceEncoder
from pipeline.train.steps import POOL, TEMPERATURE, Loss, both_ways

Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_ASKS: dict[Role, float] = {"scene": 8, "meaning": 2, "translation": 2, "example": 1, "phrase": 1}
"""How often a text of a role is taken for a query, relative to the others of its phrase."""
_MARGIN = 2.0  # How much nearer the phrase is to be than its opposite, in units of the temperature.
_CONTRARY = 2.0  # Weight of that.
_NEIGHBOURS = 4  # Translations that begin or end alike are learned together, so many.


class PhraseVectors(torch.nn.Module):
    """What an encoder makes of phrases while it learns: as in the bot, the weighted sum of their texts' vectors.

    A text's vector is renewed whenever the encoder reads it; Wu, Xiong, Yu and Lin 2018 call that a memory bank.
    """

    vectors: torch.Tensor
    """Of each text, shape (texts, dimensions)."""
    sums: torch.Tensor
    """Of each phrase, shape (phrases, dimensions)."""

    def __init__(self, phrases: Sequence[Phrase], dimensions: int, recipe: Recipe) -> None:
        super().__init__()
        self.texts: list[str] = []
        rows, weights, chances = list[int](), list[float](), list[float]()
        for row, phrase in enumerate(phrases):
            for role, _, text in texts_of(phrase):
                weight = recipe.read_weights[role]
                if weight or role == "meaning":  # which tells how alike phrases are, whatever it weighs
                    self.texts.append(text)
                    rows.append(row)
                    weights.append(weight / (len(phrase.meanings) if role == "meaning" else 1))
                    chances.append(_ASKS.get(role, 0.0))
        self.rows: Rows = np.array(rows, np.int64)
        """The phrase of each text."""
        self.weights = torch.tensor(weights)
        chances_of = np.array(chances) * (np.bincount(self.rows)[self.rows] > 1)  # one alone has nothing to find
        self._until = np.cumsum(chances_of)
        """Of each text, the chances up to and including its own; the texts of a phrase stand together."""
        self.register_buffer("vectors", torch.zeros(len(rows), dimensions, dtype=torch.float16))
        self.register_buffer("sums", torch.zeros(len(phrases), dimensions))

    def fill(self, encoder: SentenceEncoder) -> None:
        """Read every text, unless that was done."""
        if not self.sums.any():
            self.renew(np.arange(len(self.texts)), torch.from_numpy(encoder.embed(self.texts)))

    def renew(self, numbers: Rows, read: torch.Tensor) -> None:
        """Put newer vectors, shape (len(numbers), dimensions), in the place of older ones."""
        newer = read.to(self.vectors)
        gained = (newer.float() - self.vectors[numbers].float()) * self._weights(numbers)
        self.sums.index_add_(0, torch.from_numpy(self.rows[numbers]).to(self.sums.device), gained)
        self.vectors[numbers] = newer

    def cosines(self, read: torch.Tensor, numbers: Rows) -> torch.Tensor:
        """Of texts, just read, with all phrases, shape (texts, phrases).

        The first are those with `numbers`: the phrase of each is taken without it. Others are of no phrase.
        """
        own = torch.from_numpy(self.rows[numbers]).to(read.device)
        others = self.sums[own] - self.vectors[numbers].float() * self._weights(numbers)
        cosines = read @ functional.normalize(self.sums, dim=1).T
        with_own = (read[: len(own)] * functional.normalize(others, dim=1)).sum(dim=1)
        return cosines.scatter(1, own[:, None], with_own[:, None])

    def drawn(self, count: int, rng: np.random.Generator, opposed: Flags) -> Rows:
        """Numbers of texts, one of each of as many phrases: half of them of `opposed` ones, where both are enough."""
        last = np.append(np.flatnonzero(np.diff(self.rows)), len(self.rows) - 1)
        ends = self._until[last]
        starts = np.append(0, ends[:-1])
        asked = rng.permutation(np.flatnonzero(ends > starts))
        of_opposed = opposed[self.rows[last[asked]]]
        some, more = np.split(asked[of_opposed], [count // 2])
        chosen = np.concatenate([some, asked[~of_opposed], more])[:count]
        at = starts[chosen] + rng.random(len(chosen)) * (ends - starts)[chosen]
        numbers: Rows = np.minimum(np.searchsorted(self._until, at, side="right"), last[chosen])
        return numbers

    def _weights(self, numbers: Rows) -> torch.Tensor:
        return self.weights[numbers, None].to(self.sums.device)


def finding_loss(
    student: SentenceEncoder, phrases: Sequence[Phrase], contrasts: Sequence[Contrast], recipe: Recipe
) -> tuple[Loss, PhraseVectors]:
    """The loss of a step, and what it remembers: texts must find their phrases, and never the contrary of them.

    A phrase that means nearly the same, or is its counterpart in another language, is no wrong answer. A share of
    every batch are pairs of sentences that differ in what makes one of two contrary phrases right (Kaushik, Hovy and
    Lipton 2020, "Learning the difference that makes a difference with counterfactually-augmented data"). Those need
    not find their phrase among all, for many a phrase may be meant by "not greedy": they must only be nearer to it.
    """
    known = PhraseVectors(phrases, student.table.shape[1], recipe).to(student.device)
    row_of = {phrase.key: row for row, phrase in enumerate(phrases)}
    counterparts = _linked(
        phrases, row_of, [[(code, text) for code, of in one.equivalents.items() for text in of] for one in phrases]
    )
    opposites = contraries(
        _linked(phrases, row_of, [[(one.language, text) for text in one.opposites] for one in phrases]), counterparts
    )
    opposed = np.array([bool(others) for others in opposites])
    asking = _sides(contrasts, row_of)
    pairs_in_step = min(len(asking), recipe.contrast_batch, recipe.reader_batch // 4)
    number_of = {(row, text): number for number, (row, text) in enumerate(zip(known.rows, known.texts, strict=True))}
    meanings = torch.tensor([number_of[row, one.meanings[0]] for row, one in enumerate(phrases)])

    def loss(step: int) -> torch.Tensor:
        known.fill(student)
        rng = np.random.default_rng([recipe.seed, 2, step])
        numbers = known.drawn(recipe.reader_batch - 2 * pairs_in_step, rng, opposed)
        texts = [known.texts[number] for number in numbers]
        # Without a "not" a text may say the contrary, so those of phrases that have one are left whole.
        kept = opposed[known.rows[numbers]]
        asked = [
            text if all_of_it else with_words_dropped(text, rng) for text, all_of_it in zip(texts, kept, strict=True)
        ]
        sides = [side for pair in rng.permutation(len(asking))[:pairs_in_step] for side in asking[pair]]
        read = student.encode([*asked, *(text for text, _ in sides)])
        rows = np.append(known.rows[numbers], np.array([row for _, row in sides], np.int64))
        cosines = known.cosines(read, numbers)
        told = known.vectors[meanings].float()
        alike = told[rows] @ told.T > recipe.alike_from
        contrary = _places(rows, opposites)
        alike[_places(rows, counterparts)] = True
        alike[contrary] = False
        own = np.arange(len(rows)), rows
        alike[own] = False
        finding = (cosines / TEMPERATURE).masked_fill(alike, -torch.inf)[: len(numbers)]
        found = functional.cross_entropy(finding, torch.from_numpy(rows[: len(numbers)]).to(cosines.device))
        if len(contrary[0]):
            gaps = (cosines[contrary] - cosines[own][contrary[0]]) / TEMPERATURE
            found = found + _CONTRARY * functional.softplus(gaps + _MARGIN).mean()
        whole = np.array([text == other for text, other in zip(texts, asked, strict=True)])
        known.renew(numbers[whole], read.detach()[: len(numbers)][whole])
        return found

    return loss, known


def translations_loss(
    student: SentenceEncoder, pairs: Sequence[tuple[str, str]], weights: Sequence[float], recipe: Recipe
) -> Loss:
    """Translations must find each other; a pair is drawn as often as it weighs, and its neighbours come with it.

    Those are the next ones by the alphabet of their first letters, or of their last: what begins or ends alike is
    easily mistaken for each other, and among texts by chance little is. Where either side of two pairs is the same but
    for its punctuation, either is right for both.
    """
    lengths = np.array([len(text) for text, _ in pairs])
    chances = np.array(weights) / np.sum(weights)
    together = min(_NEIGHBOURS, len(pairs))
    keys = [target for _, target in pairs], [target[::-1] for _, target in pairs]
    orders = [np.array(sorted(range(len(pairs)), key=key.__getitem__)) for key in keys]
    places = [np.argsort(order) for order in orders]
    numbers = [np.unique([folded(pair[side]) for pair in pairs], return_inverse=True)[1] for side in (0, 1)]

    def loss(step: int) -> torch.Tensor:
        pool, number = divmod(step, POOL)
        rng = np.random.default_rng([recipe.seed, 3, pool])
        drawn = rng.choice(len(pairs), max(POOL, POOL * recipe.reader_batch // together), p=chances)
        starts = np.minimum(places[pool % 2][drawn], len(pairs) - together)
        neighbours = orders[pool % 2][starts[:, None] + np.arange(together)]
        by_length = neighbours[np.argsort(lengths[neighbours].max(axis=1), kind="stable")]
        rows = np.array_split(by_length, POOL)[rng.permutation(POOL)[number]].ravel()
        texts, targets = zip(*(pairs[row] for row in rows), strict=True)
        alike = np.logical_or(*(of[rows][:, None] == of[rows] for of in numbers))
        return both_ways(student.encode(texts), student.encode(targets), torch.from_numpy(alike))

    return loss


def with_words_dropped(text: str, rng: np.random.Generator) -> str:
    """Half of the texts as they are, the others without every eighth word or so, and without punctuation."""
    if rng.random() < 0.5:
        return text
    kept = [word for word in words(text) if rng.random() > 0.12]
    return " ".join(kept) or text


def _sides(contrasts: Sequence[Contrast], row_of: dict[str, int]) -> list[list[tuple[str, int]]]:
    """Of each contrast whose phrases are here, both sentences with the row of the phrase that each asks for."""
    keyed = [
        [(text, phrase_key(one.language, phrase)) for text, phrase in zip(one.texts, one.phrases, strict=True)]
        for one in contrasts
    ]
    return [[(text, row_of[key]) for text, key in pair] for pair in keyed if all(key in row_of for _, key in pair)]


def _linked(
    phrases: Sequence[Phrase], row_of: dict[str, int], named: Sequence[Sequence[tuple[str, str]]]
) -> list[list[int]]:
    """Of each phrase, the rows of those that it names, by language and text, and of those that name it."""
    linked: list[dict[int, None]] = [{} for _ in phrases]
    for row, texts in enumerate(named):
        for language, text in texts:
            other = row_of.get(phrase_key(language, text))
            if other is not None and other != row:
                linked[row][other] = linked[other][row] = None
    return [list(others) for others in linked]


def contraries(opposites: Sequence[Sequence[int]], counterparts: Sequence[Sequence[int]]) -> list[list[int]]:
    """Of each phrase, its opposites, their counterparts in another language, and the opposites of its counterparts.

    All are rows of phrases, for each phrase in turn; what is also a counterpart of the phrase is left out.
    """
    found = []
    for row, of_row in enumerate(opposites):
        said = dict.fromkeys(of_row)
        said |= dict.fromkeys(other for opposite in of_row for other in counterparts[opposite])
        said |= dict.fromkeys(other for counterpart in counterparts[row] for other in opposites[counterpart])
        found.append([other for other in said if other != row and other not in counterparts[row]])
    return found


def _places(rows: Rows, linked: Sequence[Sequence[int]]) -> tuple[Rows, Rows]:
    """Where a matrix with a line for each of `rows` has what is linked with it: numbers of lines, and of columns."""
    places = [(line, other) for line, row in enumerate(rows) for other in linked[row]]
    return cast(tuple[Rows, Rows], tuple(np.array(places, np.int64).reshape(-1, 2).T))
