"""What the forms of a word have in common: рука, руки, руками; bite, bitten."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from itertools import chain
from pathlib import Path

_TABLE = tomllib.loads(Path(__file__).with_name("forms.toml").read_text(encoding="utf-8")).values()
_ENDINGS = {ending for language in _TABLE for ending in language["endings"].split()}
_GROUPS = [group.split() for language in _TABLE for group in language["irregular"]]
_IRREGULAR = {form: group[:1] for group in _GROUPS for form in group}
_LONGEST = max(map(len, _ENDINGS))
_KEPT = 20_000  # Words whose roots are kept in memory.
_NO_WORD = 40  # Letters beyond which a word is nonsense.
_STEM = 2  # Letters that a word keeps at least.


@lru_cache(_KEPT)
def roots(word: str) -> frozenset[str]:
    """What the forms of a folded word have in common: all that may be left of it without its endings."""
    if len(word) > _NO_WORD:
        return frozenset([word])
    sizes = range(1, min(_LONGEST, len(word) - _STEM) + 1)
    shorter = [word[:-size] for size in sizes if word[-size:] in _ENDINGS]
    return frozenset(chain(_IRREGULAR.get(word, ()), *map(roots, shorter))) or frozenset([word])
