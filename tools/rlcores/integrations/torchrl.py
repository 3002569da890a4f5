"""The sum tree core as a sampler of torchrl's ReplayBuffer."""

import os
from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from sys import float_info
from typing import TYPE_CHECKING, Any

import numpy as np

from rlcores.base import files, states
from rlcores.base.arguments import check_float, check_int, choice
from rlcores.base.arrays import plain
from rlcores.base.attributes import Guarded
from rlcores.base.states import require_entries
from rlcores.cores.sumtree import arguments as replay_input
from rlcores.cores.sumtree.driver import Driver
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.cores.sumtree.settings import MOST_SLOTS
from rlcores.errors import UserError
from rlcores.integrations import long_batches, of_sampler, require_library, seed_of
from rlcores.integrations.handed import Overwritten

try:
    import torch
    from torchrl.data.replay_buffers.samplers import PrioritizedSampler as _Original

    _MISSING = None
except (ImportError, OSError) as error:
    if TYPE_CHECKING:
        raise  # a type checker has tools/typings
    else:
        _Original = object
        _MISSING = error

DRAWS = ("core", "host")
_FILE = "sum_tree_sampler.npz"
_EPS = 1e-8  # torchrl's own default


def _not_negative(name: str, value: Any) -> Any:
    if isinstance(value, int | float) and value < 0:
        raise UserError(f"{name} must be greater or equal to 0, and is {value}")
    return value


class SumTreeSampler(Guarded, _Original):
    """torchrl's PrioritizedSampler with the sum tree core instead of its segment trees, which are never made.

    `TensorDictReplayBuffer(storage=LazyTensorStorage(n), sampler=SumTreeSampler(n, alpha=0.6, beta=0.4))`, and the same
    calls, for storages of any number of dimensions. The probability of a transition with priority p is (p + eps)**alpha
    over the sum of all, and a new one gets the largest priority given, as there. Different: weights are divided by the
    largest of the batch instead of that of the buffer, so they differ from torchrl's by one factor a batch; a
    CoreWarning counts errors that are too small beside the largest.

    Draws come from the generator that the buffer was given (`ReplayBuffer(generator=...)`, `set_rng`), if any. Else:

    draws: "core" uses the core's own generator, stratified over the batch, and starts it from `seed`, by default one
    that NumPy's global generator gives; "host" takes draws as torchrl does, not stratified and from NumPy's global
    generator, so that the same seed gives the same transitions as torchrl.
    """

    def __init__(
        self,
        max_capacity: int,
        alpha: float = 0.6,
        beta: float = 0.4,
        eps: float | None = None,
        dtype: "torch.dtype | None" = None,
        reduction: str = "max",
        max_priority_within_buffer: bool = False,
        device: "torch.device | str | None" = None,
        *,
        draws: str = "core",
        seed: int | None = None,
        backend: str | Driver = "native",
        **options: Any,
    ) -> None:
        """max_capacity … device: as torchrl's. seed, backend, options: as rlcores.PrioritizedSampler.

        eps: None is torchrl's own default, 1e-8. dtype: of the weights. device: where indices and weights are given.
        Raises UserError when an argument is out of its range, RunFailed when torchrl cannot be imported.
        """
        require_library("torchrl", _MISSING)
        choice("draws", draws, DRAWS)
        self._draws, self.reduction = draws, reduction
        self._max_capacity = check_int("max_capacity", max_capacity, 1, MOST_SLOTS)
        self.dtype = torch.float32 if dtype is None else dtype
        if not self.dtype.is_floating_point:
            raise UserError(f"dtype is {dtype}; weights need a floating type")
        self._device = torch.device("cpu" if device is None else device)
        self._sampler = PrioritizedSampler(
            max_capacity,
            alpha=_not_negative("alpha", alpha),
            beta=_not_negative("beta", beta),
            priority_epsilon=_EPS if eps is None else check_float("eps", eps, 0, float_info.max),
            seed=seed_of(seed) if draws == "core" else seed,
            backend=backend,
            stratified=draws == "core",
            max_priority_within_buffer=max_priority_within_buffer,
            **long_batches(backend, options),
        )
        self._overwritten = Overwritten(max_capacity)
        self._process = os.getpid()
        self._within = max_priority_within_buffer
        self._shape: tuple[int, ...] | None = None  # of the storage, where it has several dimensions
        self._largest: float | None = None
        self._next = 0  # the slot that an insert would take
        self._empty()

    def __repr__(self) -> str:
        numbers = f"alpha={self.alpha:g}, beta={self.beta:g}, eps={self._eps:g}"
        return f"{type(self).__name__}({numbers}, reduction={self.reduction})"

    alpha = of_sampler(
        "alpha",
        "Exponent of the priorities, as the core holds it; may be set, see rlcores.PrioritizedSampler.alpha.",
        "_sampler",
        _not_negative,
    )
    beta = of_sampler("beta", "Exponent of the weights; may be set between samples.", "_sampler")
    device = property(attrgetter("_device"), doc="Where indices and weights are given.")
    _eps = property(attrgetter("_sampler.priority_epsilon"))
    max_size = property(attrgetter("_sampler.buffer_size"), doc="Most transitions.")
    stale = property(
        attrgetter("_sampler.stale"),
        doc="Priorities that were dropped, because their transition was overwritten since it was sampled.",
    )

    @property
    def default_priority(self) -> float:
        """The priority of a new transition: the largest one so far, or that the buffer holds; at first 1."""
        if self._within and self.alpha and self._sampler.tree.total:
            largest: float = (self._sampler.tree.largest / self._sampler.unit) ** (1 / self.alpha)
            return max(largest - float(self._eps), 0.0)
        return 1.0 if self._largest is None else self._largest

    def saturations(self) -> dict[str, int]:
        """How many priorities were clipped, as rlcores.PrioritizedSampler.saturations counts them."""
        return self._sampler.saturations()

    def sample(self, storage: Any, batch_size: int) -> tuple[Any, dict[str, Any]]:
        """Indices of transitions, int64 (batch_size,), and {"priority_weight", "generation"} of them.

        Of a storage with several dimensions indices are a tuple with one such tensor a dimension. Raises RuntimeError,
        as torchrl does, when there is nothing to sample.
        """
        self._own()
        if len(storage) == 0:
            raise RuntimeError("Cannot sample from an empty storage.")
        if not self._sampler.tree.total:
            raise RuntimeError("there is nothing to sample: no transition has a priority (non-positive p_sum)")
        batch = self._sampler.sample(batch_size, draws=self._words(batch_size))
        indices: Any = torch.as_tensor(batch.indices, device=self._device)
        info = {
            "priority_weight": torch.as_tensor(batch.weights, dtype=self.dtype, device=self._device),
            "generation": torch.as_tensor(batch.generations, device=self._device),
        }
        self._overwritten.drew(indices, batch.indices)
        if getattr(storage, "ndim", 1) > 1:
            indices = torch.unravel_index(indices, storage.shape)
        return indices, info

    def _words(self, count: int) -> np.ndarray | None:
        """Draws of 32 bits from where they are to come from; None: the core's own."""
        if self._rng is None and self._draws == "core":
            return None
        if self._rng is None:
            draws = np.random.uniform(size=count)
        elif self._draws == "core":
            words: np.ndarray = (
                torch.randint(1 << 32, (count,), generator=self._rng, device=self._rng.device).cpu().numpy()
            )
            return words
        else:
            uniform = torch.rand(count, generator=self._rng, device=self._rng.device)
            draws = uniform.cpu().numpy().astype(np.float64)
        return np.minimum((draws * 2.0**32).astype(np.int64), 2**32 - 1)

    def add(self, index: Any) -> None:
        """A transition was written at an index; it has the largest priority given."""
        self.extend(index)

    def extend(self, index: Any) -> None:
        """Transitions were written at indices, in order; they have the largest priority given."""
        self._own()
        indices = self._flat(index)
        count, capacity = len(indices), self._sampler.buffer_size
        if not count:
            return
        if count <= capacity and np.array_equal(indices, (self._next + np.arange(count)) % capacity):
            # As a ring is written, the core inserts: slots get new tags.
            if self._within:
                self._sampler.add(count)
            else:
                self._largest = self.default_priority
                self._sampler.add(td_errors=np.full(count, self._largest))
            self._next = (self._next + count) % capacity
        else:
            self._renew(indices)
        self._overwritten.wrote(index, indices)

    def mark_update(self, index: Any, *, storage: Any = None) -> None:
        """Give transitions the largest priority given; what stood there before is overwritten."""
        self._own()
        indices = self._flat(index, storage)
        self._renew(indices[indices >= 0])
        self._overwritten.wrote(index, indices[indices >= 0])

    def update_priority(self, index: Any, priority: Any, *, storage: Any = None, generation: Any = None) -> None:
        """Priorities p of transitions, |TD error| in most uses: (n,), or one for all.

        A transition that was overwritten since it was sampled is left alone, and .stale counts it: of the last 64
        batches what comes back is known again, all of it or a part in its order. generation: what sample() gave, which
        says it of any batch. Negative indices, which writers give for what they did not keep, are left
        out. storage: needed once for indices of several dimensions; what it has not filled is stale too.
        """
        self._own()
        original = index
        indices = self._flat(index, storage)
        values = replay_input.td_errors("priority", plain("priority", priority).reshape(-1))
        replay_input.wholes("index", np.maximum(indices, 0), 0, self._sampler.buffer_size - 1)
        if len(values) not in (1, len(indices)):
            raise RuntimeError(f"there are {len(values)} priorities for {len(indices)} indices")
        tags = None if generation is None else plain("generation", generation).reshape(-1)
        if tags is not None and len(tags) != len(indices):
            raise RuntimeError(f"there are {len(tags)} generations for {len(indices)} indices")
        kept = indices >= 0
        if storage is not None and getattr(storage, "ndim", 1) == 1 and (beyond := indices >= len(storage)).any():
            beyond[beyond] = self._sampler.tree.read(indices[beyond]) == 0  # neither this process nor another wrote it
            self._sampler.tree._calls.stale += int(beyond.sum())
            kept &= ~beyond
        if tags is None and kept.any():
            there = self._overwritten.there(original, indices)
            self._sampler.tree._calls.stale += int((kept & ~there).sum())
            kept &= there
        if not kept.any():
            return
        values = np.broadcast_to(values, indices.shape)[kept]
        if tags is None:
            self._sampler.place(indices[kept], values)  # as torchrl, also of slots that hold nothing
        else:
            values = values[self._sampler.update(indices[kept], values, tags[kept])]
        self._largest = max(float(np.abs(values).max(initial=0)), self._largest or 0.0)

    def _own(self) -> None:
        """Raises UserError in a forked process, which has a copy of the priorities, though it may share the storage."""
        if self._process != os.getpid():
            raise UserError(
                "the priorities are those of the process that made this SumTreeSampler, and a forked process has a "
                "copy that nobody sees, also with shared=True: extend, sample and update in that process, or let each "
                "process have a server_buffer() of rlcores.integrations.torchrl_server"
            )

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._process = os.getpid()

    def _renew(self, indices: np.ndarray) -> None:
        if (most := indices.max(initial=0)) >= self._max_capacity:
            raise UserError(f"index {most} does not fit in a SumTreeSampler of max_capacity={self._max_capacity}")
        if self._within:
            self._sampler.place(indices)
        elif len(indices):
            self._largest = self.default_priority
            self._sampler.place(indices, np.full(len(indices), self._largest))

    def _flat(self, index: Any, storage: Any = None) -> np.ndarray:
        """Slots of indices: (n,), or of a storage with several dimensions (n, dimensions) or a tuple of (n,)."""
        if getattr(storage, "ndim", 1) > 1:
            self._shape = tuple(storage.shape)
        parts: list[Any] = [*index] if isinstance(index, tuple) else [index]
        if len(parts) > 1:
            indices = np.stack([plain("index", x) for x in parts], -1)
        else:
            indices = plain("index", parts[0] if parts else [])
        if indices.dtype.kind not in "iu" and indices.size:
            raise UserError(f"index is of type {indices.dtype}; it must hold whole numbers")
        indices = indices.astype(np.int64)
        if indices.ndim < 2 or indices.shape[-1] == 1:
            return indices.reshape(-1)
        if self._shape is None or indices.shape[-1] != len(self._shape):
            raise UserError(
                f"index has shape {indices.shape}, but the storage has {len(self._shape or (0,))} dimensions"
            )
        columns = indices.reshape(-1, indices.shape[-1])
        slots = columns[:, 0]  # the first dimension grows as the storage fills
        for column, size in zip(columns.T[1:], self._shape[1:], strict=True):
            slots = slots * size + column
        return np.where((columns < 0).any(1), -1, slots)

    def _empty(self) -> None:
        self._sampler.clear()
        self._overwritten.clear()
        self._largest = None
        self._next = 0

    def state_dict(self) -> dict[str, Any]:
        """All that load_state_dict needs: numbers and tensors, which torch.load reads with weights_only too."""
        state = self._sampler.state_dict()
        state["tree"] = {n: torch.as_tensor(x) if isinstance(x, np.ndarray) else x for n, x in state["tree"].items()}
        return {"sampler": state, "largest": self._largest, "next": self._next}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Continue as the sampler that gave the state would, with its alpha and beta; its tags are not valid here."""
        require_entries(state_dict, ("largest", "next", "sampler"), "a SumTreeSampler")
        self._sampler.load_state_dict(state_dict["sampler"])
        self._overwritten.clear()
        self._largest, self._next = state_dict["largest"], state_dict["next"]

    def dumps(self, path: Any) -> None:
        """Write the state to a folder, as ReplayBuffer.dumps asks."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        state = self.state_dict()
        inner = state["sampler"]
        own = {name: value for name, value in inner.items() if name != "tree"}
        largest = np.nan if self._largest is None else self._largest
        np.savez(folder / _FILE, largest=largest, next=self._next, **states.add_prefix("tree", inner["tree"]), **own)

    def loads(self, path: Any) -> None:
        """Read what dumps() wrote. Raises UserError when the file is not one, or damaged."""
        file = Path(path) / _FILE
        arrays = files.read_arrays(file, "the state of a SumTreeSampler")
        state = {name: value if value.ndim else value.item() for name, value in arrays.items()}
        tree = states.strip_prefix(state, "tree")
        for name in tree:
            del state[f"tree.{name}"]
        largest, following = state.pop("largest", np.nan), state.pop("next", None)
        self.load_state_dict(
            {"sampler": state | {"tree": tree}, "largest": None if np.isnan(largest) else largest, "next": following}
        )
