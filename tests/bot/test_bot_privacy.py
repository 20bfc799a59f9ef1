"""Personal data: seen, taken and erased."""

from __future__ import annotations

import json

from bot.search.engine import SearchEngine
from support.talking import ANNA, QUERY, RU, Talk, file_of, labels, pressed


async def test_one_can_see_take_and_erase_all_that_is_kept(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (results,) = await talk.say(QUERY)
        await talk.press(await pressed(talk, results, "1"), RU("button-save"))
        (privacy,) = await talk.say("/privacy")
        assert RU("button-forget") in labels(privacy)
        (file,) = await talk.say("/export")
        kept = json.loads(file_of(talk, file))
        assert kept["history"][0]["text"] == QUERY
        assert len(kept["saved"]) == 1
        (question,) = await talk.say("/forget")
        done, _ = await talk.press(question, RU("button-sure"))
        assert done["text"] == RU("erased-all")
        assert not any((await talk.store.export(ANNA)).values())
