"""The reader's training: a student learns the tuned teacher's view of translations, then to find phrases."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from bot.search.phrases import Phrase
from bot.search.rank.reader import Reader
from pipeline.data.sources import DataFolder, folded
from pipeline.recipe import Recipe
from pipeline.train.encoder import SentenceEncoder
from pipeline.train.finding import finding_loss, translations_loss
from pipeline.train.losses import info_nce_loss
from pipeline.train.steps import POOL, TEMPERATURE, Loss, judged_loss, kept_in, take_steps
from pipeline.train.student import bilingual_student, student_of, student_tokenizer
from pipeline.train.teacher import Embeddings, Teacher
from pipeline.train.texts import TrainingTexts, judged_texts

_TRANSLATIONS, _JUDGED = 1, 3  # Of four steps towards the phrases, those that keep what was learned before.


def train_reader(
    teacher: Teacher, training: TrainingTexts, phrases: Sequence[Phrase], data: DataFolder, recipe: Recipe, cache: Path
) -> SentenceEncoder:
    """Teach a student of two languages what the teacher, which is tuned already, knows.

    A multilingual teacher reads all languages already, so it is the reader itself.
    """
    encoder = teacher.encoder()
    if recipe.multilingual:
        return encoder
    folder = kept_in(cache, "reader", teacher.fingerprint, training, data.contrasts(), phrases, recipe)
    training = _for_a_student(training, phrases, recipe)
    pairs = [row for row in zip(training.texts, training.targets, strict=True) if row[0] != row[1]]
    if not (pieces := folder / "pieces.json").is_file():  # two trainings may choose other pieces
        student_tokenizer(encoder, [text for text, _ in pairs], recipe.reader_pieces).save(str(pieces))
    student = bilingual_student(encoder, Tokenizer.from_file(str(pieces)), pairs)
    embeddings = Embeddings.of(teacher, training.targets, cache)
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
    folder = kept_in(cache, "reader", known, training, data.contrasts(), phrases, recipe)
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
    beside = {_JUDGED: judged_loss(student, judged_texts(data), recipe)}
    if rows:  # a multilingual teacher has none to learn from
        beside[_TRANSLATIONS] = translations_loss(student, [row[:2] for row in rows], [row[2] for row in rows], recipe)

    def loss(step: int) -> torch.Tensor:
        return beside.get(step % 4, found)(step)

    take_steps(student, loss, recipe.phrase_steps, recipe.phrase_rate, checkpoint, known)


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
