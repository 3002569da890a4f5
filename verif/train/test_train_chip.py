"""`rlcores train --on chip`: one curve on both backends, runs that go on, a policy for Gymnasium."""

import json

import chip_runs
import numpy as np
import pytest
from chip_runs import Stop, curve

from rlcores import cli
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.train import chip
from rlcores.train.loop import Callback, Run

SHORT = {"algo": "ppo", "on": "chip", "envs": 4, "steps": 1536, "until": float("inf"), "environment": "CartPole-v1"}


def run(folder, watch: Callback | None = None, **changes) -> Run:
    """Three rounds of four environments; the evaluations are short."""
    return chip_runs.run(folder, watch, {"report": 2}, **(SHORT | changes))


@pytest.mark.parametrize("environment", ["CartPole-v1", "Pendulum-v1", "rlcores/PmsmCurrent-v0"])
def test_the_curve_is_one_on_both_backends(tmp_path, environment):
    runs = [run(tmp_path / backend, environment=environment, backend=backend) for backend in ("native", "model")]
    first, second = (curve(tmp_path / backend) for backend in ("native", "model"))
    assert first == second and len(first.splitlines()) == 5
    assert runs[0].trainer.own.saturations() == runs[1].trainer.own.saturations()
    assert runs[0].trainer.updates == 3 * 16 * runs[0].trainer.own.settings.epochs


@pytest.mark.parametrize("later", ["native", "model"])
def test_a_stopped_run_goes_on_to_the_same_curve(tmp_path, later):
    run(tmp_path / "whole")
    run(tmp_path / "cut", Stop(step=1024, rewards=512))
    assert curve(tmp_path / "cut") != curve(tmp_path / "whole")
    chip_runs.go_on(tmp_path / "cut", backend=later)
    assert curve(tmp_path / "cut") == curve(tmp_path / "whole")


@pytest.mark.parametrize("environment", ["CartPole-v1", "Pendulum-v1", "rlcores/Quadrotor-v0"])
def test_the_policy_acts_as_the_chip_without_noise(tmp_path, environment, seed):
    """Over observations of Gymnasium, under PyTorch's names."""
    made = run(tmp_path / "run", environment=environment, steps=512)
    own, physics = made.trainer.own, chip.environments.named(environment)
    codes = np.random.default_rng(seed).integers(-(2**14), 2**14, (200, len(physics.observations)))
    wanted = own.look(codes)[0] / 2.0**16
    x = physics.numbers(codes)
    policy = made.trainer.policy()
    scale = 1.0 if physics.actions else physics.action_range[1]
    assert np.abs(policy(x.astype(np.float32)) * scale - wanted).max() < 2e-3
    chip_runs.check_policy(tmp_path / "run", 64, len(physics.observations))


class First(Callback):
    """Ctrl-C behind the first round."""

    def progress(self, run, seen):
        run.stop.set()


def test_a_configuration_says_the_bits_of_records(tmp_path, monkeypatch):
    changes, whole = {"envs": None, "steps": 144, "config": "tiny"}, chip.built
    assert run(tmp_path / "whole", **changes).trainer.own.settings.record_bits == 0
    monkeypatch.setattr(chip, "built", lambda *names: whole(*names) | {"RECORD_BITS": 8})
    assert run(tmp_path / "few", **changes).trainer.own.settings.record_bits == 8
    assert curve(tmp_path / "whole") != curve(tmp_path / "few")
    run(tmp_path / "cut", First(), **changes)
    chip_runs.go_on(tmp_path / "cut")
    assert curve(tmp_path / "cut") == curve(tmp_path / "few")


@pytest.mark.slow
def test_the_core_in_rtl_gives_the_curve_byte_for_byte_and_goes_on_with_it(tmp_path):
    """Three rounds; and one that is stopped behind the first and goes on."""
    changes = {"config": "tiny", "envs": None, "steps": 144}

    for backend in ("native", "rtl"):
        made = run(tmp_path / backend, backend=backend, **changes)
    assert made.trainer.clocks > 144
    first, second = (curve(tmp_path / backend) for backend in ("native", "rtl"))
    assert first == second and len(first.splitlines()) == 5
    run(tmp_path / "cut", First(), backend="rtl", **changes)
    assert chip_runs.go_on(tmp_path / "cut").plan.backend == "rtl"
    assert curve(tmp_path / "cut") == first


@pytest.mark.slow
@pytest.mark.parametrize("environment", [p.gymnasium for p in ENVIRONMENTS.values() if not p.actions])
def test_a_gaussian_policy_in_rtl_gives_the_engines_curve(tmp_path, environment):
    rounds = 2 if environment == "Pendulum-v1" else 1
    steps = 4 * chip.task_of(environment).settings.get("steps", chip.STEPS) * rounds
    changes = {"environment": environment, "steps": steps, "tuning": {"network": [8, 8]}}
    first, second = (run(tmp_path / backend, backend=backend, **changes) for backend in ("native", "rtl"))
    assert curve(tmp_path / "native") == curve(tmp_path / "rtl")
    assert second.trainer.own.iterations == rounds
    assert np.array_equal(first.trainer.own.logs, second.trainer.own.logs) and second.trainer.own.logs[1].any()


def test_the_command(tmp_path, capsys):
    words = ["train", "--algo", "ppo", "--env", "CartPole-v1", "--on", "chip", "--envs", "4", "--steps", "512"]
    folder = tmp_path / "run"
    assert cli.run([*words, "--network", "24,16", "--checkpoint", str(folder), "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["core"] == "ppo" and {f["name"]: f["value"] for f in document["figures"]}["train.steps"] == 512
    assert cli.run(["train", "--checkpoint", str(folder), "--resume", "--on", "host"]) == 2
    assert "was made with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["--algo", "ddpg", "--env", "MountainCarContinuous-v0"],
            "the chip does not learn MountainCarContinuous-v0 with ddpg; environments of --on chip: Pendulum-v1",
        ),
        (
            ["--env", "MountainCar-v0"],
            "the chip does not learn MountainCar-v0; environments of --on chip: CartPole-v1, ",
        ),
        (["--env", "Acrobot-v1", "--config", "tiny"], "the configuration tiny is of CartPole-v1, not of Acrobot-v1"),
        (
            ["--env", "CartPole-v1", "--config", "tiny", "--envs", "16"],
            "the configuration tiny has 6 environments; the run needs 16",
        ),
        (["--env", "CartPole-v1", "--config", "no"], "core 'ppo_env' has no configuration 'no'"),
        (["--env", "CartPole-v1", "--accuracy", "8bit"], "--accuracy is of a core that --on chip does not use"),
        (["--env", "CartPole-v1", "--actors", "2"], "--actors and --ray share out environments of the host"),
        (["--env", "CartPole-v1", "--batch-size", "100"], "batch_size is 100; it must divide a rollout of 8192 steps"),
        (["--env", "CartPole-v1", "--network", "64"], "the chip's formats are of 2 hidden layers; network is [64]"),
        (["--env", "CartPole-v1", "--batch-size", "1"], "minibatches is 8192; the register holds 1 to 4096"),
        (["--env", "CartPole-v1", "--on", "moon"], "there is no place 'moon' to train on; places: host, chip"),
    ],
)
def test_what_the_chip_does_not_do_is_one_sentence(tmp_path, capsys, words, says):
    place = [] if "--on" in words else ["--on", "chip"]
    algo = [] if "--algo" in words else ["--algo", "ppo"]
    assert cli.run(["train", *algo, *place, *words, "--checkpoint", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1
    assert not (tmp_path / "run" / "checkpoint.npz").exists()
