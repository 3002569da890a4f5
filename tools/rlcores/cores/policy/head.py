"""From a network's outputs to actions and their log-probabilities, bit for bit: the integer model of rlc_policy_head.

An observation takes 1 + A words of 32 random bits whatever the settings say: the coin, then one word an output.
Outputs are sfix(27, frac); the arrays are int64.
"""

from dataclasses import dataclass, field

import numpy as np

from rlcores.base.arguments import held, ranged
from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.common.tanh import tanh_fixed
from rlcores.cores.policy.density import LOG_FRAC, OUT_FRAC, OUT_WIDTH, categorical, deviation, gaussian
from rlcores.cores.policy.noise import gumbel, normal

EPSILON_FRAC = 16  # of epsilon, 0 … 1.0
SCALE_FRAC, SCALE_ONE = 15, 1 << 15  # of the scale of continuous actions, ufix(17,15)
ACTION_WIDTH, ACTION_FRAC = 18, 15  # of a continuous action at the stream
NATURAL = np.log(2) / (1 << LOG_FRAC)  # a log-probability times this is its natural logarithm

NONE, MEAN, SAMPLE = range(3)  # what tanh squashes


@dataclass(frozen=True)
class HeadSettings:
    """Registers of a head, as integers. Raises ValueError.

    epsilon: how often an action is drawn uniformly, 16 fraction bits. noise: whether outputs are logits to draw by, or
    means with noise around them; else the greatest output, or the mean, is the action. squash: what tanh is applied to,
    NONE, MEAN before the noise, or SAMPLE behind it. scale: of a continuous action, 15 fraction bits. log_deviations:
    natural logarithms, sfix(27,22), one a dimension.
    """

    epsilon: int = ranged(0, 0, 1 << EPSILON_FRAC)
    noise: bool = False
    squash: int = ranged(NONE, 0, SAMPLE)
    scale: int = ranged(SCALE_ONE, 0, (1 << 17) - 1)
    log_deviations: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        held(self)
        logs = self.log_deviations
        if logs.size and (logs.min() < -(1 << 26) or logs.max() >= 1 << 26):
            raise ValueError("a log-deviation has more than 27 bits")


@dataclass(frozen=True)
class Answers:
    """actions: indices (R,), or sfix(18,15) (R, A). logs (R,): log2 of their probability, sfix(27,20).

    samples (R, A): continuous actions before tanh and scale, sfix(27,16); of a discrete head as actions.
    logs are those of the policy without epsilon. saturated: how many numbers did not fit. log_saturated: those of
    them that only logs need; None: not counted apart.
    """

    actions: np.ndarray
    samples: np.ndarray
    logs: np.ndarray
    saturated: int
    log_saturated: int | None = None


def align(outputs: np.ndarray, frac: int) -> np.ndarray:
    """Outputs with `frac` fraction bits as sfix(27,16)."""
    return saturate(round_shift(outputs << OUT_FRAC, frac), OUT_WIDTH)


def explores(words: np.ndarray, settings: HeadSettings) -> np.ndarray:
    """Which observations take a uniform action, (R,) bool, of words (R, 1 + A)."""
    return words[:, 0].astype(np.int64) >> (32 - EPSILON_FRAC) < settings.epsilon


def discrete(outputs: np.ndarray, words: np.ndarray, settings: HeadSettings, frac: int = OUT_FRAC) -> Answers:
    """Actions by values or logits (R, A) and words (R, 1 + A): of equals the first. A is at most 256.

    A categorical action is the greatest of logit + Gumbel number, a uniform one that of the Gumbel numbers alone.
    """
    coin = explores(words, settings)[:, None]
    g = round_shift(gumbel(words[:, 1:]) << 15, 31 - frac)  # frac fraction bits
    score = np.where(coin, 0, outputs) + np.where(coin | settings.noise, g, 0)
    actions = score.argmax(axis=1)
    logits = align(outputs, frac)
    saturated = int(np.count_nonzero(logits != _exact(outputs, frac)))
    return Answers(actions, actions, categorical(logits).log_probability(actions), saturated, saturated)


def continuous(outputs: np.ndarray, words: np.ndarray, settings: HeadSettings, frac: int = OUT_FRAC) -> Answers:
    """Actions by means (R, A) and words (R, 1 + A).

    Tanh of the mean keeps the action in -1 … 1, also with the noise that is added; tanh of the sample is a density of
    its own. A uniform action is -1 … 1 before the scale.
    """
    wide = deviation(settings.log_deviations)
    base = align(outputs, frac)
    saturated = int(np.count_nonzero(base != _exact(outputs, frac)))
    if settings.squash == MEAN:
        base = squashed(base)
    exact = base + (wide.noise(normal(words[:, 1:])) if settings.noise else 0)
    samples = saturate(exact, OUT_WIDTH)
    saturated += int(np.count_nonzero(samples != exact))
    if settings.squash == MEAN:
        samples = np.clip(samples, -1 << OUT_FRAC, 1 << OUT_FRAC)
    seen = gaussian(samples, base, wide, squashed=settings.squash == SAMPLE)
    values = squashed(samples) if settings.squash == SAMPLE else samples
    anywhere = (words[:, 1:].astype(np.int64) ^ 1 << 31) - (1 << 31) >> 15
    values = np.where(explores(words, settings)[:, None], anywhere, values)
    scaled = round_shift(values * settings.scale, OUT_FRAC + SCALE_FRAC - ACTION_FRAC)
    actions = saturate(scaled, ACTION_WIDTH)
    saturated += int(np.count_nonzero(actions != scaled))
    return Answers(actions, samples, seen.log, saturated + seen.saturated, seen.saturated)


def _exact(outputs: np.ndarray, frac: int) -> np.ndarray:
    return round_shift(outputs << OUT_FRAC, frac)


def squashed(x: np.ndarray) -> np.ndarray:
    """tanh of sfix(27,16) as sfix(18,16)."""
    return tanh_fixed(saturate(round_shift(x, 2), 18))
