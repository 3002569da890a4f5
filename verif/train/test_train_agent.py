"""`rlcores train --on chip` of DQN and DDPG: one curve on all backends, runs that go on, a policy for Gymnasium."""

import json
from pathlib import Path

import chip_runs
import numpy as np
import pytest
from chip_runs import Stop, curve

from rlcores import cli
from rlcores.train import agents
from rlcores.train.loop import Callback, Run

TUNING = {"network": [8, 8], "buffer_size": 250, "batch_size": 8, "learning_starts": 300, "explore_steps": 500}
SHORT = {"algo": "dqn", "on": "chip", "envs": 2, "until": float("inf"), "tuning": TUNING, "environment": "CartPole-v1"}
PLAN = {"report": 2, "evaluate_every": 2 * agents.ROUND}
VECTORS = {"algo": "ddpg", "environment": "Pendulum-v1"}
VECTORS["tuning"] = {name: value for name, value in TUNING.items() if name != "explore_steps"}


def run(folder: Path, watch: Callback | None = None, rounds: int = 3, **changes) -> Run:
    """Rounds of two environments, the first one without a gradient step; the evaluations are short."""
    return chip_runs.run(folder, watch, PLAN, **(SHORT | {"steps": rounds * 2 * agents.ROUND} | changes))


@pytest.mark.parametrize("changes", [{}, VECTORS], ids=["dqn", "ddpg"])
def test_the_curve_is_one_on_both_backends(tmp_path, changes):
    runs = [run(tmp_path / backend, backend=backend, **changes) for backend in ("native", "model")]
    first, second = (curve(tmp_path / backend) for backend in ("native", "model"))
    assert first == second and len(first.splitlines()) == 5
    assert [made.trainer.updates for made in runs] == [2 * (3 * 125 - 150 + 1)] * 2
    assert len(set(line.split(b",")[-1] for line in first.splitlines()[1:])) == 4


@pytest.mark.slow
@pytest.mark.parametrize("changes", [SHORT, VECTORS], ids=["dqn", "ddpg"])
def test_the_core_learns_as_the_model_does_byte_for_byte(tmp_path, changes):
    long = changes | {"tuning": changes["tuning"] | {"batch_size": 64}}  # as the task has it
    for backend in ("model", "rtl"):
        run(tmp_path / backend, backend=backend, **long)
    first, second = (curve(tmp_path / backend) for backend in ("model", "rtl"))
    assert first == second and len(first.splitlines()) == 5


@pytest.mark.parametrize("later", ["native", "model"])
def test_a_stopped_run_goes_on_to_the_same_curve(tmp_path, later):
    run(tmp_path / "whole")
    run(tmp_path / "cut", Stop(step=500, rewards=250))
    assert curve(tmp_path / "cut") != curve(tmp_path / "whole")
    chip_runs.go_on(tmp_path / "cut", PLAN, backend=later)
    assert curve(tmp_path / "cut") == curve(tmp_path / "whole")


@pytest.mark.parametrize("environment", ["CartPole-v1", "Acrobot-v1", "Pendulum-v1"])
def test_the_policy_values_what_gymnasium_shows_as_the_chip_values_its_codes(tmp_path, environment, seed):
    changes = VECTORS if environment == "Pendulum-v1" else {"environment": environment}
    made = run(tmp_path / "run", rounds=2, **changes)
    physics = made.trainer.made.agent.envs.physics
    codes = np.random.default_rng(seed).integers(-(2**14), 2**14, (200, len(physics.observations)))
    agent = made.trainer.made.agent
    agent.reload()
    wanted = agent.policy.outputs(codes) / 2.0 ** agent.policy.act_frac[-1]
    wanted = np.tanh(wanted) if agent.policy.continuous else wanted
    values = made.trainer.policy()(physics.numbers(codes).astype(np.float32))
    assert np.abs(values - wanted).max() < 2e-2
    chip_runs.check_policy(tmp_path / "run", 8, len(physics.observations))


def test_the_command(tmp_path, capsys):
    words = ["train", "--algo", "dqn", "--env", "CartPole-v1", "--on", "chip", "--envs", "4", "--steps", "500"]
    folder = tmp_path / "run"
    assert cli.run([*words, "--network", "24,16", "--checkpoint", str(folder), "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["core"] == "agent" and {f["name"]: f["value"] for f in document["figures"]}["train.steps"] == 500


@pytest.mark.slow
@pytest.mark.parametrize(
    ("algo", "environment", "goal"),
    [("dqn", "CartPole-v1", 475), ("dqn", "Acrobot-v1", -100), ("ddpg", "Pendulum-v1", -250)],
)
@pytest.mark.parametrize("run_seed", [1, 2, 3])
def test_the_chip_learns_it_and_gymnasium_agrees(tmp_path, algo, environment, goal, run_seed):
    made = chip_runs.run(tmp_path / "run", algo=algo, on="chip", environment=environment, seed=run_seed)
    mean = made.report()
    print(f"{environment}, seed {run_seed}: {mean:.1f} after {made.state.step} steps")
    assert mean >= goal


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--env", "Pendulum-v1"], "dqn takes numbered actions, but those of Pendulum-v1 are vectors"),
        (["--env", "MountainCar-v0"], "the chip does not learn MountainCar-v0 with dqn; environments of --on chip: "),
        (["--env", "CartPole-v1", "--actors", "2"], "--actors and --ray share out environments of the host"),
        (["--env", "CartPole-v1", "--replay", "127.0.0.1:9"], "--replay is of actors on the host"),
        (["--env", "CartPole-v1", "--network", "64"], "the chip's formats are of 2 hidden layers; network is [64]"),
        (["--env", "CartPole-v1", "--buffer-size", "3"], "learning_starts is 64; it must be 1 to 3"),
        (["--env", "CartPole-v1", "--accuracy", "8bit"], "--accuracy is of a core that --on chip does not use"),
        (
            ["--env", "CartPole-v1", "--replay-key", "key"],
            "--replay-key is the key of a replay server, but there is no",
        ),
        (
            ["--env", "CartPole-v1", "--config", "cartpole", "--envs", "8"],
            "the configuration cartpole has 4 environments; the run needs 8",
        ),
        (
            ["--env", "Acrobot-v1", "--config", "cartpole"],
            "configuration cartpole is of CartPole-v1, not of Acrobot-v1",
        ),
        (
            ["--env", "CartPole-v1", "--config", "tiny"],
            "episodes of the configuration tiny end after 12 steps, not 500",
        ),
        (["--env", "CartPole-v1", "--envs", "5000"], "envs is 5000; a core has 1 to 4096"),
    ],
)
def test_what_the_chip_does_not_do_is_one_sentence(tmp_path, capsys, words, says):
    assert cli.run(["train", "--algo", "dqn", "--on", "chip", *words, "--checkpoint", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1
    assert not (tmp_path / "run" / "checkpoint.npz").exists()
