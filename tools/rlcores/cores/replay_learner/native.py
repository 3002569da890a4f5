"""The replay learner in the native engine: its sum tree and networks there, its experiences as the model has them."""

from rlcores.cores.learner.native import LearnerNativeDriver
from rlcores.cores.replay_learner.model import ReplayLearnerModelDriver
from rlcores.cores.sumtree.native_driver import SumTreeNativeDriver


class ReplayLearnerNativeDriver(ReplayLearnerModelDriver):
    """Driver over the native engine."""

    LEARNER, TREE = LearnerNativeDriver, SumTreeNativeDriver
