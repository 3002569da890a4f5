"""`rlcores study profile`: every part of both loops is timed, and the figures have the house's form."""

import importlib.util
import json

import numpy as np
import pytest

from rlcores import cli
from rlcores.eda import configs
from rlcores_lab.study import profile


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Little before the clock counts."""
    monkeypatch.setattr(profile, "_STORED", 200)
    monkeypatch.setattr(profile, "_WARM", 3)
    monkeypatch.setattr(profile, "_ROLLOUT", 16)


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_every_part_is_timed_and_has_its_core(library):
    if not importlib.util.find_spec(library):
        pytest.skip(f"{library} is not installed")
    for loop, phases in (("ppo", profile.PPO), ("dqn", profile.DQN)):
        profiled = profile.run(loop, library, "CartPole-v1", seconds=0.2)
        assert set(profiled.seconds) == {p.name for p in phases}
        assert min(profiled.seconds.values()) > 0 and profiled.steps > 0 and profiled.updates > 0
        assert sum(profiled.share(p.name) for p in phases) == pytest.approx(100)
        names = [f.name for f in profiled.figures()]
        assert [f"profile.{loop}.{library}.{p.name}" for p in phases] == names[: len(phases)]


def test_cores_are_those_there_are():
    known = {core.vlnv for core in configs.cores().values()}
    named = {p.core for p in (*profile.PPO, *profile.DQN) if p.core != profile.NONE}
    assert named <= known and len(named) == 4


def test_gae_loops_agree(seed):
    rng = np.random.default_rng(seed)
    rewards, values, going = rng.normal(size=(9, 3)), rng.normal(size=(10, 3)), (rng.random((9, 3)) < 0.8) * 1.0
    np.testing.assert_allclose(
        profile._gae(rewards, values, going), np.transpose(profile._scalar_gae(rewards, values, going))
    )


def test_command_prints_tables_and_json(tmp_path, capsys):
    file = tmp_path / "profile.json"
    page = tmp_path / "new" / "profile.md"
    command = ["study", "profile", "--library", "numpy", "--seconds", "0.2"]
    assert cli.run([*command, "--json", str(file), "--output", str(page)]) == 0
    said = capsys.readouterr().out
    assert "ppo in numpy, CartPole-v1" in said and "dqn in numpy, CartPole-v1" in said and "replaced by" in said
    document = json.loads(file.read_text())
    assert {f["how"] for f in document["figures"]} == {"measured"}
    assert {f["name"].split(".")[1] for f in document["figures"]} == {"ppo", "dqn"}
    tables = page.read_text().split("\n\n")[1::2]
    assert [len(table.splitlines()) for table in tables] == [2 + len(profile.PPO) + 2, 2 + len(profile.DQN) + 1]
    assert "| all that cores replace |" in tables[0] and "| 15.0 % |" in tables[0]  # Table I: 3.49 + 11.23 + 0.32
    assert cli.run([*command, "--output", str(file / "below.md")]) == 2
    assert "cannot write" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--loop", "sac"], "loops: ppo, dqn"),
        (["--library", "jax"], "libraries: numpy, torch"),
        (["--env", "Nonsense-v1"], "there is no environment"),
        (["--env", "Pendulum-v1", "--loop", "dqn"], "dqn takes numbered actions"),
    ],
)
def test_wrong_request_is_one_sentence(arguments, sentence, capsys):
    assert cli.run(["study", "profile", *arguments]) == 2
    said = capsys.readouterr().err
    assert sentence in said and len(said.splitlines()) == 1


def test_study_alone_shows_its_commands(capsys):
    assert cli.run(["study"]) == 0
    assert "heppo" in (said := capsys.readouterr().out) and "profile" in said
    assert cli.run(["study", "nonsense"]) == 2
    names = "continuous, deploy_bits, deploy_latency, deploy_peers, deploy_placed, deployed, errors, heppo, learners"
    assert f"commands: {names}" in capsys.readouterr().err
