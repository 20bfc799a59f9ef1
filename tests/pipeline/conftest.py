"""Fixtures that the tests of the pipeline share."""

from __future__ import annotations

import gzip
import itertools
import shutil
from pathlib import Path

import pytest

from pipeline.data.sources import DATA, DataFolder, load_sources
from support.teaching import DOES, SENTENCES, THINGS, ВЕЩИ, ДЕЛАЕТ, save_teacher


@pytest.fixture(scope="session")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small teacher's folder."""
    return save_teacher(tmp_path_factory.mktemp("teacher"))


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    """A data folder with a small file for every set that a build reads."""
    sources, root = load_sources(DATA / "sources.toml"), tmp_path / "data"
    root.mkdir()
    shutil.copy(DATA / "sources.toml", root)
    contents = {
        "pairs": "\n".join(["en\tru\ttag", *(f"{en}\t{ru}\ttico19" for en, ru in SENTENCES[::2])]),
        "pairs_more": "\n".join(["en\tru\tsource", *(f"{en}\t{ru}\ttatoeba_direct" for en, ru in SENTENCES[1::2])]),
        "wordnet_ru": "ru_lemma\ten_members\ten_gloss\nкошка\tcat|mouser\ta cat that eats a mouse",
        "ru_paraphraser": "text_1\ttext_2\tclass\nКошка ест.\tКошка спит.\t-1",
        "contrasts": contrasts(),
        "frequency_ru": "кошка 900\nсобака 800\nсвинья 700",
        "frequency_en": "cat 900\ndog 800\npig 700",
        "oewn_glosses": "members\tgloss\ncat\ta cat that sleeps\ndog\ta dog that runs",
        "oewn_examples": "the dog runs and the cat sleeps",
        "tatoeba_eng": "The lion sleeps.\nThe mouse sings.",
        "sts_en_train": judged(THINGS, DOES),
        "sts_ru_train": judged(ВЕЩИ, ДЕЛАЕТ),
        "sts_en_dev": "a held out cat,a held out dog,1.0",
        "sts_ru_dev": "отложенная кошка,отложенная собака,1.0",
        "sts_en_test": "A cat.,A dog.,4.0\nA cow.,A bird.,1.0\nA pig.,A pig!,5.0",
        "sts_ru_test": "Кошка.,Собака.,4.0\nКорова.,Птица.,1.0\nСвинья.,Свинья!,5.0",
        "tatoeba_test": f"en\tru\n{SENTENCES[3][0]}\t{SENTENCES[3][1]}\nA hen.\tКурица.",
    }
    for name, content in contents.items():
        path = root / sources[name].file
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(content.encode()) if path.suffix == ".gz" else content.encode())
    return DataFolder(root)


def judged(things: list[str], does: list[str]) -> str:
    """Pairs of sentences that share nothing, the doing, or all, with scores to fit."""
    pairs = [(one, other, first) for one in things[:6] for other in things[:6] for first in does[:3]]
    return "\n".join(f"{one} {does},{other} {does},{5.0 if one == other else 1.5}" for one, other, does in pairs)


def contrasts() -> str:
    """Two sentences that differ in what is done, for two phrases of one thing each."""
    columns = "language\tphrase\tcontrary\tasks_for_phrase\tasks_for_contrary"
    rows = [
        f"ru\t{one} за {one}\t{other} за {other}\tздесь {one}\tздесь {other}" for one, other in itertools.pairwise(ВЕЩИ)
    ]
    return "\n".join([columns, *rows])
