"""The bot as the image runs it, for tools that measure: with the packages that it needs, and without docstrings."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_PYTHON = (str(Path(__file__).resolve().parents[2] / ".venv/bin/python"), "-OO")
BOT = (*_PYTHON, "-m", "bot")


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """The variables of a bot with these settings. Its bytecode is written first, as it is in the image."""
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run([*_PYTHON, "-c", "import bot.__main__"], env=variables, check=True)
    return {**variables, **settings}
