"""A run depends on its plan only: not on actors, interruptions or the backend's simulator."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from train_runs import make, short

from rlcores import cli, native
from rlcores.base import paths
from rlcores.errors import UserError
from rlcores.train import folder as folders
from rlcores.train.evaluation import GOAL, GOAL_SEED
from rlcores.train.folder import COLUMNS, Folder
from rlcores.train.loop import Callback


class StopAfter(Callback):
    """Asks for a stop after a number of rounds."""

    def __init__(self, rounds: int) -> None:
        self.left = rounds

    def progress(self, run, seen) -> None:
        self.left -= 1
        if not self.left:
            run.stop.set()


def state(run):
    """All that decides how it goes on, and what came of it."""
    arrays = {k: np.asarray(v) for k, v in run.trainer.checkpoint().items()}
    return arrays, run.state.curve, run.state.digest, run.state.best, run.best


def assert_same(one, other) -> None:
    (a, *rest_a, best_a), (b, *rest_b, best_b) = state(one), state(other)
    assert rest_a == rest_b
    assert set(a) == set(b)
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)
    np.testing.assert_array_equal(best_a.weights, best_b.weights)


@pytest.mark.parametrize("algo", ["dqn", "ddpg", "ppo"])
def test_a_run_that_was_interrupted_ends_as_one_that_was_not(algo, seed, ran, tmp_path):
    plan = short(algo, "model", seed)
    if algo == "ppo":
        # Statistics of rewards over all rollouts are the core's state.
        plan = replace(plan, environment="Pendulum-v1", state_scale=(1.0, 1.0, 0.125))
        plan = replace(plan, settings=replace(plan.settings, reward_scaling="standardise"))
    whole = ran(plan)
    assert whole.state.step == 256 and whole.trainer.updates >= 8
    assert len({row[-1] for row in whole.state.curve}) == len(whole.state.curve) >= 4

    first = make(plan, tmp_path / "cut")
    first.run(StopAfter(2 if algo == "ppo" else 7))
    assert 0 < first.state.step < 256
    second = make(plan, tmp_path / "cut")
    second.restore(*second.folder.load()[1:])
    assert second.same and second.state.step == first.state.step
    second.run()
    assert_same(whole, second)
    curves = [run.folder.path / "curve.csv" for run in (whole, second)]
    assert curves[0].read_bytes() == curves[1].read_bytes()


@pytest.mark.parametrize("algo", ["dqn", "ppo"])
def test_number_of_actors_changes_nothing(algo, seed, ran):
    plan = short(algo, "model", seed, envs=3)
    assert_same(ran(plan, actors=1), ran(plan, actors=2))


def test_seeds_give_different_runs(seed, ran):
    plans = [short("ppo", "model", s) for s in (seed, (seed + 1) % 2**31)]
    assert ran(plans[0]).state.digest != ran(plans[1]).state.digest


def test_files_at_the_end(seed, ran):
    run = ran(short("dqn", "model", seed))
    with (run.folder.path / "curve.csv").open() as file:
        rows = list(csv.reader(file))
    assert tuple(rows[0]) == COLUMNS
    assert [int(r[0]) for r in rows[1:]] == [0, 64, 128, 192, 256]
    assert int(rows[-1][1]) == run.trainer.updates == 256 - 64
    picture = run.folder.write_picture(run.state.curve, "title", 475.0)
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 5000
    with np.load(run.folder.path / "best.npz") as best:
        np.testing.assert_array_equal(best["0.weight"], run.best.layers()[0][0])
    assert run.report() == run.evaluate(run.best, 2, 30_000)


def test_best_weights_are_kept_when_later_ones_are_worse(seed, ran, tmp_path):
    run = ran(short("dqn", "model", seed))
    kept, run.state.best = run.best, 1e9
    learner = run.trainer.learner
    learner.load_weights({name: 0 * x for name, x in learner.weights().items()})
    run._evaluate(Callback())
    assert run.best is kept and run.state.curve[-1][5] is None
    run.state.best = -1e9
    run._evaluate(Callback())
    assert run.best is not kept and run.state.curve[-1][5] is not None


def test_run_ends_at_its_goal(ran):
    run = ran(short("ppo", "model", until=1.0))
    assert run.done and run.state.step == 0


def test_a_policy_whose_episodes_were_lucky_does_not_end_a_run(ran):
    """True mean 478, deviation 62: one in four samples of 100 episodes has a mean below a goal of 475."""
    run = ran(short("ppo", "model"))
    run.plan, run.state.best = replace(run.plan, until=475.0, steps=9999), -1e9
    lucky = np.where(np.arange(GOAL) % 8, 500.0, 324.0)
    goals = {"first": lucky, "second": np.full(GOAL, 500.0)}

    def returns(_, episodes: int, base: int) -> np.ndarray:
        return goal if base == GOAL_SEED else np.full(episodes, 486.0 if goal is lucky else 500.0)

    run._evaluation = returns
    for goal in goals.values():
        run._evaluate(Callback())
        assert run.state.best == goal.mean() >= 475 and run.done == run.reached == (goal is not lucky)


@pytest.mark.parametrize(("until", "steps"), [(1.0, 64), (475.0, 128)])
def test_a_goal_that_a_stopped_run_is_given_ends_it_if_it_has_been_reached(tmp_path, until, steps):
    first = make(short("ppo", "model"), tmp_path)
    first.run(StopAfter(1))
    second = make(short("ppo", "model", until=until, steps=128), tmp_path)
    second.restore(*second.folder.load()[1:])
    second.run()
    assert second.state.step == steps and second.reached == (steps == 64)


def test_environments_that_are_not_deterministic_are_told(ran, tmp_path):
    plan = short("ppo", "model", environment="train_envs:Chance-v0")
    first = make(plan, tmp_path / "cut")
    first.run(StopAfter(1))
    second = make(plan, tmp_path / "cut")
    second.restore(*second.folder.load()[1:])
    assert not second.same
    second.run()
    assert second.state.step == 256


def test_actions_have_the_names_the_environment_gives_them(ran):
    assert ran(short("dqn", "model", environment="train_envs:Numbered-v0")).state.episodes > 20


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        (
            "train_envs:NanReward-v0",
            "environment 0 of train_envs:NanReward-v0 gave the reward nan; it must be a finite",
        ),
        ("train_envs:WrongShape-v0", "gave an observation of shape (3,); it must be (2,)"),
    ],
)
@pytest.mark.parametrize("actors", [1, 2])
def test_what_an_environment_does_wrong_is_one_sentence(environment, sentence, actors, tmp_path):
    run = make(short("dqn", "model", environment=environment), tmp_path / "run", actors)
    with pytest.raises(UserError) as error:
        run.run()
    run._pool.close()
    assert sentence in str(error.value)
    assert not run.folder.checkpoint_file.exists()


def test_checkpoint_of_another_shape_is_refused(seed, ran, tmp_path):
    plan = short("ppo", "model", seed)
    run = ran(plan)
    kept, saved, arrays = run.folder.load()
    folders.check(kept, replace(plan, steps=9999, until=1.0), run.folder.path)
    wider = replace(plan, settings=replace(plan.settings, network=(64, 32)))
    with pytest.raises(UserError, match=r"made with settings.network = \[64, 64\], not \[64, 32\]"):
        folders.check(kept, wider, run.folder.path)
    with pytest.raises(UserError, match="made with config = None, not tiny"):
        folders.check(kept, replace(plan, config="tiny"), run.folder.path)
    with pytest.raises(UserError, match="made with backend = float, not model"):
        folders.check(kept | {"backend": "float"}, plan, run.folder.path)
    folders.check(kept, replace(plan, backend="rtl"), run.folder.path)
    with pytest.raises(UserError, match=r"another shape: networks\.policy\.theta is"):
        make(wider, tmp_path / "other").restore(saved, arrays)


def test_damaged_checkpoint_is_refused(tmp_path):
    folder = Folder(tmp_path)
    with pytest.raises(UserError, match="there is no checkpoint in"):
        folder.load()
    folder.checkpoint_file.write_bytes(b"nothing of the kind")
    with pytest.raises(UserError, match=r"is not a checkpoint of rlcores train"):
        folder.load()
    np.savez(folder.checkpoint_file, run=np.array("{}"))
    with pytest.raises(UserError, match=r"is not a checkpoint of rlcores train"):
        folder.load()


def test_writes_replace_a_file_whole_or_not_at_all(seed, ran, monkeypatch):
    run = ran(short("ppo", "model", seed))
    before = run.folder.checkpoint_file.read_bytes()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(UserError, match="No space left"):
        run.save()
    assert run.folder.checkpoint_file.read_bytes() == before


@pytest.mark.parametrize("algo", ["dqn", "ddpg", "ppo"])
def test_run_on_the_native_engine_is_the_run_on_the_model(algo, seed, ran):
    plan = short(algo, "model", seed)
    one, other = (ran(replace(plan, backend=backend)) for backend in ("native", "model"))
    assert_same(one, other)
    assert one.trainer.updates >= 8


@pytest.mark.slow
@pytest.mark.parametrize("isa", native.isas())
def test_the_documented_run_has_its_digest_on_every_instruction_set(isa, tmp_path):
    """docs/train.md: CartPole-v1 to 475, of which the RTL gave the same weights."""
    before = native.isa()
    native.choose_isa(isa)
    try:
        line = "train --algo dqn --env CartPole-v1 --until 475 --seed 1 --checkpoint"
        assert cli.run([*line.split(), str(tmp_path / "run")]) == 0
    finally:
        native.choose_isa(before)
    with (tmp_path / "run" / "curve.csv").open() as file:
        last = list(csv.DictReader(file))[-1]
    assert (last["step"], last["weights"]) == ("2016", "b51bf61129e312a9")
    assert f"`{last['weights']}`" in (paths.root() / "docs" / "train.md").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("algo", ["dqn", "ddpg"])
def test_run_on_the_rtl_is_the_run_on_the_model(algo, seed, ran):
    """The whole system: driver, registers, streams, simulated DRAM, sum tree, learner. A minute or two to build."""
    plan = short(algo, "model", seed, steps=160)
    # One hidden layer: code grows with layers.
    plan = replace(plan, settings=replace(plan.settings, formats=None, network=(4,)))
    runs = [ran(replace(plan, backend=backend)) for backend in ("rtl", "model")]
    assert runs[0].state.curve == runs[1].state.curve
    assert runs[0].state.digest == runs[1].state.digest
    assert runs[0].trainer.updates == runs[1].trainer.updates == 96
    # A batch of 16 records goes through 60-64 neurons a layer: some hundred clocks at least.
    assert runs[0].trainer.clocks > 96 * 100 and runs[1].trainer.clocks == 0
