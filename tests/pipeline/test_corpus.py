"""The reader of phrase files: what it accepts, and one clear sentence for everything else."""

from __future__ import annotations

import csv
import json
import os
import socket
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.search.phrases import Phrase
from bot.search.text import words
from pipeline.data import records
from pipeline.data.corpus import CorpusError, read_corpus

BEAT = Phrase("бить баклуши", "ru", ("бездельничать",))
BUCKET = Phrase("kick the bucket", "en", ("to die",))


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def fault(*paths: Path) -> str:
    """The message of the fault, with the folder of the first file cut off."""
    with pytest.raises(CorpusError) as caught:
        read_corpus(paths)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(f"{paths[0].parent}/", "") if paths else message


# What is read


def test_every_column_of_a_json_line_arrives(tmp_path: Path) -> None:
    record = {
        "phrase": "бить  баклуши",
        "meaning": "бездельничать",
        "meanings": ["бездельничать", "лениться"],
        "meaning_en": "to idle",
        "equivalents_en": ["twiddle one's thumbs"],
        "equivalents": ["loaf about"],
        "variants": ["баклуши бить"],
        "topics": ["idleness"],
        "kind": "idiom",
        "register": "colloquial",
        "example": "Весь день бил баклуши.",
        "examples": ["Хватит бить баклуши!"],
        "examples_en": ["He idled all day.", "Stop idling!"],
        "common": 4,
        "stressed": "бить баклу́ши",
        "literal_en": "to beat wooden blocks",
        "usage_en": "Imperfective only.",
        "opposites": ["работать не покладая рук"],
        "renderings_en": ["kick one's heels"],
        "etymology": "От заготовок для ложек.",
        "source": "this project",
    }
    path = write(tmp_path / "ru.jsonl", json.dumps(record))
    assert read_corpus([path]) == [
        Phrase(
            text="бить баклуши",
            language="ru",
            meanings=("бездельничать", "лениться"),
            translations={"en": "to idle"},
            equivalents={"en": ("loaf about", "twiddle one's thumbs")},
            variants=("баклуши бить",),
            topics=("idleness",),
            kind="idiom",
            register="colloquial",
            examples=("Весь день бил баклуши.", "Хватит бить баклуши!"),
            example_translations={"en": ("He idled all day.", "Stop idling!")},
            common=4,
            stressed="бить баклу́ши",
            literal={"en": "to beat wooden blocks"},
            usage={"en": "Imperfective only."},
            opposites=("работать не покладая рук",),
            renderings={"en": ("kick one's heels",)},
            etymology="От заготовок для ложек.",
            source="this project",
        )
    ]


def test_several_files_of_several_formats_follow_each_other(tmp_path: Path) -> None:
    paths = [
        write(tmp_path / "a.tsv", "бить баклуши\tбездельничать\n"),
        write(tmp_path / "b.csv", "phrase,meaning\nkick the bucket,to die\n"),
        write(tmp_path / "c.de.txt", "phrase\tmeaning\nins Gras beißen\tsterben\n"),
    ]
    assert read_corpus(paths) == [BEAT, BUCKET, Phrase("ins Gras beißen", "de", ("sterben",))]


@pytest.mark.parametrize(
    "content",
    [
        "бить баклуши\tбездельничать",
        "\ufeffбить баклуши\tбездельничать\r\n",
        "phrase\tmeaning\n\n  \nбить баклуши\tбездельничать\n",
        "Meaning\tPhrase\r\nбездельничать\tбить баклуши\r\n",
    ],
)
def test_tsv_with_or_without_header_byte_order_mark_and_blank_lines(tmp_path: Path, content: str) -> None:
    assert read_corpus([write(tmp_path / "list.tsv", content)]) == [BEAT]


def test_csv_with_semicolons_quotes_lists_and_line_breaks(tmp_path: Path) -> None:
    rows = 'phrase;meanings;variants\n"kick\nthe bucket";to die | "to ""croak""";kicked the bucket|\n'
    path = write(tmp_path / "en.csv", rows.replace('to die | "to ""croak"""', '"to die | to ""croak"""'))
    expected = Phrase("kick the bucket", "en", ("to die", 'to "croak"'), variants=("kicked the bucket",))
    assert read_corpus([path]) == [expected]


@pytest.mark.parametrize(
    ("name", "record", "language"),
    [
        ("ru.jsonl", {"phrase": "deja vu"}, "ru"),
        ("mine.en.jsonl", {"phrase": "слово"}, "en"),
        ("en.jsonl", {"phrase": "слово", "language": "uk"}, "uk"),
        ("my_list.jsonl", {"phrase": "слово"}, "ru"),
        ("db.jsonl", {"phrase": "word"}, "en"),
    ],
)
def test_language_of_an_entry(tmp_path: Path, name: str, record: dict[str, str], language: str) -> None:
    path = write(tmp_path / name, json.dumps(record | {"meaning": "x"}))
    assert [phrase.language for phrase in read_corpus([path])] == [language]


@pytest.mark.parametrize(
    ("record", "meanings", "translations"),
    [
        ({"meaning_en": "a", "meaning": "b", "meanings": ["c", "b"]}, ("a", "b", "c"), {}),
        ({"meaning_en": "a", "meaning_ru": "я"}, ("a",), {"ru": "я"}),
        ({"meaning_ru": "я"}, ("я",), {"ru": "я"}),
        ({"meaning": "d", "meaning_en": "a", "language": "de"}, ("d",), {"en": "a"}),
        ({"meaning": "", "meaning_en": "a", "language": "de"}, ("a",), {"en": "a"}),
        ({"meaning": "a", "meaning_de": "d", "meaning_ja": "j", "meaning_ru": None}, ("a",), {"de": "d", "ja": "j"}),
    ],
)
def test_the_meaning_in_the_own_language_comes_first(
    tmp_path: Path, record: dict[str, object], meanings: tuple[str, ...], translations: dict[str, str]
) -> None:
    path = write(tmp_path / "en.jsonl", json.dumps({"phrase": "word", **record}))
    [phrase] = read_corpus([path])
    assert (phrase.meanings, phrase.translations) == (meanings, translations)


def test_equivalents_go_by_their_column_or_their_script(tmp_path: Path) -> None:
    record = {"phrase": "word", "meaning": "x", "equivalents_de": ["Wort"], "equivalents": ["слово", "mot", "слово"]}
    [phrase] = read_corpus([write(tmp_path / "fr.jsonl", json.dumps(record))])
    assert phrase.equivalents == {"de": ("Wort",), "ru": ("слово",), "en": ("mot",)}
    table = write(tmp_path / "fr.csv", "phrase,meaning_ru,equivalents_ru\nmot,слово,слово | слог\n")
    [phrase] = read_corpus([table])
    assert (phrase.translations, phrase.equivalents) == ({"ru": "слово"}, {"ru": ("слово", "слог")})


def test_texts_are_composed_and_lose_what_nobody_sees(tmp_path: Path) -> None:
    phrase = unicodedata.normalize("NFD", "мой\u200b кра\u00adй")
    path = write(tmp_path / "ru.tsv", f"{phrase}\t\u00a0\u2003 где  я живу\n")
    assert read_corpus([path]) == [Phrase("мой край", "ru", ("где я живу",))]


def test_a_variant_may_repeat_its_own_entry_and_another_variant(tmp_path: Path) -> None:
    lines = [
        {"phrase": "всё равно", "meaning": "безразлично", "variants": ["все равно", "едино"]},
        {"phrase": "всё одно", "meaning": "то же", "variants": ["едино"]},
    ]
    path = write(tmp_path / "ru.jsonl", "\n".join(map(json.dumps, lines)))
    assert [phrase.variants for phrase in read_corpus([path])] == [("все равно", "едино"), ("едино",)]


# What is refused

JSON_FAULTS = [
    ("", "ru.jsonl: holds no entries: write at least one phrase with its meaning"),
    (" \n\n", "ru.jsonl: holds no entries: write at least one phrase with its meaning"),
    ('\n["a"]', "ru.jsonl:2: the line is not a JSON object: write one object per line"),
    ("{'a': 1}", "ru.jsonl:1: not valid JSON (Expecting property name"),
    ('{"phrase": NaN}', "ru.jsonl:1: phrase must be a text in quotes, not nan"),
    ('{"phrase": "a", "phrase": "b"}', "ru.jsonl:1: not valid JSON (a name is given twice)"),
    ("9" * 5000, "ru.jsonl:1: not valid JSON (Exceeds the limit"),
    ("[" * 19_000, "ru.jsonl:1: not valid JSON (maximum recursion depth exceeded"),
    (
        '{"phrase": "а", "meanning": "б"}',
        "ru.jsonl:1: unknown column 'meanning': rename or remove it; known are phrase,",
    ),
    (
        '{"phrase": "а", "meaning_xx": "б"}',
        "ru.jsonl:1: unknown column 'meaning_xx': rename or remove it; known are phrase,",
    ),
    ('{"phrase": "а", "kind_en": "б"}', "ru.jsonl:1: unknown column 'kind_en': rename or remove it; known are phrase,"),
    ('{"phrase": 5}', "ru.jsonl:1: phrase must be a text in quotes, not 5"),
    ('{"phrase": "а", "topics": "x"}', "ru.jsonl:1: topics must be a list of texts, not 'x'"),
    ('{"phrase": "а", "topics": [1]}', "ru.jsonl:1: topics must be a text in quotes, not 1"),
    ('{"meaning": "б"}', "ru.jsonl:1: the phrase is missing: fill in the column phrase"),
    ('{"phrase": " ", "meaning": "б"}', "ru.jsonl:1: the phrase is missing: fill in the column phrase"),
    ('{"phrase": "?!", "meaning": "б"}', "ru.jsonl:1: the phrase '?!' has no letter or digit: write it in words"),
    ('{"phrase": "а"}', "ru.jsonl:1: 'а' has no meaning: fill in the column meaning"),
    ('{"phrase": "\\ud800", "meaning": "б"}', "ru.jsonl:1: phrase holds the control character U+D800: remove it"),
    ('{"phrase": "а\\u0000", "meaning": "б"}', "ru.jsonl:1: phrase holds the control character U+0000: remove it"),
    (f'{{"phrase": "{"а" * 301}"}}', "ru.jsonl:1: the phrase has 301 characters, more than 300: shorten it"),
    (
        f'{{"phrase": "а", "meaning": "б", "topics": ["семья", "{"т" * 101}"]}}',
        "ru.jsonl:1: the topic 'тттттттттттт...ттттттттттттт' has 101 characters, more than 100: shorten it",
    ),
    ('{"phrase": "а", "meaning": "б", "language": "rus"}', "ru.jsonl:1: language 'rus' is not a two-letter ISO 639-1"),
    ('{"phrase": "а", "meaning": "б", "equivalents_ru": ["в"]}', "ru.jsonl:1: equivalents_ru in an entry of that"),
    ("x" * 20_001, "ru.jsonl:1: the line has more than 20,000 characters: break the file into one entry per line"),
    ("ы" * 100_000, "ru.jsonl:1: the line has more than 20,000 characters: break the file into one entry per line"),
    ('{"phrase": "а\0"}', "ru.jsonl:1: a NUL byte, so the file is binary or UTF-16: name a text file saved as UTF-8"),
    ("\nидиома".encode("cp1251"), "ru.jsonl:2: byte 1 of the line is not UTF-8: save the file as UTF-8"),
    ("идиома".encode("utf-16"), "ru.jsonl:1: byte 1 of the line is not UTF-8: save the file as UTF-8"),
]


@pytest.mark.parametrize(("content", "expected"), JSON_FAULTS)
def test_faults_of_json_lines(tmp_path: Path, content: str | bytes, expected: str) -> None:
    assert fault(write(tmp_path / "ru.jsonl", content)).startswith(expected)


TABLE_FAULTS = [
    ("a.tsv", "первая\tзначение\nвторая", "a.tsv:2: 1 columns instead of 2 (phrase, meaning): separate exactly these"),
    ("a.txt", "один\tдва\tтри\n", "a.txt:1: 3 columns instead of 2 (phrase, meaning): separate exactly these"),
    ("a.tsv", "phrase\tmeanning\n", "a.tsv:1: unknown column 'meanning': rename or remove it; known are phrase,"),
    ("a.tsv", "phrase\tphrase\n", "a.tsv:1: the column phrase is named twice: remove one"),
    ("a.tsv", "phrase\tmeaning\n", "a.tsv: holds no entries: write at least one phrase with its meaning"),
    ("a.csv", "бить баклуши,лениться\n", "a.csv:1: the first line names no column phrase: begin with a header such as"),
    ("a.csv", "phrase,meaning\na,b,c\n", "a.csv:2: 3 columns instead of 2 (phrase, meaning): separate exactly these"),
    ("a.csv", 'phrase,meaning\n"a\nb",c\nd,"e\n', "a.csv:4: not valid CSV (unexpected end of data): check the quotes"),
    ("a.tsv", "a\tb\rc\td\r", "a.tsv:1: not valid TSV (new-line character seen in unquoted field"),
    ("a.csv", 'phrase,meaning\n"a"b,c\n', "a.csv:2: not valid CSV (',' expected after '\"'): check the quotes"),
    (
        "a.csv",
        'phrase,meaning\n"' + ("x" * 10_000 + "\n") * 20,
        "a.csv:2: not valid CSV (field larger than field limit",
    ),
    ("a.xlsx", "PK", "a.xlsx: the extension '.xlsx' is not known: name a file with one of .jsonl, .csv, .tsv, .txt"),
    ("a", "PK", "a: the extension '' is not known: name a file with one of .jsonl, .csv, .tsv, .txt"),
]


@pytest.mark.parametrize(("name", "content", "expected"), TABLE_FAULTS)
def test_faults_of_tables_and_names(tmp_path: Path, name: str, content: str, expected: str) -> None:
    assert fault(write(tmp_path / name, content)).startswith(expected)


def test_a_missing_file_a_folder_and_no_file_at_all(tmp_path: Path) -> None:
    missing, folder, long = tmp_path / "none.tsv", tmp_path / "folder.tsv", tmp_path / ("x" * 300 + ".tsv")
    folder.mkdir()
    advice = "check the path and its permissions"
    assert fault(missing) == f"none.tsv: cannot be read (No such file or directory): {advice}"
    assert fault(folder) == f"folder.tsv: cannot be read (Is a directory): {advice}"
    assert fault(long) == f"{long.name}: cannot be read (File name too long): {advice}"
    assert "cannot be read (embedded null byte): check the path" in fault(tmp_path / "nul\0.tsv")
    assert fault() == "no corpus file was given: name at least one .jsonl, .csv or .tsv file"


def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe, made, device = (tmp_path / f"{name}.tsv" for name in ("pipe", "socket", "device"))
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(made))
    device.symlink_to("/dev/zero")
    reason = "cannot be read (a pipe, a socket or a device instead of a file): check the path and its permissions"
    for path in (pipe, made, device):
        assert fault(path) == f"{path.name}: {reason}"


def test_a_file_that_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.tsv"
    with path.open("wb") as file:
        file.truncate(records.MAX_FILE_BYTES + 1)
    assert fault(path) == "large.tsv: has 200,000,001 bytes, more than 200,000,000: split it into files"


def test_a_duplicate_names_the_place_of_the_first(tmp_path: Path) -> None:
    first = write(tmp_path / "first.tsv", "\nВсё равно!\tбезразлично\n")
    second = write(tmp_path / "second.tsv", "другое\tиное\nвсе равно\tбезразлично\n")
    assert fault(first, second) == "second.tsv:2: 'все равно' is already at first.tsv:2: remove one of the two"


def test_the_same_text_in_two_languages_is_no_duplicate(tmp_path: Path) -> None:
    paths = [write(tmp_path / "de.tsv", "tabula rasa\tleer\n"), write(tmp_path / "en.tsv", "tabula rasa\tblank\n")]
    assert [phrase.language for phrase in read_corpus(paths)] == ["de", "en"]


def test_a_variant_that_is_an_entry_elsewhere_is_refused_in_either_order(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.tsv", "баклуши бить\tлениться\n")
    varied = write(tmp_path / "varied.csv", "phrase,meaning,variants\nбить баклуши,лениться,Баклуши бить\n")
    assert fault(varied, plain) == (
        "plain.tsv:1: 'баклуши бить' is already a variant at varied.csv:2: remove one of the two"
    )
    assert fault(plain, varied) == (
        "varied.csv:2: variant 'Баклуши бить' is already an entry at plain.tsv:1: remove one of the two"
    )


# Properties

TEXT = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="|"), min_size=1, max_size=40).map(
    lambda text: unicodedata.normalize("NFC", " ".join(text.split()))
)
VISIBLE = TEXT.filter(lambda text: not set(text) & set("\ufeff\u200b\u2060\u00ad"))
PHRASES = st.builds(
    Phrase,
    text=VISIBLE.filter(words),
    language=st.sampled_from(["ru", "en", "de"]),
    meanings=st.lists(VISIBLE.filter(bool), min_size=1, max_size=3, unique=True).map(tuple),
    topics=st.lists(VISIBLE.filter(bool), max_size=3, unique=True).map(tuple),
    register=VISIBLE.map(lambda text: text or "neutral"),
    examples=st.lists(VISIBLE.filter(bool), max_size=2, unique=True).map(tuple),
    common=st.integers(1, 5),
)
CORPORA = st.lists(PHRASES, min_size=1, max_size=5, unique_by=lambda phrase: phrase.key)


def as_record(phrase: Phrase) -> dict[str, str | list[str]]:
    return {
        "phrase": phrase.text,
        "language": phrase.language,
        "meanings": list(phrase.meanings),
        "topics": list(phrase.topics),
        "register": phrase.register,
        "examples": list(phrase.examples),
        "common": str(phrase.common),
    }


@settings(max_examples=50, deadline=None)
@given(CORPORA)
def test_json_lines_and_csv_round_trip(tmp_path_factory: pytest.TempPathFactory, phrases: list[Phrase]) -> None:
    folder = tmp_path_factory.mktemp("corpus")
    rows = [as_record(phrase) for phrase in phrases]
    lines = write(folder / "some.jsonl", "\n".join(map(json.dumps, rows)))
    with (folder / "some.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({k: " | ".join(v) if isinstance(v, list) else v for k, v in row.items()} for row in rows)
    assert read_corpus([lines]) == phrases
    assert read_corpus([folder / "some.csv"]) == phrases


SNIPPETS = st.sampled_from(
    [b'{"phrase":', b'"a"', b', "meaning": ', b"}", b"phrase,meaning\n", b"\t", b'"', b"\n", b"\r", b",", b";", b"|"]
) | st.sampled_from(
    [b"\xef\xbb\xbf", b"\xff\xfe", b"\xd0\xb0", b"\xd0", b"\0", b"\\ud800", b"1e999", b"NaN", b"[" * 3000, b"\x85"]
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([".jsonl", ".csv", ".tsv", ".txt"]), st.binary() | st.lists(SNIPPETS).map(b"".join))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, suffix: str, content: bytes) -> None:
    path = write(tmp_path_factory.getbasetemp() / f"any{suffix}", content)
    try:
        phrases, message = read_corpus([path]), ""
    except CorpusError as error:
        phrases, message = [], str(error)
    assert message.startswith(f"{path}:") if message else phrases
    assert all(phrase.text and phrase.meanings and all(phrase.meanings) for phrase in phrases)
