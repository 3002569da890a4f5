"""The study of learners in parallel: kept runs are not made again, each is compared with its one learner."""

import json

import pytest

from rlcores import cli
from rlcores_lab.study import learners


@pytest.fixture
def short(monkeypatch, tmp_path):
    """Runs of seconds, kept elsewhere."""
    monkeypatch.setattr(learners, "ENVIRONMENTS", {"CartPole-v1": ("dqn", 1200)})
    monkeypatch.setattr(learners, "LEARNERS", (2,))
    monkeypatch.setattr(learners, "AVERAGES", (1, 10))
    file = tmp_path / "learners.jsonl"
    monkeypatch.setattr(learners, "KEPT", file)
    for function in (learners.one, learners.kept):
        monkeypatch.setattr(function, "__defaults__", (file,))
    return tmp_path


def test_the_command_makes_every_run_once(short, monkeypatch, capsys):
    given = ["study", "learners", "--seeds", "1", "--json", str(short / "a.json")]
    assert cli.run(given) == 0
    found = learners.kept()
    assert [(run.learners, run.average, run.batches, run.updates) for run in found] == [
        (1, 1, 1, 216), (1, 1, 2, 216), (2, 1, 1, 216), (2, 10, 1, 216),
    ]  # fmt: skip
    assert len({str(run.curve) for run in found}) == 4
    monkeypatch.setattr(learners, "train", lambda *job: pytest.fail("made twice"))
    assert cli.run(given) == 0
    figures = {f["name"]: f["value"] for f in json.loads((short / "a.json").read_text())["figures"]}
    assert figures["learners.study.cartpole.l2_h10_b1.mean"] == round(found[3].mean, 1)
    assert figures["learners.study.cartpole.l2_h10_b1.change"] == round(found[3].mean - found[1].mean, 1)
    assert cli.run(["study", "learners", "--env", "Pong"]) == 2
    assert "the study has no environment 'Pong'" in capsys.readouterr().err
