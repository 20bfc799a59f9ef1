"""Every number of a build in one place; saved in the manifest beside what it made."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal, get_args

from pydantic import ConfigDict, TypeAdapter, ValidationError

from bot.search.files import read_plain
from bot.search.phrases import Role
from bot.search.rank.fusion import Fusion

Pooling = Literal["mean", "cls"]

_MOST_BYTES = 1_000_000


class RecipeError(Exception):
    """A recipe that cannot be followed; the message names the file and the field."""


WEIGHTS: dict[Role, float] = dict.fromkeys(get_args(Role), 0.0) | {
    "phrase": 0.3,
    "meaning": 1.0,  # shared by the meanings of a phrase
    "translation": 1.0,
    "example": 0.5,
    "scene": 0.7,
}
READ_WEIGHTS: dict[Role, float] = dict.fromkeys(get_args(Role), 0.0) | {
    "phrase": 0.3,
    "meaning": 1.0,
    "translation": 1.0,
    "example": 0.25,
    "scene": 0.4,
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How artifacts are made. A TOML file may set any field."""

    __pydantic_config__ = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    name: str = "default"

    # The teacher
    teacher: str = "all-MiniLM-L6-v2"  # a model's name or its folder
    pooling: Pooling = "mean"  # how the vectors of its tokens become one: their mean, or the first of them
    max_tokens: int = 128  # a longer text is cut
    teacher_language: Literal["en"] = "en"  # what it reads when it is not multilingual: the parallel texts have it
    multilingual: bool = False  # it reads every language, so no parallel text is needed to teach it one

    # Which of the teacher's dimensions are served
    most_dimensions: int = 256
    selection_tolerance: float = 0.011  # as many as come this near to the best Spearman: retrieval needs many

    # The approximator
    vocabulary: int = 30_000  # word pieces of the tokenizer
    stems: int = 14_000  # beginnings of Russian words that are features beside the pieces
    stem_lengths: tuple[int, ...] = (4, 5, 6)  # letters
    components: int = 384  # of the PCA that the regression aims at; at most the teacher's dimensions
    ridge: float = 1.0  # L2 penalty of the regression

    # How much training texts weigh beside a dictionary's definition
    judged_weight: float = 4.0  # sentences of the judged training pairs: of everyday scenes, as queries are
    sentence_weight: float = 2.0  # translated sentences
    meaning_weight: float = 2.0  # meanings of the phrases themselves
    dictionary_weight: float = 0.4  # times this when a text is one or two words

    # The refinement of the regression's table
    epochs: float = 2.0  # passes over the training texts; 0 leaves the table as it is
    batch: int = 1024  # training texts in a step
    learning_rate: float = 2e-4
    temperature: float = 0.05  # cosines are divided by it before a softmax
    judged_loss: float = 0.2  # weight of the order that people gave to the judged pairs, beside the teacher's
    judged_batch: int = 256  # judged pairs in a step
    scene_loss: float = 0.1  # weight of finding the phrase that a scene asks for
    scene_batch: int = 256  # scenes in a step

    # The reader
    reader_pieces: int = 24_000  # word pieces of the language that the teacher does not read
    reader_batch: int = 128  # texts in a step
    reader_judged_batch: int = 64  # judged pairs in a step
    contrast_batch: int = 32  # among the texts of a step, pairs of sentences of which each says the contrary
    alike_from: float = 0.8  # the cosine from which a phrase is no wrong answer
    tuning_steps: int = 400  # of the teacher
    translation_batch: int = 256  # texts in a step
    translation_steps: int = 3200
    translation_rate: float = 1e-4  # of learning
    phrase_steps: int = 4500  # of finding the phrase that a text asks for
    phrase_rate: float = 6e-5

    read_weights: Mapping[Role, float] = field(default_factory=READ_WEIGHTS.copy)  # of a text in what is read of it

    # The phrases
    weights: Mapping[Role, float] = field(default_factory=WEIGHTS.copy)  # of a text in the vector of its phrase

    # Relations of phrases
    duplicate_meaning: float = 0.8  # the least cosine of two near-duplicates, of which one answers a query,
    duplicate_wording: float = 0.5  # and their least lexical likeness
    equivalent_from: float = 0.7  # the least cosine of an equivalent that nobody curated; 8 of 10 are curated ones

    # The index
    trees: int = 10  # of the Annoy forest
    search_k: int = 9000  # nodes that a search looks at
    least_recall: float = 0.99  # share of the true ten nearest that a build must find

    # The search
    fusion: Fusion = field(default_factory=Fusion)  # how the signals of a search become one score

    seed: int = 2021  # of every random choice

    @property
    def judged_languages(self) -> tuple[str, ...]:
        """Languages of the judged pairs that the teacher reads."""
        return tuple(filter(self.reads, ("en", "ru")))

    def reads(self, language: str) -> bool:
        """Whether the teacher reads texts of a language."""
        return self.multilingual or language == self.teacher_language


RECIPES = {
    "default": Recipe(),
    "labse": Recipe(name="labse", teacher="cointegrated/LaBSE-en-ru", multilingual=True),
}


def load_recipe(name: str) -> Recipe:
    """A recipe by its name, or a TOML file whose fields replace those of `default`.

    Raises `RecipeError`, which names the file and the first field that does not fit.
    """
    if name in RECIPES:
        return RECIPES[name]
    path = Path(name)
    try:
        values = {"name": path.stem, **tomllib.loads(read_plain(path, _MOST_BYTES).decode())}
    except FileNotFoundError:
        raise RecipeError(f"{name}: neither a file nor a recipe; the recipes are {', '.join(RECIPES)}") from None
    except (OSError, ValueError) as error:
        raise RecipeError(f"{path}: not a TOML file ({error})") from error
    for name, usual in (("weights", WEIGHTS), ("read_weights", READ_WEIGHTS)):
        if isinstance(weights := values.get(name), dict):
            values[name] = usual | weights
    try:
        # As JSON, where a list may stand for a tuple although types are strict.
        recipe = TypeAdapter(Recipe).validate_json(json.dumps(values, default=str))
        Fusion.from_dict(recipe.fusion.as_dict())
    except ValidationError as error:
        raise RecipeError(f"{path}: {_fault(error)}") from None
    except ValueError as error:
        raise RecipeError(f"{path}: in fusion, {error}") from None
    return recipe


def _fault(error: ValidationError) -> str:
    """The first fault as a sentence: the field, what it must be and what it is."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part != "[key]")
    if first["type"] == "unexpected_keyword_argument":
        known = fields(Fusion if place.startswith("fusion.") else Recipe)
        return f"no field {place}; the fields are {', '.join(field.name for field in known)}"
    return f"{place} must be {first['msg'].removeprefix('Input should be ')}, not {first['input']!r}"
