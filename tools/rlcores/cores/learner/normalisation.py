"""Layer normalisation of a hidden layer's sums, forward and backward, in integers (Ba, Kiros and Hinton, 2016).

A sample's N sums lose their mean and are divided by the root of their mean square: n = (z - mean) / deviation. There is
no gain and no offset, for the layer in front has both. In place of an epsilon a deviation counts as 16 units at least.
The centred sums have 18 bits and a fraction of their own, which follows them. The reciprocal root is that of the tables
of log2 and exp2. All is made of commands that rlc_tensor_vector has, so every sum here fits its 35 bits.
"""

import math
from dataclasses import dataclass

import numpy as np

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.common.log2exp2 import exp2_fixed, log2_fixed
from rlcores.cores.learner.activations import SUM_WIDTH
from rlcores.cores.learner.format import ACT_WIDTH

MOST = 256  # sums of a layer: that many of 27 bits have 35
ROOT_FRAC, ROOT_WIDTH = 30, 26  # of 1 / root
MEAN_FRAC, SHARE_FRAC = 24, 17  # of 1 / N; of 2^k / N
LOG_FRAC = 20
EXTRA = 8  # fraction bits that a delta has behind the normalisation and beyond the one in front of it
_SUM_MOST = (1 << 34) - 1


@dataclass(frozen=True)
class Normalised:
    """What a pass forward keeps: centred sums (R, N) and how many were clipped, n (R, N), 1 / root (R, 1)."""

    centred: np.ndarray
    saturated: int
    n: np.ndarray
    root: np.ndarray


def log2_up(count: int) -> int:
    """Bits that numbers of a sample lose before they are summed up."""
    return (count - 1).bit_length()


def share(count: int) -> int:
    """What makes their sum a mean, SHARE_FRAC fraction bits."""
    return round((1 << SHARE_FRAC + log2_up(count)) / count)


def of_one(count: int) -> int:
    """log2 of 1 / root where the log2 of the squares' sum is 0."""
    return (ROOT_FRAC << LOG_FRAC) + round(math.log2(count / (1 << log2_up(count))) / 2 * (1 << LOG_FRAC))


def _mean(x: np.ndarray, more: int = 0) -> np.ndarray:
    """The mean over a sample's numbers, each of which loses `more` bits and those of N first."""
    count = x.shape[1]
    part = round_shift(x, log2_up(count) + more).sum(axis=1, keepdims=True)
    return round_shift(part * share(count), SHARE_FRAC)


def forward(z: np.ndarray, frac: int) -> Normalised:
    """z: int64 (R, N) of 27 bits. frac: of n."""
    count = z.shape[1]
    mean = round_shift(z.sum(axis=1, keepdims=True) * round((1 << MEAN_FRAC) / count), MEAN_FRAC)
    exact = z - mean
    centred = saturate(exact, ACT_WIDTH)
    up = log2_up(count)
    square = np.minimum(round_shift(centred * centred, up).sum(axis=1, keepdims=True), _SUM_MOST)
    root = exp2_fixed((of_one(count) - round_shift(log2_fixed(square), 1)) << 6, ROOT_WIDTH, 0)[0]
    n = round_shift(centred * root, ROOT_FRAC - frac)
    return Normalised(centred, int(np.count_nonzero(centred != exact)), n, root)


def backward(delta: np.ndarray, kept: Normalised, frac: int, sum_frac: int) -> np.ndarray:
    """The delta of the sums, unlimited, from that of n, which has EXTRA fraction bits more.

    d z = (d n - mean of d n - n · mean of d n · n) / deviation. frac: of n; sum_frac: of the centred sums.
    """
    rest = delta - _mean(delta)
    along = saturate(_mean(delta * kept.n, frac), SUM_WIDTH)
    rest = round_shift((rest << frac) - kept.n * along, frac)
    return round_shift(rest * kept.root, ROOT_FRAC + EXTRA - sum_frac)
