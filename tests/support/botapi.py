"""Checks requests and answers against the published description of the Bot API (botapi.json)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.sandbox.world import Call, Upload

API: dict[str, Any] = json.loads(Path(__file__).with_name("botapi.json").read_text(encoding="utf-8"))
_PLAIN: dict[str, Any] = {"Integer": int, "String": str, "Boolean": bool, "Float": (int, float)}


def check_call(call: Call) -> None:
    """Raise AssertionError unless request and answer are as documented."""
    declared = API["methods"][call.method]
    assert set(call.params) <= set(declared), f"{call.method} has no parameter {set(call.params) - set(declared)}"
    for name, (types, required) in declared.items():
        assert name in call.params or not required or not call.answer["ok"], f"{call.method} needs {name}"
        if name in call.params and not isinstance(call.params[name], Upload):
            check(_decoded(call.params[name], types), types, f"{call.method}.{name}")
    if call.answer["ok"]:
        check(call.answer["result"], API["returns"][call.method], call.method)


def check(value: Any, types: list[str], where: str) -> None:
    """Raise AssertionError unless the value has one of the types."""
    faults = [fault for kind in types if (fault := _fault(value, kind, where)) is not None]
    assert len(faults) < len(types), min(faults, key=len)


def _fault(value: Any, kind: str, where: str) -> str | None:
    if kind.startswith("Array of "):
        if not isinstance(value, list):
            return f"{where}: {value!r} is no array"
        return next((f for n, v in enumerate(value) if (f := _fault(v, kind[9:], f"{where}[{n}]"))), None)
    if kind in _PLAIN:
        right = isinstance(value, _PLAIN[kind]) and (kind == "Boolean") == isinstance(value, bool)
        return None if right else f"{where}: {value!r} is no {kind}"
    fields = API["types"].get(kind)
    if isinstance(fields, list) and fields:
        faults = [_fault(value, subtype, where) for subtype in fields]
        return None if None in faults else f"{where}: {value!r} is no {kind}: {faults}"
    if not isinstance(value, Mapping):
        return f"{where}: {value!r} is no {kind}"
    return _fault_in_fields(value, fields or {}, f"{where}:{kind}")


def _fault_in_fields(value: Mapping[str, Any], fields: dict[str, Any], where: str) -> str | None:
    if unknown := set(value) - set(fields):
        return f"{where} has no field {sorted(unknown)}"
    for name, (types, required) in fields.items():
        if name not in value and required:
            return f"{where} lacks {name}"
        if name in value:
            faults = [_fault(value[name], kind, f"{where}.{name}") for kind in types]
            if None not in faults:
                return faults[0]
    return None


def _decoded(value: Any, types: list[str]) -> Any:
    """What a form's text stands for."""
    if not isinstance(value, str) or ("String" in types and not re.fullmatch(r"-?\d+", value)):
        return value
    return value if "String" in types and "Integer" not in types else json.loads(value)
