"""Nearest phrases by meaning: a scan of all vectors, or in a large collection what Annoy proposes.

Vectors are kept in eight bits with a scale for each: a quarter of the bytes, which is what a scan waits for, at an
error of a cosine of about 0.001.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import simsimd
from annoy import AnnoyIndex

from bot.search.files import load_arrays

Vector = npt.NDArray[np.float32]
Codes = npt.NDArray[np.int8]
Rows = npt.NDArray[np.int64]

SCAN_UP_TO = 20_000
"""Rows up to which a scan is faster than Annoy at a recall of 0.99, measured by pipeline.bench."""
VECTORS, FOREST, READINGS = "vectors.npz", "forest.ann", "readings.npz"


class AnnIndex:
    """Unit vectors, and an Annoy forest over them."""

    def __init__(self, codes: Codes, scales: Vector, forest: AnnoyIndex | None, search_k: int) -> None:
        """Vectors are rows of `codes`, shape (rows, dimensions), times `scales`, shape (rows,).

        Annoy inspects `search_k` nodes for a query; without a forest every search is a scan.
        """
        self._codes, self._scales, self.forest, self.search_k = codes, scales, forest, search_k

    @classmethod
    def scanned(cls, vectors: Vector) -> AnnIndex:
        """Unit vectors, shape (rows, dimensions), that are always scanned, so they need no forest."""
        return cls(*_in_eight_bits(vectors), None, 0)

    @classmethod
    def build(cls, vectors: Vector, trees: int, search_k: int, seed: int) -> AnnIndex:
        """Index unit vectors of shape (rows, dimensions); equal ones and an equal seed give an equal forest.

        Raises ValueError for NaN or zero vectors, which Annoy would accept and answer nonsense for.
        """
        norms = np.linalg.norm(vectors, axis=1)
        if not np.allclose(norms, 1, atol=1e-2):
            raise ValueError(f"row {int(np.argmax(np.abs(norms - 1)))} is not a unit vector")
        forest = AnnoyIndex(vectors.shape[1], "angular")
        index = cls(*_in_eight_bits(vectors), forest, search_k)
        forest.set_seed(seed)
        for row, vector in enumerate(index.vectors):
            forest.add_item(row, vector)
        forest.build(trees, n_jobs=1)  # with more threads no two forests are equal
        return index

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._codes.shape[1])

    @property
    def vectors(self) -> Vector:
        """All vectors, shape (rows, dimensions)."""
        return self.vectors_of(np.arange(len(self)))

    def vectors_of(self, rows: Rows) -> Vector:
        """The vectors of some rows, shape (len(rows), dimensions)."""
        return np.asarray(self._codes[rows] * self._scales[rows, None], np.float32)

    @property
    def proposes(self) -> bool:
        """Whether the collection is so large that Annoy proposes candidates."""
        return self.forest is not None and len(self) > SCAN_UP_TO

    def cosines(self, vector: Vector, also: Rows, count: int) -> Vector:
        """Cosine of a unit vector to every row, shape (rows,).

        In a large collection only to the `count` nearest that Annoy proposes and to the rows `also`; 0 elsewhere.
        """
        if not self.proposes:
            return self.scan(vector)
        rows = np.union1d(self.nearest(vector, count)[0], also)
        cosines = np.zeros(len(self), np.float32)
        cosines[rows] = self.vectors_of(rows) @ vector
        return cosines

    def scan(self, vector: Vector) -> Vector:
        """Cosine of a unit vector to every row, shape (rows,), however large the collection."""
        codes, scales = _in_eight_bits(vector[None])
        products = np.asarray(simsimd.cdist(codes, self._codes, metric="dot", out_dtype="float32"))[0]
        cosines: Vector = products * (self._scales * scales[0])
        return cosines

    def nearest(self, vector: Vector, count: int) -> tuple[Rows, Vector]:
        """At most `count` rows by falling cosine, and those cosines: the best of what Annoy proposes.

        Raises ValueError for an index without a forest.
        """
        if self.forest is None:
            raise ValueError("this index has no forest: build it")
        rows = np.array(self.forest.get_nns_by_vector(vector, count, self.search_k), np.int64)
        return _ranked(rows, self.vectors_of(rows) @ vector, count)

    def recall(self, queries: Vector, count: int = 10) -> Vector:
        """Share of its `count` nearest that Annoy finds for each unit vector; shapes (queries, dimensions), (queries,).

        Raises ValueError for an index without a forest.
        """
        vectors, count = self.vectors, min(count, len(self))
        found = np.zeros(len(queries), np.float32)
        for number, query in enumerate(queries):
            bound = np.partition(vectors @ query, -count)[-count]
            # Rows as near as the last of the nearest are as good; Annoy may propose fewer than `count`.
            found[number] = np.sum(self.nearest(query, count)[1] >= bound - 1e-5)
        return found / np.float32(count)

    def save(self, folder: Path, name: str = VECTORS) -> list[str]:
        """Write the vectors, and the forest if it will be used; returns the names of the files."""
        np.savez(folder / name, codes=self._codes, scales=self._scales)
        if self.forest is None or not self.proposes:
            return [name]
        if not self.forest.save(str(folder / FOREST)):
            raise OSError(f"Annoy could not write {folder / FOREST}")
        return [name, FOREST]

    @classmethod
    def load(cls, folder: Path, search_k: int, name: str = VECTORS) -> AnnIndex:
        """Read what `save` wrote; the system reads a forest, which the main vectors may have, as needed.

        Raises OSError or ValueError for anything else.
        """
        codes, scales = load_arrays(folder / name, {"codes": "i2", "scales": "f1"}).values()
        if codes.dtype != np.int8 or len(codes) != len(scales) or not codes.size:
            raise ValueError(f"{name}: {len(scales)} scales for {len(codes)} vectors of {codes.dtype}")
        if not codes.any(axis=1).all() or scales.min() <= 0:
            raise ValueError(f"{name}: a vector of zeros")
        forest = None
        if name == VECTORS and len(codes) > SCAN_UP_TO:
            forest = AnnoyIndex(codes.shape[1], "angular")
            forest.load(str(folder / FOREST))
            if forest.get_n_items() != len(codes):
                raise ValueError(f"{FOREST}: {forest.get_n_items()} vectors instead of {len(codes)}")
        return cls(codes, scales, forest, search_k)


def _in_eight_bits(vectors: Vector) -> tuple[Codes, Vector]:
    """Vectors as whole numbers from -127 to 127, and what makes each of them a unit vector again, shape (rows,)."""
    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), np.float32(1e-9))
    codes = np.rint(vectors * (np.float32(127) / largest))
    scales = 1 / np.maximum(np.linalg.norm(codes, axis=1), 1)
    return codes.astype(np.int8), scales.astype(np.float32)


def _ranked(rows: Rows, cosines: Vector, count: int) -> tuple[Rows, Vector]:
    best = np.argsort(-cosines, kind="stable")[:count]
    return rows[best], cosines[best]
