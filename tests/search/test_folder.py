"""Saving: what is not ours stays, a folder is whole at every instant, and killed builds leave nothing for long."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.search import folder as folders
from bot.search.artifacts import MANIFEST, Artifacts, ArtifactsError
from bot.search.folder import previous_of, replaceable, restore
from support.small import PHRASES, small_artifacts

LINUX = pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "renameat2"), reason="only Linux exchanges folders")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save(tmp_path / "here" / "artifacts", 5)
    return tmp_path / "here" / "artifacts"


def save(folder: Path, phrases: int) -> None:
    small_artifacts(PHRASES[:phrases]).save(folder)


def phrases_in(folder: Path) -> int:
    return len(Artifacts.load(folder).phrases)


def names_beside(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.parent.iterdir())


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# What is not ours


def with_notes(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine", encoding="utf-8")


def without_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()


def with_other_manifest(folder: Path) -> None:
    (folder / MANIFEST).write_text('{"name": "an app", "icons": []}', encoding="utf-8")


def with_folder_inside(folder: Path) -> None:
    (folder / "report").mkdir()
    (folder / "report" / "drafts").mkdir()


def with_own_report(folder: Path) -> None:
    (folder / "report").mkdir()
    (folder / "report" / "thesis.docx").write_text("mine", encoding="utf-8")


def with_linked_file(folder: Path) -> None:
    (folder / "vectors.npz").unlink()
    (folder / "vectors.npz").symlink_to(folder / "wording.npz")


def with_earlier_notes(folder: Path) -> None:
    previous_of(folder).mkdir()
    with_notes(previous_of(folder))


NOT_OURS = [
    *(with_notes, without_manifest, with_other_manifest, with_folder_inside, with_own_report, with_linked_file),
    with_earlier_notes,
]


@pytest.mark.parametrize("change", NOT_OURS)
def test_what_is_not_ours_is_not_replaced(folder: Path, change: Callable[[Path], None]) -> None:
    change(folder)
    before = everything(folder.parent)
    with pytest.raises(ArtifactsError) as caught:
        save(folder, 3)
    assert str(folder.parent) in str(caught.value) and "\n" not in str(caught.value)
    assert everything(folder.parent) == before


def test_what_is_no_folder_is_not_replaced(tmp_path: Path) -> None:
    file, pipe, loop, link = (tmp_path / name for name in ("file", "pipe", "loop", "link"))
    file.write_text("mine", encoding="utf-8")
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    link.symlink_to(file)
    for path in (file, pipe, loop, link, file / "inside", Path("/"), Path("/proc"), tmp_path / ("x" * 250)):
        with pytest.raises(ArtifactsError) as caught:
            save(path, 3)
        assert "\n" not in str(caught.value)
    assert file.read_text(encoding="utf-8") == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"file", "pipe", "loop", "link"}


def test_an_empty_folder_and_none_at_all_are_filled(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "deep" / "er"):
        save(path, 3)
        assert phrases_in(path) == 3
        assert names_beside(path) in (["er"], ["empty"], ["deep", "empty"])


def test_through_a_link_its_target_is_replaced(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link"
    link.parent.mkdir()
    link.symlink_to(folder)
    save(link, 3)
    assert link.is_symlink() and phrases_in(folder) == 3
    assert names_beside(link) == ["link"]


def test_another_format_of_ours_may_be_replaced(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    (folder / "old.npz").write_bytes(b"old")
    manifest |= {"format": 3, "files": manifest["files"] | {"old.npz": "0" * 64}}
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    save(folder, 3)
    assert phrases_in(folder) == 3


# One generation is kept


def test_the_build_before_is_kept_and_no_other(folder: Path) -> None:
    for phrases in (4, 3, 2):
        save(folder, phrases)
    assert (phrases_in(folder), phrases_in(previous_of(folder))) == (2, 3)
    assert names_beside(folder) == [".artifacts-previous", "artifacts"]


# At every instant

SAVES = """
import os, sys
from pathlib import Path
from bot.search import folder
from bot.search.artifacts import Artifacts
one, other, target = map(Path, sys.argv[1:4])
if sys.argv[4] == "renames":
    folder._exchanged_at_once = lambda one, other: False
both = [Artifacts.load(one), Artifacts.load(other)]
for line in sys.stdin:
    if child := os.fork():
        print(child, flush=True)
        os.waitpid(child, 0)
        print("dead", flush=True)
    while not child:
        for artifacts in both:
            artifacts.save(target)
"""


class Saving:
    """Processes that save artifacts of three and of five phrases in turn, each until it is killed."""

    def __init__(self, folder: Path, how: str) -> None:
        sources = [folder.parent.parent / f"source{phrases}" for phrases in (3, 5)]
        for source, phrases in zip(sources, (3, 5), strict=True):
            save(source, phrases)
        command = [sys.executable, "-c", SAVES, *map(str, sources), str(folder), how]
        self._forking = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Saving:
        return self

    def __exit__(self, *_: object) -> None:
        self._forking.communicate()
        assert self._forking.returncode == 0

    def start(self) -> int:
        """Start to save; the number of the process."""
        assert self._forking.stdin and self._forking.stdout
        self._forking.stdin.write("go\n")
        self._forking.stdin.flush()
        return int(self._forking.stdout.readline())

    def kill(self, process: int) -> None:
        assert self._forking.stdout
        os.kill(process, signal.SIGKILL)
        assert self._forking.stdout.readline() == "dead\n"


@pytest.mark.slow
@pytest.mark.parametrize("how", [pytest.param("exchange", marks=LINUX), "renames"])
def test_a_killed_build_leaves_a_whole_folder(folder: Path, how: str) -> None:
    """Killed anywhere, again and again; the next build sweeps what was left."""
    chance = random.Random(0)
    left = 0
    with Saving(folder, how) as saving:
        for _ in range(100):
            process = saving.start()
            time.sleep(chance.uniform(0, 0.1))
            saving.kill(process)
            assert restore(folder) <= (how == "renames")
            assert phrases_in(folder) in (3, 5)
            left = max(left, len(names_beside(folder)))
    assert 2 < left < 6
    save(folder, 4)
    assert names_beside(folder) == [".artifacts-previous", "artifacts"]
    assert phrases_in(folder) == 4 and phrases_in(previous_of(folder)) in (3, 5)


@LINUX
def test_whoever_reads_meanwhile_finds_a_whole_folder(folder: Path) -> None:
    with Saving(folder, "exchange") as saving:
        process = saving.start()
        found = [phrases_in(folder) for _ in range(100) if (folder / MANIFEST).is_file()]
        saving.kill(process)
    assert len(found) == 100 and {*found} == {3, 5}


class Killed(BaseException):
    """Stands for a kill at a certain rename, which a kill at random hardly ever hits."""


def killed_at(number: int) -> Callable[[Path, Path], Path]:
    """A `Path.rename` that gets no further than the rename before this one."""
    left, rename = iter(range(1, number)), Path.rename

    def rename_or_die(path: Path, target: Path) -> Path:
        if next(left, None) is None:
            raise Killed
        return rename(path, target)

    return rename_or_die


@pytest.mark.parametrize("exchanges", [pytest.param(True, marks=LINUX), False])
def test_every_step_of_a_save_leaves_a_whole_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, exchanges: bool
) -> None:
    """Where two renames stand for an exchange, there is no folder between them, until it is brought back."""
    number, killed, missing = 0, True, 0
    if not exchanges:
        monkeypatch.setattr(folders, "_exchanged_at_once", lambda *_: False)
    while killed:
        save(folder, 5)
        number, killed = number + 1, False
        with monkeypatch.context() as patch:
            patch.setattr(Path, "rename", killed_at(number))
            try:
                save(folder, 3)
            except Killed:
                killed = True
        missing += restore(folder)
        assert phrases_in(folder) in (3, 5)
    assert missing == (0 if exchanges else 1)
    assert number == (3 if exchanges else 6), "as many renames as there are, and a save to its end"


def test_a_missing_folder_is_brought_back(folder: Path) -> None:
    save(folder, 3)
    folder.rename(folder.with_name("gone"))
    with pytest.raises(ArtifactsError, match=f"python -m pipeline.rollback --out {folder} brings back"):
        phrases_in(folder)
    assert not folder.exists(), "who only reads changes nothing"
    assert restore(folder) and not restore(folder)
    assert phrases_in(folder) == 5


def test_what_killed_builds_left_is_swept_and_nothing_else(folder: Path) -> None:
    parent = folder.parent
    left, empty, mine, other, file, running = (
        parent / f".artifacts-{name}.new"
        for name in ("abcdefgh", "12345678", "mine_mine_mine", "ijklmnop", "file0000", "running0")
    )
    backup = shutil.copytree(folder, parent / ".artifacts-20260101")
    similar = shutil.copytree(folder, previous_of(parent / "artifacts-new"))
    for path in (left, empty, mine, other, running):
        path.mkdir()
    (left / "vectors.npz").write_bytes(b"half")
    (other / "notes.txt").write_text("mine", encoding="utf-8")
    file.write_text("mine", encoding="utf-8")
    held = os.open(running, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    save(folder, 3)
    kept = {path.name for path in (folder, previous_of(folder), backup, similar, mine, other, file)}
    assert {*names_beside(folder)} == kept | {running.name}
    os.close(held)
    save(folder, 4)
    assert {*names_beside(folder)} == kept


@pytest.mark.parametrize("exchanges", [True, False])
def test_builds_at_the_same_time_each_leave_a_whole_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, exchanges: bool
) -> None:
    if not exchanges:
        monkeypatch.setattr(folders, "_exchanged_at_once", lambda *_: False)
    failed: list[BaseException] = []

    def save_some(phrases: int) -> None:
        try:
            for _ in range(5):
                save(folder, phrases)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=save_some, args=(phrases,)) for phrases in (2, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert phrases_in(folder) in (2, 3, 4) and phrases_in(previous_of(folder)) in (2, 3, 4)
    assert names_beside(folder) == [".artifacts-previous", "artifacts"]


def test_a_failed_exchange_leaves_both_builds_where_they_were(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(folder, 3)

    def refuse(*_: object) -> bool:
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(folders, "_exchanged_at_once", refuse)
    with pytest.raises(ArtifactsError, match="Device or resource busy"):
        save(folder, 4)
    assert (phrases_in(folder), phrases_in(previous_of(folder))) == (3, 5)
    assert names_beside(folder) == [".artifacts-previous", "artifacts"]


def syncing(folder: Path, number: int) -> Callable[[int], None]:
    """An `os.fsync` that cannot sync a folder, and says so with this error."""
    fsync, refused = os.fsync, folder.stat().st_ino

    def sync(file: int) -> None:
        if os.fstat(file).st_ino == refused:
            raise OSError(number, os.strerror(number))
        fsync(file)

    return sync


def test_a_file_system_that_cannot_sync_folders_is_no_hindrance(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", syncing(folder.parent, errno.EINVAL))
    save(folder, 3)
    assert (phrases_in(folder), phrases_in(previous_of(folder))) == (3, 5)


def test_a_disk_that_fails_after_the_exchange_is_not_said_to_be_unchanged(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", syncing(folder.parent, errno.EIO))
    with pytest.raises(ArtifactsError, match=r"in its place, but the disk did not confirm it \(Input/output error\)"):
        save(folder, 3)
    assert (phrases_in(folder), phrases_in(previous_of(folder))) == (3, 5)


def test_a_place_that_will_do_is_returned(folder: Path, tmp_path: Path) -> None:
    assert replaceable(folder) == folder
    assert replaceable(tmp_path / "new" / "folder") == tmp_path / "new" / "folder"
    socket_path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(socket_path))
    with pytest.raises(ArtifactsError, match="a file"):
        replaceable(socket_path)
