"""The walls of the house: which room may import which, and what each entrance holds once it runs.

The first half reads every import of `bot` and `pipeline`, those inside functions too; the second half starts fresh
interpreters and looks at what they loaded.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RUNTIME = ROOT / ".venv/bin/python"
HEAVY = {"torch", "transformers", "sentence_transformers", "sklearn", "scipy", "matplotlib", "pymorphy3", "pipeline"}

STAGES = {"bot.search.text", "bot.search.phrases", "bot.search.understand", "bot.search.retrieve", "bot.search.rank"}
VALUES = ("ui", "actions", "texts", "links", "clock", "learning", "anki")
SHOWN = {*(f"bot.{name}" for name in VALUES), "bot.store.protocol", "bot.search"}
SERVED = {*SHOWN, "bot.drawing", "bot.lettering", "bot.features", "bot.settings", "bot.metrics", "bot.memory"}
BUILT = {"bot.search", "pipeline.recipe", "pipeline.data", "pipeline.train", "pipeline.index", "pipeline.evaluation"}
ENTRANCES = ["build", "evaluate", "bench", "fetch", "rollback", "ablate", "readme"]

ROOMS: dict[str, set[str]] = {
    # What the modules of a room may import beside that room. A module is in the innermost room of its name.
    "bot.settings": set(),
    "bot.search.text": set(),
    "bot.search.files": set(),
    "bot.search.folder": {"bot.search.files"},
    "bot.search.phrases": {"bot.search.text", "bot.search.files"},
    "bot.search.forms": set(),
    "bot.search.understand": {"bot.search.text", "bot.search.files", "bot.search.forms"},
    "bot.search.retrieve": {"bot.search.text", "bot.search.files", "bot.search.forms", "bot.search.phrases"},
    "bot.search.rank": {"bot.search.text", "bot.search.files"},
    "bot.search.artifacts": {*STAGES, "bot.search.files", "bot.search.folder", "bot.search.relations"},
    "bot.search": set(),
    "bot.store.protocol": set(),
    "bot.store": set(),
    **{f"bot.{name}": SHOWN for name in VALUES},
    "bot.lettering": set(),
    "bot.drawing": {*SHOWN, "bot.lettering"},
    "bot.features": SERVED,
    "bot.listening": {"bot.settings"},
    "bot.metrics": set(),
    "bot.memory": set(),
    "bot.watching": {"bot.settings", "bot.listening", "bot.metrics"},
    "bot.telegram": {*SERVED, "bot.listening"},
    "bot.sandbox": set(),
    "bot.app": {*SERVED, "bot.telegram"},
    "bot.refresh": SERVED,
    "bot.serving": {*SERVED, "bot.app", "bot.refresh", "bot.telegram", "bot.sandbox", "bot.watching"},
    "bot.__main__": {*SERVED, "bot.app", "bot.serving", "bot.store"},
    "pipeline.recipe": {"bot.search"},
    "pipeline.data": {"bot.search", "pipeline.recipe"},
    "pipeline.train": {"bot.search", "pipeline.recipe", "pipeline.data"},
    "pipeline.index": {"bot.search", "pipeline.recipe", "pipeline.data", "pipeline.train"},
    "pipeline.evaluation": BUILT,
    "pipeline.lab": BUILT,
    **{f"pipeline.{name}": BUILT for name in ENTRANCES},
}
PACKAGES: dict[str, set[str]] = {
    # The only rooms that may import a package. Packages that are not listed are free.
    "telegram": {"bot.telegram", "bot.app", "bot.serving"},
    "aiohttp": {"bot.telegram"},
    "tornado": {"bot.listening", "bot.watching", "bot.telegram", "bot.sandbox"},
    "prometheus_client": {"bot.metrics", "bot.watching"},
    **{name: {"bot.store"} for name in ("sqlite_utils", "psycopg", "psycopg_pool")},
    "fluent": {"bot.texts"},
    "PIL": {"bot.lettering", "bot.drawing", "pipeline.evaluation"},
    "annoy": {"bot.search"},
    "onnxruntime": {"bot.search.rank", "pipeline.train"},
    **{name: {"bot.search", "pipeline"} for name in ("numpy", "tokenizers")},
    **{name: {"pipeline"} for name in ("sklearn", "scipy", "matplotlib", "tqdm")},
    "pymorphy3": {"pipeline.index"},
    **{name: {"pipeline.train", "pipeline.lab"} for name in ("torch", "transformers", "sentence_transformers")},
}


def module_of(file: Path) -> str:
    """The dotted name of a file of the repository."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {module_of(file): file for top in ("bot", "pipeline") for file in sorted((ROOT / top).rglob("*.py"))}


def within(module: str, rooms: Iterable[str]) -> bool:
    """Whether a module is one of these, or lies in one of them."""
    return any(f"{module}.".startswith(f"{room}.") for room in rooms)


def room_of(module: str) -> str:
    """The innermost room that a module is in, or an empty string."""
    return max((room for room in ROOMS if within(module, [room])), key=len, default="")


def imports(module: str, source: str) -> Iterator[tuple[int, str]]:
    """Line and module of each import in a file, wherever it stands; `from bot import app` imports `bot.app`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = resolve_name("." * node.level + (node.module or ""), module.rpartition(".")[0])
            for name in (f"{origin}.{alias.name}" for alias in node.names):
                yield node.lineno, name if name in FILES else origin


def faults(module: str, source: str) -> Iterator[str]:
    """What a file imports although its room may not."""
    place = module.replace(".", "/") + ".py"
    room = room_of(module)
    if not room:
        yield f"{place} is in no room: put it into one, or give it a line in ROOMS"
        return
    for line, target in sorted({*imports(module, source)}):
        owners = PACKAGES.get(target.partition(".")[0], {module})
        if within(target, ["bot", "pipeline"]) and not within(target, {room, *ROOMS[room]}):
            allowed = ", ".join(sorted(ROOMS[room])) or "nothing"
            yield f"{place}:{line} imports {target}, but beside itself {room} may import only: {allowed}"
        elif not within(module, owners):
            yield f"{place}:{line} imports {target}, which only {', '.join(sorted(owners))} may import"


def test_imports_only_go_down() -> None:
    code = {module: file for module, file in FILES.items() if file.name != "__init__.py"}
    found = [fault for module, file in code.items() for fault in faults(module, file.read_text())]
    if found:
        pytest.fail("\n".join(found), pytrace=False)


def test_no_imports_go_in_circles() -> None:
    graph = {module: {name for _, name in imports(module, file.read_text())} for module, file in FILES.items()}
    # Raises CycleError, which names the modules.
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("module", [module for module, file in FILES.items() if file.name == "__init__.py"])
def test_a_package_holds_a_docstring_only(module: str) -> None:
    """What a package imports is loaded with each of its modules."""
    (statement,) = ast.parse(FILES[module].read_text()).body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Constant)


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("bot.search.engine", "from bot.texts import Texts", "bot/search/engine.py:1 imports bot.texts"),
        ("bot.search.phrases", "import bot.search.engine", "may import only: bot.search.files, bot.search.text"),
        ("bot.search.engine", "def f():\n    import pipeline.recipe", "bot/search/engine.py:2 imports pipeline.recipe"),
        ("bot.features.card", "from bot.store import sqlite", "imports bot.store.sqlite"),
        (
            "bot.features.card",
            "import telegram.ext",
            "telegram.ext, which only bot.app, bot.serving, bot.telegram may import",
        ),
        ("bot.features.card", "from ..app import run", "imports bot.app"),
        ("bot.store.sqlite", "from bot.search.text import words", "bot.store may import only: nothing"),
        ("pipeline.evaluation.report", "from pipeline import build", "imports pipeline.build"),
        ("pipeline.index.vectors", "import torch", "only pipeline.lab, pipeline.train may import"),
        ("bot.helpers", "", "bot/helpers.py is in no room"),
    ],
)
def test_a_breach_is_named(module: str, source: str, fault: str) -> None:
    assert any(fault in found for found in faults(module, source))


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("bot.search.engine", "import numpy, re\nfrom bot.search.rank import fusion"),
        (
            "bot.features.card",
            "from bot import ui\nfrom bot.features.context import Context\nimport bot.store.protocol",
        ),
        ("bot.__main__", "from bot.store.opening import open_store"),
        ("bot.serving", "import telegram.ext\ndef local():\n    from bot.sandbox.server import serve"),
        ("pipeline.train.teacher", "import torch\nfrom pipeline.data.sources import read\nimport bot.search.text"),
    ],
)
def test_what_goes_down_is_no_breach(module: str, source: str) -> None:
    assert not [*faults(module, source)]


# Everything that the running bot imports, and one answer.
BOT = (
    "import bot.__main__, bot.app, bot.store.sqlite\n"
    "from bot.search.engine import SearchEngine; SearchEngine.load('artifacts').search('дождь')"
)


def loaded(program: str, python: Path = Path(sys.executable)) -> set[str]:
    """Top-level names and the repository's own modules that a program leaves in sys.modules."""
    code = f"{program}\nimport sys; print(*sorted(sys.modules))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert not done.returncode, done.stderr
    names = done.stdout.splitlines()[-1].split()
    return {name.partition(".")[0] for name in names} | {name for name in names if within(name, ["bot", "pipeline"])}


def outside(found: Iterable[str], rooms: Iterable[str]) -> list[str]:
    """The modules of bot that are neither in these rooms nor packages around them."""
    return [
        name
        for name in found
        if within(name, ["bot"]) and not within(name, rooms) and not any(within(room, [name]) for room in rooms)
    ]


def test_the_bot_starts_without_what_builds() -> None:
    assert not loaded(BOT) & HEAVY


def test_the_bot_starts_where_nothing_else_is_installed() -> None:
    """In the environment of `make run`, which lacks the pipeline's packages altogether."""
    assert RUNTIME.exists(), "run `make test`, which makes the runtime environment too"
    assert not loaded(BOT, RUNTIME) & HEAVY
    listed = subprocess.run([RUNTIME, "-m", "pip", "list"], capture_output=True, text=True, check=True).stdout
    assert not {line.split()[0].lower() for line in listed.splitlines() if line} & {
        *("torch", "transformers", "sentence-transformers", "scikit-learn", "scipy", "matplotlib"),
    }


@pytest.mark.parametrize(
    ("module", "packages"),
    [
        ("bot.search.__main__", {"telegram", "sqlite_utils", "fluent", "tornado"}),
        ("bot.store.protocol", {"telegram", "sqlite_utils", "sqlite3", "tornado", "numpy"}),
        ("bot.store.sqlite", {"telegram", "tornado", "annoy"}),
        *((f"bot.{name}", {"telegram", "sqlite_utils", "tornado"}) for name in ("ui", "actions", "texts", "settings")),
        ("bot.features.routes", {"telegram", "sqlite_utils", "tornado"}),
        ("bot.watching", {"telegram", "sqlite_utils", "numpy"}),
        ("bot.telegram.webhook", {"telegram", "sqlite_utils", "numpy"}),
        ("bot.sandbox.server", {"telegram", "sqlite_utils", "annoy", "numpy"}),
    ],
)
def test_a_room_loads_only_what_is_below_it(module: str, packages: set[str]) -> None:
    found = loaded(f"import {module}")
    assert not found & {*packages, *HEAVY}
    assert not outside(found, {room_of(module), *ROOMS[room_of(module)]})


def test_the_pipeline_knows_no_telegram_and_no_bot_but_search() -> None:
    # In one interpreter, because torch takes seconds to load; what is not there was loaded by none of them.
    found = loaded(f"import {', '.join(f'pipeline.{name}' for name in (*ENTRANCES, 'lab.__main__'))}")
    assert "telegram" not in found
    assert not outside(found, {"bot.search"})


def test_fetch_and_rollback_need_no_torch() -> None:
    found = loaded("import pipeline.fetch, pipeline.rollback")
    assert not found & {"torch", "transformers", "sentence_transformers"}
