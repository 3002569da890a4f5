"""`rlcores bench priorities`: how far the share of a transition is from (|TD error| + epsilon)**alpha, everywhere.

TD errors lie over twelve decades at once. The backends, the buffer, the drop-ins that can be loaded and the replay
server are each asked for the priorities that they hold.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rlcores import PrioritizedSampler, ReplayBuffer
from rlcores.base.report import Figure
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.net import ReplayClient, ReplayServer
from rlcores_lab import shown
from rlcores_lab.bench import peer
from rlcores_lab.bench.tables import Outcome, Step

DECADES = (-8, 4)
SLOTS, FEW = 2000, 150  # FEW of what is simulated, or read in one frame


class Held(NamedTuple):
    """Priorities after TD errors were given, and what they follow."""

    priorities: np.ndarray
    alpha: float
    epsilon: float


def _sampler(backend: str) -> Callable[[np.ndarray], Held]:
    def held(errors: np.ndarray) -> Held:
        sampler = PrioritizedSampler(len(errors), backend=backend, priority_epsilon=0.0, seed=0)
        slots = sampler.add(len(errors))
        sampler.update(slots.indices, errors, slots.generations)
        return _of(sampler, len(errors))

    return held


def _of(sampler: PrioritizedSampler, count: int) -> Held:
    return Held(sampler.tree.read(np.arange(count)), sampler.alpha, sampler.priority_epsilon)


def _buffer(errors: np.ndarray) -> Held:
    n = len(errors)
    buffer = ReplayBuffer(n, {"observation": ((), "float32")}, priority_epsilon=0.0, seed=0)
    steps = np.arange(n, dtype=np.float32)
    no = np.zeros(n, bool)
    buffer.add(observation=steps, next_observation=steps + 1, reward=steps, terminated=no, truncated=no)
    buffer.update(np.arange(n), errors)
    return _of(buffer.sampler, n)


def _torchrl(errors: np.ndarray) -> Held:
    import torch

    from rlcores.integrations.torchrl import SumTreeSampler

    sampler = SumTreeSampler(len(errors), alpha=0.6, beta=0.4)
    sampler.extend(torch.arange(len(errors)))
    sampler.update_priority(torch.arange(len(errors)), torch.from_numpy(errors))
    return _of(sampler._sampler, len(errors))


def _tianshou(errors: np.ndarray) -> Held:
    from tianshou.data import Batch

    from rlcores.integrations.tianshou import PrioritizedReplayBuffer

    buffer = PrioritizedReplayBuffer(len(errors), alpha=0.6, beta=0.4)
    for _ in range(len(errors)):
        buffer.add(
            Batch(obs=np.zeros(1), act=0, rew=0.0, terminated=False, truncated=False, obs_next=np.zeros(1), info={})
        )
    buffer.update_weight(np.arange(len(errors)), errors)
    return _of(buffer.sampler, len(errors))


def _sb3(errors: np.ndarray) -> Held:
    import gymnasium

    from rlcores.integrations.sb3 import PrioritizedReplayBuffer

    space, n = gymnasium.spaces.Box(-1, 1, (1,), np.float32), len(errors)
    buffer = PrioritizedReplayBuffer(n, space, space, device="cpu", sampler_options={"priority_epsilon": 0.0})
    for _ in range(n):
        buffer.add(*(np.zeros((1, 1), np.float32),) * 3, np.zeros(1), np.zeros(1), [{}])
    buffer.sampler.update(np.arange(n), errors)
    return _of(buffer.sampler, n)


def _server(errors: np.ndarray) -> Held:
    settings = ServerSettings(capacity=len(errors), record_bytes=8, epsilon=0)
    with ReplayServer(settings) as server, ReplayClient(server.address) as client:
        client.put(np.arange(len(errors)), td_errors=errors)
        client.flush()
        priorities = client.read(np.arange(len(errors)), 0).priorities
        return Held(priorities, client.settings.alpha / 32768, 0.0)


class _Part(NamedTuple):
    title: str
    module: str  # that it needs
    held: Callable[[np.ndarray], Held]
    slots: int = SLOTS


PARTS = {
    "native": _Part("PrioritizedSampler, native", "numpy", _sampler("native")),
    "model": _Part("PrioritizedSampler, model", "numpy", _sampler("model")),
    "rtl": _Part("PrioritizedSampler, rtl", "numpy", _sampler("rtl"), FEW),
    "buffer": _Part("ReplayBuffer", "numpy", _buffer),
    "torchrl": _Part("torchrl's sampler", "torchrl", _torchrl),
    "tianshou": _Part("tianshou's buffer", "tianshou.data", _tianshou),
    "sb3": _Part("Stable-Baselines3's buffer", "stable_baselines3", _sb3),
    "server": _Part("replay server, Python's client", "numpy", _server, FEW),
}


def run(seed: int, step: Step) -> Outcome:
    """Every part that can be loaded here."""
    rng, figures, rows = np.random.default_rng(seed), [], [("who", "worst error of a share")]
    absent = []
    for name, part in PARTS.items():
        if not peer.loads(part.module):
            absent.append(part.title)
            continue
        step(part.title)
        errors = 10 ** rng.uniform(*DECADES, part.slots)
        held = part.held(errors)
        wanted = (errors + held.epsilon) ** held.alpha
        shares = held.priorities / np.float64(held.priorities.sum())
        worst = float(np.abs(shares / (wanted / wanted.sum()) - 1).max())
        figures.append(Figure(f"priorities.{name}.share_error", worst, "of a share, worst", "measured"))
        rows.append((part.title, f"{worst:.2%}"))
    low, high = DECADES
    title = f"Shares beside (|TD error| + epsilon)**0.6, TD errors of 1e{low} to 1e{high} (measured)"
    left = [f"Not installed here, so not measured: {', '.join(absent)}."] if absent else []
    return Outcome(figures, [shown.table(title, rows), *left])
