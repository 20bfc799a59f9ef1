"""Memory that nobody uses any more, given back to the system."""

from __future__ import annotations

import ctypes
from contextlib import suppress


def give_back() -> None:
    """Return to the system what is free, where its C library can.

    Unasked, it keeps for ever what a burst took: 6 MB of 133 after 18 seconds of load, 200 MB after six changes of the
    artifacts.
    """
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
