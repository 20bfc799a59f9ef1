"""The picture of an idiom: what it says, that all of it fits, and that it is sent as a file once."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

import bot
from bot import lettering, links
from bot.drawing import BELOW, HEIGHTS, MARGIN, PALETTES, TITLE, WIDTH, Line, draw, layout
from bot.features.picture import MARK
from bot.sandbox.limits import Json
from bot.search.engine import SearchEngine
from bot.search.phrases import phrase_key
from bot.ui import Poster
from support.states import full
from support.talking import EN, RU, Message, Talk, labels

KEY = phrase_key("ru", "плевать в потолок")
FONTS = sorted((Path(bot.__file__).parent / "fonts").glob("*.ttf"))
SHORT = Poster("бить баклуши", "to do nothing, to idle", "In English", "twiddle one's thumbs", "@idiomatika_bot")


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def is_inside(png: bytes) -> bool:
    """Whether nothing is drawn nearer to the edges than half the margin."""
    image = opened(png)
    paper = Image.new("RGB", image.size, image.getpixel((0, 0)))
    left, top, right, bottom = ImageChops.difference(image, paper).getbbox() or (0, 0, 0, 0)
    edge = MARGIN // 2
    return min(left, top) >= edge and right <= image.width - edge and bottom <= image.height - edge


def letters(lines: tuple[Line, ...]) -> str:
    """All that is written, without the spaces at which it may be wrapped."""
    return "".join(line.text for line in lines).replace(" ", "").replace("\xa0", "")


def are_apart(lines: tuple[Line, ...]) -> bool:
    """Whether every line is above the next, and within the margins."""
    ordered = all(one.y < other.y for one, other in pairwise(lines))
    return ordered and all(line.box[0] >= MARGIN / 2 and line.box[2] <= WIDTH - MARGIN / 2 for line in lines)


def test_an_idiom_has_a_small_square_picture() -> None:
    png = draw(SHORT)
    assert opened(png).size == (WIDTH, HEIGHTS[0])
    assert len(png) < 60_000 and is_inside(png)
    assert [line.text for line in layout(SHORT).lines] == [
        "бить баклуши",
        "to do nothing, to idle",
        "In English",
        "twiddle one’s thumbs",
        "@idiomatika_bot",
    ]


def test_a_long_word_is_parted_at_its_hyphen_rather_than_printed_small() -> None:
    title, *_ = layout(Poster("лягу́шка-путеше́ственница", "о том, кто много ездит", "", "", "@b")).lines
    assert title.text == "лягу́шка-" and title.size > 0.8 * TITLE.size
    hand, *_ = layout(Poster("кое-как", "небрежно", "", "", "@b")).lines
    assert hand.text == "кое-как"


def test_the_longest_entries_of_the_collection_fit_whole(engine: SearchEngine) -> None:
    phrases = list(engine.artifacts.phrases)
    longest = {
        max(phrases, key=lambda phrase: len(phrase.text)).key,
        max(phrases, key=lambda phrase: max(map(len, phrase.text.split()))).key,
        max(phrases, key=lambda phrase: len(phrase.meanings[0])).key,
        max(phrases, key=lambda phrase: max(map(len, phrase.translations.values()), default=0)).key,
    }
    for key in longest:
        phrase = engine.phrase(key)
        assert phrase
        told = phrase.translations.get("en") or phrase.translations.get("ru") or phrase.meanings[0]
        poster = Poster(phrase.stressed or phrase.text, max(told, phrase.meanings[0], key=len), "По-русски", "", "@b")
        png, sheet = draw(poster), layout(poster)
        assert len(png) < 300_000 and is_inside(png) and are_apart(sheet.lines)
        assert sheet.height in HEIGHTS


@pytest.mark.parametrize("title", ["ы" * 1000, "щи́ " * 300, "W" * 1000 + " «Ё́ж»", "а" * 26 + " b" * 400])
def test_no_text_is_cut_however_long(title: str) -> None:
    poster = Poster(title, "м" * 1000, "По-русски", "ж" * 1000, "@" + "w" * 32)
    png, sheet = draw(poster), layout(poster)
    assert len(png) < 300_000 and is_inside(png) and are_apart(sheet.lines)
    assert letters(sheet.lines) == "".join(
        (title.strip(), poster.meaning, poster.label, poster.counterpart, poster.signature)
    ).replace(" ", "")
    assert WIDTH + sheet.height <= 10_000


@settings(deadline=None, max_examples=25)
@given(st.builds(Poster, *[st.text(max_size=60)] * 4, st.just("@idiomatika_bot")))
def test_any_text_has_a_picture(poster: Poster) -> None:
    sheet = layout(poster)
    assert sheet.lines[-1].text == "@idiomatika_bot"
    assert all(line.box[3] <= sheet.height - BELOW + MARGIN for line in sheet.lines[:-1])


@pytest.mark.parametrize("letter", "аоуыэяеюиАОИЮ")
def test_a_stress_mark_stands_over_the_middle_of_its_letter(letter: str) -> None:
    """Drawn with the mark and without it, the two pictures differ above the letter and nowhere else."""
    font = lettering.font_of(TITLE.font, TITLE.size)
    x, y = lettering._accent(font, f"н{letter}н", 1)
    mark, whole = lettering._ink(font, "\u0301"), lettering._ink(font, letter)
    begins = font.getlength(f"н{letter}") - font.getlength(letter)
    assert abs((mark[0] + mark[2]) / 2 + x - begins - (whole[0] + whole[2]) / 2) <= 1
    assert 0 < whole[1] - (mark[3] + y) < 0.2 * font.size


@pytest.mark.parametrize("path", FONTS, ids=[path.stem for path in FONTS])
def test_the_fonts_have_what_is_drawn(path: Path, engine: SearchEngine) -> None:
    has = set(map(chr, TTFont(path).getBestCmap()))
    drawn = {chr(code) for code in range(0x2200) if not lettering._NEVER_DRAWN.match(chr(code))}
    assert sorted(drawn - has - {"\xad"}) == []
    phrases = engine.artifacts.phrases
    needed = {
        letter for phrase in phrases for text in (phrase.text, phrase.stressed, *phrase.meanings) for letter in text
    }
    assert sorted(needed - drawn) == []


def test_every_font_is_light_and_has_its_licence_beside_it() -> None:
    assert "SIL OPEN FONT LICENSE" in (FONTS[0].parent / "OFL.txt").read_text(encoding="utf-8")
    assert sum(path.stat().st_size for path in FONTS) < 400_000


def test_the_palettes_can_be_read() -> None:
    def light(colour: str) -> float:
        parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
        linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    for palette in PALETTES:
        for colour in (palette.ink, palette.soft, palette.accent):
            assert (light(palette.paper) + 0.05) / (light(colour) + 0.05) >= 4.5


def photo_of(message: Message) -> Json:
    (photo,) = message["photo"]
    return dict(photo)


async def pictured(talk: Talk, key: str = KEY) -> Message:
    """Open a card and press its picture; the message with it."""
    (card,) = await talk.say(f"/start {links.to_idiom(key)}")
    before = set(talk.chat.messages)
    _, toast = await talk.press(card, "🖼")
    assert toast == ""
    (sent,) = [message for number, message in talk.chat.messages.items() if number not in before]
    return sent


@pytest.mark.parametrize(("language", "title"), [("ru", "плевать в потолок"), ("en", "плева́ть в потоло́к")])
async def test_a_card_sends_its_picture(engine: SearchEngine, language: str, title: str) -> None:
    async with Talk(engine, language=language) as talk:
        sent = await pictured(talk)
        phrase = engine.phrase(KEY)
        assert phrase
        assert sent["caption"] == f"{title}\n{phrase.meaning_in(language)}\n\n@idiomatika_bot"
        assert (photo_of(sent)["width"], photo_of(sent)["height"]) == (WIDTH, HEIGHTS[0])
        assert labels(sent) == [{"ru": RU, "en": EN}[language]("button-share")]


async def test_telegram_is_sent_a_picture_once(engine: SearchEngine, tmp_path: Path) -> None:
    async with Talk(engine, path=tmp_path / "state.db") as talk:
        first = await pictured(talk)
        await talk.restart()
        again = await pictured(talk)
        assert photo_of(again) == photo_of(first) and again["caption"] == first["caption"]
        files = [call.params["photo"] for call in talk.telegram.journal if call.method.lower() == "sendphoto"]
        assert len(files) == 2 and files[1] == photo_of(first)["file_id"]


async def test_a_picture_that_telegram_has_lost_is_sent_anew(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        first = await pictured(talk)
        lost = photo_of(first)["file_id"]
        del talk.telegram.pictures[lost], talk.telegram.files[lost]
        assert photo_of(await pictured(talk))["file_id"] != lost
        (refused,) = talk.telegram.refusals
        assert "wrong file identifier" in refused.answer["description"]
        talk.telegram.journal.clear()


async def test_a_picture_is_sent_although_the_state_cannot_be_had(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        full(talk.store, "pictures", "add_picture")
        assert photo_of(await pictured(talk))["file_id"] != photo_of(await pictured(talk))["file_id"]


async def test_over_http_a_picture_is_a_file_of_a_form(engine: SearchEngine) -> None:
    async with Talk(engine, over_http=True) as talk:
        assert photo_of(await pictured(talk))["width"] == WIDTH


async def test_a_group_gets_the_picture_where_it_was_asked_for(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        group = talk.telegram.add_group("Друзья", [talk.user])
        await talk.say("/start")
        (card,) = await talk.say("@idiomatika_bot плевать в потолок", chat=group)
        card, _ = await talk.press(card, "1")
        before = set(group.messages)
        await talk.press(card, "🖼")
        (sent,) = [message for number, message in group.messages.items() if number not in before]
        assert "photo" in sent and labels(sent) == [RU("button-share"), RU("button-start")]


async def test_inline_mode_opens_the_bot_for_a_new_picture_and_then_offers_it(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        query = f"{MARK} плевать в потолок"
        page = (await talk.inline(query)).answer or {}
        assert page["results"] == [] and page["button"]["start_parameter"] == links.to_picture(KEY)
        (made,) = await talk.say(f"/start {page['button']['start_parameter']}")
        share = next(button for row in made["reply_markup"]["inline_keyboard"] for button in row)
        assert share["switch_inline_query_chosen_chat"]["query"] == query
        talk.time += 60
        answered = await talk.inline(query)
        (picture,) = (answered.answer or {})["results"]
        assert picture["photo_file_id"] == photo_of(made)["file_id"]
        friends = talk.telegram.add_friends(talk.user, talk.telegram.add_user("Борис"))
        sent = talk.telegram.choose(answered, picture["id"], friends)
        await talk.work()
        assert sent["caption"] == made["caption"] and "photo" in sent
        assert await talk.store.recent_keys(talk.user.id) == {KEY}


async def test_an_inline_card_leads_to_its_picture(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        card = ((await talk.inline("плевать в потолок")).answer or {})["results"][0]
        addresses = [button.get("url", "") for row in card["reply_markup"]["inline_keyboard"] for button in row]
        assert links.to_bot("idiomatika_bot", links.to_picture(card["id"])) in addresses


async def test_a_picture_of_what_is_gone_is_refused_kindly(engine: SearchEngine) -> None:
    async with Talk(engine) as talk:
        (answer,) = await talk.say("/start p_000000000000")
        assert answer["text"] == RU("notice-phrase-gone")


def test_a_picture_has_a_name_of_its_own() -> None:
    others = [Poster("a", "b", "", "", "c"), Poster("a", "b", "", "c", ""), Poster("a", "", "b", "", "c")]
    assert len({poster.digest for poster in (SHORT, *others)}) == 4
