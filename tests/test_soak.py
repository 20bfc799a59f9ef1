"""A short soak in front of a Telegram with bad days: people, faults and kills; nothing may be lost."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tools.soak import Soak, report

pytestmark = pytest.mark.slow


async def test_after_faults_and_kills_everything_is_as_people_left_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("tornado.access"), "level", logging.CRITICAL)
    soak = Soak(tmp_path, people=60, seed=1, settings={"READER": "0"})
    outcome = await soak.run(updates=1_500, kills=3)
    assert outcome.kills >= 2 and sum(soak.weather.happened.values()) > 20
    assert not outcome.wrong
    assert not (outcome.sorry or outcome.tracebacks), report(outcome, soak.weather, 1)
    assert max(outcome.stops) < 10
    assert outcome.unanswered < 0.02 * len(outcome.seconds)
