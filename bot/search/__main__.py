"""Search from the command line: `python -m bot.search "doing nothing all day"`; without a text, a prompt."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.search import ArtifactsError, Match, SearchEngine

ARTIFACTS = Path(__file__).resolve().parents[2] / "artifacts"


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one query, or each line that is typed; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        engine = SearchEngine.load(options.artifacts)
    except ArtifactsError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for text in [" ".join(options.text)] if options.text else _typed():
        matches = engine.search(text, options.n, options.language)
        print(as_json(matches) if options.json else as_text(matches))
    return 0


def as_text(matches: Sequence[Match]) -> str:
    """A line per phrase with its score and first meaning."""
    lines = [f"{match.score:5.2f}  {match.phrase.text} — {match.phrase.meanings[0]}" for match in matches]
    return "\n".join(lines) or "nothing close"


def as_json(matches: Sequence[Match]) -> str:
    """One JSON object per line."""
    return "\n".join(
        json.dumps(
            {
                "key": match.phrase.key,
                "phrase": match.phrase.text,
                "language": match.phrase.language,
                "meanings": match.phrase.meanings,
                "score": round(match.score, 4),
                "reason": match.reason,
            },
            ensure_ascii=False,
        )
        for match in matches
    )


def _typed() -> Iterator[str]:
    """Lines until the end of the input; the prompt is shown to people only."""
    while True:
        try:
            line = input("idiom for: " if sys.stdin.isatty() else "")
        except (EOFError, KeyboardInterrupt):
            return
        if line.strip():
            yield line


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot.search", description=__doc__)
    parser.add_argument("text", nargs="*", help="what you mean; without it, a prompt")
    parser.add_argument("-n", type=_positive, default=10, metavar="COUNT", help="results, 10 unless told")
    parser.add_argument("--json", action="store_true", help="a JSON object per line")
    parser.add_argument("--language", action="append", metavar="CODE", help="of the idioms, for example ru; repeatable")
    folder = Path(os.environ.get("ARTIFACTS") or ARTIFACTS)
    parser.add_argument("--artifacts", type=Path, default=folder, metavar="DIR")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
