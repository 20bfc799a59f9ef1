"""The teacher on a random BERT: what it embeds, what a killed build leaves, and one clear sentence when it fails."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertModel, PreTrainedTokenizerFast

from pipeline.recipe import Pooling
from pipeline.train.teacher import Embeddings, Teacher, TeacherError, Vectors
from support.teaching import SENTENCES

TEXTS = [text for pair in SENTENCES for text in pair]


class Mortal(Teacher):
    """A teacher that writes down what it embeds, each text as its number, until it is killed."""

    life = 100

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.life -= 1
        if self.life < 0:
            raise KeyboardInterrupt
        self.embedded = [*getattr(self, "embedded", []), *texts]
        return np.repeat(np.array(texts, np.float32)[:, None], self.dimensions, axis=1)


def test_embedding_goes_on_where_a_killed_build_stopped(tmp_path: Path, teacher: Path) -> None:
    numbers = [str(number % 2048) for number in range(20_000)]
    texts = [f"{number}.{row:05}" for row, number in enumerate(numbers)]
    model = Mortal(str(teacher), device="cpu")
    first = Embeddings.of(model, texts[:50], tmp_path)[texts[:50]]
    model.life = 1
    with pytest.raises(KeyboardInterrupt):
        Embeddings.of(model, texts, tmp_path)
    assert 50 < len(model.embedded) < len(texts)
    model.life = 100
    everything = Embeddings.of(model, [*texts, texts[0]], tmp_path)
    assert sorted(model.embedded) == sorted(texts)
    np.testing.assert_array_equal(everything[texts[:50]], first)
    np.testing.assert_allclose(everything[texts][:, 0], np.array(texts, np.float32), rtol=1e-3)


def test_what_was_embedded_is_what_the_teacher_embeds(tmp_path: Path, teacher: Path) -> None:
    model = Teacher(str(teacher), device="cpu")
    np.testing.assert_allclose(Embeddings.of(model, TEXTS, tmp_path)[TEXTS], model.embed(TEXTS), atol=1e-3)
    np.testing.assert_allclose(Embeddings.of(model, TEXTS[::-1], tmp_path)[TEXTS], model.embed(TEXTS), atol=1e-3)


def test_a_cache_that_is_no_cache_says_what_to_do(tmp_path: Path, teacher: Path) -> None:
    model = Teacher(str(teacher), device="cpu")
    Embeddings.of(model, TEXTS[:1], tmp_path)
    next(tmp_path.iterdir()).write_bytes(b"half of a file" * 1000)
    with pytest.raises(TeacherError, match=r"\.sqlite: file is not a database; free some space, or delete"):
        Embeddings.of(model, TEXTS[:1], tmp_path)


def test_vectors_of_some_dimensions_are_unit_again(tmp_path: Path, teacher: Path) -> None:
    embeddings = Embeddings.of(Teacher(str(teacher), device="cpu"), TEXTS, tmp_path)
    reduced = embeddings.reduced(32, [3, 1, 4])
    expected = embeddings[TEXTS][:, [3, 1, 4]]
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(reduced[TEXTS], expected, rtol=1e-5)
    projected = embeddings.reduced(2, range(32))[TEXTS]
    assert np.linalg.matrix_rank(projected - projected.mean(axis=0), tol=0.05) <= 3


def test_batches_change_no_vector(teacher: Path) -> None:
    model = Teacher(str(teacher), device="cpu")
    texts = ["A cat.", "кошка " * 30, "A dog runs.", "A cat."]
    together = model.embed(texts)
    alone = np.concatenate([model.embed([text]) for text in texts])
    assert (together * alone).sum(axis=1).min() >= 0.999
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert model.embed([]).shape == (0, 32)


def test_a_long_text_is_cut(teacher: Path) -> None:
    model = Teacher(str(teacher), device="cpu", max_tokens=5)
    long, cut = model.embed(["A cat runs. A dog sleeps.", "A cat runs"])
    assert float(long @ cut) >= 0.999
    assert model.fingerprint != Teacher(str(teacher), device="cpu").fingerprint


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_pooling_is_what_it_says(teacher: Path, pooling: Pooling) -> None:
    model = BertModel.from_pretrained(teacher)
    tokens = PreTrainedTokenizerFast.from_pretrained(teacher)(["A cat runs."], return_tensors="pt")
    with torch.inference_mode():
        hidden = model(input_ids=tokens["input_ids"]).last_hidden_state[0].numpy()
    wanted = hidden[0] if pooling == "cls" else hidden.mean(axis=0)
    given = Teacher(str(teacher), pooling, device="cpu").embed(["A cat runs."])[0]
    assert float(given @ wanted / np.linalg.norm(wanted)) >= 0.999


def test_the_teacher_of_the_artifacts_needs_no_download() -> None:
    """Its fingerprint stands in the manifest: other code for the same weights must not change it."""
    model = Teacher("all-MiniLM-L6-v2", device="cpu")
    assert (model.fingerprint, model.dimensions) == ("52db31d95b0ca84a", 384)


def test_a_teacher_without_a_tokenizer_says_so(tmp_path: Path, teacher: Path) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(teacher, bare)
    for path in bare.glob("token*"):
        path.unlink()
    message = r"could be loaded \(it has no tokenizer\); it needs .* tokenizer\.json or vocab\.txt"
    with pytest.raises(TeacherError, match=message):
        Teacher(str(bare), device="cpu")


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"{")])
def test_a_teacher_without_weights_says_so(tmp_path: Path, teacher: Path, damage: object) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(teacher, bare)
    assert callable(damage)
    damage(bare / "model.safetensors")
    message = r"could be loaded \(.*(model\.safetensors|header).*\); it needs config\.json, model\.safetensors"
    with pytest.raises(TeacherError, match=message):
        Teacher(str(bare), device="cpu")


def test_a_teacher_that_is_nowhere_says_so(tmp_path: Path) -> None:
    with pytest.raises(TeacherError, match="does not exist"):
        Teacher(str(tmp_path / "none"), device="cpu")


def test_a_gpu_that_is_not_there_says_so(teacher: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    with pytest.raises(TeacherError, match="no usable GPU"):
        Teacher(str(teacher), device="cuda")
