"""Letters on a picture: rows that fit, and stress marks where they belong, the same on every machine."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageDraw, ImageFont

Font = ImageFont.FreeTypeFont
Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels."""

_FONTS = Path(__file__).with_name("fonts")
_NEVER_DRAWN = re.compile(
    "[^ -~\xa0-\u017f\u0301\u0400-\u045f\u0490\u0491\u2010-\u2015\u2018-\u201f\u2022\u2026\u20ac\u2116]"
)
"""What the fonts lack: emoji, for example."""
_STRESS = "\u0301"
_SHORT = re.compile(r"(?:(?<=\s\w)|(?<=^\w)) ")
_HALVES = re.compile(rf"(?<=[\w{_STRESS}]{{4}}-)(?=[\w{_STRESS}]{{4}})")
_LETTERS = re.compile(f".{_STRESS}*", re.DOTALL)


@cache
def font_of(name: str, size: int) -> Font:
    """Return a font of the folder `fonts` in a size in pixels."""
    # The plain layout, which is the same on every machine.
    return ImageFont.truetype(_FONTS / name, size, layout_engine=ImageFont.Layout.BASIC)


def printable(text: str) -> str:
    """Return the text in characters that the fonts have; short words stay with the next one, dashes with the last."""
    known = _NEVER_DRAWN.sub("", " ".join(unicodedata.normalize("NFC", text).split()))
    return _SHORT.sub("\xa0", known).replace(" —", "\xa0—").replace("'", "’")


def width(text: str, font: Font) -> float:
    """Return how wide a row is."""
    plain, _ = _unstressed(text)
    # What is drawn may be wider than where the pen stops.
    return max(font.getlength(plain), font.getbbox(plain, anchor="ls")[2])


def box(text: str, font: Font) -> Box:
    """Return the box of a row that begins at (0, 0) on its baseline; stress marks count by their height."""
    plain, stressed = _unstressed(text)
    left, top, right, bottom = font.getbbox(plain, anchor="ls")
    marks = [_ink(font, _STRESS)[1] + _above(font, plain[at]) for at in stressed]
    return left, min([top, *marks]), right, bottom


def parts(text: str) -> list[str]:
    """Return what a row may end with: words with the space after them, and long halves of words with a hyphen."""
    return [part for word in re.findall(r"[^ ]+ ?", text) for part in _HALVES.split(word)]


def wrapped(text: str, font: Font, room: int, balanced: bool) -> list[str]:
    """Return rows no wider than the room; balanced ones are as narrow as their number allows."""
    pieces = [piece for part in parts(text) for piece in _pieces(part, font, room)]
    measured = [(piece, width(piece.rstrip(" "), font), width(piece, font)) for piece in pieces]
    rows = _filled(measured, room)
    if not balanced:
        return rows
    narrower = (_filled(measured, tried) for tried in range(room // 2, room, 12))
    return next((tried for tried in narrower if len(tried) == len(rows)), rows)


def write(pen: ImageDraw.ImageDraw, text: str, font: Font, x: float, y: float, colour: str) -> None:
    """Write a row that begins at (x, y), and its stress marks: what would place them is not on every machine."""
    plain, stressed = _unstressed(text)
    pen.text((x, y), plain, colour, font, anchor="ls")
    for right, down in (_accent(font, plain, at) for at in stressed):
        pen.text((x + right, y + down), _STRESS, colour, font, anchor="ls")


def _filled(measured: Sequence[tuple[str, float, float]], room: float) -> list[str]:
    """Rows of pieces, each of which is as wide at the end of a row, and as wide within one."""
    rows, filled = list[str](), room
    for piece, ending, within in measured:
        if rows and filled + ending <= room:
            rows[-1] += piece
            filled += within
        else:
            rows.append(piece)
            filled = within
    return [whole for row in rows if (whole := row.rstrip(" "))]


def _pieces(word: str, font: Font, room: int) -> list[str]:
    """A word, in pieces if it is wider than the room."""
    if width(word.rstrip(" "), font) <= room:
        return [word]
    pieces, filled = [""], 0.0
    for letter in _LETTERS.findall(word):
        step = font.getlength(letter[0])
        if filled + step > room:
            pieces.append("")
            filled = 0.0
        pieces[-1] += letter
        filled += step
    return pieces


def _accent(font: Font, plain: str, at: int) -> tuple[float, float]:
    """Where the pen must be, from the beginning of the line, to stress a letter: over its middle."""
    letter, mark = _ink(font, plain[at]), _ink(font, _STRESS)
    start = font.getlength(plain[: at + 1]) - font.getlength(plain[at])
    return start + (letter[0] + letter[2]) / 2 - (mark[0] + mark[2]) / 2, _above(font, plain[at])


def _above(font: Font, letter: str) -> float:
    """How much higher than over a small letter its stress mark stands, as a negative number."""
    return _ink(font, "Н")[1] - _ink(font, "н")[1] if letter.isupper() else 0


@lru_cache(2_000)
def _ink(font: Font, letter: str) -> Box:
    """The box of what is printed of a letter, from where the pen is; `getbbox` also counts where the pen goes."""
    mask, (x, y) = font.getmask2(letter, anchor="ls")
    left, top, right, bottom = mask.getbbox() or (0, 0, 0, 0)
    return left + x, top + y, right + x, bottom + y


def _unstressed(text: str) -> tuple[str, list[int]]:
    """The text without stress marks, and the places of the letters that had one."""
    plain, stressed = "", []
    for letter in text:
        if letter == _STRESS:
            stressed.append(len(plain) - 1)
        else:
            plain += letter
    return plain, [at for at in stressed if at >= 0]
