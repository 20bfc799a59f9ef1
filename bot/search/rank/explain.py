"""Why a phrase was found: what each word of a query adds to its score, and what only the whole sentence does."""

from __future__ import annotations

from collections.abc import Sequence

Part = tuple[str, float]
"""A word, or several side by side, and what it adds."""

_SMALL = 0.2  # Shares up to which neighbouring words are named together: "целыми днями 21 %".
_MOST_TOGETHER = 3


def shares(parts: Sequence[Part], sentence: float = 0.0) -> list[Part]:
    """The parts as shares of all that speaks for the phrase, greatest first; small neighbours are named together.

    What no word but the sentence as a whole adds, `sentence`, is the part of "".
    """
    whole = sum(part for part in (*(part for _, part in parts), sentence) if part > 0) or 1.0
    named: list[list[Part]] = []
    for word, part in parts:
        share = part / whole
        last = named[-1] if named else []
        if last and len(last) < _MOST_TOGETHER and 0 < share <= _SMALL and 0 < last[-1][1] <= _SMALL:
            last.append((word, share))
        else:
            named.append([(word, share)])
    groups = [(" ".join(word for word, _ in group), sum(share for _, share in group)) for group in named]
    groups += [("", sentence / whole)] if sentence > 0 else []
    return sorted(groups, key=lambda group: -group[1])
