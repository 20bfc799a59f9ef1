"""The report's pictures, each small enough for a README."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from PIL import Image
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE

from bot.search.phrases import Phrase
from pipeline.evaluation.metrics import Flags, Values
from pipeline.evaluation.rejection import reliability

CALIBRATION, MAP = "calibration.png", "map.png"

_REAL, _OFF_TOPIC = "#1f6fb4", "#e08a3c"
_TOPICS = 10  # As many colours as can be told apart.
_LEAST = 60  # Idioms that a topic needs to be shown.


def calibration(real: Flags, values: Values, path: Path) -> None:
    """Left: of the queries with a confidence, how many are real. Right: how sure the engine is of both kinds.

    Both columns have shape (queries,).
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    bins = reliability(real, values)
    left.plot([0, 1], [0, 1], color="grey", linewidth=1, linestyle="--")
    left.plot(bins.confidence, bins.share, "o-", color=_REAL)
    for place, count in zip(zip(bins.confidence, bins.share, strict=True), bins.queries, strict=True):
        left.annotate(str(count), place, xytext=(0, 7), textcoords="offset points", ha="center")
    left.set(xlabel="confidence (numbers: queries)", ylabel="share that has an idiom, both kinds weighed alike")
    left.set(ylim=(-0.05, 1.12))
    for label, kind, colour in (("dev queries", real, _REAL), ("off-topic", ~real, _OFF_TOPIC)):
        shares = np.full(kind.sum(), 1 / kind.sum())
        right.hist(values[kind], np.linspace(0, 1, 21), weights=shares, alpha=0.75, color=colour, label=label)
    right.set(xlabel="confidence", ylabel="share of the queries of a kind")
    right.legend()
    _save(figure, path)


def phrase_map(phrases: Sequence[Phrase], vectors: npt.NDArray[np.float32], path: Path) -> None:
    """The phrases in two dimensions, by t-SNE (van der Maaten and Hinton 2008) of their principal components.

    Coloured are the topics of meaning: of the frequent ones those whose phrases lie closest together.
    """
    components = PCA(min(50, *vectors.shape), random_state=0).fit_transform(vectors)
    perplexity = min(40, (len(vectors) - 1) / 3)
    places = TSNE(init="pca", random_state=0, perplexity=perplexity).fit_transform(components)
    figure, axes = plt.subplots(figsize=(9, 8), layout="constrained")
    axes.scatter(places[:, 0], places[:, 1], s=3, color="#cccccc", linewidths=0)
    line, taken = 0.025 * float(np.ptp(places[:, 1])), list[float]()
    for number, topic in enumerate(_together(phrases, vectors)):
        some, colour = places[_having(topic, phrases)], plt.get_cmap("tab10")(number)
        axes.scatter(some[:, 0], some[:, 1], s=12, color=colour, linewidths=0)
        near = cdist(some, some) < np.ptp(some, axis=0).max() / 25
        x, y = some[near.sum(axis=1).argmax()] + (0, line)  # above the point that has most others around it
        while any(abs(y - other) < line for other in taken):
            y += line / 5
        taken.append(y)
        label = axes.text(x, y, topic, ha="center", weight="bold", fontsize=13, color=colour)
        label.set_path_effects([withStroke(linewidth=4, foreground="white")])
    axes.set_axis_off()
    _save(figure, path)


def _together(phrases: Sequence[Phrase], vectors: npt.NDArray[np.float32]) -> list[str]:
    """Frequent topics, those first whose phrases lie closest together."""
    counts = Counter(topic for phrase in phrases for topic in phrase.topics)
    frequent = [topic for topic, count in counts.items() if count >= min(_LEAST, max(counts.values()))]
    closeness = {topic: np.linalg.norm(vectors[_having(topic, phrases)].mean(axis=0)) for topic in frequent}
    return sorted(frequent, key=lambda topic: -float(closeness[topic]))[:_TOPICS]


def _having(topic: str, phrases: Sequence[Phrase]) -> list[bool]:
    return [topic in phrase.topics for phrase in phrases]


def _save(figure: Figure, path: Path) -> None:
    """In 64 colours, a quarter of the bytes."""
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=100)
    plt.close(figure)
    Image.open(drawn).convert("RGB").quantize(64).save(path, optimize=True)
