"""Tests of `rlcores train --learners L --average H`."""

from dataclasses import replace

import chip_runs
import pytest
from test_train_runs import StopAfter
from train_runs import make, short

from rlcores.errors import UserError
from rlcores.train import spaces
from rlcores.train.loop import Callback
from rlcores.train.replaying import ReplayTrainer
from rlcores.train.settings import Plan
from rlcores_lab.study import runs


def several(algo: str, backend: str, seed: int, learners: int = 2, average: int = 5) -> Plan:
    plan = short(algo, backend, seed)
    return replace(plan, settings=replace(plan.settings, learners=learners, average=average))


@pytest.mark.parametrize("algo", ["dqn", "ddpg", "td3", "sac", "dueling"])
def test_a_run_of_several_learners_is_the_same_on_engine_and_model(algo, seed, ran):
    native, model = ran(several(algo, "native", seed)), ran(several(algo, "model", seed))
    assert native.state.digest == model.state.digest
    assert native.trainer.learner.rounds == native.trainer.updates // 5 > 20
    assert native.trainer.learner.steps == 192
    assert ran(short(algo, "native", seed)).state.digest != native.state.digest


@pytest.mark.parametrize("algo", ["dqn", "td3", "sac", "dueling"])
def test_a_run_of_several_learners_resumes_in_the_middle_of_a_round(algo, seed, ran, tmp_path):
    plan = several(algo, "native", seed, average=7)
    whole = ran(plan)
    first = make(plan, tmp_path / "parts")
    first.run(StopAfter(7 * 4 // plan.round_steps))
    assert first.trainer.updates % 7
    second = make(plan, tmp_path / "parts")
    second.restore(*second.folder.load()[1:])
    second.run()
    assert second.state.digest == whole.state.digest


@pytest.mark.slow
def test_several_replay_learners_in_rtl_have_the_engines_digest_and_resume_in_a_round(seed, ran, tmp_path):
    engine = several("dqn", "native", seed, average=3)
    engine = replace(engine, steps=160, settings=replace(engine.settings, network=(8,), batch_size=8))
    core = replace(engine, backend="rtl")
    first, second = ran(engine), ran(core)
    assert first.state.digest == second.state.digest and second.trainer.updates == 96
    assert second.trainer.learner.rounds == 32 and second.trainer.clocks > 96 * 20
    cut = make(core, tmp_path / "cut")
    cut.run(StopAfter(100 // core.round_steps))
    assert 0 < cut.trainer.updates < 96 and cut.trainer.updates % 3
    resumed = make(core, tmp_path / "cut")
    resumed.restore(*resumed.folder.load()[1:])
    resumed.run()
    assert resumed.state.digest == first.state.digest


def test_environments_are_dealt_whole_so_that_returns_of_several_steps_stay_exact(seed, ran):
    run = ran(several("dueling", "native", seed))
    for number, buffer in enumerate(run.trainer.buffers):
        assert buffer.num_envs == 2 and buffer.discontinuities == 0, number
        assert len(buffer) == buffer.buffer_size
    with pytest.raises(UserError, match="envs is 4; it must be a multiple of learners = 3"):
        ran(several("sac", "native", seed, learners=3))
    with pytest.raises(UserError, match="the simulated core has one learner"):
        ran(several("sac", "rtl", seed))


@pytest.mark.parametrize(
    ("algo", "tuning", "said"),
    [
        ("dqn", {"importance": "own"}, "of several learners; give learners too"),
        ("dueling", {"importance": "none", "learners": 2}, "importance is 'none'; it must be all or own"),
        ("sac", {"importance": "own", "learners": 2}, "sac has no setting 'importance'"),
    ],
)
def test_importance_weights_that_nobody_has_are_refused(algo, tuning, said):
    with pytest.raises(UserError, match=said):
        short(algo, "native", tuning=tuning)


def test_targets_follow_rounds_as_fast_as_steps():
    for algo, every, settled in (("dqn", 201, 0.0), ("ddpg", 3, 1 - (1 - 0.01) ** 3)):
        plan = several(algo, "native", 0, average=3)
        trainer = ReplayTrainer(plan, spaces.look(plan.environment))
        state = trainer.learner.state_dict()
        assert state["learner.1.hyper.target_update_interval"] == every
        assert state["learner.1.hyper.tau"] == pytest.approx(settled)


class Once(Callback):
    """Ctrl-C behind the first round."""

    def progress(self, run, seen):
        run.stop.set()


CHIP = {"algo": "ppo", "on": "chip", "envs": 6, "steps": 2304, "until": float("inf"), "environment": "CartPole-v1"}
THREE = {"learners": 3, "average": 5}


@pytest.mark.parametrize("environment", ["CartPole-v1", "Pendulum-v1"])
def test_learners_on_the_chip_are_the_same_on_engine_and_model(environment, tmp_path):
    """Three rounds of three learners with two environments each."""
    changes, short_report = CHIP | {"environment": environment}, {"report": 2}
    curves = []
    for backend in ("native", "model"):
        folder = tmp_path / backend
        made = chip_runs.run(folder, None, short_report, tuning=THREE, backend=backend, **changes)
        curves.append(chip_runs.curve(folder))
        trainer = made.trainer
        assert trainer._learners.rounds == trainer.updates // 5 > 9
    alone = chip_runs.run(tmp_path / "alone", None, short_report, **changes)
    assert curves[0] == curves[1] != chip_runs.curve(tmp_path / "alone")
    assert alone.trainer.updates == trainer.updates


@pytest.mark.slow
def test_learners_in_rtl_give_the_engines_curve_and_go_on_with_it(tmp_path):
    """Three rounds of two cores; and a run that is stopped behind the first one."""
    changes = CHIP | {"config": "tiny", "envs": None, "steps": 288}
    tuning = {"learners": 2, "average": 5}
    for backend in ("native", "rtl"):
        made = chip_runs.run(tmp_path / backend, None, {"report": 2}, tuning=tuning, backend=backend, **changes)
    assert made.trainer.clocks > 144
    assert chip_runs.curve(tmp_path / "native") == chip_runs.curve(tmp_path / "rtl")
    cut = chip_runs.run(tmp_path / "cut", Once(), {"report": 2}, tuning=tuning, backend="rtl", **changes)
    assert 0 < cut.trainer.own.iterations < made.trainer.own.iterations
    assert chip_runs.go_on(tmp_path / "cut").trainer.own.iterations == made.trainer.own.iterations
    assert chip_runs.curve(tmp_path / "cut") == chip_runs.curve(tmp_path / "native")


def test_learners_on_the_chip_resume_in_the_middle_of_a_round(tmp_path):
    chip_runs.run(tmp_path / "whole", None, {"report": 2}, tuning=THREE, **CHIP)
    cut = chip_runs.run(tmp_path / "cut", chip_runs.Stop(768, 768), {"report": 2}, tuning=THREE, **CHIP)
    assert cut.trainer._learners.since
    chip_runs.go_on(tmp_path / "cut")
    assert chip_runs.curve(tmp_path / "cut") == chip_runs.curve(tmp_path / "whole")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"envs": 7}, "envs is 7; it must be a multiple of learners = 3"),
        ({"algo": "dqn"}, "one learner of dqn trains"),
        ({"on": "host"}, "give --on chip"),
    ],
)
def test_what_learners_on_the_chip_cannot_be_is_said(changes, message, tmp_path):
    with pytest.raises(UserError, match=message):
        chip_runs.run(tmp_path, None, {}, tuning=THREE, **(CHIP | changes))


def test_kept_runs_of_one_learner_keep_their_fingerprints():
    plan = short("dqn", "native")
    assert "learners" not in repr(plan) and runs.fingerprint(plan) == runs.fingerprint(several("dqn", "native", 0))
