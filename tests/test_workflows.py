"""What runs on GitHub: nothing that can change unseen, no more rights than needed, and a release of what was tested."""

from __future__ import annotations

import os
import re
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / ".github/workflows").glob("*.yml"))}
RELEASE: dict[str, Any] = yaml.safe_load(SOURCES["release.yml"])["jobs"]
VERSION = re.findall(r"^version = \"(.+)\"", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[0]


@pytest.mark.parametrize("name", SOURCES)
def test_actions_are_named_by_commit(name: str) -> None:
    used = re.findall(r"uses: (.+)", SOURCES[name])
    assert (
        used and [line for line in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []
    )


def test_one_commit_of_an_action_everywhere() -> None:
    used = {line for text in SOURCES.values() for line in re.findall(r"uses: (.+)", text)}
    assert len({line.partition("@")[0] for line in used}) == len(used)


@pytest.mark.parametrize("name", SOURCES)
def test_no_script_is_put_together_from_what_others_write(name: str) -> None:
    """A branch's name within `${{ }}` would be run as a command; variables of the environment are not."""
    jobs = yaml.safe_load(SOURCES[name])["jobs"].values()
    assert [step["run"] for job in jobs for step in job["steps"] if "${{" in step.get("run", "")] == []


def test_a_tag_releases_what_passed_the_tests() -> None:
    workflow = yaml.safe_load(SOURCES["release.yml"])
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML takes "on" for true
    assert {name: job.get("needs") for name, job in RELEASE.items()} == {
        "test": None,
        "image": "test",
        "release": "image",
    }
    assert "make test" in [step.get("run") for step in RELEASE["test"]["steps"]]


def test_each_job_may_do_what_it_does_and_no_more() -> None:
    assert yaml.safe_load(SOURCES["release.yml"])["permissions"] == {}
    assert yaml.safe_load(SOURCES["ci.yml"])["permissions"] == {"contents": "read"}
    assert {name: job["permissions"] for name, job in RELEASE.items()} == {
        "test": {"contents": "read"},
        "image": {"contents": "read", "packages": "write", "id-token": "write", "attestations": "write"},
        "release": {"contents": "write"},
    }


def test_the_image_is_for_two_platforms_and_says_where_it_is_from() -> None:
    (built,) = (step for step in RELEASE["image"]["steps"] if "build-push" in step.get("uses", ""))
    (signed,) = (step for step in RELEASE["image"]["steps"] if "attest" in step.get("uses", ""))
    assert built["with"]["platforms"] == "linux/amd64,linux/arm64"
    assert (built["with"]["push"], built["with"]["provenance"], built["with"]["sbom"]) == (True, "mode=max", True)
    assert signed["with"]["subject-digest"] == f"${{{{ steps.{built['id']}.outputs.digest }}}}"


@pytest.mark.parametrize(
    ("tag", "passes"), [(f"v{VERSION}", True), (f"v{VERSION}0", False), ("v" + VERSION[1:], False)]
)
def test_a_tag_that_is_not_the_version_is_refused(tag: str, passes: bool) -> None:
    (script,) = (step["run"] for step in RELEASE["test"]["steps"] if "tag is the version" in step.get("name", ""))
    assert (run(script, tag=tag).returncode == 0) == passes


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="git packs the artifacts, and this is no repository")
def test_a_release_has_its_notes_and_artifacts(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    gh = tmp_path / "bin/gh"
    gh.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$RUNNER_TEMP/called"\n', encoding="utf-8")
    gh.chmod(0o755)
    for script in (step["run"] for step in RELEASE["release"]["steps"] if "run" in step):
        run(script, RUNNER_TEMP=str(tmp_path), PATH=f"{gh.parent}:{os.environ['PATH']}").check_returncode()
    archive = tmp_path / f"release/idiomatika-artifacts-v{VERSION}.tar.gz"
    called = (tmp_path / "called").read_text(encoding="utf-8").splitlines()
    assert called[:4] == ["release", "create", f"v{VERSION}", "--verify-tag"]
    assert called[-2:] == [str(archive), f"{archive}.sha256"]
    assert run("sha256sum --check *.sha256", cwd=archive.parent).returncode == 0
    with tarfile.open(archive) as packed:
        assert {"artifacts/manifest.json", "artifacts/reader.onnx", "ATTRIBUTION.md"} <= set(packed.getnames())
    notes = (tmp_path / "notes.md").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert notes.strip() and f"## {VERSION}\n{notes}## " in changelog


def run(
    script: str, *, tag: str = f"v{VERSION}", cwd: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a step's script as GitHub does."""
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    given = {**os.environ, "GITHUB_REF_NAME": tag, **environment}
    return subprocess.run(command, cwd=cwd, env=given, check=False, capture_output=True, text=True)
