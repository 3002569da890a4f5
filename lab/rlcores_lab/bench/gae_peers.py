"""GAE on a CPU in float32: the best that we can write, NumPy over environments and a C loop; and what people use.

All handle terminated and truncated episodes as docs/gae.md says, so they do the work that the core does.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rlcores.cores.gae.float64 import rollout as float_gae
from rlcores.errors import RunFailed
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

    @cached_property
    def following(self) -> np.ndarray:
        """(T, N) values of the states that follow, which libraries take beside those of the states."""
        following = np.vstack([self.values[1:], self.bootstrap[None]])
        return np.where(self.truncated, self.final_values, following)


class Way(NamedTuple):
    """A way to compute advantages: of a rollout it makes a function that does it. module: what must load for it."""

    name: str
    title: str
    make: Callable[[Problem], Callable[[], object]]
    module: str = "numpy"


def problem(steps: int, count: int, seed: int, ends: float = 0.005) -> Problem:
    """A random rollout in which a step ends its episode with probability `ends`, every second time by truncation."""
    rng = np.random.default_rng(seed)
    rewards, values, final = rng.standard_normal((3, steps, count), dtype=np.float32)
    end = rng.random((steps, count)) < ends
    cut = end & (rng.random((steps, count)) < 0.5)
    return Problem(rewards, values, end & ~cut, cut, rng.standard_normal(count, dtype=np.float32), final)


def numpy_peer(problem: Problem) -> Callable[[], Answer]:
    """A function that computes advantages and returns with NumPy: whole arrays, then one loop over steps."""
    steps, count = problem.rewards.shape
    gamma, decay = np.float32(problem.gamma), np.float32(problem.gamma * problem.gae_lambda)
    places, final = problem.cuts
    carried, rewards, values, done = np.empty(count, np.float32), problem.rewards, problem.values, problem.done
    advantages, returns = np.empty_like(rewards), np.empty_like(rewards)
    keep, next_values = np.empty_like(rewards), np.empty_like(rewards)

    def compute() -> Answer:
        next_values[:-1] = values[1:]
        next_values[-1] = problem.bootstrap
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


def c_peer(problem: Problem) -> Callable[[], Answer]:
    """A function that computes them with gae_peer.c, compiled here for this processor. RunFailed when it does not."""
    library = peer.compiled("gae_peer.c")
    steps, count = problem.rewards.shape
    places, final = (np.ascontiguousarray(x) for x in problem.cuts)
    carry = np.empty(count, np.float32)
    advantages, returns = np.empty_like(problem.rewards), np.empty_like(problem.rewards)
    done = problem.done.view(np.uint8)
    function = library.gae
    function.restype = None
    size, number = ctypes.c_size_t, ctypes.c_float
    pointers = [x.ctypes.data_as(ctypes.c_void_p) for x in (problem.rewards, problem.values, done, problem.bootstrap)]
    cuts = [x.ctypes.data_as(ctypes.c_void_p) for x in (places.astype(np.int64, copy=False), final)]
    out = [x.ctypes.data_as(ctypes.c_void_p) for x in (carry, advantages, returns)]
    arguments = [size(steps), size(count), *pointers, size(len(places)), *cuts]
    arguments += [number(problem.gamma), number(problem.gae_lambda), *out]

    def compute() -> Answer:
        function(*arguments)
        return advantages, returns

    return compute


def _loop(problem: Problem) -> Callable[[], object]:
    final = np.where(problem.truncated, problem.final_values, 0).astype(np.float32)
    ends = problem.terminated, problem.truncated
    return lambda: float_gae(
        problem.rewards, problem.values, *ends, problem.bootstrap, final, problem.gamma, problem.gae_lambda
    )


def _torchrl(problem: Problem) -> Callable[[], object]:
    import torch
    from torchrl.objectives.value.functional import vec_generalized_advantage_estimate

    arrays = problem.values, problem.following, problem.rewards, problem.done, problem.terminated
    tensors = [torch.from_numpy(np.ascontiguousarray(x.T)[..., None]) for x in arrays]
    return lambda: vec_generalized_advantage_estimate(problem.gamma, problem.gae_lambda, *tensors)


def _tianshou(problem: Problem) -> Callable[[], object]:
    """One environment behind the other; the last step of each is an end, as its buffers say it."""
    from tianshou.algorithm.algorithm_base import _gae

    last = problem.done.copy()
    last[-1] = True
    arrays = problem.values, problem.following * ~problem.terminated, problem.rewards, last
    lanes = [np.ascontiguousarray(x.T).ravel() for x in arrays]
    return lambda: _gae(*lanes, problem.gamma, problem.gae_lambda)


def _scan(problem: Problem) -> Callable[[], object]:
    import jax
    import jax.numpy as jnp

    following = problem.following * ~problem.terminated
    arrays = [jnp.asarray(x, jnp.float32) for x in (problem.rewards, problem.values, following, ~problem.done)]

    @jax.jit
    def gae(rewards, values, following, goes):
        def back(carried, now):
            error, goes = now
            carried = error + problem.gamma * problem.gae_lambda * goes * carried
            return carried, carried

        errors = rewards + problem.gamma * following - values
        advantages = jax.lax.scan(back, jnp.zeros(rewards.shape[1]), (errors, goes), reverse=True)[1]
        return advantages, advantages + values

    _check("jax", gae(*arrays)[0], problem)
    return lambda: jax.block_until_ready(gae(*arrays))


def _rollout_buffer(problem: Problem) -> Callable[[], object]:
    """It knows ends only, so the value behind a truncation is part of the reward, as its algorithms add it."""
    import torch
    from gymnasium.spaces import Box, Discrete
    from stable_baselines3.common.buffers import RolloutBuffer

    steps, count = problem.rewards.shape
    kinds = {"gamma": problem.gamma, "gae_lambda": problem.gae_lambda, "n_envs": count}
    buffer = RolloutBuffer(steps, Box(-1, 1, (1,)), Discrete(2), "cpu", **kinds)
    cut = np.where(problem.truncated, problem.final_values, 0)
    buffer.rewards[:], buffer.values[:] = problem.rewards + problem.gamma * cut, problem.values
    buffer.episode_starts[1:], last = problem.done[:-1], torch.from_numpy(problem.bootstrap)
    buffer.compute_returns_and_advantage(last, problem.done[-1])
    _check("sb3", buffer.advantages, problem)
    return lambda: buffer.compute_returns_and_advantage(last, problem.done[-1])


def _check(name: str, advantages: np.ndarray, problem: Problem) -> None:
    if not np.allclose(advantages, numpy_peer(problem)()[0], atol=1e-3):
        raise RunFailed(f"the {name} peer's advantages are wrong")


BEST = (
    Way("numpy", "NumPy, all environments at once", numpy_peer),
    Way("c", "C, -O3 -march=native", c_peer),
)
# Beside the engine; those that need more than NumPy come last.
PEERS = (
    Way("numpy", "NumPy, the loop as it is written", _loop),
    Way("numpy_in_place", "NumPy, whole arrays and a loop in place", numpy_peer),
    Way("torchrl", "torchrl, vectorised", _torchrl, "torchrl.objectives.value.functional"),
    Way("tianshou", "tianshou, Numba", _tianshou, "tianshou.algorithm.algorithm_base"),
    Way("jax", "JAX, a scan, jit", _scan, "jax"),
    Way("sb3", "stable-baselines3, RolloutBuffer", _rollout_buffer, "stable_baselines3"),
)
