"""Deep links: what stands after `?start=` opens an idiom or asks a query."""

from __future__ import annotations

import base64

_LONGEST = 46
"""Bytes of a query that fit: Telegram takes 64 characters of A-Z, a-z, 0-9, _ and -."""


def to_idiom(key: str) -> str:
    """The start parameter that opens a phrase."""
    return f"i_{key}"


def to_picture(key: str) -> str:
    """The start parameter that sends the picture of a phrase."""
    return f"p_{key}"


def to_query(query: str) -> str:
    """The start parameter that asks a query, cut after a whole character."""
    cut = query.encode()[:_LONGEST].decode(errors="ignore").encode()
    return "q_" + base64.urlsafe_b64encode(cut).decode().rstrip("=")


def to_bot(bot: str, parameter: str) -> str:
    """The address that opens the chat with the bot of this name at a start parameter."""
    return f"https://t.me/{bot}?start={parameter}"


def read(parameter: str) -> tuple[str, str]:
    """("idiom", key), ("picture", key), ("query", text), or two empty strings for anything else."""
    kind, _, rest = parameter.partition("_")
    if kind == "i":
        return "idiom", rest
    if kind == "p":
        return "picture", rest
    if kind != "q":
        return "", ""
    try:
        return "query", base64.urlsafe_b64decode(rest + "=" * (-len(rest) % 4)).decode()
    except ValueError:
        return "", ""
