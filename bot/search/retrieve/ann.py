"""Nearest phrases by meaning: Annoy proposes candidates, exact cosines order them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from annoy import AnnoyIndex

Vector = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

EXACT_UP_TO = 20_000
"""Rows up to which looking at every vector is faster than Annoy at a recall of 0.99, measured by pipeline.bench."""


class AnnIndex:
    """Unit vectors and the Annoy forest over them."""

    def __init__(self, vectors: Vector, search_k: int, open_forest: Callable[[], AnnoyIndex]) -> None:
        """`vectors` has shape (rows, dimensions); Annoy inspects `search_k` nodes for a query."""
        self.vectors, self.search_k, self._open_forest = vectors, search_k, open_forest

    @cached_property
    def forest(self) -> AnnoyIndex:
        """Opened when first needed: a small index answers from its vectors alone."""
        return self._open_forest()

    @property
    def small(self) -> bool:
        """Whether looking at every vector is the faster way."""
        return len(self.vectors) <= EXACT_UP_TO

    @classmethod
    def build(cls, vectors: Vector, trees: int, search_k: int, seed: int) -> AnnIndex:
        """The same vectors and seed give the same forest, because one thread builds it.

        Raises ValueError for NaN or zero vectors, which Annoy would accept and answer nonsense for.
        """
        norms = np.linalg.norm(vectors, axis=1)
        if not np.allclose(norms, 1, atol=1e-2):
            raise ValueError(f"row {int(np.argmax(np.abs(norms - 1)))} is not a unit vector")
        forest = AnnoyIndex(vectors.shape[1], "angular")
        forest.set_seed(seed)
        for row, vector in enumerate(vectors):
            forest.add_item(row, vector)
        forest.build(trees, n_jobs=1)
        return cls(vectors, search_k, lambda: forest)

    def save(self, path: Path) -> None:
        """Write the forest, which holds the vectors too."""
        if not self.forest.save(str(path)):
            raise OSError(f"Annoy could not write {path}")

    @classmethod
    def load(cls, path: Path, dimensions: int, rows: int, search_k: int) -> AnnIndex:
        """Read a saved forest's vectors; raises OSError when it is not one of `rows` vectors."""
        forest = _mapped(path, dimensions)
        if forest.get_n_items() != rows:
            raise OSError(f"{path} holds {forest.get_n_items()} vectors instead of {rows}")
        vectors = np.empty((rows, dimensions), np.float32)
        for row in range(rows):
            vectors[row] = forest.get_item_vector(row)
        if rows > EXACT_UP_TO:
            return cls(vectors, search_k, lambda: forest)
        return cls(vectors, search_k, lambda: _mapped(path, dimensions))

    def nearest(self, vector: Vector, count: int) -> tuple[Rows, Vector]:
        """At most `count` rows by falling cosine with those cosines: the best of what Annoy proposes."""
        rows = np.array(self.forest.get_nns_by_vector(vector, count, self.search_k), np.int64)
        return _ranked(rows, self.vectors[rows] @ vector, count)

    def cosines(self, vector: Vector, also: Rows, count: int) -> Vector:
        """Cosine to every row, shape (rows,).

        In a large index only those of the `count` nearest that Annoy proposes and of the rows `also`; the rest are 0.
        """
        if self.small:
            every: Vector = self.vectors @ vector
            return every
        rows = np.union1d(self.nearest(vector, count)[0], also)
        cosines = np.zeros(len(self.vectors), np.float32)
        cosines[rows] = self.vectors[rows] @ vector
        return cosines

    def exact(self, vector: Vector, count: int) -> tuple[Rows, Vector]:
        """The same over all rows: what the recall of `nearest` is measured against."""
        return _ranked(np.arange(len(self.vectors)), self.vectors @ vector, count)

    def recall(self, queries: Vector, count: int = 10) -> float:
        """Share of the exact `count` nearest that `nearest` finds, over unit vectors of shape (queries, dimensions)."""
        found = [np.isin(self.exact(query, count)[0], self.nearest(query, count)[0]).mean() for query in queries]
        return float(np.mean(found))


def _mapped(path: Path, dimensions: int) -> AnnoyIndex:
    """A forest that the system reads from its file as needed."""
    forest = AnnoyIndex(dimensions, "angular")
    forest.load(str(path))
    return forest


def _ranked(rows: Rows, cosines: Vector, count: int) -> tuple[Rows, Vector]:
    if len(rows) > count:
        best = np.argpartition(-cosines, count)[:count]
        rows, cosines = rows[best], cosines[best]
    order = np.argsort(-cosines, kind="stable")
    return rows[order], cosines[order]
