"""The replay learner in the native engine: its sum tree and networks there, its experiences as the model has them."""

import numpy as np
from numpy.typing import ArrayLike

from rlcores.cores.learner.native import LearnerNativeDriver
from rlcores.cores.replay_learner.model_driver import ReplayLearnerModelDriver
from rlcores.cores.sumtree.model import READ, Shape
from rlcores.cores.sumtree.native_driver import SumTreeNativeDriver


class NativeTree:
    """The engine's sum tree with the calls of SumTreeModel that a replay learner makes."""

    def __init__(self, shape: Shape) -> None:
        """Raises ValueError when priorities are wider than the engine's."""
        self.shape, self.leaves = shape, 1 << shape.leaves_log2
        self.draws = self  # load() sets the state of the draws, as SumTreeModel.draws has it
        self.cfg_strata = 0
        self._driver = SumTreeNativeDriver(shape)

    @property
    def cfg_capacity(self) -> None:
        """Taken by CLEAR."""

    @cfg_capacity.setter
    def cfg_capacity(self, capacity: int) -> None:
        self._driver.configure(capacity=capacity)

    @property
    def cfg_initial(self) -> None:
        """Taken by CLEAR."""

    @cfg_initial.setter
    def cfg_initial(self, initial: int) -> None:
        self._driver.configure(initial=initial)

    def __getattr__(self, name: str) -> int:
        if name in ("size", "next", "total", "largest", "capacity"):
            return getattr(self._driver.tree, name)
        raise AttributeError(name)

    def load(self, state: tuple[int, int, int, int]) -> None:
        """Set the state of the draws."""
        self._driver.load_draws(state)

    def restart(self) -> None:
        """See SumTreeModel.restart()."""
        self._driver.configure(batch=max(1, self.cfg_strata), stratified=bool(self.cfg_strata))
        self._driver.restart()

    def operation(self, kind: int) -> None:
        """CLEAR."""
        self.operations(np.array([kind], np.uint8))

    def operations(
        self,
        kind: ArrayLike,
        index: ArrayLike = 0,
        priority: ArrayLike = 0,
        generation: ArrayLike = 0,
        check: ArrayLike = False,
        use_max: ArrayLike = False,
    ) -> np.ndarray:
        """See SumTreeModel.operations()."""
        given = np.broadcast_arrays(*(np.atleast_1d(x) for x in (kind, index, priority, generation, check, use_max)))
        return self._driver.operations(*given, np.zeros(len(given[0]), bool))

    def samples(self, kind: np.ndarray) -> np.ndarray:
        """See SumTreeModel.samples()."""
        return self._driver.samples(kind, np.zeros(len(kind), np.uint64))

    @property
    def priorities(self) -> np.ndarray:
        """A copy of all leaves, int64 (2**LEAVES_LOG2,)."""
        found = self.operations(np.full(self.capacity, READ, np.uint8), np.arange(self.capacity))
        return np.pad(found["priority"].astype(np.int64), (0, self.leaves - self.capacity))


class ReplayLearnerNativeDriver(ReplayLearnerModelDriver):
    """Driver over the native engine."""

    LEARNER, TREE = LearnerNativeDriver, NativeTree
