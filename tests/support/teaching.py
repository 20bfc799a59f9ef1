"""A small teacher: a random BERT and the sentences that its tokenizer knows."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing
from tokenizers.trainers import WordPieceTrainer
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from bot.search.rank.reader import Reader
from pipeline.train.encoder import export
from pipeline.train.teacher import Teacher

THINGS = "cat dog bird horse cow pig fish mouse hen duck lion bear".split()
ВЕЩИ = "кошка собака птица лошадь корова свинья рыба мышь курица утка лев медведь".split()
DOES = "runs sleeps eats sings jumps flies".split()
ДЕЛАЕТ = "бежит спит ест поёт прыгает летит".split()
SENTENCES = [(f"A {thing} {does}.", f"{вещь} {делает}") for thing, вещь in zip(THINGS, ВЕЩИ, strict=True)
             for does, делает in zip(DOES, ДЕЛАЕТ, strict=True)]  # fmt: skip


def small_reader(folder: Path) -> Reader:
    """A reader with random weights that knows the words of the sentences."""
    return export(Teacher(str(save_teacher(folder / "teacher"))).encoder(), folder / "reader")


def save_teacher(folder: Path) -> Path:
    """Save a BERT of 32 dimensions with random weights and the kind of files that the Hub has."""
    tokenizer = Tokenizer(WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(strip_accents=False)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    texts = [text for pair in SENTENCES for text in pair]
    tokenizer.train_from_iterator(texts, WordPieceTrainer(vocab_size=300, special_tokens=special, show_progress=False))
    tokenizer.post_processor = TemplateProcessing("[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder)
    return folder
