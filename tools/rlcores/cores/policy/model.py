"""The policy core, bit for bit: observations in, actions and log-probabilities out, in order.

The forward pass is that of the learner's FW units. Every observation takes 1 + A words of the generator, whatever the
settings say.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rlcores.base.words import first
from rlcores.cores.common.draws import Xoshiro128pp, state_of
from rlcores.cores.common.fixed import fits, round_shift
from rlcores.cores.learner.format import ACC_WIDTH, ACT_WIDTH, SHIFT_MAX, VALUE_WIDTH, WEIGHT_FRAC, WEIGHT_WIDTH
from rlcores.cores.learner.layout import Matrices
from rlcores.cores.learner.network import clip_and_count, product, wrap
from rlcores.cores.policy.head import Answers, HeadSettings, continuous, discrete
from rlcores.cores.policy.stages import STAGES

# Counters of the core: sets of weights left out, elements that a layer clipped (1 … 4), numbers of the head that did
# not fit, vectors of a layer with a sum of 2**46 or more, sets that became active.
DROPPED, HEAD_SATURATED, ACC_OVERFLOW, TAKEN = (
    first(STAGES, name) for name in ("DROPPED", "HEAD_SATURATED", "ACC_OVERFLOW", "TAKEN")
)
_LAYER = first(STAGES, "SATURATED") - 1  # plus the layer


class PolicyModel:
    """rlc_policy: sizes N_0 … N_M, act_frac of N_0 … N_M. counters: as the core's, eight of them.

    continuous: outputs are means of dimensions, not logits or values of actions. logp: whether log-probabilities are
    asked for, whose numbers count as well when they are clipped.

    >>> model = PolicyModel((2, 2), (12, 12))
    >>> model.load([(np.eye(2, dtype=np.int64) << 22, np.zeros(2, np.int64))])
    >>> model.act(np.array([[1, 2], [5, 3]])).actions
    array([1, 0])
    """

    def __init__(
        self,
        sizes: Sequence[int],
        act_frac: Sequence[int],
        *,
        output_width: int = VALUE_WIDTH,
        continuous: bool = False,
        logp: bool = True,
    ) -> None:
        """Raises ValueError: the fractions make a shift that the core does not have."""
        self.sizes, self.act_frac, self.output_width = tuple(sizes), tuple(act_frac), output_width
        self.shifts = [WEIGHT_FRAC + a - b for a, b in zip(self.act_frac, self.act_frac[1:], strict=False)]
        if len(self.act_frac) != len(self.sizes) or not all(0 <= shift <= SHIFT_MAX for shift in self.shifts):
            raise ValueError(f"fractions {self.act_frac} do not fit a network {self.sizes}")
        self.continuous, self.logp = continuous, logp
        self.matrices: Matrices = []
        self.log_deviations = np.zeros(self.sizes[-1], np.int64)
        self.counters = np.zeros(sum(STAGES.values()), np.int64)
        self.seed(state_of(0))

    def seed(self, state: Sequence[int]) -> None:
        """The generator's words s0 … s3."""
        self.generator = Xoshiro128pp(state)

    def load(self, matrices: Matrices, log_deviations: np.ndarray | None = None) -> None:
        """Act with these weights and log-deviations (A,) from now on, integers with 22 fraction bits.

        No log-deviations: those of before. Raises ValueError: not 27 bits.
        """
        if not all(fits(part, WEIGHT_WIDTH) for pair in matrices for part in pair):
            raise ValueError("a weight has more than 27 bits")
        if log_deviations is not None:
            self.log_deviations = np.asarray(log_deviations, np.int64)
        self.matrices = list(matrices)
        self.counters[TAKEN] += 1

    def outputs(self, x: np.ndarray) -> np.ndarray:
        """The network's outputs (R, N_M) of observation codes (R, N_0) of 18 bits."""
        for layer, ((w, b), shift) in enumerate(zip(self.matrices, self.shifts, strict=True), 1):
            sums = wrap(product(x, w.T) + (b << self.act_frac[layer - 1]))
            large = ((sums >> (ACC_WIDTH - 2)) + 1) >> 1 != 0
            self.counters[ACC_OVERFLOW] += int(np.count_nonzero(large.any(axis=1)))
            last = layer == len(self.shifts)
            rounded = round_shift(sums if last else np.maximum(sums, 0), shift)
            x = clip_and_count(rounded, self.output_width if last else ACT_WIDTH, self.counters, _LAYER + layer)
        return x

    def act(self, observations: np.ndarray, settings: HeadSettings | None = None) -> Answers:
        """Answers of observation codes (R, N_0), one after the other; the log-deviations are the weights' own."""
        outputs = self.outputs(np.asarray(observations, np.int64))
        words = self.generator.take(len(outputs) * (1 + self.sizes[-1])).reshape(len(outputs), 1 + self.sizes[-1])
        chosen = replace(settings or HeadSettings(), log_deviations=self.log_deviations)
        answers = (continuous if self.continuous else discrete)(outputs, words, chosen, self.act_frac[-1])
        self.counters[HEAD_SATURATED] += answers.saturated - (0 if self.logp else answers.log_saturated)
        return answers
