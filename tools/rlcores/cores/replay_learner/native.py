"""The replay learner with its networks in the native engine. Its sum tree and its memory are the model's."""

from rlcores.cores.learner.native import LearnerNativeDriver
from rlcores.cores.replay_learner.model_driver import ReplayLearnerModelDriver


class ReplayLearnerNativeDriver(ReplayLearnerModelDriver):
    """Driver over the integer model, which learns in the native engine."""

    LEARNER = LearnerNativeDriver
