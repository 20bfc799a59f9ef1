"""Recipes: what a file of numbers may say, and one clear sentence for everything else."""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict
from pathlib import Path
from typing import get_args

import pytest

from bot.search.phrases import Role
from bot.search.rank.fusion import Fusion
from pipeline.recipe import RECIPES, Recipe, RecipeError, load_recipe


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_file_sets_some_fields_and_leaves_the_others(tmp_path: Path) -> None:
    text = "vocabulary = 500\nridge = 2\nstem_lengths = [4, 5]\n[weights]\nscene = 0\n[fusion]\ngloss = 0.9\n"
    recipe = load_recipe(written(tmp_path, text))
    weights: dict[Role, float] = {"phrase": 0.3, "meaning": 1.0, "translation": 1.0, "example": 0.5, "scene": 0.0}
    expected = Recipe(
        name="mine",
        vocabulary=500,
        ridge=2.0,
        stem_lengths=(4, 5),
        weights={"variant": 0.0, "equivalent": 0.0, "opposite": 0.0, **weights},
        fusion=Fusion(gloss=0.9),
    )
    assert recipe == expected
    assert recipe.weights.keys() == set(get_args(Role))


@pytest.mark.parametrize("name", ["weights", "read_weights"])
def test_a_file_sets_some_weights_and_leaves_the_others(tmp_path: Path, name: str) -> None:
    usual, weights = (
        getattr(one, name) for one in (Recipe(), load_recipe(written(tmp_path, f"[{name}]\nscene = 9\n")))
    )
    assert weights == {**usual, "scene": 9.0}


def test_a_recipe_has_a_name_and_is_json() -> None:
    assert {name: load_recipe(name).name for name in RECIPES} == {"default": "default", "labse": "labse"}
    saved = json.loads(json.dumps(asdict(Recipe())))
    assert saved["weights"]["scene"] == 0.7 and saved["weights"]["variant"] == 0
    assert saved["fusion"]["gloss"] == 0.8 and saved["stem_lengths"] == [4, 5, 6]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("vocabulary = 'many'", "vocabulary must be a valid integer, not 'many'"),
        ("vocabulary = true", "vocabulary must be a valid integer, not True"),
        ("vocabulary = 2021-01-01", "vocabulary must be a valid integer, not '2021-01-01'"),
        ("ridge = nan", "ridge must be a finite number, not nan"),
        ("stem_lengths = 4", "stem_lengths must be a valid array, not 4"),
        ("stem_lengths = [4, 'five']", "stem_lengths.1 must be a valid integer, not 'five'"),
        ("vocabulry = 5", "no field vocabulry; the fields are name, teacher"),
        ("[weights]\nscenes = 1", "weights.scenes must be 'phrase', 'variant'"),
        ("[weights]\nscene = 'much'", "weights.scene must be a valid number, not 'much'"),
        ("weights = 3", "weights must be"),
        ("fusion = 3", "fusion must be an object, not 3"),
        ("[fusion]\nspeed = 1", "no field fusion.speed; the fields are gloss, reading, lexical_threshold"),
        ("pooling = 'max'", "pooling must be 'mean' or 'cls', not 'max'"),
        ("= 5", "not a TOML file"),
        ("[fusion]\nlexical_saturation = 0.4", "in fusion, lexical_saturation is not above lexical_threshold"),
        ("[fusion]\ngloss = -1", "in fusion, gloss is -1.0 instead of a number from 0"),
    ],
)
def test_a_wrong_recipe_names_the_file_and_the_field(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(RecipeError, match=re.escape(f"{path}: {message}")) as caught:
        load_recipe(path)
    assert "\n" not in str(caught.value)


def test_a_recipe_that_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(RecipeError, match="a pipe, a socket or a device instead of a file"):
        load_recipe(str(tmp_path / "pipe.toml"))


def test_a_recipe_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(RecipeError, match=r"^none: neither a file nor a recipe; the recipes are default, labse$"):
        load_recipe("none")
