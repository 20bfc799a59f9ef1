"""What people choose comes earlier in the answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bot.actions import Open, to_data
from bot.search.engine import SearchEngine
from support.small import PHRASES, small_artifacts
from support.talking import ANNA, RU, Talk, data, pressed


class Attentive(SearchEngine):
    """An engine that notes what people choose."""

    clicks: Mapping[str, int] | None = None

    def set_click_counts(self, clicks: Mapping[str, int]) -> None:
        self.clicks = clicks
        super().set_click_counts(clicks)


async def test_what_people_choose_is_counted_once_for_each(tmp_path: Path) -> None:
    engine = Attentive(small_artifacts())
    async with Talk(engine, path=tmp_path / "state.db", popularity=True) as talk:
        await talk.tick()
        assert engine.clicks == {}
        other = talk.telegram.add_user("Боб", "ru")
        idle, rain, sent = (phrase.key for phrase in PHRASES[:3])
        (results,) = await talk.say(PHRASES[0].text)
        card = await pressed(talk, results, "1")
        await talk.press_data(card, to_data(Open(PHRASES[3].key, 2)))
        for label in ("👍", RU("button-save")):
            await talk.press(card, label)
        await talk.press(card, "👎", other)
        (results,) = await talk.say(PHRASES[1].text, talk.telegram.private(other), other)
        await talk.press_data(results, data(results, "1"), other)
        await talk.say("/random")
        talk.telegram.choose(await talk.inline(PHRASES[2].text), sent, talk.chat)
        await talk.work()
        await talk.tick()
        assert engine.clicks == {}, "it is counted every hour"
        await talk.restart()
        await talk.tick()
        assert engine.clicks == {idle: 1, rain: 1, sent: 1}
        await talk.store.toggle_saved(other.id, idle)
        talk.time += 3601
        await talk.tick()
        assert engine.clicks[idle] == 2
        await talk.store.forget(ANNA, ("history", "saved", "votes"))
        talk.time += 3601
        await talk.tick()
        assert engine.clicks[idle] == 1


async def test_what_people_choose_may_be_ignored() -> None:
    engine = Attentive(small_artifacts())
    async with Talk(engine, popularity=False) as talk:
        await talk.store.toggle_saved(ANNA, PHRASES[0].key)
        await talk.tick()
        assert engine.clicks == {}
