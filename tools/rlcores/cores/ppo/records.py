"""A rollout's rewards, values and advantages in few bits: HEPPO's records in PPO's own memory (docs/ppo.md#records).

A number is kept as a code of Q bits times a step, a power of two. An advantage overwrites its reward, and with it the
two bits that say whether the episode continued, terminated or was truncated, so its code has Q + 2 bits. The steps of
a rollout follow from the largest numbers of the rollout before. Those of values and advantages fall by one octave a
rollout at most, for the values of a new critic grow fast; rewards keep the largest of the run.
"""

import numpy as np

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.policy.density import OUT_FRAC

BITS = (3, 4, 5, 6, 7, 8, 9, 10)  # of a reward's or a value's code; 0: 27 bits, as they are
KIND = 2  # bits of a record that say how its step ended; the advantage's code has them, too
REWARD, VALUE, ADVANTAGE = range(3)
FIRST = 1, 4, 4  # a run begins with steps for rewards within 2**1, values and advantages within 2**4


class Records:
    """The codes of a rollout's memory, and their steps.

    bits: Q. steps (3,): exponents of reward, value and advantage, in last bits of sfix(27,16). seen (3,): the bits that
    the numbers used, those of values and advantages since the last follow().

    >>> records = Records(8)
    >>> records.steps.tolist()                 # of rewards 1/64, of values 1/8, of advantages 1/32
    [10, 13, 11]
    >>> values = np.array([100 << 16, 3 << 16])
    >>> (records.kept(values, VALUE)[0] / 2**16).tolist()   # clipped in this rollout
    [15.875, 3.0]
    >>> records.follow()
    >>> (records.kept(values, VALUE)[0] / 2**16).tolist()
    [100.0, 3.0]
    """

    def __init__(self, bits: int) -> None:
        """Of a run's beginning. Raises ValueError: a number of bits that no core has."""
        if bits not in BITS:
            raise ValueError(f"a record has codes of {bits} bits; they have {BITS[0]} to {BITS[-1]}")
        self.bits = bits
        self.widths = bits, bits, bits + KIND
        first = [self._step(OUT_FRAC + octaves, width) for octaves, width in zip(FIRST, self.widths, strict=True)]
        self.steps = np.array(first, np.int64)
        self.seen = np.zeros(3, np.int64)

    @staticmethod
    def _step(magnitude: int, width: int) -> int:
        return max(0, magnitude - (width - 1))

    def kept(self, x: np.ndarray, kind: int) -> tuple[np.ndarray, int]:
        """Numbers as the memory gives them back, sat_Q(round(x / 2**e)) * 2**e, and how many were clipped."""
        self.seen[kind] |= np.bitwise_or.reduce(np.where(x < 0, ~x, x), axis=None, initial=0)
        exponent = int(self.steps[kind])
        exact = round_shift(x, exponent)
        codes = saturate(exact, self.widths[kind])
        return codes << exponent, int(np.count_nonzero(codes != exact))

    def rollout(self, rewards: np.ndarray, values: np.ndarray, lost: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """Rewards and values of a rollout as they are kept, and how many were clipped.

        lost: truncated steps. The reward of one holds a value, so it has the values' step.
        """
        kept_rewards = np.empty_like(rewards)
        kept, values_saturated = self.kept(values, VALUE)
        kept_rewards[lost], lost_saturated = self.kept(rewards[lost], VALUE)
        kept_rewards[~lost], saturated = self.kept(rewards[~lost], REWARD)
        return kept_rewards, kept, saturated + lost_saturated + values_saturated

    def follow(self) -> None:
        """The steps of the next rollout: those that hold what was seen.

        Values' and advantages' fall by 1 at most. Where nothing but 0 was seen, a step stays.
        """
        for kind, width in enumerate(self.widths):
            if magnitude := int(self.seen[kind]).bit_length():
                least = 0 if kind == REWARD else self.steps[kind] - 1
                self.steps[kind] = max(self._step(magnitude, width), least)
        self.seen[VALUE] = self.seen[ADVANTAGE] = 0
