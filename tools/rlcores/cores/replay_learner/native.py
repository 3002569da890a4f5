"""The replay learner in the native engine: its sum tree and networks there, its experiences as the model has them."""

from rlcores.cores.learner.native import LearnerNativeDriver, NativeValueLearner
from rlcores.cores.replay_learner.model import Drawn, ReplayLearnerModelDriver
from rlcores.cores.sumtree.maths import DELTA_FRACTION
from rlcores.cores.sumtree.native_driver import SumTreeNativeDriver


class ReplayLearnerNativeDriver(ReplayLearnerModelDriver):
    """Driver over the native engine; what follows a batch of DQN's is one call of it."""

    LEARNER, TREE = LearnerNativeDriver, SumTreeNativeDriver

    def train_on(self, batch: Drawn) -> None:
        model, layout = self.learner.model, self.layout
        if isinstance(model, NativeValueLearner) and not batch.voids:
            at, td_shift = (layout.states_at, layout.next_states_at), DELTA_FRACTION - self.registers.td_frac
            stale = model.replayed(self.tree.tree, self.memory, at, batch.answers, td_shift)
            if stale is not None:
                self._count(batches=1, stale_updates=stale)
                return
        super().train_on(batch)
