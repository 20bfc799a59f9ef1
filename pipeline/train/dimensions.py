"""Which of the teacher's dimensions carry meaning, as human judges of sentence pairs see it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.stats import spearmanr
from sklearn.decomposition import PCA
from sklearn.linear_model import LassoCV
from sklearn.preprocessing import StandardScaler

Vectors = npt.NDArray[np.float32]
Scores = npt.NDArray[np.float64]

SIZES = (16, 32, 48, 64, 96, 128, 160, 192, 224, 256, 320, 384, 512, 768)


@dataclass(frozen=True)
class Selection:
    """The chosen dimensions, best first, and the curves that they were chosen by."""

    dimensions: list[int]
    sizes: list[int]
    lasso: list[float]
    """Spearman on the pairs of the `sizes` best dimensions."""
    pca: list[float]
    """Spearman on the pairs of the first `sizes` principal components."""


def cosine_spearman(first: Vectors, second: Vectors, scores: Scores) -> float:
    """Spearman's rank correlation between the cosines of rows, shape (pairs, dimensions), and the pairs' scores."""
    norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return float(spearmanr((first * second).sum(axis=1) / np.maximum(norms, 1e-9), scores).statistic)


def select_dimensions(first: Vectors, second: Vectors, scores: Scores, most: int, tolerance: float) -> Selection:
    """Rank the dimensions of judged pairs, then keep as many, up to `most`, as stay near the best Spearman.

    `first` and `second` are unit vectors, shape (pairs, dimensions); near is within `tolerance`.
    """
    order = rank_dimensions(first, second, scores)
    sizes = [size for size in SIZES if size < len(order)] + [len(order)]
    lasso = [cosine_spearman(first[:, order[:size]], second[:, order[:size]], scores) for size in sizes]
    components = PCA(random_state=0).fit(np.concatenate([first, second])).components_.T
    pca = [cosine_spearman(first @ components[:, :size], second @ components[:, :size], scores) for size in sizes]
    curve = list(zip(sizes, lasso, strict=True))
    allowed = [(size, value) for size, value in curve if size <= most] or curve[:1]
    best = max(value for _, value in allowed)
    kept = max(size for size, value in allowed if value >= best - tolerance)
    return Selection(order[:kept], sizes, lasso, pca)


def rank_dimensions(first: Vectors, second: Vectors, scores: Scores, standardise: bool = True) -> list[int]:
    """All dimensions by falling Lasso weight of their product; where weights are equal, by variance.

    The features, element-wise products and absolute differences, are standardised: unscaled, the penalty would see
    products 20 times smaller than differences and drop them all.
    """
    features = np.hstack([first * second, np.abs(first - second)])
    features = StandardScaler().fit_transform(features) if standardise else features
    model = LassoCV(cv=5, alphas=30, max_iter=3000, random_state=0)
    model.fit(features, scores)
    weights = model.coef_[: first.shape[1]]
    variance = np.concatenate([first, second]).var(axis=0)
    return [int(dimension) for dimension in np.lexsort((-variance, -np.maximum(weights, 0)))]


def plot_selection(selection: Selection, path: Path) -> None:
    """Draw Spearman against the number of dimensions."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    axes.plot(selection.sizes, selection.lasso, "o-", label="best dimensions by Lasso")
    axes.plot(selection.sizes, selection.pca, "s--", label="principal components")
    axes.axvline(len(selection.dimensions), color="grey", linewidth=1, label=f"served: {len(selection.dimensions)}")
    axes.set(xscale="log", xlabel="dimensions", ylabel="Spearman, STS-B training pairs", xticks=selection.sizes)
    axes.set_xticklabels([str(size) for size in selection.sizes], rotation=45)
    axes.minorticks_off()
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=120)
    plt.close(figure)
