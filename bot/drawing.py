"""Pictures of idioms to share: texts on paper, wrapped and shrunk until all of them fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw

from bot.lettering import Box, Font, box, font_of, parts, printable, width, wrapped, write
from bot.ui import Poster

WIDTH, MARGIN = 1080, 96
ROOM = WIDTH - 2 * MARGIN
HEIGHTS = (1080, 1350)
TALLEST = 8900
"""Telegram takes no picture whose width and height are more than 10,000 pixels together."""
BELOW = 150
"""The room for the signature."""
LEAST = 4
"""Pixels of the smallest letters."""
SCALES = tuple(0.93**step for step in range(12))
SMALLER = (0.4, 0.2, 0.1)
"""Of sizes: the first are good to read on a phone; the smaller ones are for what is as long as a page."""
KEPT = 64
"""Pictures that are kept, some 40 kB each."""
COLOURS = 64
"""In one picture: what smooth edges of text need."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a picture."""

    paper: str
    ink: str
    soft: str
    accent: str


PALETTES = (
    Palette("#fbf6ec", "#232a3b", "#6b6a72", "#b5462e"),
    Palette("#eef4f1", "#1d2f2d", "#5d706c", "#1f7a68"),
    Palette("#eff2f9", "#1f2740", "#636b82", "#3b5fc0"),
    Palette("#f8f0f3", "#33222e", "#7a6672", "#a83a6b"),
)


@dataclass(frozen=True, slots=True)
class Style:
    """How a text is set, in pixels at full size."""

    font: str
    size: int
    above: int
    """The room between it and the text before."""
    colour: str
    """A field of Palette."""
    leading: float = 1.4
    """The distance of its lines, in sizes."""


TITLE = Style("NotoSerifDisplay-Bold.ttf", 112, 0, "ink", 1.17)
MEANING = Style("NotoSerif-Regular.ttf", 48, 96, "ink")
LABEL = Style("NotoSerif-Italic.ttf", 36, 58, "accent")
COUNTERPART = Style("NotoSerif-Regular.ttf", 48, 6, "ink", 1.32)
SIGNATURE = Style("NotoSerif-Regular.ttf", 30, 0, "soft")
STYLES = (TITLE, MEANING, LABEL, COUNTERPART, SIGNATURE)
"""Of the fields of a Poster, from top to bottom."""
BAR = (104, 7)
"""Length and width of the line between the idiom and its meaning."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text, and where its baseline begins."""

    text: str
    style: Style
    size: int
    y: float

    @property
    def font(self) -> Font:
        """The font in this size."""
        return font_of(self.style.font, self.size)

    @property
    def box(self) -> Box:
        """Left, top, right and bottom of what is drawn; stress marks count by their height."""
        left, top, right, bottom = box(self.text, self.font)
        return left + MARGIN, top + self.y, right + MARGIN, bottom + self.y


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture before it is drawn."""

    height: int
    lines: tuple[Line, ...]
    """The last one is the signature."""
    bar: float
    """Where the line between the idiom and its meaning begins to be drawn, from the top."""


@lru_cache(KEPT)
def draw(poster: Poster) -> bytes:
    """Return the picture of a poster as a PNG file. For one thread at a time: the fonts are shared."""
    sheet, palette = layout(poster), PALETTES[int(poster.digest[:2], 16) % len(PALETTES)]
    image = Image.new("RGB", (WIDTH, sheet.height), palette.paper)
    pen = ImageDraw.Draw(image)
    length, thick = BAR
    pen.rounded_rectangle((MARGIN, sheet.bar, MARGIN + length, sheet.bar + thick), thick / 2, palette.accent)
    for line in sheet.lines:
        write(pen, line.text, line.font, MARGIN, line.y, getattr(palette, line.style.colour))
    file = BytesIO()
    image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()


def layout(poster: Poster) -> Sheet:
    """Place the texts: as large as they fit a square or an upright picture, else in one as tall as they need."""
    texts = [(text, style) for text, style in zip(map(printable, astuple(poster)), STYLES, strict=True) if text]
    sheets = [(height, scale) for height in HEIGHTS for scale in SCALES]
    for height, scale in [*sheets, *((TALLEST, scale) for scale in SMALLER)]:
        lines = _set(texts[:-1], scale, broken=height == TALLEST)
        if lines is None:
            continue
        top, bottom = _extent(lines)
        needed = round(bottom - top) + 2 * MARGIN + BELOW
        if needed <= height:
            return _sheet(lines, texts[-1][0], height if height in HEIGHTS else max(needed, HEIGHTS[0]))
    raise ValueError("a text is too long for a picture")


def _set(texts: Sequence[tuple[str, Style]], scale: float, broken: bool) -> list[Line] | None:
    """The lines of texts one below the other; none where a word is too wide and must not be `broken`."""
    lines: list[Line] = []
    y = 0.0
    for text, style in texts:
        # What is read last shrinks less.
        size = max(LEAST, round(style.size * (scale if style is TITLE else scale**0.5)))
        font = font_of(style.font, size)
        if not broken and any(width(part.rstrip(" "), font) > ROOM for part in parts(text)):
            return None
        y += style.above * scale
        for row in wrapped(text, font, ROOM, balanced=style is TITLE):
            y += size * style.leading
            lines.append(Line(row, style, size, y))
    return lines


def _sheet(lines: Sequence[Line], signature: str, height: int) -> Sheet:
    """The lines in the middle of what the signature leaves."""
    top, bottom = _extent(lines)
    down = (height - BELOW + MARGIN / 2 - (bottom - top)) / 2 - top
    placed = [replace(line, y=line.y + down) for line in lines]
    title = max((line.box[3] for line in placed if line.style is TITLE), default=0)
    meaning = min((line.box[1] for line in placed if line.style is MEANING), default=title)
    signed = Line(signature, SIGNATURE, SIGNATURE.size, height - MARGIN)
    return Sheet(height, (*placed, signed), (title + meaning) / 2)


def _extent(lines: Sequence[Line]) -> tuple[float, float]:
    """The top of what is highest, and the bottom of what is lowest."""
    boxes = [line.box for line in lines]
    return min((box[1] for box in boxes), default=0), max((box[3] for box in boxes), default=0)
