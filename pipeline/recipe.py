"""Every number of a build in one place; saved in the manifest beside what it made."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from bot.search.ranking import Ranking


class RecipeError(Exception):
    """A recipe that cannot be followed; the message names the file and the field."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How artifacts are made. A TOML file may set any field."""

    name: str = "default"

    # The teacher.
    teacher: str = "all-MiniLM-L6-v2"
    pooling: Literal["mean", "cls"] = "mean"
    max_tokens: int = 128
    multilingual: bool = False
    """True: the teacher reads every language, and no parallel text is needed to teach it one."""

    # Which of the teacher's dimensions are served.
    most_dimensions: int = 256
    selection_tolerance: float = 0.006
    """As many dimensions are kept as come this near to the training pairs' best Spearman: retrieval needs many."""

    # The approximator.
    vocabulary: int = 40_000
    components: int = 384
    """Size of the PCA space that the regression aims at; at most the teacher's."""
    ridge: float = 1.0
    contamination: float = 0.0
    """Share of a training text's pieces that are left out, as typos and names would be."""

    # How much training texts weigh beside a dictionary's definition.
    judged_weight: float = 4.0
    """Sentences of the judged training pairs: written for everyday scenes, as queries are."""
    sentence_weight: float = 2.0
    """Translated sentences."""
    meaning_weight: float = 2.0
    """Meanings of the phrases themselves."""
    dictionary_weight: float = 0.4
    """Times this when a text is one or two words."""

    # The refinement of the regression's table.
    epochs: float = 1.0
    """Passes over the training texts; 0 leaves the table as it is."""
    batch: int = 1024
    learning_rate: float = 2e-4
    temperature: float = 0.05

    # The vectors of phrases: weights beside 1 for a meaning.
    phrase_weight: float = 0.3
    example_weight: float = 0.5

    # The index.
    trees: int = 30
    search_k: int = 4000
    least_recall: float = 0.99

    ranking: Ranking = field(default_factory=Ranking)
    seed: int = 2021

    @property
    def judged_languages(self) -> tuple[str, ...]:
        """Languages of the judged pairs that the teacher reads."""
        return ("en", "ru") if self.multilingual else ("en",)


RECIPES = {
    "default": Recipe(),
    "labse": Recipe(name="labse", teacher="cointegrated/LaBSE-en-ru", multilingual=True),
}


def load_recipe(name: str) -> Recipe:
    """A recipe by name, or a TOML file of its fields over those of `default`."""
    if name in RECIPES:
        return RECIPES[name]
    path = Path(name)
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RecipeError(f"{name}: neither a file nor a recipe; the recipes are {', '.join(RECIPES)}") from None
    except (OSError, ValueError) as error:
        raise RecipeError(f"{path}: not a TOML file ({error})") from error
    return replace(Recipe(name=path.stem), **_checked(path, values))


def _checked(path: Path, values: dict[str, Any]) -> dict[str, Any]:
    defaults = asdict(Recipe())
    for name, value in values.items():
        if name not in defaults:
            raise RecipeError(f"{path}: no field {name}; the fields are {', '.join(defaults)}")
        wanted = type(defaults[name])
        if not isinstance(value, wanted) and not (wanted is float and isinstance(value, int)):
            raise RecipeError(f"{path}: {name} must be of type {wanted.__name__}, not {value!r}")
    return values
