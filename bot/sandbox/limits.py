"""What Telegram refuses, and in which words."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable
from itertools import chain
from typing import Any

from bot.sandbox.entities import MarkupError, detect, parse_html, trim, utf16_length

Json = dict[str, Any]

_INVISIBLE = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff\\s]*")
_CHATS = ("allow_user_chats", "allow_bot_chats", "allow_group_chats", "allow_channel_chats")


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


def rich_text(markup: str, parse_mode: str, limit: int, too_long: str, name: str = "text") -> Json:
    """`{text, entities}` of a marked-up text, under field names that start with `name`. Raises Refusal."""
    require(parse_mode in ("", "HTML"), "unsupported parse_mode")
    try:
        text, entities = parse_html(markup) if parse_mode else (markup, [])
    except MarkupError as error:
        raise Refusal(f"can't parse entities: {error}") from error
    text, entities = trim(text.replace("\r", ""), entities)
    if _INVISIBLE.fullmatch(text):
        return {}
    require(utf16_length(text) <= limit, too_long)
    entities = detect(text, entities)
    require(len(entities) <= 100, "ENTITIES_TOO_LONG")
    return given(**{name: text, "entities" if name == "text" else f"{name}_entities": entities})


def message_text(markup: str, parse_mode: str, too_long: str = "message is too long") -> Json:
    """A message's `text` and `entities`. Raises Refusal."""
    content = rich_text(markup, parse_mode, 4096, too_long)
    require(content, "message text is empty")
    return content


def _is_query(query: Any) -> bool:
    return isinstance(query, str) and utf16_length(query) <= 256


_ACTIONS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "callback_data": (lambda data: 1 <= len(str(data).encode()) <= 64, "BUTTON_DATA_INVALID"),
    "copy_text": (lambda copy: 1 <= utf16_length(copy["text"]) <= 256, "BUTTON_COPY_TEXT_INVALID"),
    "switch_inline_query": (_is_query, "BUTTON_DATA_INVALID"),
    "switch_inline_query_chosen_chat": (
        lambda chosen: _is_query(chosen.get("query", "")) and any(map(chosen.get, _CHATS)),
        "BUTTON_TYPE_INVALID",
    ),
    "switch_inline_query_current_chat": (_is_query, "BUTTON_DATA_INVALID"),
    "url": (lambda url: re.match(r"(https?|tg)://[^\s/]+", str(url)), "BUTTON_URL_INVALID"),
}
"""What a button can do, how that must look, and what Telegram says when it does not."""


def keyboard(markup: Any) -> Json:
    """`{reply_markup}` of an inline keyboard, or nothing when it has no button. Raises Refusal."""
    if markup in (None, "", {}):
        return {}
    rows: Any = markup.get("inline_keyboard") if isinstance(markup, dict) and len(markup) == 1 else None
    require(isinstance(rows, list), "object expected as reply markup: the local chat knows inline keyboards only")
    all_arrays = all(isinstance(row, list) for row in rows)
    require(all_arrays, 'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays')
    require(sum(map(len, rows)) <= 100 and all(len(row) <= 8 for row in rows), "reply markup is too long")
    for button in chain.from_iterable(rows):
        _check_button(button)
    rows = [row for row in rows if row]
    return given(reply_markup=rows and {"inline_keyboard": rows})


def _check_button(button: Any) -> None:
    refusal = "can't parse inline keyboard button: "
    require(isinstance(button, dict), refusal + "InlineKeyboardButton must be an Object")
    require(isinstance(button.get("text"), str), refusal + 'Can\'t find field "text"')
    require(button["text"], refusal + "Button text must be non-empty")
    require(button["text"].strip(), "BUTTON_TEXT_INVALID")
    unknown = set(button) - {"text", "style", *_ACTIONS}
    require(not unknown, refusal + f"the local chat does not know {', '.join(sorted(unknown))}")
    actions = [name for name in _ACTIONS if name in button]
    acts = len(actions) == 1 and (button[actions[0]] or actions[0] not in ("url", "callback_data"))
    require(acts, refusal + "Text buttons are unallowed in the inline keyboard")
    fits, otherwise = _ACTIONS[actions[0]]
    try:
        require(fits(button[actions[0]]), otherwise)
    except (AttributeError, KeyError, TypeError):
        raise Refusal(otherwise) from None


def inline_results(results: Any, next_offset: str, button: Any) -> list[Json]:
    """Article cards, their text parsed into `message`. Raises Refusal."""
    require(isinstance(results, list), "expected an Array of inline query results")
    require(len(results) <= 50, "too many inline query results specified")
    require(len(next_offset.encode()) <= 64, "NEXT_OFFSET_INVALID")
    if button:
        complete = button.get("text") and "start_parameter" in button
        require(complete, "InlineQueryResultsButton must have exactly one optional field")
        require(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", button["start_parameter"]), "START_PARAM_INVALID")
    cards = [_card(result) for result in results]
    require(len({card["id"] for card in cards}) == len(cards), "RESULT_ID_DUPLICATE")
    return cards


def _card(result: Json) -> Json:
    kind, content = result.get("type"), result.get("input_message_content") or {}
    require(kind == "article", f'type "{kind}" is unsupported for the inline query result')
    require(1 <= len(str(result.get("id", "")).encode()) <= 64, "RESULT_ID_INVALID")
    require(result.get("title"), "can't parse inline query result: Can't find field \"title\"")
    require(content.get("message_text"), "input message content is not specified")
    message = message_text(content["message_text"], content.get("parse_mode", ""), "MESSAGE_TOO_LONG")
    return result | {"message": message | keyboard(result.get("reply_markup"))}


def poll(question: str, options: Any, kind: str, correct: Any, explanation: Json) -> list[str]:
    """The texts of a poll's options. Raises Refusal."""
    require(kind in ("", "regular", "quiz"), "unsupported poll type specified")
    require(isinstance(options, list), "expected an Array of String as options")
    texts = [str(option.get("text", "") if isinstance(option, dict) else option).strip() for option in options]
    for what, text, limit in [("question", question, 300), *(("options", text, 100) for text in texts)]:
        require(text, f"poll {what} must be non-empty")
        require(utf16_length(text) <= limit, f"poll {what} length must not exceed {limit}")
    require(len(texts) >= 2, "poll must have at least 2 options")
    require(len(texts) <= 12, "poll must have no more than 12 options")
    exists = correct and all(isinstance(n, int) and 0 <= n < len(texts) for n in correct)
    require(kind != "quiz" or exists, "invalid correct option identifier specified")
    few_lines = explanation.get("explanation", "").count("\n") <= 2
    require(few_lines, "poll explanation must have no more than 2 line feeds")
    return texts


def commands(listed: Any) -> list[Json]:
    """A list of commands as it is kept. Raises Refusal."""
    require(isinstance(listed, list), "expected an Array of BotCommand")
    require(len(listed) <= 100, "BOT_COMMANDS_TOO_MUCH")
    for command in listed:
        require(re.fullmatch(r"/?[a-z0-9_]{1,32}", command.get("command", "")), "BOT_COMMAND_INVALID")
        require(1 <= utf16_length(command.get("description", "")) <= 256, "BOT_COMMAND_DESCRIPTION_INVALID")
    return [command | {"command": command["command"].lstrip("/")} for command in listed]


class RateLimits:
    """30 messages a second overall, one a second in a chat, 20 a minute in a group. Times in seconds."""

    def __init__(self) -> None:
        self._sent: defaultdict[tuple[str, int, float], deque[float]] = defaultdict(deque)

    def check(self, chat_id: str, now: float) -> None:
        """Count one message. Raises Refusal with the seconds to wait."""
        windows = [("", 30, 1.0), (chat_id, 1, 1.0), *([(chat_id, 20, 60.0)] if chat_id.startswith("-") else [])]
        for window in windows:
            (_, allowed, seconds), times = window, self._sent[window]
            while times and times[0] <= now - seconds:
                times.popleft()
            if len(times) >= allowed:
                wait = max(1, round(times[0] + seconds - now + 0.5))
                raise Refusal(f"Too Many Requests: retry after {wait}", 429, retry_after=wait)
        for window in windows:
            self._sent[window].append(now)
