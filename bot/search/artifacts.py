"""The folder that the pipeline builds and the bot serves: written whole or not at all, checked before it is used."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from bot.search.phrases import Phrase, load_phrases, save_phrases
from bot.search.rank.confidence import Confidence
from bot.search.rank.fusion import Fusion
from bot.search.retrieve.ann import AnnIndex
from bot.search.retrieve.approximator import Approximator
from bot.search.retrieve.ngrams import NGramIndex
from bot.search.understand.emoji import EmojiNames
from bot.search.understand.vocabulary import Vocabulary

FORMAT = 3
"""Another number means that an older program cannot read a newer folder, or the reverse."""

MANIFEST = "manifest.json"
REPORT = "report"
FILES = PHRASES, TOKENIZER, TABLE, FOREST, WORDING, TWINS, VOCABULARY, EMOJI = (
    "phrases.jsonl.gz",
    "tokenizer.json",
    "approximator.npz",
    "forest.ann",
    "wording.npz",
    "twins.npy",
    "vocabulary.npz",
    "emoji.tsv.gz",
)


class ArtifactsError(Exception):
    """Artifacts that cannot be served or saved; the message says what is wrong and what to do."""


@dataclass
class Artifacts:
    """All that a search needs."""

    phrases: Sequence[Phrase]
    approximator: Approximator
    index: AnnIndex
    """Row i is the vector of `phrases[i]`."""
    wording: NGramIndex
    """Made by `ngram_index(phrases)`."""
    near_duplicates: npt.NDArray[np.int32]
    """Rows of phrases that say the same in nearly the same words, shape (pairs, 2), each pair both ways round."""
    vocabulary: Vocabulary
    emoji: EmojiNames
    fusion: Fusion
    confidence: Confidence
    manifest: Mapping[str, Any]
    """What the build says of itself: recipe, corpus, teacher, measurements, date."""

    def save(self, folder: Path, report: Path | None = None) -> None:
        """Replace `folder` by these artifacts with a copy of the folder `report`; a failure leaves all as it was."""
        folder = folder.absolute()
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            staged = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
            try:
                self._write(staged, report)
                _replace(folder, staged)
            finally:
                shutil.rmtree(staged, ignore_errors=True)
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
        save_phrases(self.phrases, folder / PHRASES)
        (folder / TOKENIZER).write_text(self.approximator.tokenizer.to_str(), encoding="utf-8")
        self.approximator.save(folder / TABLE)
        self.index.save(folder / FOREST)
        self.wording.save(folder / WORDING)
        np.save(folder / TWINS, self.near_duplicates, allow_pickle=False)
        self.vocabulary.save(folder / VOCABULARY)
        self.emoji.save(folder / EMOJI)
        files = {name: _sha256(folder / name) for name in FILES}
        document = {**self.manifest, "format": FORMAT, "files": files}
        document |= {"fusion": self.fusion.as_dict(), "dimensions": self.approximator.dimensions}
        document |= {"confidence": self.confidence.as_dict()}
        document |= {"search_k": self.index.search_k}
        with (folder / MANIFEST).open("w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())

    @classmethod
    def load(cls, folder: Path) -> Artifacts:
        """Read a folder that `save` wrote; raises ArtifactsError when it is not whole, or of another format."""
        manifest = _manifest(folder)
        _check_files(folder, manifest["files"])
        try:
            phrases = load_phrases(folder / PHRASES)
            index = AnnIndex.load(folder / FOREST, manifest["dimensions"], len(phrases), manifest["search_k"])
            approximator = Approximator.load(
                folder / TABLE, Tokenizer.from_str((folder / TOKENIZER).read_text(encoding="utf-8"))
            )
            return cls(
                phrases=phrases,
                approximator=approximator,
                index=index,
                wording=NGramIndex.load(folder / WORDING),
                near_duplicates=np.load(folder / TWINS, allow_pickle=False),
                vocabulary=Vocabulary.load(folder / VOCABULARY),
                emoji=EmojiNames.load(folder / EMOJI),
                fusion=Fusion(**manifest["fusion"]),
                confidence=Confidence.from_dict(manifest["confidence"]),
                manifest=manifest,
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ArtifactsError(f"{folder}: cannot be read ({error}); {_REBUILD}") from error


_REBUILD = "take the folder from the repository again, or run python -m pipeline.build"


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        if manifest["format"] != FORMAT:
            raise ArtifactsError(
                f"{path}: format {manifest['format']}, but this program reads format {FORMAT}; "
                "run python -m pipeline.build, or use the program that belongs to the folder"
            )
        needed = {name: manifest[name] for name in ("files", "fusion", "confidence", "dimensions", "search_k")}
        return {**manifest, **needed}
    except FileNotFoundError:
        what = "no finished artifacts (manifest.json is missing)" if folder.is_dir() else "no such folder"
        raise ArtifactsError(f"{folder}: {what}; name the right folder, or run python -m pipeline.build") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArtifactsError(f"{path}: not a manifest ({error}); {_REBUILD}") from error


def _check_files(folder: Path, files: Mapping[str, str]) -> None:
    for name in FILES:
        if not (folder / name).is_file():
            raise ArtifactsError(f"{folder / name}: missing; {_REBUILD}")
        if _sha256(folder / name) != files.get(name):
            raise ArtifactsError(f"{folder / name}: differs from what was built (sha256 in {MANIFEST}); {_REBUILD}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _replace(folder: Path, staged: Path) -> None:
    """Put `staged` in the place of `folder`. Renaming keeps files alive that a running bot has memory-mapped."""
    previous = folder.with_name(f".{folder.name}-previous")
    shutil.rmtree(previous, ignore_errors=True)
    if folder.exists():
        folder.rename(previous)
    try:
        staged.rename(folder)
    except OSError:
        if previous.exists():
            previous.rename(folder)
        raise
    shutil.rmtree(previous, ignore_errors=True)
