"""Learners of TD3, SAC and dueling DQN in rounds: what a round does, and that one of them is the learner itself."""

import numpy as np
import pytest

from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learners.average import importance, mean
from rlcores.cores.learners.off_policy import OffPolicyLearners, critics, trained
from rlcores.cores.rl import dqn, sac, td3
from rlcores.cores.rl.batch import TransitionBatch
from rlcores.cores.sumtree.maths import POWER_ONE, WEIGHT_ONE
from rlcores.cores.sumtree.model import SAMPLE
from rlcores.errors import UserError

STATES = 3
KINDS = ["td3", "sac", "dqn"]


def learner(kind: str, seed: int, backend: str = "native"):
    options = {"network": (8, 8), "learning_rate": 1e-2, "tau": 0.1}
    if kind == "td3":
        return td3.Td3(STATES, 2, td3.Td3Settings(**options), seed=seed, backend=backend)
    if kind == "sac":
        return sac.Sac(STATES, 2, sac.SacSettings(**options), seed=seed, backend=backend)
    return dqn.Dqn(STATES, 2, dqn.DqnSettings(**options), seed=seed, backend=backend)


def batch(kind: str, rng: np.random.Generator, rows: int = 16) -> TransitionBatch:
    actions = rng.integers(0, 2, rows) if kind == "dqn" else rng.uniform(-1, 1, (rows, 2))
    return TransitionBatch(
        rng.normal(size=(rows, STATES)), actions, rng.normal(size=rows), rng.normal(size=(rows, STATES)),
        rng.choice([0.0, 0.9], rows), rng.uniform(0.1, 1, rows),
    )  # fmt: skip


def several(kind: str, count: int, average: int, backend: str = "native") -> OffPolicyLearners:
    return OffPolicyLearners([learner(kind, seed + 1, backend) for seed in range(count)], average)


def equal(one, other) -> list[str]:
    assert one.keys() == other.keys()
    return [name for name in one if not np.array_equal(one[name], other[name])]


@pytest.mark.parametrize("kind", KINDS)
def test_one_learner_that_averages_every_step_is_the_learner_itself(kind, seed):
    rng = np.random.default_rng(seed)
    alone, rounds = learner(kind, 1), several(kind, 1, 1)
    for _ in range(40):
        transitions = batch(kind, rng)
        first, (second,) = alone.step(*vars(transitions).values()), rounds.step([transitions])
        assert np.array_equal(first, second)
    own = rounds.learners[0].state_dict()
    own.pop("judge", None)
    assert not equal(alone.state_dict(), own)


@pytest.mark.parametrize("kind", KINDS)
def test_engine_and_model_train_the_same_weights_and_resume_within_a_round(kind, seed):
    states = []
    for backend, stop in (("native", None), ("model", None), ("native", 13)):
        rng = np.random.default_rng(seed)
        rounds = several(kind, 3, 5, backend)
        for step in range(23):
            if step == stop:
                kept, rounds = rounds.state_dict(), several(kind, 3, 5, backend)
                assert kept["round"][0]
                rounds.load_state_dict(kept)
            rounds.step([batch(kind, rng) for _ in range(3)])
        assert rounds.since == 3
        states.append(rounds.state_dict())
    assert not equal(states[0], states[1]) and not equal(states[0], states[2])


@pytest.mark.parametrize("kind", KINDS)
def test_weights_meet_and_what_is_bootstrapped_from_stands_still_within_a_round(kind, seed):
    rng = np.random.default_rng(seed)
    rounds = several(kind, 3, 4)
    first = rounds.learners[0]
    flat = [[network.integers.planes[WEIGHTS] for network in trained(one)] for one in rounds.learners]
    targets = [network.integers.planes[TARGET] for network in first.networks if network.has_target]
    actors = [network for network in trained(first) if network not in critics(first)]
    for _ in range(3):
        held, still = [t.copy() for t in targets], [a.integers.planes[WEIGHTS].copy() for a in actors]
        for _ in range(3):
            rounds.step([batch(kind, rng) for _ in range(3)])
            assert all(np.array_equal(a, b) for a, b in zip(held, targets, strict=True))
            assert all(np.array_equal(a, b.integers.planes[WEIGHTS]) for a, b in zip(still, actors, strict=True))
        assert not np.array_equal(flat[0][-1 if kind == "dqn" else 1], flat[1][-1 if kind == "dqn" else 1])
        rounds.step([batch(kind, rng) for _ in range(3)])
        for same in zip(*flat, strict=True):
            assert all(np.array_equal(same[0], other) for other in same[1:])
        assert not any(np.array_equal(a, b) for a, b in zip(held, targets, strict=True))
        assert not any(np.array_equal(a, b.integers.planes[WEIGHTS]) for a, b in zip(still, actors, strict=True))
    assert rounds.rounds == 3


def test_the_average_of_a_round_is_the_exact_one_of_critics_that_learned_alone(seed):
    """Of the first step's new weights, by learners of the same seeds that never meet."""
    rng = np.random.default_rng(seed)
    rounds, alone = several("dqn", 3, 1), [learner("dqn", 1) for _ in range(3)]
    transitions = [batch("dqn", rng) for _ in range(3)]
    rounds.step(transitions)
    for one, own in zip(alone, transitions, strict=True):
        one.step(*vars(own).values())
    wanted = mean(np.stack([one.network.integers.planes[WEIGHTS] for one in alone]))
    assert np.array_equal(rounds.weights()[0], wanted)


def test_double_dqn_chooses_by_the_last_average_within_a_round(seed):
    """Other weights of the learner's own change no choice; the held network's do."""
    rng = np.random.default_rng(seed)
    states = [batch("dqn", rng, 64) for _ in range(6)]
    chosen_last = []
    for disturbed in (None, "network", "_judge"):
        rounds = several("dqn", 1, 8)
        for transitions in states[:5]:
            rounds.step([transitions])
        one = rounds.learners[0]
        chosen = []
        if disturbed:
            net = getattr(one, disturbed).integers
            net.set_flat(-net.planes[WEIGHTS], WEIGHTS)
        judge = one._judge
        forward = judge.forward
        judge.forward = lambda *a, f=forward, kept=chosen, **k: (kept.append(f(*a, **k)), kept[-1])[1]
        rounds.step([states[5]])
        chosen_last.append(chosen[0][-1])
    assert np.array_equal(chosen_last[0], chosen_last[1]) and not np.array_equal(chosen_last[0], chosen_last[2])


def test_a_dueling_policy_takes_the_actions_of_the_largest_value(seed):
    rng = np.random.default_rng(seed)
    one = learner("dqn", 1)
    for _ in range(150):  # action 1 pays the sign of the first number, action 0 the opposite
        transitions = batch("dqn", rng)
        one.step(
            transitions.states,
            transitions.actions,
            np.sign(transitions.states[:, 0]) * (2 * transitions.actions - 1),
            transitions.states,
            0 * transitions.rewards,
        )
    states = rng.normal(size=(500, STATES)).astype(np.float32)
    values = one.policy()(states)
    assert values.shape == (500, 2)
    assert np.array_equal(values.argmax(axis=1), one.act(states)) and len(set(one.act(states))) == 2


def test_importance_weights_are_those_of_one_buffer_whatever_unit_a_bank_counts_in(seed):
    rng = np.random.default_rng(seed)
    beta, units, answers, exact = 0.5, (0, 3, -2), [], []
    for unit in units:
        own = np.zeros(32, SAMPLE)
        real = rng.integers(1 << 12, 1 << 20, 32)
        own["priority"], own["total"] = real / 2.0**unit, (total := 8 * int(rng.integers(1 << 23, 1 << 25))) / 2.0**unit
        answers.append(own)
        exact.append(total * (own["priority"].astype(float) * 2.0**unit) ** -beta)
    largest = max(x.max() for x in exact)
    weights = importance(answers, round(beta * POWER_ONE), units)
    for own, wanted in zip(weights, exact, strict=True):
        np.testing.assert_allclose(own / WEIGHT_ONE, wanted / largest, rtol=2e-4)


def test_the_state_of_others_or_a_torn_round_is_refused(seed):
    rng = np.random.default_rng(seed)
    rounds = several("td3", 2, 4)
    rounds.step([batch("td3", rng) for _ in range(2)])
    state = rounds.state_dict()
    with pytest.raises(UserError, match="of 2 learners with average = 4; these are 3 with 4"):
        several("td3", 3, 4).load_state_dict(state)
    with pytest.raises(UserError, match="its round is not whole"):
        several("td3", 2, 4).load_state_dict({name: x for name, x in state.items() if "kept.1.words" not in name})
