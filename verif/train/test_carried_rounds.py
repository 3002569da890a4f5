"""Rounds of learners that compute next to nothing: who takes part, what is made of whose shares, who takes it over."""

from dataclasses import replace

import numpy as np
import pytest
from test_train_learners import several
from test_train_remote_learners import server

from rlcores.cores.learners.rounds import LARGEST, MEAN, Share
from rlcores.errors import RunFailed, UserError
from rlcores.train import remote_learners, remote_replay, spaces
from rlcores.train.remote_learners import LearnerProcess, RemoteLearners, StepsRequest

ROWS = 8  # of the bank


class Learner:
    """Its weight grows by 1 + its number a step; then the learners' mean, less the largest one of all steps."""

    held, buffer_size, least = 2 * ROWS, ROWS, 1

    def __init__(self, number: int = 0) -> None:
        self.number, self.weight, self.moment = number, 0, 0

    def set(self, **hyper) -> None:
        self.hyper = hyper

    def in_round(self, steps, held):
        largest = 0
        for _ in range(steps):
            self.weight += 1 + self.number
            self.moment += 1
            largest = int((yield Share(LARGEST, {"w": np.array(self.weight)}))["w"])
        made = yield Share(MEAN, {"w": np.array([self.weight])})
        self.weight = int(made["w"][0]) - largest

    def shared(self):
        return {"w": np.array(self.weight)}

    def take(self, shared, *, fresh) -> None:
        self.weight = int(shared["w"])

    def state_dict(self):
        return {"w": np.array(self.weight)}

    def load_state_dict(self, state) -> None:
        self.weight = int(state["w"])


class Crew:
    """Learners of this process. silent: calls, (member, name), that stay unanswered; the member begins anew then."""

    def __init__(self, count: int) -> None:
        self.count, self.lost, self.silent = count, 0, set()
        self.asked: list[tuple[int, str]] = []
        self.members = [LearnerProcess(Learner, n) for n in range(count)]
        self._answers = {}

    def ready(self, least, seconds):
        return list(range(self.count))

    def ask(self, number, name, *arguments) -> None:
        self.asked.append((number, name))
        if (number, name) in self.silent:
            self.members[number] = LearnerProcess(Learner, number)
        else:
            self._answers[number] = getattr(self.members[number], name)(*arguments)

    def answers(self, numbers, seconds):
        return {n: self._answers.pop(n) for n in list(numbers) if n in self._answers}


@pytest.fixture
def learners(monkeypatch):
    monkeypatch.setattr(remote_learners.crew, "make", lambda kind, arguments, count, ray: Crew(count))
    return lambda count=2, **rounds: RemoteLearners(Learner(), Learner, count, 2, **rounds)


def test_what_is_made_is_of_all_shares_and_the_holder_has_it(learners):
    made = learners()
    assert made.train(2) == 2 and made.history == [2] and made.steps == 2
    assert made.own.weight == 3 - 4  # (2 + 4) / 2, less the largest
    assert [one._own.weight for one in made.crew.members] == [-1, -1]
    made.set(beta=0.5)
    made.train(3)  # half of a round is left
    assert made.history == [2, 2] and made.since == 1 and made.crew.members[1]._own.hyper == {"beta": 0.5}


@pytest.mark.parametrize("when", ["work", "go_on"])
def test_a_lost_learner_is_asked_no_more_in_its_round_and_has_the_average_in_the_next(when, learners):
    made = learners()
    made.train(2)
    made.crew.silent, made.crew.asked = {(1, when)}, []
    made.train(2)
    assert made.history == [2, 1]
    asked = [name for number, name in made.crew.asked if number == 1]
    assert asked == (["work"] if when == "work" else ["work", "go_on"])
    alone = made.own.weight
    made.crew.silent = set()
    made.train(2)
    assert made.history == [2, 1, 2]
    assert made.own.weight == (2 * alone + 2 + 4) // 2 - (alone + 4)
    assert [one._own.moment for one in made.crew.members] == [6, 2]


def test_one_that_is_lost_behind_the_average_leaves_the_holder_to_the_next(learners):
    made = learners()
    made.crew.silent = {(0, "shared")}
    made.train(2)
    assert made.history == [2] and made.own.weight == -1


def test_a_process_that_began_within_a_round_is_not_in_it(learners):
    made = learners(quorum=1)
    made.train(1)
    made.crew.members[1] = LearnerProcess(Learner, 1)  # as Ray begins it anew, and says nothing
    made.train(1)
    assert made.history == [1] and made.crew.members[1].shared() is None
    request = StepsRequest(7, 1, ROWS, None, {})
    fresh = LearnerProcess(Learner, 1)
    assert fresh.work(request) is None and fresh.go_on({}) is None and fresh.state_dict() == {}
    assert fresh.work(replace(request, shared={"w": np.array(5)})).share.arrays["w"] == 7


def test_rounds_without_a_quorum_change_nothing_and_end_the_run(learners):
    made = learners(3, quorum=2)
    made.train(2)
    before, made.crew.silent = made.own.weight, {(1, "work"), (2, "go_on")}
    with pytest.raises(RunFailed, match="1 of 3 learners answered within 30 s, in 3 rounds one after another"):
        made.train(6)
    assert made.history == [3, 1, 1, 1] and made.own.weight == before and made.rounds == 1


def test_a_state_of_other_rounds_is_refused(learners):
    made = learners()
    made.train(3)
    for numbers, said in (
        ([3, 1, 4], "of average = 4; these learners have 2"),
        ([3, 2, 2], "damaged"),
        ([3], "damaged"),
    ):
        with pytest.raises(UserError, match=said):
            made.load_state_dict({"numbers": np.array(numbers)})
    with pytest.raises(UserError, match="quorum is 3; it must be 1 to the number of learners, 2"):
        learners(quorum=3)


def test_a_holder_of_averages_knows_when_targets_follow_behind_a_checkpoint(seed):
    plan = several("dqn", "native", seed, learners=2, average=4)
    with server(plan) as place:
        one, other = (
            remote_replay.learner(plan, spaces.look(plan.environment), place.address, None, bank) for bank in (None, 1)
        )
        one.take(one.shared() | {"since_sync": np.array(8)}, fresh=True)
        state = one.state_dict()
        other.load_state_dict(state)
    assert int(other.shared()["since_sync"]) == 8
