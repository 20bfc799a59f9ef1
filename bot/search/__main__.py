"""Search from the command line: `python -m bot.search "doing nothing all day"`; without a text, a prompt."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bot.search.artifacts import ArtifactsError
from bot.search.engine import Answer, SearchEngine
from bot.search.rank.explain import Part

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
        answer = engine.answer(text, options.n, options.language, options.exact, options.anyway)
        meant = [match.phrase.key for match in answer.matches if options.why and match.reason == "meaning"]
        whys = {key: engine.explain(answer.analysis, key) for key in meant}
        print(as_json(answer, whys) if options.json else as_text(answer, whys))
    return 0


def as_text(answer: Answer, whys: Mapping[str, Sequence[Part]]) -> str:
    """A line per phrase with its score and first meaning, and below it what each word added, by keys."""
    lines = [f"searched for: {answer.searched}"] if answer.repaired else []
    for match in answer.matches:
        lines.append(f"{match.score:5.2f}  {match.phrase.text} — {match.phrase.meanings[0]}")
        if parts := [f"{word} {share:.0%}" for word, share in whys.get(match.phrase.key, ()) if round(100 * share)]:
            lines.append(f"       {', '.join(parts)}")
    return "\n".join(lines if answer.matches else [*lines, "nothing close"])


def as_json(answer: Answer, whys: Mapping[str, Sequence[Part]]) -> str:
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
                **({"searched": answer.searched} if answer.repaired else {}),
                **({"why": whys[match.phrase.key]} if match.phrase.key in whys else {}),
            },
            ensure_ascii=False,
        )
        for match in answer.matches
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
    parser.add_argument("--exact", action="store_true", help="search what is typed, without repair")
    parser.add_argument("--anyway", action="store_true", help="the nearest, even when nothing is close")
    parser.add_argument("--why", action="store_true", help="what each word adds to the likeness of meaning")
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
