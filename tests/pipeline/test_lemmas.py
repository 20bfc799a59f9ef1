"""Dictionary forms of words."""

from __future__ import annotations

import pytest

from pipeline.data.sources import DataFolder
from pipeline.index.lemmas import Lemmas, forms, lemmas


@pytest.fixture(scope="module")
def forms_of() -> dict[str, Lemmas]:
    return lemmas(DataFolder())


@pytest.mark.parametrize(
    ("language", "word", "lemma"),
    [
        *(("ru", word, "заяц") for word in ("зайцами", "заяц")),
        ("ru", "медом", "мед"),
        *(("ru", "пекла", lemma) for lemma in ("печь", "пекло")),
        *(("en", word, "fly") for word in ("fly", "flies", "flew", "flying")),
        *(("en", word, "stop") for word in ("stops", "stopped", "stopping")),
        ("en", "wolves", "wolf"),
        ("en", "teeth", "tooth"),
    ],
)
def test_a_form_has_its_lemma(forms_of: dict[str, Lemmas], language: str, word: str, lemma: str) -> None:
    assert lemma in forms_of[language](word)


def test_an_unknown_word_stands_for_itself(forms_of: dict[str, Lemmas]) -> None:
    assert forms_of["en"]("qwzx") == ("qwzx",)


def test_words_have_all_their_forms() -> None:
    found = forms(["умерить", "бальзам", "нетслова", "wager", "hermit", "stop", "cry", "qwzx"], DataFolder())
    assert {"умерил", "умерим", "бальзаме", "бальзамами", "wagering", "hermits", "stopped", "cried"} <= found
    assert not {"нетслова", "умереть", "qwzxs", "умеренного"} & found
