"""The study of late priorities: runs that are kept are not made again, and their table says what they say."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from rlcores import cli
from rlcores.errors import UserError
from rlcores_lab.study import relaxed, runs, statistics


@pytest.fixture
def short(monkeypatch, tmp_path):
    """Runs of seconds, kept elsewhere."""
    monkeypatch.setattr(relaxed, "ENVIRONMENTS", {"CartPole-v1": ("dqn", 1200)})
    monkeypatch.setattr(relaxed, "DEPTHS", (0, 60))
    monkeypatch.setattr(relaxed, "KEPT", tmp_path / "relaxed.jsonl")
    monkeypatch.setattr(relaxed.one, "__defaults__", (tmp_path / "relaxed.jsonl",))
    monkeypatch.setattr(relaxed.kept, "__defaults__", (tmp_path / "relaxed.jsonl",))
    return tmp_path


def test_the_command_makes_every_run_once(short, monkeypatch, capsys):
    words = ["study", "relaxed", "--seeds", "1", "--json", str(short / "a.json"), "--picture", str(short / "a.png")]
    assert cli.run(words) == 0
    runs = relaxed.kept()
    assert [(run.ahead, run.seed, run.updates) for run in runs] == [(0, 0, 216), (60, 0, 216)]
    assert runs[0].curve[0] == runs[1].curve[0] and runs[0].curve != runs[1].curve
    assert (short / "a.png").stat().st_size > 1000
    monkeypatch.setattr(relaxed, "train", lambda *job: pytest.fail("made twice"))
    assert cli.run(words) == 0
    figures = {f["name"]: f["value"] for f in json.loads((short / "a.json").read_text())["figures"]}
    assert figures["relaxed.cartpole.60.mean"] == round(runs[1].mean, 1)
    assert cli.run(["study", "relaxed", "--env", "Pong"]) == 2
    assert "the study has no environment 'Pong'" in capsys.readouterr().err


def test_runs_with_other_settings_do_not_count(short, monkeypatch):
    runs.add(relaxed.KEPT, replace(_run(0, 0, 1.0), settings=relaxed.fingerprint("CartPole-v1")))
    assert len(relaxed.kept()) == 1
    monkeypatch.setattr(relaxed, "ENVIRONMENTS", {"CartPole-v1": ("dqn", 1300)})
    assert relaxed.kept() == []


def test_a_line_that_is_no_run_is_one_sentence(short):
    relaxed.KEPT.write_text('{"environment": 3}\n')
    with pytest.raises(UserError, match=r"relaxed.jsonl' is damaged: line 1 is no run"):
        relaxed.kept()


def test_changes_are_taken_seed_by_seed():
    runs = [_run(0, 0, 10.0), _run(0, 1, 30.0), _run(200, 0, 12.0), _run(200, 1, 33.0), _run(200, 2, 99.0)]
    first, second = relaxed.lines(runs)
    assert (first.seeds, second.seeds) == (2, 2)  # the third seed has nothing to be compared with
    assert first.change == (0.0, 0.0) and second.mean[0] == 22.5
    assert second.change[0] == 2.5 and second.change[1] == pytest.approx(12.706 * 0.5)


def test_intervals_are_students():
    rng = np.random.default_rng(1)
    inside = sum(abs(m) <= half for m, half in (statistics.interval(rng.normal(size=5).tolist()) for _ in range(4000)))
    assert 0.94 < inside / 4000 < 0.96
    assert statistics.interval([3.0]) == (3.0, math.inf)


def test_what_is_kept_in_the_repository_was_made_with_the_settings_in_force():
    assert len(relaxed.kept()) == len(runs.lines(relaxed.KEPT, relaxed.Run))


def _run(ahead: int, seed: int, mean: float) -> relaxed.Run:
    return relaxed.Run("CartPole-v1", ahead, seed, 1200, mean=mean, last=mean, best=mean)
