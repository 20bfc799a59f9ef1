"""What Telegram refuses, and in which words."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import Any

from bot.chat.entities import MarkupError, detect, parse_html, trim, utf16_length

Json = dict[str, Any]

_ACTIONS = (
    "callback_data",
    "copy_text",
    "switch_inline_query",
    "switch_inline_query_chosen_chat",
    "switch_inline_query_current_chat",
    "url",
)
_INVISIBLE = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff\\s]*")


class Refusal(Exception):
    """An error answer of the Bot API."""

    def __init__(self, description: str, code: int = 400, **parameters: Any) -> None:
        super().__init__(description)
        self.description, self.code, self.parameters = description, code, parameters

    def json(self) -> Json:
        """The envelope in which the Bot API answers errors."""
        prefixes = {400: "Bad Request: ", 403: "Forbidden: ", 409: "Conflict: "}
        answer: Json = {"ok": False, "error_code": self.code}
        answer["description"] = prefixes.get(self.code, "") + self.description
        return answer | ({"parameters": self.parameters} if self.parameters else {})


def rich_text(markup: str, parse_mode: str, limit: int, too_long: str, name: str = "text") -> Json:
    """`{text, entities}` of a marked-up text, under field names that start with `name`. Raises Refusal."""
    if parse_mode not in ("", "HTML"):
        raise Refusal("unsupported parse_mode")
    try:
        text, entities = parse_html(markup) if parse_mode else (markup, [])
    except MarkupError as error:
        raise Refusal(f"can't parse entities: {error}") from error
    text, entities = trim(text.replace("\r", ""), entities)
    if _INVISIBLE.fullmatch(text):
        text, entities = "", []
    if utf16_length(text) > limit:
        raise Refusal(too_long)
    entities = detect(text, entities)
    if len(entities) > 100:
        raise Refusal("ENTITIES_TOO_LONG")
    field = "entities" if name == "text" else f"{name}_entities"
    return ({name: text} if text else {}) | ({field: entities} if entities else {})


def message_text(markup: str, parse_mode: str, too_long: str = "message is too long") -> Json:
    """A message's `text` and `entities`. Raises Refusal."""
    content = rich_text(markup, parse_mode, 4096, too_long)
    if not content:
        raise Refusal("message text is empty")
    return content


def keyboard(markup: Any) -> Json:
    """`{reply_markup}` of an inline keyboard, or nothing when it has no button. Raises Refusal."""
    if markup in (None, "", {}):
        return {}
    rows = markup.get("inline_keyboard") if isinstance(markup, dict) else None
    if not isinstance(rows, list) or set(markup) != {"inline_keyboard"}:
        raise Refusal("object expected as reply markup: the local chat knows inline keyboards only")
    if any(not isinstance(row, list) for row in rows):
        raise Refusal('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays')
    if sum(map(len, rows)) > 100 or any(len(row) > 8 for row in rows):
        raise Refusal("reply markup is too long")
    for row in rows:
        for button in row:
            _check_button(button)
    rows = [row for row in rows if row]
    return {"reply_markup": {"inline_keyboard": rows}} if rows else {}


def _check_button(button: Any) -> None:
    refusal = "can't parse inline keyboard button: "
    if not isinstance(button, dict):
        raise Refusal(refusal + "InlineKeyboardButton must be an Object")
    if not isinstance(button.get("text"), str):
        raise Refusal(refusal + 'Can\'t find field "text"')
    if not button["text"].strip():
        raise Refusal("BUTTON_TEXT_INVALID" if button["text"] else refusal + "Button text must be non-empty")
    if unknown := set(button) - {"text", "style", *_ACTIONS}:
        raise Refusal(refusal + f'the local chat does not know "{min(unknown)}"')
    actions = [name for name in _ACTIONS if name in button]
    if len(actions) != 1 or (not button[actions[0]] and actions[0] in ("url", "callback_data")):
        raise Refusal(refusal + "Text buttons are unallowed in the inline keyboard")
    _check_action(actions[0], button[actions[0]])


def _check_action(action: str, value: Any) -> None:
    if action == "callback_data" and not 1 <= len(str(value).encode()) <= 64:
        raise Refusal("BUTTON_DATA_INVALID")
    if action == "url" and not re.match(r"(https?|tg)://[^\s/]+", str(value)):
        raise Refusal("BUTTON_URL_INVALID")
    if action == "copy_text" and not (isinstance(value, dict) and 1 <= utf16_length(value.get("text", "")) <= 256):
        raise Refusal("BUTTON_COPY_TEXT_INVALID")
    query = value.get("query", "") if isinstance(value, dict) else value
    if action.startswith("switch") and (not isinstance(query, str) or utf16_length(query) > 256):
        raise Refusal("BUTTON_DATA_INVALID")
    if action.endswith("chosen_chat") and not any(value.get(f"allow_{kind}_chats") for kind in _CHAT_KINDS):
        raise Refusal("BUTTON_TYPE_INVALID")


_CHAT_KINDS = ("user", "bot", "group", "channel")


def inline_results(results: Any, next_offset: str, button: Any) -> list[Json]:
    """Article cards, their text parsed into `message`. Raises Refusal."""
    if not isinstance(results, list):
        raise Refusal("expected an Array of inline query results")
    if len(results) > 50:
        raise Refusal("too many inline query results specified")
    if len(next_offset.encode()) > 64:
        raise Refusal("NEXT_OFFSET_INVALID")
    _check_results_button(button)
    cards = [_card(result) for result in results]
    if len({card["id"] for card in cards}) < len(cards):
        raise Refusal("RESULT_ID_DUPLICATE")
    return cards


def _card(result: Json) -> Json:
    if result.get("type") != "article":
        raise Refusal(f'type "{result.get("type")}" is unsupported for the inline query result')
    if not 1 <= len(str(result.get("id", "")).encode()) <= 64:
        raise Refusal("RESULT_ID_INVALID")
    if not result.get("title"):
        raise Refusal("can't parse inline query result: Can't find field \"title\"")
    content = result.get("input_message_content") or {}
    if not content.get("message_text"):
        raise Refusal("input message content is not specified")
    message = message_text(content["message_text"], content.get("parse_mode", ""), "MESSAGE_TOO_LONG")
    return result | {"message": message | keyboard(result.get("reply_markup"))}


def _check_results_button(button: Any) -> None:
    if not button:
        return
    if not button.get("text") or ("start_parameter" in button) == ("web_app" in button):
        raise Refusal("InlineQueryResultsButton must have exactly one optional field")
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", button.get("start_parameter", "")):
        raise Refusal("START_PARAM_INVALID")


def poll(question: str, options: Any, kind: str, correct: Any, explanation: Json) -> list[str]:
    """The texts of a poll's options. Raises Refusal."""
    if kind not in ("", "regular", "quiz"):
        raise Refusal("unsupported poll type specified")
    if not isinstance(options, list):
        raise Refusal("expected an Array of String as options")
    texts = [str(option.get("text", "") if isinstance(option, dict) else option).strip() for option in options]
    _check_length("poll question", question, 300)
    for text in texts:
        _check_length("poll options", text, 100)
    if not 2 <= len(texts) <= 12:
        raise Refusal(f"poll must have {'at least 2' if len(texts) < 2 else 'no more than 12'} options")
    if kind == "quiz" and not (correct and all(isinstance(n, int) and 0 <= n < len(texts) for n in correct)):
        raise Refusal("invalid correct option identifier specified")
    if explanation.get("explanation", "").count("\n") > 2:
        raise Refusal("poll explanation must have no more than 2 line feeds")
    return texts


def _check_length(what: str, text: str, limit: int) -> None:
    if not text:
        raise Refusal(f"{what} must be non-empty")
    if utf16_length(text) > limit:
        raise Refusal(f"{what} length must not exceed {limit}")


def commands(listed: Any) -> list[Json]:
    """A list of commands as it is kept. Raises Refusal."""
    if not isinstance(listed, list):
        raise Refusal("expected an Array of BotCommand")
    if len(listed) > 100:
        raise Refusal("BOT_COMMANDS_TOO_MUCH")
    for command in listed:
        if not re.fullmatch(r"/?[a-z0-9_]{1,32}", command.get("command", "")):
            raise Refusal("BOT_COMMAND_INVALID")
        if not 1 <= utf16_length(command.get("description", "")) <= 256:
            raise Refusal("BOT_COMMAND_DESCRIPTION_INVALID")
    return [command | {"command": command["command"].lstrip("/")} for command in listed]


class RateLimits:
    """30 messages a second overall, one a second in a chat, 20 a minute in a group. Times in seconds."""

    def __init__(self) -> None:
        self._sent: defaultdict[tuple[Any, ...], deque[float]] = defaultdict(deque)

    def check(self, chat_id: str, now: float) -> None:
        """Count one message. Raises Refusal with the seconds to wait."""
        windows = [(("all",), 30, 1.0), ((chat_id, "second"), 1, 1.0)]
        if chat_id.startswith("-"):
            windows.append(((chat_id, "minute"), 20, 60.0))
        for key, allowed, seconds in windows:
            times = self._sent[key]
            while times and times[0] <= now - seconds:
                times.popleft()
            if len(times) >= allowed:
                wait = max(1, round(times[0] + seconds - now + 0.5))
                raise Refusal(f"Too Many Requests: retry after {wait}", 429, retry_after=wait)
        for key, _, _ in windows:
            self._sent[key].append(now)
