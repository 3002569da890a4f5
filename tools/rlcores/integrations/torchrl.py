"""The sum tree core as a sampler of torchrl's ReplayBuffer."""

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rlcores.drivers.sumtree_model import Driver
from rlcores.errors import UserError
from rlcores.integrations import need
from rlcores.model.sumtree import GIVEN
from rlcores.replay import PrioritizedSampler

try:
    import torch
    from torchrl.data.replay_buffers.samplers import PrioritizedSampler as _Original

    _MISSING = None
except (ImportError, OSError) as error:
    _Original = object
    _MISSING = error

DRAWS = ("core", "host")


class SumTreeSampler(_Original):
    """torchrl's PrioritizedSampler with the sum tree core instead of its segment trees, which are never made.

    `TensorDictReplayBuffer(storage=LazyTensorStorage(n), sampler=SumTreeSampler(n, alpha=0.6, beta=0.4))`, and the same
    calls. The probability of a transition with priority p is (p + eps)**alpha over the sum of all, and a new one gets
    the largest priority seen, as there. Different: weights are divided by the largest of the batch instead of that of
    the buffer, so they differ from torchrl's by one factor a batch; alpha cannot be changed; storages have one
    dimension.

    draws: "core" uses the core's generator, stratified over the batch; "host" takes draws where torchrl does, from the
    buffer's generator or numpy's, so that the same seed gives the same transitions as torchrl.
    """

    def __init__(
        self,
        max_capacity: int,
        alpha: float = 0.6,
        beta: float = 0.4,
        eps: float = 1e-8,
        *,
        reduction: str = "max",
        draws: str = "core",
        seed: int = 0,
        backend: str | Driver = "model",
        **options: Any,
    ) -> None:
        """max_capacity … reduction: as torchrl's. seed, backend, options: as rlcores.replay.PrioritizedSampler.

        Raises UserError when an argument is out of its range, RunFailed when torchrl cannot be imported.
        """
        need("torchrl", _MISSING)
        if draws not in DRAWS:
            raise UserError(f"draws is {draws!r}; it must be 'core' or 'host'")
        self._draws, self.reduction, self._eps = draws, reduction, eps
        self._sampler = PrioritizedSampler(
            max_capacity, alpha=alpha, beta=beta, epsilon=eps, seed=seed, backend=backend, **options
        )
        self._largest: float | None = None
        self._next = 0  # the slot that an insert would take

    def __repr__(self) -> str:
        return f"{type(self).__name__}(alpha={self.alpha:g}, beta={self.beta:g}, capacity={self._sampler.capacity})"

    @property
    def alpha(self) -> float:
        """Exponent of the priorities, as the core holds it; it cannot be changed."""
        return self._sampler.alpha

    @property
    def device(self) -> "torch.device":
        """Where indices and weights are given."""
        return torch.device("cpu")

    @property
    def beta(self) -> float:
        """Exponent of the weights; may be set between samples."""
        return self._sampler.beta

    @beta.setter
    def beta(self, beta: float) -> None:
        self._sampler.beta = float(beta)

    @property
    def max_size(self) -> int:
        """Most transitions."""
        return self._sampler.capacity

    @property
    def default_priority(self) -> float:
        """The priority of a new transition: the largest one given so far, 1 at first."""
        return 1.0 if self._largest is None else self._largest

    def sample(self, storage: Any, batch_size: int) -> tuple[Any, dict[str, Any]]:
        """Indices of transitions, int64 (batch_size,), and {"priority_weight", "generation"} of them."""
        if len(storage) == 0:
            raise RuntimeError("there is nothing to sample: the storage is empty")
        sampler = self._sampler
        if self._draws == "core":
            batch = sampler.sample(batch_size)
            indices, weights, generations = batch.indices, batch.weights, batch.generations
        else:
            tree = sampler.tree
            tree._need_total()
            tree._set_batch(batch_size, False)
            if self._rng is None:
                draws = np.random.uniform(size=batch_size)
            else:
                draws = torch.rand(batch_size, generator=self._rng).numpy().astype(np.float64)
            words = np.minimum((draws * 2.0**32).astype(np.uint64), np.uint64(2**32 - 1))
            answers = tree.driver.samples(np.full(batch_size, GIVEN, np.uint8), words)
            indices, generations = answers["index"].astype(np.int64), answers["generation"].astype(np.int64)
            weights = (answers["weight"] / np.float64(1 << 31)).astype(np.float32)
        info = {"priority_weight": torch.as_tensor(weights), "generation": torch.as_tensor(generations)}
        return torch.as_tensor(indices), info

    def add(self, index: Any) -> None:
        """A transition was written at an index; its slot has the largest priority seen."""
        self.extend(index)

    def extend(self, index: Any) -> None:
        """Transitions were written at indices, in order; their slots have the largest priority seen."""
        indices = _indices(index)
        capacity = self._sampler.capacity
        if not len(indices):
            return
        if len(indices) <= capacity and np.array_equal(indices, (self._next + np.arange(len(indices))) % capacity):
            # As a ring is written, the core inserts: slots get new tags.
            self._sampler.add(len(indices))
            self._next = (self._next + len(indices)) % capacity
        else:
            self._set(indices, np.full(len(indices), self.default_priority), None)

    def mark_update(self, index: Any, *, storage: Any = None) -> None:
        """Give transitions the largest priority seen."""
        self.update_priority(index, self.default_priority)

    def update_priority(self, index: Any, priority: Any, *, storage: Any = None, generation: Any = None) -> None:
        """Priorities p of transitions, |TD error| in most uses: (n,), or one for all.

        generation: what sample() gave; then a transition that was overwritten since is left alone. Negative indices,
        which writers give for what they did not keep, are left out.
        """
        indices = _indices(index)
        values = np.asarray(torch.as_tensor(priority).detach().cpu().numpy(), np.float64).reshape(-1)
        if len(values) not in (1, len(indices)):
            raise RuntimeError(f"there are {len(values)} priorities for {len(indices)} indices")
        values = np.broadcast_to(values, indices.shape)
        tags = None if generation is None else _indices(generation)
        kept = indices >= 0
        self._set(indices[kept], values[kept], None if tags is None else tags[kept])

    def _set(self, indices: np.ndarray, values: np.ndarray, tags: np.ndarray | None) -> None:
        if len(indices):
            self._sampler.update(indices, values, tags)
            self._largest = max(float(values.max()), self._largest or 0.0)

    def _empty(self) -> None:
        self._sampler.clear()
        self._largest, self._next = None, 0

    def state_dict(self) -> dict[str, Any]:
        """All that load_state_dict needs."""
        return {"sampler": self._sampler.state_dict(), "largest": self._largest, "next": self._next}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Continue as the sampler that gave the state would; its tags are not valid any more."""
        self._sampler.load_state_dict(state_dict["sampler"])
        self._largest, self._next = state_dict["largest"], state_dict["next"]

    def dumps(self, path: Any) -> None:
        """Write the state to a folder, as ReplayBuffer.dumps asks."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "sum_tree_sampler.pickle").write_bytes(pickle.dumps(self.state_dict()))

    def loads(self, path: Any) -> None:
        """Read what dumps() wrote; the file is a pickle, so only one's own."""
        self.load_state_dict(pickle.loads((Path(path) / "sum_tree_sampler.pickle").read_bytes()))


def _indices(index: Any) -> np.ndarray:
    if hasattr(index, "detach"):
        index = index.detach().cpu().numpy()
    found = np.asarray(index, np.int64)
    if found.ndim > 1 and found.shape[-1] != 1:
        raise UserError("storages with more than one dimension are not supported")
    return found.reshape(-1)
