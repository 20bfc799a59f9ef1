"""What the engine is measured against."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from bot.search.text import fold


class CharacterNgrams:
    """TF-IDF over character n-grams inside words, the classical search that forgives typos and inflection."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Index the texts; row i is `texts[i]`."""
        self._vectoriser = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), preprocessor=fold, sublinear_tf=True)
        self._rows = self._vectoriser.fit_transform(texts)

    def nearest(self, text: str, count: int) -> list[int]:
        """Rows by falling cosine, those without an n-gram in common left out."""
        scores = (self._rows @ self._vectoriser.transform([text]).T).toarray().ravel()
        best = np.argsort(-scores, kind="stable")[:count]
        return [int(row) for row in best if scores[row] > 0]
