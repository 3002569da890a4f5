"""`rlcores bench plugged`: turns of both ways, and each library that is there."""

import contextlib
import json
import time

import pytest

from rlcores import cli
from rlcores_lab.bench import plugged

MODULES = {"sb3": "stable_baselines3", "rllib": "ray.rllib"}


def test_the_ratio_is_of_turns_side_by_side(monkeypatch):
    pytest.importorskip("torch")
    ended = []

    @contextlib.contextmanager
    def make(ours, seed, filled):
        def advance():
            time.sleep(0.002 if ours else 0.004)
            return 2

        yield advance
        ended.append((ours, seed, filled))

    own, ours, ratio = plugged._turns(make, 7, plugged.Work(seconds=0.2, turns=3, filled=11))
    assert ended == [(True, 7, 11), (False, 7, 11)]
    assert 100 < own < 501 and 200 < ours < 1001 and 1.2 < ratio < 2.6


def test_a_library_that_is_not_there_is_a_sentence(monkeypatch):
    monkeypatch.setattr(plugged, "_apart", lambda name, *_: "stable_baselines3 is not installed")
    outcome = plugged.run(1, lambda _: None, ["sb3"])
    assert outcome.shown[-1] == "Not timed: sb3, stable_baselines3 is not installed." and not outcome.figures


@pytest.mark.slow
@pytest.mark.parametrize("name", list(plugged.LIBRARIES))
def test_both_ways_train(name):
    pytest.importorskip(MODULES.get(name, name))
    rates = plugged._apart(name, 3, plugged.Work(seconds=0.5, turns=1, filled=600))
    assert all(number > 0 for number in rates)


def test_the_command_takes_it(monkeypatch, tmp_path):
    monkeypatch.setattr(plugged, "_apart", lambda *_: (10.0, 15.0, 1.5))
    assert cli.run(["bench", "plugged", "--json", str(tmp_path / "p.json")]) == 0
    figures = {f["name"]: f["value"] for f in json.loads((tmp_path / "p.json").read_text())["figures"]}
    assert figures == {f"plugged.{name}.{what}": value for name in plugged.LIBRARIES for what, value in (
        ("own_steps", 10.0), ("ours_steps", 15.0), ("ratio", 1.5),
    )}  # fmt: skip
