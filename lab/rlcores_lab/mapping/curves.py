"""Curves of this machine for rlcores.train.split: environment and gradient steps per second over the cores."""

import importlib
import multiprocessing
import os
import time
from collections.abc import Callable, Sequence

import numpy as np

from rlcores.base import threads
from rlcores.errors import UserError
from rlcores_lab.mapping import steps
from rlcores_lab.mapping.workloads import Workload, workload


def environment(of: Workload) -> str | None:
    """The gymnasium environment of a workload that is installed here; None when there is none."""
    import gymnasium

    if of.module:
        try:
            # ale_py registers its environments when it is imported.
            importlib.import_module(of.module)
        except (ImportError, gymnasium.error.DependencyNotInstalled):
            return None
    return of.environment if of.environment in gymnasium.registry else None


def actor(of: Workload, seed: int) -> Callable[[], None]:
    """A function that does one environment step with the policy network's inference before it.

    Raises UserError when the environment is not installed.
    """
    import gymnasium

    name = environment(of)
    if name is None:
        raise UserError(f"{of.environment} is not installed: {of.hint}")
    made = gymnasium.make(name)
    made.action_space.seed(seed)
    infer = steps.numpy_inference(of, seed)
    state = np.zeros((1, *(of.image or (of.state_words,))), np.float32)
    made.reset(seed=seed)

    def step() -> None:
        # The network's time counts, its untrained answer does not.
        infer(state)
        seen, _, terminated, truncated, _ = made.step(made.action_space.sample())
        if terminated or truncated:
            seen, _ = made.reset()
        if not of.image:
            state[0] = seen

    return step


def _work(kind: str, name: str, batch: int, seed: int, seconds: float, start, results) -> None:
    """One process of a curve: steps per second of the processor's time, after all have begun."""
    of = workload(name)
    call = actor(of, seed) if kind == "actors" else steps.numpy_step(of, batch, seed)
    call()
    start.wait(timeout=600)  # so that nobody waits for one that failed
    begun, end = time.process_time(), time.perf_counter() + seconds
    done = 0
    while time.perf_counter() < end or not done:
        call()
        done += 1
    results.put(done / (time.process_time() - begun))


def measure(
    kind: str, of: Workload, batch: int, counts: Sequence[int], seconds: float, seed: int = 0
) -> dict[int, float]:
    """A curve of this machine: kind 'actors' (environment steps) or 'learners' (gradient steps of that batch).

    Each core has a process of its own with one thread. What a parameter server takes to add gradients is not in it, nor
    are the turns of other programs.
    Raises UserError for an environment that is not installed.
    """
    if kind == "actors" and environment(of) is None:
        raise UserError(f"{of.environment} is not installed: {of.hint}")
    context = multiprocessing.get_context("spawn")
    curve = {}
    with threads.one_in_children():
        for count in counts:
            start, results = context.Barrier(count), context.SimpleQueue()
            arguments = [(kind, of.name, batch, seed + n, seconds, start, results) for n in range(count)]
            workers = [context.Process(target=_work, args=a, daemon=True) for a in arguments]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            if any(worker.exitcode for worker in workers):
                raise UserError(f"an actor or learner of {of.title} could not be measured")
            curve[count] = sum(results.get() for _ in workers)
    return curve


def counts() -> list[int]:
    """Numbers of cores to measure here: powers of two and all."""
    cores = os.cpu_count() or 1
    return sorted({*(1 << n for n in range(cores.bit_length()) if 1 << n <= cores), cores})
