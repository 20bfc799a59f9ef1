"""Which pieces translate each other, learned from translated sentences: IBM model 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

Ids = Sequence[int]

_ROUNDS = 5  # of expectation and maximisation


def translation_probabilities(
    sources: Sequence[Ids], targets: Sequence[Ids], source_pieces: int, target_pieces: int
) -> sparse.csr_matrix:
    """The probability of each target piece given a source piece, shape (source pieces, target pieces).

    Sentence i of `sources` is a translation of sentence i of `targets`, both as numbers of pieces. Rows of pieces that
    no source sentence has are empty. Brown, Della Pietra, Della Pietra and Mercer 1993.
    """
    source, target, places = _links(sources, targets)
    pairs, pair_of = np.unique(source * target_pieces + target, return_inverse=True)
    source_of, target_of = np.divmod(pairs, target_pieces)
    probability = np.ones(len(pairs))
    for _ in range(_ROUNDS):
        likely = probability[pair_of]
        expected = np.bincount(pair_of, likely / np.bincount(places, likely)[places], len(pairs))
        probability = expected / np.bincount(source_of, expected, source_pieces)[source_of]
    return sparse.csr_matrix((probability, (source_of, target_of)), shape=(source_pieces, target_pieces))


def _links(sources: Sequence[Ids], targets: Sequence[Ids]) -> tuple[npt.NDArray[np.int64], ...]:
    """Every source piece with every target piece of its sentence, and the number of the target piece's place."""
    lengths = np.array(list(map(len, sources))), np.array(list(map(len, targets)))
    flat_source, flat_target = np.concatenate([*map(np.array, sources)]), np.concatenate([*map(np.array, targets)])
    starts = np.concatenate([[0], np.cumsum(lengths[0])[:-1]])
    # A target place of sentence i is linked with each of the sentence's source places.
    sentence = np.repeat(np.arange(len(targets)), lengths[1])
    links = lengths[0][sentence]
    places = np.repeat(np.arange(len(flat_target)), links)
    within = np.arange(len(places)) - np.repeat(np.concatenate([[0], np.cumsum(links)[:-1]]), links)
    source = flat_source[starts[sentence[places]] + within]
    return source.astype(np.int64), flat_target[places].astype(np.int64), places
