"""Text as Telegram keeps it: plain characters, and entities that point into them in UTF-16 units."""

from __future__ import annotations

import html
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
}
_CODE = {"code", "pre"}
_QUOTES = {"blockquote", "expandable_blockquote"}
_VALUE = r"\"[^\"]*\"|'[^']*'|[A-Za-z0-9.-]+(?=[\s>])"
_ATTRIBUTE = re.compile(rf"\s+([^\s=>]+)(?:\s*=\s*({_VALUE}))?")
_PIECE = re.compile(rf"<(?P<slash>/?)(?P<name>[^\s>]*)(?P<attributes>(?:{_ATTRIBUTE.pattern})*)(?P<end>\s*>)?|[^<]+")
_ESCAPE = re.compile(r"&(?:#(?:\d+|x[0-9a-f]+)|lt|gt|amp|quot);?", re.IGNORECASE)
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
    text = ""
    opened: list[tuple[str, Entity]] = []
    entities: list[Entity] = []
    for piece in _PIECE.finditer(markup):
        if piece["slash"] is None:
            text += _unescape(piece[0])
        elif piece["slash"]:
            entity = _ended(piece, opened)
            entity["length"] = utf16_length(text) - entity["offset"]
            inner = {other["type"] for other in entities if other["offset"] >= entity["offset"]}
            if _is_kept(entity, {outer["type"] for _, outer in opened}, inner):
                entities.append(entity)
        else:
            name, extra = _started(piece)
            language = extra.pop("language", "")
            if language and opened and opened[-1][0] == "pre":
                opened[-1][1]["language"] = language
            opened.append((name, {"type": _TYPES[name], "offset": utf16_length(text)} | extra))
    if opened:
        raise MarkupError(f'Can\'t find end tag corresponding to start tag "{opened[-1][0]}"')
    return text, _in_order(entities)


def trim(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Without white space at both ends, which Telegram never keeps; entities move along."""
    kept = text.strip()
    shift, length = utf16_length(text[: len(text) - len(text.lstrip())]), utf16_length(kept)
    moved = []
    for entity in entities:
        start = max(entity["offset"] - shift, 0)
        end = min(entity["offset"] - shift + entity["length"], length)
        if start < end:
            moved.append(entity | {"offset": start, "length": end - start})
    return kept, moved


def detect(text: str, entities: list[Entity]) -> list[Entity]:
    """The entities, and those that Telegram finds by itself: links, commands, mentions, hashtags."""
    closed = [entity for entity in entities if entity["type"] in {*_CODE, "text_link"}]
    found = []
    for match in _DETECTED.finditer(text):
        start = utf16_length(text[: match.start()])
        entity = {"type": match.lastgroup, "offset": start, "length": utf16_length(match[0])}
        if not any(_overlap(entity, other) for other in closed):
            found.append(entity)
    return _in_order(entities + found)


def _started(tag: re.Match[str]) -> tuple[str, Entity]:
    """Name of a start tag, and what its attributes say."""
    name, where = tag["name"].lower(), _where(tag)
    if tag.end() == len(tag.string) and not tag["end"] and not tag["attributes"]:
        raise MarkupError(f"Unclosed start tag {where}")
    if name not in _TYPES:
        raise MarkupError(f'Unsupported start tag "{name}" {where}')
    if not tag["end"]:
        raise MarkupError(f'Unclosed start tag "{name}" {where}')
    given = {key: _unescape(value.strip("\"'")) for key, value in _ATTRIBUTE.findall(tag["attributes"])}
    if name == "span" and given.get("class") != "tg-spoiler":
        raise MarkupError(f'Tag "span" must have class "tg-spoiler" {where}')
    if name == "a":
        return name, {"url": given.get("href", "")}
    if name == "code" and given.get("class", "").startswith("language-"):
        return name, {"language": given["class"].removeprefix("language-")}
    return name, {"type": "expandable_blockquote"} if name == "blockquote" and "expandable" in given else {}


def _ended(tag: re.Match[str], opened: list[tuple[str, Entity]]) -> Entity:
    """The entity that an end tag ends."""
    if not opened:
        raise MarkupError(f"Unexpected end tag {_where(tag)}")
    if not tag["end"] or tag["attributes"]:
        raise MarkupError(f"Unclosed end tag {_where(tag)}")
    name, entity = opened.pop()
    if tag["name"].lower() not in ("", name):
        raise MarkupError(f'Unmatched end tag {_where(tag)}, expected "</{name}>", found "</{tag["name"].lower()}>"')
    return entity


def _where(tag: re.Match[str]) -> str:
    return f"at byte offset {len(tag.string[: tag.start()].encode())}"


def _is_kept(entity: Entity, outer: set[str], inner: set[str]) -> bool:
    """Telegram drops silently what is empty, leads nowhere, stands in code or around it, and a quote in a quote."""
    if entity["type"] in _QUOTES:
        return bool(entity["length"] and not outer & (_CODE | _QUOTES))
    return bool(entity["length"] and entity.get("url", True) and not (outer | inner) & _CODE)


def _in_order(entities: list[Entity]) -> list[Entity]:
    """Outer before inner, as Telegram lists them."""
    ranks = {"blockquote": 0, "expandable_blockquote": 0, "pre": 1, "code": 2}
    return sorted(entities, key=lambda e: (e["offset"], -e["length"], ranks.get(e["type"], 3), e["type"]))


def _overlap(one: Entity, other: Entity) -> bool:
    return bool(one["offset"] < other["offset"] + other["length"] and other["offset"] < one["offset"] + one["length"])


def _unescape(text: str) -> str:
    """Numbers and four names; any other name stays as it was written, as in Telegram."""
    return _ESCAPE.sub(lambda escape: html.unescape(escape[0].lower()), text)
