"""Lock files: the packages of each environment, each with its version and the hashes of all its files.

    make lock                                 # what pyproject.toml asks for; versions that still fit stay
    make lock ARGS=--upgrade                  # the newest version of everything
    make lock ARGS="--upgrade-package numpy"  # the newest version of one

The options go to `uv pip compile`, which finds the versions: one set for all environments, all platforms and all
versions of Python from the oldest one that pyproject.toml admits.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent / "pyproject.toml"
BLOCK = re.compile(r"^[\w.-]+==.*\n(?: +--hash=.*\n)*", re.MULTILINE)
"""A package in a lock file: its pin, and the hashes below it. It may be there twice, for two versions of Python."""
CUDA = re.compile(r"(cuda|nvidia)-|triton=")
"""How the blocks begin that the builds of torch with CUDA need, and nothing else here."""
UV = [sys.executable, "-m", "uv", "pip", "compile", "--universal", "--generate-hashes"]
UV += ["--no-annotate", "--no-header", "--no-emit-index-url", "--quiet"]
HEADS = {
    "installer": "What installs everything else: pip, and the build backend of the packages that are compiled here.",
    "runtime": "What the bot runs with.",
    "build": "What the artifacts are built with.",
    "test": "What the tests run with: all of the build's packages, and the checkers.",
    "cuda": "What PyPI's builds of torch for Linux need besides. Passed as constraints, so that only they bring it.",
}


def main(options: list[str]) -> None:
    """Write all lock files, passing options on to uv."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    oldest = project["project"]["requires-python"].removeprefix(">=")
    everything = resolve([str(PROJECT), "--all-extras"], oldest, [_torch()], [*pins("test"), *pins("cuda")], options)
    write("cuda", [block for block in everything if CUDA.match(block)])
    write("test", _without_cuda(everything))
    chosen = [_pin(block) for block in everything]
    write("build", _without_cuda(resolve([str(PROJECT), "--extra=pipeline"], oldest, chosen)))
    write("runtime", resolve([str(PROJECT), "--extra=postgresql"], oldest, chosen))
    write("installer", resolve(["-"], oldest, chosen, asked=["pip", *project["build-system"]["requires"]]))


def resolve(
    sources: Sequence[str],
    python: str,
    constraints: Sequence[str],
    preferred: Sequence[str] = (),
    options: Sequence[str] = (),
    asked: Sequence[str] = (),
) -> list[str]:
    """Let uv find versions within the constraints, the preferred ones if it can, and return their blocks.

    `sources` are uv's arguments: files, extras, or "-" for the requirements in `asked`. Raises CalledProcessError when
    uv finds none, which it explains itself.
    """
    with tempfile.TemporaryDirectory() as folder:
        within, lock = Path(folder) / "constraints.txt", Path(folder) / "lock.txt"
        within.write_text("\n".join(constraints), encoding="utf-8")
        lock.write_text("\n".join(preferred), encoding="utf-8")
        command = [*UV, "--python-version", python, "--constraint", str(within), "--output-file", str(lock)]
        subprocess.run([*command, *options, *sources], input="\n".join(asked), text=True, check=True)
        return BLOCK.findall(lock.read_text(encoding="utf-8"))


def pins(name: str) -> list[str]:
    """Return what a lock file names, each with its version; nothing, if there is no such file."""
    path = HERE / f"{name}.txt"
    return [_pin(block) for block in BLOCK.findall(path.read_text(encoding="utf-8"))] if path.exists() else []


def write(name: str, locked: Sequence[str]) -> None:
    """Write a lock file."""
    head = f"# {HEADS[name]}\n# `make lock` writes this file: see CONTRIBUTING.md.\n"
    (HERE / f"{name}.txt").write_text(head + "".join(locked), encoding="utf-8")


def _pin(block: str) -> str:
    return block.partition(" \\\n")[0]


def _without_cuda(locked: Sequence[str]) -> list[str]:
    return [block for block in locked if not CUDA.match(block)]


def _torch() -> str:
    """Every build of the version of which the hashes without CUDA are known."""
    return pins("torch-cpu")[0].partition("+")[0]


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
