"""Run an experiment of the training lab: `python -m pipeline.lab duplicates`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from transformers.utils.logging import disable_progress_bar, set_verbosity_error

from bot.search.artifacts import REPORT, ArtifactsError
from pipeline.data.sources import DATA, DataFolder, SourceError
from pipeline.lab import duplicates, encoders, layers, pairs, scratch, tune
from pipeline.lab.report import Findings
from pipeline.lab.setting import Lab
from pipeline.train.learn import say_refused
from pipeline.train.teacher import TeacherError

EXPERIMENTS: dict[str, Callable[[Lab], Findings]] = {
    "duplicates": duplicates.run,
    "pairs": pairs.run,
    "layers": layers.run,
    "encoders": encoders.run,
    "tune": tune.run,
    "rebuild": tune.rebuild,
    "scratch": scratch.run,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    disable_progress_bar()  # type: ignore[no-untyped-call]  # of loading and saving weights
    set_verbosity_error()  # type: ignore[no-untyped-call]  # a head that is new is said to be missing
    try:
        path = EXPERIMENTS[options.name](_lab(options)).write()
    except (SourceError, TeacherError, ArtifactsError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        say_refused(error)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command goes on from the last checkpoint", file=sys.stderr)
        return 130
    print(path)
    return 0


def _lab(options: argparse.Namespace) -> Lab:
    """Raises TeacherError where a GPU is asked for and there is none, SourceError for a missing folder of data."""
    if options.device == "cuda" and not torch.cuda.is_available():
        raise TeacherError("--device cuda: no usable GPU on this machine; use --device cpu or auto")
    device = "cuda" if options.device != "cpu" and torch.cuda.is_available() else "cpu"
    cache = options.cache / ("lab-tiny" if options.tiny else "lab")
    return Lab(
        data=DataFolder(extra=options.data),
        bases=tuple(options.base),
        device=device,
        seeds=options.seeds or (3 if device == "cuda" else 1),
        tiny=options.tiny,
        out=options.out or (cache / REPORT if options.tiny else DATA.parent / "artifacts" / REPORT),
        cache=cache,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pipeline.lab", description=__doc__)
    parser.add_argument("name", choices=EXPERIMENTS, help="see docs/lab.md")
    parser.add_argument("--tiny", action="store_true", help="a few rows and steps, to see that everything works")
    bases = "encoders of the BERT family: folders or names on the Hub; all experiments but encoders take the first"
    parser.add_argument("--base", nargs="+", default=["all-MiniLM-L6-v2"], metavar="FOLDER", help=bases)
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    seeds = "how often each training is repeated (default: 3 on a GPU, otherwise 1)"
    parser.add_argument("--seeds", type=_positive, metavar="COUNT", help=seeds)
    out = "where lab.json, lab.md and the pictures go (default: artifacts/report; with --tiny in the cache)"
    parser.add_argument("--out", type=Path, metavar="FOLDER", help=out)
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="folder that holds the sets")
    kept = "where checkpoints and trained encoders are kept"
    parser.add_argument("--cache", type=Path, default=DATA.parent / ".cache", metavar="FOLDER", help=kept)
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 on")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
