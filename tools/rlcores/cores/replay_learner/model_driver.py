"""The driver of the integer model of a replay learner core; what it offers is what every driver of the core offers.

All numbers are raw, as in the core's registers and streams; rlcores.cores.replay_learner.api has units and checks.
"""

from collections.abc import Mapping
from operator import attrgetter

import numpy as np

from rlcores.cores.learner import shape as learner_shape
from rlcores.cores.learner.model_driver import LearnerModelDriver
from rlcores.cores.replay_learner.model import ReplayLearnerModel
from rlcores.cores.replay_learner.records import RecordLayout
from rlcores.cores.sumtree import model as sumtree
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver
from rlcores.errors import RunFailed


class ReplayLearnerError(RunFailed):
    """The core is not what was expected, or refused what was asked."""


class MemoryFault(ReplayLearnerError):
    """The memory answered with an error. What was sampled is trained and updated, what was committed stays.

    address: where the first record begins that could not be read or written, in bytes. batches: those trained by the
    call. lost: experiences of the call that are not in the memory.
    """

    def __init__(self, sentence: str, address: int, *, batches: int = 0, lost: int = 0) -> None:
        super().__init__(sentence)
        self.address, self.batches, self.lost = address, batches, lost


def shapes(parameters: Mapping[str, int | str]) -> tuple[learner_shape.Shape, sumtree.Shape, RecordLayout]:
    """What Verilog parameters describe. Raises ValueError when it cannot be built."""
    learner = learner_shape.Shape.of(parameters)
    tree = sumtree.Shape.of({name: value for name, value in parameters.items() if isinstance(value, int)})
    return learner, tree, RecordLayout(learner, int(parameters.get("DATA_WIDTH", 128)))


class ReplayLearnerModelDriver:
    """Driver over the integer model: experiences in, batches trained. Its memory has no errors.

    learner, tree: drivers of the parts inside. ahead_max: largest D. writes: experiences on their way; the capacity is
    this or more. Nothing is on its way between two calls.
    """

    LEARNER, TREE = LearnerModelDriver, SumTreeModelDriver

    def __init__(self, parameters: Mapping[str, int | str], *, base: int = 0) -> None:
        """The core with these Verilog parameters as it is after reset. Raises ValueError when it cannot be built.

        base: where its records begin in the memory, bytes. Raises UserError when they may not, as the core refuses it.
        """
        shape, self.tree_shape, self.layout = shapes(parameters)
        self.base = self.layout.check_base(base, self.tree_shape.leaves_log2, int(parameters.get("ADDR_WIDTH", 34)))
        self.ahead_max, self.writes = int(parameters.get("AHEAD_MAX", 4)), int(parameters.get("WRITES", 8))
        self.learner = self.LEARNER(shape)
        self.tree = self.TREE(self.tree_shape)
        self.model = ReplayLearnerModel(self.tree, None, self.layout)

    def configure(
        self,
        *,
        batch: int | None = None,
        ahead: int | None = None,
        td_frac: int | None = None,
        stratified: bool | None = None,
        **tree: int | None,
    ) -> None:
        """Write what is given; tree: as of the sum tree's driver. capacity and initial wait for clear().

        ahead: D. td_frac: fraction of Q and of initial priorities. The learner's own batch is for its configure().
        """
        for name, value in (("batch", batch), ("ahead", ahead), ("td_frac", td_frac)):
            if value is not None:
                setattr(self.model.registers, name, value)
        self.tree.configure(batch=batch, stratified=stratified, **tree)
        if batch is not None or stratified is not None:
            self.tree.restart()

    def insert(self, rows: np.ndarray) -> None:
        """Take experiences in, uint32 (n, layout.elements); returns when all are committed. Raises MemoryFault."""
        self.model.insert(rows)

    def train(self, batches: int) -> None:
        """Batches of gradient steps, and all their priority updates; needs an experience. Raises MemoryFault."""
        self.model.learner = self.learner.model
        self.model.train(batches)

    def abort(self) -> None:
        """Back to idle from wherever a core is, as after a call that failed; nothing is ever under way here.

        Half a batch and half an experience are dropped. Weights are those of the last whole step, experiences and
        priorities those of the last operation that was carried out; the draws go on from where they are.
        """

    def load_draws(self, state: tuple[int, int, int, int]) -> None:
        """Set the state words s0 … s3 of the draws; the next sample is the first of a batch."""
        self.tree.load_draws(state)

    def clear(self) -> None:
        """Forget all experiences."""
        self.model.clear()

    def records(self, count: int) -> np.ndarray:
        """What the slots 0 … count - 1 hold, uint32 (count, layout.elements)."""
        return self.model.memory[:count].copy()

    def priorities(self, count: int) -> np.ndarray:
        """Priorities of the slots 0 … count - 1, int64 (count,)."""
        return self.tree.operations(sumtree.READ, np.arange(count))["priority"].astype(np.int64)

    def set_priorities(self, values: np.ndarray) -> None:
        """Set the priorities of the slots from 0 on, as the tree holds them, 0 included."""
        self.tree.operations(sumtree.UPDATE, np.arange(len(values)), values)

    def continue_from(self, since_sync: int, seed: int) -> None:
        """Forget experiences and weights; the next target update counts `since_sync` steps, the rounding is seeded.

        All that configure() and the learner's configure() write must be written again.
        """
        self.clear()
        self.learner.model.since_sync = since_sync
        self.learner.model.seed(seed)

    size = property(attrgetter("tree.size"), doc="Slots taken since the last clear, at most the capacity.")
    largest = property(attrgetter("tree.largest"), doc="The largest priority seen since the last clear.")
    filled = property(attrgetter("model.filled"), doc="Experiences committed since the last clear.")

    def counters(self) -> dict[str, int]:
        """Counters by name, since reset or clear_counters(); 32 bits each. Those of clocks only the core has."""
        return dict(self.model.counters)

    def clear_counters(self) -> None:
        """Set the counters to 0."""
        self.model.counters = dict.fromkeys(self.model.counters, 0)
