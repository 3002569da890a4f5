"""A DQN's gradient step on a CPU, peers of the learner core: ours in C++ and NumPy, PyTorch and JAX where installed.

All are float32, take the same batches, use one thread, and end with new weights and the priorities |td|.
"""

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from rlcores.cores.learner.float64 import FloatNetwork, FloatSettings, FloatValueLearner
from rlcores.cores.learner.format import LearnerBatch
from rlcores.errors import RunFailed
from rlcores_lab.bench import peer

# Sums and square roots in vector registers. Not -ffast-math, which would change the rounding mode of this process.
_RELAXED = (
    "-fno-math-errno", "-fno-signed-zeros", "-fno-trapping-math", "-fassociative-math", "-freciprocal-math",
    "-funroll-loops",
)  # fmt: skip
OPTIMISERS = ("sgd", "adam")
GAMMA, RATE = 0.99, 1e-3
SYNC = 100  # steps between copies of the target weights
SIZES = (4, 64, 64, 2)  # the network of Meng et al. (2022)


def random_batches(sizes: tuple[int, ...], size: int, count: int, seed: int) -> list[LearnerBatch]:
    """Standard normal states and rewards, one terminal state in ten; float32, actions uint32, terminated bool."""
    rng = np.random.default_rng(seed)
    n = size * count
    whole = (
        rng.standard_normal((n, sizes[0]), np.float32), rng.integers(0, sizes[-1], n).astype(np.uint32),
        rng.standard_normal(n, np.float32), rng.standard_normal((n, sizes[0]), np.float32),
        rng.random(n) < 0.1, rng.uniform(0.1, 1, n).astype(np.float32),
    )  # fmt: skip
    return [LearnerBatch(*(x[at : at + size] for x in whole)) for at in range(0, n, size)]


class Peer(Protocol):
    """A learner. theta: all weights, each layer's (outputs, inputs) and then its biases, float32."""

    name: str
    title: str

    def __init__(self, sizes: tuple[int, ...], batch: int, optimiser: str, theta: np.ndarray) -> None: ...

    def prepare(self, batches: list[LearnerBatch]) -> list[tuple]:
        """Arguments of one() for all batches: a user would sample them so, and making them is not in a step's time."""

    def one(self, *arguments):
        """A gradient step to its end, or several; returns |td| of the last."""

    def theta(self) -> np.ndarray:
        """The weights now."""


class Cpp:
    """learner_peer.cpp, compiled for these sizes and this batch."""

    name, title = "cpp", "C++"

    def __init__(self, sizes: tuple[int, ...], batch: int, optimiser: str, theta: np.ndarray) -> None:
        """Raises RunFailed when it does not compile."""
        values = ",".join(map(str, sizes)), batch, int(optimiser == "adam")
        defines = (f"-DPEER_{name}={value}" for name, value in zip(("SIZES", "BATCH", "ADAM"), values, strict=True))
        self._library = lib = peer.compiled("learner_peer.cpp", *_RELAXED, *defines)
        pointer, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_float
        lib.peer_new.restype = pointer
        lib.peer_new.argtypes = [number, number, number, ctypes.c_uint64]
        for name, arguments in (("delete", 0), ("load", 1), ("read", 1)):
            function = getattr(lib, f"peer_{name}")
            function.argtypes, function.restype = [pointer] * (1 + arguments), None
        lib.peer_steps.argtypes, lib.peer_steps.restype = [pointer, size, *[pointer] * 7], None
        self._batch = batch
        self._peer = lib.peer_new(GAMMA, RATE, 0.0, SYNC)
        self._theta = theta.astype(np.float32)
        lib.peer_load(self._peer, self._theta.ctypes.data)

    def __del__(self) -> None:
        if getattr(self, "_peer", None):
            self._library.peer_delete(self._peer)

    def prepare(self, batches: list[LearnerBatch]) -> list[tuple]:
        """All of them for one call."""
        names = ("states", "actions", "rewards", "next_states", "terminated", "weights")
        return [tuple(np.concatenate([getattr(b, name) for b in batches]) for name in names)]

    def one(self, *arrays: np.ndarray) -> np.ndarray:
        priorities = np.empty(len(arrays[0]), np.float32)
        pointers = (x.ctypes.data for x in (*arrays, priorities))
        self._library.peer_steps(self._peer, len(priorities) // self._batch, *pointers)
        return priorities[-self._batch :]

    def theta(self) -> np.ndarray:
        self._library.peer_read(self._peer, self._theta.ctypes.data)
        return self._theta


class Numpy:
    """rlcores.cores.learner.float64, which learns in this package's examples."""

    name, title = "numpy", "NumPy"

    def __init__(self, sizes: tuple[int, ...], batch: int, optimiser: str, theta: np.ndarray) -> None:
        self._learner = _float_learner(sizes, optimiser, theta, np.float32)

        self.one = self._learner.step

    def prepare(self, batches: list[LearnerBatch]) -> list[tuple]:
        return [(batch,) for batch in batches]

    def theta(self) -> np.ndarray:
        return self._learner.network.theta


def _arrays_of(batches: list[LearnerBatch], index: type) -> Iterator[tuple[np.ndarray, ...]]:
    """What a step takes, actions as indices of a column, 1 where an episode goes on."""
    for b in batches:
        alive = 1 - b.terminated.astype(np.float32)
        yield b.states, b.actions.astype(index)[:, None], b.rewards, b.next_states, alive, b.weights


def torch_layers(sizes: Sequence[int]) -> list:
    """PyTorch's layers of a network, a ReLU between each two."""
    from torch import nn

    return [layer for i, j in pairwise(sizes) for layer in (nn.Linear(i, j), nn.ReLU())][:-1]


class Torch:
    """PyTorch: nn.Sequential, autograd, torch.optim with its fused step, one thread."""

    name, title, module = "torch", "PyTorch", "torch"

    def __init__(self, sizes: tuple[int, ...], batch: int, optimiser: str, theta: np.ndarray) -> None:
        import torch

        torch.set_num_threads(1)
        self._torch = torch

        self._online, self._target = (torch.nn.Sequential(*torch_layers(sizes)) for _ in range(2))
        torch.nn.utils.vector_to_parameters(torch.tensor(theta), self._online.parameters())
        self._target.load_state_dict(self._online.state_dict())
        make = torch.optim.Adam if optimiser == "adam" else torch.optim.SGD
        self._optimiser = make(self._online.parameters(), lr=RATE, fused=True)
        self._updates = 0

    def prepare(self, batches: list[LearnerBatch]) -> list[tuple]:
        return [tuple(map(self._torch.from_numpy, arrays)) for arrays in _arrays_of(batches, np.int64)]

    def one(self, states, actions, rewards, next_states, alive, weights):
        with self._torch.no_grad():
            goal = rewards + GAMMA * alive * self._target(next_states).amax(1)
        td = self._online(states).gather(1, actions)[:, 0] - goal
        loss = (weights * td * td).mean() * 0.5
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self._optimiser.step()
        self._updates += 1
        if self._updates % SYNC == 0:
            self._target.load_state_dict(self._online.state_dict())
        return td.detach().abs()

    def theta(self) -> np.ndarray:
        return self._torch.nn.utils.parameters_to_vector(self._online.parameters()).detach().numpy()

    def values(self, states: np.ndarray) -> np.ndarray:
        with self._torch.no_grad():
            return self._online(self._torch.as_tensor(states)).numpy()


class Jax:
    """JAX: one jit of the whole step, its arguments donated, one thread."""

    name, title, module = "jax", "JAX, jit", "jax"

    def __init__(self, sizes: tuple[int, ...], batch: int, optimiser: str, theta: np.ndarray) -> None:
        import jax
        import jax.numpy as jnp

        self._jax = jax
        shape = FloatNetwork(sizes, np.float32)
        shape.theta[:] = theta
        online = [(jnp.array(w), jnp.array(b)) for w, b in zip(shape.weights, shape.biases, strict=True)]

        def values(net, x):
            for w, b in net[:-1]:
                x = jax.nn.relu(x @ w.T + b)
            return x @ net[-1][0].T + net[-1][1]

        def loss(net, target, states, actions, rewards, next_states, alive, weights):
            goal = rewards + GAMMA * alive * values(target, next_states).max(1)
            td = jnp.take_along_axis(values(net, states), actions, 1)[:, 0] - jax.lax.stop_gradient(goal)
            return 0.5 * (weights * td * td).mean(), jnp.abs(td)

        def step(state, *batch):
            net, target, m, v, n = state
            (_, priority), g = jax.value_and_grad(loss, has_aux=True)(net, target, *batch)
            n = n + 1
            tree = jax.tree.map
            if optimiser == "adam":
                m = tree(lambda m, g: m + 0.1 * (g - m), m, g)
                v = tree(lambda v, g: v + 0.001 * (g * g - v), v, g)
                one, two = 1 / (1 - 0.9**n), (1 - 0.999**n) ** -0.5
                net = tree(lambda w, m, v: w - RATE * one * m / (jnp.sqrt(v) * two + 1e-8), net, m, v)
            else:
                net = tree(lambda w, g: w - RATE * g, net, g)
            target = tree(lambda w, t: jnp.where(n % SYNC == 0, w, t), net, target)
            return (net, target, m, v, n), priority

        self._step = jax.jit(step, donate_argnums=0)
        zeros = lambda: jax.tree.map(jnp.zeros_like, online)  # noqa: E731
        self._state = (online, jax.tree.map(jnp.copy, online), zeros(), zeros(), jnp.float32(0))

    def prepare(self, batches: list[LearnerBatch]) -> list[tuple]:
        return [tuple(map(self._jax.device_put, arrays)) for arrays in _arrays_of(batches, np.int32)]

    def one(self, *arrays):
        self._state, priority = self._step(self._state, *arrays)
        return priority.block_until_ready()

    def theta(self) -> np.ndarray:
        return np.concatenate([np.asarray(x).ravel() for layer in self._state[0] for x in layer])


@dataclass(frozen=True)
class Timing:
    """Microseconds of a gradient step, the least of all runs."""

    name: str
    title: str
    optimiser: str
    batch: int
    us: float


PEERS = Cpp, Numpy, Torch, Jax


def initial(sizes: tuple[int, ...], seed: int) -> np.ndarray:
    """Random weights, float32, in the order of Peer."""
    network = FloatNetwork(sizes, np.float32)
    network.initialise(np.random.default_rng(seed))
    return network.theta


def check(make: type, sizes: tuple[int, ...], batch: int, optimiser: str, seed: int, steps: int = 5) -> float:
    """How far a peer's weights are from the float64 model's after some steps, as a share of how far those moved.

    Raises RunFailed when that is more than rounding explains.
    """
    theta = initial(sizes, seed)
    batches = random_batches(sizes, batch, steps, seed)
    exact = _float_learner(sizes, optimiser, theta, np.float64)
    priorities = [exact.step(b) for b in batches][-1]
    one: Peer = make(sizes, batch, optimiser, theta)
    errors = [np.asarray(one.one(*arrays)) for arrays in one.prepare(batches)][-1]
    moved = np.linalg.norm(exact.network.theta - theta)
    error = float(np.linalg.norm(one.theta() - exact.network.theta) / moved)
    if error > 5e-3 or np.abs(errors - priorities).max() > 1e-3:
        raise RunFailed(f"the {make.name} peer's weights are wrong by {error:.2g} of what {steps} steps change them")
    return error


def measure(make: type, sizes: tuple[int, ...], optimiser: str, batch: int, seed: int, seconds: float = 0.5) -> Timing:
    """Time one peer's gradient step, after checking it."""
    check(make, sizes, batch, optimiser, seed)
    batches = random_batches(sizes, batch, 64, seed)
    timed: Peer = make(sizes, batch, optimiser, initial(sizes, seed))
    arguments = timed.prepare(batches)
    best = peer.least(lambda i: timed.one(*arguments[i % len(arguments)]), seconds) * len(arguments) / len(batches)
    return Timing(make.name, make.title, optimiser, batch, best * 1e6)


def _float_learner(sizes: tuple[int, ...], optimiser: str, theta: np.ndarray, dtype: type) -> FloatValueLearner:
    settings = FloatSettings(
        gamma=GAMMA, huber=None, optimiser=optimiser, learning_rate=RATE, target_update_interval=SYNC
    )
    learner = FloatValueLearner(sizes, settings, dtype=dtype)
    learner.network.theta[:] = theta
    learner.target.theta[:] = theta
    return learner
