"""The PPO core behind its driver: it learns as the model, environments inside or outside, and says what it refuses."""

from dataclasses import replace

import numpy as np
import pytest
from ppo_cases import host

from rlcores.cores.env.cartpole import CartPole
from rlcores.cores.env.model import EnvModel
from rlcores.cores.ppo.driver import PpoDriver, PpoError
from rlcores.cores.ppo.model import ACC_OVERFLOW, Ppo
from rlcores.cores.ppo.shape import PpoShape, small
from rlcores.eda import configs
from rlcores.errors import UserError
from rlcores.train import chip

PLANES = [0, 2, 3]


def learner(seed: int = 3, **changes: int) -> Ppo:
    """One that fits the configuration tiny."""
    task = replace(chip.task_of("cartpole"), network=(8, 8))
    own = chip.learner(task, seed, **({"envs": 6, "steps": 8, "minibatches": 4} | changes))
    own.columns = 2
    return own


def same(one: Ppo, other: Ppo) -> None:
    for name in ("actor", "critic"):
        planes, wanted = (getattr(own, name).planes[PLANES] for own in (one, other))
        assert np.array_equal(planes, wanted), name
    assert np.array_equal(one.logs, other.logs), "log-deviations"


def test_a_shape_is_that_of_its_parameters():
    for config in configs.names("ppo"):
        parameters = configs.load("ppo", config)
        shape = PpoShape.of(parameters)
        shape.check()
        assert {name: parameters[name] for name in shape.parameters()} == shape.parameters()
    for hidden in ((64, 64), (7, 5), (3,), (1, 2, 9)):
        actor, critic = small((4, *hidden, 3))
        PpoShape(actor, critic, 2).check()


@pytest.mark.slow
@pytest.mark.parametrize("record_bits", [0, 8])
@pytest.mark.parametrize("inside", [True, False])
def test_the_core_learns_as_the_model_and_tells_its_episodes(seed, inside, record_bits):
    built = configs.load("ppo_env" if inside else "ppo", "tiny") | {"RECORD_BITS": record_bits}
    core = PpoDriver.verilated(built, inside=inside)
    changes, limit = ({}, None) if inside else ({"lockstep": 1}, 9)  # outside, some episodes are cut off and some end
    changes["record_bits"] = record_bits
    own, shown = learner(seed, **changes), learner(seed + 1, **changes)
    core.adopt(own)
    core.begin(seed)
    envs = EnvModel(CartPole(), 6, limit)
    outside = None if inside else EnvModel(CartPole(), 6, limit)
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
    shown.counters[ACC_OVERFLOW] = own.counters[ACC_OVERFLOW]  # words there, numbers here
    assert np.array_equal(shown.counters, own.counters) and not core.flags() - {"SATURATED"}
    state = core.state_dict()
    core.load_state_dict({name: numbers[::-1].copy() for name, numbers in state.items()})
    core.load_state_dict(state)
    core.show(shown)
    same(shown, own)


GAUSSIAN = {"SIZES": "3-8-8-1:3-8-8-1", "GAUSSIAN": 1, "N_ENVS": 5, "BATCH_MAX": 10}


def pendulum(seed: int, **changes: int) -> Ppo:
    """One that fits GAUSSIAN; its batch slices have two of five environments."""
    task = replace(chip.task_of("pendulum"), network=(8, 8))
    return chip.learner(task, seed, columns=2, **({"envs": 5, "steps": 8, "minibatches": 4, "epochs": 2} | changes))


@pytest.mark.slow
def test_a_gaussian_policy_learns_in_gymnasiums_environments_as_the_model(seed):
    """The core acts in a vector of them; then on rollouts that the model played in it. Batch slices are not full."""
    pytest.importorskip("gymnasium")
    core = PpoDriver.verilated(configs.load("ppo", "tiny") | GAUSSIAN, inside=False)
    own, shown = pendulum(seed, lockstep=1), pendulum(seed + 1, lockstep=1)
    inner, outer = (host("Pendulum-v1", 5, max_episode_steps=3) for _ in range(2))
    core.adopt(own)
    core.begin(seed)
    seen, episodes = inner.start(seed)["obs"], chip.Episodes(np.zeros(5))
    for iterations in (2, 1):
        wanted = []
        for _ in range(iterations):
            rollout, seen = own.collect(inner, seen)
            own.train(rollout)
            wanted.append(episodes.ended(rollout)[:, 2:])
        assert np.array_equal(core.run(iterations, outer), np.concatenate(wanted))
        core.show(shown)
        same(shown, own)
    assert core.returns()[0] == 5 * 24 // 3 and own.iterations == 3
    shown.counters[ACC_OVERFLOW] = own.counters[ACC_OVERFLOW]
    assert np.array_equal(shown.counters, own.counters)

    own = pendulum(seed + 2, lockstep=1)
    core.adopt(own)
    core.begin()
    for _ in range(2):
        rollout, seen = own.collect(inner, seen)
        core.train(rollout)
        own.train(rollout)
        core.show(shown)
        same(shown, own)
    with pytest.raises(PpoError, match="this run began with rollouts of another kind"):
        core.run(1, outer)
    core.adopt(pendulum(seed))
    core.begin()
    with pytest.raises(UserError, match=r"environments outside answer all at once; the learner .* lockstep=1"):
        core.run(1, outer)
    other, _ = pendulum(seed, steps=4).collect(inner, seen)
    with pytest.raises(UserError, match=r"the rollout has observations \(4, 5, 3\); the core takes \(8, 5, 3\)"):
        core.train(other)


@pytest.mark.slow
def test_what_the_core_was_not_built_for_is_one_sentence():
    core = PpoDriver.verilated("tiny")
    for changes, says in (
        ({"envs": 5, "minibatches": 4}, "the settings are of 5 environments; the core was built for 6"),
        ({"steps": 10, "minibatches": 6}, "the settings have 10 steps of a rollout; the core was built for at most 8"),
        ({"minibatches": 2}, "the settings have 24 samples of a minibatch; the core was built for at most 12"),
        ({"record_bits": 8}, "the settings are of 8 bits of a record's codes; the core was built for 0"),
    ):
        with pytest.raises(UserError, match=says):
            core.adopt(learner(**changes))
    with pytest.raises(ValueError, match="a rollout of 48 steps has no 5 equal minibatches"):
        learner(minibatches=5)
    other = chip.learner(replace(chip.task_of("cartpole"), network=(9, 8)), 1, envs=6, steps=8)
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
