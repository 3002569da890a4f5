"""TD3 and SAC in `rlcores train`: one run on every backend, resumed as if never stopped, discounts that end at ends."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from train_runs import make, short

from rlcores import cli
from rlcores.errors import UserError
from rlcores.train import settings, spaces
from rlcores.train.actor import Actor
from rlcores.train.loop import Callback, make_trainer

ALGORITHMS = pytest.mark.parametrize("algo", ["td3", "sac"])


class StopAfter(Callback):
    """Stops a run after a number of rounds."""

    def __init__(self, rounds: int) -> None:
        self.left = rounds

    def progress(self, run, seen) -> None:
        self.left -= 1
        if not self.left:
            run.stop.set()


@ALGORITHMS
def test_model_and_engine_train_alike(algo: str, seed: int, ran) -> None:
    plan = short(algo, "native", seed, steps=192)
    one, other = ran(plan), ran(replace(plan, backend="model"))
    assert one.state.digest == other.state.digest and one.state.curve == other.state.curve
    assert one.trainer.updates == other.trainer.updates == 128


@pytest.mark.parametrize("algo", ["td3", "sac", "dueling"])
def test_the_core_trains_as_the_engine_and_goes_on_from_a_checkpoint(algo: str, seed: int, ran, tmp_path) -> None:
    plan = short(algo, "rtl", seed, steps=40, config="tiny")
    plan = replace(
        plan, settings=replace(plan.settings, network=(4, 4), batch_size=8, learning_starts=20, reward_scale=0.5)
    )
    whole = ran(replace(plan, backend="native", config=None))
    first = make(plan, tmp_path / "cut")
    first.run(StopAfter(8))
    assert first.trainer.updates == 12 and first.trainer.clocks > 12 * 300
    second = make(plan, tmp_path / "cut")
    second.restore(*second.folder.load()[1:])
    second.run()
    assert second.state.digest == whole.state.digest and second.trainer.updates == whole.trainer.updates == 20


def test_a_configuration_of_a_core_that_no_backend_has_is_one_sentence() -> None:
    with pytest.raises(UserError, match="--config is of the core, which sac uses with --backend rtl"):
        make_trainer(short("sac", "native", 1, config="tiny"), spaces.look("Pendulum-v1"))


@ALGORITHMS
def test_the_number_of_actors_changes_nothing(algo: str, seed: int, ran) -> None:
    plan = short(algo, "native", seed, steps=160)
    assert ran(plan, actors=1).state.digest == ran(plan, actors=2).state.digest


@ALGORITHMS
def test_a_run_that_was_stopped_ends_as_one_that_was_not(algo: str, seed: int, ran, tmp_path) -> None:
    plan = short(algo, "native", seed, steps=192, tuning={"n_steps": 3})
    first = make(plan, tmp_path / "cut")
    first.run(StopAfter(31))
    second = make(plan, tmp_path / "cut")
    second.restore(*second.folder.load()[1:])
    second.run()
    whole = ran(plan)
    assert second.state.digest == whole.state.digest and second.state.curve == whole.state.curve


@ALGORITHMS
def test_a_damaged_checkpoint_is_one_sentence(algo: str, seed: int, tmp_path) -> None:
    plan = short(algo, "native", seed, steps=96)
    first = make(plan, tmp_path / "cut")
    first.run()
    _, state, arrays = first.folder.load()
    name = next(n for n in arrays if n.endswith("critic1.planes"))
    for wrong in (arrays[name][:, :-1], np.full_like(arrays[name], 1 << 40)):
        second = make(plan, tmp_path / "cut")
        with pytest.raises(UserError):
            second.restore(dict(state), {**arrays, name: wrong})


@pytest.mark.parametrize("cut", [3, None], ids=["limit", "end"])
@pytest.mark.parametrize("steps", [1, 3])
def test_a_time_limit_keeps_the_value_behind_it_and_an_end_does_not(steps: int, cut: int | None, seed: int) -> None:
    """Discounts of drawn transitions: gamma**n, shorter where a limit of 3 steps cuts, 0 at the end after 5 steps."""
    plan = short("td3", "native", seed, "train_envs:Vectors-v0", steps=400, tuning={"n_steps": steps, "gamma": 0.9})
    trainer = make_trainer(plan, spaces.look(plan.environment))
    actor = Actor(plan.environment, cut, plan.state_scale, seed, (0, plan.envs))
    for number in range(40):
        trainer.learn(actor.collect(trainer.order(number, 0)), 0)
    batch = trainer.buffer.sample(400)
    discounts = {round(float(x), 5) for x in batch["discount"]}
    powers = {round(0.9**n, 5) for n in range(1, steps + 1)}
    assert batch["truncated"].any() == (cut is not None) and batch["terminated"].any() == (cut is None)
    assert (batch["discount"][batch["terminated"]] == 0).all()
    assert discounts == (powers if cut else {0.0, round(0.9**steps, 5)} | (discounts & powers))


@ALGORITHMS
def test_an_option_reaches_the_learner_from_the_command_line(algo: str, tmp_path, capsys) -> None:
    folder = tmp_path / "run"
    words = ["train", "--algo", algo, "--env", "Pendulum-v1", "--network", "8,8", "--steps", "40", "--batch-size", "8"]
    words += [
        "--learning-starts",
        "16",
        "--tau",
        "0.02",
        "--n-steps",
        "2",
        "--activation",
        "silu",
        "--normalisation",
        "layer",
        "--actors",
        "1",
        "--checkpoint",
        str(folder),
    ]
    assert cli.run(words) == 0
    said = capsys.readouterr().out
    assert "24 gradient steps" in said
    kept = json.loads((Path(folder) / "run.json").read_text())["plan"]
    assert kept["algo"] == algo and kept["on"] == "host"
    own = kept["settings"]
    assert (own["network"], own["tau"], own["n_steps"], own["batch_size"]) == ([8, 8], 0.02, 2, 8)
    assert (own["activation"], own["normalisation"]) == ("silu", "layer")
    with np.load(folder / "best.npz") as best:
        about = json.loads(str(best["about"]))
        assert (about["activation"], about["normalisation"]) == ("silu", "layer")
        assert best["0.weight"].shape == (8, 3) and best["4.weight"].shape == (1 if algo == "td3" else 2, 8)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sac", "gelu"), "activation is 'gelu'; it must be relu or leaky_relu or tanh or elu or silu"),
        (("ppo", "tanh"), "ppo has no setting 'activation'"),
    ],
)
def test_an_activation_that_nothing_trains_is_refused_in_one_sentence(words: tuple[str, str], said: str) -> None:
    with pytest.raises(UserError, match=said):
        settings.plan(words[0], "Pendulum-v1", "native", spaces.look("Pendulum-v1"), tuning={"activation": words[1]})


@ALGORITHMS
def test_defaults_are_those_of_stable_baselines3(algo: str) -> None:
    space = spaces.Spaces(3, (np.inf,) * 3, None, low=(-1.0,), high=(1.0,))
    s = settings.plan(algo, "train_envs:Vectors-v0", "native", space).settings
    assert (s.buffer_size, s.learning_starts, s.batch_size, s.tau, s.gamma) == (1_000_000, 100, 256, 0.005, 0.99)
    assert (s.network, s.learning_rate) == (((400, 300), 1e-3) if algo == "td3" else ((256, 256), 3e-4))
    sb3 = pytest.importorskip("stable_baselines3", reason="it is not installed: `uv sync --extra sb3`")
    from inspect import signature

    theirs = signature({"td3": sb3.TD3, "sac": sb3.SAC}[algo]).parameters
    names = ("buffer_size", "learning_starts", "batch_size", "tau", "gamma", "learning_rate")
    names += ("policy_delay", "target_policy_noise", "target_noise_clip") if algo == "td3" else ()
    assert {name: getattr(s, name) for name in names} == {name: theirs[name].default for name in names}
