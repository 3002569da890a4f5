"""Episodes of the model beside Gymnasium's: what they start with and how long they are, under two policies.

Two samples are told apart by the test of Kolmogorov and Smirnov at 1 %, with seeds that are fixed.
"""

import gymnasium
import numpy as np
import pytest

from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.model import EnvModel

SLOW = pytest.mark.slow
LANES = 250
# A linear policy that balances, and drifts away after 360 to 500 steps: what a trained one does before it is perfect.
WEIGHTS = np.array([-0.05, 0.05, 1.0, 0.1])


def kolmogorov_smirnov(a: np.ndarray, b: np.ndarray) -> float:
    """Largest distance of the two distribution functions, over what it exceeds in one of a hundred equal pairs."""
    both = np.sort(np.concatenate([a, b]))
    distance = np.abs(
        np.searchsorted(np.sort(a), both, "right") / len(a) - np.searchsorted(np.sort(b), both, "right") / len(b)
    ).max()
    return distance / (1.628 * np.sqrt(1 / len(a) + 1 / len(b)))


def policy(name: str, obs: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, 2, len(obs)) if name == "random" else (obs @ WEIGHTS > 0).astype(int)


def ours(name: str, episodes: int) -> tuple[np.ndarray, np.ndarray]:
    """First states and lengths of the model's episodes, as many of each lane."""
    physics, rng = ENVIRONMENTS["cartpole"], np.random.default_rng(1)
    envs = EnvModel(physics, LANES)
    obs = physics.numbers(envs.start(seed=1)["obs"])

    def step():
        nonlocal obs
        found = envs.step(policy(name, obs, rng))
        obs = physics.numbers(found["obs"])
        return obs, found["terminated"] | found["truncated"]

    return played(obs, step, episodes)


def gymnasiums(name: str, episodes: int, low: float) -> tuple[np.ndarray, np.ndarray]:
    """The same of Gymnasium's. low: of a first state; its own is -0.05."""
    rng = np.random.default_rng(2)
    envs = gymnasium.make_vec("CartPole-v1", num_envs=LANES, vectorization_mode="vector_entry_point")
    obs, _ = envs.reset(seed=2, options={"low": low, "high": -low})
    ended = np.zeros(LANES, bool)

    def step():
        nonlocal obs, ended
        obs, _, terminated, truncated, _ = envs.step(policy(name, obs, rng))
        before, ended = ended, terminated | truncated
        return obs, ended, before  # a step after an end is a reset

    return played(obs, step, episodes)


def played(obs, step, episodes: int) -> tuple[np.ndarray, np.ndarray]:
    firsts, lengths = [[o] for o in obs], [[] for _ in range(LANES)]
    length, wanted = np.zeros(LANES, int), episodes // LANES
    while min(map(len, lengths)) < wanted:
        obs, ended, *reset = step()
        length += 1
        if reset:  # it was no step
            for i in np.flatnonzero(reset[0]):
                firsts[i].append(obs[i])
            length[reset[0]] = 0
        for i in np.flatnonzero(ended):
            lengths[i].append(length[i])
            if not reset:
                firsts[i].append(obs[i])
        length[ended] = 0
    return np.concatenate([f[:wanted] for f in firsts]), np.concatenate([n[:wanted] for n in lengths])


@pytest.mark.parametrize(("name", "episodes"), [("random", 1000), *(
    pytest.param(name, 10_000, marks=SLOW) for name in ("random", "balancing")
)])  # fmt: skip
def test_episodes_of_cartpole_are_not_told_from_gymnasiums(name: str, episodes: int) -> None:
    first, lengths = ours(name, episodes)
    other, others = gymnasiums(name, episodes, -0.05)
    assert len(lengths) == len(others) == episodes and first.shape == other.shape == (episodes, 4)
    for element in range(4):
        assert kolmogorov_smirnov(first[:, element], other[:, element]) < 1
    # A reward is 1 a step, so that returns are lengths.
    assert kolmogorov_smirnov(lengths, others) < 1
    assert lengths.mean() == pytest.approx(others.mean(), rel=0.1)


def test_the_test_tells_first_states_a_tenth_too_wide_apart() -> None:
    first, _ = ours("random", 1000)
    other, _ = gymnasiums("random", 1000, -0.06)
    assert max(kolmogorov_smirnov(first[:, i], other[:, i]) for i in range(4)) > 1
