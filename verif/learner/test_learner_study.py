"""The learning study: fair draws, the same start for both arithmetics, a table that can fail."""

from dataclasses import fields, replace

import numpy as np
import pytest

from rlcores import cli
from rlcores.errors import RunFailed
from rlcores.train import evaluation
from rlcores_lab.study import arithmetic, learning, table
from rlcores_lab.study import tasks as settings


def short(name: str, **changes) -> settings.StudyTask:
    """A task of a few hundred steps."""
    task = settings.task(name)
    own = {field.name for field in fields(task.settings)}
    quick = {"steps": 416, "learning_starts": 100, "evaluate_every": 200, "report": 3}
    quick |= ({"explore_steps": 100} if task.algo == "dqn" else {}) | changes
    settled = replace(task.settings, **{name: value for name, value in quick.items() if name in own})
    return replace(task, settings=settled, **{name: value for name, value in quick.items() if name not in own})


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
    task = short(name, train_freq=1)
    states = np.random.default_rng(0).uniform(-1, 1, (20, len(task.state_scale))).astype(np.float32)
    start, integer = (arithmetic.make(task, kind, 3).policy() for kind in ("float32", "integer"))
    np.testing.assert_allclose(integer(states), start(states), atol=2e-3)
    watched = []

    def watch(learner, batch, step):
        td = step(batch)
        watched.append((learner, np.abs(td).mean()))
        return td

    run = learning.train(task, "integer", 3, watch)
    assert run.updates == len(watched) == 316
    np.testing.assert_array_equal(arithmetic.make(task, "integer", 3).policy().weights, integer.weights)
    assert watched[0][0].steps == 316
    again = learning.train(task, "integer", 3)
    assert (again.best, again.final, again.curve) == (run.best, run.final, run.curve)


@pytest.mark.parametrize("name", ["cartpole", "pendulum"])
def test_every_arithmetic_acts_as_its_learner(name, seed):
    task = short(name)
    states = np.random.default_rng(seed).uniform(-1, 1, (20, len(task.state_scale))).astype(np.float32)
    for kind in arithmetic.ARITHMETICS:
        made = arithmetic.make(task, kind, seed)
        learner, policy = made.learner if kind == "float32" else made.core, made.policy()
        if task.actor_sizes:
            wanted = learner.actions(states) if kind == "float32" else learner.act(states)
        else:
            wanted = learner.values(states)
        np.testing.assert_allclose(policy(states), wanted, rtol=1e-4, atol=1e-6 if kind == "float32" else 0)


def test_the_buffer_gives_the_transitions_back_with_their_weights(seed):
    rng = np.random.default_rng(seed)
    task = short("pendulum", buffer_size=40, batch_size=16)
    rounds = [
        [rng.normal(size=(8, 3)), rng.uniform(-1, 1, (8, 1)), rng.normal(size=8), rng.normal(size=(8, 3))]
        for _ in range(2)
    ]
    rounds = [[*(x.astype(np.float32) for x in one), rng.random(8) < 0.5] for one in rounds]
    seen = []

    def watch(learner, batch, step):
        seen.append(batch)
        return np.arange(1.0, 17)

    learner = arithmetic.Replayed(task, arithmetic.make(task, "float32", 1), 4, seed % 2**31, watch)
    for one in rounds:
        learner.add(*one)
    assert len(learner) == 16
    learner.set(beta=1.0)
    learner.train(2)
    states = np.concatenate([one[0] for one in rounds])
    for batch in seen:
        rows = [int(np.flatnonzero((states == state).all(1))[0]) for state in batch.states]
        for array, name in zip(range(1, 5), ("actions", "rewards", "next_states", "terminated"), strict=True):
            np.testing.assert_array_equal(np.concatenate([one[array] for one in rounds])[rows], getattr(batch, name))
    assert (seen[0].weights == 1).all() and 0 < seen[1].weights.min() < seen[1].weights.max() == 1


def test_a_core_that_leaves_its_model_is_seen(monkeypatch):
    real = arithmetic.Learner
    backends = {"native": "native", "rtl": "model"}
    monkeypatch.setattr(
        arithmetic,
        "Learner",
        lambda *arguments, backend, **options: real(*arguments, backend=backends[backend], **options),
    )
    task = short("cartpole", steps=256, evaluate_every=64)
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
    monkeypatch.setitem(settings.TASKS, "cartpole", short("cartpole", learning_starts=90))
    assert table.load(tmp_path) == []
    assert table.one(jobs[0], tmp_path).updates == first[0].updates + 10


def test_long_regression_takes_no_simulator(capsys):
    assert cli.run(["regress", "--long", "--simulator", "icarus"]) == 2
    assert "--long is the learning study" in capsys.readouterr().err
