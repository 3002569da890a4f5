"""GAE on a CPU in float32: NumPy over environments, and a C loop. The best we can write, timed as a peer of the core.

Both handle terminated and truncated episodes as docs/gae.md says, so they do the work that the core does.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rlcores_lab.bench import peer

GAMMA, LAMBDA = 0.99, 0.95

Answer = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Problem:
    """A rollout in float32: (T, N) arrays, bootstrap (N,), final_values (T, N) read only where truncated."""

    rewards: np.ndarray
    values: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    bootstrap: np.ndarray
    final_values: np.ndarray
    gamma: float = GAMMA
    gae_lambda: float = LAMBDA

    @cached_property
    def cuts(self) -> tuple[np.ndarray, np.ndarray]:
        """Places t*N + n of truncated steps in rising order, and the values of their final observations."""
        places = np.flatnonzero(self.truncated)
        return places, self.final_values.ravel()[places].astype(np.float32)

    @cached_property
    def done(self) -> np.ndarray:
        """(T, N) bool, what a PPO buffer keeps: the episode ended here, either way."""
        return self.terminated | self.truncated


def problem(steps: int, count: int, seed: int, ends: float = 0.005) -> Problem:
    """A random rollout in which a step ends its episode with probability `ends`, every second time by truncation."""
    rng = np.random.default_rng(seed)
    rewards, values, final = rng.standard_normal((3, steps, count), dtype=np.float32)
    end = rng.random((steps, count)) < ends
    cut = end & (rng.random((steps, count)) < 0.5)
    return Problem(rewards, values, end & ~cut, cut, rng.standard_normal(count, dtype=np.float32), final)


def numpy_peer(given: Problem) -> Callable[[], Answer]:
    """A function that computes advantages and returns with NumPy: whole arrays, then one loop over steps."""
    steps, count = given.rewards.shape
    gamma, decay = np.float32(given.gamma), np.float32(given.gamma * given.gae_lambda)
    places, final = given.cuts
    carried, rewards, values, done = np.empty(count, np.float32), given.rewards, given.values, given.done
    advantages, returns = np.empty_like(rewards), np.empty_like(rewards)
    keep, next_values = np.empty_like(rewards), np.empty_like(rewards)

    def compute() -> Answer:
        next_values[:-1] = values[1:]
        next_values[-1] = given.bootstrap
        np.logical_not(done, out=keep, casting="unsafe")
        np.multiply(next_values, keep, out=next_values)
        next_values.ravel()[places] = final
        np.multiply(next_values, gamma, out=advantages)
        np.add(advantages, rewards, out=advantages)
        np.subtract(advantages, values, out=advantages)
        np.multiply(keep, decay, out=keep)
        carried[:] = 0
        for t in range(steps - 1, -1, -1):
            np.multiply(carried, keep[t], out=carried)
            np.add(carried, advantages[t], out=carried)
            advantages[t] = carried
        np.add(advantages, values, out=returns)
        return advantages, returns

    return compute


def c_peer(given: Problem) -> Callable[[], Answer]:
    """A function that computes them with gae_peer.c, compiled here for this processor. RunFailed when it does not."""
    library = peer.compiled("gae_peer.c")
    steps, count = given.rewards.shape
    places, final = (np.ascontiguousarray(x) for x in given.cuts)
    carry = np.empty(count, np.float32)
    advantages, returns = np.empty_like(given.rewards), np.empty_like(given.rewards)
    done = given.done.view(np.uint8)
    function = library.gae
    function.restype = None
    size, number = ctypes.c_size_t, ctypes.c_float
    pointers = [x.ctypes.data_as(ctypes.c_void_p) for x in (given.rewards, given.values, done, given.bootstrap)]
    cuts = [x.ctypes.data_as(ctypes.c_void_p) for x in (places.astype(np.int64, copy=False), final)]
    out = [x.ctypes.data_as(ctypes.c_void_p) for x in (carry, advantages, returns)]
    arguments = [size(steps), size(count), *pointers, size(len(places)), *cuts]
    arguments += [number(given.gamma), number(given.gae_lambda), *out]

    def compute() -> Answer:
        function(*arguments)
        return advantages, returns

    return compute
