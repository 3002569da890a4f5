"""A replay learner in float32, NumPy's or PyTorch's: the interface of rlcores.ReplayLearner, no core."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcores.cores.learner import state as learner_state
from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatValueLearner
from rlcores.errors import UserError
from rlcores.train.replay import Replay
from rlcores.train.tasks import Task

_REPLAY = ("leaves", "sums", "states", "next_states", "actions", "rewards", "terminated")


class _Replay(Replay):
    """The study's replay, with a state that can be kept."""

    def arrays(self) -> dict[str, np.ndarray]:
        """Transitions, priorities, and the generator of the draws."""
        kept = {name: getattr(self, f"_{name}") for name in _REPLAY}
        numbers = {"largest": self._largest, "added": self._added, "draws": self._rng.bit_generator.state}
        return kept | {"numbers": np.array(json.dumps(numbers))}

    def load(self, kept: Mapping[str, np.ndarray]) -> None:
        """The state that arrays() gave."""
        for name in _REPLAY:
            getattr(self, f"_{name}")[...] = kept[name]
        numbers = json.loads(str(kept["numbers"]))
        self._largest, self._added = numbers["largest"], numbers["added"]
        self._rng.bit_generator.state = numbers["draws"]


class FloatReplayLearner:
    """Prioritised replay and a float32 learner of a task's networks."""

    def __init__(self, task: Task, seed: int, *, torch: bool = False) -> None:
        """torch: PyTorch's autograd and Adam, from the same first weights. Raises UserError without PyTorch."""
        action = np.int64(0) if task.actor_sizes is None else np.zeros(task.actor_sizes[-1], np.float32)
        size = (task.actor_sizes or task.sizes)[0]
        self._replay = _Replay(task.capacity, size, action, seed, task.alpha)
        self._batch, self._beta, self.buffer_size = task.batch, task.beta, task.capacity
        if task.actor_sizes is None:
            start = FloatValueLearner(task.sizes, task.settings, seed)
        else:
            start = FloatDdpgLearner(task.sizes, task.actor_sizes, task.settings, seed)
        if torch:
            from rlcores.train.torch_learner import TorchLearner

            self._learner = TorchLearner(start)
        else:
            self._learner = _NumpyLearner(start)

    def __len__(self) -> int:
        """Transitions held."""
        return len(self._replay)

    @property
    def steps(self) -> int:
        """Gradient steps so far."""
        return self._learner.steps

    def add(self, states, actions, rewards, next_states, terminated, priorities=None) -> None:
        """Transitions (n, …), with the largest priority seen so far."""
        if priorities is not None:
            raise UserError("this replay gives new transitions the largest priority seen so far; leave priorities out")
        for row in zip(states, actions, rewards, next_states, terminated, strict=True):
            self._replay.add(*row)

    def train(self, steps: int) -> int:
        """Gradient steps; 0 while there are fewer transitions than a batch has."""
        if len(self) < self._batch:
            return 0
        for _ in range(steps):
            index, batch = self._replay.sample(self._batch, self._beta)
            self._replay.update(index, self._learner.step(batch))
        return steps

    def set(self, *, beta: float | None = None, learning_rate: float | None = None) -> None:
        """Change the exponent of importance weights, or the value network's learning rate."""
        self._beta = self._beta if beta is None else beta
        if learning_rate is not None:
            self._learner.set_rate(learning_rate)

    def counters(self) -> dict[str, int]:
        """None: there is no core."""
        return {}

    def weights(self, network: str = "network") -> dict[str, Any]:
        """Weights of 'network' or 'actor' by PyTorch's names."""
        return learner_state.to_state(self._learner.matrices(network), frac=0)

    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything: transitions, priorities, weights, moments, generator."""
        kept = {f"replay.{k}": v for k, v in self._replay.arrays().items()}
        return kept | {f"network.{k}": v for k, v in self._learner.arrays().items()} | {"beta": np.array(self._beta)}

    def load_state_dict(self, kept: Mapping[str, np.ndarray]) -> None:
        """The state that state_dict() gave."""
        parts = ({k.split(".", 1)[1]: v for k, v in kept.items() if k.startswith(p)} for p in ("replay.", "network."))
        self._replay.load(next(parts))
        self._learner.load(next(parts))
        self._beta = float(kept["beta"])


class _NumpyLearner:
    """learner_float's learners, with a state that can be kept."""

    def __init__(self, learner: FloatValueLearner | FloatDdpgLearner) -> None:
        self._learner = learner
        self.step, self.set_rate = learner.step, learner.set_rate
        self._networks = {"network": (learner.network, learner.target, learner._optimiser)}
        if isinstance(learner, FloatDdpgLearner):
            self._networks["actor"] = learner.actor, learner.actor_target, learner._actor_optimiser

    @property
    def steps(self) -> int:
        return self._learner.steps

    def matrices(self, name: str) -> list[tuple[np.ndarray, np.ndarray]]:
        return self._networks[name][0].matrices()

    def arrays(self) -> dict[str, np.ndarray]:
        kept = {"steps": np.array(self.steps)}
        for name, (network, target, optimiser) in self._networks.items():
            kept |= {f"{name}.theta": network.theta, f"{name}.target": target.theta}
            kept |= {f"{name}.m": optimiser.m, f"{name}.v": optimiser.v}
            kept |= {f"{name}.rate": np.array(optimiser.rate), f"{name}.updates": np.array(optimiser.steps)}
        return kept

    def load(self, kept: Mapping[str, np.ndarray]) -> None:
        self._learner.steps = int(kept["steps"])
        for name, (network, target, optimiser) in self._networks.items():
            network.theta[:], target.theta[:] = kept[f"{name}.theta"], kept[f"{name}.target"]
            optimiser.m[:], optimiser.v[:] = kept[f"{name}.m"], kept[f"{name}.v"]
            optimiser.rate, optimiser.steps = float(kept[f"{name}.rate"]), int(kept[f"{name}.updates"])
