"""`rlcores bench locks`: engine threads on one replay lose nothing, under the detectors of races too."""

import json
from pathlib import Path

import pytest

from rlcores import cli
from rlcores.base import paths
from rlcores_lab.bench import locks

pytestmark = [pytest.mark.slow, pytest.mark.skipif(paths.root().name == "data", reason="needs a checkout")]
FLAGS = {"races": "-fsanitize=thread", "memory": "-fsanitize=address,undefined -fno-sanitize-recover"}


@pytest.mark.parametrize("name", FLAGS)
def test_engine_threads_lose_nothing_and_race_for_nothing(tmp_path: Path, name: str, seed: int) -> None:
    program = locks.built(tmp_path, f"{locks.SMALL} {FLAGS[name]}")
    for kind in locks.KINDS:
        for banks in (2, 16) if kind == "banks" else (1,):
            assert locks.once(program, kind, 4, 2.0, banks, seed) > 0


def test_the_json_has_every_kind_and_number_of_threads(monkeypatch, capsys) -> None:
    work = locks.Work(threads=(1, 3), seconds=0.05, turns=1)
    monkeypatch.setattr(locks.run, "__defaults__", (work, ""))
    assert cli.run(["bench", "locks", "--json", "-"]) == 0
    figures = {f["name"]: f["value"] for f in json.loads(capsys.readouterr().out)["figures"]}
    assert figures["locks.processors"] >= 1
    for count in work.threads:
        assert all(figures[f"locks.{kind}.{count}.iterations"] > 0 for kind in locks.KINDS)
        ratio = figures[f"locks.banks.{count}.iterations"] / figures[f"locks.global.{count}.iterations"]
        assert figures[f"locks.banks.{count}.of_global"] == pytest.approx(ratio, rel=0.05)
