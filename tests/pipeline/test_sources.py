"""Training and test sets: what `sources.toml` promises, how each file is read, how fetch gets what does not ship."""

from __future__ import annotations

import bz2
import errno
import gzip
import hashlib
import os
import re
import shutil
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from pipeline.data.convert import CONVERTERS
from pipeline.data.sources import DATA, Contrast, DataFolder, Source, SourceError, load_sources
from pipeline.data.tables import read_lines, write_lines
from pipeline.fetch import main

SOURCES = load_sources(DATA / "sources.toml")
SHIPPED = [source for source in SOURCES.values() if source.ships]
MAY_SHIP = {
    *("mlqe_da80", "mlqe_pe_postedited", "tico19", "osm_id", "openrussian_dict", "openrussian_dict_e2r"),
    *("ntrex128", "xquad_q", "rubq_mt", "qald9plus"),
}

# What data/sources.toml says


@pytest.mark.parametrize("source", SOURCES.values(), ids=list(SOURCES))
def test_every_set_says_where_it_is_from_and_how_it_is_read(source: Source) -> None:
    assert source.licence
    assert source.origin.startswith(("https://", "http://")) or (source.origin == "this project" and source.ships)
    assert source.use in ("train", "tune", "test")
    assert set(source.languages) <= {"en", "ru"}
    assert callable(getattr(DataFolder, source.reader))
    assert source.rows > 0
    assert re.fullmatch("[0-9a-f]{64}", source.sha256)
    assert not Path(source.file).is_absolute()


@pytest.mark.parametrize("source", SOURCES.values(), ids=list(SOURCES))
def test_a_set_ships_or_can_be_downloaded(source: Source) -> None:
    assert source.ships != bool(source.downloads)
    if source.convert:
        assert source.convert in CONVERTERS
    elif source.downloads:
        assert [download.sha256 for download in source.downloads] == [source.sha256]


def test_no_two_sets_share_a_file() -> None:
    assert len({source.file for source in SOURCES.values()}) == len(SOURCES)


@pytest.mark.parametrize("source", SHIPPED, ids=[source.name for source in SHIPPED])
def test_what_ships_is_whole(source: Source) -> None:
    folder = DataFolder()
    read = getattr(folder, source.reader)
    assert hashlib.sha256(folder.path(source.name).read_bytes()).hexdigest() == source.sha256
    assert len(read() if source.reader in ("wordnet_ru", "contrasts") else read(source.name)) == source.rows


def test_only_texts_that_may_be_passed_on_ship() -> None:
    files = {path.name: path.stat().st_size for path in (DATA / "training").iterdir()}
    shipped = {Path(source.file) for source in SHIPPED}
    assert set(files) == {path.name for path in shipped if path.parent.name == "training"} | {"README.md"}
    assert sum(files.values()) < 12_000_000
    tags = {text.rpartition("\t")[2] for line, text in read_lines(DATA / "training" / "pairs.tsv.gz") if line > 1}
    assert tags == MAY_SHIP


# Readers


class Folder:
    """A data folder of the test, with the real sources.toml."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        shutil.copy(DATA / "sources.toml", root)

    @property
    def data(self) -> DataFolder:
        return DataFolder(self.root)

    def put(self, name: str, content: str | bytes) -> Path:
        """Write a set's file, compressed when its name says so."""
        path = self.root / SOURCES[name].file
        path.parent.mkdir(exist_ok=True)
        raw = content.encode() if isinstance(content, str) else content
        path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
        return path


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "data")


def fault(read: Callable[[], object]) -> str:
    with pytest.raises(SourceError) as caught:
        read()
    return str(caught.value)


def test_pairs_are_english_and_russian(folder: Folder) -> None:
    folder.put("pairs", "en\tru\ttag\na cat\tкошка\tosm_id\n a dog \tсобака\ttico19\n")
    assert folder.data.pairs("pairs") == [("a cat", "кошка"), ("a dog", "собака")]


def test_the_full_file_of_pairs_gives_only_what_does_not_ship(folder: Folder) -> None:
    rows = ["a\tа\ttatoeba_direct", "b\tб\ttico19", "c\tв\twmt_general2022", "d\tг\tmlqe_da80", "e\tд\tmultiling_words"]
    folder.put("pairs_more", "\n".join(["en\tru\tsource", *rows]))
    assert folder.data.pairs("pairs_more") == [("a", "а"), ("c", "в"), ("e", "д")]


def test_a_text_may_hold_quotes_and_every_separator_but_a_line_feed(folder: Folder) -> None:
    folder.put("tatoeba_eng", '"Go!" he said.\nOne\u2028line.\r\nThe last one')
    assert folder.data.texts("tatoeba_eng") == ['"Go!" he said.', "One\u2028line.", "The last one"]


def test_glosses_join_the_words_with_commas(folder: Folder) -> None:
    header = "synset\tpos\tmembers\tgloss\texamples"
    folder.put("oewn_glosses", f"{header}\n1-a\ta\tchar|coal\tburn to charcoal\tcoal it\n")
    folder.put("axolotl_glosses", "word\tgloss\tperiod\nмиро\tблаговонное масло\told\n")
    assert folder.data.glosses("oewn_glosses") == [("char, coal", "burn to charcoal")]
    assert folder.data.glosses("axolotl_glosses") == [("миро", "благовонное масло")]


def test_frequencies(folder: Folder) -> None:
    folder.put("frequency_ru", "не 4334804\nкто-то 138\n")
    assert folder.data.frequencies("frequency_ru") == [("не", 4334804), ("кто-то", 138)]
    path = folder.put("frequency_en", "you 7\nmany\n")
    assert fault(lambda: folder.data.frequencies("frequency_en")) == (
        f"{path}:2: Field required (['many']): the file is damaged, replace it by a fresh copy"
    )


def test_wordnet_ru(folder: Folder) -> None:
    header = "pwn30\tili\tru_lemma\ten_members\ten_gloss"
    folder.put("wordnet_ru", f"{header}\n02771997-v\ti35542\tобуглить\tchar|coal\tburn to charcoal\n")
    assert folder.data.wordnet_ru() == [("обуглить", "char, coal", "burn to charcoal")]


def test_sts_has_no_header(folder: Folder) -> None:
    folder.put("sts_ru_dev", 'Летит.,"Летит, кажется.",3.8\nСпит.,Ест.,0\n')
    assert folder.data.sts("ru", "dev") == [("Летит.", "Летит, кажется.", 3.8), ("Спит.", "Ест.", 0.0)]


def test_judged_pairs_of_three_layouts(folder: Folder) -> None:
    folder.put("ru_paraphraser", "id\tid_1\tid_2\ttext_1\ttext_2\tjaccard\tclass\n1\t2\t3\tДа.\tНет.\t0.5\t-1\n")
    header = "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String"
    folder.put("mrpc_test", f'{header}\n1\t7\t8\t"Yes," he said.\tHe said yes.\n')
    folder.put("qqp", "q1\tq2\tis_duplicate\tsplit\nWhy?\tHow come?\t1\tkaggle_test\n")
    assert folder.data.judged_pairs("ru_paraphraser") == [("Да.", "Нет.", -1)]
    assert folder.data.judged_pairs("mrpc_test") == [('"Yes," he said.', "He said yes.", 1)]
    assert folder.data.judged_pairs("qqp") == [("Why?", "How come?", 1)]


def test_contrasts_name_two_phrases_and_a_sentence_for_each(folder: Folder) -> None:
    columns = "language\tphrase\tcontrary\tasks_for_phrase\tasks_for_contrary"
    folder.put("contrasts", f"{columns}\nen\tspill the beans\tkeep mum\the told them\the told no one\n")
    asked = Contrast("en", ("spill the beans", "keep mum"), ("he told them", "he told no one"))
    assert folder.data.contrasts() == [asked]


def test_reverse_dictionaries(folder: Folder) -> None:
    folder.put("reverse_hill", '[{"word": "forget", "lexnames": [], "definitions": "when you lost it"}]')
    folder.put("reverse_rd16", "trade\nradio")
    folder.put("reverse_rd16_descriptions", "to give and take\nnews as sound ")
    assert folder.data.reverse_dictionary("reverse_hill") == [("forget", "when you lost it")]
    assert folder.data.reverse_dictionary("reverse_rd16") == [("trade", "to give and take"), ("radio", "news as sound")]


def held_out(folder: Folder) -> None:
    folder.put("sts_en_test", "A cat sits.,A dog runs.,1.0\n")
    folder.put("sts_ru_test", "Кошка сидит.,Ещё один!,1.0\n")
    folder.put("sts_en_dev", "A pig flies.,A pig eats.,2.0\n")
    folder.put("sts_ru_dev", "Свинья летит.,Свинья ест.,2.0\n")
    folder.put("tatoeba_test", "en\tru\nOnly God knows.\tКто знает.\n")


def test_held_out_texts_are_compared_in_folded_form(folder: Folder) -> None:
    held_out(folder)
    assert folder.data.bitext_test() == [("Only God knows.", "Кто знает.")]
    assert folder.data.held_out() == {
        *("a cat sits", "a dog runs", "кошка сидит", "еще один", "only god knows", "кто знает"),
        *("a pig flies", "a pig eats", "свинья летит", "свинья ест"),
    }


# Where a set is looked for


def test_a_folder_that_is_named_wins_over_what_was_downloaded(folder: Folder, tmp_path: Path) -> None:
    for place in (folder.root / "downloads", tmp_path / "mine"):
        write_lines(place / SOURCES["tatoeba_eng"].file, [place.name])
    assert DataFolder(folder.root, tmp_path / "mine").texts("tatoeba_eng") == ["mine"]
    assert DataFolder(folder.root).texts("tatoeba_eng") == ["downloads"]


def test_a_missing_set_says_both_ways_to_get_it(folder: Folder) -> None:
    assert not folder.data.has("tatoeba_eng")
    assert fault(lambda: folder.data.texts("tatoeba_eng")) == (
        "training set tatoeba_eng is missing: run python -m pipeline.fetch tatoeba_eng, "
        "or give a folder that holds text/tatoeba_eng.txt.gz with --data DIR"
    )
    assert fault(lambda: folder.data.bitext_test()).startswith("test set tatoeba_test is missing: run python -m")


def test_a_missing_file_of_the_repository_is_to_be_restored(folder: Folder) -> None:
    where = folder.root / "training" / "pairs.tsv.gz"
    assert fault(lambda: folder.data.pairs("pairs")) == (
        f"training set pairs is missing: restore {where}, which belongs to the repository"
    )


def test_a_wrong_name_reader_or_folder_is_said(folder: Folder, tmp_path: Path) -> None:
    folder.put("tatoeba_eng", "Go.")
    assert fault(lambda: folder.data.texts("tatoeba")).startswith(
        "there is no set called tatoeba: the sets are pairs, wordnet_ru, "
    )
    assert fault(lambda: folder.data.pairs("tatoeba_eng")) == (
        "set tatoeba_eng is read as texts, not as pairs: name another set"
    )
    assert fault(lambda: DataFolder(folder.root, tmp_path / "no")) == (
        f"there is no folder {tmp_path / 'no'}: give --data the folder that holds the training sets"
    )


# Damaged files

HEAD = "en\tru\ttag\n"
WORD = "pwn30\tili\tru_lemma\ten_members\ten_gloss\n"


@pytest.mark.parametrize(
    ("name", "content", "line", "why"),
    [
        ("pairs", "", 1, "it is empty"),
        ("pairs", "en\tru_text\ttag\na\tа\tosm_id\n", 1, "the first line names no column ru"),
        ("pairs", f"{HEAD}a\tа\tosm_id\nb\tб\n", 3, "2 columns instead of 3"),
        ("pairs", f"{HEAD}a\tа\tosm_id\n".encode() + b"b\t\xff\tosm_id\n", 3, "not UTF-8 text"),
        ("wordnet_ru", f"{WORD}\n", 2, "1 columns instead of 5"),
        ("tatoeba_rus", b"\xd0\n", 1, "not UTF-8 text"),
        ("sts_en_test", "One.,Two.,1\nOne.,Two.\n", 2, "Field required (['One.', 'Two.'])"),
        (
            "sts_en_test",
            "One.,Two.,high\n",
            1,
            "Input should be a valid number, unable to parse string as a number ('high')",
        ),
        ("sts_en_test", 'One.,Two.,1\n"One.,Two.,1\nOne.,Two.,1\n', 2, "Field required (['One.,Two.,1'])"),
        ("qqp", "q1\tq2\tis_duplicate\tsplit\na\tb\tyes\tx\n", 2, "Input should be a valid integer"),
        ("qqp", "q1\tq2\tis_duplicate\tsplit\na\tb\t2\tx\n", 2, "Input should be less than or equal to 1 ('2')"),
        ("reverse_hill", "[\n{", 2, "Expecting property name enclosed in double quotes"),
        ("reverse_hill", '[{"word": "a"}]', 1, "not a list of entries with word and definitions"),
        ("reverse_rd16", "trade\nradio", 2, "2 words have 1 descriptions"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(folder: Folder, name: str, content: str, line: int, why: str) -> None:
    path = folder.put(name, content)
    folder.put("reverse_rd16_descriptions", "to give and take")
    message = fault(lambda: read(folder.data, SOURCES[name]))
    assert message.startswith(f"{path}:{line}: {why}")
    assert message.endswith("the file is damaged, replace it by a fresh copy")


def read(data: DataFolder, source: Source) -> object:
    arguments = {"sts": source.name.split("_")[1:], "wordnet_ru": []}.get(source.reader, [source.name])
    return getattr(data, source.reader)(*arguments)


def test_a_file_cut_short_or_of_another_kind_is_named(folder: Folder) -> None:
    path = folder.put("tatoeba_eng", "".join(f"Sentence {number}.\n" for number in range(50)))
    path.write_bytes(path.read_bytes()[:-9])
    assert re.match(rf"{re.escape(str(path))}:\d+: Compressed file ended before", fault(lambda: read_eng(folder)))
    path.write_bytes(b"<html>")
    assert fault(lambda: read_eng(folder)).startswith(f"{path}:1: Not a gzipped file")


def read_eng(folder: Folder) -> object:
    return folder.data.texts("tatoeba_eng")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert fault(lambda: list(read_lines(tmp_path))) == f"{tmp_path}: cannot be read: Is a directory"


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.tsv.gz")
    reason = "cannot be read: a pipe, a socket or a device instead of a file"
    assert fault(lambda: list(read_lines(tmp_path / "pipe.tsv.gz"))) == f"{tmp_path / 'pipe.tsv.gz'}: {reason}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pack"), [("bomb.gz", gzip.compress), ("bomb.bz2", bz2.compress)])
def test_a_bomb_is_refused(tmp_path: Path, name: str, pack: Callable[[bytes], bytes]) -> None:
    (tmp_path / name).write_bytes(pack(b"one\n" + bytes(130_000_000)))
    assert fault(lambda: list(read_lines(tmp_path / name))) == (
        f"{tmp_path / name}:2: unpacks to more than 128,000,000 bytes: the file is damaged, replace it by a fresh copy"
    )


def test_written_files_depend_on_their_lines_alone_and_appear_whole(tmp_path: Path) -> None:
    def breaks() -> Iterator[str]:
        yield "one"
        raise KeyError

    write_lines(tmp_path / "a.gz", ["one", "два"])
    write_lines(tmp_path / "b.gz", ["one", "два"])
    with pytest.raises(KeyError):
        write_lines(tmp_path / "b.gz", breaks())
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert list(read_lines(tmp_path / "a.gz")) == [(1, "one"), (2, "два")]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.gz", "b.gz"]


# From the publisher's form to ours


def convert(folder: Folder, name: str, *originals: str, rows: int = 1000) -> list[str]:
    paths = [folder.root / f"{number}.tsv.bz2" for number in range(len(originals))]
    for path, text in zip(paths, originals, strict=True):
        path.write_bytes(bz2.compress(text.encode()))
    source = replace(SOURCES[name], rows=rows)
    return list(CONVERTERS[source.convert](paths, source, folder.data))


ENGLISH = "1\teng\tGo.\n2\teng\tOnly  God knows!\n3\teng\tRun.\n"
RUSSIAN = "7\trus\tИди.\n8\trus\tСтупай.\n9\trus\tКто знает?\n10\trus\tБеги.\n"


def test_tatoeba_sentences(folder: Folder) -> None:
    assert convert(folder, "tatoeba_eng", ENGLISH) == ["Go.", "Only God knows!", "Run."]
    assert len(convert(folder, "tatoeba_eng", ENGLISH, rows=2)) == 2


def test_a_sample_hardly_changes_when_the_export_grows(folder: Folder) -> None:
    before = "".join(f"{number}\teng\tSentence {number}.\n" for number in range(1000))
    after = before + "".join(f"{number}\teng\tSentence {number}.\n" for number in range(1000, 1100))
    first, second = (set(convert(folder, "tatoeba_eng", text, rows=200)) for text in (before, after))
    assert len(first & second) > 160


def test_tatoeba_links_leave_out_what_tests_hold(folder: Folder) -> None:
    held_out(folder)
    links = "1\t7\n1\t8\n2\t7\n3\t9\n3\t10\n3\t99\n"
    assert convert(folder, "pairs_more", ENGLISH, RUSSIAN, links) == [
        "en\tru\tsource",
        "Go.\tИди.\ttatoeba_direct",
        "Go.\tСтупай.\ttatoeba_direct",
        "Run.\tБеги.\ttatoeba_direct",
    ]


def test_laser_test_files_side_by_side(folder: Folder) -> None:
    assert convert(folder, "tatoeba_test", "Go.\nRun.\n", "Иди.\nБеги.\n") == ["en\tru", "Go.\tИди.", "Run.\tБеги."]
    assert "1.tsv.bz2:1: 1 lines for the 2 of the other" in fault(
        lambda: convert(folder, "tatoeba_test", "Go.\nRun.\n", "Иди.\n")
    )


def test_axolotl(folder: Folder) -> None:
    one = "word\tgloss\texample\tperiod\nмиро\tмасло\tСвятое миро.\told\nмиро\tмасло\t\told\n"
    two = "word\tgloss\texample\tperiod\nмир\t\tМир и лад.\tnew\n"
    assert convert(folder, "axolotl_glosses", one, two) == ["word\tgloss\tperiod", "миро\tмасло\told"]
    assert convert(folder, "axolotl_examples", one, two) == ["Мир и лад.", "Святое миро."]


def test_quora_keeps_duplicates(folder: Folder) -> None:
    header = "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate"
    rows = '0\t1\t2\tWhy?\t"How ""come""?"\t1\n1\t3\t4\tWho?\tWhere?\t0\n'
    assert convert(folder, "qqp", f"{header}\n{rows}") == [
        "q1\tq2\tis_duplicate\tsplit",
        'Why?\tHow "come"?\t1\tquora',
    ]
    assert "no columns question1" in fault(lambda: convert(folder, "qqp", "id\tquestion1\n1\tWhy?\n"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1\teng\n", "Field required (['1', 'eng'])"),
        ("1\teng\tGo.\tnow\n", "Tuple should have at most 3 items"),
        ("one\teng\tGo.\n", "Input should be a valid integer, unable to parse string as an integer ('one')"),
    ],
)
def test_another_layout_than_tatoeba_is_said(folder: Folder, text: str, why: str) -> None:
    assert f"0.tsv.bz2:1: {why}" in fault(lambda: convert(folder, "tatoeba_eng", text))


# Fetch


class Server:
    """A web server on this machine; `files` maps a path to what it answers."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.missing_bytes = 0
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                content = server.files.get(self.path)
                if content is None:
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Length", str(len(content) + server.missing_bytes))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = Server()
    thread = Thread(target=server.http.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.http.shutdown()
    thread.join()
    server.http.server_close()


GO = b"Go.,Run.,2.5\n"


def serve_from(folder: Folder, url: str, content: bytes = GO) -> None:
    """Let every download come from `url`, and be `content` where a checksum says what it must be."""
    path = folder.root / "sources.toml"
    text = re.sub(r'(?m)^url = ".*/', f'url = "{url}/', path.read_text(encoding="utf-8"))
    digest = hashlib.sha256(content).hexdigest()
    path.write_text(re.sub(r'sha256 = "\w*"', f'sha256 = "{digest}"', text), encoding="utf-8")


def files(folder: Folder) -> set[str]:
    root = folder.root / "downloads"
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_fetch_downloads_what_is_missing_once(
    folder: Folder, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    serve_from(folder, server.url)
    server.files["/stsb-en-dev.csv"] = GO
    assert main(["sts_en_dev"], folder.root) == 0
    assert main(["sts_en_dev"], folder.root) == 0
    assert folder.data.sts("en", "dev") == [("Go.", "Run.", 2.5)]
    assert server.asked == ["/stsb-en-dev.csv"]
    path = folder.root / "downloads" / "sts" / "stsb-en-dev.csv"
    assert capsys.readouterr().out == (
        f"sts_en_dev: downloaded {path} ({SOURCES['sts_en_dev'].licence})\nsts_en_dev: there, {path}\n"
    )


def test_fetch_writes_into_another_folder(folder: Folder, server: Server, tmp_path: Path) -> None:
    serve_from(folder, server.url)
    server.files["/stsb-en-dev.csv"] = GO
    assert main(["sts_en_dev", "--data", str(tmp_path / "mine")], folder.root) == 0
    assert (tmp_path / "mine" / "sts" / "stsb-en-dev.csv").read_bytes() == GO
    assert not folder.data.has("sts_en_dev")


def test_fetch_makes_our_form_of_a_living_export(
    folder: Folder, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    serve_from(folder, server.url)
    server.files["/eng_sentences.tsv.bz2"] = bz2.compress(ENGLISH.encode())
    assert main(["tatoeba_eng"], folder.root) == 0
    assert folder.data.texts("tatoeba_eng") == ["Go.", "Only God knows!", "Run."]
    assert "eng_sentences.tsv.bz2 (CC BY 2.0 FR), not checked: it changes weekly or was" in capsys.readouterr().out
    (folder.root / "downloads" / "text" / "tatoeba_eng.txt.gz").unlink()
    assert main(["tatoeba_eng"], folder.root) == 0
    assert server.asked == ["/eng_sentences.tsv.bz2"]


def test_fetch_goes_on_after_a_set_that_is_gone(
    folder: Folder, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    serve_from(folder, server.url)
    server.files["/stsb-ru-dev.csv"] = GO
    assert main(["sts_en_dev", "sts_ru_dev"], folder.root) == 1
    assert files(folder) == {"sts/stsb-ru-dev.csv"}
    assert capsys.readouterr().err == (
        f"pipeline.fetch: {server.url}/stsb-en-dev.csv could not be downloaded (404 Not Found): try again later\n"
    )


def test_fetch_keeps_nothing_with_a_wrong_checksum(
    folder: Folder, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    serve_from(folder, server.url)
    server.files["/stsb-en-dev.csv"] = GO.replace(b"2", b"3")
    assert main(["sts_en_dev"], folder.root) == 1
    assert files(folder) == set()
    assert "/stsb-en-dev.csv has another checksum than the file that we used: see https://github.com/Phil" in (
        capsys.readouterr().err
    )


def test_fetch_keeps_nothing_of_a_download_that_breaks_off(
    folder: Folder, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    serve_from(folder, server.url)
    server.files["/eng_sentences.tsv.bz2"] = b"12345"
    server.missing_bytes = 4
    assert main(["tatoeba_eng"], folder.root) == 1
    assert files(folder) == set()
    said = capsys.readouterr().err
    assert "/eng_sentences.tsv.bz2 broke off (" in said and said.endswith(
        "(received 5 bytes, expected 9)): try again\n"
    )


def test_fetch_without_a_connection_says_so_once(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
    serve_from(folder, url)
    assert main(["sts_en_dev", "sts_ru_dev"], folder.root) == 1
    assert files(folder) == set()
    reason = f"[Errno {errno.ECONNREFUSED}] Connection refused"
    assert capsys.readouterr().err == (
        f"pipeline.fetch: {url}/stsb-en-dev.csv could not be reached ({reason}): check the connection and try again\n"
    )


def test_fetch_needs_the_tests_whose_texts_it_leaves_out(
    folder: Folder, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    serve_from(folder, server.url)
    for name, text in (("eng_sentences", ENGLISH), ("rus_sentences", RUSSIAN), ("eng-rus_links", "1\t7\n")):
        server.files[f"/{name}.tsv.bz2"] = bz2.compress(text.encode())
    assert main(["pairs_more"], folder.root) == 1
    assert "test set sts_en_test is missing: run python -m pipeline.fetch sts_en_test" in capsys.readouterr().err
    held_out(folder)
    assert main(["pairs_more"], folder.root) == 0
    assert folder.data.pairs("pairs_more") == [("Go.", "Иди.")]


def test_fetch_says_what_it_cannot_write(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    (folder.root / "downloads").write_text("in the way")
    assert main(["sts_en_dev"], folder.root) == 1
    assert capsys.readouterr().err == f"pipeline.fetch: cannot write {folder.root / 'downloads'}: File exists\n"


def test_fetch_knows_no_other_names(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tatoeba"], folder.root) == 1
    assert capsys.readouterr().err.startswith("pipeline.fetch: there is no set called tatoeba: the sets are pairs, ")


def test_the_list_shows_what_is_there(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder.put("sts_en_dev", GO)
    assert main(["--list"], folder.root) == 0
    lines = {line.split()[0]: line.split()[2:4] for line in capsys.readouterr().out.splitlines()}
    assert lines["sts_en_dev"] == ["1,500", str(path)]
    assert lines["tatoeba_eng"] == ["299,186", "missing"]
    assert list(lines) == list(SOURCES)


def test_the_check_finds_what_was_changed(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    serve_from(folder, "http://127.0.0.1")
    folder.put("sts_en_dev", GO)
    folder.put("tatoeba_eng", "Go.")
    assert main(["--check"], folder.root) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert lines["sts_en_dev"] == "the file that the published artifacts come from"
    assert lines["tatoeba_eng"].startswith("made from its originals")
    assert lines["sts_ru_dev"] == "missing"
    path = folder.put("sts_en_dev", b"Go.,Run.,5\n")
    assert main(["--check"], folder.root) == 1
    assert capsys.readouterr().err == (
        f"pipeline.fetch: {path} is damaged or was changed: replace it by a fresh copy\n"
    )
