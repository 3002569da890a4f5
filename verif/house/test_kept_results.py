"""Results that are kept in the repository: they say nothing of the machine that they were made on."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from rlcores.base import paths
from rlcores_lab.study import runs

LABORATORY = paths.root() / "lab" / "rlcores_lab"
KEPT = sorted([*LABORATORY.glob("**/*.json"), *LABORATORY.glob("**/*.jsonl")])


def strings(value: object) -> Iterator[str]:
    """All strings in what JSON holds."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.name)
def test_a_kept_result_names_no_folder_of_one_machine(file: Path) -> None:
    texts = file.read_text().splitlines() if file.suffix == ".jsonl" else [file.read_text()]
    absolute = [text for one in texts if one.strip() for text in strings(json.loads(one)) if text.startswith("/")]
    assert not absolute, f"{file.name} names {absolute[0]}"


def test_kept_results_are_found() -> None:
    assert len(KEPT) > 30


def test_a_study_that_keeps_its_runs_still_names_a_clean_commit(tmp_path, monkeypatch) -> None:
    def git(*args: str) -> None:
        subprocess.run(["git", "-C", tmp_path, "-c", "user.name=x", "-c", "user.email=x", *args], check=True)

    kept, other = tmp_path / "lab" / "rlcores_lab" / "study" / "some.jsonl", tmp_path / "other.py"
    kept.parent.mkdir(parents=True)
    for file in (kept, other):
        file.write_text("1\n")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    monkeypatch.setattr(paths, "root", lambda: tmp_path)
    kept.write_text("1\n2\n")
    assert len(runs.commit()) == 12 and not runs.commit().endswith("+")
    other.write_text("2\n")
    assert runs.commit().endswith("+")
