"""Episodes of our environments and of Gymnasium's own: first states, lengths and returns cannot be told apart.

The test is Kolmogorov's and Smirnov's of two samples (Smirnov 1948): the largest distance of the two distributions,
which for equal ones exceeds sqrt(-ln(ALPHA / 2) / 2 * (1/n + 1/m)) once in 1/ALPHA runs. Seeds are fixed, so it always
ends alike.
"""

from collections.abc import Callable

import gymnasium
import numpy as np
import pytest

from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.env.physics import ACTION_FRACTION

ALPHA = 1e-3
EPISODES = 10_000
COPIES = 500

# (observations (n, k), generator) -> actions (n,), an index or a number.
Policy = Callable[[np.ndarray, np.random.Generator], np.ndarray]
POLICIES: dict[str, dict[str, Policy]] = {
    "cartpole": {
        "random": lambda obs, rng: rng.integers(0, 2, len(obs)),
        # Balances, and drifts away after 360 to 500 steps: what a trained policy does before it is perfect.
        "good": lambda obs, rng: (obs @ np.array([-0.05, 0.05, 1.0, 0.1]) > 0).astype(int),
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
}


def ours(name: str, policy: Policy, episodes: int, seed: int) -> np.ndarray:
    """First observation, length and return of each episode, (episodes, k + 2): the first ones of every copy."""
    physics, rng = ENVIRONMENTS[name], np.random.default_rng(seed)
    copies = min(COPIES, episodes)
    envs = NativeEnvs(physics, copies)
    obs = envs.begin(seed)
    first, length, total = obs.copy(), np.zeros(copies), np.zeros(copies)
    left = np.full(copies, episodes // copies)
    found = []
    while left.any():
        actions = policy(obs, rng)
        codes = actions if physics.actions else np.floor(actions * 2**ACTION_FRACTION + 0.5).astype(np.int64)
        obs, _, reward, terminated, truncated = envs.answers(codes)
        length, total = length + 1, total + reward
        ended = terminated | truncated
        counts = ended & (left > 0)
        found.append(np.column_stack([first, length, total])[counts])
        left -= counts
        first[ended], length[ended], total[ended] = obs[ended], 0, 0
    return np.concatenate(found)


def gymnasiums(name: str, policy: Policy, episodes: int, seed: int) -> np.ndarray:
    """As ours(), from Gymnasium's environment itself."""
    rng = np.random.default_rng(seed)
    # Without the wrappers that check each step: the limit is kept here.
    env, limit = gymnasium.make(ENVIRONMENTS[name].gymnasium).unwrapped, ENVIRONMENTS[name].time_limit
    indexed = env.action_space.shape == ()
    found = []
    for episode in range(episodes):
        obs, _ = env.reset(seed=seed if episode == 0 else None)
        first, length, total, terminated = obs, 0, 0.0, False
        while not terminated and length < limit:
            action = policy(obs[None], rng)
            obs, reward, terminated, _, _ = env.step(int(action[0]) if indexed else action)
            length, total = length + 1, total + float(reward)
        found.append([*first, length, total])
    return np.array(found)


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
    found, wanted = ours(name, policy, episodes, 1), gymnasiums(name, policy, theirs, 2)
    assert len(found) == episodes and len(wanted) == theirs
    # A sum of rewards in float64 has other last bits than one of exact numbers.
    digits = np.round(found, 5), np.round(wanted, 5)
    for column, (a, b) in enumerate(zip(*(x.T for x in digits), strict=True)):
        assert distance(a, b) < limit(episodes, theirs), f"{name}, {kind}: column {column}"


CASES = [(name, kind) for name, policies in POLICIES.items() for kind in policies]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_ten_thousand_episodes_are_gymnasiums(name: str, kind: str) -> None:
    compare(name, kind, EPISODES, EPISODES)


@pytest.mark.parametrize(("name", "kind"), [case for case in CASES if case[1] == "good"])
def test_episodes_are_gymnasiums(name: str, kind: str) -> None:
    compare(name, kind, 2000, 150)


def test_the_test_sees_another_distribution() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=2000), rng.normal(size=2000)
    assert distance(a, b) < limit(2000, 2000) < distance(a, b + 0.3)


@pytest.mark.parametrize("name", POLICIES)
def test_the_good_policies_reach_the_goal(name: str) -> None:
    lengths = ours(name, POLICIES[name]["good"], 500, 3)[:, -2]
    assert np.median(lengths) < ENVIRONMENTS[name].time_limit and lengths.std() > 1
