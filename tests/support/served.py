"""The bot as the image runs it, for tools that measure: with the packages that it needs, and without docstrings."""

from __future__ import annotations

from pathlib import Path

BOT = (str(Path(__file__).resolve().parents[2] / ".venv/bin/python"), "-OO", "-m", "bot")
