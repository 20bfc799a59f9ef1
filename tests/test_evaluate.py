"""What the evaluation counts, on cases that can be counted by hand."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from bot.search import SearchEngine
from bot.users import UserStore
from pipeline.baselines import CharacterNgrams
from pipeline.evaluate import _ranks, main, own_words, queries, votes, with_typo
from pipeline.select import cosine_spearman
from pipeline.sources import SourceError
from small import PHRASES, small_artifacts

ENGINE = SearchEngine(small_artifacts())


def test_ranks_count_what_is_nearer_than_the_own_half() -> None:
    similarities = np.array([[0.9, 0.1, 0.2], [0.5, 0.4, 0.3], [0.9, 0.8, 0.8]], np.float32)
    assert _ranks(similarities).tolist() == [0, 1, 1]  # an equal one is not nearer


def test_spearman_sees_the_order_only() -> None:
    first = np.array([[1, 0], [1, 0], [1, 0]], np.float32)
    second = np.array([[1, 0], [1, 1], [0, 1]], np.float32)
    assert cosine_spearman(first, second, np.array([5.0, 4.9, 0.0])) == pytest.approx(1)
    assert cosine_spearman(first, second * 7, np.array([0.0, 1.0, 2.0])) == pytest.approx(-1)


def test_queries_find_the_gold_phrase_or_another_good_answer(tmp_path: Path) -> None:
    rows = [
        {"gold": "бить баклуши", "also_ok": [], "ru": "бить баклуши", "en": "the to"},
        {"gold": "нет такой", "also_ok": ["лить как из ведра"], "ru": "лить как из ведра", "en": "zzz"},
    ]
    path = tmp_path / "queries.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    found = {(row.figure, row.data[:15]): row.value for row in queries(ENGINE, path)}
    assert found["R@10", "dev queries, ru"] == 1 and found["MRR", "dev queries, ru"] == 1
    assert found["R@10, character n-gram TF-IDF", "dev queries, en"] == 0


def test_own_words_are_found() -> None:
    exact, typos = own_words(ENGINE)
    assert exact.value == 1 and exact.rows == len(PHRASES)
    assert typos.value > 0.5


def test_a_typo_is_one_small_slip() -> None:
    dice = random.Random(0)
    for _ in range(200):
        typo = with_typo("бить баклуши", dice)
        assert abs(len(typo) - 12) <= 1
        assert sum(one != other for one, other in zip(typo, "бить баклуши", strict=False)) <= 12
    assert len({with_typo("бить баклуши", dice) for _ in range(50)}) > 20


def test_votes_of_a_running_bot_are_counted(tmp_path: Path) -> None:
    store = UserStore(tmp_path / "state.db")
    store.vote(1, "бить баклуши", PHRASES[0].key, "up")
    store.vote(2, "бить баклуши", "000000000000", "up")
    store.vote(2, "бить баклуши", PHRASES[0].key, "down")
    store.close()
    up, down = votes(ENGINE, tmp_path / "state.db")
    assert (up.rows, up.value, down.rows, down.value) == (2, 0.5, 1, 1.0)


def test_a_file_that_is_no_state_says_so(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_text("not a database " * 100, encoding="utf-8")
    with pytest.raises(SourceError, match="not the bot's state file"):
        list(votes(ENGINE, tmp_path / "state.db"))


def test_the_baseline_orders_by_shared_letters() -> None:
    index = CharacterNgrams(["о сильном дожде", "ничего не делать", "преувеличивать"])
    assert index.nearest("сильные дожди", 3)[0] == 0
    assert index.nearest("qqq", 3) == []


def test_the_command_line_writes_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "artifacts"
    small_artifacts().save(folder)
    assert main(["--artifacts", str(folder)]) == 0
    printed = capsys.readouterr()
    assert "| own text finds it first | 1.000 | all phrases | 5 |" in printed.out
    assert (folder / "report/evaluation.md").read_text(encoding="utf-8").strip() == printed.out.strip()
    assert json.loads((folder / "report/evaluation.json").read_text(encoding="utf-8"))
    assert main(["--artifacts", str(tmp_path / "none")]) == 1
