"""Text as Telegram keeps it: plain characters, and entities that point into them in UTF-16 units."""

from __future__ import annotations

import re
from typing import Any

Entity = dict[str, Any]

_TYPES = {
    **dict.fromkeys(("b", "strong"), "bold"),
    **dict.fromkeys(("i", "em"), "italic"),
    **dict.fromkeys(("u", "ins"), "underline"),
    **dict.fromkeys(("s", "strike", "del"), "strikethrough"),
    **dict.fromkeys(("span", "tg-spoiler"), "spoiler"),
    "a": "text_link",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "tg-emoji": "custom_emoji",
}
_VALUE = r"\"[^\"]*\"|'[^']*'|[A-Za-z0-9.-]+(?=[\s>])"
_ATTRIBUTE = re.compile(rf"\s+([^\s=>]+)(?:\s*=\s*({_VALUE}))?")
_END_OF_TAG = re.compile(r"\s*>")
_ESCAPE = re.compile(r"&(?:#(\d+|x[0-9a-f]+)|(lt|gt|amp|quot));?", re.IGNORECASE)
_ESCAPED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_DETECTED = re.compile(
    r"(?P<url>https?://[^\s<>\"]*[^\s<>\".,;:!?)»])"
    r"|(?P<email>(?<![\w.])[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]{2,})"
    r"|(?P<bot_command>(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/]))"
    r"|(?P<mention>(?<!\w)@[A-Za-z0-9_]{3,32}(?!\w))"
    r"|(?P<hashtag>(?<!\w)#(?=\w*[^\W\d])\w+)"
)


class MarkupError(ValueError):
    """The markup is wrong; the message says why, as Telegram would."""


def utf16_length(text: str) -> int:
    """Length in UTF-16 code units, which is how Telegram counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def parse_html(markup: str) -> tuple[str, list[Entity]]:
    """Plain text and entities of Telegram's HTML. Raises MarkupError."""
    text, units, position = "", 0, 0
    opened: list[tuple[str, Entity]] = []
    entities: list[Entity] = []
    while position < len(markup):
        if markup[position] != "<":
            end = markup.find("<", position)
            piece = _unescape(markup[position : end if end >= 0 else len(markup)])
            text, units = text + piece, units + utf16_length(piece)
            position = end if end >= 0 else len(markup)
        elif markup.startswith("</", position):
            entity, position = _close(markup, position, opened)
            entities.append(entity | {"length": units - entity["offset"]})
        else:
            name, extra, position = _open(markup, position)
            opened.append((name, {"type": _TYPES[name], "offset": units, "length": 0, **extra}))
    if opened:
        raise MarkupError(f'Can\'t find end tag corresponding to start tag "{opened[-1][0]}"')
    return text, _legal(entities)


def trim(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Without white space at both ends, which Telegram never keeps; entities move along."""
    kept = text.strip()
    shift, room = utf16_length(text[: len(text) - len(text.lstrip())]), utf16_length(kept)
    moved = []
    for entity in entities:
        start, end = entity["offset"] - shift, entity["offset"] + entity["length"] - shift
        start, end = max(start, 0), min(end, room)
        if start < end:
            moved.append(entity | {"offset": start, "length": end - start})
    return kept, moved


def detect(text: str, entities: list[Entity]) -> list[Entity]:
    """The entities, and those that Telegram finds by itself: links, commands, mentions, hashtags."""
    closed = [entity for entity in entities if entity["type"] in ("code", "pre", "text_link")]
    found = []
    for match in _DETECTED.finditer(text):
        start = utf16_length(text[: match.start()])
        entity = {"type": match.lastgroup, "offset": start, "length": utf16_length(match[0])}
        if not any(_overlap(entity, other) for other in closed):
            found.append(entity)
    return _in_order(entities + found)


def _open(markup: str, start: int) -> tuple[str, Entity, int]:
    """Name of a start tag, what its attributes say, and the position after it."""
    match = re.compile(r"<([^\s>]*)").match(markup, start)
    assert match
    name, position, where = match[1].lower(), match.end(), f"at byte offset {_byte_offset(markup, start)}"
    if position == len(markup):
        raise MarkupError(f"Unclosed start tag {where}")
    if name not in _TYPES:
        raise MarkupError(f'Unsupported start tag "{name}" {where}')
    attributes: dict[str, str] = {}
    while attribute := _ATTRIBUTE.match(markup, position):
        attributes[attribute[1]] = _unescape((attribute[2] or "").strip("\"'"))
        position = attribute.end()
    end = _END_OF_TAG.match(markup, position)
    if not end:
        raise MarkupError(f'Unclosed start tag "{name}" {where}')
    if name == "span" and attributes.get("class") != "tg-spoiler":
        raise MarkupError(f'Tag "span" must have class "tg-spoiler" {where}')
    return name, _details(name, attributes), end.end()


def _details(name: str, attributes: dict[str, str]) -> Entity:
    if name == "a":
        return {"url": attributes.get("href", "")}
    if name == "tg-emoji":
        return {"custom_emoji_id": attributes.get("emoji-id", "")}
    if name == "code" and attributes.get("class", "").startswith("language-"):
        return {"language": attributes["class"].removeprefix("language-")}
    if name == "blockquote" and "expandable" in attributes:
        return {"type": "expandable_blockquote"}
    return {}


def _close(markup: str, start: int, opened: list[tuple[str, Entity]]) -> tuple[Entity, int]:
    where = f"at byte offset {_byte_offset(markup, start)}"
    if not opened:
        raise MarkupError(f"Unexpected end tag {where}")
    match = re.compile(r"</([^\s>]*)\s*>").match(markup, start)
    if not match:
        raise MarkupError(f"Unclosed end tag {where}")
    name, entity = opened.pop()
    if match[1].lower() not in ("", name):
        raise MarkupError(f'Unmatched end tag {where}, expected "</{name}>", found "</{match[1].lower()}>"')
    return entity, match.end()


def _legal(entities: list[Entity]) -> list[Entity]:
    """Without what Telegram drops silently: empty ones, links to nowhere, anything inside code, quotes in quotes."""
    entities = [e for e in _in_order(entities) if e["length"] and not (e["type"] == "text_link" and not e["url"])]
    kept: list[Entity] = []
    for entity in entities:
        around = [other for other in kept if _overlap(entity, other)]
        pre = next((other for other in around if other["type"] == "pre"), None)
        if pre and "language" in entity:
            pre["language"] = entity["language"]
        quote_in_quote = "blockquote" in entity["type"] and any("blockquote" in other["type"] for other in around)
        if pre or quote_in_quote or any(other["type"] == "code" for other in around):
            continue
        if entity["type"] in ("code", "pre"):
            kept = [other for other in kept if "blockquote" in other["type"] or not _overlap(entity, other)]
        kept.append(entity)
    for entity in kept:
        if entity["type"] == "code":
            entity.pop("language", None)
    return kept


def _in_order(entities: list[Entity]) -> list[Entity]:
    """Outer before inner, as Telegram lists them."""
    ranks = {"blockquote": 0, "expandable_blockquote": 0, "pre": 1, "code": 2}
    return sorted(entities, key=lambda e: (e["offset"], -e["length"], ranks.get(e["type"], 3), e["type"]))


def _overlap(one: Entity, other: Entity) -> bool:
    return bool(one["offset"] < other["offset"] + other["length"] and other["offset"] < one["offset"] + one["length"])


def _byte_offset(markup: str, position: int) -> int:
    return len(markup[:position].encode())


def _unescape(text: str) -> str:
    """Numbers and four names; any other name stays as it was written, as in Telegram."""

    def character(match: re.Match[str]) -> str:
        number, name = match[1], match[2]
        if name:
            return _ESCAPED[name.lower()]
        code = int(number[1:], 16) if number[0] in "xX" else int(number)
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]

    return _ESCAPE.sub(character, text)
