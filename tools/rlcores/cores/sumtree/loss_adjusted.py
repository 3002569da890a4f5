"""Loss-adjusted priorities, LAP (Fujimoto et al. 2020): draws that need no importance weights with the Huber loss."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import check_float
from rlcores.cores.sumtree import arguments
from rlcores.cores.sumtree.results import Slots
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.errors import UserError


class LossAdjustedSampler(PrioritizedSampler):
    """A PrioritizedSampler whose priority of a TD error d is max(|d|, min_priority)**alpha, and whose weights are 1.

    Its expected gradient with the Huber loss is that of a loss of uniform draws, so no weight corrects it. alpha is 0.4
    by default, as in the paper; there is no beta and no priority_epsilon. The other arguments are PrioritizedSampler's.

    >>> sampler = LossAdjustedSampler(8, alpha=1.0, seed=0)
    >>> slots = sampler.add(td_errors=[0.25, -0.5, 1.0, 3.0])
    >>> (sampler.tree.read([0, 1, 2, 3]) / sampler.unit).round(4).tolist(), sampler.sample(2).weights.tolist()
    ([1.0, 1.0, 1.0, 3.0], [1.0, 1.0])
    """

    def __init__(self, buffer_size: int, *, alpha: float = 0.4, min_priority: float = 1.0, **options: Any) -> None:
        """Raises UserError as PrioritizedSampler does."""
        for name in ("beta", "priority_epsilon"):
            if name in options:
                raise UserError(f"loss-adjusted priorities have no {name}")
        super().__init__(buffer_size, alpha=alpha, beta=0.0, priority_epsilon=0.0, **options)
        self._least = check_float("min_priority", min_priority, 0, np.finfo(np.float64).max)

    @property
    def min_priority(self) -> float:
        """The least size that counts of a TD error."""
        return self._least

    @property
    def beta(self) -> float:
        """0: weights are 1, which cannot be changed."""
        return 0.0

    @beta.setter
    def beta(self, beta: float) -> None:
        if beta != 0:
            raise UserError(f"beta is {beta}; draws with loss-adjusted priorities have weights of 1, so it is 0")

    def add(self, count: int | None = None, *, td_errors: ArrayLike | None = None) -> Slots:
        """See PrioritizedSampler.add."""
        return super().add(count, td_errors=None if td_errors is None else self._raised(td_errors))

    def _write(
        self,
        kind: int,
        indices: ArrayLike,
        td_errors: ArrayLike,
        generations: ArrayLike | None,
        only_taken: bool = True,
    ) -> np.ndarray:
        return super()._write(kind, indices, self._raised(td_errors), generations, only_taken)

    def _raised(self, td_errors: ArrayLike) -> np.ndarray:
        errors = arguments.td_errors("td_errors", td_errors)
        return np.maximum(np.abs(errors), self._least)
