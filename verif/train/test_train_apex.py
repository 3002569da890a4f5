"""Ape-X (Horgan et al. 2018): exploration of its own per actor, and an actor's TD errors as first priorities."""

from dataclasses import replace

import numpy as np
import pytest
from test_train_replay import run as run_at_a_server
from test_train_runs import StopAfter, assert_same
from train_runs import make, short

from rlcores import cli
from rlcores.errors import UserError
from rlcores.train import settings, spaces
from rlcores.train.actor import Actor, Rollout
from rlcores.train.algorithms.dqn import DqnRunSettings
from rlcores.train.loop import make_trainer
from rlcores.train.replaying import exploration

APEX = {"actor_epsilon": 0.4, "first_priority": "actor"}


def test_epsilons_are_those_of_the_paper() -> None:
    epsilons = exploration(DqnRunSettings(actor_epsilon=0.4, actor_alpha=7.0), 8)
    expected = [0.4 ** (1 + i / 7 * 7) for i in range(8)]
    assert epsilons == pytest.approx(expected) and epsilons[0] == 0.4 and epsilons[-1] == pytest.approx(0.4**8)
    assert (exploration(DqnRunSettings(actor_alpha=7.0), 8) == epsilons).all(), (
        "the paper's epsilon where none is given"
    )
    assert (exploration(DqnRunSettings(actor_epsilon=0.4), 8) == epsilons).all(), (
        "the paper's alpha where none is given"
    )
    assert exploration(DqnRunSettings(actor_epsilon=0.3), 1).tolist() == [0.3]
    assert exploration(DqnRunSettings(gamma=0.9), 8) is None


def test_each_environment_explores_as_its_number_says(seed: int) -> None:
    """Counted: how often an action is not the greedy one; half of the random ones are it."""
    plan = short("dqn", "native", seed, tuning={"actor_epsilon": 0.8, "actor_alpha": 3.0}, envs=4)
    trainer = make_trainer(plan, spaces.look(plan.environment))
    order = replace(trainer.order(3, 10_000), steps=600)
    order = replace(order, explore=np.repeat(order.explore[:1], 600, axis=0))
    arguments = plan.environment, None, plan.state_scale, seed
    whole = Actor(*arguments, (0, 4)).collect(order)
    greedy = order.policy(whole.states.reshape(-1, 4)).argmax(1).reshape(600, 4)
    other = (whole.actions != greedy).mean(0)
    expected = exploration(plan.settings, 4) / 2
    assert other == pytest.approx(expected, abs=5 * np.sqrt(0.25 / 600)) and (np.diff(other) < 0).all()
    parts = [Actor(*arguments, span).collect(order) for span in ((0, 1), (1, 4))]
    assert (Rollout.join(parts).actions == whole.actions).all(), "whichever process has the environment"
    assert (trainer.order(0, 0).explore == 1).all(), "random steps before the first gradient step stay"


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("backend", ["native", "model"])
def test_a_first_priority_is_what_the_learner_itself_would_write(double: bool, backend: str, seed: int) -> None:
    """A learner whose weights do not move writes back, bit for bit, the priorities that its actors gave."""
    plan = short("dqn", backend, seed, tuning={"first_priority": "actor"}, envs=8)
    plan = replace(plan, settings=replace(plan.settings, learning_rate=0.0, double=double, buffer_size=256))
    trainer = make_trainer(plan, spaces.look(plan.environment))
    actor = Actor(plan.environment, 16, plan.state_scale, seed, (0, 8))
    seen = [actor.collect(trainer.order(number, 0)) for number in range(8)]
    assert sum(one.truncated.sum() for one in seen) and sum(one.terminated.sum() for one in seen)
    for one in seen:
        trainer.learner.add(*one.experiences())
    priorities = trainer.learner.state_dict()["priorities"]
    assert len(np.unique(priorities)) > 5
    # One that was given none begins with the largest for all.
    other = make_trainer(plan, spaces.look(plan.environment))
    for one in seen:
        other.learner.add(*one.experiences()[:5])
    assert len(np.unique(other.learner.state_dict()["priorities"])) == 1
    for learner in (trainer.learner, other.learner):
        learner.train(300)
        assert (learner.state_dict()["priorities"] == priorities).all()


def test_the_number_of_actors_changes_nothing(seed: int, ran) -> None:
    plan = short("dqn", "model", seed, envs=3, tuning=APEX)
    one = ran(plan, actors=1)
    assert_same(one, ran(plan, actors=2))
    assert_same(one, ran(replace(plan, backend="native")))
    plain = ran(short("dqn", "model", seed, envs=3))
    assert plain.state.digest != one.state.digest


def test_a_run_that_was_interrupted_ends_as_one_that_was_not(seed: int, ran, tmp_path) -> None:
    plan = short("dqn", "native", seed, tuning=APEX)
    first = make(plan, tmp_path / "cut")
    first.run(StopAfter(7))
    second = make(plan, tmp_path / "cut")
    second.restore(*second.folder.load()[1:])
    assert second._seen.errors.shape == (4, 4)
    second.run()
    assert_same(ran(plan), second)


def test_at_a_replay_server_the_run_is_the_same(seed: int, ran, tmp_path) -> None:
    plan = short("dqn", "native", seed, tuning=APEX)
    there, counts = run_at_a_server(plan, tmp_path / "there")
    assert there.state.digest == ran(plan).state.digest and counts["records"] == 256


@pytest.mark.parametrize(
    ("algo", "environment", "tuning", "words"),
    [
        ("ddpg", "Pendulum-v1", {"first_priority": "actor"}, "ddpg has no setting 'first_priority'"),
        ("ppo", "CartPole-v1", {"actor_epsilon": 0.4}, "ppo has no setting 'actor_epsilon'"),
        ("dqn", "CartPole-v1", {"actor_epsilon": 1.5}, "actor_epsilon is 1.5; it must be 0.0 to 1.0"),
        ("dqn", "CartPole-v1", {"first_priority": "mine"}, "first_priority is 'mine'; it must be largest or actor"),
        (
            "dqn",
            "CartPole-v1",
            {"actor_alpha": 7.0, "explore_steps": 9},
            "explore_steps is of an exploration that falls",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(algo: str, environment: str, tuning: dict, words: str) -> None:
    with pytest.raises(UserError, match=words):
        settings.plan(algo, environment, "native", spaces.look(environment), tuning=tuning)


def test_on_the_chip_there_are_no_actors(capsys) -> None:
    chip = ["train", "--algo", "dqn", "--env", "CartPole-v1", "--on", "chip"]
    assert cli.run([*chip, "--first-priority", "actor"]) == 2
    assert "first_priority is of actors on the host" in capsys.readouterr().err
