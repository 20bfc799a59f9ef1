"""The reader's training: the teacher is tuned on scenes, the student learns its view of translations, then scenes.

Every step draws its batch by the seed and its own number, so a killed training goes on from its last checkpoint as if
nothing had happened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer
from tqdm import tqdm

from bot.search.phrases import Phrase, Role, phrase_key, texts_of
from bot.search.text import words
from pipeline.data.sources import DataFolder
from pipeline.data.tables import whole
from pipeline.recipe import Recipe
from pipeline.train.encoder import SentenceEncoder
from pipeline.train.losses import cosent_loss, info_nce_loss
from pipeline.train.student import bilingual_student, student_tokenizer
from pipeline.train.teacher import Embeddings, Teacher
from pipeline.train.texts import TrainingTexts, judged_texts

Rows = npt.NDArray[np.int64]
Vectors = npt.NDArray[np.float32]
Loss = Callable[[int], torch.Tensor]
"""The loss of a step, by its number."""

_TEMPERATURE = 0.05  # Cosines are divided by it before a softmax.
_POOL = 16  # Batches whose texts are drawn together and then sorted by length, so that little of a batch is padding.
_KEPT_EVERY = 200  # Steps between two checkpoints.
_WARM_UP = 0.05  # Share of the steps in which the learning rate rises.
_TABLE_RATE = 10  # The table of pieces learns so many times as fast as the body: few pieces occur in a step.


@dataclass(frozen=True)
class Asked:
    """Scenes and the phrases that they ask for."""

    scenes: list[list[str]]
    """Of each phrase."""
    descriptions: list[list[str]]
    """What else is said of each phrase: its meanings, their translations, examples, its own words."""
    meanings: Vectors
    """The teacher's view of each phrase's first meaning, shape (phrases, dimensions)."""
    opposites: Mapping[int, Sequence[int]]
    """Rows of the phrases that say the contrary."""
    rivals: Rows
    """The phrases nearest in meaning, shape (phrases, some)."""


def train_reader(
    teacher: Teacher, training: TrainingTexts, phrases: Sequence[Phrase], data: DataFolder, recipe: Recipe, cache: Path
) -> SentenceEncoder:
    """Tune the teacher, and teach a student of two languages what it knows.

    A multilingual teacher reads all languages already, so when tuned it is the reader itself.
    """
    folder = cache / f"reader-{_digest(teacher.fingerprint, training, phrases, recipe)}"
    folder.mkdir(parents=True, exist_ok=True)
    told = [phrase for phrase in phrases if phrase.scenes and phrase.meaning_in(recipe.teacher_language)]
    tuned = teacher.encoder()
    tuning = _tuning_loss(tuned, told, data, recipe)
    _train(tuned, tuning, recipe.tuning_steps, 2e-5, folder / "tuning.pt", "tune")
    if recipe.multilingual:
        return tuned
    training = _for_a_student(training, phrases, recipe)
    pairs = [row for row in zip(training.texts, training.targets, strict=True) if row[0] != row[1]]
    if not (pieces := folder / "pieces.json").is_file():  # two trainings may choose other pieces
        student_tokenizer(tuned, [text for text, _ in pairs], recipe.reader_pieces).save(str(pieces))
    student = bilingual_student(tuned, Tokenizer.from_file(str(pieces)), pairs)
    embeddings = Embeddings.of(teacher.replaced(tuned, folder / "teacher"), training.targets, cache)
    translations = _translation_loss(student, training, embeddings, recipe)
    _train(student, translations, recipe.translation_steps, 1e-4, folder / "translations.pt", "translations")
    if not told:
        return student
    asked = asked_of(told, tuned, recipe)
    scenes = _scene_loss(student, asked, _judged_loss(student, judged_texts(data), recipe), translations, recipe)
    _train(student, scenes, recipe.scene_steps, 6e-5, folder / "scenes.pt", "scenes")
    return student


def _digest(*learned_from: object) -> str:
    """Sixteen hexadecimal digits of all that a training depends on: another one begins anew."""
    digest = hashlib.sha256()
    for part in learned_from:
        digest.update(repr(part).encode())
    return digest.hexdigest()[:16]


def asked_of(phrases: Sequence[Phrase], teacher: SentenceEncoder, recipe: Recipe) -> Asked:
    """The scenes of phrases, with what the teacher knows of their neighbourhood."""
    described: list[list[str]] = []
    for phrase in phrases:
        texts = [text for text in texts_of(phrase) if text.role in _DESCRIBES]
        described.append([text.text for text in texts for _ in range(_DESCRIBES[text.role])])
    meanings = teacher.embed([phrase.meaning_in(recipe.teacher_language) for phrase in phrases])
    row_of = {phrase.key: row for row, phrase in enumerate(phrases)}
    opposites: dict[int, list[int]] = {}
    for row, phrase in enumerate(phrases):
        for text in phrase.opposites:
            other = row_of.get(phrase_key(phrase.language, text))
            if other is not None:
                opposites.setdefault(row, []).append(other)
                opposites.setdefault(other, []).append(row)
    rivals = [
        np.argsort(-(meanings[start : start + 512] @ meanings.T), axis=1)[:, 1 : recipe.rivals + 1]
        for start in range(0, len(meanings), 512)
    ]
    return Asked([list(phrase.scenes) for phrase in phrases], described, meanings, opposites, np.concatenate(rivals))


_DESCRIBES: Mapping[Role, int] = {"meaning": 3, "translation": 3, "example": 1, "phrase": 1}
"""The texts that describe a phrase, and how often each is drawn, relative to the others."""


def _for_a_student(training: TrainingTexts, phrases: Sequence[Phrase], recipe: Recipe) -> TrainingTexts:
    """The translations, and the translated examples of phrases: idioms in sentences, which dictionaries lack.

    Of the texts in the teacher's own language, which the student knows, every fourth is enough.
    """
    rows = list(zip(training.texts, training.targets, training.weights, strict=True))
    rows = [row for row in rows if row[0] != row[1]] + [row for row in rows if row[0] == row[1]][::4]
    examples = [
        (translation, example) if recipe.reads(phrase.language) else (example, translation)
        for phrase in phrases
        for translations in phrase.example_translations.values()
        for example, translation in zip(phrase.examples, translations, strict=False)
    ]
    rows += [(text, target, recipe.sentence_weight) for text, target in examples]
    texts, targets, weights = zip(*rows, strict=True)
    return TrainingTexts(list(texts), list(targets), list(weights))


def _tuning_loss(teacher: SentenceEncoder, phrases: Sequence[Phrase], data: DataFolder, recipe: Recipe) -> Loss:
    """Scenes must find their phrase's meaning, and judged pairs be in their order, in turns."""
    language = recipe.teacher_language
    asked = []
    for phrase in phrases:
        scenes = [text.text for text in texts_of(phrase) if text.role == "scene" and recipe.reads(text.language)]
        if scenes:
            asked.append((scenes, phrase.meaning_in(language)))
    pairs = [pair for code in recipe.judged_languages for pair in data.sts(code, "train")]
    judged = _judged_loss(teacher, pairs, recipe)

    def loss(step: int) -> torch.Tensor:
        if step % 2 or not asked:
            return judged(step)
        rng = np.random.default_rng([recipe.seed, step])
        drawn = [asked[row] for row in rng.choice(len(asked), min(len(asked), recipe.reader_batch), replace=False)]
        scenes = [texts[rng.integers(len(texts))] for texts, _ in drawn]
        meanings = [meaning for _, meaning in drawn]
        alike = torch.tensor([[one == other for other in meanings] for one in meanings])
        return _both_ways(teacher.encode(scenes), teacher.encode(meanings), alike)

    return loss


def _judged_loss(encoder: SentenceEncoder, pairs: Sequence[tuple[str, str, float]], recipe: Recipe) -> Loss:
    def loss(step: int) -> torch.Tensor:
        drawn = [pairs[row] for row in np.random.default_rng([recipe.seed, step]).integers(len(pairs), size=64)]
        first, second = (encoder.encode([row[side] for row in drawn]) for side in (0, 1))
        scores = torch.tensor([row[2] for row in drawn], device=first.device)
        return cosent_loss((first * second).sum(dim=1), scores, _TEMPERATURE)

    return loss


def _translation_loss(
    student: SentenceEncoder, training: TrainingTexts, embeddings: Embeddings, recipe: Recipe
) -> Loss:
    """A text must have the teacher's vector of its translation, and find it among those of others."""
    own = np.array([text == target for text, target in zip(training.texts, training.targets, strict=True)])
    chance = np.array(training.weights, np.float64)
    # One text in four is of the teacher's language, which the student knows.
    chance[own] *= 0.25 / chance[own].sum()
    chance[~own] *= 0.75 / chance[~own].sum()
    ends = np.cumsum(chance / chance.sum())
    lengths = np.array([len(text) for text in training.texts])

    def loss(step: int) -> torch.Tensor:
        pool, number = divmod(step, _POOL)
        rng = np.random.default_rng([recipe.seed, 1, pool])
        drawn = np.minimum(np.searchsorted(ends, rng.random(_POOL * recipe.translation_batch)), len(ends) - 1)
        groups = np.array_split(drawn[np.argsort(lengths[drawn], kind="stable")], _POOL)
        rows = groups[rng.permutation(_POOL)[number]]
        vectors = student.encode([training.texts[row] for row in rows])
        targets = torch.from_numpy(embeddings[[training.targets[row] for row in rows]])
        targets = torch.nn.functional.normalize(targets.to(vectors.device), dim=1)
        found = info_nce_loss(vectors @ targets.T, targets @ targets.T > 0.95, _TEMPERATURE)
        return 5 * (1 - (vectors * targets).sum(dim=1).mean()) + 0.3 * found

    return loss


def _scene_loss(student: SentenceEncoder, asked: Asked, judged: Loss, translations: Loss, recipe: Recipe) -> Loss:
    """A scene must find a description of its phrase among those of its rivals and opposites, and the reverse.

    A phrase that means nearly the same is no wrong answer, unless it says the contrary. Every third step is of
    translations and every sixth of judged pairs, so that what was learned is not forgotten.
    """

    def loss(step: int) -> torch.Tensor:
        if step % 3 == 2:
            return judged(step) if step % 2 else translations(recipe.translation_steps + step)
        rng = np.random.default_rng([recipe.seed, 2, step])
        rows = _rivalling(asked, recipe.reader_batch, rng)
        scenes = [_with_words_dropped(_drawn(asked.scenes[row], rng), rng) for row in rows]
        descriptions = [_drawn(asked.descriptions[row], rng) for row in rows]
        meanings = torch.from_numpy(asked.meanings[rows])
        alike = meanings @ meanings.T > recipe.alike_from
        place = {row: number for number, row in enumerate(rows)}
        for number, row in enumerate(rows):
            for other in asked.opposites.get(row, ()):
                if other in place:
                    alike[number, place[other]] = False
        return _both_ways(student.encode(scenes), student.encode(descriptions), alike)

    return loss


def _rivalling(asked: Asked, count: int, rng: np.random.Generator) -> list[int]:
    """Rows of phrases: some by chance, each with an opposite or two rivals, so that the wrong answers are near ones."""
    rows: dict[int, None] = {}
    for row in rng.permutation(len(asked.scenes)).tolist():
        group = [row, *rng.choice(asked.rivals[row], min(2, len(asked.rivals[row])), replace=False).tolist()]
        group += rng.permutation(asked.opposites.get(row, [])).tolist()[:1]
        rows |= dict.fromkeys(map(int, group))
        if len(rows) >= count:
            break
    return list(rows)[:count]


def _drawn(texts: Sequence[str], rng: np.random.Generator) -> str:
    return texts[int(rng.integers(len(texts)))]


def _with_words_dropped(text: str, rng: np.random.Generator) -> str:
    """Half of the texts as they are, the others without every eighth word or so, and without punctuation."""
    if rng.random() < 0.5:
        return text
    kept = [word for word in words(text) if rng.random() > 0.12]
    return " ".join(kept) or text


def _both_ways(one: torch.Tensor, other: torch.Tensor, alike: torch.Tensor) -> torch.Tensor:
    cosines = one @ other.T
    alike = alike.to(cosines.device)
    return (info_nce_loss(cosines, alike, _TEMPERATURE) + info_nce_loss(cosines.T, alike.T, _TEMPERATURE)) / 2


def _train(encoder: SentenceEncoder, loss: Loss, steps: int, rate: float, checkpoint: Path, name: str) -> None:
    """Take the steps that the checkpoint lacks; the learning rate rises, then falls to zero."""
    encoder.eval()  # Dropout would take half of the time, and no text is seen often enough to be learned by heart.
    table = encoder.table
    body = [weight for weight in encoder.body.parameters() if weight is not table]
    sparse = cast(torch.nn.Embedding, encoder.body.get_input_embeddings()).sparse
    of_table = torch.optim.SparseAdam([table], rate * _TABLE_RATE) if sparse else torch.optim.AdamW([table], rate)
    optimisers: list[torch.optim.Optimizer] = [torch.optim.AdamW(body, rate), of_table]
    rises = max(1, round(_WARM_UP * steps))

    def share(step: int) -> float:
        return min((step + 1) / rises, (steps - step) / max(1, steps - rises))

    schedules = [torch.optim.lr_scheduler.LambdaLR(optimiser, share) for optimiser in optimisers]
    parts: list[Any] = [encoder, *optimisers, *schedules]
    start = 0
    if checkpoint.is_file():
        start, states = torch.load(checkpoint, map_location=encoder.device, weights_only=False)
        for part, state in zip(parts, states, strict=False):  # a finished one has kept the encoder alone
            part.load_state_dict(state)
    with tqdm(total=steps, initial=start, desc=name, unit=" steps") as progress:
        for step in range(start, steps):
            value = loss(step)
            for optimiser in optimisers:
                optimiser.zero_grad()
            value.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(body, 1.0)
            for optimiser, schedule in zip(optimisers, schedules, strict=True):
                optimiser.step()
                schedule.step()
            progress.update()
            if step % 20 == 0:
                progress.set_postfix(loss=f"{value.item():.3f}")
            if (done := step + 1 == steps) or (step + 1) % _KEPT_EVERY == 0:
                with whole(checkpoint) as file:
                    torch.save((step + 1, [part.state_dict() for part in parts[: 1 if done else None]]), file)
