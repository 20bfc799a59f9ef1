"""Artifacts that somebody edited, with sums that fit: refused in one sentence, or searched as if nothing were."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.search.artifacts import MANIFEST, REQUIRED, SCENES, Artifacts, ArtifactsError
from bot.search.engine import SearchEngine
from bot.search.rank.reader import READER, READER_TOKENIZER
from bot.search.retrieve.ann import READINGS, AnnIndex
from support.small import small_artifacts
from support.teaching import small_reader

QUERIES = [
    "сильный дождь", "to do nothing", "бездельничать", "кошка", "🐱🐶", "лить как из ведра", '"как из ведра"',
    "ca* and", "opposite of rain cats and dogs", "synonyms of rain cats and dogs", "idioms about weather",
    "пословицы о работе",
    "idioms with the word cats", "what does twiddle your thumbs mean", "猿も木から落ちる", ",tpltkmybxfnm",
    "ochen dozhd",
]  # fmt: skip
Tamper = Callable[[Path], object]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small artifacts with a reader."""
    folder = tmp_path_factory.mktemp("whole")
    artifacts = small_artifacts()
    artifacts.reader = small_reader(folder / "teaching")
    vectors = np.random.default_rng(0).normal(size=(len(artifacts.phrases), artifacts.reader.dimensions))
    artifacts.readings = AnnIndex.scanned((vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32))
    artifacts.save(folder / "artifacts")
    return folder / "artifacts"


def use(engine: SearchEngine) -> None:
    """Everything that the bot asks of an engine."""
    for text in QUERIES:
        answer = engine.answer(text, 10, anyway=True)
        for match in answer.matches:
            engine.explain(answer.analysis, match.phrase.key)
    for phrase in engine.phrases:
        engine.similar(phrase.key)
        engine.equivalents(phrase.key)
        engine.opposites(phrase.key)
        engine.phrase(phrase.key)
    for topic in (None, *engine.topics):
        engine.random(engine.languages[:1], topic)
    engine.set_click_counts({})


def outcomes(folder: Path, cases: Iterable[tuple[str, Tamper]], scenes: bool = False) -> tuple[int, int]:
    """How many cases were refused and how many served; anything else fails, and names the cases."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    refused, served, faults = 0, 0, []
    for name, tamper in cases:
        tamper(folder)
        sign(folder)
        try:
            use(SearchEngine(Artifacts.load(folder, scenes)))
            served += 1
        except ArtifactsError as error:
            refused += 1
            if "\n" in str(error) or len(str(error)) > 1000:
                faults.append(f"{name}: said {error}")
        except Exception as error:
            faults.append(f"{name}: {error!r}")
        for path in folder.iterdir():
            path.unlink()
        for file, content in before.items():
            (folder / file).write_bytes(content)
    assert faults == []
    return refused, served


def sign(folder: Path) -> None:
    """Let the sums in the manifest be those of the files, where there is such a thing."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        for name in manifest["files"]:
            if (folder / name).is_file():
                manifest["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


# The manifest

NESTED: list[Any] = []
for _ in range(200):
    NESTED = [NESTED]
VALUES: list[Any] = [
    *([], {}, "text", "", None, True, 0, -1, 3, 0.5, float("nan"), float("inf"), 10**400, 1e300, -(2**70)),
    *([1], ["a"], {"name": 5}, {"a": []}, {"ru": "a"}, [float("nan")], NESTED),
]


FEW: list[Any] = ["text", None, True, float("nan"), 10**400, 1e300, -1e7, [1], NESTED]


def put(path: tuple[str, ...], value: Any) -> Tamper:
    def tamper(folder: Path) -> None:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        at = manifest
        for name in path[:-1]:
            at = at[name]
        at[path[-1]] = value
        (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")

    return tamper


def left_out(name: str) -> Tamper:
    def tamper(folder: Path) -> None:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        del manifest[name]
        (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")

    return tamper


@pytest.mark.slow
def test_a_manifest_of_wrong_types(whole: Path) -> None:
    manifest = json.loads((whole / MANIFEST).read_text(encoding="utf-8"))
    paths = [(name,) for name in (*manifest, "date", "teacher", "selected", "measurements", "seconds", "more")]
    inner = [("fusion", "reading", "ru"), ("files", "../manifest.json"), ("files", "/dev/zero"), ("files", "..")]
    for outer in ("fusion", "confidence", "read_confidence", "recipe"):
        inner += [(outer, name) for name in (*manifest[outer], "more")]
    pairs = [
        *((path, value) for path in paths for value in VALUES),
        *((path, value) for path in inner for value in FEW),
    ]
    cases = [(f"{path} is {str(value)[:50]}", put(path, value)) for path, value in pairs]
    cases += [(f"no {name}", left_out(name)) for name in manifest]
    refused, served = outcomes(whole, cases)
    assert refused > 300 and served > 50


@pytest.mark.parametrize("text", [b"[" * 100_000, b"\xff\xfe", b'{"format": 1' + b"0" * 5000 + b"}", b"\0" * 100, b"5"])
def test_a_manifest_that_is_none(whole: Path, text: bytes) -> None:
    assert outcomes(whole, [("text", lambda folder: (folder / MANIFEST).write_bytes(text))]) == (1, 0)


# Arrays


def arrays_in(content: bytes) -> dict[str, np.ndarray[Any, Any]]:
    with np.load(io.BytesIO(content)) as file:
        return {name: file[name] for name in file.files}


def changed(name: str, arrays: dict[str, Any]) -> Tamper:
    return lambda folder: np.savez(folder / name, **arrays)


def wrong(array: np.ndarray[Any, Any]) -> Iterator[tuple[str, Any]]:
    yield "an object", np.full(array.shape, {"a": 1}, dtype=object)
    yield "complex", np.zeros(array.shape, np.complex64)
    yield "text", np.full(array.shape, "text")
    yield "bytes", np.full(array.shape, b"text")
    yield "truth", np.ones(array.shape, np.bool_)
    yield "a day", np.zeros(array.shape, "datetime64[D]")
    yield "records", np.zeros(array.shape, [("a", "f4")])
    yield "nan", np.full(array.shape, np.nan, np.float32)
    yield "infinite", np.full(array.shape, np.inf, np.float32)
    yield "double", np.ones(array.shape, np.float64)
    yield "huge", np.full(array.shape, 2**62, np.int64)
    yield "unsigned", np.full(array.shape, 2**63, np.uint64)
    yield "negative", np.full(array.shape, -5, np.int64)
    yield "ones", np.ones(array.shape, array.dtype)
    yield "zeros", np.zeros(array.shape, array.dtype)
    yield "deeper", array[None]
    yield "empty", np.zeros((0, *array.shape[1:]) if array.ndim else 0, array.dtype)
    if array.ndim:
        yield "flat", array.ravel()[0] if array.size else np.float32(0)
        yield "shorter", array[:-1]
        yield "longer", np.concatenate([array, array])
        yield "reversed", array[::-1]
        yield "big-endian", array.astype(array.dtype.newbyteorder(">"))
    if array.ndim == 2:
        yield "narrower", array[:, :-1]
        yield "no columns", array[:, :0]


NPZ = sorted(name for name in (*REQUIRED, READINGS) if name.endswith(".npz"))


@pytest.mark.parametrize("name", NPZ)
def test_wrong_arrays(whole: Path, name: str) -> None:
    arrays = arrays_in((whole / name).read_bytes())
    cases = [
        (f"{one} is {what}", changed(name, arrays | {one: value}))
        for one, array in arrays.items()
        for what, value in wrong(array)
    ]
    cases += [
        (f"no {one}", changed(name, {key: array for key, array in arrays.items() if key != one})) for one in arrays
    ]
    cases.append(("one more", changed(name, arrays | {"more": np.zeros(3)})))
    refused, _ = outcomes(whole, cases)
    assert refused > 10 * len(arrays)


def test_a_wrong_table(whole: Path) -> None:
    table = np.load(whole / "table.npy")

    def saved(value: Any) -> Tamper:
        return lambda folder: np.save(folder / "table.npy", value)

    refused, _ = outcomes(whole, [(what, saved(value)) for what, value in wrong(table)])
    assert refused > 15


# Files


def filled(name: str, content: bytes) -> Tamper:
    return lambda folder: (folder / name).write_bytes(content)


def edited(name: str, old: str, new: str) -> Tamper:
    def tamper(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return tamper


def zip_with(declared: bytes) -> bytes:
    """An npz file whose first member has this content."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("codes.npy", declared)
    return file.getvalue()


def header(shape: str, kind: str = "|i1") -> bytes:
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}}}".encode()
    return b"\x93NUMPY\x01\x00" + (len(text) + 1).to_bytes(2, "little") + text + b"\n"


FILES = (*REQUIRED, READINGS, READER, READER_TOKENIZER)


@pytest.mark.parametrize("name", FILES)
def test_contents_that_are_no_such_thing(whole: Path, name: str) -> None:
    content = (whole / name).read_bytes()
    noise = np.random.default_rng(0).bytes(500)
    contents = {
        "nothing": b"\n",
        "half": content[: len(content) // 2],
        "all but a byte": content[:-1],
        "more": content + b"more",
        "twice": content * 2,
        "noise": noise,
        "zeros": bytes(1000),
        "a text": "слово\n".encode(),
        "json": b"[]\n",
        "object": b'{"text": 5}\n',
        "gzip": gzip.compress(noise),
        "gzip of text": gzip.compress("слово\tword\textra\tmore\n".encode()),
        "an npz of nothing": zip_with(b""),
        "an enormous array": zip_with(header("(2000000000000,)")),
        "an impossible array": zip_with(header(f"({2**62}, {2**62})")),
        "a pickle": b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x8c\x07builtins\x94.",
        "an enormous table": header("(2000000000000, 32)"),
    }
    middle = len(content) // 2
    contents |= {f"a bit of {at}": content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :] for at in (9, middle)}
    cases = [(what, filled(name, some)) for what, some in contents.items()]
    refused, _ = outcomes(whole, cases, scenes=name == SCENES)
    assert refused >= len(contents) - 5


def test_phrases_that_are_none(whole: Path) -> None:
    lines = (whole / "phrases.jsonl").read_text(encoding="utf-8").splitlines()
    first = json.loads(lines[0])
    values: list[Any] = [
        5,
        None,
        [],
        {},
        ["a", 5],
        [[]],
        {"en": 5},
        {"en": ["a", None]},
        "",
        "текст",
        float("nan"),
        True,
        NESTED,
    ]
    fields = (*first, "variants", "equivalents", "examples", "example_translations", "common", "scenes", "more")

    def with_record(record: Any) -> bytes:
        return "\n".join([json.dumps(record, ensure_ascii=False), *lines[1:], ""]).encode()

    cases = [
        (f"{name} is {str(value)[:50]}", filled("phrases.jsonl", with_record(first | {name: value})))
        for name in fields
        for value in values
    ]
    cases += [
        (f"no {name}", filled("phrases.jsonl", with_record({key: of for key, of in first.items() if key != name})))
        for name in first
    ]
    cases += [
        ("other words", filled("phrases.jsonl", with_record(first | {"text": "совсем другое"}))),
        ("a surrogate", filled("phrases.jsonl", with_record(first).replace(b"\xd0\xb1", b"\\ud800", 1))),
        ("no text", filled("phrases.jsonl", with_record(first).replace(b"\xd0\xb1", b"\xd0", 1))),
    ]
    refused, served = outcomes(whole, cases)
    assert refused > 100 and served > 3


def test_tokenizers_that_are_none(whole: Path) -> None:
    whole_one = json.loads((whole / "tokenizer.json").read_text(encoding="utf-8"))
    values: list[Any] = [None, 5, "text", [], {}, {"type": "BPE"}, {"type": "Whitespace"}, NESTED]
    cases: list[tuple[str, Tamper]] = []
    for name in whole_one:
        for value in values:
            text = json.dumps(whole_one | {name: value}, ensure_ascii=False)
            cases.append((f"{name} is {str(value)[:50]}", filled("tokenizer.json", text.encode())))
    model = whole_one["model"]
    vocabulary = model["vocab"]
    others: list[dict[str, Any]] = [
        {"unk_token": "[OTHER]"},
        {"vocab": {**vocabulary, "дождь": 10**6}},
        {"vocab": {**vocabulary, "дождь": -1}},
        {"vocab": {**vocabulary, "дождь": 2**40}},
        {"vocab": {piece: number for piece, number in vocabulary.items() if piece != "[UNK]"}},
        {"vocab": {}},
        {"max_input_chars_per_word": 0},
        {"max_input_chars_per_word": 2**63},
        {"continuing_subword_prefix": "дд"},
    ]
    for changes in others:
        text = json.dumps({**whole_one, "model": model | changes}, ensure_ascii=False)
        cases.append((str(changes)[:60], filled("tokenizer.json", text.encode())))
    refused, served = outcomes(whole, cases)
    assert refused > 30 and served > 3


# What is no file, and what unpacks to more than memory


@pytest.mark.parametrize("name", [MANIFEST, "phrases.jsonl", "vectors.npz", "table.npy", "tokenizer.json", READER])
def test_what_is_no_file_is_refused_at_once(whole: Path, name: str) -> None:
    content = (whole / name).read_bytes()
    (whole / name).unlink()
    try:
        for make in (os.mkfifo, bound_socket, Path.mkdir, lambda path: path.symlink_to("/dev/zero")):
            make(whole / name)
            with pytest.raises(ArtifactsError, match=name) as caught:
                Artifacts.load(whole)
            assert "\n" not in str(caught.value)
            (whole / name).rmdir() if (whole / name).is_dir() else (whole / name).unlink()
    finally:
        (whole / name).write_bytes(content)


def bound_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured where there is /proc")
@pytest.mark.parametrize("name", ["scenes.jsonl.gz", "emoji.tsv.gz", "vectors.npz"])
def test_a_bomb_is_refused_before_it_fills_the_memory(whole: Path, name: str) -> None:
    before = (whole / name).read_bytes()
    zeros = bytes(1 << 20)
    if name.endswith(".gz"):
        with gzip.open(whole / name, "wb", 1) as file:
            for _ in range(2000):
                file.write(zeros)
    else:
        with zipfile.ZipFile(whole / name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
            with packed.open("codes.npy", "w", force_zip64=True) as member:
                member.write(header(f"({2000 << 20}, 1)"))
                for _ in range(2000):
                    member.write(zeros)
            packed.writestr("scales.npy", header("(1,)", "<f4") + bytes(4))
    sign(whole)
    program = (
        "import sys; from pathlib import Path; from bot.search.artifacts import Artifacts, ArtifactsError\n"
        "try: Artifacts.load(Path(sys.argv[1]), scenes=True)\n"
        "except ArtifactsError as error: print(error)\n"
        "status = Path('/proc/self/status').read_text()\n"
        "print(int(status.partition('VmHWM:')[2].split()[0]) // 1024)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(whole)], capture_output=True, text=True, check=True)
    (whole / name).write_bytes(before)
    sign(whole)
    said, megabytes = done.stdout.splitlines()
    assert "unpacks to more than" in said
    assert int(megabytes) < 600
