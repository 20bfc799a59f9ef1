"""The folder of artifacts on the disk: only what is ours is replaced, in one step, and the build before it is kept."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import os
import re
import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from bot.search.files import read_plain

MANIFEST, REPORT = "manifest.json", "report"
LARGEST_MANIFEST = 20_000_000
"""Bytes."""

_REPORTED = (".json", ".md", ".png")  # What the files of a report end in.
_SUM = re.compile("[0-9a-f]{64}")
_ANOTHER = "name another folder with --out, or move it away"
_UNFINISHED = ".new"  # What the names of folders end in that a build will delete, and those of no others.
_AT_CWD, _EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux.
_NOT_THERE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)  # What a system or a file system says that cannot exchange.


class ArtifactsError(Exception):
    """Artifacts that cannot be served or saved; the message says what is wrong and what to do."""


def previous_of(folder: Path) -> Path:
    """Where the build before the one in `folder` is kept."""
    return folder.with_name(f".{folder.name}-previous")


def replaceable(folder: Path) -> Path:
    """Return where artifacts for `folder` will lie, its links followed.

    Raises ArtifactsError where saving them would take the place of anything that is not artifacts, or would fail.
    """
    try:
        folder = folder.absolute().resolve()
        parent = next(path for path in (*folder.parents, folder) if os.path.lexists(path))
        if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
            raise ArtifactsError(f"{parent}: no folder that can be written into; name another folder with --out")
        if os.path.ismount(folder):
            raise ArtifactsError(
                f"{folder}: cannot be replaced, because something is mounted there; name a folder in it"
            )
        # While another build exchanges them, the names would be of one folder and the list of another.
        with _alone(parent):
            _check_ours(folder)
    except (OSError, RuntimeError) as error:  # RuntimeError: links that lead to each other
        reason = getattr(error, "strerror", None) or error
        raise ArtifactsError(f"{folder}: cannot be a folder of artifacts ({reason}); {_ANOTHER}") from error
    return folder


def restore(folder: Path) -> bool:
    """Bring back what a build put aside that was killed where folders cannot be exchanged; whether there was anything.

    Raises OSError when that cannot be done.
    """
    if os.path.lexists(folder) or not (previous_of(folder) / MANIFEST).is_file():
        return False
    with _alone(folder.parent):
        if not os.path.lexists(folder):
            previous_of(folder).rename(folder)
    return True


@contextmanager
def staged(folder: Path, names: Collection[str]) -> Iterator[Path]:
    """Make a folder beside `folder`, which `put` may put in its place; otherwise it is gone at the end.

    What killed builds left is swept: such folders have only files of these names, and nobody holds them any more.
    """
    with _alone(folder.parent):
        _sweep(folder, names)
        path = Path(tempfile.mkdtemp(_UNFINISHED, f".{folder.name}-", folder.parent))
        held = os.open(path, os.O_RDONLY)
        with suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(held)


def put(folder: Path, new: Path) -> None:
    """Put the folder `new`, which lies beside it, in the place of `folder`, whose old content becomes the previous one.

    Whoever reads finds one of them whole at every instant, after a power cut too. Raises OSError, and ArtifactsError as
    `replaceable` does; all is then as it was, unless the sentence says that only the disk did not confirm it.
    """
    previous, before = previous_of(folder), _aside(folder)
    _sync(new)
    with _alone(folder.parent):
        _check_ours(folder)
        if not folder.is_dir() or not any(folder.iterdir()):
            new.rename(folder)
        else:
            kept = previous.exists()
            if kept:
                previous.rename(before)
            try:
                # First to where the previous one was, so that what comes last is one exchange of two whole folders.
                new.rename(previous)
                try:
                    _exchange(folder, previous)
                except OSError:
                    previous.rename(new)
                    raise
            except OSError:
                if kept:
                    before.rename(previous)
                raise
    shutil.rmtree(before, ignore_errors=True)
    _confirm(folder)


def exchange_with_previous(folder: Path) -> None:
    """Put the previous build in the place of `folder`, and what was there in the previous one's.

    Raises OSError; and ArtifactsError when it is done, but the disk did not confirm it.
    """
    with _alone(folder.parent):
        _exchange(folder, previous_of(folder))
    _confirm(folder)


# What is ours


def _check_ours(folder: Path) -> None:
    """Raise ArtifactsError where a folder, or the one kept beside it, has anything that is not artifacts."""
    for place in (folder, previous_of(folder)):
        if fault := _foreign(place):
            raise ArtifactsError(fault)


def _foreign(folder: Path) -> str:
    """What is wrong with taking a folder for artifacts, as a sentence; "" where it is empty, or not there.

    Raises OSError where that cannot be seen.
    """
    try:
        names = {path.name: path for path in folder.iterdir()}
    except FileNotFoundError:
        return ""
    except NotADirectoryError:
        return f"{folder}: a file, where a folder of artifacts would go; {_ANOTHER}"
    if folder.is_symlink():
        return f"{folder}: a link, where the previous build would go; remove it"
    listed = _listed(folder)
    if names and not listed:
        return f"{folder}: not empty, and not a folder of artifacts; {_ANOTHER}"
    ours = {name: _is_own_file(path) for name, path in names.items() if name in listed}
    ours |= {REPORT: _is_report(names[REPORT])} if REPORT in names else {}
    strange = next((name for name in sorted(names) if not ours.get(name)), "")
    return f"{folder / strange}: no part of artifacts, and would be lost; move it away" if strange else ""


def _listed(folder: Path) -> set[str]:
    """The names of the files that a manifest of ours lists, and its own; none where there is no such manifest."""
    try:
        manifest = json.loads(read_plain(folder / MANIFEST, LARGEST_MANIFEST))
        files: dict[str, str] = manifest["files"]
        ours = isinstance(manifest["format"], int) and all(_SUM.fullmatch(files[name]) for name in files)
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return set()
    return {MANIFEST, *files} if ours else set()


def _is_report(path: Path) -> bool:
    if path.is_symlink() or not path.is_dir():
        return False
    return all(_is_own_file(file) and file.suffix in _REPORTED for file in path.iterdir())


def _is_own_file(path: Path) -> bool:
    """Whether there is a file, and not a link to one."""
    return path.is_file() and not path.is_symlink()


def _aside(folder: Path) -> Path:
    """A name beside a folder for as long as a build puts another one in its place."""
    return folder.with_name(f".{folder.name}-{token_hex(4)}{_UNFINISHED}")


def _sweep(folder: Path, names: Collection[str]) -> None:
    """Delete what killed builds left beside a folder."""
    left = re.compile(rf"\.{re.escape(folder.name)}-[a-z0-9_]{{8}}{re.escape(_UNFINISHED)}")
    for path in folder.parent.iterdir():
        if not left.fullmatch(path.name) or path.is_symlink():
            continue
        with suppress(OSError):
            ours = {MANIFEST, REPORT, *names, *_listed(path)}
            if all(inside.name in ours for inside in path.iterdir()) and not _held(path):
                shutil.rmtree(path, ignore_errors=True)


def _held(folder: Path) -> bool:
    """Whether a build that is still running holds a folder."""
    number = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(number)
    return False


# What a file system can do


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other build changes what lies in a folder; where a file system has no locks, go on without."""
    number = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(number, fcntl.LOCK_EX)
        yield
    finally:
        os.close(number)


def _exchange(one: Path, other: Path) -> None:
    """Give two folders each other's name. Raises OSError; each has then its own."""
    if _exchanged_at_once(one, other):
        return
    # For an instant `one` is not there: `restore` helps who is killed in it.
    aside = _aside(one)
    one.rename(aside)
    try:
        other.rename(one)
    except OSError:
        aside.rename(one)
        raise
    aside.rename(other)


def _exchanged_at_once(one: Path, other: Path) -> bool:
    """Exchange two names in one step; False where the system or the file system cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    if rename(_AT_CWD, os.fsencode(one), _AT_CWD, os.fsencode(other), _EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NOT_THERE:
        return False
    raise OSError(number, os.strerror(number), str(one))


def _sync(folder: Path) -> None:
    """Wait until a folder and everything in it is on the disk."""
    for parent, _, files in os.walk(folder, topdown=False):
        for name in files:
            _sync_one(Path(parent, name))
        _sync_one(Path(parent))


def _confirm(folder: Path) -> None:
    """Wait until a folder's new name is on the disk. Raises ArtifactsError, because nothing is as it was any more."""
    try:
        _sync_one(folder.parent)
    except OSError as error:
        raise ArtifactsError(
            f"{folder}: the build is in its place, but the disk did not confirm it ({error.strerror or error}); "
            "check the disk, because a power cut may undo it"
        ) from error


def _sync_one(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError as error:
        # Some network file systems do not know this of folders.
        if error.errno != errno.EINVAL or not path.is_dir():
            raise
    finally:
        os.close(number)
