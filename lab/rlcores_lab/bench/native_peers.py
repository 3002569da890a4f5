"""What people use for prioritised replay, as they call it: samples with importance weights, updates from TD errors."""

import contextlib
from collections.abc import Callable, Iterator

import numpy as np

ALPHA, BETA = 0.6, 0.4


class Torchrl:
    """torchrl's PrioritizedSampler, on tensors; its priorities are kept in C++."""

    name, title = "torchrl", "torchrl, PrioritizedSampler"

    def __init__(self, slots: int, errors: np.ndarray) -> None:
        """errors: the TD errors of all slots."""
        import torch
        from torchrl.data import LazyTensorStorage
        from torchrl.data.replay_buffers.samplers import PrioritizedSampler

        self._tensor = torch.from_numpy
        self._storage = LazyTensorStorage(slots)
        self._storage.set(range(slots), torch.zeros(slots, 1))
        self._sampler = PrioritizedSampler(slots, ALPHA, BETA)
        self._sampler.extend(torch.arange(slots))
        self.update(np.arange(slots), errors)

    def sample(self, count: int) -> object:
        """Slots and weights."""
        return self._sampler.sample(self._storage, count)

    def update(self, indices: np.ndarray, errors: np.ndarray) -> None:
        """Priorities from |TD errors|."""
        self._sampler.update_priority(self._tensor(indices), self._tensor(errors))


class Tianshou:
    """tianshou's PrioritizedReplayBuffer, on arrays; its tree runs under Numba."""

    name, title = "tianshou", "tianshou, PrioritizedReplayBuffer"

    def __init__(self, slots: int, errors: np.ndarray) -> None:
        """errors: the TD errors of all slots."""
        from tianshou.data import PrioritizedReplayBuffer

        self._buffer = PrioritizedReplayBuffer(slots, alpha=ALPHA, beta=BETA)
        self._buffer._size = slots  # as if so many transitions had been added
        self.update(np.arange(slots), errors)

    def sample(self, count: int) -> object:
        """Slots and weights."""
        indices = self._buffer.sample_indices(count)
        weights = self._buffer.get_weight(indices)
        return indices, weights / weights.max()

    def update(self, indices: np.ndarray, errors: np.ndarray) -> None:
        """Priorities from |TD errors|."""
        self._buffer.update_weight(indices, errors)


def installed(slots: int, errors: np.ndarray) -> Iterator[Callable[[], Torchrl | Tianshou]]:
    """How those that are installed are made."""
    for peer, module in ((Torchrl, "torchrl._torchrl"), (Tianshou, "tianshou.data")):
        # A package may be there and still not load, when its torch is another one.
        with contextlib.suppress(ImportError):
            __import__(module)
            yield lambda peer=peer: peer(slots, errors)
