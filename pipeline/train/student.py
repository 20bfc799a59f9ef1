"""The student before it learns: the teacher with pieces of a second language, which begin as their translations.

Or a reader that was exported, to be trained on.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence

import numpy as np
import torch
from scipy import sparse
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import WordPiece

from bot.search.rank.reader import Reader
from bot.search.text import words
from pipeline.train.alignment import translation_probabilities
from pipeline.train.encoder import SentenceEncoder, exported_weights
from pipeline.train.regression import train_tokenizer

MAX_TOKENS = 64
"""Of a text that the reader reads: a query or a meaning is rarely half as long."""

_PADDING, _UNKNOWN, _FIRST, _LAST = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
_LATIN = re.compile(r"(##)?[!-~\u00c0-\u024f]+")
_TABLE = "embeddings.word_embeddings.weight"
_SHARPENED = 1.5  # Power of the translation probabilities that weigh the rows a new row is the mean of.


def student_tokenizer(teacher: SentenceEncoder, others: Sequence[str], pieces: int) -> Tokenizer:
    """The teacher's Latin pieces and new ones, learned from texts of another alphabet.

    The teacher's tokenizer must be a WordPiece, as in all of the BERT family; its pieces of other alphabets go.
    """
    known = teacher.tokenizer.get_vocab()
    kept = sorted(filter(_LATIN.fullmatch, known), key=known.__getitem__)
    fresh = {piece for piece in train_tokenizer(others, pieces).get_vocab() if not _LATIN.fullmatch(piece)}
    return folding_tokenizer([_PADDING, *(piece for piece in kept if piece != _PADDING), *sorted(fresh)])


def bilingual_student(
    teacher: SentenceEncoder, tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]
) -> SentenceEncoder:
    """The teacher with other pieces: `pairs` are texts of another alphabet and their translations for the teacher.

    A new piece's row is the mean of the rows of the pieces that it is aligned with.
    """
    vocabulary, known = tokenizer.get_vocab(), teacher.tokenizer.get_vocab()
    rows = teacher.table.detach().cpu().numpy()
    old = [(row, known[piece]) for piece, row in vocabulary.items() if _LATIN.fullmatch(piece)]
    table = np.zeros((len(vocabulary), rows.shape[1]), np.float32)
    places, sources = np.array(old).T
    table[places] = rows[sources]
    fresh = np.setdiff1d(np.arange(len(table)), places)
    aligned = _aligned(tokenizer, pairs)[fresh]
    # A piece that no translation has begins in the middle of the others.
    table[fresh] = np.where(aligned.sum(axis=1) > 0, aligned @ table, table[places].mean(axis=0))
    return _with_table(teacher, tokenizer, table)


def student_of(reader: Reader, teacher: SentenceEncoder) -> SentenceEncoder:
    """The student that became this reader, up to the rounding of its weights to eight bits.

    `teacher` is the encoder that it began as. Raises ValueError when it began as another.
    """
    weights = exported_weights(reader)
    tokenizer = Tokenizer.from_str(reader.tokenizer.to_str())
    tokenizer.no_padding()
    tokenizer.no_truncation()
    student = _with_table(teacher, tokenizer, weights[_TABLE].numpy())
    try:
        fault = student.body.load_state_dict(weights, strict=False)
    except RuntimeError as error:
        raise ValueError(f"{reader.model} did not begin as this teacher: {error}") from error
    if lacking := [name for name in fault.missing_keys if not name.startswith("pooler.")]:
        raise ValueError(f"{reader.model} did not begin as this teacher: it has no {lacking[0]}")
    return student


def folding_tokenizer(pieces: Sequence[str]) -> Tokenizer:
    """WordPiece over these pieces that folds as `bot.search.text.fold` does and keeps punctuation."""
    vocabulary = {piece: row for row, piece in enumerate(pieces)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token=_UNKNOWN, max_input_chars_per_word=100))
    stress = [normalizers.Replace(mark, "") for mark in ("\u0300", "\u0301")]
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Lowercase(), normalizers.NFD(), *stress, normalizers.NFC(), normalizers.Replace("ё", "е")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing((_LAST, vocabulary[_LAST]), (_FIRST, vocabulary[_FIRST]))
    return tokenizer


def _aligned(tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]) -> sparse.csr_matrix:
    """Of each piece, how much each other piece is its translation: rows sum to 1 or are empty."""
    sides = []
    for texts in zip(*pairs, strict=True):
        worded = [" ".join(words(text)) for text in texts]  # punctuation would be aligned with everything
        sides.append([encoding.ids for encoding in tokenizer.encode_batch_fast(worded, add_special_tokens=False)])
    both = [number for number, (other, source) in enumerate(zip(*sides, strict=True)) if other and source]
    size = tokenizer.get_vocab_size()
    others, sources = ([side[number] for number in both] for side in sides)
    probability = translation_probabilities(others, sources, size, size).power(_SHARPENED)
    totals = np.asarray(probability.sum(axis=1)).ravel()
    return sparse.diags(1 / np.where(totals > 0, totals, 1)) @ probability


def _with_table(teacher: SentenceEncoder, tokenizer: Tokenizer, table: np.ndarray) -> SentenceEncoder:
    """A copy of the teacher's body with other pieces, whose rows take sparse gradients: few occur in a batch."""
    body = copy.deepcopy(teacher.body)
    embeddings = torch.nn.Embedding(
        len(table), table.shape[1], padding_idx=0, sparse=True, _weight=torch.from_numpy(table)
    )
    body.set_input_embeddings(embeddings.to(teacher.device))
    body.config.vocab_size, body.config.pad_token_id = len(table), 0
    return SentenceEncoder(body, tokenizer, teacher.pooling, MAX_TOKENS)
