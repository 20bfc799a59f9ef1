"""The reader's training on a small teacher: pieces that begin as translations, steps that can be killed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from bot.search.phrases import Phrase
from pipeline.data.sources import Contrast, DataFolder
from pipeline.recipe import Recipe
from pipeline.train import finding
from pipeline.train import steps as training_of
from pipeline.train.alignment import translation_probabilities
from pipeline.train.encoder import SentenceEncoder, export
from pipeline.train.finding import PhraseVectors, contraries, finding_loss, translations_loss
from pipeline.train.reader import train_reader, tune_reader
from pipeline.train.steps import take_steps
from pipeline.train.student import bilingual_student, student_of, student_tokenizer
from pipeline.train.teacher import Teacher
from pipeline.train.texts import TrainingTexts
from pipeline.train.tuning import tuned_teacher
from support.teaching import DOES, SENTENCES, THINGS, ВЕЩИ, ДЕЛАЕТ

TINY = Recipe(
    reader_pieces=150,
    reader_batch=8,
    tuning_steps=4,
    translation_batch=16,
    translation_steps=30,
    phrase_steps=12,
)
PHRASES = [
    Phrase(
        text=f"{вещь} за {вещь}",
        language="ru",
        meanings=(f"{вещь} {ДЕЛАЕТ[0]}",),
        translations={"en": f"a {thing} {DOES[0]}"},
        scenes=(f"the {thing} {DOES[0]}", f"эта {вещь}"),
    )
    for thing, вещь in zip(THINGS, ВЕЩИ, strict=True)
]
TEXTS = TrainingTexts(
    [text for pair in SENTENCES for text in pair], [english for english, _ in SENTENCES for _ in range(2)], [1.0] * 144
)


def test_what_stands_in_the_same_sentences_is_a_translation() -> None:
    found = translation_probabilities([[0, 1], [0], [1, 2]], [[3, 4], [3], [4, 5]], 3, 6).toarray()
    assert found.argmax(axis=1).tolist() == [3, 4, 5]
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert translation_probabilities([[0]], [[1]], 2, 2).toarray()[1].sum() == 0


def test_a_new_piece_begins_where_its_translations_are(teacher: Path) -> None:
    known = Teacher(str(teacher), device="cpu").encoder()
    pairs = [(russian, english) for english, russian in SENTENCES]
    student = bilingual_student(known, student_tokenizer(known, [russian for russian, _ in pairs], 150), pairs)
    pieces, table = student.tokenizer.get_vocab(), student.table.detach().numpy()
    lion, cow = (table[pieces[word]] for word in ("lion", "cow"))
    lev = table[student.tokenizer.encode("лев", add_special_tokens=False).ids[0]]
    assert np.linalg.norm(lev - lion) < np.linalg.norm(lev - cow)
    encoded = student.tokenizer.encode("Ёлка, the LION!").tokens
    assert encoded[0] == "[CLS]" and encoded[-1] == "[SEP]" and "lion" in encoded
    np.testing.assert_allclose(student.embed(["a lion"]), known.embed(["a lion"]), atol=0.05)


def trained(
    teacher: Path, data: DataFolder, cache: Path, recipe: Recipe = TINY, phrases: Sequence[Phrase] = PHRASES
) -> SentenceEncoder:
    known = tuned_teacher(Teacher(str(teacher), device="cpu"), PHRASES, data, recipe, cache)
    return train_reader(known, TEXTS, phrases, data, recipe, cache)


def test_a_tuned_teacher_finds_what_scenes_mean(teacher: Path, data: DataFolder, tmp_path: Path) -> None:
    known = Teacher(str(teacher), device="cpu")
    tuned = tuned_teacher(known, PHRASES, data, replace(TINY, tuning_steps=40), tmp_path)

    def found(by: Teacher) -> float:
        scenes, meanings = (
            by.embed([one.scenes[0] for one in PHRASES]),
            by.embed([one.meaning_in("en") for one in PHRASES]),
        )
        cosines = scenes @ meanings.T
        return float((np.diag(cosines) - cosines.mean(axis=1)).mean())

    assert found(tuned) > found(known) and tuned.fingerprint != known.fingerprint
    assert tuned_teacher(known, PHRASES, data, replace(TINY, tuning_steps=0), tmp_path) is known
    untold = [replace(phrase, scenes=()) for phrase in PHRASES]
    assert tuned_teacher(known, untold, data, TINY, tmp_path) is known


def test_the_student_learns_translations_and_scenes(teacher: Path, data: DataFolder, tmp_path: Path) -> None:
    def likeness(encoder: SentenceEncoder) -> float:
        english, russian = (encoder.embed([pair[side] for pair in SENTENCES]) for side in (0, 1))
        return float((english * russian).sum(axis=1).mean())

    began = trained(
        teacher, data, tmp_path / "began", replace(TINY, tuning_steps=0, translation_steps=0, phrase_steps=0)
    )
    assert likeness(trained(teacher, data, tmp_path / "cache")) > likeness(began)


def test_a_killed_training_goes_on_where_it_was(
    teacher: Path, data: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_of, "_KEPT_EVERY", 1)
    whole = trained(teacher, data, tmp_path / "whole")
    (pieces,) = (tmp_path / "whole").glob("reader-*/pieces.json")  # two trainings may choose other ones
    (tmp_path / "killed" / pieces.parent.name).mkdir(parents=True)
    shutil.copy(pieces, tmp_path / "killed" / pieces.parent.name)
    taken: list[int] = []
    real = torch.nn.utils.clip_grad_norm_

    def counted(*given: object) -> None:
        taken.append(1)
        real(*given)  # type: ignore[arg-type]

    def killed(*given: object) -> None:
        counted(*given)
        if len(taken) == 38:  # among the scenes
            raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(torch.nn.utils, "clip_grad_norm_", killed)
        trained(teacher, data, tmp_path / "killed")
    begun = len(taken)
    with monkeypatch.context() as patched:
        patched.setattr(torch.nn.utils, "clip_grad_norm_", counted)
        resumed = trained(teacher, data, tmp_path / "killed")
    assert len(taken) - begun == TINY.tuning_steps + TINY.translation_steps + TINY.phrase_steps - 37
    texts = [text for pair in SENTENCES[:8] for text in pair]
    np.testing.assert_allclose(resumed.embed(texts), whole.embed(texts), atol=1e-2)


def test_the_vectors_of_phrases_are_those_that_the_bot_compares_with(teacher: Path) -> None:
    encoder = Teacher(str(teacher), device="cpu").encoder()
    known = PhraseVectors(PHRASES, encoder.table.shape[1], TINY)
    known.fill(encoder)
    first = PHRASES[0]
    weighed = [(first.text, 0.3), (first.meanings[0], 1.0), (first.translations["en"], 1.0)]
    weighed += [(scene, 0.4) for scene in first.scenes]
    vectors, weights = encoder.embed([text for text, _ in weighed]), np.array([weight for _, weight in weighed])
    np.testing.assert_allclose(known.sums[0].numpy(), weights @ vectors, atol=2e-3)
    # A text's own phrase is taken without it, or every text would find itself.
    number, other = known.texts.index(first.scenes[0]), known.texts.index(PHRASES[1].scenes[0])
    without = weights[:3] @ vectors[:3] + weights[4] * vectors[4]
    asked = encoder.embed([first.scenes[0], PHRASES[1].scenes[0]])
    cosines = known.cosines(torch.from_numpy(asked), np.array([number, other]))
    assert cosines.shape == (2, len(PHRASES))
    assert float(cosines[0, 0]) == pytest.approx(asked[0] @ without / np.linalg.norm(without), abs=2e-3)
    whole = weights @ vectors
    assert float(cosines[1, 0]) == pytest.approx(asked[1] @ whole / np.linalg.norm(whole), abs=2e-3)


def test_a_text_that_is_read_anew_changes_its_phrase(teacher: Path) -> None:
    encoder = Teacher(str(teacher), device="cpu").encoder()
    known = PhraseVectors(PHRASES, encoder.table.shape[1], TINY)
    known.fill(encoder)
    number = known.texts.index(PHRASES[2].meanings[0])
    before, newer = known.sums.clone(), torch.from_numpy(encoder.embed(["something else"]))
    known.renew(np.array([number]), newer)
    torch.testing.assert_close(known.vectors[number].float(), newer[0], atol=1e-3, rtol=0)
    changed = (known.sums != before).any(dim=1)
    assert changed.nonzero().tolist() == [[2]]


def test_every_draw_is_of_different_phrases() -> None:
    known = PhraseVectors(PHRASES, 4, TINY)
    opposed = np.arange(len(PHRASES)) < 6
    numbers = known.drawn(8, np.random.default_rng(1), opposed)
    assert len(set(known.rows[numbers].tolist())) == 8
    assert opposed[known.rows[numbers]].sum() == 4
    assert len(known.drawn(8, np.random.default_rng(1), np.ones_like(opposed))) == 8
    assert len(known.drawn(10_000, np.random.default_rng(1), opposed)) == len(PHRASES)
    alone = [replace(PHRASES[0], meanings=("тут",), translations={}, scenes=(), text="тут")]
    assert len(PhraseVectors(alone, 4, replace(TINY, read_weights={**TINY.read_weights, "phrase": 0.0})).texts) == 1


def test_the_nearer_the_opposite_the_greater_the_loss(teacher: Path) -> None:
    encoder = Teacher(str(teacher), device="cpu").encoder()
    phrases = [replace(PHRASES[0], opposites=(PHRASES[1].text,)), *PHRASES[1:]]
    recipe = replace(TINY, reader_batch=len(PHRASES))
    apart, together = (finding_loss(encoder, given, (), recipe)[0](0).item() for given in (PHRASES, phrases))
    assert together > apart


def test_a_sentence_that_asks_for_the_contrary_learns_to_keep_away_from_it(teacher: Path, tmp_path: Path) -> None:
    one, other = PHRASES[:2]
    phrases = [replace(one, opposites=(other.text,)), *PHRASES[1:]]
    contrasts = [
        Contrast("ru", (one.text, other.text), ("a lion", "no lion")),
        Contrast("ru", ("нет", "тут"), ("", "")),
    ]
    encoder = Teacher(str(teacher), device="cpu").encoder()
    # It need not find its phrase: where that has no contrary, what the sentence says changes nothing.
    others = [Contrast("ru", contrasts[0].phrases, ("a cow", "no cow"))]
    one_loss, other_loss = (finding_loss(encoder, PHRASES, some, TINY)[0](0).item() for some in (contrasts, others))
    assert one_loss == pytest.approx(other_loss)
    with_contrasts, known = finding_loss(encoder, phrases, contrasts, TINY)
    take_steps(encoder, with_contrasts, 40, 1e-3, tmp_path / "contrasts.pt", known)
    nearer = torch.from_numpy(encoder.embed(contrasts[0].texts)) @ functional.normalize(known.sums[:2], dim=1).T
    assert nearer[0, 0] > nearer[0, 1] and nearer[1, 1] > nearer[1, 0]


def test_words_are_dropped_only_where_no_phrase_says_the_contrary(
    teacher: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped: list[str] = []

    def dropping(text: str, _: np.random.Generator) -> str:
        dropped.append(text)
        return text

    monkeypatch.setattr(finding, "with_words_dropped", dropping)
    encoder = Teacher(str(teacher), device="cpu").encoder()
    phrases = [replace(PHRASES[0], opposites=(PHRASES[1].text,)), *PHRASES[1:]]
    finding_loss(encoder, phrases, (), replace(TINY, reader_batch=len(PHRASES)))[0](0)
    assert dropped and not any(PHRASES[row].scenes[0] in dropped for row in (0, 1))


def test_translations_are_learned_beside_those_that_begin_or_end_alike(
    teacher: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = Teacher(str(teacher), device="cpu").encoder()
    pairs = [(f"{other} {one}", f"{one} {other}") for one in "abcdefgh" for other in "ijklmnop"]
    seen: list[str] = []

    def encode(texts: Sequence[str]) -> torch.Tensor:
        seen.extend(texts)
        return torch.eye(len(texts))

    monkeypatch.setattr(encoder, "encode", encode)
    loss = translations_loss(encoder, pairs, [1.0] * len(pairs), replace(TINY, reader_batch=4))
    for step, side in ((0, 0), (training_of.POOL, -1)):
        seen.clear()
        loss(step)
        originals, translations = seen[4:], seen[:4]
        assert {*zip(translations, originals, strict=True)} <= {*pairs}
        assert len(set(originals)) == 4 and len({original[side] for original in originals}) <= 2


def test_either_of_two_translations_of_a_text_is_right(teacher: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = Teacher(str(teacher), device="cpu").encoder()
    monkeypatch.setattr(encoder, "encode", lambda texts: torch.tensor([[1.0, 0.0]] * len(texts)))
    recipe = replace(TINY, reader_batch=2)
    for pairs in ([("да", "Yes."), ("Да!", "Sure.")], [("да", "Yes."), ("ага", "yes")]):
        assert translations_loss(encoder, pairs, [1.0, 1.0], recipe)(0).item() == pytest.approx(0)
    others = [("да", "Yes."), ("нет", "No.")]
    assert translations_loss(encoder, others, [1.0, 1.0], recipe)(0).item() > 0.5


def test_contraries_are_told_across_languages() -> None:
    # 0 and 1 are opposites; 2 is the counterpart of 0, 3 that of 1; 4 is a counterpart of 0 that is named its opposite.
    opposites, counterparts = [[1, 4], [0], [], [], [0]], [[2, 4], [3], [0], [1], [0]]
    assert contraries(opposites, counterparts) == [[1, 3], [0, 2, 4], [1, 4], [0], [2, 1]]


def test_meanings_may_weigh_nothing(teacher: Path) -> None:
    recipe = replace(TINY, read_weights={**TINY.read_weights, "meaning": 0.0})
    loss, known = finding_loss(Teacher(str(teacher), device="cpu").encoder(), PHRASES, (), recipe)
    assert np.isfinite(loss(0).item()) and known.weights.min() == 0


def test_a_reader_is_trained_on_from_where_it_is(teacher: Path, data: DataFolder, tmp_path: Path) -> None:
    student = trained(teacher, data, tmp_path / "cache", replace(TINY, translation_steps=2, phrase_steps=2))
    reader, texts = export(student, tmp_path / "reader"), ["The cat sleeps.", "Кошка спит."]
    known = Teacher(str(teacher), device="cpu")
    again = student_of(reader, known.encoder())
    assert (again.embed(texts) * student.embed(texts)).sum(axis=1).min() > 0.97
    tuned = tune_reader(reader, known, TEXTS, PHRASES, data, TINY, tmp_path / "tuned")
    assert not np.allclose(tuned.embed(texts), again.embed(texts), atol=1e-3)


def test_the_exported_reader_sees_what_the_student_sees(teacher: Path, data: DataFolder, tmp_path: Path) -> None:
    student = trained(teacher, data, tmp_path / "cache", replace(TINY, translation_steps=2, phrase_steps=2))
    reader = export(student, tmp_path / "reader")
    texts = ["The cat sleeps.", "Кошка спит.", "ёж"]
    for text, vector in zip(texts, student.embed(texts), strict=True):
        assert reader.encode(text) @ vector > 0.97


def test_another_collection_is_trained_for_anew(teacher: Path, data: DataFolder, tmp_path: Path) -> None:
    one = trained(teacher, data, tmp_path)
    phrases = [replace(phrase, scenes=("скачет по полю",)) for phrase in PHRASES]
    other = trained(teacher, data, tmp_path, phrases=phrases)
    assert not np.allclose(one.embed(["the cat sings"]), other.embed(["the cat sings"]))
