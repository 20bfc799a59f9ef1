"""The reader's training: the teacher is tuned on scenes, the student learns its view of translations, then phrases."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from bot.search.phrases import Phrase, texts_of
from bot.search.rank.reader import Reader
from pipeline.data.sources import DataFolder, folded
from pipeline.recipe import Recipe
from pipeline.train.encoder import SentenceEncoder
from pipeline.train.finding import finding_loss, translations_loss
from pipeline.train.losses import info_nce_loss
from pipeline.train.steps import POOL, TEMPERATURE, Loss, both_ways, judged_loss, take_steps
from pipeline.train.student import bilingual_student, student_of, student_tokenizer
from pipeline.train.teacher import Embeddings, Teacher
from pipeline.train.texts import TrainingTexts, judged_texts

_TRANSLATIONS, _JUDGED = 1, 3  # Of four steps towards the phrases, those that keep what was learned before.


def train_reader(
    teacher: Teacher, training: TrainingTexts, phrases: Sequence[Phrase], data: DataFolder, recipe: Recipe, cache: Path
) -> SentenceEncoder:
    """Tune the teacher, and teach a student of two languages what it knows.

    A multilingual teacher reads all languages already, so when tuned it is the reader itself.
    """
    folder = cache / f"reader-{_digest(teacher.fingerprint, training, data.contrasts(), phrases, recipe)}"
    folder.mkdir(parents=True, exist_ok=True)
    told = [phrase for phrase in phrases if phrase.scenes and phrase.meaning_in(recipe.teacher_language)]
    tuned = teacher.encoder()
    tuning = _tuning_loss(tuned, told, data, recipe)
    take_steps(tuned, tuning, recipe.tuning_steps, 2e-5, folder / "tuning.pt")
    if recipe.multilingual:
        return tuned
    training = _for_a_student(training, phrases, recipe)
    pairs = [row for row in zip(training.texts, training.targets, strict=True) if row[0] != row[1]]
    if not (pieces := folder / "pieces.json").is_file():  # two trainings may choose other pieces
        student_tokenizer(tuned, [text for text, _ in pairs], recipe.reader_pieces).save(str(pieces))
    student = bilingual_student(tuned, Tokenizer.from_file(str(pieces)), pairs)
    embeddings = Embeddings.of(teacher.replaced(tuned, folder / "teacher"), training.targets, cache)
    translations = _translation_loss(student, training, embeddings, recipe)
    take_steps(student, translations, recipe.translation_steps, recipe.translation_rate, folder / "translations.pt")
    _learn_phrases(student, training, phrases, data, recipe, folder / "phrases.pt")
    return student


def tune_reader(
    reader: Reader,
    teacher: Teacher,
    training: TrainingTexts,
    phrases: Sequence[Phrase],
    data: DataFolder,
    recipe: Recipe,
    cache: Path,
) -> SentenceEncoder:
    """Train a reader on from where it is, towards these phrases. Raises ValueError when it began as another teacher."""
    known = hashlib.sha256(reader.model.read_bytes()).hexdigest()
    folder = cache / f"reader-{_digest(known, training, data.contrasts(), phrases, recipe)}"
    folder.mkdir(parents=True, exist_ok=True)
    student = student_of(reader, teacher.encoder())
    _learn_phrases(student, training, phrases, data, recipe, folder / "phrases.pt")
    return student


def _learn_phrases(
    student: SentenceEncoder,
    training: TrainingTexts,
    phrases: Sequence[Phrase],
    data: DataFolder,
    recipe: Recipe,
    checkpoint: Path,
) -> None:
    """Texts must find their phrases; every other step is of translations or judged pairs, against forgetting."""
    held_out = data.held_out()
    contrasts = [one for one in data.contrasts() if not held_out.intersection(map(folded, one.texts))]
    found, known = finding_loss(student, phrases, contrasts, recipe)
    rows = [row for row in zip(training.texts, training.targets, training.weights, strict=True) if row[0] != row[1]]
    translated = translations_loss(student, [row[:2] for row in rows], [row[2] for row in rows], recipe)
    judged = judged_loss(student, judged_texts(data), recipe)
    beside = {_TRANSLATIONS: translated, _JUDGED: judged}

    def loss(step: int) -> torch.Tensor:
        return beside.get(step % 4, found)(step)

    take_steps(student, loss, recipe.phrase_steps, recipe.phrase_rate, checkpoint, known)


def _digest(*learned_from: object) -> str:
    """Sixteen hexadecimal digits of all that a training depends on: another one begins anew."""
    digest = hashlib.sha256()
    for part in learned_from:
        digest.update(repr(part).encode())
    return digest.hexdigest()[:16]


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
    judged = judged_loss(teacher, pairs, recipe)

    def loss(step: int) -> torch.Tensor:
        if step % 2 or not asked:
            return judged(step)
        rng = np.random.default_rng([recipe.seed, step])
        drawn = [asked[row] for row in rng.choice(len(asked), min(len(asked), recipe.reader_batch), replace=False)]
        scenes = [texts[rng.integers(len(texts))] for texts, _ in drawn]
        meanings = [meaning for _, meaning in drawn]
        alike = torch.tensor([[one == other for other in meanings] for one in meanings])
        return both_ways(teacher.encode(scenes), teacher.encode(meanings), alike)

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
        pool, number = divmod(step, POOL)
        rng = np.random.default_rng([recipe.seed, 1, pool])
        drawn = np.minimum(np.searchsorted(ends, rng.random(POOL * recipe.translation_batch)), len(ends) - 1)
        groups = np.array_split(drawn[np.argsort(lengths[drawn], kind="stable")], POOL)
        rows = groups[rng.permutation(POOL)[number]]
        vectors = student.encode([training.texts[row] for row in rows])
        targets = torch.from_numpy(embeddings[[training.targets[row] for row in rows]])
        targets = torch.nn.functional.normalize(targets.to(vectors.device), dim=1)
        found = info_nce_loss(vectors @ targets.T, targets @ targets.T > 0.95, TEMPERATURE)
        return 5 * (1 - (vectors * targets).sum(dim=1).mean()) + 0.3 * found

    return loss
