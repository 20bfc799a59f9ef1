"""A Dockerfile carried out in an empty folder: the same steps, where no engine is at hand and without root's rights."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

OWN = re.compile(r"(?<![\w./-])(?=/(?:venv|idiomatika|state)\b)")
"""Where a path begins that only the image has: such paths lead into the folder instead."""
SYSTEM = ("apt-get ", "install --directory ")
"""Commands that change the base image. The machine's own system serves in its place, and must have a C++ compiler."""


@dataclass
class Image:
    """What became of a Dockerfile."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    """What the last stage sets, and a PATH with the Python of the base image."""
    place: Path = Path()
    settings: dict[str, str] = field(default_factory=dict)
    """Instructions that say how a container runs: USER, VOLUME, HEALTHCHECK, ENTRYPOINT."""

    def command(self, instruction: str) -> list[str]:
        """Return the command of HEALTHCHECK or ENTRYPOINT, which is a list in JSON."""
        words: list[str] = json.loads(re.findall(r"\[.*\]", self.settings[instruction])[0])
        return words

    def size(self) -> int:
        """Count the bytes of all files."""
        return sum(path.lstat().st_size for path in self.root.rglob("*"))

    def here(self, text: str) -> str:
        """Lead the image's paths into the folder."""
        return OWN.sub(str(self.root), text)


def steps(dockerfile: str) -> Iterator[tuple[str, str]]:
    """Yield the instructions and what follows them, without comments and with continued lines joined."""
    lines = [line for line in dockerfile.splitlines(keepends=True) if not line.startswith("#")]
    for line in "".join(lines).replace("\\\n", "").splitlines():
        if line.strip():
            instruction, _, rest = line.partition(" ")
            yield instruction, rest.strip()


def build(context: Path, root: Path) -> Image:
    """Carry out the Dockerfile of the context in an empty folder. Raises CalledProcessError for a step that fails."""
    image = Image(root)
    for instruction, rest in steps((context / "Dockerfile").read_text(encoding="utf-8")):
        match instruction:
            case "FROM":
                _begin(image)
            case "WORKDIR":
                image.place = Path(image.here(rest))
                image.place.mkdir(parents=True, exist_ok=True)
            case "ENV":
                for name, value in re.findall(r'(\w+)=("[^"]*"|\S+)', rest):
                    path = image.environment["PATH"]
                    image.environment[name] = image.here(value.strip('"')).replace("$PATH", path)
            case "COPY":
                _copy(context, image, rest.split())
            case "RUN" if not rest.startswith(SYSTEM):
                command = ["sh", "-euc", image.here(rest)]
                environment = {**_machine(), **image.environment}
                subprocess.run(command, cwd=image.place, env=environment, check=True, capture_output=True, text=True)
            case "RUN":
                pass
            case _:
                image.settings[instruction] = rest
    (root / "state").mkdir()
    return image


def _begin(image: Image) -> None:
    """A stage begins: nothing of the one before is there but the folder that is copied as a whole."""
    for path in image.root.iterdir():
        if path.name != "venv":
            shutil.rmtree(path)
    python = image.root / "base/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to(Path(sys.base_prefix) / "bin/python3")
    image.environment = {"PATH": f"{python.parent}:{os.environ['PATH']}"}
    image.settings = {}


def _copy(context: Path, image: Image, words: list[str]) -> None:
    """Copy files and folders that .dockerignore lets in, as COPY does."""
    if words[0] == "--from=build":
        assert words[1:] == ["/venv", "/venv"], "only this folder survives its stage"
        return
    *sources, target = words
    ignored = (context / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for source in sources:
        assert f"!{source}" in ignored, f"{source} is not let in by .dockerignore"
        if (context / source).is_dir():
            names = [Path(line).name for line in ignored if line[0] not in "#*!" or line.startswith("**/")]
            shutil.copytree(context / source, image.place / target, ignore=shutil.ignore_patterns(*names))
        else:
            path = image.place / target / source if target.endswith("/") else image.place / target
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(context / source, path)


def _machine() -> dict[str, str]:
    """The machine's environment, but nothing that changes what Python or the tests' Python is."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "VIRTUAL"))}
