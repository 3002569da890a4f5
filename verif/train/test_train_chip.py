"""`rlcores train --on chip`: one curve on both backends, runs that go on, a policy for Gymnasium."""

import json
from dataclasses import replace

import numpy as np
import pytest

from rlcores import cli
from rlcores.train import chip
from rlcores.train.folder import Folder
from rlcores.train.loop import Run, Watch, make_trainer
from rlcores.train.on_chip import ChipPool
from rlcores.train.session import Request, make_plan

SHORT = {"algo": "ppo", "on": "chip", "envs": 4, "steps": 1536, "until": float("inf")}


def run(folder, watch: Watch | None = None, **given) -> Run:
    """Three rounds of four environments; the evaluations are short."""
    plan, spaces = make_plan(Request(**(SHORT | {"environment": "CartPole-v1"} | given)), None)
    plan = replace(plan, report=2)
    made = Run(plan, spaces, make_trainer(plan, spaces), ChipPool(plan, spaces), Folder(folder))
    made.run(watch)
    return made


class Stop(Watch):
    """Ctrl-C after the second round."""

    def progress(self, run, seen):
        assert seen.rewards.size == 512 and len(seen.episodes) > 0
        if run.state.step == 1024:
            run.stop.set()


@pytest.mark.parametrize("environment", ["CartPole-v1", "Pendulum-v1"])
def test_the_curve_is_one_on_both_backends(tmp_path, environment):
    runs = [run(tmp_path / backend, environment=environment, backend=backend) for backend in ("native", "model")]
    first, second = ((tmp_path / backend / "curve.csv").read_bytes() for backend in ("native", "model"))
    assert first == second and len(first.splitlines()) == 5
    assert runs[0].trainer.own.saturations() == runs[1].trainer.own.saturations()
    assert runs[0].trainer.updates == 3 * 16 * runs[0].trainer.own.settings.epochs


@pytest.mark.parametrize("later", ["native", "model"])
def test_a_stopped_run_goes_on_to_the_same_curve(tmp_path, later):
    run(tmp_path / "whole")
    run(tmp_path / "cut", Stop())
    assert (tmp_path / "cut" / "curve.csv").read_bytes() != (tmp_path / "whole" / "curve.csv").read_bytes()
    request = Request(checkpoint=tmp_path / "cut", resume=True, backend=later)
    kept = Folder(tmp_path / "cut").load()
    plan, spaces = make_plan(request, kept[0])
    made = Run(plan, spaces, make_trainer(plan, spaces), ChipPool(plan, spaces), Folder(tmp_path / "cut"))
    made.restore(*kept[1:])
    made.run()
    assert (tmp_path / "cut" / "curve.csv").read_bytes() == (tmp_path / "whole" / "curve.csv").read_bytes()


@pytest.mark.parametrize("environment", ["CartPole-v1", "Pendulum-v1"])
def test_the_policy_acts_as_the_chip_without_noise(tmp_path, environment, seed):
    """Over observations of Gymnasium, under PyTorch's names."""
    made = run(tmp_path / "run", environment=environment, steps=512)
    own, physics = made.trainer.own, chip.environments.named(environment)
    codes = np.random.default_rng(seed).integers(-(2**14), 2**14, (200, len(physics.observations)))
    wanted = own.look(codes)[0] / 2.0**16
    x = physics.numbers(codes)
    policy = made.trainer.policy()
    scale = 1.0 if physics.actions else 2.0  # Pendulum's torque
    assert np.abs(policy(x.astype(np.float32)) * scale - wanted).max() < 2e-3
    with np.load(tmp_path / "run" / "best.npz") as best:
        assert [name for name in best.files if name != "about"] == [
            f"{k}.{w}" for k in (0, 2, 4) for w in ("weight", "bias")
        ]
        assert best["0.weight"].shape == (64, len(physics.observations))


@pytest.mark.slow
def test_the_core_in_rtl_gives_the_curve_byte_for_byte_and_goes_on_with_it(tmp_path):
    """Three rounds; and one that is stopped behind the first and goes on."""
    given = {"config": "tiny", "envs": None, "steps": 144}

    class After(Watch):
        def progress(self, run, seen):
            run.stop.set()

    for backend in ("native", "rtl"):
        made = run(tmp_path / backend, backend=backend, **given)
    assert made.trainer.clocks > 144
    first, second = ((tmp_path / backend / "curve.csv").read_bytes() for backend in ("native", "rtl"))
    assert first == second and len(first.splitlines()) == 5
    run(tmp_path / "cut", After(), backend="rtl", **given)
    request = Request(checkpoint=tmp_path / "cut", resume=True)
    kept = Folder(tmp_path / "cut").load()
    plan, spaces = make_plan(request, kept[0])
    assert plan.backend == "rtl"
    again = Run(plan, spaces, make_trainer(plan, spaces), ChipPool(plan, spaces), Folder(tmp_path / "cut"))
    again.restore(*kept[1:])
    again.run()
    assert (tmp_path / "cut" / "curve.csv").read_bytes() == first


def test_the_command(tmp_path, capsys):
    given = ["train", "--algo", "ppo", "--env", "CartPole-v1", "--on", "chip", "--envs", "4", "--steps", "512"]
    folder = tmp_path / "run"
    assert cli.run([*given, "--network", "24,16", "--checkpoint", str(folder), "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["core"] == "ppo" and {f["name"]: f["value"] for f in document["figures"]}["train.steps"] == 512
    assert cli.run(["train", "--checkpoint", str(folder), "--resume", "--on", "host"]) == 2
    assert "was made with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            ["--algo", "ddpg", "--env", "Pendulum-v1"],
            "on the chip there are ppo and dqn so far; ddpg learns with --on host",
        ),
        (
            ["--env", "MountainCar-v0"],
            "the chip does not learn MountainCar-v0; environments of --on chip: CartPole-v1, ",
        ),
        (["--env", "Acrobot-v1", "--config", "tiny"], "the configuration tiny is of CartPole-v1, not of Acrobot-v1"),
        (["--env", "CartPole-v1", "--config", "no"], "core 'ppo_env' has no configuration 'no'"),
        (["--env", "CartPole-v1", "--accuracy", "8bit"], "--accuracy is of a core that --on chip does not use"),
        (["--env", "CartPole-v1", "--actors", "2"], "--actors and --ray share out environments of the host"),
        (["--env", "CartPole-v1", "--batch-size", "100"], "batch_size is 100; it must divide a rollout of 8192 steps"),
        (["--env", "CartPole-v1", "--network", "64"], "the chip's formats are of 2 hidden layers; network is [64]"),
        (["--env", "CartPole-v1", "--batch-size", "1"], "minibatches is 8192; the register holds 1 to 4096"),
        (["--env", "CartPole-v1", "--on", "moon"], "there is no place 'moon' to train on; places: host, chip"),
    ],
)
def test_what_the_chip_does_not_do_is_one_sentence(tmp_path, capsys, given, says):
    place = [] if "--on" in given else ["--on", "chip"]
    algo = [] if "--algo" in given else ["--algo", "ppo"]
    assert cli.run(["train", *algo, *place, *given, "--checkpoint", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1
    assert not (tmp_path / "run" / "checkpoint.npz").exists()
