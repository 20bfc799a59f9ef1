"""What the evaluation counts, on cases that can be counted by hand."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase, phrase_key, texts_of
from bot.store.opening import open_store
from pipeline.ablate import VARIANTS
from pipeline.data.sources import DataFolder, SourceError
from pipeline.evaluate import earlier_timings, main
from pipeline.evaluation import dictionary, footprint, noise, pictures, rejection, report, retrieval, robustness
from pipeline.evaluation.baselines import Bm25, Cosine, jaccard, nearest, tfidf, word_vectors
from pipeline.evaluation.context import EvaluationContext, searched_texts
from pipeline.evaluation.examples import example_table, examples
from pipeline.evaluation.metrics import Data, Measurement, mean_of
from pipeline.evaluation.report import ReportError, filled, keep_fuller, write_report
from pipeline.evaluation.sentences import components, ranks
from pipeline.evaluation.timings import Timing, paired, timing_table
from pipeline.recipe import Recipe
from pipeline.train.dimensions import cosine_spearman
from support.small import PHRASES, small_artifacts

CONTEXT = EvaluationContext(small_artifacts(), DataFolder(), alone=True)
TEXTS = ["о сильном дожде", "ничего не делать", "сильно преувеличивать", "не преувеличивать ничего"]


def values(rows: Iterable[Measurement]) -> dict[str, float]:
    return {row.id: row.value for row in rows}


def test_ranks_count_what_is_nearer_than_the_own_half() -> None:
    similarities = np.array([[0.9, 0.1, 0.2], [0.5, 0.4, 0.3], [0.9, 0.8, 0.8]], np.float32)
    assert ranks(similarities).tolist() == [0, 1, 1]  # an equal one is not nearer
    assert ranks(np.array([[0.0]])).tolist() == [100]  # nothing in common is not found


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
    found = values(retrieval.queries(CONTEXT, path))
    assert found["dev-ru/R@10"] == found["dev-ru/MRR"] == 1
    path.write_text(json.dumps(rows[1] | {"also_ok": []}), encoding="utf-8")
    with pytest.raises(SourceError, match="none of the idioms"):
        list(retrieval.queries(CONTEXT, path))


def test_an_equivalent_counts_in_both_directions() -> None:
    named = PHRASES[3].text
    pairs = retrieval.equivalents([*PHRASES, Phrase("лить", "ru", ("о дожде",), equivalents={"en": (named,)})])
    assert pairs[phrase_key("ru", "лить")] == {phrase_key("en", named)}
    assert pairs[phrase_key("en", named)] == {phrase_key("ru", "лить")}


def test_baselines_search_all_texts_but_other_idioms_and_other_wordings() -> None:
    phrase = Phrase("а", "ru", ("б",), {"en": "c"}, {"en": ("d",)}, variants=("е",), examples=("ж",), scenes=("з",))
    assert searched_texts([phrase]) == ["а б c ж з"]
    assert len(texts_of(phrase)) == 7


def test_own_words_are_found() -> None:
    exact, typos = robustness.own_text(CONTEXT)
    assert exact.value == 1 and exact.rows == len(PHRASES)
    assert typos.value > 0.5
    order, capitals, _ = robustness.misremembered(CONTEXT)
    assert order.value > 0.5 and capitals.value == 1


def test_a_typo_is_one_small_slip() -> None:
    rng = random.Random(0)
    for _ in range(200):
        typo = noise.one_typo("бить баклуши", rng)
        assert abs(len(typo) - 12) <= 1
        assert sum(one != other for one, other in zip(typo, "бить баклуши", strict=False)) <= 12
    assert len({noise.one_typo("бить баклуши", rng) for _ in range(50)}) > 20


def test_other_forms_keep_the_words_or_the_beginnings() -> None:
    rng = random.Random(0)
    orders = {noise.other_order("делать из мухи слона", rng) for _ in range(50)}
    assert {" ".join(sorted(order.split())) for order in orders} == {"делать из мухи слона"} and len(orders) > 10
    endings = {noise.other_ending(PHRASES[0], rng) for _ in range(50)}
    assert endings == {f"бить баклуш{ending}" for ending in ("а", "у", "ом", "е", "ы", "ами")}


async def test_votes_of_a_running_bot_are_counted(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "state.db")
    await store.vote(1, "бить баклуши", PHRASES[0].key, "up")
    await store.vote(2, "бить баклуши", "000000000000", "up")
    await store.vote(2, "бить баклуши", PHRASES[0].key, "down")
    await store.close()
    up, down = retrieval.votes(CONTEXT, tmp_path / "state.db")
    assert (up.rows, up.value, down.rows, down.value) == (2, 0.5, 1, 1.0)


def test_a_file_that_is_no_state_says_so(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_text("not a database " * 100, encoding="utf-8")
    with pytest.raises(SourceError, match="not the bot's state file"):
        list(retrieval.votes(CONTEXT, tmp_path / "state.db"))


def test_queries_of_ones_own_are_measured_and_faults_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    good = [{"query": "бить баклуши", "gold": "Бить баклуши!"}, {"query": "лениться", "gold": "кот в мешке"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in good), encoding="utf-8")
    figures = {row.figure: row for row in retrieval.own_queries(CONTEXT, path)}
    assert (figures["R@10"].rows, figures["R@10"].value) == (2, 0.5)
    path.write_text('{"query": "a", "gold": "b"}\n{"query": 1}\n', encoding="utf-8")
    with pytest.raises(SourceError, match=r"mine.jsonl:2: not like"):
        list(retrieval.own_queries(CONTEXT, path))


def test_baselines_order_by_what_is_shared() -> None:
    assert nearest(tfidf(TEXTS, ngrams=True).scores("сильные дожди"), 3)[0] == 0
    assert nearest(tfidf(TEXTS).scores("ничего"), 4) == [3, 1]  # the one with the rarer rest comes last
    assert nearest(Bm25(TEXTS).scores("сильном"), 4) == [0]
    assert nearest(tfidf(TEXTS, ngrams=True).scores("qqq"), 3) == []
    assert Bm25(TEXTS).scores("!").tolist() == [0, 0, 0, 0]
    assert jaccard("о дожде", "о сильном дожде") == 2 / 3


def test_bm25_is_the_published_formula() -> None:
    # "a" is in one of two texts; text 0 has it twice and is 3 words long, where the mean is 2. The factor k1 + 1 of the
    # publication, the same for all, is left out.
    frequency, length = 2, 3 / 2
    weight = np.log1p((2 - 1 + 0.5) / (1 + 0.5))
    expected = weight * frequency / (frequency + 1.2 * (1 - 0.75 + 0.75 * length))
    assert Bm25(["a a b", "b"]).scores("a").tolist() == pytest.approx([expected, 0])
    assert Bm25(["a a b", "b"]).similarities(["b"], ["b"]).tolist() == [2]  # as much as each gives for itself


def test_words_of_one_document_are_alike_in_any_language() -> None:
    documents = [pair for pair in ("rain дождь", "snow снег", "wind ветер") for _ in range(5)]
    encode = word_vectors(documents, 3)
    vectors = Cosine(encode, encode(["дождь", "снег"]))
    assert vectors.similarities(["rain"], ["дождь"])[0] > 0.99 > 0.1 > abs(vectors.similarities(["rain"], ["снег"])[0])
    assert vectors.scores("rain").tolist() == pytest.approx([1, 0], abs=0.1)
    assert encode(["zzz"]).tolist() == [[0, 0, 0]]


def test_pairs_that_share_a_text_are_one_group() -> None:
    rows = [("a", "b", 1), ("c", "d", 1), ("B!", "e", 1)]
    one, other, third = components(rows).tolist()
    assert one == third != other


def test_the_command_line_writes_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "artifacts"
    small_artifacts().save(folder)
    assert main(["--artifacts", str(folder), "--quick"]) == 0
    assert "left out" in capsys.readouterr().err
    text = (folder / "report/evaluation.md").read_text(encoding="utf-8")
    assert "| own text finds it first | 1.000<br><sub>1.000–1.000</sub> |" in text
    assert "## Left out" in text and "Commit" in text and "## Votes" not in text
    rows = json.loads((folder / "report/evaluation.json").read_text(encoding="utf-8"))
    assert {"id", "figure", "value", "low", "high", "system", "data", "split", "rows"} == rows[0].keys()
    assert len({row["id"] for row in rows}) == len(rows)
    before = [path.read_bytes() for path in sorted((folder / "report").iterdir())]
    assert main(["--artifacts", str(folder), "--quick"]) == 0
    assert [path.read_bytes() for path in sorted((folder / "report").iterdir())] == before
    assert main(["--artifacts", str(tmp_path / "none")]) == 1


def test_timings_of_an_earlier_run_may_stay(tmp_path: Path) -> None:
    with pytest.raises(report.ReportError, match="measure once without --keep-timings"):
        earlier_timings(tmp_path)
    report.write_json([Timing("speed/search", "a search", 2000, "µs")._asdict()], tmp_path / report.TIMINGS)
    text = earlier_timings(tmp_path)["timings"]
    assert "| a search | 2 ms |" in text and "earlier run" in text


def test_every_table_has_a_place_in_the_report() -> None:
    """Of the report in the repository, which has all figures."""
    rows = report.read_json(Path(__file__).parents[2] / "artifacts/report/evaluation.json")
    assert len({row["id"] for row in rows}) == len(rows)
    text = (Path(__file__).parents[2] / "artifacts/report/evaluation.md").read_text(encoding="utf-8")
    assert [row["data"] for row in rows if f"**{row['data']}**" not in text] == []


def test_words_are_known_by_the_definitions_of_what_they_are_forms_of() -> None:
    glosses = {"balloon": ["a light bag filled with gas"], "city": ["a large town"], "gentle": ["soft"]}
    assert dictionary.entry("balloons", glosses).meanings == ("a light bag filled with gas",)
    assert dictionary.entry("cities", glosses).meanings == ("a large town",)
    assert dictionary.entry("zzz", glosses).meanings == ("zzz",)


def test_examples_are_the_surest_of_the_best_and_of_the_worst(engine: SearchEngine) -> None:
    best, worst = examples(EvaluationContext(engine.artifacts, DataFolder(), alone=True), 3)
    assert [example.rank for example in best] == [0, 0, 0] and all(example.rank >= 10 for example in worst)
    assert all(example.found[0] in example.right for example in best)
    assert not any(set(example.found) & set(example.right) for example in worst)
    assert example_table(best).count("\n") == 4


def test_confidence_is_measured_on_real_queries_and_on_others(engine: SearchEngine) -> None:
    context = EvaluationContext(engine.artifacts, DataFolder(), alone=True)
    rows = {row.figure: row for row in rejection.off_topic(context) if not row.id.startswith("off-topic-fresh")}
    assert rows["refused"].rows == 60 and rows["refused though real"].rows == 320
    assert rows["refused"].value > 0.5 > rows["refused though real"].value
    assert rows["area under the ROC"].value > 0.8 and 0 <= rows["Brier score"].value < 0.5


def test_a_ratio_says_how_many_times_as_much_the_baseline_takes() -> None:
    rows = [Timing("one", "this", 12.34, "µs", "that", 4936.0), Timing("two", "memory", 118.2, "MB")]
    *_, one, two = timing_table(rows).splitlines()
    assert one == "| this | 12.3 µs | that | 4.94 ms | 400 |"
    assert two == "| memory | 118 MB |  |  |  |"


def test_two_functions_are_timed_in_turn() -> None:
    called: list[str] = []
    one, other = paired(lambda text: called.append(f"1{text}"), lambda text: called.append(f"2{text}"), "ab", rounds=2)
    assert called == ["1a", "2a", "1b", "2b"] * 2
    assert 0 < one < 1e5 and 0 < other < 1e5


def test_the_footprint_is_seconds_and_megabytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_artifacts().save(tmp_path / "artifacts")
    (tmp_path / "queries").write_text("дождь\nслон", encoding="utf-8")
    with (tmp_path / "queries").open(encoding="utf-8") as queries:
        monkeypatch.setattr("sys.stdin", queries)
        footprint.main("bot.search.engine", str(tmp_path / "artifacts"))
    seconds, megabytes = json.loads(capsys.readouterr().out)
    assert 0 < seconds < 60 and 10 < megabytes < 10_000


def test_pictures_are_small(tmp_path: Path) -> None:
    pictures.phrase_map(PHRASES, CONTEXT.index.vectors, tmp_path / "map.png")
    pictures.calibration(np.array([False, True, True]), np.array([0.1, 0.2, 0.9]), tmp_path / "calibration.png")
    drawn = sorted(tmp_path.iterdir())
    assert len(drawn) == 2
    assert all(path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size < 80_000 for path in drawn)


def test_a_fuller_report_is_kept(tmp_path: Path) -> None:
    rows = [mean_of(figure, [0, 1], Data("coins", "coins", "test")) for figure in ("heads", "tails")]
    write_report(rows, tmp_path, {})
    keep_fuller(rows, [], tmp_path)
    with pytest.raises(ReportError, match=r"2 figures and this run 1 .*no coins.*--out DIR.*--force"):
        keep_fuller(rows[:1], ["no coins"], tmp_path)


def test_sections_without_figures_are_left_out_of_the_report() -> None:
    template = "# Report\n\n## Coins\n\nOf two sides.\n\n{coins-*}\n\n{toss}\n\n## Dice\n\n{dice}\n\n## End\n"
    text = filled(template, {"coins-ru": "ru", "coins-en": "en", "dice": ""})
    assert text == "# Report\n\n## Coins\n\nOf two sides.\n\nru\n\nen\n\n## End\n"


def test_variants_are_a_table_when_somebody_built_them(tmp_path: Path) -> None:
    rows = [{"variant": "served", "change": "", "figures": {"MRR": 0.4}}]
    rows += [{"variant": "no stems", "change": "stems = 0", "figures": {"MRR": 0.39, "R@10": 0.6}}]
    (tmp_path / "ablation.json").write_text(json.dumps(rows), encoding="utf-8")
    write_report([], tmp_path, {})
    text = (tmp_path / "evaluation.md").read_text(encoding="utf-8")
    assert "| served |  | 0.400 |  |\n| no stems | stems = 0 | 0.390 | 0.600 |" in text


@pytest.mark.parametrize(("name", "changes"), tomllib.loads(VARIANTS.read_text(encoding="utf-8")).items())
def test_every_variant_changes_fields_that_there_are(name: str, changes: dict[str, Any]) -> None:
    fields = dict(changes)
    replace(PHRASES[0], **fields.pop("phrase", {}))
    replace(Recipe().fusion, **fields.pop("fusion", {}))
    assert fields.pop("weights", {}).keys() <= Recipe().weights.keys()
    assert replace(Recipe(), **fields) != Recipe() or not fields
    assert changes or name == "as served"
