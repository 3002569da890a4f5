"""`rlcores train`: a wrong request is one sentence and changes nothing; Ctrl-C leaves a checkpoint to go on from."""

import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from train_runs import heed

from rlcores import cli
from rlcores.base import tools
from rlcores.train import pool

SHORT = ["train", "--algo", "ppo", "--env", "CartPole-v1", "--actors", "1", "--until", "inf"]


def contents(folder):
    """The files of a run's folder; TensorBoard's, which come with the first figure, stand in a folder of their own."""
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()} if folder.exists() else {}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--env", "CartPole-v1"], "--algo is missing"),
        (["--algo", "dqn"], "--env is missing"),
        (["--algo", "a3c", "--env", "CartPole-v1"], "algorithms: dqn, dueling, ddpg, td3, sac, ppo"),
        (["--algo", "dqn", "--env", "CartPole-v1", "--backend", "gpu"], "backends: native, model, rtl"),
        (["--algo", "dqn", "--env", "CartPole-v1", "--backend", "torch"], "there is no backend 'torch'"),
        (["--algo", "dqn", "--env", "Nonsense-v3"], "there is no environment 'Nonsense-v3'"),
        (["--algo", "dqn", "--env", "no_module:Nonsense-v3"], "there is no environment"),
        (["--algo", "dqn", "--env", "Pendulum-v1"], "use ddpg, td3, sac or ppo"),
        (["--algo", "ddpg", "--env", "CartPole-v1"], "use dqn, dueling or ppo"),
        (["--algo", "sac", "--env", "Pendulum-v1", "--ent-coef", "1e-9"], "it must be 1e-06 to 60"),
        (["--algo", "ppo", "--env", "FrozenLake-v1"], "takes a Box of one dimension"),
        (["--algo", "ppo", "--env", "train_envs:Unbounded-v0"], "takes a bounded Box"),
        (["--algo", "ddpg", "--env", "train_envs:Matrix-v0"], "takes Discrete, or a Box of one dimension"),
        (["--algo", "ppo", "--env", "train_envs:WrongShape-v0", "--actors", "1"], "shape (3,); it must be (2,)"),
        (["--algo", "ppo", "--env", "CartPole-v1", "--config", "nonsense"], "configurations: tiny"),
        (["--algo", "ppo", "--env", "CartPole-v1", "--actors", "9"], "there are 9 actors; it must be 1 to 8"),
        (["--algo", "ppo", "--env", "CartPole-v1", "--steps", "0"], "--steps"),
        (["--algo", "ppo", "--env", "CartPole-v1", "--seed", "-1"], "--seed"),
        (["--algo", "ppo", "--env", "CartPole-v1", "--until", "nan"], "until is nan"),
        (["--algo", "ppo", "--env", "train_envs:NanReward-v0", "--actors", "1"], "gave the reward nan"),
    ],
)
def test_wrong_request_is_one_sentence(arguments, sentence, tmp_path, capsys):
    assert cli.run(["train", *arguments, "--checkpoint", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert said.startswith("rlcores: ") and len(said.splitlines()) == 1
    assert sentence in said
    assert contents(tmp_path / "run") == {} and not (tmp_path / "run" / "tensorboard").exists()


def test_what_is_not_installed_is_named(tmp_path, capsys):
    if importlib.util.find_spec("ray"):
        pytest.skip("ray is installed")
    assert cli.run([*SHORT, "--ray", "auto", "--checkpoint", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert "pip install 'rlcores[ray]'" in said and len(said.splitlines()) == 1
    assert contents(tmp_path / "run") == {}


def test_no_compiler_is_one_sentence(tmp_path, capsys, monkeypatch):
    from rlcores.eda import library

    monkeypatch.setattr(tools, "have", lambda command: command != "g++")
    monkeypatch.setattr(library, "home", lambda: tmp_path / "none")
    arguments = ["train", "--algo", "ppo", "--env", "CartPole-v1", "--backend", "rtl", "--config", "tiny"]
    assert cli.run([*arguments, "--checkpoint", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert "'g++' was not found" in said and len(said.splitlines()) == 1
    assert contents(tmp_path / "run") == {}


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize(
    ("until", "line"), [("20", "goal 20 reached at step "), ("475", "short of the goal 475"), ("inf", None)]
)
def test_a_run_says_whether_it_reached_its_goal(tmp_path, capsys, monkeypatch, terminal, until, line):
    if terminal:
        monkeypatch.setenv("TTY_COMPATIBLE", "1")
    short = ["train", "--algo", "ppo", "--env", "CartPole-v1", "--actors", "1", "--steps", "2048"]
    written = tmp_path / "figures.json"
    assert cli.run([*short, "--until", until, "--checkpoint", str(tmp_path / "run"), "--json", str(written)]) == 0
    said = capsys.readouterr().out
    assert (line or "") in said and ("goal" in said) == (line is not None)
    document, run = (json.loads(file.read_text()) for file in (written, tmp_path / "run" / "run.json"))
    assert document["goal"] == (None if until == "inf" else float(until))
    assert document["reached"] == run["reached"] == (until == "20")


def test_a_run_is_never_overwritten_and_goes_on_with_resume(tmp_path, capsys):
    run, other = tmp_path / "run", tmp_path / "other"
    assert cli.run([*SHORT, "--steps", "1024", "--checkpoint", str(run), "--json", str(tmp_path / "a.json")]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"ppo on CartPole-v1, from step 0 to 1,024: {run}\n")
    assert "best policy: mean return" in said and "of 100 episodes" in said
    assert set(contents(run)) == {"best.npz", "checkpoint.npz", "curve.csv", "curve.png", "run.json"}
    document = json.loads((tmp_path / "a.json").read_text())
    figures = {f["name"]: f["value"] for f in document["figures"]}
    assert figures["train.steps"] == 1024 and figures["train.gradient_steps"] == 4 * 20
    assert (document["command"], document["core"], document["environment"]) == ("train", "gae", "CartPole-v1")
    last = (run / "curve.csv").read_text().splitlines()[-1].rpartition(",")[2]
    assert len(last) == 16 and document["digest"] == last and f"after every round: {last}\n" in said

    before = contents(run)
    wrong = [
        ([*SHORT, "--checkpoint", str(run)], "already holds a run (checkpoint.npz)"),
        ([*SHORT, "--checkpoint", str(run), "--resume", "--seed", "5"], "was made with seed = 0, not 5"),
        ([*SHORT, "--checkpoint", str(run), "--resume", "--envs", "4"], "was made with envs = 8, not 4"),
        (["train", "--checkpoint", str(run), "--resume", "--env", "Acrobot-v1"], "was made with environment"),
        (["train", "--checkpoint", str(other), "--resume"], "there is no checkpoint in"),
        (["train", "--resume"], "--resume needs --checkpoint"),
    ]
    for arguments, sentence in wrong:
        assert cli.run(arguments) == 2
        assert sentence in capsys.readouterr().err
    assert contents(run) == before and not other.exists()

    assert cli.run(["train", "--checkpoint", str(run), "--resume", "--steps", "2048", "--actors", "1"]) == 0
    lines = (run / "curve.csv").read_text().splitlines()
    assert lines[: len(before["curve.csv"].decode().splitlines())] == before["curve.csv"].decode().splitlines()
    assert json.loads((run / "run.json").read_text())["step"] == 2048


def test_ctrl_c_leaves_a_checkpoint_that_goes_on_as_if_nothing_had_been(tmp_path):
    whole, cut, gate, errors = (tmp_path / name for name in ("whole", "cut", "gate", "errors"))
    # Episodes of five steps: evaluations cost nothing.
    arguments = ["train", "--algo", "ppo", "--env", "train_envs:Held-v0", "--until", "inf"]
    arguments += ["--steps", "12288"]
    with errors.open("w") as stream:
        process = subprocess.Popen(
            [str(tools.scripts() / "rlcores"), *arguments, "--actors", "2", "--checkpoint", str(cut)],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parent), "TRAIN_ENVS_GATE": str(gate)},
            stdout=subprocess.PIPE,
            stderr=stream,
            text=True,
            preexec_fn=heed,
        )
    # The first evaluation is before the first gradient step, and the actors wait in the second round until the
    # interrupt has been heard: the run cannot end before it.
    while not (cut / "best.npz").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    while not errors.read_text().endswith("\n") and process.poll() is None:
        time.sleep(0.01)
    gate.touch()
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 130, errors.read_text()
    assert errors.read_text() == "stopping after this round; Ctrl-C again stops at once\n"
    assert "to go on: rlcores train --checkpoint" in said.replace("\n", " ")
    assert set(contents(cut)) == {"best.npz", "checkpoint.npz", "curve.csv", "curve.png", "run.json"}
    with np.load(cut / "checkpoint.npz") as kept:
        # Nothing was done yet when the interrupt came before the first round.
        assert 0 <= json.loads(str(kept["run"]))["state"]["step"] <= 2048
    own = ["--env", "train_envs:Held-v0"]  # of a module, which a checkpoint alone does not import
    assert cli.run(["train", "--checkpoint", str(cut), "--resume", "--actors", "1", *own]) == 0
    assert json.loads((cut / "run.json").read_text())["step"] == 12_288
    assert cli.run([*arguments, "--actors", "1", "--checkpoint", str(whole)]) == 0
    assert len(contents(whole)["curve.csv"].splitlines()) == 1 + 3
    assert contents(cut)["curve.csv"] == contents(whole)["curve.csv"]


def test_ray_actors_give_the_same_run(tmp_path, capsys):
    pytest.importorskip("ray", reason="Ray is not installed: `uv sync --extra ray`")
    two = [*SHORT[: SHORT.index("--actors")], "--actors", "2", "--until", "inf", "--ray", "local"]
    for name, command in (("here", SHORT), ("ray", two)):
        assert cli.run([*command, "--steps", "1024", "--checkpoint", str(tmp_path / name)]) == 0
    assert (tmp_path / "here" / "curve.csv").read_bytes() == (tmp_path / "ray" / "curve.csv").read_bytes()


def test_a_cluster_that_does_not_answer_is_one_sentence(tmp_path, capsys, monkeypatch):
    with socket.socket() as taken:  # bound, and nobody listens
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        monkeypatch.setattr(pool, "require", lambda: None)
        assert cli.run([*SHORT, "--ray", address, "--checkpoint", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert f"no Ray cluster answers at '{address}'" in said and len(said.splitlines()) == 1
    assert contents(tmp_path / "run") == {}


def test_tensorboard_gets_the_curve(tmp_path):
    pytest.importorskip("tensorboard", reason="TensorBoard is not installed: `uv sync --extra tensorboard`")
    assert cli.run([*SHORT, "--steps", "1024", "--checkpoint", str(tmp_path / "run")]) == 0
    assert sum(p.stat().st_size for p in (tmp_path / "run" / "tensorboard").rglob("*tfevents*")) > 200


def test_a_run_into_a_file_says_a_line_an_evaluation(tmp_path, capsys):
    run = tmp_path / "run"
    arguments = ["train", "--algo", "dqn", "--env", "CartPole-v1", "--steps", "2000"]
    assert cli.run([*arguments, "--actors", "1", "--checkpoint", str(run)]) == 0
    said = re.findall(r"^step ([\d,]+) of 2,000: .*best", capsys.readouterr().out, re.M)
    curve = (run / "curve.csv").read_text().splitlines()[1:]
    steps = [int(line.split(",")[0]) for line in curve]
    assert len(steps) > 1 and [int(step.replace(",", "")) for step in said] == steps


def test_a_warning_is_one_line_without_the_place_in_a_program_that_nobody_wrote(tmp_path):
    words = ["--algo", "td3", "--env", "Pendulum-v1", "--network", "8", "--steps", "1", "--learning-rate", "1e-12"]
    done = subprocess.run(
        [tools.scripts() / "rlcores", "train", *words, "--checkpoint", tmp_path / "a"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr.splitlines()[0] == (
        "rlcores: learning_rate is 1e-12: a weight, in steps of 2**-22, does not move by so little"
    )
    assert "CoreWarning" not in done.stderr
