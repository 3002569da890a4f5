"""The study of learners in parallel: kept runs are not made again, each is compared with its one learner."""

import json
from dataclasses import replace

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
    words = ["study", "learners", "--seeds", "1", "--json", str(short / "a.json")]
    assert cli.run(words) == 0
    runs = learners.kept()
    assert [(run.learners, run.average, run.batches, round(run.rate, 3), run.updates) for run in runs] == [
        (1, 1, 1, 1.0, 216), (1, 1, 2, 1.0, 216), (2, 1, 1, 1.0, 216), (2, 10, 1, 1.0, 216),
        (1, 1, 2, 1.414, 216), (2, 1, 1, 1.414, 216), (2, 10, 1, 1.414, 216),
    ]  # fmt: skip
    assert len({str(run.curve) for run in runs}) >= 4
    monkeypatch.setattr(learners, "train", lambda *job: pytest.fail("made twice"))
    assert cli.run(words) == 0
    figures = {f["name"]: f["value"] for f in json.loads((short / "a.json").read_text())["figures"]}
    assert figures["learners.study.cartpole.l2_h10_b1.mean"] == round(runs[3].mean, 1)
    assert figures["learners.study.cartpole.l2_h10_b1.change"] == round(runs[3].mean - runs[1].mean, 1)
    assert figures["learners.study.cartpole.l2_h1_b1_rate141.mean"] == round(runs[5].mean, 1)
    assert cli.run(["study", "learners", "--env", "Pong"]) == 2
    assert "the study has no environment 'Pong'" in capsys.readouterr().err


def test_rates_of_value_and_actor_grow_together():
    usual, twice = (learners._plan("Pendulum-v1", 4, 10, 1, rate, 0).settings for rate in (1.0, 2.0))
    assert (twice.learning_rate, twice.actor_learning_rate) == (2 * usual.learning_rate, 2 * usual.actor_learning_rate)
    assert replace(twice, learning_rate=usual.learning_rate, actor_learning_rate=usual.actor_learning_rate) == usual


def made(learners_: int, average: int, batches: int, seed: int, mean: float) -> learners.Run:
    return learners.Run("CartPole-v1", learners_, average, batches, seed, 100, mean=mean, last=mean, best=mean)


@pytest.mark.parametrize(("change", "said"), [(-9.0, "**worse**"), (9.0, "**better**"), (0.1, "no difference shown")])
def test_a_verdict_follows_the_interval_of_the_difference_seed_by_seed(change, said):
    runs = [made(1, 1, 2, seed, 100.0 * seed) for seed in range(5)]
    runs += [made(2, 10, 1, seed, 100.0 * seed + change + (-1) ** seed) for seed in range(5)]
    line = next(line for line in learners.lines(runs) if line.learners == 2)
    assert line.change[0] == pytest.approx(change + 0.2) and learners.verdict(line) == said
    told = learners.reading(runs)
    assert told.startswith("Of 1 lines with several learners and two seeds or more, ")
    assert ("CartPole-v1, L = 2, H = 10" in told) == said.startswith("*")
    assert learners.reading(runs[:6]) == "No line has two seeds yet, so nothing is said of any."
    assert learners.table(runs)[-1][:6] == ("CartPole-v1", "2", "10", "1", "× 1", "5")
