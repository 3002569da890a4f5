"""`rlcores train --algo dqn --on chip`: one curve on all backends, runs that go on, a policy for Gymnasium."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rlcores import cli
from rlcores.cores.env.environments import named
from rlcores.train import agents
from rlcores.train.folder import Folder
from rlcores.train.loop import Run, Watch, make_trainer
from rlcores.train.on_chip import ChipPool
from rlcores.train.session import Request, make_plan

TUNING = {"network": [8, 8], "buffer_size": 250, "batch_size": 8, "learning_starts": 300, "explore_steps": 500}
SHORT = {"algo": "dqn", "on": "chip", "envs": 2, "until": float("inf"), "tuning": TUNING}


def run(folder: Path, watch: Watch | None = None, rounds: int = 3, **given) -> Run:
    """Rounds of two environments, the first one without a gradient step; the evaluations are short."""
    steps = {"steps": rounds * 2 * agents.ROUND}
    plan, spaces = make_plan(Request(**(SHORT | steps | {"environment": "CartPole-v1"} | given)), None)
    plan = replace(plan, report=2, evaluate_every=2 * agents.ROUND)
    made = Run(plan, spaces, make_trainer(plan, spaces), ChipPool(plan, spaces), Folder(folder))
    made.run(watch)
    return made


class Stop(Watch):
    """Ctrl-C after the second round."""

    def progress(self, run, seen):
        assert seen.rewards.size == 250 and len(seen.episodes) > 0
        if run.state.step == 500:
            run.stop.set()


def test_the_curve_is_one_on_both_backends(tmp_path):
    runs = [run(tmp_path / backend, backend=backend) for backend in ("native", "model")]
    first, second = ((tmp_path / backend / "curve.csv").read_bytes() for backend in ("native", "model"))
    assert first == second and len(first.splitlines()) == 5
    assert [made.trainer.updates for made in runs] == [2 * (3 * 125 - 150 + 1)] * 2
    assert len(set(line.split(b",")[-1] for line in first.splitlines()[1:])) == 4


@pytest.mark.slow
def test_the_core_learns_as_the_model_does_byte_for_byte(tmp_path):
    for backend in ("model", "rtl"):
        run(tmp_path / backend, backend=backend)
    first, second = ((tmp_path / backend / "curve.csv").read_bytes() for backend in ("model", "rtl"))
    assert first == second and len(first.splitlines()) == 5


@pytest.mark.parametrize("later", ["native", "model"])
def test_a_stopped_run_goes_on_to_the_same_curve(tmp_path, later):
    run(tmp_path / "whole")
    run(tmp_path / "cut", Stop())
    assert (tmp_path / "cut" / "curve.csv").read_bytes() != (tmp_path / "whole" / "curve.csv").read_bytes()
    request = Request(checkpoint=tmp_path / "cut", resume=True, backend=later)
    kept = Folder(tmp_path / "cut").load()
    plan, spaces = make_plan(request, kept[0])
    plan = replace(plan, report=2, evaluate_every=2 * agents.ROUND)
    made = Run(plan, spaces, make_trainer(plan, spaces), ChipPool(plan, spaces), Folder(tmp_path / "cut"))
    made.restore(*kept[1:])
    made.run()
    assert (tmp_path / "cut" / "curve.csv").read_bytes() == (tmp_path / "whole" / "curve.csv").read_bytes()


@pytest.mark.parametrize("environment", ["CartPole-v1", "Acrobot-v1"])
def test_the_policy_values_what_gymnasium_shows_as_the_chip_values_its_codes(tmp_path, environment, seed):
    made = run(tmp_path / "run", environment=environment, rounds=2)
    physics = named(agents.task_of(environment).name)
    codes = np.random.default_rng(seed).integers(-(2**14), 2**14, (200, len(physics.observations)))
    agent = made.trainer.made.agent
    agent.reload()
    wanted = agent.policy.outputs(codes) / 2.0**16
    found = made.trainer.policy()(physics.numbers(codes).astype(np.float32))
    assert np.abs(found - wanted).max() < 2e-2
    with np.load(tmp_path / "run" / "best.npz") as best:
        assert [name for name in best.files if name != "about"] == [
            f"{k}.{w}" for k in (0, 2, 4) for w in ("weight", "bias")
        ]
        assert best["0.weight"].shape == (8, len(physics.observations))


def test_the_command(tmp_path, capsys):
    given = ["train", "--algo", "dqn", "--env", "CartPole-v1", "--on", "chip", "--envs", "4", "--steps", "500"]
    folder = tmp_path / "run"
    assert cli.run([*given, "--network", "24,16", "--checkpoint", str(folder), "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["core"] == "agent" and {f["name"]: f["value"] for f in document["figures"]}["train.steps"] == 500


@pytest.mark.slow
@pytest.mark.parametrize(("environment", "goal"), [("CartPole-v1", 475), ("Acrobot-v1", -100)])
@pytest.mark.parametrize("run_seed", [1, 2, 3])
def test_the_chip_learns_it_and_gymnasium_agrees(tmp_path, environment, goal, run_seed):
    plan, spaces = make_plan(Request(algo="dqn", on="chip", environment=environment, seed=run_seed), None)
    made = Run(plan, spaces, make_trainer(plan, spaces), ChipPool(plan, spaces), Folder(tmp_path / "run"))
    made.run()
    mean = made.report()
    print(f"{environment}, seed {run_seed}: {mean:.1f} after {made.state.step} steps")
    assert mean >= goal


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--env", "Pendulum-v1"], "dqn takes numbered actions, but those of Pendulum-v1 are vectors"),
        (["--env", "MountainCar-v0"], "the chip does not learn MountainCar-v0 with dqn; environments of --on chip: "),
        (["--env", "CartPole-v1", "--actors", "2"], "--actors and --ray share out environments of the host"),
        (["--env", "CartPole-v1", "--replay", "127.0.0.1:9"], "--replay is of actors on the host"),
        (["--env", "CartPole-v1", "--network", "64"], "the chip's formats are of 2 hidden layers; network is [64]"),
        (["--env", "CartPole-v1", "--backend", "rtl"], "batch_size is 64; the core takes at most 16 so far"),
        (["--env", "CartPole-v1", "--buffer-size", "3"], "learning_starts is 64; it must be 1 to 3"),
        (["--env", "CartPole-v1", "--accuracy", "8bit"], "--accuracy is of a core that --on chip does not use"),
    ],
)
def test_what_the_chip_does_not_do_is_one_sentence(tmp_path, capsys, given, says):
    assert cli.run(["train", "--algo", "dqn", "--on", "chip", *given, "--checkpoint", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1
    assert not (tmp_path / "run" / "checkpoint.npz").exists()
