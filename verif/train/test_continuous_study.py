"""The study of TD3 and SAC: each arithmetic learns in the same loop, and the page shows what is kept."""

import math
from dataclasses import replace

import pytest

from rlcores_lab.study import continuous

KINDS = [(algo, kind) for algo, kinds in continuous.ARITHMETICS.items() for kind in kinds]


@pytest.fixture
def short(monkeypatch):
    """Runs of seconds."""
    usual = continuous._plan

    def plan(algo, arithmetic, seed):
        made = usual(algo, arithmetic, seed)
        return replace(made, steps=220, report=2, settings=replace(made.settings, learning_starts=200))

    monkeypatch.setattr(continuous, "_plan", plan)


@pytest.mark.parametrize(("algo", "arithmetic"), KINDS)
def test_every_arithmetic_goes_through_the_loop(algo, arithmetic, short):
    run = continuous.train(algo, arithmetic, 0)
    assert run.steps == 220 and math.isfinite(run.best) and run.curve[-1][0] == 220
    assert bool(run.fractions) == (arithmetic != "float32")


def test_integers_and_float32_begin_alike_and_learn_apart(short):
    curves = [continuous.train("td3", kind, 1).curve for kind in ("integer", "float32")]
    assert curves[0][0][1] == pytest.approx(curves[1][0][1], rel=1e-3)
    assert curves[0][-1][1] != curves[1][-1][1] != curves[1][0][1]


def test_a_run_that_is_kept_is_not_made_again(monkeypatch, tmp_path):
    made = []
    run = continuous.Run("sac", "integer", 0, settings=continuous.fingerprint("sac", "integer"))
    monkeypatch.setattr(continuous, "train", lambda *job: made.append(job) or run)
    file = tmp_path / "kept.jsonl"
    assert all(continuous.one(("sac", "integer", 0), file).algo == "sac" for _ in range(2))
    assert made == [("sac", "integer", 0)]
