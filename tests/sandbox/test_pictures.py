"""Photos are kept within Telegram's limits, and sent again by the name under which they are kept."""

from __future__ import annotations

import struct

import pytest

from bot.sandbox.limits import RULES
from bot.sandbox.world import Upload
from support.local import KEYBOARD, Local

NO_FILE = "wrong file identifier/HTTP URL specified"


def png(width: int = 640, height: int = 480, more: int = 4) -> Upload:
    """A file that begins as a PNG picture of this size."""
    head = struct.pack(">I4sII", 13, b"IHDR", width, height)
    return Upload("idiom.png", b"\x89PNG\r\n\x1a\n" + head + b"-" * more)


async def test_a_photo_is_sent_again_by_its_name(local: Local) -> None:
    first = await local.ask(
        "sendPhoto", chat_id=local.ann.id, caption="<b>a</b>", parse_mode="HTML", files={"photo": png()}
    )
    file_id = first["photo"][-1]["file_id"]
    again = await local.ask("sendPhoto", chat_id=local.ann.id, photo=file_id, reply_markup=KEYBOARD)
    assert again["photo"] == first["photo"] and "caption" not in again
    assert first["caption_entities"] == [{"type": "bold", "offset": 0, "length": 1}]
    query = local.inline_query(local.ann, "cat")
    card = {"type": "photo", "id": "1", "photo_file_id": file_id, "caption": "<i>b</i>", "parse_mode": "HTML"}
    assert await local.ask("answerInlineQuery", inline_query_id=query.id, results=[card]) is True
    chosen = local.choose(query, "1", local.add_friends(local.ann, local.add_user("Bob")))
    assert chosen["photo"] == first["photo"] and chosen["caption"] == "b"


@pytest.mark.parametrize(
    ("photo", "caption", "error"),
    [
        (png(), "x" * 1025, "message caption is too long"),
        (png(9000, 1001), "", "PHOTO_INVALID_DIMENSIONS"),
        (png(2100, 100), "", "PHOTO_INVALID_DIMENSIONS"),
        (png(more=RULES["largest_photo"]), "", "file is too big"),
        (Upload("a.png", b"GIF89a"), "", "IMAGE_PROCESS_FAILED"),
        (Upload("a.png", b""), "", "file must be non-empty"),
    ],
)
async def test_limits_of_photos(local: Local, photo: Upload, caption: str, error: str) -> None:
    answer = await local.ask("sendPhoto", chat_id=local.ann.id, caption=caption, files={"photo": photo})
    assert answer["description"] == f"Bad Request: {error}"
    whole = await local.ask("sendPhoto", chat_id=local.ann.id, caption="x" * 1024, files={"photo": png()})
    assert len(whole["caption"]) == 1024


async def test_names_that_are_no_photo_are_refused(local: Local) -> None:
    document = await local.ask("sendDocument", chat_id=local.ann.id, files={"document": png()})
    names = {"unknown": NO_FILE, document["document"]["file_id"]: "can't use file of type Document as Photo"}
    for name, error in names.items():
        assert await local.error("sendPhoto", chat_id=local.ann.id, photo=name) == (400, f"Bad Request: {error}")
    query = local.inline_query(local.ann, "cat")
    card = {"type": "photo", "id": "1", "photo_file_id": "unknown"}
    refused = await local.error("answerInlineQuery", inline_query_id=query.id, results=[card])
    assert refused == (400, f"Bad Request: {NO_FILE}")
