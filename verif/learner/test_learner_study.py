"""The learning study: fair draws, the same start for both arithmetics, a table that can fail."""

from dataclasses import replace

import numpy as np
import pytest

from rlcores import cli
from rlcores.errors import RunFailed
from rlcores.train import evaluation
from rlcores.train import tasks as settings
from rlcores_lab.study import arithmetic, learning, replay, table


def short(name: str, **changes) -> settings.Task:
    """A task of a few hundred steps."""
    quick = {"steps": 400, "warmup": 100, "evaluate_every": 200, "report": 3, "explore_steps": 100}
    return replace(settings.task(name), **(quick | changes))


def filled(count: int, capacity: int = 50) -> replay.Replay:
    memory = replay.Replay(capacity, 2, 0, seed=1)
    for k in range(count):
        memory.add([k, 0], k % 2, float(k), [k, 1], k % 5 == 0)
    return memory


def test_transitions_are_drawn_in_proportion_to_their_priorities():
    memory = filled(30)
    td = np.arange(30.0)
    memory.update(np.arange(30), td)
    counts = np.zeros(50)
    for _ in range(400):
        np.add.at(counts, memory.sample(64, 0.4)[0], 1)
    expected = (td + 1e-3) ** 0.6
    np.testing.assert_allclose(counts[:30] / counts.sum(), expected / expected.sum(), atol=0.003)
    assert not counts[30:].any()


def test_a_draw_is_the_transition_that_was_stored_with_its_weight():
    memory = filled(70)
    memory.update(np.arange(50), np.linspace(0.1, 5, 50))
    index, batch = memory.sample(16, 1.0)
    stored = np.where(index < 20, index + 50, index)
    np.testing.assert_array_equal(batch.rewards, stored)
    np.testing.assert_array_equal(batch.states[:, 0], stored)
    np.testing.assert_array_equal(batch.next_states[:, 1], 1)
    np.testing.assert_array_equal(batch.actions, stored % 2)
    np.testing.assert_array_equal(batch.terminated, stored % 5 == 0)
    priorities = (np.linspace(0.1, 5, 50)[index] + 1e-3) ** 0.6
    np.testing.assert_allclose(batch.weights, priorities.min() / priorities, rtol=1e-5)


def test_returns_are_those_of_single_episodes():
    looks = evaluation.Evaluation("CartPole-v1", np.ones(4, np.float32))
    going = []

    def policy(states):
        going.append(len(states))
        return (states[:, 2] > 0).astype(int)

    returns = looks(policy, 5, seed=3)
    # One reward a step: an episode that has ended is stepped no more.
    assert going == [int((returns > k).sum()) for k in range(int(returns.max()))]
    np.testing.assert_array_equal(returns, [looks(policy, 1, seed=3 + k)[0] for k in range(5)])
    assert len(set(returns)) > 1


@pytest.mark.parametrize("name", ["cartpole", "pendulum", "lunarlander"])
def test_both_arithmetics_start_from_the_same_policy_and_learn(name):
    if name == "lunarlander":
        pytest.importorskip("Box2D", reason="LunarLander needs Box2D: `uv sync --extra study`")
    task = short(name, train_every=1)
    states = np.random.default_rng(0).uniform(-1, 1, (20, len(task.state_scale))).astype(np.float32)
    start, integer = (arithmetic.make(task, kind, 3).backend for kind in ("float32", "integer"))
    np.testing.assert_allclose(integer.output(states), start.output(states), atol=2e-3)
    watched = []

    def watch(learner, batch, step):
        td = step(batch)
        watched.append((learner, np.abs(td).mean()))
        return td

    run = learning.train(task, "integer", 3, watch)
    assert run.updates == len(watched) == 300
    assert np.abs(arithmetic.make(task, "integer", 3).backend.output(states) - integer.output(states)).max() == 0
    assert watched[0][0].steps == 300
    again = learning.train(task, "integer", 3)
    assert (again.best, again.final, again.curve) == (run.best, run.final, run.curve)


def test_snapshot_brings_the_policy_back(seed):
    task = short("cartpole")
    states = np.random.default_rng(seed).uniform(-1, 1, (20, 4)).astype(np.float32)
    for kind in arithmetic.ARITHMETICS:
        backend = arithmetic.make(task, kind, seed).backend
        before, kept = backend.output(states).copy(), backend.snapshot()
        backend.restore(kept * 0)
        assert not backend.output(states).any()
        backend.restore(kept)
        np.testing.assert_array_equal(backend.output(states), before)


def test_a_core_that_leaves_its_model_is_seen(monkeypatch):
    real = arithmetic.Learner
    monkeypatch.setattr(
        arithmetic, "Learner", lambda *given, **options: real(*given, **(options | {"backend": "model"}))
    )
    task = short("cartpole", steps=140, evaluate_every=20)
    run, integer = (learning.train(task, kind, 1) for kind in ("rtl", "integer"))
    assert (run.best, run.final, run.curve) == (integer.best, integer.final, integer.curve)

    def disturb(learner, batch, step):
        learner.network.planes[0][7] += learner.steps == 30
        return step(batch)

    with pytest.raises(RunFailed, match="are not those of its model"):
        learning.train(task, "rtl", 1, disturb)


def runs(task: str, kind: str, best: list[float]) -> list[learning.Run]:
    return [learning.Run(task, kind, k, best=b, final=0.0, curve=[(1, 0.0)]) for k, b in enumerate(best)]


def test_table_says_where_the_integers_fall_short():
    good = runs("cartpole", "float32", [500, 480]) + runs("cartpole", "integer", [500, 475])
    assert table.shortfalls(good) == []
    worse = runs("cartpole", "float32", [500, 480]) + runs("cartpole", "integer", [500, 474])
    assert table.shortfalls(worse) == ["cartpole integer: 1 of 2 seeds reach 475, expected 2"]
    lunar = runs("lunarlander", "float32", [200, 230, 210, 90, 80]) + runs("lunarlander", "integer", [200] * 3 + [0, 0])
    assert table.shortfalls(lunar) == ["lunarlander float32: 3 of 5 seeds reach 200, expected 4"]
    assert "| pendulum | integer | -200 | 1 of 2 |" in table.markdown(runs("pendulum", "integer", [-150, -300]))


def test_runs_are_kept_and_not_repeated(tmp_path, monkeypatch):
    monkeypatch.setitem(settings.TASKS, "cartpole", short("cartpole"))
    jobs = table.plan(1, ["cartpole"])
    assert jobs == [("cartpole", "float32", 0), ("cartpole", "integer", 0)]
    first = [table.one(job, tmp_path) for job in jobs]
    train = learning.train
    monkeypatch.setattr(learning, "train", None)
    assert [table.one(job, tmp_path) for job in jobs] == first == table.load(tmp_path)
    table.picture(first, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").stat().st_size > 10_000

    monkeypatch.setattr(learning, "train", train)
    monkeypatch.setitem(settings.TASKS, "cartpole", short("cartpole", warmup=90))
    assert table.load(tmp_path) == []
    assert table.one(jobs[0], tmp_path).updates == first[0].updates + 10


def test_long_regression_takes_no_simulator(capsys):
    assert cli.run(["regress", "--long", "--simulator", "icarus"]) == 2
    assert "--long is the learning study" in capsys.readouterr().err
