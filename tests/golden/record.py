"""Record what the engine answers and what the bot shows: `PYTHONPATH=tests python -m golden.record`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from bot.search.engine import SearchEngine
from golden.queries import golden_queries
from golden.script import play
from support.talking import Talk

HERE = Path(__file__).parent


def main() -> None:
    """Write both files; read the difference before you commit it."""
    engine = SearchEngine.load(HERE.parents[1] / "artifacts")
    rows = [json.dumps(recorded_answer(engine, query), ensure_ascii=False) for query in golden_queries()]
    (HERE / "answers.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    shown = asyncio.run(play(lambda language: Talk(engine, language)))
    conversation = json.dumps(shown, ensure_ascii=False, indent=1)
    (HERE / "conversation.json").write_text(conversation + "\n", encoding="utf-8")


def recorded_answer(engine: SearchEngine, query: str) -> dict[str, object]:
    """What is compared of an answer."""
    answer = engine.answer(query, 10, anyway=True)
    return {
        "query": query,
        "keys": [match.phrase.key for match in answer.matches],
        "scores": [round(match.score, 3) for match in answer.matches],
        "reasons": "".join(match.reason[0] for match in answer.matches),
        "confidence": round(answer.confidence, 3),
        "close": answer.close,
        "searched": answer.searched,
        "repaired": answer.repaired,
    }


if __name__ == "__main__":
    main()
