"""Settings come from the environment alone, and a wrong one is named."""

from pathlib import Path

import pytest

from bot.settings import Settings, SettingsError

TOKEN = "123456:" + "A" * 35


def test_defaults() -> None:
    settings = Settings.from_environment({})
    assert (settings.token, settings.api_url) == ("", "https://api.telegram.org")
    assert (settings.artifacts, settings.state) == (Path("artifacts"), "data/state.db")


def test_given_values_win_and_are_trimmed() -> None:
    given = {"TELEGRAM_TOKEN": f" {TOKEN}\n", "TELEGRAM_API_URL": "http://127.0.0.1:8081/", "STATE": "/tmp/s.db"}
    settings = Settings.from_environment(given)
    assert (settings.token, settings.api_url, settings.state) == (TOKEN, "http://127.0.0.1:8081", "/tmp/s.db")


def test_numbers_and_lists_of_them() -> None:
    settings = Settings.from_environment({"ADMINS": "1, 2", "DAILY_LIMIT": "5", "PORT": "0", "POPULARITY": "0"})
    assert (settings.admins, settings.daily_limit, settings.port) == (frozenset({1, 2}), 5, 0)
    assert (settings.popularity, Settings().popularity) == (False, True)


def test_empty_values_are_absent_ones() -> None:
    assert Settings.from_environment({"TELEGRAM_TOKEN": "  ", "ARTIFACTS": ""}) == Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TELEGRAM_TOKEN", "secret"),
        ("TELEGRAM_API_URL", "api.telegram.org"),
        ("TELEGRAM_API_URL", "https://"),
        ("PORT", "65536"),
        ("DAILY_LIMIT", "-1"),
        ("ADMINS", "me"),
        ("WEBHOOK_URL", "x"),
        ("POPULARITY", "yes"),
        ("READER", "2"),
    ],
)
def test_a_wrong_value_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        Settings.from_environment({name: value})


def test_the_token_is_never_shown() -> None:
    assert TOKEN not in repr(Settings.from_environment({"TELEGRAM_TOKEN": TOKEN}))
    with pytest.raises(SettingsError) as error:
        Settings.from_environment({"TELEGRAM_TOKEN": "secret:token"})
    assert "secret" not in str(error.value)
