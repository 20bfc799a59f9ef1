"""Every number of a build in one place; saved in the manifest beside what it made."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from bot.search.rank.fusion import Fusion

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Pooling = Literal["mean", "cls"]
POOLINGS = get_args(Pooling)


class RecipeError(Exception):
    """A recipe that cannot be followed; the message names the file and the field."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How artifacts are made. A TOML file may set any field."""

    name: str = "default"

    # The teacher.
    teacher: str = "all-MiniLM-L6-v2"
    pooling: Pooling = "mean"
    max_tokens: int = 128
    multilingual: bool = False
    """True: the teacher reads every language, and no parallel text is needed to teach it one."""

    # Which of the teacher's dimensions are served.
    most_dimensions: int = 256
    selection_tolerance: float = 0.011
    """As many dimensions are kept as come this near to the training pairs' best Spearman: retrieval needs many."""

    # The approximator.
    vocabulary: int = 30_000
    stems: int = 14_000
    """Beginnings of Russian words that are features beside the pieces."""
    stem_lengths: tuple[int, ...] = (4, 5, 6)
    components: int = 384
    """Size of the PCA space that the regression aims at; at most the teacher's."""
    ridge: float = 1.0
    contamination: float = 0.0
    """Share of a training text's features that are left out, as typos and names would be; a tenth gained nothing."""

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
    judged_loss: float = 0.2
    """Weight of the order that people gave to the judged pairs, beside the teacher's."""
    judged_batch: int = 256
    scene_loss: float = 0.1
    """Weight of finding the phrase that a scene asks for."""
    scene_batch: int = 256

    # The vectors of phrases: weights beside 1 for a meaning.
    phrase_weight: float = 0.3
    example_weight: float = 0.5
    scene_weight: float = 0.7

    # Relations of phrases.
    duplicate_meaning: float = 0.6
    duplicate_wording: float = 0.5
    """Cosines from which two phrases of a language are near-duplicates, of which one answers a query."""
    named_from: float = 0.8
    """Lexical likeness from which a curated equivalent is an entry's name, an article or a word's form aside."""
    equivalent_from: float = 0.7
    """Cosine from which a phrase of another language is called an equivalent; 7 of 10 are curated ones."""

    # The index.
    trees: int = 10
    search_k: int = 9000
    least_recall: float = 0.99

    fusion: Fusion = field(default_factory=Fusion)
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
    fusion = Fusion(**_checked(path, values.pop("fusion", {}), Fusion(), "fusion."))
    return replace(Recipe(name=path.stem, fusion=fusion), **_checked(path, values, Recipe()))


def _checked(path: Path, values: dict[str, Any], defaults: DataclassInstance, prefix: str = "") -> dict[str, Any]:
    """The values with lists as tuples; RecipeError at the first that the dataclass has no place for."""
    known = {field.name: getattr(defaults, field.name) for field in fields(defaults)}
    for name, value in values.items():
        if name not in known:
            raise RecipeError(f"{path}: no field {prefix}{name}; the fields are {', '.join(known)}")
        wanted = type(known[name])
        if name == "pooling" and value not in POOLINGS:
            raise RecipeError(f"{path}: pooling must be one of {', '.join(POOLINGS)}, not {value!r}")
        fits = isinstance(value, (int, float) if wanted is float else list if wanted is tuple else wanted)
        if not fits or (wanted is not bool and isinstance(value, bool)):
            raise RecipeError(f"{path}: {prefix}{name} must be of type {wanted.__name__}, not {value!r}")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
