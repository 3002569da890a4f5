"""The study's runs: what a seed repeats, what is exported, what is kept."""

from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from rlcores.base import paths
from rlcores.cli import application
from rlcores.cores.env import environments
from rlcores_lab.study import ppo


def short(name: str = "cartpole") -> ppo.ChipSettings:
    """A task with an iteration of 128 steps."""
    task = ppo.tasks()[name]
    return replace(task, iterations=2, settings={**task.settings, "envs": 8, "steps": 16, "minibatches": 2})


@pytest.mark.parametrize("name", list(ppo.tasks()))
def test_every_task_makes_a_learner(name):
    task = ppo.tasks()[name]
    own = ppo.learner(task, 0)
    assert own.settings.falls == task.iterations
    assert np.abs(own.actor.planes[0]).max() <= 2**22 / np.sqrt(own.actor.sizes[0])


@pytest.mark.parametrize("name", list(ppo.tasks()))
def test_variants_are_what_they_are_called(name):
    shared, clipped, plain = (ppo.learner(ppo.named(one), 0) for one in (f"{name} shared", f"{name} clipped", name))
    assert shared.shared and shared.actor.sizes[-1] == plain.actor.sizes[-1] + 1
    assert shared.formats.least(False) <= plain.formats.least(False)
    assert clipped.settings.value_clip > 0 == plain.settings.value_clip and not plain.shared


def test_a_run_repeats_itself(monkeypatch):
    monkeypatch.setattr(ppo, "judge", lambda *arguments: np.array([1.0, 3.0]))
    first, second = ppo.train(short(), 3), ppo.train(short(), 3)
    assert first.final == 2 and first.steps == 256 and first.updates == 16
    assert replace(first, seconds=0) == replace(second, seconds=0)


def test_the_exported_policy_is_the_cores(seed):
    task = short()
    own, physics = ppo.learner(task, seed % 2**32), environments.named(task.name)
    codes = np.random.default_rng(seed).integers(-(2**15), 2**15, (50, 4))
    real = codes / 2.0 ** np.array(physics.observations)
    output = ppo.exported(own, physics, task.input).output(real)
    assert np.abs(output - own.look(codes)[0] / 2**16).max() < 1e-3


def test_the_exported_policy_is_judged_in_gymnasium():
    pytest.importorskip("gymnasium")
    task = short()
    own, physics = ppo.learner(task, 1), environments.named(task.name)
    first, second = (ppo.judge(own, physics, task.input, episodes=3) for _ in range(2))
    assert (first == second).all() and (first >= 8).all() and (first <= 500).all()


def test_table_counts_what_reached_the_goal():
    runs = [ppo.Run("cartpole", seed, steps=1024, final=final) for seed, final in ((1, 500.0), (0, 400.0))]
    assert "| cartpole | 475 | 1 of 2 | 450.0 | 400.0 | 1,024 | 400.0, 500.0 | 0 |" in ppo.table(runs)


def test_an_environment_without_a_task():
    answer = CliRunner().invoke(application(), ["study", "ppo", "--env", "nothing"])
    assert answer.exit_code != 0 and "the study has no environment 'nothing'" in str(answer.exception) + answer.output


def test_the_page_has_the_table_of_its_runs_with_the_present_settings():
    docs = paths.root() / "docs"
    runs = ppo.read(docs / "ppo_study.json")
    assert ppo.table(runs) in (docs / "ppo_study.md").read_text()
    for name, task in ppo.tasks().items():
        mine = [run for run in runs if run.task == name]
        assert sorted(run.seed for run in mine) == list(range(5))
        assert all(run.final >= task.goal and run.settings == ppo.runs.fingerprint(task) for run in mine)
