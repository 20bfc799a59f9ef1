"""What Telegram refuses, and in which words. The numbers stand in rules.json."""

from __future__ import annotations

import json
import re
import struct
from collections import deque
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from bot.sandbox.entities import MarkupError, detect, parse_html, trim, utf16_length

Json = dict[str, Any]

RULES: Json = json.loads(Path(__file__).with_name("rules.json").read_text(encoding="utf-8"))
"""Methods with the defaults of their parameters; limits and actions of buttons: measure, bounds or pattern, refusal."""
_SIZES: dict[str, Callable[[Any], int]] = {
    "units": utf16_length,
    "bytes": lambda text: len(text.encode()),
    "items": len,
}
_ACTIONS = RULES["actions"]
_LIMITS = RULES["limits"] | _ACTIONS


class Refusal(Exception):
    """An error answer of the Bot API."""

    def __init__(self, description: str, code: int = 400, **parameters: Any) -> None:
        super().__init__(description)
        self.description, self.code, self.parameters = description, code, parameters

    def json(self) -> Json:
        """The envelope in which the Bot API answers errors."""
        prefix = {400: "Bad Request: ", 403: "Forbidden: ", 409: "Conflict: "}.get(self.code, "")
        answer = {"ok": False, "error_code": self.code, "description": prefix + self.description}
        return answer | given(parameters=self.parameters)


def require(fine: Any, otherwise: str, code: int = 400) -> None:
    """Raise Refusal with the words `otherwise` unless all is fine."""
    if not fine:
        raise Refusal(otherwise, code)


def given(**fields: Any) -> Json:
    """The fields that have a value: the Bot API leaves out the others."""
    return {name: value for name, value in fields.items() if value}


def check(name: str, value: Any) -> None:
    """Raise Refusal unless a text or list is within the limit of this name."""
    measure, bounds, otherwise = _LIMITS[name]
    require(isinstance(value, list if measure == "items" else str), otherwise)
    if measure == "form":
        require(re.fullmatch(bounds, value), otherwise)
    else:
        require(bounds[0] <= _SIZES[measure](value) <= bounds[1], otherwise)


def rich_text(field: str, markup: str, parse_mode: str, limit: str = "") -> Json:
    """A marked-up text and its entities as fields of a message; none for an empty caption. Raises Refusal."""
    return dict(_rich_text(field, markup, parse_mode, limit))


# The cards of inline mode are many, and the same ones come again and again.
@lru_cache(maxsize=4096)
def _rich_text(field: str, markup: str, parse_mode: str, limit: str) -> Json:
    require(parse_mode in ("", "HTML"), "unsupported parse_mode")
    try:
        text, entities = parse_html(markup) if parse_mode else (markup, [])
    except MarkupError as error:
        raise Refusal(f"can't parse entities: {error}") from error
    text, entities = trim(text.replace("\r", ""), entities)
    if re.fullmatch("[\u200b-\u200f\u2060-\u2064\ufeff\\s]*", text):
        require(field != "text", "message text is empty")
        return {}
    check(limit or field, text)
    entities = detect(text, entities)
    check("entities", entities)
    return given(**{field: text, "entities" if field == "text" else f"{field}_entities": entities})


def keyboard(markup: Any) -> Json:
    """`{reply_markup}` of an inline keyboard, or nothing when it has no button. Raises Refusal.

    What asks for a reply comes back as `{force_reply}`: Telegram's messages do not have it, but the page has to know.
    """
    if markup in (None, "", {}):
        return {}
    if isinstance(markup, dict) and markup.get("force_reply") is True:
        hint = markup.get("input_field_placeholder", "-")
        fits = set(markup) <= {"force_reply", "input_field_placeholder"} and isinstance(hint, str)
        require(fits, "object expected as reply markup")
        check("placeholder", hint)
        return {"force_reply": hint}
    rows: Any = markup.get("inline_keyboard") if isinstance(markup, dict) and len(markup) == 1 else None
    in_rows = isinstance(rows, list) and all(isinstance(row, list) for row in rows)
    require(in_rows, "object expected as reply markup: the local chat knows inline keyboards only, an Array of Arrays")
    buttons = list(chain.from_iterable(rows))
    check("buttons", buttons)
    for row in rows:
        check("row of buttons", row)
    for button in buttons:
        _check_button(button)
    return given(reply_markup=buttons and {"inline_keyboard": [row for row in rows if row]})


def _check_button(button: Any) -> None:
    refusal = "can't parse inline keyboard button: "
    require(isinstance(button, dict), refusal + "InlineKeyboardButton must be an Object")
    require(isinstance(button.get("text"), str), refusal + 'Can\'t find field "text"')
    require(button["text"].strip(), "BUTTON_TEXT_INVALID")
    unknown = set(button) - {"text", "style", *_ACTIONS}
    require(not unknown, refusal + f"the local chat does not know {', '.join(sorted(unknown))}")
    actions = [name for name in _ACTIONS if name in button]
    acts = len(actions) == 1 and (button[actions[0]] or actions[0] not in ("url", "callback_data"))
    require(acts, refusal + "Text buttons are unallowed in the inline keyboard")
    _check_action(actions[0], button[actions[0]])


def _check_action(name: str, value: Any) -> None:
    if name == "copy_text":
        value = value.get("text") if isinstance(value, dict) else None
    elif name == "switch_inline_query_chosen_chat":
        kinds = [f"allow_{kind}_chats" for kind in ("user", "bot", "group", "channel")]
        allowed = isinstance(value, dict) and any(map(value.get, kinds))
        value = value.get("query", "") if allowed else None
    check(name, value)


def inline_results(results: Any, next_offset: str, button: Any, pictures: Mapping[str, Json]) -> list[Json]:
    """Cards: articles, and those of `pictures`; each with the message that it makes as `message`. Raises Refusal."""
    check("results", results)
    check("next offset", next_offset)
    if button:
        complete = button.get("text") and "start_parameter" in button
        require(complete, "InlineQueryResultsButton must have exactly one optional field")
        check("start parameter", button["start_parameter"])
    cards = [_picture(result, pictures) if result.get("type") == "photo" else _card(result) for result in results]
    require(len({card["id"] for card in cards}) == len(cards), "RESULT_ID_DUPLICATE")
    return cards


def _card(result: Json) -> Json:
    kind, content = result.get("type"), result.get("input_message_content") or {}
    require(kind == "article", f'type "{kind}" is unsupported for the inline query result')
    check("result id", result.get("id"))
    require(result.get("title"), "can't parse inline query result: Can't find field \"title\"")
    require(content.get("message_text"), "input message content is not specified")
    message = rich_text("text", content["message_text"], content.get("parse_mode", ""), "card text")
    return result | {"message": message | keyboard(result.get("reply_markup"))}


def _picture(result: Json, pictures: Mapping[str, Json]) -> Json:
    check("result id", result.get("id"))
    photo = pictures.get(str(result.get("photo_file_id")))
    require(photo, "wrong file identifier/HTTP URL specified")
    caption = rich_text("caption", result.get("caption", ""), result.get("parse_mode", ""))
    return result | {"message": {"photo": [photo]} | caption | keyboard(result.get("reply_markup"))}


def quiz(kind: str, question: str, options: Any, correct: Any, explanation: Json) -> list[str]:
    """The texts of a quiz's options. Raises Refusal."""
    require(kind == "quiz", "unsupported poll type specified: the local chat knows quizzes only")
    require(isinstance(options, list), "expected an Array of String as options")
    texts = [str(option.get("text", "") if isinstance(option, dict) else option).strip() for option in options]
    for what, text in [("question", question), *(("options", text) for text in texts)]:
        require(text, f"poll {what} must be non-empty")
        check(f"poll {what}", text)
    require(len(texts) >= 2, "poll must have at least 2 options")
    require(len(texts) <= 12, "poll must have no more than 12 options")
    exists = correct and all(isinstance(n, int) and 0 <= n < len(texts) for n in correct)
    require(exists, "invalid correct option identifier specified")
    few_lines = explanation.get("explanation", "").count("\n") <= 2
    require(few_lines, "poll explanation must have no more than 2 line feeds")
    return texts


def commands(listed: Any) -> list[Json]:
    """A list of commands as it is kept. Raises Refusal."""
    check("commands", listed)
    for command in listed:
        check("command", command.get("command"))
        check("command description", command.get("description"))
    return [command | {"command": command["command"].lstrip("/")} for command in listed]


def picture_size(data: bytes) -> Json:
    """`{width, height}` of a PNG picture in pixels. Raises Refusal."""
    require(data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24, "IMAGE_PROCESS_FAILED")
    width, height = struct.unpack(">II", data[16:24])
    fits = width + height <= 10_000 and max(width, height) <= 20 * min(width, height)
    require(fits, "PHOTO_INVALID_DIMENSIONS")
    return {"width": width, "height": height}


class RateLimits:
    """30 messages a second overall, one a second in a chat, 20 a minute in a group. Times in seconds."""

    def __init__(self) -> None:
        self._sent: deque[tuple[float, str]] = deque(maxlen=10_000)

    def check(self, chat_id: str, now: float) -> None:
        """Count one message. Raises Refusal with the seconds to wait."""
        in_group = [(20, 60.0, chat_id)] if chat_id.startswith("-") else []
        for allowed, seconds, chat in [(30, 1.0, ""), (1, 1.0, chat_id), *in_group]:
            times = [time for time, to in self._sent if time > now - seconds and chat in ("", to)]
            if len(times) >= allowed:
                wait = max(1, round(times[-allowed] + seconds - now + 0.5))
                raise Refusal(f"Too Many Requests: retry after {wait}", 429, retry_after=wait)
        self._sent.append((now, chat_id))
