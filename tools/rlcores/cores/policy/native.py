"""The policy core on the native engine: the model's integers, in C++."""

import numpy as np

from rlcores.base.arrays import compact
from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.cores.learner.format import ACC_WIDTH, WEIGHT_WIDTH
from rlcores.cores.learner.layout import Matrices, flatten
from rlcores.cores.policy.head import Answers, HeadSettings
from rlcores.cores.policy.model import PolicyModel
from rlcores.native import engine

FRAC_MAX = 31  # of the outputs


class NativePolicy(PolicyModel):
    """PolicyModel whose answers are calls of the engine; where a sum comes near the end of its bits, the model's.

    >>> policy = NativePolicy((2, 2), (12, 12))
    >>> policy.load([(np.eye(2, dtype=np.int64) << 22, np.zeros(2, np.int64))])
    >>> policy.act(np.array([[1, 2], [5, 3]])).actions
    array([1, 0])
    """

    _engine: "engine.Acting | None" = None

    def load(self, matrices: Matrices, log_deviations: np.ndarray | None = None) -> None:
        """As PolicyModel.load. Raises ValueError."""
        super().load(matrices, log_deviations)
        # With more fraction bits a bias alone may leave an accumulator.
        if max(self.act_frac[:-1]) > ACC_WIDTH - WEIGHT_WIDTH or self.act_frac[-1] > FRAC_MAX:
            return
        logs = self.log_deviations if self.continuous else np.zeros(0, np.int64)
        shape = list(self.sizes), list(self.act_frac), self.output_width, self.logp
        self._engine = engine.Acting(*shape, flatten(self.matrices), compact(logs, np.int64))

    def act(self, observations: np.ndarray, settings: HeadSettings | None = None) -> Answers:
        """As PolicyModel.act, but `saturated` of an answer is 0: see counters. Observations are codes of 18 bits."""
        codes, chosen = compact(observations, np.int64), settings or HeadSettings()
        if self._engine is None or not len(codes):
            return super().act(codes, chosen)
        shape = (len(codes), self.sizes[-1]) if self.continuous else (len(codes),)
        actions, samples, logs = np.empty(shape, np.int64), np.empty(shape, np.int64), np.empty(len(codes), np.int64)
        state = np.array(self.generator.state, np.uint32)
        numbers = chosen.epsilon, int(chosen.noise), chosen.squash, chosen.scale
        done = self._engine.act(codes, state, actions.reshape(-1), samples.reshape(-1), logs, numbers, self.counters)
        if not done:
            return super().act(codes, chosen)
        self.generator = Xoshiro128pp(state.tolist())
        return Answers(actions, samples, logs, 0)
