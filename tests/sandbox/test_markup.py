"""Marked-up text is read as Telegram reads it."""

from __future__ import annotations

import pytest

from bot.sandbox.entities import MarkupError, parse_html
from support.local import Local


@pytest.mark.parametrize(
    ("markup", "text", "entities"),
    [
        ("a &lt;b&gt; &amp;&quot;&#33;&nbsp;", 'a <b> &"!&nbsp;', []),
        ("<b>Б</b> <i>x</i>", "Б x", [("bold", 0, 1), ("italic", 2, 1)]),
        ("😀<b>x😀</b>", "😀x😀", [("bold", 2, 3)]),
        ("<b>a<i>b</i></b>", "ab", [("bold", 0, 2), ("italic", 1, 1)]),
        ("<B>a</B><ins>b</ins><del>c</del>", "abc", [("bold", 0, 1), ("underline", 1, 1), ("strikethrough", 2, 1)]),
        ("<code>a<b>b</b></code>", "ab", [("code", 0, 2)]),
        ("<b></b>x", "x", []),
        ("<blockquote expandable>q</blockquote>", "q", [("expandable_blockquote", 0, 1)]),
        ("<span class='tg-spoiler'>s</span><tg-spoiler>t</tg-spoiler>", "st", [("spoiler", 0, 1), ("spoiler", 1, 1)]),
    ],
)
async def test_html_becomes_entities(markup: str, text: str, entities: list[tuple[str, int, int]]) -> None:
    plain, found = parse_html(markup)
    assert plain == text
    assert [(entity["type"], entity["offset"], entity["length"]) for entity in found] == entities


async def test_links_and_languages_keep_what_they_point_to() -> None:
    assert parse_html('<a href="https://a.org/?x=1&amp;y=2">a</a>')[1][0]["url"] == "https://a.org/?x=1&y=2"
    assert parse_html('<pre><code class="language-py">x</code></pre>')[1] == [
        {"type": "pre", "offset": 0, "length": 1, "language": "py"}
    ]


@pytest.mark.parametrize(
    ("markup", "error"),
    [
        ("a <p>", 'Unsupported start tag "p" at byte offset 2'),
        ("я <3", "Unclosed start tag at byte offset 3"),
        ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("<b><i>x</b></i>", 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ('<a href="x>y</a>', 'Unclosed start tag "a" at byte offset 0'),
    ],
)
async def test_wrong_html_is_refused_in_telegrams_words(markup: str, error: str, local: Local) -> None:
    with pytest.raises(MarkupError) as raised:
        parse_html(markup)
    assert str(raised.value) == error
    answer = await local.send(markup, parse_mode="HTML")
    assert answer == {"ok": False, "error_code": 400, "description": f"Bad Request: can't parse entities: {error}"}


async def test_a_message_is_trimmed_and_its_links_found(local: Local) -> None:
    message = await local.send("  <b> see</b> /help or @idiom_bot \n", parse_mode="HTML")
    assert message["text"] == "see /help or @idiom_bot"
    assert [(e["type"], e["offset"], e["length"]) for e in message["entities"]] == [
        ("bold", 0, 3),
        ("bot_command", 4, 5),
        ("mention", 13, 10),
    ]
