"""The wall between what serves and what builds: each entrance in a fresh interpreter, and what it then holds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RUNTIME = ROOT / ".venv/bin/python"
HEAVY = {"torch", "transformers", "sklearn", "scipy", "matplotlib", "pipeline"}

# Everything that the running bot imports, and one answer.
BOT = "import bot.__main__; from bot.search import SearchEngine; SearchEngine.load('artifacts').search('дождь')"


def modules(program: str, python: Path = Path(sys.executable)) -> set[str]:
    """Top-level names and the package's own modules that a program leaves in sys.modules."""
    code = f"{program}\nimport sys; print(*sorted(sys.modules))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    names = done.stdout.splitlines()[-1].split()
    return {name.partition(".")[0] for name in names} | {
        name for name in names if name.startswith(("bot.", "pipeline."))
    }


def test_the_bot_starts_without_what_builds() -> None:
    assert not modules(BOT) & HEAVY


def test_the_bot_starts_where_nothing_else_is_installed() -> None:
    """In the environment of `make run`, which lacks the pipeline's packages altogether."""
    assert RUNTIME.exists(), "run `make test`, which makes the runtime environment too"
    assert not modules(BOT, RUNTIME) & HEAVY
    listed = subprocess.run([RUNTIME, "-m", "pip", "list"], capture_output=True, text=True, check=True).stdout
    assert not {line.split()[0].lower() for line in listed.splitlines() if line} & {
        *("torch", "transformers", "scikit-learn", "scipy", "matplotlib"),
    }


def test_search_needs_numpy_tokenizers_and_annoy_only() -> None:
    found = modules("import bot.search.__main__")
    assert not found & {"telegram", "sqlite_utils", "fluent", "tornado", *HEAVY}
    assert all(name.startswith("bot.search") for name in found if name.startswith("bot."))


@pytest.mark.parametrize("name", ["build", "evaluate", "fetch", "bench"])
def test_the_pipeline_knows_no_telegram_and_no_bot_but_search(name: str) -> None:
    found = modules(f"import pipeline.{name}")
    assert "telegram" not in found
    assert all(name.startswith("bot.search") for name in found if name.startswith("bot."))


def test_fetch_needs_no_torch() -> None:
    assert not modules("import pipeline.fetch") & {"torch", "transformers"}


@pytest.mark.parametrize("name", ["screens", "actions", "settings", "texts"])
def test_plain_values_know_neither_telegram_nor_the_database(name: str) -> None:
    assert not modules(f"import bot.{name}") & {"telegram", "sqlite_utils", "tornado", *HEAVY}


def test_users_know_no_telegram() -> None:
    assert not modules("import bot.store.sqlite") & {"telegram", "tornado", "annoy", *HEAVY}
