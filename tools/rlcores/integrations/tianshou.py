"""The sum tree core in tianshou's prioritised replay buffers, for one environment and for several."""

import inspect
from collections.abc import Mapping
from sys import float_info
from typing import TYPE_CHECKING, Any

import numpy as np

from rlcores.base.arguments import check_bool, check_float, check_int, choice
from rlcores.base.arrays import flags, need_finite, plain
from rlcores.base.attributes import Guarded
from rlcores.base.naming import described, nearest
from rlcores.cores.sumtree import arguments as replay_input
from rlcores.cores.sumtree.driver import Driver
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.cores.sumtree.settings import MOST_BATCH, MOST_SLOTS
from rlcores.errors import UserError
from rlcores.integrations import long_batches, require_library, seed_of
from rlcores.integrations.handed import Overwritten

try:
    from tianshou.data import PrioritizedReplayBuffer as _One
    from tianshou.data import PrioritizedVectorReplayBuffer as _Vector
    from tianshou.data import ReplayBuffer, ReplayBufferManager

    _MISSING = None
except (ImportError, OSError) as error:
    if TYPE_CHECKING:
        raise  # a type checker has tools/typings
    else:
        _One = _Vector = ReplayBuffer = ReplayBufferManager = object
        _MISSING = error

DRAWS = ("core", "host")


class Shares(Guarded):
    """The priorities of a sampler with the calls of tianshou's SegmentTree, in units of (|TD error| = 1)**alpha."""

    def __init__(self, sampler: PrioritizedSampler) -> None:
        """A view: what is read and written is the sampler's."""
        self._sampler = sampler

    def __repr__(self) -> str:
        return described(self, repr(self._sampler))

    def __len__(self) -> int:
        return self._sampler.buffer_size

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            index = np.arange(len(self))[index]
        index = plain("index", index)
        shares = self._sampler.tree.read(index.reshape(-1)).reshape(index.shape) / self._sampler.unit
        return shares if shares.ndim else float(shares)

    def __setitem__(self, index: Any, value: Any) -> None:
        value = plain("value", value)
        self._sampler.make_room(value.max(initial=0))
        raw = np.floor(value * self._sampler.unit + 0.5)
        self._sampler.tree.update(plain("index", index).reshape(-1), raw if raw.ndim == 0 else raw.reshape(-1))

    def reduce(self, start: int = 0, end: int | None = None) -> float:
        """The sum over slots start to end - 1; without arguments over all."""
        if start == 0 and end is None:
            return self._sampler.tree.total / self._sampler.unit
        return float(np.sum(self[start:end]))

    def get_prefix_sum_idx(self, value: Any) -> Any:
        """The least slot whose prefix sum is above a value, or above each of (n,)."""
        value = plain("value", value)
        targets = np.clip(np.floor(value * self._sampler.unit), 0, self._sampler.tree.total - 1)
        indices = self._sampler.tree.sample_at(targets.reshape(-1)).indices
        return indices.reshape(value.shape) if value.ndim else int(indices[0])


def _need_finite(name: str, array: Any) -> None:
    """Of an array, or of all arrays of a Batch."""
    if hasattr(array, "items"):
        for key, value in array.items():
            _need_finite(f"{name}.{key}", value)
    elif array is not None:
        need_finite(name, plain(name, array) if hasattr(array, "detach") else np.asarray(array))


def _known(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Options of tianshou's ReplayBuffer, which itself takes any name. Raises UserError for others."""
    names = list(inspect.signature(ReplayBuffer.__init__).parameters)[2:]
    for name in options:
        if name not in names:
            raise UserError(f"there is no argument '{name}'{nearest(name, names)}")
    return options


class _Prioritized(Guarded, ReplayBuffer):
    """What both buffers have in the place of tianshou's SegmentTree."""

    def _start(
        self,
        alpha: float,
        beta: float,
        weight_norm: bool,
        draws: str,
        seed: int | None,
        backend: str | Driver,
        sampler_options: Mapping[str, Any] | None,
    ) -> None:
        choice("draws", draws, DRAWS)
        self._draws = draws
        self._sampler = PrioritizedSampler(
            self.maxsize,
            alpha=alpha,
            priority_epsilon=float(np.finfo(np.float32).eps),  # as tianshou
            seed=seed_of(seed) if draws == "core" else seed,
            backend=backend,
            stratified=draws == "core",
            **long_batches(backend, sampler_options or {}),
        )
        self._overwritten = Overwritten(self.maxsize)
        self._weight_norm = check_bool("weight_norm", weight_norm)
        self._least = 1.0  # of |TD error|, as tianshou keeps it
        self.options.update(alpha=alpha, beta=beta)
        self.set_beta(beta)

    @property
    def sampler(self) -> PrioritizedSampler:
        """The sampler; its saturations() count what was clipped."""
        return self._sampler

    @property
    def alpha(self) -> float:
        """Exponent of the priorities; may be set, see rlcores.PrioritizedSampler.alpha."""
        return self._sampler.alpha

    @alpha.setter
    def alpha(self, alpha: float) -> None:
        self._sampler.alpha = alpha
        self.options.update(alpha=alpha)

    @property
    def _alpha(self) -> float:  # as tianshou names it
        return self._sampler.alpha

    @property
    def weight(self) -> Shares:
        """Priorities as tianshou's SegmentTree has them."""
        return Shares(self._sampler)

    def add(self, batch: Any, buffer_ids: Any = None) -> Any:
        """As tianshou's. Raises UserError, before anything changes, for infinite numbers and wrong ends."""
        for name in ("obs", "act", "rew", "obs_next"):
            _need_finite(name, batch.get(name))
        for name in ("terminated", "truncated", "done"):
            if batch.get(name) is not None:
                flags(name, batch[name])
        return super().add(batch, buffer_ids)

    def init_weight(self, index: int | np.ndarray) -> None:
        """Give transitions the largest priority given so far, 1 at first."""
        slots = plain("index", index).reshape(-1)
        self._sampler.place(slots)
        self._overwritten.wrote(index, slots)

    def sample_indices(self, batch_size: int | None) -> np.ndarray:
        """batch_size indices in proportion to the priorities; 0 or None: all, as tianshou. Raises UserError."""
        if batch_size is None or check_int("batch_size", batch_size, 0, MOST_BATCH) == 0:
            return super().sample_indices(batch_size)
        if len(self) == 0:
            raise UserError("there is nothing to sample: the buffer is empty")
        words = None if self._draws == "core" else np.floor(np.random.rand(batch_size) * 2.0**32)
        indices = self._sampler.sample(batch_size, draws=words).indices
        self._overwritten.drew(indices, indices)
        return indices

    def get_weight(self, index: int | np.ndarray) -> float | np.ndarray:
        """Importance weights of transitions, not yet divided by the largest of a batch."""
        weights: float | np.ndarray = (self.weight[index] / self._least) ** -self._beta
        return weights

    def update_weight(self, index: np.ndarray, new_weight: Any) -> None:
        """Priorities from new TD errors: an array or a tensor, one for each index or one for all.

        A transition that was overwritten since it was sampled is left alone, and sampler.stale counts it: of the last
        64 batches what comes back is known again, all of it or a part in its order.
        """
        indices, errors = plain("index", index).reshape(-1), plain("new_weight", new_weight)
        errors = errors if errors.ndim == 0 else errors.reshape(-1)
        if not indices.size:
            return
        slots = replay_input.wholes("index", indices, 0, self.maxsize - 1)
        errors = replay_input.td_errors("new_weight", errors, len(slots))
        there = self._overwritten.there(index, slots)
        if not there.all():
            errors = errors[there]
            self._sampler.tree._calls.stale += int((~there).sum())
            slots = slots[there]
            if not slots.size:
                return
        self._sampler.place(slots, errors)  # as tianshou, also of slots that hold nothing
        self._least = min(self._least, float(np.abs(errors).min()) + self._sampler.priority_epsilon)

    def set_beta(self, beta: float) -> None:
        """Exponent of the importance weights, from now on."""
        self._beta = check_float("beta", beta, 0, float_info.max)

    def reset(self, keep_statistics: bool = False) -> None:
        """Forget all transitions, and their priorities too."""
        super().reset(keep_statistics=keep_statistics)
        self._sampler.clear()
        self._overwritten.clear()
        self._least = 1.0


class PrioritizedReplayBuffer(_Prioritized, _One):
    """tianshou's PrioritizedReplayBuffer with the sum tree core instead of its SegmentTree.

    `PrioritizedReplayBuffer(20_000, alpha=0.6, beta=0.4)`, and the same calls. Equal: probabilities, weights, and what
    a new transition gets. Different: a CoreWarning counts errors that are too small beside the largest, set_beta() of
    the vector buffer has an effect, and reset() forgets the priorities too.

    draws: "core" uses the core's own generator, stratified over the batch, from `seed`, by default one that NumPy's
    global generator gives; "host" takes draws as tianshou does, so that the same np.random.seed gives the same indices.
    """

    def __init__(
        self,
        size: int,
        alpha: float,
        beta: float,
        weight_norm: bool = True,
        *,
        draws: str = "core",
        seed: int | None = None,
        backend: str | Driver = "native",
        sampler_options: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """size … weight_norm, kwargs: as tianshou's. backend, sampler_options: as rlcores.PrioritizedSampler.

        Raises UserError when an argument is out of its range, RunFailed when tianshou cannot be imported.
        """
        require_library("tianshou", _MISSING)
        ReplayBuffer.__init__(self, check_int("size", size, 1, MOST_SLOTS), **_known(kwargs))
        self._start(alpha, beta, weight_norm, draws, seed, backend, sampler_options)


class PrioritizedVectorReplayBuffer(_Prioritized, _Vector):
    """tianshou's PrioritizedVectorReplayBuffer, likewise: one tree over the slots of all its environments."""

    def __init__(
        self,
        total_size: int,
        buffer_num: int,
        *,
        alpha: float,
        beta: float,
        weight_norm: bool = True,
        draws: str = "core",
        seed: int | None = None,
        backend: str | Driver = "native",
        sampler_options: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """See PrioritizedReplayBuffer. total_size is rounded up to a multiple of buffer_num, as tianshou does."""
        require_library("tianshou", _MISSING)
        count = check_int("buffer_num", buffer_num, 1, MOST_SLOTS)
        size = -(-check_int("total_size", total_size, 1, MOST_SLOTS) // count)
        ReplayBufferManager.__init__(self, [ReplayBuffer(size, **_known(kwargs)) for _ in range(count)])
        self._start(alpha, beta, weight_norm, draws, seed, backend, sampler_options)
