"""Weights as a manifest has them, which somebody may have edited."""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import repr as quoted

GREATEST = 1e6
"""Of a weight; with greater ones, sums of 32 bits could overflow."""


def as_weight(value: object, name: str, least: float = -GREATEST) -> float:
    """A number from `least` to a million. Raises ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= GREATEST:
        raise ValueError(f"{name} is {quoted(value)} instead of a number from {least:g} to {GREATEST:g}")
    return float(value)


def as_mapping(value: object, name: str) -> Mapping[str, object]:
    """What has values by their names. Raises ValueError for anything else."""
    if not isinstance(value, dict):
        raise ValueError(f"{name} is {quoted(value)} instead of values by their names")
    return value
