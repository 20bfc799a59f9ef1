"""Any encoders side by side: likeness of sentences as people see it, size, speed, and the dimensions that matter."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from bot.search.artifacts import READ, Artifacts
from pipeline.data.sources import DATA
from pipeline.index.readings import ReaderOnDisk
from pipeline.lab import models, scratch
from pipeline.lab.measuring import columns, labels, spearman
from pipeline.lab.report import Findings
from pipeline.lab.setting import Lab, Vectors
from pipeline.lab.splits import Pair, Split, stsb, texts_of
from pipeline.train.dimensions import SIZES, rank_dimensions
from pipeline.train.regression import encode_all
from pipeline.train.teacher import teacher_folder

Columns = tuple[Vectors, Vectors]

_TIMED = 60  # sentences
_LANGUAGES = ("en", "ru")
_STANDARDISED, _AS_THEY_ARE = "standardised", "as they are"
_TICKS = (16, 32, 64, 128, 256, 512)  # numbers of dimensions that the picture names


@dataclass(frozen=True)
class Encoder:
    """Something that turns texts into unit vectors."""

    name: str
    embed: Callable[[Sequence[str]], Vectors]
    parameters: int
    megabytes: float
    """Of its file of weights."""
    on_gpu: bool = False


def run(lab: Lab) -> Findings:
    """Measure each, and the Lasso's choice of dimensions of each."""
    findings = Findings(lab, "encoders")
    sets = {language: stsb(lab, language) for language in _LANGUAGES}
    curves: dict[str, list[tuple[int, float]]] = {}
    progress = tqdm(_encoders(lab), desc="encoders", unit=" encoders")
    for one in progress:
        progress.set_postfix_str(one.name)
        for language, split in sets.items():
            table, test, train = f"stsb-{language}", columns(one.embed, split.test), columns(one.embed, split.train)
            for figure, pairs, vectors in (("Spearman", split.test, test), ("Spearman, train", split.train, train)):
                cosines = (vectors[0] * vectors[1]).sum(axis=1)
                findings.metric(table, one.name, figure, spearman, labels(pairs), cosines[None])
            findings.add(table, one.name, "parameters", f"{one.parameters / 1e6:.1f} M")
            findings.add(table, one.name, "MB", f"{one.megabytes:.0f}")
            findings.add(table, one.name, "dimensions", str(test[0].shape[1]))
            curves |= _selected(findings, one.name, language, split, test, train)
        where = "the GPU" if one.on_gpu else "one core"
        findings.add("speed", one.name, f"ms of a sentence on {where}", _milliseconds(one, sets["en"].test))
    findings.picture(_picture(curves))
    return findings


def _encoders(lab: Lab) -> Iterator[Encoder]:
    """Those that were named, with both poolings; what the lab has tuned with its own; the bot's table and reader."""
    tuned = [str(path.parent) for path in sorted(lab.cache.glob("*ranking/seed-*/encoder/config.json"))]
    for base in (*lab.bases, *tuned):
        weights = Path(teacher_folder(base)) / "model.safetensors"
        for pooling in ("mean",) if base in tuned else ("cls", "mean"):
            model = models.encoder(lab, pooling, base=base)
            parameters = sum(weight.numel() for weight in model.parameters())
            megabytes = (weights.stat().st_size if weights.is_file() else 4 * parameters) / 1e6
            path = Path(base)  # the lab calls the folder of what it has trained "encoder"
            name = "/".join(path.parts[-3:-1]) if path.name == "encoder" else path.name
            embed = partial(lab.embed, model)
            yield Encoder(f"{name}, {pooling}", embed, parameters, megabytes, lab.device == "cuda")
    unread = scratch.unread(lab)[0]
    parameters = sum(weight.numel() for weight in unread.parameters())
    embed = partial(lab.embed, unread)
    yield Encoder("from nothing", embed, parameters, 4 * parameters / 1e6, lab.device == "cuda")
    if lab.tiny:
        return
    folder = DATA.parent / "artifacts"
    artifacts = Artifacts.load(folder)
    table = artifacts.approximator
    size = (folder / "table.npy").stat().st_size
    yield Encoder("table of the bot", partial(encode_all, table), size, size / 1e6)
    if artifacts.reader:
        size = (folder / READ[0]).stat().st_size
        yield Encoder("reader of the bot", ReaderOnDisk(artifacts.reader).embed, size, size / 1e6)


def _selected(
    findings: Findings, name: str, language: str, split: Split, test: Columns, train: Columns
) -> dict[str, list[tuple[int, float]]]:
    """Spearman on the training pairs by the number of dimensions, and on the test pairs with the best number."""
    first, second = train
    curves = {}
    for way in (_STANDARDISED, _AS_THEY_ARE)[: 1 if findings.lab.tiny else 2]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # what is not standardised converges slowly
            order = rank_dimensions(first, second, labels(split.train), way == _STANDARDISED)
        sizes = [size for size in SIZES if size < len(order)] + [len(order)]
        points = [(size, _agreement(first[:, order[:size]], second[:, order[:size]], split.train)) for size in sizes]
        best, on_train = max(points, key=lambda point: point[1])
        system = f"{name}, {way}"
        kept = test[0][:, order[:best]], test[1][:, order[:best]]
        findings.add(f"lasso-{language}", system, "best number", str(best))
        findings.add(f"lasso-{language}", system, "Spearman, train", on_train)
        findings.add(f"lasso-{language}", system, "Spearman", _agreement(*kept, split.test))
        findings.add(f"lasso-{language}", system, "Spearman, all", _agreement(*test, split.test))
        curves[f"{system}, {language}"] = points
    return curves


def _agreement(first: Vectors, second: Vectors, pairs: Sequence[Pair]) -> float:
    """Spearman of the cosines of rows and what people said of the pairs."""
    return spearman(labels(pairs), (normalize(first) * normalize(second)).sum(axis=1))


def _milliseconds(one: Encoder, pairs: Sequence[Pair]) -> float:
    """The median over sentences, one at a time."""
    spent, threads = [], torch.get_num_threads()
    torch.set_num_threads(1)
    with threadpool_limits(1):
        for text in texts_of(pairs)[:_TIMED]:
            started = time.perf_counter()
            one.embed([text])
            spent.append(time.perf_counter() - started)
    torch.set_num_threads(threads)
    return float(np.median(spent)) * 1000


def _picture(curves: dict[str, list[tuple[int, float]]]) -> Figure:
    """A colour for each encoder; whole lines where features were standardised."""
    figure, panes = plt.subplots(1, 2, figsize=(11, 5.5), layout="constrained", sharey=True)
    encoders = list(dict.fromkeys(name.rsplit(", ", 2)[0] for name in curves))
    for name, points in curves.items():
        encoder, way, language = name.rsplit(", ", 2)
        style = "o-" if way == _STANDARDISED else "s--"
        axes, colour = panes[_LANGUAGES.index(language)], f"C{encoders.index(encoder)}"
        axes.plot(*zip(*points, strict=True), style, color=colour, markersize=3, label=f"{encoder}, {way}")
    for axes, language in zip(panes, _LANGUAGES, strict=True):
        axes.set(xscale="log", xlabel="best dimensions", title=f"STS-B {language}, training pairs")
        axes.set_xticks(_TICKS, map(str, _TICKS))
        axes.minorticks_off()
        axes.grid(alpha=0.3)
    panes[0].set_ylabel("Spearman")
    figure.legend(*panes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=8)
    return figure
