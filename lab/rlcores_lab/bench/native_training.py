"""Parts of `rlcores bench native`: advantages and gradient steps through Python, beside their peers."""

import warnings
from collections.abc import Callable

import numpy as np

from rlcores.base.report import Figure
from rlcores.cores.gae.api import advantages
from rlcores.cores.learner.api import Learner
from rlcores_lab import shown
from rlcores_lab.bench import gae_peers, learner_peers, peer
from rlcores_lab.bench.tables import Outcome, Step

STEPS, ENVS = 1024, 64
# The network of Meng et al. (2022), and one of Atari's size without its convolutions: sizes, batch.
NETWORKS = {"dqn": ((4, 64, 64, 2), 64), "dqn256": ((17, 256, 256, 6), 256)}


def gae(seed: int, step: Step, seconds: float = 0.5, shape: tuple[int, int] = (STEPS, ENVS)) -> Outcome:
    """advantages() at every accuracy, NumPy's loops, and the functions of torchrl and tianshou."""
    problem = gae_peers.problem(*shape, seed)
    ours = [gae_peers.Way(name, f"rlcores, {how}", _advantages(how)) for name, how in _ACCURACIES.items()]
    figures, rows = [], [("who", "µs", "ns a step of an environment")]
    for way in peer.each("GAE", (*ours, *gae_peers.PEERS), step):
        call = way.make(problem)
        best = peer.least(lambda i, call=call: call(), seconds)
        ns = best / problem.rewards.size * 1e9
        rows.append((way.title, f"{best * 1e6:.0f}", f"{ns:.2f}"))
        figures.append(Figure(f"{peer.place(way)}.gae_ns", ns, "ns an element", "measured"))
    title = f"Advantages of {shape[0]} x {shape[1]} (measured)"
    note = "Accuracies exact16 and 8bit include statistics, quantising and checks; float32 and float64 include checks."
    return Outcome(figures, [shown.table(title, rows), note, *peer.absent(gae_peers.PEERS)])


_ACCURACIES = {"native": "exact16", "native.8bit": "8bit", "native.float32": "float32", "native.float64": "float64"}


def _advantages(accuracy: str) -> Callable[[gae_peers.Problem], Callable[[], object]]:
    def make(problem: gae_peers.Problem) -> Callable[[], object]:
        final = np.where(problem.truncated, problem.final_values, 0).astype(np.float32)
        arrays = (
            problem.rewards,
            problem.values,
            problem.terminated,
            problem.truncated,
            problem.bootstrap,
            problem.gamma,
        )
        return lambda: advantages(*arrays, problem.gae_lambda, final_values=final, accuracy=accuracy)

    return make


def dqn(seed: int, step: Step, seconds: float = 0.5, networks: dict | None = None) -> Outcome:
    """Learner.step with Adam, beside float32 steps in C++, NumPy, PyTorch and JAX, on one thread each."""
    networks = networks or NETWORKS
    rows = [("who", *(f"{'-'.join(map(str, sizes))}, batch {batch}" for sizes, batch in networks.values()))]
    figures, columns = [], {}
    for name, (sizes, batch) in networks.items():
        suffix = "" if name == "dqn" else f".{name}"
        for backend in ("native", "model"):
            step(f"{name}, rlcores, {backend}")
            us = _ours(backend, sizes, batch, seed, seconds)
            place = "native" if backend == "native" else "native.model"
            figures.append(Figure(f"{place}{suffix}.dqn_step_us", us, f"µs, batches of {batch}", "measured"))
            columns.setdefault(f"rlcores, {backend}", []).append(f"{us:.0f}")
        for make in peer.each(name, learner_peers.PEERS, step):
            one = learner_peers.measure(make, sizes, "adam", batch, seed, seconds)
            place = f"peer.{one.name}{suffix}"
            figures.append(Figure(f"{place}.dqn_step_us", one.us, f"µs, batches of {batch}", "measured"))
            columns.setdefault(one.title, []).append(f"{one.us:.0f}")
    rows += [(who, *us) for who, us in columns.items()]
    title = "A DQN's gradient step with Adam: µs, by network and batch (measured)"
    return Outcome(figures, [shown.table(title, rows), *peer.absent(learner_peers.PEERS)])


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
    arguments = [
        (b.states, b.actions.astype(np.int64), b.rewards, b.next_states, b.terminated, b.weights) for b in batches
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numbers that do not fit: the rewards are noise
        return peer.least(lambda i: learner.step(*arguments[i % len(arguments)]), seconds) * 1e6
