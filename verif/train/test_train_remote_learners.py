"""Learners in processes of their own at a replay server's banks: the bits of those in one, and none that blocks."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_train_learners import several
from test_train_replay import as_one, settings
from test_train_runs import StopAfter

from rlcores.errors import RunFailed, UserError
from rlcores.net import ReplayServer
from rlcores.train import pool, spaces
from rlcores.train.folder import Folder
from rlcores.train.loop import Callback, Run
from rlcores.train.remote import RemoteTrainer
from rlcores.train.settings import Plan


def server(plan: Plan) -> ReplayServer:
    """One for such a plan."""
    return ReplayServer(settings(plan))


def remote(plan: Plan, address: str, folder: Path, *, resume: bool = False, **rounds) -> Run:
    space = spaces.look(plan.environment)
    trainer = RemoteTrainer(plan, space, address, resume=resume, **rounds)
    return Run(plan, space, trainer, pool.make(plan, 1, None, trainer.place()), Folder(folder))


def end(run: Run) -> None:
    run._pool.close()
    run.trainer.close()


def in_rounds(learner, average: int) -> None:
    """Make calls of a ReplayLearners' train() end with a round."""
    train = learner.train

    def in_parts(steps: int) -> int:
        left = steps
        while left:
            part = min(left, average - learner._since)
            if not train(part):
                return 0
            left -= part
        return steps

    learner.train = in_parts


@pytest.mark.parametrize(
    ("algo", "changes"),
    [
        ("dqn", {}),
        ("dueling", {"importance": "own"}),
        *(pytest.param(algo, {}, marks=pytest.mark.slow) for algo in ("ddpg", "sac", "dueling", "td3")),
        pytest.param("dqn", {"importance": "own"}, marks=pytest.mark.slow),
    ],
)
def test_learners_in_processes_have_the_bits_of_learners_in_one(algo, changes, seed, tmp_path, monkeypatch):
    # Actors see averages only: 16 steps of dqn and ddpg come at once, 4 of the others.
    plan = several(algo, "native", seed, learners=2, average=4)
    changes = changes | ({"target_update_interval": 8} if algo in ("dqn", "ddpg") else {})
    plan = replace(plan, settings=replace(plan.settings, buffer_size=200, **changes))
    with server(plan) as place:
        there = remote(plan, place.address, tmp_path)
        try:
            there.run()
        finally:
            end(there)
        counts = [bank.state.counts for bank in place.banks]
    here = as_one(plan, monkeypatch)
    if algo in ("dqn", "ddpg"):
        in_rounds(here.trainer.learner, 4)
    here.run()
    assert there.state.digest == here.state.digest and there.state.curve == here.state.curve
    rounds = there.trainer.updates // 4
    assert there.trainer.learner.history == [2] * rounds and rounds > 25
    assert [one["records"] for one in counts] == [128, 128]
    assert there.trainer.live()["learners"] == 2


class Kill(Callback):
    """Sends a signal to a learner behind a step of the run, and keeps what each round had."""

    def __init__(self, number: int, step: int, what: int = signal.SIGKILL, seconds: float | None = None) -> None:
        """seconds: the limit of a round from then on; before, a busy machine may take its time."""
        self.number, self.step, self.what, self.at, self.pid = number, step, what, None, 0
        self.seconds = seconds

    def progress(self, run, seen) -> None:
        if self.at is None and run.state.step >= self.step:
            self.at = len(run.trainer.learner.history)
            self.pid = run.trainer.learner.crew.pids()[self.number]
            os.kill(self.pid, self.what)
            run.trainer.learner.seconds = self.seconds or run.trainer.learner.seconds


@pytest.mark.parametrize("algo", ["dqn", pytest.param("sac", marks=pytest.mark.slow)])
def test_a_learner_that_is_killed_costs_one_round_at_most_and_comes_back(algo, seed, tmp_path):
    plan = several(algo, "native", seed, learners=3, average=4)
    plan = replace(plan, envs=6, steps=20_000, settings=replace(plan.settings, buffer_size=30_000))
    with server(plan) as place:
        run = remote(plan, place.address, tmp_path)
        learner = run.trainer.learner
        watch = Kill(1, 512)

        class StopWhenBack(Callback):
            def progress(self, run, seen) -> None:
                watch.progress(run, seen)
                if watch.at is not None and learner.history[watch.at + 1 :][-2:] == [3, 3]:
                    run.stop.set()  # it has come back

        try:
            run.run(StopWhenBack())
        finally:
            end(run)
    after = learner.history[watch.at :]
    assert watch.at > 20 and set(learner.history[: watch.at]) == {3}
    assert set(after) == {2, 3} and after[-2:] == [3, 3]  # every round was averaged, and it is back
    assert learner.crew.lost == 1 and learner.rounds == len(learner.history) == learner.steps // 4


def test_a_learner_that_is_late_is_left_out_and_takes_the_present_weights_when_it_is_back(seed, tmp_path):
    plan = several("dqn", "native", seed, learners=2, average=4)
    plan = replace(plan, steps=100_000, settings=replace(plan.settings, buffer_size=120_000))
    with server(plan) as place:
        run = remote(plan, place.address, tmp_path)
        learner = run.trainer.learner
        stopped = Kill(1, 256, signal.SIGSTOP, 2.0)

        class WakeWhenLeftOut(Callback):
            woken = None

            def progress(self, run, seen) -> None:
                stopped.progress(run, seen)
                history = learner.history
                if stopped.at is not None and self.woken is None and history[-2:] == [1, 1]:
                    self.woken = len(history)
                    os.kill(stopped.pid, signal.SIGCONT)
                    learner.seconds = 30.0
                if self.woken is not None and history[-1] == 2 and not learner.since:
                    run.stop.set()

        try:
            run.run(WakeWhenLeftOut())
            learner.crew.ready(2, 10)
            learner.crew.ask(1, "state_dict")
            late = learner.crew.answers([1], 10)[1]
        finally:
            end(run)
        assert learner.crew.lost == 0 and 1 in learner.history and learner.history[-1] == 2
        # It has the targets of the average, which it was given when its round began.
        mine = learner.own.state_dict()
        target = [name for name in mine if "target" in name and "hyper" not in name]
        assert target and all(np.array_equal(late[name], mine[name]) for name in target)


@pytest.mark.parametrize("algo", ["dqn", *(pytest.param(a, marks=pytest.mark.slow) for a in ("sac", "dueling"))])
def test_a_run_of_learners_goes_on_where_it_was_stopped(algo, seed, tmp_path):
    plan = several(algo, "native", seed, learners=2, average=7)
    interval = {"target_update_interval": 21} if algo == "dqn" else {}  # targets follow, and not every round
    plan = replace(plan, settings=replace(plan.settings, buffer_size=512, **interval))
    with server(plan) as place:
        whole = remote(plan, place.address, tmp_path / "whole")
        try:
            whole.run()
        finally:
            end(whole)
    with server(plan) as place:
        for resume, more in ((False, (StopAfter(7 * 4 // plan.round_steps),)), (True, ())):
            run = remote(plan, place.address, tmp_path / "parts", resume=resume)
            try:
                if resume:
                    run.restore(*run.folder.load()[1:])
                run.run(*more)
                assert resume or run.trainer.learner.since
            finally:
                end(run)
    assert run.state.digest == whole.state.digest


def test_a_run_ends_with_a_sentence_when_no_quorum_is_left(seed, tmp_path):
    plan = several("dqn", "native", seed, learners=2, average=4)
    plan = replace(plan, settings=replace(plan.settings, buffer_size=512))
    with server(plan) as place:
        run = remote(plan, place.address, tmp_path, quorum=2)
        stopped = Kill(0, 128, signal.SIGSTOP, 0.3)
        try:
            with pytest.raises(RunFailed, match=r"[01] of 2 learners answered within 0\.3 s, in 3 rounds"):
                run.run(stopped)
        finally:
            os.kill(stopped.pid, signal.SIGCONT)
            end(run)


def test_a_server_of_another_number_of_banks_is_refused_with_the_command_of_the_right_one(seed, tmp_path):
    plan = several("dqn", "native", seed, learners=2, average=4)
    with (
        ReplayServer(replace(settings(plan), banks=1)) as place,
        pytest.raises((UserError, RunFailed), match="--banks 2"),
    ):
        remote(plan, place.address, tmp_path)
