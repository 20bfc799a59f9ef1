"""The files for running the bot for others: they parse, agree with each other, and set only what the bot reads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

ROOT = Path(__file__).resolve().parents[1]
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE)["services"]
CADDYFILE = (ROOT / "deploy/Caddyfile").read_text(encoding="utf-8")
BOT: dict[str, Any] = SERVICES["bot"]["environment"]


def test_every_variable_of_the_bot_is_a_setting() -> None:
    table = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    assert set(BOT) <= set(re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE))


def test_every_variable_of_the_operator_is_explained() -> None:
    """In the head of the file, which is also where secrets are said to stay out of it."""
    asked = set(re.findall(r"\$\{(\w+)", COMPOSE))
    explained = set(re.findall(r"^#   ([A-Z_]+)=", COMPOSE, re.MULTILINE))
    assert asked == explained == {"DOMAIN", "TELEGRAM_TOKEN", "POSTGRES_PASSWORD", "ADMINS"}


def test_the_state_is_the_database_beside_it() -> None:
    database = SERVICES["postgres"]["environment"]
    state = urlsplit(re.sub(r"\$\{\w+:\?[^}]*\}", "secret", BOT["STATE"]))
    assert state.hostname == "postgres"
    assert (state.username, state.path) == (database["POSTGRES_USER"], f"/{database['POSTGRES_DB']}")
    assert SERVICES["bot"]["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert "healthcheck" in SERVICES["postgres"]


def test_only_the_proxy_is_published() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["caddy"]
    assert SERVICES["bot"]["read_only"] is True and "volumes" not in SERVICES["bot"]


def test_volumes_are_declared() -> None:
    mounted = {volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    assert {name for name in mounted if not name.startswith(".")} == set(yaml.safe_load(COMPOSE)["volumes"])
    assert all((ROOT / name).exists() for name in mounted if name.startswith("."))


def test_the_proxy_leads_to_the_bot() -> None:
    assert BOT["WEBHOOK_URL"].endswith(re.findall(r"handle (/\w+) \{", CADDYFILE)[0])
    assert f"port {BOT['PORT']}\n" in CADDYFILE and "name bot\n" in CADDYFILE
    assert set(re.findall(r"\{\$(\w+)\}", CADDYFILE)) == set(SERVICES["caddy"]["environment"])
    assert CADDYFILE.count("{") == CADDYFILE.count("}")


def test_the_image_looks_after_its_health() -> None:
    """Where the bot tells it: the port that the image sets, and that nothing here sets anew."""
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"^ENV .*\bHOST=0\.0\.0\.0 METRICS_PORT=\d+ ", dockerfile, re.MULTILINE)
    assert "os.environ['METRICS_PORT']" in dockerfile and "'/healthz'" in dockerfile
    assert not {"HOST", "METRICS_PORT"} & set(BOT) and "healthcheck" not in SERVICES["bot"]
