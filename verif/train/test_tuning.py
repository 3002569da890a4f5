"""What `rlcores train` lets people tune: each option where it belongs, one sentence for a mistake, kept by --resume."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from rlcores import cli
from rlcores.errors import UserError
from rlcores.train import algorithms, replaying, settings, spaces, tuning


def plan(algo: str, environment: str, **options) -> settings.Plan:
    return settings.plan(algo, environment, "model", spaces.look(environment), tuning=options)


def test_each_setting_reaches_the_algorithm():
    options = {"network": [32], "gamma": 0.9, "learning_rate": 2e-3, "batch_size": 16}
    off = {"buffer_size": 5000, "learning_starts": 100}
    s = plan("dqn", "CartPole-v1", **options, **off, explore_steps=500).settings
    cartpole, pendulum = spaces.look("CartPole-v1"), spaces.look("Pendulum-v1")
    assert s.sizes(cartpole) == ((4, 32, 2), None) and s.formats is None
    assert (s.gamma, s.learning_rate, s.batch_size) == (0.9, 2e-3, 16)
    assert (s.buffer_size, s.learning_starts, s.explore_steps) == (5000, 100, 500)
    s = plan("ddpg", "Pendulum-v1", **options, **off).settings
    assert s.sizes(pendulum) == ((4, 32, 1), (3, 32, 1))
    ppo = plan("ppo", "CartPole-v1", **options, gae_lambda=0.5, entropy=0.1).settings
    assert (ppo.network, ppo.gamma, ppo.batch_size, ppo.gae_lambda, ppo.entropy) == ((32,), 0.9, 16, 0.5, 0.1)
    assert ppo.learning_rate == ppo.value_learning_rate == 2e-3
    learner = replaying.make(plan("dqn", "CartPole-v1", ahead=50), cartpole)
    assert learner.driver.registers.ahead == 50 and learner.driver.registers.relaxed
    assert not replaying.make(plan("dqn", "CartPole-v1"), cartpole).driver.registers.relaxed


def test_every_option_is_a_setting_that_reaches_its_algorithm():
    """One vocabulary: what the command line takes by name stands under that name in the settings of the plan."""
    values = {int: 7, float: 0.5, "layers": [8, 9]}
    seen = set()
    for name, algorithm in algorithms.ALL.items():
        environment = "CartPole-v1" if algorithm.actions != "vectors" else "Pendulum-v1"
        for option in algorithm.options.values():
            value = option.choices[-1] if option.choices else values[option.kind]
            several = {"learners": 2} if option.name == "importance" else {}  # which is of several learners alone
            setting = getattr(plan(name, environment, **several | {option.name: value}).settings, option.name)
            assert setting == (tuple(value) if option.kind == "layers" else value), (name, option.name)
            seen.add(option.name)
    assert seen == set(tuning.NAMES) and len(seen) >= 22


def test_an_algorithm_says_which_actions_it_takes():
    with pytest.raises(UserError, match="sac takes vectors of actions, but those of CartPole-v1 are numbered; use dqn"):
        plan("sac", "CartPole-v1")
    with pytest.raises(UserError, match="dqn takes numbered actions, but those of Pendulum-v1 are vectors; use ddpg"):
        plan("dqn", "Pendulum-v1")
    with pytest.raises(UserError, match="there is no algorithm 'a3c'; algorithms: dqn, dueling, ddpg, td3, sac, ppo"):
        plan("a3c", "Pendulum-v1")
    with pytest.raises(
        UserError, match="td3 has no core with its environments; algorithms of --on chip: dqn, ddpg, ppo"
    ):
        settings.plan("td3", "Pendulum-v1", "native", spaces.look("Pendulum-v1"), on="chip")


def test_nothing_given_changes_nothing():
    assert plan("dqn", "CartPole-v1") == plan("dqn", "CartPole-v1", gamma=None)
    assert plan("dqn", "CartPole-v1").settings.formats


@pytest.mark.parametrize(
    ("algo", "options", "sentence"),
    [
        ("ppo", {"buffer_size": 9}, "ppo has no setting 'buffer_size'"),
        ("dqn", {"gae_lambda": 0.9}, "dqn has no setting 'gae_lambda'"),
        ("ddpg", {"explore_steps": 9}, "ddpg has no setting 'explore_steps'"),
        ("dqn", {"speed": 1}, "dqn has no setting 'speed'"),
        ("dqn", {"gamma": 1.5}, "gamma is 1.5; it must be 0.0 to 1.0"),
        ("dqn", {"gamma": float("nan")}, "gamma is nan; it must be 0.0 to 1.0"),
        ("dqn", {"learning_rate": 0.0}, "learning_rate is 0.0; it must be above 0.0 to 1.0"),
        ("dqn", {"batch_size": 20000}, "batch_size is 20000; it must be 1 to 16384"),
        ("dqn", {"batch_size": "a"}, "batch_size is a; it must be 1 to 16384"),
        ("dqn", {"network": [0]}, r"network is \[0\]; it must be 1 to 3 hidden layers of 1 to 1024 neurons"),
        ("dqn", {"network": "64"}, "network is 64; it must be 1 to 3 hidden layers"),
    ],
)
def test_what_is_wrong_is_one_sentence(algo, options, sentence):
    with pytest.raises(UserError, match=sentence):
        tuning.checked(algo, options)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--network", "64,x"], "network is '64,x'; it must be the neurons of each hidden layer, such as 64,64"),
        (["--gamma", "2"], "gamma is 2.0; it must be 0.0 to 1.0"),
        (["--buffer-size", "9"], "ppo has no setting 'buffer_size'"),
    ],
)
def test_options_fail_before_anything_is_written(words, sentence, tmp_path, capsys):
    folder = tmp_path / "run"
    assert cli.run(["train", "--algo", "ppo", "--env", "CartPole-v1", "--checkpoint", str(folder), *words]) == 2
    assert sentence in capsys.readouterr().err and not list(tmp_path.rglob("*.npz"))


def test_a_run_that_goes_on_keeps_what_was_tuned(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(os.environ, "PYTHONPATH", str(Path(__file__).parent))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    folder = str(tmp_path / "run")
    short = ["train", "--algo", "ppo", "--env", "train_envs:Line-v0", "--until", "inf"]
    short += ["--actors", "1", "--checkpoint", folder]
    assert cli.run([*short, "--steps", "2048", "--network", "8,8", "--gamma", "0.5"]) == 0
    with np.load(Path(folder) / "checkpoint.npz") as kept:
        plan = json.loads(str(kept["run"]))["plan"]
    assert plan["tuning"] == {"network": [8, 8], "gamma": 0.5} and plan["settings"]["network"] == [8, 8]
    assert cli.run(["train", "--checkpoint", folder, "--resume", "--actors", "1", "--env", "train_envs:Line-v0"]) == 0
    capsys.readouterr()
    assert (
        cli.run(
            [
                "train",
                "--checkpoint",
                folder,
                "--resume",
                "--actors",
                "1",
                "--env",
                "train_envs:Line-v0",
                "--gamma",
                "0.6",
            ]
        )
        == 2
    )
    assert "gamma" in capsys.readouterr().err
