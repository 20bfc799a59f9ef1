"""Settings: read once from the environment, checked before anything starts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

LAST_PORT = 65_535
LARGEST = 10**15
TOKEN = re.compile(r"\d+:[\w-]{20,}")
"""The form of a bot's token."""


class SettingsError(Exception):
    """A setting cannot be used; the sentence says which one and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can be set from outside."""

    token: str = field(default="", repr=False)  # so that no log or traceback can show it
    """TELEGRAM_TOKEN, as @BotFather gave it; empty for trying the bot without Telegram."""
    api_url: str = "https://api.telegram.org"
    """TELEGRAM_API_URL: where the Bot API answers; a self-hosted server is named here."""
    artifacts: Path = Path("artifacts")
    """ARTIFACTS: the folder that `python -m pipeline.build` made."""
    state: str = field(default="data/state.db", repr=False)  # an address may have a password
    """STATE: what must outlive a restart: an SQLite file, or a PostgreSQL database as postgresql://..."""
    admins: frozenset[int] = frozenset()
    """ADMINS: numbers of the users who get reports and /stats, separated by commas."""
    daily_limit: int = 0
    """DAILY_LIMIT: queries that a user may ask in a day; 0 is no limit."""
    messages_per_second: int = 30
    """MESSAGES_PER_SECOND: what Telegram allows a bot; 0 is no limit."""
    popularity: bool = True
    """POPULARITY: 1, and what many people chose comes a little earlier in the answers; 0, and it does not."""
    reader: bool = True
    """READER: 1, and sentences are read as a whole; 0 spares 100 MB of memory and 2 ms a query."""
    webhook_url: str = field(default="", repr=False)  # its path may serve as a secret
    """WEBHOOK_URL: the public address to which Telegram sends updates; empty: the bot asks for them."""
    host: str = "127.0.0.1"
    """HOST: the address to listen at, for the webhook or, without a token, for the local chat."""
    port: int = 8765
    """PORT: the port to listen at; 0 takes any free one."""
    metrics_port: int = 0
    """METRICS_PORT: the port, also at HOST, that tells whether the bot is alive and what it did; 0: none does."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Read the variables named above; empty ones count as absent. Raises SettingsError."""
        given = {name: value.strip() for name, value in environment.items() if value.strip()}
        default = cls()
        return cls(
            token=_token(given.get("TELEGRAM_TOKEN", "")),
            api_url=_address("TELEGRAM_API_URL", given.get("TELEGRAM_API_URL", default.api_url)),
            artifacts=Path(given.get("ARTIFACTS", default.artifacts)),
            state=given.get("STATE", default.state),
            admins=frozenset(_number("ADMINS", word) for word in given.get("ADMINS", "").replace(",", " ").split()),
            daily_limit=_number("DAILY_LIMIT", given.get("DAILY_LIMIT", "0")),
            messages_per_second=_number("MESSAGES_PER_SECOND", given.get("MESSAGES_PER_SECOND", "30")),
            popularity=_number("POPULARITY", given.get("POPULARITY", "1"), 1) == 1,
            reader=_number("READER", given.get("READER", "1"), 1) == 1,
            webhook_url=_address("WEBHOOK_URL", given["WEBHOOK_URL"]) if "WEBHOOK_URL" in given else "",
            host=_host(given.get("HOST", default.host)),
            port=_number("PORT", given.get("PORT", "8765"), LAST_PORT),
            metrics_port=_number("METRICS_PORT", given.get("METRICS_PORT", "0"), LAST_PORT),
        )


def _token(value: str) -> str:
    if value and not TOKEN.fullmatch(value):
        raise SettingsError(
            "TELEGRAM_TOKEN does not look like a bot token (123456:ABC...): copy it from @BotFather again."
        )
    return value


def _number(name: str, value: str, largest: int = LARGEST) -> int:
    if not re.fullmatch(r"[0-9]{1,16}", value) or int(value) > largest:
        raise SettingsError(f"{name} must be a whole number from 0 to {largest}, not {value!r}.")
    return int(value)


def _address(name: str, value: str) -> str:
    if not re.fullmatch(r"https?://[^\s/]+(/\S*)?", value.rstrip("/")):
        raise SettingsError(f"{name} must be an address like https://example.org/bot, not {value!r}.")
    return value.rstrip("/")


def _host(value: str) -> str:
    # The brackets of an address of IPv6 belong to URLs, but are often copied along.
    host = value.removeprefix("[").removesuffix("]")
    if not re.fullmatch(r"[\w:%-]+(\.[\w:%-]+)*", host, re.ASCII):
        raise SettingsError(f"HOST must be an address or a name of this machine, such as 127.0.0.1, not {value!r}.")
    return host
