"""The PPO core behind its driver: it learns as the model, environments inside or outside, and says what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

from rlcores.cores.env.cartpole import CartPole
from rlcores.cores.env.model import EnvModel
from rlcores.cores.ppo.driver import PpoDriver, PpoError
from rlcores.cores.ppo.model import RANGE, Ppo
from rlcores.cores.ppo.shape import Shape, small
from rlcores.engine import configs
from rlcores.errors import UserError
from rlcores.train import chip

PLANES = [0, 2, 3]


def learner(seed: int = 3, **given: int) -> Ppo:
    """One that fits the configuration tiny."""
    task = replace(chip.task_of("cartpole"), hidden=(8, 8))
    own = chip.learner(task, seed, **({"envs": 6, "steps": 8, "minibatches": 4} | given))
    own.columns = 2
    return own


def same(one: Ppo, other: Ppo) -> None:
    for name in ("actor", "critic"):
        found, wanted = (getattr(own, name).planes[PLANES] for own in (one, other))
        assert np.array_equal(found, wanted), name


def test_a_shape_is_that_of_its_parameters():
    for config in configs.names("ppo"):
        parameters = configs.load("ppo", config)
        shape = Shape.of(parameters)
        shape.check()
        assert {name: parameters[name] for name in shape.parameters()} == shape.parameters()
    for hidden in ((64, 64), (7, 5), (3,), (1, 2, 9)):
        actor, critic = small((4, *hidden, 3))
        Shape(actor, critic, 2).check()


@pytest.mark.slow
@pytest.mark.parametrize("inside", [True, False])
def test_the_core_learns_as_the_model_and_tells_its_episodes(seed, inside):
    core = PpoDriver.verilated("tiny", inside=inside)
    own, shown = learner(seed), learner(seed + 1)
    core.adopt(own)
    core.begin(seed)
    envs = EnvModel(CartPole(), 6)
    outside = None if inside else EnvModel(CartPole(), 6)
    observations = envs.start(seed)["obs"].astype(np.int64)
    episodes, count, total = chip.Episodes(np.zeros(6)), 0, 0.0
    for iterations in (1, 2, 1):
        ended = []
        for _ in range(iterations):
            rollout, observations = own.collect(envs, observations)
            own.train(rollout)
            ended.append(episodes.ended(rollout)[:, 2:])
        wanted = np.concatenate(ended)
        assert np.array_equal(core.run(iterations, outside), wanted)
        count, total = count + len(wanted), total + wanted[:, 0].sum()
        assert core.returns() == (count, total)
        core.show(shown)
        same(shown, own)
    assert count > 4 and shown.iterations == 4 and shown.updates == own.updates
    shown.counters[RANGE] = own.counters[RANGE]  # words there, numbers here
    assert np.array_equal(shown.counters, own.counters) and not core.flags() - {"SATURATED"}
    state = core.state_dict()
    core.load_state_dict({name: numbers[::-1].copy() for name, numbers in state.items()})
    core.load_state_dict(state)
    core.show(shown)
    same(shown, own)


@pytest.mark.slow
def test_what_the_core_was_not_built_for_is_one_sentence():
    core = PpoDriver.verilated("tiny")
    for given, says in (
        ({"envs": 5, "minibatches": 4}, "the settings are of 5 environments; the core was built for 6"),
        ({"steps": 10, "minibatches": 6}, "the settings have 10 steps of a rollout; the core was built for at most 8"),
        ({"minibatches": 2}, "the settings have 24 samples of a minibatch; the core was built for at most 12"),
    ):
        with pytest.raises(UserError, match=says):
            core.adopt(learner(**given))
    with pytest.raises(ValueError, match="a rollout of 48 steps has no 5 equal minibatches"):
        learner(minibatches=5)
    other = chip.learner(replace(chip.task_of("cartpole"), hidden=(9, 8)), 1, envs=6, steps=8)
    with pytest.raises(UserError, match=r"the actor has sizes \[4, 9, 8, 2\]; the core was built for \[4, 8, 8, 2\]"):
        core.adopt(other)
    with pytest.raises(PpoError, match="there is no run that could go on"):
        core.run()
    core.adopt(learner())
    core.begin(1)
    core.start()
    for call in (lambda: core.adopt(learner()), core.state_dict):
        with pytest.raises(PpoError, match="the PPO core is running"):
            call()
    core.halt()
    core.wait()
    assert core.iterations >= 1 and not core.running
    with pytest.raises(UserError, match=r"'actor\.moment' is too much or missing"):
        core.load_state_dict({name: x for name, x in core.state_dict().items() if name != "actor.moment"})
