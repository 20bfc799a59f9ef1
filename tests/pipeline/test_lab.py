"""The training lab in its smallest form: what is split stays apart, what is learned is kept, and loads elsewhere."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from sentence_transformers import CrossEncoder, SentenceTransformer
from sentence_transformers.sentence_transformer.evaluation import (
    EmbeddingSimilarityEvaluator,
    InformationRetrievalEvaluator,
)
from sklearn.preprocessing import normalize

from bot.search.engine import SearchEngine
from bot.search.phrases import Phrase
from pipeline.data.sources import DATA, DataFolder, folded, load_sources
from pipeline.evaluation.metrics import Values
from pipeline.evaluation.sentences import components
from pipeline.lab import duplicates, measuring, models, reranking, splits, training
from pipeline.lab.__main__ import EXPERIMENTS, main
from pipeline.lab.pairs import MaskedSiamese
from pipeline.lab.report import Findings
from pipeline.lab.setting import Lab, Plan, Training
from pipeline.lab.splits import Pair
from support.small import PHRASES, small_artifacts
from support.teaching import DOES, THINGS, ВЕЩИ, ДЕЛАЕТ

NAMES = list(zip(THINGS, ВЕЩИ, strict=True))


@pytest.fixture
def lab(tmp_path: Path, teacher: Path, data: DataFolder) -> Iterator[Lab]:
    """A tiny lab over small sets, on one thread, because two would wait for each other on a busy machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    asked = [(f"A {thing} {does}.", f"The {thing} {does}?") for thing in THINGS for does in DOES]
    questions = [f"{one}\t{other}\t1\t{'gupta_test' if row < 5 else 'quora'}" for row, (one, other) in enumerate(asked)]
    judged = [f"{row % 2}\t{one}\t{other if row % 2 else asked[-row][1]}" for row, (one, other) in enumerate(asked)]
    russian = [
        f"{вещь} {делает}\tодна {вещь} {делает if row % 2 else 'нет'}\t{1 if row % 2 else -1}"
        for row, вещь in enumerate(ВЕЩИ)
        for делает in ДЕЛАЕТ
    ]
    contents = {
        "qqp": ["q1\tq2\tis_duplicate\tsplit", *questions],
        "mrpc_train": ["Quality\t#1 String\t#2 String", *judged[:60]],
        "mrpc_test": ["Quality\t#1 String\t#2 String", *judged[48:]],
        "ru_paraphraser": ["text_1\ttext_2\tclass", *russian],
    }
    queries = [{"gold": f"{вещь} летит", "also_ok": [], "en": f"a {thing} in the air"} for thing, вещь in NAMES]
    idioms = [
        {
            "phrase": f"{вещь} {делает}",
            "meaning": f"{вещь} {делает}",
            "meaning_en": f"a {thing} that {does}",
            "scenes": [f"the {thing} {does} again"],
            "topics": [does],
        }
        for thing, вещь in NAMES
        for does, делает in zip(DOES, ДЕЛАЕТ, strict=True)
    ]
    english = [{"phrase": f"{thing} it", "meaning": f"to be a {thing}"} for thing in THINGS]
    for file, rows in (("queries/dev_queries", queries), ("idioms/ru", idioms), ("idioms/en", english)):
        path = data.folders[0] / f"{file}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    sources = load_sources(DATA / "sources.toml")
    for name, lines in contents.items():
        path, content = data.folders[0] / sources[name].file, "\n".join(lines).encode()
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    yield Lab(data, (str(teacher),), "cpu", 1, True, tmp_path / "report", tmp_path / "cache")
    torch.set_num_threads(threads)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_learns_and_reports(name: str, lab: Lab) -> None:
    text = EXPERIMENTS[name](lab).write().read_text(encoding="utf-8")
    found = json.loads((lab.out / "lab.json").read_text(encoding="utf-8"))[name]["findings"]
    cells = {(cell["table"], cell["system"], cell["figure"]): cell["value"] for cell in found}
    losses = [value for (_, _, figure), value in cells.items() if figure == "loss, first and last"]
    for first, last in (map(float, value.split(", ")) for value in losses):
        assert last < first
    assert all(f"**{table}**" in text for table, *_ in cells)
    assert "\n\n## " in text
    for folder in lab.cache.rglob("modules.json"):
        if "cross-encoder" in str(folder):
            assert 0 < CrossEncoder(str(folder.parent), device="cpu").predict([("a cat", "a dog")])[0] < 1
        else:
            model = SentenceTransformer(str(folder.parent), device="cpu")
            assert np.linalg.norm(model.encode(["a cat"])) == pytest.approx(1, abs=1e-4)
        assert "## Contamination" in (folder.parent / "README.md").read_text(encoding="utf-8")


def parts_of(split: splits.Split) -> list[list[Pair]]:
    return [split.train, split.dev, split.test]


@pytest.mark.parametrize("read", [lambda lab: splits.quora(lab.data, 24, 12), splits.mrpc, splits.paraphraser])
def test_parts_of_a_split_are_not_connected(lab: Lab, read: Callable[[Lab], splits.Split]) -> None:
    parts = parts_of(read(lab))
    assert all(parts)
    rows = [(row.first, row.second, 0) for part in parts for row in part]
    part_of: dict[int, int] = {}
    sides = [number for number, part in enumerate(parts) for _ in part]
    for group, side in zip(components(rows).tolist(), sides, strict=True):
        assert part_of.setdefault(group, side) == side


def test_what_is_named_test_is_never_trained_on(lab: Lab) -> None:
    split = splits.quora(lab.data, test_pairs=2, dev_pairs=12)
    reserved = {folded(f"a {THINGS[0]} {does}") for does in DOES[:5]}
    assert len(split.test) == 2
    assert reserved.isdisjoint(folded(text) for text in splits.texts_of([*split.train, *split.dev]))


def test_triplets_learn_only_from_negatives_that_break_the_margin(lab: Lab) -> None:
    vectors = {
        text: np.array([place, 0], np.float32) for text, place in (("q", 0), ("a", 5), ("b", 4), ("c", 6), ("d", 9))
    }
    assert duplicates._hard(Pair("q", "a", 1), ["b", "c", "d"], vectors, 2) == ["b", "c"]
    split = splits.quora(lab.data, test_pairs=2, dev_pairs=12)
    known = duplicates.Questions.of(lab, split)
    head = known.components.components_[:8]
    learned, judged = duplicates.triplets(lab, known, head)
    assert learned
    assert judged
    held_out = set(splits.texts_of(split.dev))
    assert all(held_out.isdisjoint(row.others) for row in learned)
    for row in [*learned, *judged]:
        asked, right, *wrong = normalize(known.vectors[[row.first, row.second, *row.others]] @ head.T)
        assert all(np.linalg.norm(asked - one) < np.linalg.norm(asked - right) + 1 + 1e-4 for one in wrong)


def test_negatives_are_near_and_of_other_groups() -> None:
    pairs = [Pair("a red cat", "the red cat", 1), Pair("a red dog", "the red dog", 1), Pair("one sea", "the sea", 1)]
    angles = np.array([0, 0.4, 0.6, 1, 2, 2.4])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    groups = dict(zip(splits.texts_of(pairs), [0, 0, 1, 1, 2, 2], strict=True))
    assert splits.mined(pairs, vectors, 1, 0.87, groups) == [["a red dog"], ["a red cat"], ["the red dog"]]
    linked = dict(zip(splits.texts_of(pairs), [0, 0, 0, 0, 1, 1], strict=True))
    assert splits.mined(pairs, vectors, 1, 0.87, linked) == [[], ["one sea"], ["the red dog"]]
    made = splits.with_negatives(pairs, groups)
    wrong = [row for row in made if not row.label]
    assert {row for row in made if row.label} == set(pairs)
    assert wrong
    for row in wrong:
        assert set(row.first.split()) & set(row.second.split())
        assert row.second not in next(pair for pair in pairs if pair.first == row.first)


class Line(torch.nn.Module):
    """y = w x, to learn w = 3 from noisy rows."""

    def __init__(self) -> None:
        super().__init__()
        self.w = torch.nn.Parameter(torch.zeros(1))

    def loss(self, rows: Sequence[Pair]) -> torch.Tensor:
        x = torch.tensor([row.label for row in rows])
        return ((self.w * x - 3 * x + 0.1 * torch.randn(len(rows))) ** 2).mean()


POINTS = [Pair("x" * number, "", number % 5) for number in range(40)]


def trained(lab: Lab, name: str, model: Line) -> Training:
    training.train(lab, model, model.loss, POINTS, [], Plan(9), name, held_out=lambda: abs(model.w.item() - 3))
    return lab.done.pop(name)


def test_a_killed_training_goes_on_as_if_nothing_had_happened(lab: Lab) -> None:
    whole, model = trained(lab, "whole", one := Line()), Line()
    real, taken = model.loss, []

    def killed(rows: Sequence[Pair]) -> torch.Tensor:
        taken.append(rows)
        if len(taken) == 7:
            raise KeyboardInterrupt
        return real(rows)

    model.loss = killed  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        trained(lab, "killed", model)
    resumed = trained(lab, "killed", other := Line())
    assert len(taken) == 7
    assert resumed.history == whole.history
    assert other.w.item() == one.w.item() != 0
    assert trained(lab, "killed", Line()) == resumed


def test_the_best_weights_are_kept(lab: Lab) -> None:
    model, looks = Line(), iter([1.0, 0.5, 2.0])
    seen: list[float] = []

    def held_out() -> float:
        seen.append(model.w.item())
        return next(looks)

    training.train(lab, model, model.loss, POINTS, [], Plan(9), "best", held_out=held_out)
    assert model.w.item() == seen[1]


def test_a_training_begins_anew_when_its_data_changed(lab: Lab) -> None:
    model, rows = models.encoder(lab), [Pair("a cat", "a dog", 1)]
    same, label, text = [Pair("a cat", "a dog", 1)], [Pair("a cat", "a dog", 0)], [Pair("a cat", "a cow", 1)]
    begun = [training._digest(model, Plan(2), some, rows) for some in (rows, same, label, text)]
    assert begun[0] == begun[1] and len(set(begun)) == 3


def test_every_row_is_drawn_once_in_a_turn_and_beside_rows_of_its_length() -> None:
    lengths = np.random.default_rng(0).integers(1, 100, 640)
    batches = [training.drawn(lengths, 8, 0, step) for step in range(80)]
    assert sorted(row for rows in batches for row in rows) == list(range(640))
    assert np.mean([np.ptp(lengths[rows]) for rows in batches]) < 20
    assert training.drawn(lengths, 8, 0, 80) != batches[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scratch", "--data", "nowhere"], "there is no folder nowhere"),
        (["duplicates", "--tiny", "--base", "./nowhere"], "teacher folder ./nowhere does not exist"),
        (["scratch", "--device", "cuda"], "no usable GPU on this machine"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str], message: str, lab: Lab, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    if "--data" not in arguments:
        arguments = [*arguments, "--data", str(lab.data.folders[0]), "--cache", str(lab.cache)]
    assert main(arguments) == 1
    assert message in capsys.readouterr().err


def test_evaluators_of_sentence_transformers_measure_the_same(lab: Lab) -> None:
    model = models.encoder(lab)
    test, judged = splits.quora(lab.data, 24, 12).test, splits.stsb(lab, "en").test
    texts = splits.texts_of(test)
    found = measuring.ranks(test, lab.embed(model, texts))
    corpus = {text: text for text in texts}
    asked = {row.first: {row.second} for row in test}
    for row in test:  # the evaluator has no other way to keep a question from finding itself
        theirs = InformationRetrievalEvaluator(
            {"query": row.first},
            {text: text for text in corpus if text != row.first},
            {"query": asked[row.first]},
            accuracy_at_k=[5],
            show_progress_bar=False,
        )(model)
        assert theirs["cosine_accuracy@5"] == float(found[test.index(row)] < 5)
    first, second = [row.first for row in judged], [row.second for row in judged]
    theirs = EmbeddingSimilarityEvaluator(first, second, measuring.labels(judged).tolist())(model)
    ours = measuring.spearman(measuring.labels(judged), measuring.cosines(partial(lab.embed, model), judged))
    assert ours == pytest.approx(theirs["spearman_cosine"], abs=0.02)


def test_masked_inputs_keep_their_ends_and_lengths(lab: Lab) -> None:
    model = models.encoder(lab)
    siamese = MaskedSiamese(model)
    column = training.features(model, ["A cat runs. A dog sleeps. A cow sings."] * 50)
    masked = siamese._masked(column)["input_ids"]
    changed = masked != column["input_ids"]
    assert not changed[:, [0, -1]].any()
    assert 0.08 < float(changed[:, 1:-1].float().mean()) < 0.22
    assert set(masked[changed].tolist()) == {siamese.mask}


def test_only_the_last_layers_learn(lab: Lab) -> None:
    model = models.encoder(lab)
    models.freeze(model, 1)
    learning = {name for name, weight in model.named_parameters() if weight.requires_grad}
    assert learning
    assert all(".layer.1." in name for name in learning)


def test_a_report_keeps_what_other_experiments_found(lab: Lab) -> None:
    for experiment, value in (("scratch", 0.5), ("tune", 0.25), ("scratch", 0.75)):
        findings = Findings(lab, experiment)
        findings.mean("stsb-ru", "a system", "Spearman", [[value, value], [value + 0.1, value + 0.1]])
        text = findings.write().read_text(encoding="utf-8")
    assert "0.800 (0.750 to 0.850)" in text
    assert "0.300 (0.250 to 0.350)" in text
    assert "| *known: rubert-tiny, a guess at best* | *0.66* |" in text
    assert "0.550" not in text
    assert text.count("This was a tiny run") == 2
    assert text.count(f"Run with {Path(lab.base).name} on a CPU") == 2


def test_reading_anew_orders_what_the_engine_found(lab: Lab) -> None:
    engine, findings = SearchEngine(small_artifacts()), Findings(lab, "pairs")
    right = [(phrase.meaning_in("en"), frozenset([phrase.key]), "ru") for phrase in PHRASES[:3]]

    def knows(pairs: Sequence[Pair]) -> Values:
        return np.array([pair.first == pair.second for pair in pairs], np.float64)

    reranking.rerank(findings, engine, {"told": right}, [knows, lambda pairs: -knows(pairs)])
    cells = {(cell.table, cell.system, cell.figure): cell for cell in findings.cells}
    assert cells["pairs/told", "engine", "MRR"].value == 1
    good, bad = cells["pairs/told", "cross-encoder", "P@1"].seeds
    assert good == 1 > bad
    assert cells["pairs/told", "both minus engine", "MRR"].seeds[0] == 0


def test_a_scene_is_read_beside_its_meaning_and_a_near_one(lab: Lab) -> None:
    told = [replace(phrase, scenes=("we do nothing", "льёт дождь")) for phrase in PHRASES[:2]]
    learned, held_out = reranking.scenes(lab, SearchEngine(small_artifacts(told)), told)
    meanings = {phrase.meaning_in("en") for phrase in told}
    assert {row.first for row in [*learned, *held_out]} == {"we do nothing"}
    assert held_out
    assert all({row.second, *row.others} == meanings for row in [*learned, *held_out])


def test_equivalents_are_told_from_what_is_near_but_not_linked(lab: Lab) -> None:
    rain, idle = ("лить как из ведра", "of heavy rain"), ("бить баклуши", "to idle and do nothing")
    told = [Phrase(text, "ru", ("что-то",), {"en": meaning}) for text, meaning in (rain, idle)]
    told[0] = replace(told[0], equivalents={"en": ("rain cats and dogs", "no entry of ours")})
    told[1] = replace(told[1], equivalents={"en": ("twiddle one's thumbs",)})
    told += [Phrase("rain cats and dogs", "en", ("to rain very hard",))]
    told += [Phrase("twiddle one's thumbs", "en", ("to do nothing in the rain",))]
    pairs = reranking.linked(lab, small_artifacts(told))
    linked = {frozenset(pair.texts) for pair in pairs if pair.label}
    near = {frozenset(pair.texts) for pair in pairs if not pair.label}
    assert linked == {frozenset((rain[1], "to rain very hard")), frozenset((idle[1], "to do nothing in the rain"))}
    assert near
    assert linked.isdisjoint(near)
    findings, many = Findings(lab, "pairs"), pairs * 10
    right = measuring.labels(many)
    reranking.tell_apart(findings, many, {"right": [right], "wrong": [-right]})
    assert [cell.value for cell in findings.cells] == [1, 0]


def test_products_have_the_precision_that_the_device_is_measured_in(lab: Lab) -> None:
    some = torch.ones(2, 2)
    with lab.autocast():
        assert (some @ some).dtype == lab.precision
