"""Relabelled goals beside Stable-Baselines3, slices of episodes beside torchrl: batches of 256 steps from 2**20."""

from typing import Any

import numpy as np

from rlcores.base.report import Figure
from rlcores.replay.buffer import ReplayBuffer
from rlcores.replay.goals import Hindsight
from rlcores.replay.slices import SliceSampler
from rlcores_lab import shown
from rlcores_lab.bench import peer
from rlcores_lab.bench.tables import Outcome, Step

SLOTS = 1 << 20
BATCH, SLICE = 256, 16
EPISODE = 50  # steps, as of Gymnasium's Fetch
SEEN, GOAL, ACTION = 25, 3, 4  # numbers of an observation, a goal and an action, likewise


def hindsight(seed: int, step: Step, seconds: float = 0.5, slots: int = SLOTS) -> Outcome:
    """Batches with relabelled goals, strategy "future", four goals for each one of the environment's."""
    steps = goal_steps(seed, slots)
    return _beside("hindsight", "goals", (OurGoals, DropInGoals, Sb3Goals), steps, step, seconds)


def slices(seed: int, step: Step, seconds: float = 0.5, slots: int = SLOTS) -> Outcome:
    """Batches of slices of one episode each, every episode as likely as any other."""
    steps = goal_steps(seed, slots)
    return _beside("slices", f"slices of {SLICE}", (OurSlices, TorchrlSlices, TorchrlKept), steps, step, seconds)


def _beside(
    name: str, what: str, makers: tuple[type, ...], steps: dict[str, Any], step: Step, seconds: float
) -> Outcome:
    figures, rows = [], [("who", "us a batch")]
    for make in peer.each(what, makers, step):
        time = peer.least(make(steps).batch, seconds)
        rows.append((make.title, f"{time * 1e6:,.0f}"))
        figures.append(Figure(f"{peer.place(make)}.{name}_ns", time / BATCH * 1e9, "ns a transition", "measured"))
    for one in [figure for figure in figures[1:] if figure.name.startswith("peer")]:
        other = one.name.split(".")[1]
        figures.append(
            Figure(f"native.{name}_of_{other}", one.value / figures[0].value, f"times as fast as {other}", "measured")
        )
    title = f"Batches of {BATCH} transitions, {what}, from {len(steps['reward']):,} steps (measured)"
    return Outcome(figures, [shown.table(title, rows), *peer.absent(makers)])


def goal_steps(seed: int, count: int) -> dict[str, Any]:
    """Steps of a goal environment, an end every 50."""
    rng = np.random.default_rng(seed)
    seen = {
        name: rng.normal(size=(count + 1, size)).astype(np.float32)
        for name, size in (("observation", SEEN), ("achieved_goal", GOAL), ("desired_goal", GOAL))
    }
    return {
        "observation": {name: array[:-1] for name, array in seen.items()},
        "next_observation": {name: array[1:] for name, array in seen.items()},
        "action": rng.normal(size=(count, ACTION)).astype(np.float32),
        "reward": -np.ones(count, np.float32),
        "terminated": np.zeros(count, bool),
        "truncated": np.arange(count) % EPISODE == EPISODE - 1,
    }


def reward(achieved: np.ndarray, desired: np.ndarray, info: Any) -> np.ndarray:
    """The sparse reward of Gymnasium's Fetch."""
    return -(np.linalg.norm(achieved - desired, axis=-1) > 0.05).astype(np.float32)


def _ours(steps: dict[str, Any], **options: Any) -> ReplayBuffer:
    seen = {name: (array.shape[1:], array.dtype) for name, array in steps["observation"].items()}
    arrays = {"observation": seen, "action": ((ACTION,), np.float32)}
    buffer = ReplayBuffer(len(steps["reward"]), arrays, prioritized=False, batch_size=BATCH, seed=0, **options)
    buffer.add(**steps)
    return buffer


class OurGoals:
    """rlcores.ReplayBuffer with Hindsight, its batch as tensors."""

    name, title = "native", "rlcores"

    def __init__(self, steps: dict[str, Any]) -> None:
        """steps: one environment's, in order."""
        self._buffer = _ours(steps, hindsight=Hindsight(reward), device="cpu" if peer.loads("torch") else None)

    def batch(self, turn: int) -> object:
        """A batch in new memory."""
        return self._buffer.sample()


class _Environment:
    """What SB3's buffer asks of its environment."""

    def env_method(self, name: str, *arguments: Any, indices: Any) -> list[np.ndarray]:
        return [reward(*arguments)]


class Sb3Goals:
    """SB3's HerReplayBuffer, filled in place: its add() takes one step a call."""

    name, title, module = "sb3", "Stable-Baselines3", "stable_baselines3"

    def __init__(self, steps: dict[str, Any]) -> None:
        """steps: one environment's, in order."""
        from gymnasium import spaces
        from stable_baselines3 import HerReplayBuffer

        count = len(steps["reward"])
        box = {name: spaces.Box(-9, 9, array.shape[1:]) for name, array in steps["observation"].items()}
        action = spaces.Box(-1, 1, (ACTION,))
        self._buffer = one = HerReplayBuffer(count, spaces.Dict(box), action, _Environment(), device="cpu")
        for name in box:
            one.observations[name][:, 0] = steps["observation"][name]
            one.next_observations[name][:, 0] = steps["next_observation"][name]
        one.actions[:, 0], one.rewards[:, 0] = steps["action"], steps["reward"]
        one.dones[:, 0] = one.timeouts[:, 0] = steps["truncated"]
        place = np.arange(count)
        one.ep_start[:, 0] = place // EPISODE * EPISODE
        one.ep_length[: count // EPISODE * EPISODE, 0] = EPISODE
        one.full, one.pos = True, 0

    def batch(self, turn: int) -> object:
        """A batch."""
        return self._buffer.sample(BATCH)


class DropInGoals:
    """rlcores.integrations.sb3.HerReplayBuffer."""

    name, title, module = "native.drop_in", "rlcores in Stable-Baselines3", "stable_baselines3"

    def __init__(self, steps: dict[str, Any]) -> None:
        """steps: one environment's, in order."""
        from gymnasium import spaces

        from rlcores.integrations.sb3 import HerReplayBuffer

        box = {name: spaces.Box(-9, 9, array.shape[1:]) for name, array in steps["observation"].items()}
        action = spaces.Box(-1, 1, (ACTION,))
        count = len(steps["reward"])
        self._buffer = HerReplayBuffer(count, spaces.Dict(box), action, _Environment(), device="cpu", seed=0)
        self._buffer.held.add(**steps)

    def batch(self, turn: int) -> object:
        """A batch."""
        return self._buffer.sample(BATCH)


class OurSlices:
    """rlcores.replay.slices.SliceSampler."""

    name, title = "native", "rlcores"

    def __init__(self, steps: dict[str, Any]) -> None:
        """steps: one environment's, in order."""
        self._sampler = SliceSampler(_ours(steps), SLICE, draw="episode")

    def batch(self, turn: int) -> object:
        """A batch in new memory."""
        return self._sampler.sample(BATCH // SLICE)


class TorchrlSlices:
    """torchrl's SliceSampler on a LazyTensorStorage, by its end key, as its documentation shows it."""

    name, title, module = "torchrl", "torchrl", "torchrl"
    cached = False

    def __init__(self, steps: dict[str, Any]) -> None:
        """steps: one environment's, in order."""
        import torch
        from tensordict import TensorDict
        from torchrl.data import LazyTensorStorage, ReplayBuffer, SliceSampler

        count = len(steps["reward"])
        tensors = {
            "observation": {name: torch.from_numpy(array) for name, array in steps["observation"].items()},
            "action": torch.from_numpy(steps["action"]),
            "next": {
                "observation": {name: torch.from_numpy(array) for name, array in steps["next_observation"].items()},
                "reward": torch.from_numpy(steps["reward"])[:, None],
                "terminated": torch.from_numpy(steps["terminated"])[:, None],
                "done": torch.from_numpy(steps["truncated"])[:, None],
            },
        }
        self._buffer = ReplayBuffer(
            storage=LazyTensorStorage(count),
            sampler=SliceSampler(
                slice_len=SLICE, end_key=("next", "done"), strict_length=True, cache_values=self.cached
            ),
            batch_size=BATCH,
        )
        self._buffer.extend(TensorDict(tensors, [count]))

    def batch(self, turn: int) -> object:
        """A batch."""
        return self._buffer.sample()


class TorchrlKept(TorchrlSlices):
    """The same with cache_values, which keeps where episodes are until the next extend()."""

    name, title = "torchrl_cached", "torchrl, cache_values"
    cached = True
