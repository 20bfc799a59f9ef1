"""What the pipeline builds and the bot serves: saved as a folder whole or not at all, checked before it is used."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from reprlib import repr as quoted
from typing import Any

from bot.search.files import open_plain, read_plain
from bot.search.folder import (
    LARGEST_MANIFEST,
    MANIFEST,
    REPORT,
    ArtifactsError,
    previous_of,
    put,
    replaceable,
    restore,
    staged,
)
from bot.search.phrases import Phrase, PhraseFile, load_phrases, save_phrases
from bot.search.rank.confidence import Confidence
from bot.search.rank.fusion import Fusion
from bot.search.rank.reader import READER, READER_TOKENIZER, Reader
from bot.search.relations import Relations
from bot.search.retrieve.ann import FOREST, READINGS, VECTORS, AnnIndex
from bot.search.retrieve.approximator import FEATURES, TABLE, TOKENIZER, Approximator
from bot.search.retrieve.lexical import LexicalIndex
from bot.search.retrieve.rebus import Rebuses
from bot.search.understand.emoji import EmojiNames
from bot.search.understand.vocabulary import Vocabulary

__all__ = ["FORMAT", "MANIFEST", "REPORT", "Artifacts", "ArtifactsError"]

FORMAT = 5
"""Another number means that an older program cannot read a newer folder, or the reverse."""

PHRASES, SCENES, WORDING, PARTS, GLOSSES, RELATIONS, VOCABULARY, EMOJI, REBUSES = (
    "phrases.jsonl",
    "scenes.jsonl.gz",
    "wording.npz",
    "parts.npz",
    "glosses.npz",
    "relations.npz",
    "vocabulary.npz",
    "emoji.tsv.gz",
    "rebuses.npz",
)
READ = (READER, READER_TOKENIZER, READINGS)
"""Files of the reader, all there or none."""
_PARTS = (WORDING, PARTS, GLOSSES, RELATIONS, VOCABULARY, EMOJI, REBUSES)
REQUIRED = (PHRASES, SCENES, TOKENIZER, TABLE, FEATURES, VECTORS, *_PARTS)

_REBUILD = "take the folder from the repository again, or run python -m pipeline.build"


@dataclass
class Artifacts:
    """All that a search needs."""

    phrases: Sequence[Phrase]
    approximator: Approximator
    index: AnnIndex
    """Row i is the vector of `phrases[i]`."""
    wording: LexicalIndex
    """Made by `wording_index(phrases)`."""
    parts: LexicalIndex
    """Made by `parts_index(phrases)`."""
    glosses: LexicalIndex
    """Made by `gloss_index(phrases)`."""
    relations: Relations
    vocabulary: Vocabulary
    emoji: EmojiNames
    rebuses: Rebuses
    fusion: Fusion
    confidence: Confidence
    """By words alone."""
    manifest: Mapping[str, Any]
    """What the build says of itself: recipe, corpus, teacher, measurements, date."""
    reader: Reader | None = None
    """What sees a query as a whole; without it the search is faster, and by words alone."""
    readings: AnnIndex | None = None
    """Row i is the reader's vector of `phrases[i]`; there when the reader is."""
    read_confidence: Confidence = field(default_factory=Confidence)
    """Where there is a reader."""

    def save(self, folder: Path, report: Path | None = None) -> None:
        """Replace `folder` by these artifacts with a copy of the folder `report`; a failure leaves all as it was.

        The artifacts that were there are kept beside it, those before them are deleted. Raises ArtifactsError when
        there is anything else, or the disk refuses.
        """
        folder = replaceable(folder)
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            restore(folder)
            with staged(folder, (*REQUIRED, *READ, FOREST)) as new:
                self._write(new, report)
                put(folder, new)
        except OSError as error:
            raise ArtifactsError(
                f"{folder}: could not be written ({error.strerror or error}); what was there is unchanged. "
                "Free some space or choose another folder with --out, then build again"
            ) from error

    def _write(self, folder: Path, report: Path | None) -> None:
        folder.chmod(0o755)
        if report is not None:
            shutil.copytree(report, folder / REPORT)
            (folder / REPORT).chmod(0o755)
        files = [*self.approximator.save(folder), *self.index.save(folder)]
        if self.reader and self.readings:
            files += [*self.reader.save(folder), *self.readings.save(folder, READINGS)]
        save_phrases(self.phrases, folder / PHRASES, folder / SCENES)
        for name, part in self._parts().items():
            part.save(folder / name)
            files.append(name)
        document = {
            **self.manifest,
            "format": FORMAT,
            "files": {name: _sha256(folder / name) for name in (PHRASES, SCENES, *files)},
            "fusion": self.fusion.as_dict(),
            "confidence": self.confidence.as_dict(),
            "read_confidence": self.read_confidence.as_dict(),
            "search_k": self.index.search_k,
        }
        with (folder / MANIFEST).open("w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False, indent=1)

    def _parts(self) -> dict[str, LexicalIndex | Relations | Vocabulary | EmojiNames | Rebuses]:
        lexical = (self.wording, self.parts, self.glosses)
        parts = (*lexical, self.relations, self.vocabulary, self.emoji, self.rebuses)
        return dict(zip(_PARTS, parts, strict=True))

    @classmethod
    def load(cls, folder: Path, scenes: bool = False, reader: bool = True) -> Artifacts:
        """Read a folder that `save` wrote, the phrases' scenes only when they are wanted: no search needs them.

        Without `reader` it stays on the disk. A folder that a build replaces meanwhile is read again.

        Raises ArtifactsError when it is not whole, or of another format.
        """
        while True:
            before = _identity(folder)
            try:
                artifacts = cls._load(folder, scenes, reader)
            except ArtifactsError:
                if _identity(folder) == before:
                    raise
            else:
                if _identity(folder) == before:
                    return artifacts

    @classmethod
    def _load(cls, folder: Path, scenes: bool, reader: bool) -> Artifacts:
        manifest = read_manifest(folder)
        files = {name: sum_ for name, sum_ in manifest["files"].items() if reader or name not in READ}
        _check_files(folder, files)
        read = READER in files
        try:
            artifacts = cls(
                phrases=load_phrases(folder / PHRASES, folder / SCENES) if scenes else PhraseFile(folder / PHRASES),
                approximator=Approximator.load(folder),
                index=AnnIndex.load(folder, manifest["search_k"]),
                wording=LexicalIndex.load(folder / WORDING),
                parts=LexicalIndex.load(folder / PARTS),
                glosses=LexicalIndex.load(folder / GLOSSES),
                relations=Relations.load(folder / RELATIONS),
                vocabulary=Vocabulary.load(folder / VOCABULARY),
                emoji=EmojiNames.load(folder / EMOJI),
                rebuses=Rebuses.load(folder / REBUSES),
                fusion=Fusion.from_dict(manifest["fusion"]),
                confidence=Confidence.from_dict(manifest["confidence"]),
                manifest=manifest,
                reader=Reader.load(folder) if read else None,
                read_confidence=Confidence.from_dict(manifest["read_confidence"]),
                readings=AnnIndex.load(folder, 0, READINGS) if read else None,
            )
            artifacts.check()
        except Exception as error:  # there is no list of what damaged files make five libraries raise
            raise ArtifactsError(f"{folder}: cannot be read ({_in_one_line(error)}); {_REBUILD}") from error
        return artifacts

    def check(self) -> None:
        """Raise ValueError when the parts do not belong together."""
        phrases = len(self.phrases)
        lexical = {"wordings": self.wording.items, "parts": self.parts.items, "glosses": self.glosses.items}
        lexical |= {"rebuses": self.rebuses.items}
        found = {"vectors": len(self.index), **lexical, "relations": len(self.relations)}
        for part, items in found.items():
            if items != phrases:
                raise ValueError(f"{part} of {items} phrases instead of {phrases}")
        if self.readings and self.reader:
            if len(self.readings) != phrases:
                raise ValueError(f"readings of {len(self.readings)} phrases instead of {phrases}")
            if self.readings.dimensions != self.reader.dimensions:
                raise ValueError(f"readings of {self.readings.dimensions} dimensions, not {self.reader.dimensions}")
        if self.index.dimensions != self.approximator.dimensions:
            raise ValueError(f"vectors of {self.index.dimensions} dimensions instead of {self.approximator.dimensions}")
        for confidence in (self.confidence, self.read_confidence):
            if len(confidence.direction) not in (0, self.approximator.dimensions):
                raise ValueError(f"a confidence of {len(confidence.direction)} dimensions")
            if self.readings and len(confidence.reading_direction) not in (0, self.readings.dimensions):
                raise ValueError(f"a confidence of {len(confidence.reading_direction)} dimensions of the reader")


def read_manifest(folder: Path) -> dict[str, Any]:
    """What the build says of a folder, whose files are not looked at. Raises ArtifactsError for anything else."""
    path = folder / MANIFEST
    try:
        manifest = json.loads(read_plain(path, LARGEST_MANIFEST))
        if manifest["format"] != FORMAT:
            raise ArtifactsError(
                f"{path}: format {quoted(manifest['format'])}, but this program reads format {FORMAT}; "
                "run python -m pipeline.build, or use the program that belongs to the folder"
            )
        _check_manifest(manifest)
    except FileNotFoundError:
        raise ArtifactsError(f"{folder}: {_missing(folder)}") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ArtifactsError(f"{path}: not a manifest ({_in_one_line(error)}); {_REBUILD}") from error
    found: dict[str, Any] = manifest
    return found


def _missing(folder: Path) -> str:
    """Why there is no manifest, and what to do."""
    if folder.is_dir():
        what = "no finished artifacts (manifest.json is missing)"
    elif (previous_of(folder.resolve()) / MANIFEST).is_file():
        return f"no such folder; python -m pipeline.rollback --out {folder} brings back the build that it had before"
    else:
        what = "no such folder"
    return f"{what}; name the right folder, or run python -m pipeline.build"


def _check_manifest(manifest: Mapping[str, Any]) -> None:
    """Raise ValueError, KeyError or TypeError where what is read of a manifest is missing or of another type."""
    files, nodes = manifest["files"], manifest["search_k"]
    if not isinstance(files, dict) or not all(isinstance(of, str) for of in files.values()):
        raise ValueError("files are no names with their sums")
    if any(Path(name).name != name for name in files):
        raise ValueError("files lie in other folders")
    if type(nodes) is not int or not 0 <= nodes < 2**31:
        raise ValueError(f"search_k is {quoted(nodes)}")
    if not isinstance(manifest["recipe"]["name"], str) or not isinstance(manifest.get("date", ""), str):
        raise ValueError("the recipe's name or the date is no text")
    teacher, selected = manifest.get("teacher", {}), manifest.get("selected", [])
    if not all(isinstance(teacher.get(name, ""), str) for name in ("name", "fingerprint")):
        raise ValueError("the teacher's name or fingerprint is no text")
    if not isinstance(selected, list) or not all(type(number) is int for number in selected):
        raise ValueError("selected are no numbers of dimensions")
    for name in ("fusion", "confidence", "read_confidence"):
        manifest[name]


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _identity(folder: Path) -> tuple[int, int]:
    """What another folder in the same place does not have; zeros where there is none."""
    try:
        found = folder.stat()
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


def _check_files(folder: Path, files: Mapping[str, str]) -> None:
    for name in dict.fromkeys([*REQUIRED, *files]):
        try:
            with open_plain(folder / name) as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except FileNotFoundError:
            raise ArtifactsError(f"{folder / name}: missing; {_REBUILD}") from None
        except (OSError, ValueError) as error:
            raise ArtifactsError(f"{folder / name}: cannot be read ({_in_one_line(error)}); {_REBUILD}") from error
        if found != files.get(name):
            raise ArtifactsError(f"{folder / name}: differs from what was built (sha256 in {MANIFEST}); {_REBUILD}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
