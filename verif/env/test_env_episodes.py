"""Episodes of our environments and of Gymnasium's own: first states, lengths and returns cannot be told apart.

The test is Kolmogorov's and Smirnov's of two samples (Smirnov 1948): the largest distance of the two distributions,
which for equal ones exceeds sqrt(-ln(ALPHA / 2) / 2 * (1/n + 1/m)) once in 1/ALPHA runs. Seeds are fixed, so it always
ends alike.
"""

from collections.abc import Callable

import gymnasium
import numpy as np
import pytest
import trained

from rlcores.cores.env import plants
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.env.physics import ACTION_FRACTION

ALPHA = 1e-3
EPISODES = 10_000
COPIES = 500

# (observations (n, k), generator) -> actions (n,), an index or a number, or vectors (n, components).
Policy = Callable[[np.ndarray, np.random.Generator], np.ndarray]
POLICIES: dict[str, dict[str, Policy]] = {
    "cartpole": {
        "random": lambda obs, rng: rng.integers(0, 2, len(obs)),
        # Balances, and drifts away after 360 to 500 steps: what a trained policy does before it is perfect.
        "good": lambda obs, rng: (obs @ np.array([-0.05, 0.05, 1.0, 0.1]) > 0).astype(int),
        "trained": trained.policy("cartpole"),
    },
    "mountaincar": {
        "random": lambda obs, rng: rng.integers(0, 3, len(obs)),
        # Pushes to where the car goes, most of the time.
        "good": lambda obs, rng: np.where(rng.random(len(obs)) < 0.9, 2 * (obs[:, 1] >= 0), 1),
    },
    "mountaincar_continuous": {
        "random": lambda obs, rng: rng.uniform(-1, 1, len(obs)),
        "good": lambda obs, rng: np.where(obs[:, 1] >= 0, 1, -1) * rng.uniform(0.5, 1.5, len(obs)),
    },
    "pendulum": {
        "random": lambda obs, rng: rng.uniform(-2, 2, len(obs)),
        "trained": trained.policy("pendulum"),
    },
    "acrobot": {
        "random": lambda obs, rng: rng.integers(0, 3, len(obs)),
        "trained": trained.policy("acrobot"),
    },
}
# The library's own have no other reference than Plant, which starts and steps in float64. Small actions: long episodes.
OWN = {physics.name: physics for physics in ENVIRONMENTS.values() if physics.gymnasium.startswith(plants.NAMESPACE)}
POLICIES |= {
    name: {
        kind: lambda obs, rng, scale=scale, size=physics.components: scale * rng.uniform(-1, 1, (len(obs), size))
        for kind, scale in (("random", 1.0), ("calm", 0.1))
    }
    for name, physics in OWN.items()
}


def ours(name: str, policy: Policy, episodes: int, seed: int) -> np.ndarray:
    """First observation, length and return of each episode, (episodes, k + 2): the first ones of every copy."""
    physics, rng = ENVIRONMENTS[name], np.random.default_rng(seed)
    copies = min(COPIES, episodes)
    envs = NativeEnvs(physics, copies)
    obs = envs.begin(seed)
    first, length, total = obs.copy(), np.zeros(copies), np.zeros(copies)
    left = np.full(copies, episodes // copies)
    episodes_done = []
    while left.any():
        actions = policy(obs, rng)
        codes = actions if physics.actions else np.floor(actions * 2**ACTION_FRACTION + 0.5).astype(np.int64)
        obs, _, reward, terminated, truncated = envs.answers(codes)
        length, total = length + 1, total + reward
        ended = terminated | truncated
        counts = ended & (left > 0)
        episodes_done.append(np.column_stack([first, length, total])[counts])
        left -= counts
        first[ended], length[ended], total[ended] = obs[ended], 0, 0
    return np.concatenate(episodes_done)


def gymnasiums(name: str, policy: Policy, episodes: int, seed: int) -> np.ndarray:
    """As ours(), from Gymnasium's environment itself."""
    physics, rng = ENVIRONMENTS[name], np.random.default_rng(seed)
    copies = min(COPIES, episodes)
    # Without the wrappers that check each step: the limit is kept here.
    envs = [gymnasium.make(physics.gymnasium).unwrapped for _ in range(copies)]
    obs = np.stack([env.reset(seed=seed + k)[0] for k, env in enumerate(envs)])
    first, length, total = obs.copy(), np.zeros(copies), np.zeros(copies)
    left, episodes_done = np.full(copies, episodes // copies), []
    indexed = envs[0].action_space.shape == ()
    while left.any():
        actions = policy(obs, rng)
        length += 1
        for k in np.flatnonzero(left):
            obs[k], reward, terminated, _, _ = envs[k].step(int(actions[k]) if indexed else np.atleast_1d(actions[k]))
            total[k] += float(reward)
            if terminated or length[k] == physics.time_limit:
                episodes_done.append([*first[k], length[k], total[k]])
                left[k] -= 1
                obs[k], _ = envs[k].reset()
                first[k], length[k], total[k] = obs[k], 0, 0
    return np.array(episodes_done)


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """The largest distance of two samples' distributions."""
    every = np.concatenate([a, b])
    shares = (np.searchsorted(np.sort(x), every, side="right") / len(x) for x in (a, b))
    return float(np.abs(np.subtract(*shares)).max())


def limit(n: int, m: int) -> float:
    """What distance() exceeds once in 1/ALPHA runs."""
    return float(np.sqrt(-np.log(ALPHA / 2) / 2 * (1 / n + 1 / m)))


def compare(name: str, kind: str, episodes: int, theirs: int) -> None:
    policy = POLICIES[name][kind]
    returns, wanted = ours(name, policy, episodes, 1), gymnasiums(name, policy, theirs, 2)
    assert len(returns) == episodes and len(wanted) == theirs
    # A sum of rewards in float64 has other last bits than one of exact numbers.
    digits = np.round(returns, 5), np.round(wanted, 5)
    for column, (a, b) in enumerate(zip(*(x.T for x in digits), strict=True)):
        assert distance(a, b) < limit(episodes, theirs), f"{name}, {kind}: column {column}"


CASES = [(name, kind) for name, policies in POLICIES.items() for kind in policies]
GOOD = [case for case in CASES if case[1] != "random" and case[0] not in OWN]
# What half of the episodes of a policy that is not random return at least.
GOALS = {"cartpole": 450, "mountaincar": -130, "mountaincar_continuous": 85, "pendulum": -150, "acrobot": -90}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_ten_thousand_episodes_are_gymnasiums(name: str, kind: str) -> None:
    compare(name, kind, EPISODES, EPISODES)


@pytest.mark.parametrize(("name", "kind"), [*GOOD, *((name, "calm") for name in OWN)])
def test_episodes_are_gymnasiums(name: str, kind: str) -> None:
    compare(name, kind, 2000, 150)


def test_the_test_sees_another_distribution() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=2000), rng.normal(size=2000)
    assert distance(a, b) < limit(2000, 2000) < distance(a, b + 0.3)


@pytest.mark.parametrize(("name", "kind"), GOOD)
def test_the_policies_that_are_not_random_are_good_and_not_perfect(name: str, kind: str) -> None:
    returns = ours(name, POLICIES[name][kind], 500, 3)[:, -1]
    assert np.median(returns) >= GOALS[name] and returns.std() > 0.5
    assert np.median(ours(name, POLICIES[name]["random"], 500, 3)[:, -1]) < GOALS[name]


def test_every_environment_has_a_random_policy_and_another() -> None:
    assert set(POLICIES) == set(ENVIRONMENTS) and {name for name, _ in GOOD} == set(ENVIRONMENTS) - set(OWN)
