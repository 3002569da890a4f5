"""Parts of `rlcores bench native`: advantages and gradient steps through Python, beside their peers."""

import contextlib
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from rlcores.base.report import Figure
from rlcores.cores.gae.api import advantages
from rlcores.cores.gae.float64 import rollout as float_gae
from rlcores.cores.learner.api import Learner
from rlcores.errors import RunFailed
from rlcores_lab import shown
from rlcores_lab.bench import learner_peers, peer, peers
from rlcores_lab.bench.tables import Outcome, Step, absent

STEPS, ENVS = 1024, 64
# The network of Meng et al. (2022), and one of Atari's size without its convolutions: sizes, batch.
NETWORKS = {"dqn": ((4, 64, 64, 2), 64), "dqn256": ((17, 256, 256, 6), 256)}


def gae(seed: int, step: Step, seconds: float = 0.5, shape: tuple[int, int] = (STEPS, ENVS)) -> Outcome:
    """advantages() at every accuracy, NumPy's loops, and the functions of torchrl and tianshou."""
    given = peers.problem(*shape, seed)
    arrays = (given.rewards, given.values, given.terminated, given.truncated, given.bootstrap)
    final = np.where(given.truncated, given.final_values, 0).astype(np.float32)

    def ours(accuracy: str) -> Callable[[], object]:
        return lambda: advantages(*arrays, peers.GAMMA, peers.LAMBDA, final_values=final, accuracy=accuracy)

    runs = {f"native{name}": ("rlcores, " + accuracy, ours(accuracy)) for name, accuracy in _ACCURACIES.items()}
    loop = (*arrays, final, peers.GAMMA, peers.LAMBDA)
    runs["peer.numpy"] = "NumPy, the loop as it is written", lambda: float_gae(*loop)
    runs["peer.numpy_in_place"] = "NumPy, whole arrays and a loop in place", peers.numpy_peer(given)
    for name, title, call in _gae_libraries(given):
        runs[f"peer.{name}"] = title, call
    figures, rows = [], [("who", "µs", "ns a step of an environment")]
    for name, (title, call) in runs.items():
        step(f"GAE, {title}")
        best = peer.least(lambda i, call=call: call(), seconds)
        rows.append((title, f"{best * 1e6:.0f}", f"{best / given.rewards.size * 1e9:.2f}"))
        figures.append(Figure(f"{name}.gae_ns", best / given.rewards.size * 1e9, "ns an element", "measured"))
    title = f"Advantages of {shape[0]} x {shape[1]} (measured)"
    note = "Accuracies exact16 and 8bit include statistics, quantising and checks; float32 and float64 include checks."
    found = [PeerName(name.removeprefix("peer.")) for name in runs]
    return Outcome(figures, [shown.table(title, rows), note, *absent(("torchrl", "tianshou", "jax", "sb3"), found)])


class PeerName(NamedTuple):
    """A peer that was timed."""

    name: str


_ACCURACIES = {"": "exact16", ".8bit": "8bit", ".float32": "float32", ".float64": "float64"}


def _gae_libraries(given: peers.Problem) -> Iterator[tuple[str, str, Callable[[], object]]]:
    # They take the values of the next states beside those of the states.
    with contextlib.suppress(ImportError):
        import torch
        from torchrl.objectives.value.functional import vec_generalized_advantage_estimate

        following = np.vstack([given.values[1:], given.bootstrap[None]])
        following = np.where(given.truncated, given.final_values, following)
        t = [torch.from_numpy(np.ascontiguousarray(x.T)[..., None]) for x in (given.values, following, given.rewards)]
        ends = [torch.from_numpy(np.ascontiguousarray(x.T)[..., None]) for x in (given.done, given.terminated)]
        yield (
            "torchrl",
            "torchrl, vectorised",
            lambda: vec_generalized_advantage_estimate(peers.GAMMA, peers.LAMBDA, *t, *ends),
        )
    with contextlib.suppress(ImportError):
        from tianshou.algorithm.algorithm_base import _gae

        # One environment behind the other; the last step of each is an end, as its buffers say it.
        after = np.vstack([given.values[1:], given.bootstrap[None]])
        after = np.where(given.truncated, given.final_values, after) * ~given.terminated
        last = given.done.copy()
        last[-1] = True
        lanes = [np.ascontiguousarray(x.T).ravel() for x in (given.values, after, given.rewards, last)]
        yield "tianshou", "tianshou, Numba", lambda: _gae(*lanes, peers.GAMMA, peers.LAMBDA)

    if peer.loads("jax"):
        yield "jax", "JAX, a scan, jit", _scan(given)
    if peer.loads("stable_baselines3"):
        yield "sb3", "stable-baselines3, RolloutBuffer", _rollout_buffer(given)


def _scan(given: peers.Problem) -> Callable[[], object]:
    import jax
    import jax.numpy as jnp

    following = np.vstack([given.values[1:], given.bootstrap[None]])
    following = np.where(given.truncated, given.final_values, following) * ~given.terminated
    arrays = [jnp.asarray(x, jnp.float32) for x in (given.rewards, given.values, following, ~given.done)]

    @jax.jit
    def gae(rewards, values, following, goes):
        def back(carried, now):
            error, goes = now
            carried = error + peers.GAMMA * peers.LAMBDA * goes * carried
            return carried, carried

        errors = rewards + peers.GAMMA * following - values
        found = jax.lax.scan(back, jnp.zeros(rewards.shape[1]), (errors, goes), reverse=True)[1]
        return found, found + values

    wanted = peers.numpy_peer(given)()[0]
    if not np.allclose(gae(*arrays)[0], wanted, atol=1e-3):
        raise RunFailed("the JAX peer's advantages are wrong")
    return lambda: jax.block_until_ready(gae(*arrays))


def _rollout_buffer(given: peers.Problem) -> Callable[[], object]:
    """It knows ends only, so the value behind a truncation is part of the reward, as its algorithms add it."""
    import torch
    from gymnasium.spaces import Box, Discrete
    from stable_baselines3.common.buffers import RolloutBuffer

    steps, count = given.rewards.shape
    kinds = {"gamma": peers.GAMMA, "gae_lambda": peers.LAMBDA, "n_envs": count}
    buffer = RolloutBuffer(steps, Box(-1, 1, (1,)), Discrete(2), "cpu", **kinds)
    cut = np.where(given.truncated, given.final_values, 0)
    buffer.rewards[:], buffer.values[:] = given.rewards + peers.GAMMA * cut, given.values
    buffer.episode_starts[1:], last = given.done[:-1], torch.from_numpy(given.bootstrap)
    buffer.compute_returns_and_advantage(last, given.done[-1])
    if not np.allclose(buffer.advantages, peers.numpy_peer(given)()[0], atol=1e-3):
        raise RunFailed("the advantages of Stable-Baselines3 are of another rollout")
    return lambda: buffer.compute_returns_and_advantage(last, given.done[-1])


def dqn(seed: int, step: Step, seconds: float = 0.5, networks: dict | None = None) -> Outcome:
    """Learner.step with Adam, beside float32 steps in C++, NumPy, PyTorch and JAX, on one thread each."""
    networks = networks or NETWORKS
    rows = [("who", *(f"{'-'.join(map(str, sizes))}, batch {batch}" for sizes, batch in networks.values()))]
    figures, timed, columns = [], [], {}
    for name, (sizes, batch) in networks.items():
        suffix = "" if name == "dqn" else f".{name}"
        for backend in ("native", "model"):
            step(f"{name}, rlcores, {backend}")
            us = _ours(backend, sizes, batch, seed, seconds)
            place = "native" if backend == "native" else "native.model"
            figures.append(Figure(f"{place}{suffix}.dqn_step_us", us, f"µs, batches of {batch}", "measured"))
            columns.setdefault(f"rlcores, {backend}", []).append(f"{us:.0f}")
        for make in learner_peers.installed():
            step(f"{name}, {make.title}")
            one = learner_peers.measure(make, sizes, "adam", batch, seed, seconds)
            timed.append(one)
            place = f"peer.{one.name}{suffix}"
            figures.append(Figure(f"{place}.dqn_step_us", one.us, f"µs, batches of {batch}", "measured"))
            columns.setdefault(one.title, []).append(f"{one.us:.0f}")
    rows += [(who, *us) for who, us in columns.items()]
    title = "A DQN's gradient step with Adam: µs, by network and batch (measured)"
    return Outcome(figures, [shown.table(title, rows), *absent(("torch", "jax"), timed)])


def _ours(backend: str, sizes: tuple[int, ...], batch: int, seed: int, seconds: float) -> float:
    batches = learner_peers.random_batches(sizes, batch, 64, seed)
    learner = Learner(
        sizes,
        backend=backend,
        batch_max=batch,
        huber=None,
        learning_rate=learner_peers.RATE,
        target_update_interval=learner_peers.SYNC,
        seed=seed,
    )
    given = [(b.states, b.actions.astype(np.int64), b.rewards, b.next_states, b.terminated, b.weights) for b in batches]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numbers that do not fit: the rewards are noise
        return peer.least(lambda i: learner.step(*given[i % len(given)]), seconds) * 1e6
