"""The study of model rollouts: its model learns, start states have priorities, kept runs are not made again."""

import json
from dataclasses import replace

import numpy as np
import pytest

from rlcores import cli
from rlcores.cores.rl.batch import TransitionBatch
from rlcores_lab.study import memr


@pytest.fixture
def short(monkeypatch, tmp_path):
    """Runs of a second, kept elsewhere."""
    task = replace(memr.TASKS["Pendulum-v1"], steps=140, starts=60, every=40, batch=16, network=(16, 16))
    monkeypatch.setattr(memr, "TASKS", {"Pendulum-v1": task})
    ways = {name: replace(memr.WAYS[name], rollouts=32, fits=10, size=320) for name in memr.BOTH}
    monkeypatch.setattr(memr, "WAYS", ways)
    file = tmp_path / "memr.jsonl"
    monkeypatch.setattr(memr, "KEPT", file)
    for function in (memr.one, memr.kept):
        monkeypatch.setattr(function, "__defaults__", (file,))
    return tmp_path


def test_the_command_makes_every_run_once(short, monkeypatch, capsys):
    words = ["study", "memr", "--seeds", "1", "--json", str(short / "a.json")]
    assert cli.run(words) == 0
    runs = memr.kept()
    assert [(run.way, run.steps, run.updates) for run in runs] == [
        ("sac", 140, 81), ("sac, 5 updates", 140, 405), ("memr", 140, 405),
    ]  # fmt: skip
    assert len({str(run.curve) for run in runs}) == 3 and runs[2].model_error and not runs[0].model_error
    monkeypatch.setattr(memr, "train", lambda *job: pytest.fail("made twice"))
    assert cli.run(words) == 0
    figures = {f["name"]: f["value"] for f in json.loads((short / "a.json").read_text())["figures"]}
    assert figures["memr.pendulum.memr.steps"] == 140 and figures["memr.pendulum.memr.reached"] == 0
    assert cli.run(["study", "memr", "--env", "Pong"]) == 2
    assert "the study has no environment 'Pong'" in capsys.readouterr().err


def test_two_runs_of_a_seed_are_equal(short):
    first, second = (memr.train("Pendulum-v1", "memr", 3) for _ in range(2))
    assert first.curve == second.curve and first.model_error == second.model_error


def test_the_ensemble_learns_what_an_environment_does(seed):
    rng = np.random.default_rng(seed)
    model = memr.Model(2, 1, 3, (32, 32), seed)
    x = rng.normal(size=(500, 3))
    y = np.column_stack([x[:, :1] * x[:, 2:], 0.01 * x[:, 1:2], 5 + x[:, :1]])
    model.fit(x, y, 400, 64, rng)
    fresh = rng.normal(size=(200, 3))
    wanted = np.column_stack([fresh[:, :1] * fresh[:, 2:], 0.01 * fresh[:, 1:2], 5 + fresh[:, :1]])
    assert model.error(fresh, wanted) < 0.2
    assert np.mean((model(fresh, rng) - wanted) ** 2 / y.var(axis=0)) < 0.3


def test_the_priority_is_large_where_an_action_is_rare(seed):
    """Equation 3.7 of a Gaussian that was fitted: 0 at its mean, half a square of deviations away from it."""
    rng = np.random.default_rng(seed)
    density = memr.Density(1, 1, seed)
    for _ in range(600):
        states = rng.uniform(-1, 1, (64, 1))
        density.fit(states, 0.5 * states + 0.1 * rng.standard_normal((64, 1)))
    priorities = density.priority(np.full((2, 1), 0.4), np.array([[0.2], [0.5]]))
    assert priorities[0] < 0.1 and priorities[1] == pytest.approx(4.5, rel=0.4)


def test_a_batch_is_of_one_segment_and_the_oldest_goes_first(seed):
    rng = np.random.default_rng(seed)
    segments = memr.Segments(30, 10)
    for n in range(5):
        segments.add(TransitionBatch(*(np.full((10, 1), float(n)) for _ in range(6))))
    assert len(segments) == 30
    drawn = [set(segments.sample(20, rng).rewards[:, 0]) for _ in range(60)]
    assert all(len(one) == 1 for one in drawn) and set.union(*drawn) == {2.0, 3.0, 4.0}


def test_a_seed_that_does_not_reach_the_goal_counts_with_all_its_steps():
    def made(way, seed, steps, goal):
        return memr.Run("Pendulum-v1", way, seed, steps, goal_steps=goal)

    runs = [
        made("sac", 0, 4000, 4000),
        made("sac", 1, 6000, 0),
        made("memr", 0, 2000, 2000),
        made("memr", 1, 3000, 3000),
    ]
    base, ours = memr.lines(runs)
    assert (base.reached, base.steps[0], ours.reached, ours.steps[0], ours.share[0]) == (1, 5000, 2, 2500, 0.5)
    assert memr.table(runs)[1][4].startswith("≥ 5,000")
    assert "took 0.50 of SAC's environment steps to the goal, at most half, which is a most" in memr.reading(runs)
