"""Sentence encoders in the form of sentence-transformers: made of a pretrained body or of nothing, and saved."""

from __future__ import annotations

import hashlib
import shutil
import string
from collections.abc import Sequence
from pathlib import Path

import torch
from sentence_transformers import CrossEncoder, SentenceTransformer
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from sentence_transformers.sentence_transformer.modules import Dense, Normalize, Pooling
from torch import nn
from transformers import BertConfig, BertModel, PreTrainedModel, PreTrainedTokenizerFast

from pipeline.lab.setting import Lab
from pipeline.train.regression import train_tokenizer
from pipeline.train.student import folding_tokenizer
from pipeline.train.teacher import load_body, teacher_folder

IDIOMS = "idioms"
"""Stands for the idioms of this repository among the sets that an encoder learned from."""
MAX_TOKENS = 64  # of a text; sentences of news rarely have more
_PIECES = 12_000  # of an encoder that begins from nothing
_SPECIAL = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
_HAVE_READ = {"all-MiniLM-L6-v2": "Quora's duplicate questions and what else a billion pairs of sentences held"}
"""What encoders are known to have learned from that experiments measure on."""


def encoder(lab: Lab, pooling: str = "mean", head: int = 0, base: str = "", seed: int = 0) -> SentenceTransformer:
    """A pretrained encoder that gives unit vectors; `head` is the number of dimensions of a linear layer, or 0.

    Raises TeacherError for an encoder that cannot be loaded.
    """
    torch.manual_seed(seed)
    body = load_body(teacher_folder(base or lab.base), MAX_TOKENS, attn_implementation="eager")  # twice as fast on CPUs
    size = int(body.get_embedding_dimension())
    layers = [Dense(size, head, bias=False, activation_function=None)] if head else []
    return SentenceTransformer(modules=[body, Pooling(size, pooling), *layers, Normalize()], device=lab.device)


def fresh_encoder(lab: Lab, texts: Sequence[str], layers: int, size: int, seed: int = 0) -> SentenceTransformer:
    """A BERT with random weights that has read nothing; its word pieces are learned from `texts`.

    Its beginning is kept in the cache, because the trainer of the pieces breaks ties at random.
    """
    read = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]
    folder = lab.cache / f"fresh-{layers}x{size}" / f"seed-{seed}-{read}"
    if not folder.is_dir():
        part = folder.with_name(folder.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        known = train_tokenizer(texts, _PIECES).get_vocab()
        pieces = dict.fromkeys([*_SPECIAL.values(), *string.punctuation, *sorted(known)])
        tokenizer = PreTrainedTokenizerFast(tokenizer_object=folding_tokenizer(list(pieces)), **_SPECIAL)  # type: ignore[no-untyped-call]
        tokenizer.save_pretrained(part)
        config = BertConfig(
            vocab_size=len(pieces),
            hidden_size=size,
            num_hidden_layers=layers,
            num_attention_heads=max(1, size // 32),
            intermediate_size=4 * size,
            max_position_embeddings=MAX_TOKENS,
        )
        torch.manual_seed(seed)
        BertModel(config).save_pretrained(part)
        part.rename(folder)
    return encoder(lab, base=str(folder))


def both_ways(model: SentenceTransformer) -> nn.Module:
    """The loss of finding the second text of a pair by the first among those of the batch, and the reverse."""
    return MultipleNegativesRankingLoss(
        model, directions=("query_to_doc", "doc_to_query"), partition_mode="per_direction"
    )


def layers_of(model: SentenceTransformer) -> nn.ModuleList:
    """The layers of the body, first to last, of any encoder of the BERT family."""
    body: PreTrainedModel = model[0].model  # type: ignore[assignment]
    lists = [part for part in body.modules() if isinstance(part, nn.ModuleList)]
    return next(part for part in lists if len(part) == body.config.num_hidden_layers)


def freeze(model: SentenceTransformer, but: int) -> None:
    """Let only the last layers of the body learn, and what stands behind it."""
    model[0].requires_grad_(False)
    layers_of(model)[-but:].requires_grad_(True)


def folder_of(lab: Lab, name: str) -> Path:
    """Where an encoder of this name is kept."""
    return lab.cache / name / "encoder"


def save(
    lab: Lab, model: SentenceTransformer | CrossEncoder, name: str, what: str, sets: Sequence[str], base: str = ""
) -> Path:
    """Write an encoder into the cache with a card: what it is, its data with their licences, and what it has read.

    `sets` are names in data/sources.toml, or IDIOMS. Returns the folder, which sentence-transformers loads.
    """
    folder = folder_of(lab, name)
    model.save_pretrained(str(folder), create_model_card=False)
    sources = [lab.data.source(one) for one in sets if one != IDIOMS]
    lines = [f"- [{source.name}]({source.origin}): {source.licence}" for source in sources]
    if IDIOMS in sets:
        lines.append("- Idiomatika's idioms, with their meanings and scenes: CC BY-SA 4.0")
    rows = "\n".join(lines)
    read = _HAVE_READ.get(base, f"not known for {base}") if base else "nothing: it began with random weights"
    (folder / "README.md").write_text(
        _CARD.format(
            name=name,
            what=what,
            rows=rows,
            read=read,
            base=f"base_model: {base}\n" if base else "",
            form=type(model).__name__,
            task="text-ranking" if isinstance(model, CrossEncoder) else "sentence-similarity",
            use='predict([("How do I learn to swim?", "How can I learn swimming?")])'
            if isinstance(model, CrossEncoder)
            else 'encode(["How do I learn to swim?"])',
        ),
        encoding="utf-8",
    )
    return folder


_CARD = """\
---
library_name: sentence-transformers
pipeline_tag: {task}
tags: [sentence-transformers, {task}]
license: other
{base}---

# {name}

{what} Made by `python -m pipeline.lab` of Idiomatika.

```python
from sentence_transformers import {form}

{form}("this folder").{use}
```

## Data and licence

It was trained on the sets below, so it may be used as the strictest of their licences allows.

{rows}

## Contamination

What its body had read before this training: {read}.
"""
