"""What the head's integers stand for, in float64: log-densities, natural logarithms."""

import numpy as np


def categorical(logits: np.ndarray) -> np.ndarray:
    """ln of the softmax of logits (R, K)."""
    below = logits - logits.max(axis=1, keepdims=True)
    return below - np.log(np.exp(below).sum(axis=1, keepdims=True))


def gaussian(samples: np.ndarray, means: np.ndarray, log_deviations: np.ndarray) -> np.ndarray:
    """ln of the density of samples (R, A) around means, (R,)."""
    z = (samples - means) * np.exp(-log_deviations)
    return -(z**2 / 2 + log_deviations + np.log(2 * np.pi) / 2).sum(axis=1)


def squashed(samples: np.ndarray, means: np.ndarray, log_deviations: np.ndarray) -> np.ndarray:
    """ln of the density of tanh(samples), (R,): Haarnoja et al., "Soft actor-critic", arXiv:1801.01290, appendix C."""
    slope = 2 * (np.log(2) - np.abs(samples) - np.log1p(np.exp(-2 * np.abs(samples))))
    return gaussian(samples, means, log_deviations) - slope.sum(axis=1)
