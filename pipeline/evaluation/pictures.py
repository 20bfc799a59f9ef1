"""The report's pictures, each small enough for a README."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from PIL import Image
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE

from bot.search.phrases import Phrase
from pipeline.evaluation.metrics import SERVED, Measurement, balance, reliability
from pipeline.evaluation.rejection import Confidences
from pipeline.evaluation.retrieval import DEV
from pipeline.evaluation.timings import Timing

CALIBRATION, QUALITY, SPEED, MAP = "calibration.png", "quality.png", "speed.png", "map.png"

_OURS, _OTHER, _TEACHER = "#1f6fb4", "#b9c4cf", "#5d6d7e"
_TOPICS = 10  # As many colours as can be told apart.
_LEAST = 60  # Idioms that a topic needs to be shown.


def quality(measured: Sequence[Measurement], path: Path) -> None:
    """The engine beside others: how many dev queries find their idiom, and agreement with people's judgements."""
    panels = [
        (f"{DEV}, ru, over", "R@10", "Asked in Russian: R@10"),
        (f"{DEV}, en, over", "R@10", "Asked in English: R@10"),
        ("STS-B ru", "Spearman", "Likeness, Russian: Spearman"),
        ("STS-B en", "Spearman", "Likeness, English: Spearman"),
    ]
    figure, grid = plt.subplots(2, 2, figsize=(10, 6.4), layout="constrained", sharex=True)
    for axes, (data, name, title) in zip(grid.ravel(), panels, strict=True):
        rows = [row for row in measured if row.data.startswith(data) and row.figure == name]
        _bars(axes, [row for row in rows if (row.section, row.data) == (rows[0].section, rows[0].data)], title)
    _save(figure, path)


def _bars(axes: Axes, rows: Sequence[Measurement], title: str) -> None:
    rows = sorted(rows, key=lambda row: row.value)
    colours = [_OURS if row.system == SERVED else _TEACHER if "teacher" in row.system else _OTHER for row in rows]
    lows, highs = ([getattr(row, end) or row.value for row in rows] for end in ("low", "high"))
    values = np.array([row.value for row in rows])
    around = [values - lows, highs - values]
    axes.barh([row.system for row in rows], values, color=colours, xerr=around, ecolor="#444444")
    for place, row in enumerate(rows):
        axes.text(highs[place] + 0.02, place, f"{row.value:.2f}", va="center")
    axes.set(xlim=(0, 1.1), xticks=np.linspace(0, 1, 6))
    axes.set_title(title, fontsize=11, weight="bold", loc="left")
    axes.spines[["top", "right"]].set_visible(False)


def calibration(known: Confidences, path: Path) -> None:
    """Left: of the queries with a confidence, how many are real. Right: how sure the engine is of both kinds."""
    values = np.clip(known.values, 0, 1)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    bins = reliability(values, known.real, balance(known.real))
    left.plot([0, 1], [0, 1], color="grey", linewidth=1, linestyle="--")
    left.plot([one.confidence for one in bins], [one.share for one in bins], "o-", color=_OURS)
    for one in bins:
        left.annotate(
            str(one.count), (one.confidence, one.share), xytext=(0, 7), textcoords="offset points", ha="center"
        )
    left.set(
        xlabel="confidence (numbers: queries)",
        ylabel="share that has an idiom, both kinds weighed alike",
        ylim=(-0.05, 1.12),
    )
    edges = np.linspace(0, 1, 21)
    right.hist(values[known.real], edges, weights=_share(known.real), alpha=0.75, color=_OURS, label="dev queries")
    right.hist(values[~known.real], edges, weights=_share(~known.real), alpha=0.75, color="#e08a3c", label="off-topic")
    right.set(xlabel="confidence", ylabel="share of the queries of a kind")
    right.legend()
    _save(figure, path)


def _share(members: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    return np.full(members.sum(), 1 / members.sum())


def speed(timings: Sequence[Timing], path: Path) -> None:
    """What takes microseconds, beside its alternative."""
    rows = [row for row in timings if row.unit == "us" and row.other is not None]
    names = [name for row in rows for name in (row.what, row.beside)]
    values = [value for row in rows for value in (row.value, row.other or 0.0)]
    figure, axes = plt.subplots(figsize=(9, 0.5 + 0.42 * len(names)), layout="constrained")
    axes.barh(range(len(names)), values, color=[_OURS, _OTHER] * len(rows))
    axes.set_yticks(range(len(names)), names)
    axes.set(xscale="log", xlabel="microseconds, median")
    axes.invert_yaxis()
    for place, value in enumerate(values):
        axes.text(value * 1.05, place, f"{value:,.0f}", va="center")
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.12)
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
    height, taken = float(np.ptp(places[:, 1])), list[float]()
    for number, topic in enumerate(_together(phrases, vectors)):
        some, colour = places[[topic in phrase.topics for phrase in phrases]], plt.get_cmap("tab10")(number)
        axes.scatter(some[:, 0], some[:, 1], s=12, color=colour, linewidths=0)
        x, y = _centre(some)
        y += 0.025 * height
        while any(abs(y - other) < 0.025 * height for other in taken):
            y += 0.005 * height
        taken.append(y)
        label = axes.text(x, y, topic, ha="center", weight="bold", fontsize=13, color=colour)
        label.set_path_effects([withStroke(linewidth=4, foreground="white")])
    axes.set_axis_off()
    _save(figure, path)


def _together(phrases: Sequence[Phrase], vectors: npt.NDArray[np.float32]) -> list[str]:
    counts = Counter(topic for phrase in phrases for topic in phrase.topics)
    frequent = [topic for topic, count in counts.items() if count >= min(_LEAST, max(counts.values()))]
    spread = {
        topic: np.linalg.norm(vectors[[topic in phrase.topics for phrase in phrases]].mean(axis=0))
        for topic in frequent
    }
    return sorted(frequent, key=lambda topic: -float(spread[topic]))[:_TOPICS]


def _centre(places: npt.NDArray[np.float32]) -> tuple[float, float]:
    """Of the thickest part: the point whose neighbourhood holds most others."""
    near = (np.linalg.norm(places[:, None] - places[None], axis=2) < np.ptp(places, axis=0).max() / 25).sum(axis=1)
    x, y = places[int(near.argmax())]
    return float(x), float(y)


def _save(figure: Figure, path: Path) -> None:
    """In 64 colours, a quarter of the bytes."""
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=100)
    plt.close(figure)
    Image.open(drawn).convert("RGB").quantize(64).save(path, optimize=True)
