"""Rank-based priorities (Schaul et al. 2016, section 3.3): the order of TD errors counts, their size does not."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import check_int
from rlcores.base.states import require_entries
from rlcores.cores.sumtree import arguments
from rlcores.cores.sumtree.model import COMMIT
from rlcores.cores.sumtree.results import Slots
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.errors import UserError


class RankSampler(PrioritizedSampler):
    """A PrioritizedSampler that draws a transition with the probability (1 / rank)**alpha, divided by their sum.

    The rank of the largest |TD error| is 1. A new priority gets the rank that its error would have had among those of
    the last sort; all are sorted again after sort_interval new ones (default: buffer_size), or by sort(). A transition
    without a TD error has rank 1. alpha is 0.7 by default, as in the paper; the other arguments are
    PrioritizedSampler's, without priority_epsilon and scale.

    >>> sampler = RankSampler(8, alpha=1.0, seed=0)
    >>> slots = sampler.add(td_errors=[0.1, 400.0, 0.2, -3.0])
    >>> sampler.sort()
    >>> (sampler.tree.read([0, 1, 2, 3]) / sampler.unit).round(3).tolist()
    [0.25, 1.0, 0.333, 0.5]
    """

    def __init__(
        self, buffer_size: int, *, alpha: float = 0.7, sort_interval: int | None = None, **options: Any
    ) -> None:
        """Raises UserError as PrioritizedSampler does."""
        for name in ("priority_epsilon", "scale"):
            if name in options:
                raise UserError(f"rank-based priorities have no {name}")
        super().__init__(buffer_size, alpha=alpha, priority_epsilon=0.0, **options)
        most = self.buffer_size
        self._interval = check_int("sort_interval", most if sort_interval is None else sort_interval, 1, 1 << 62)
        self._errors = np.full(most, np.inf)  # |TD error|; infinite where none came yet
        self._sorted = np.empty(0)  # of the last sort, ascending
        self._since = 0

    @property
    def alpha(self) -> float:
        """Exponent of the priorities; setting it sorts again."""
        return PrioritizedSampler.alpha.fget(self)

    @alpha.setter
    def alpha(self, alpha: float) -> None:
        self._alpha = self._settings.within({}, **vars(self._settings) | {"alpha": alpha}).alpha_code
        self.sort()

    def add(self, count: int | None = None, *, td_errors: ArrayLike | None = None) -> Slots:
        """See PrioritizedSampler.add."""
        if td_errors is None:
            slots = super().add(count)
            self._errors[slots.indices] = np.inf
            return slots
        errors = np.abs(arguments.td_errors("td_errors", td_errors, count))
        slots = self.tree.insert(self._of(errors))
        self._took(slots.indices, errors)
        return slots

    def reserve(self, count: int = 1) -> Slots:
        """See PrioritizedSampler.reserve."""
        slots = super().reserve(count)
        self._errors[slots.indices] = np.inf
        return slots

    def sort(self) -> None:
        """Give every transition the priority of its rank, which takes the longer the more there are."""
        slots = np.arange(len(self))
        slots = slots[self.tree.read(slots) > 0]
        order = np.argsort(-self._errors[slots], kind="stable")
        self._sorted, self._since = self._errors[slots[order[::-1]]], 0
        ranks = np.empty(len(slots), np.int64)
        ranks[order] = np.arange(1, len(slots) + 1)
        unknown = np.isinf(self._errors[slots])
        ranks[unknown] = 1
        self.tree.update(slots, self._of_ranks(ranks))

    def state_dict(self) -> dict[str, Any]:
        """See PrioritizedSampler.state_dict."""
        own = {"errors": self._errors.copy(), "sorted": self._sorted.copy(), "since": self._since}
        return super().state_dict() | own

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """See PrioritizedSampler.load_state_dict."""
        require_entries(state, ("errors", "sorted", "since"), "a sampler by ranks")
        errors, sorted_errors = (np.asarray(state[name], np.float64) for name in ("errors", "sorted"))
        if errors.shape != (self.buffer_size,) or sorted_errors.ndim != 1 or np.isnan([*errors, *sorted_errors]).any():
            raise UserError("the state is damaged: its TD errors are not those of such a sampler")
        since = check_int("since", state["since"], 0, 1 << 62)
        super().load_state_dict(state)
        self._errors[:], self._sorted, self._since = errors, sorted_errors, since

    def _write(
        self,
        kind: int,
        indices: ArrayLike,
        td_errors: ArrayLike,
        generations: ArrayLike | None,
        only_taken: bool = True,
    ) -> np.ndarray:
        calls = self.tree._calls
        indices = calls.indices(indices)
        errors = np.abs(arguments.td_errors("td_errors", td_errors, len(indices)))
        if only_taken:
            calls.require_taken(indices, calls.tags(generations, len(indices)))
        write = self.tree.commit if kind == COMMIT else self.tree.update
        rest = (generations, self._of(errors)) if kind == COMMIT else (self._of(errors), generations)
        accepted = write(indices, *rest)
        self._took(indices[accepted], errors[accepted])
        return accepted

    def _took(self, slots: np.ndarray, errors: np.ndarray) -> None:
        self._errors[slots] = errors
        self._since += len(slots)
        if self._since >= self._interval:
            self.sort()

    def _of(self, errors: np.ndarray) -> np.ndarray:
        """Priorities of errors among those of the last sort."""
        known = len(self._sorted)
        return self._of_ranks(known - np.searchsorted(self._sorted, errors, side="right") + 1)

    def _of_ranks(self, ranks: np.ndarray) -> np.ndarray:
        return np.maximum(np.round(self.unit * ranks.astype(np.float64) ** -self.alpha), 1).astype(np.int64)
