"""Networks that rlc_mlp is simulated with, and their weights."""

import numpy as np

from rlcores.cores.mlp.model import Weights
from rlcores.cores.mlp.norm import Norm
from rlcores.cores.mlp.shape import MlpShape

IDENTITY = 0x35C0FFEE  # of every set that fits

# Sums of each layer fill their 18 bits now and then, so that each limit is met.
CASES = {
    "relu": MlpShape((5, 7, 3), ("relu", "identity"), 5, (5, 5), (5, 6), (8, 9), 8, (8, 7), (8, 6), 4, 4, 2),
    "index": MlpShape((9, 6, 5), ("tanh", "identity"), 6, (7, 6), (4, 5), (9, 10), 6, 6, (8, 8), 2, 8, 1, argmax=True),
    "units": MlpShape(
        (3, 4, 4, 4, 4, 4, 3), ("leaky_relu", "sigmoid", "elu", "silu", "scaled_elu", "leaky_relu"), 5,
        (5, 7, 5, 4, 5, 5), (5,) * 6, (7,) * 6, 7, 8, 8, 2, 2, 2, slopes=(6553, 0, 0, 0, 90000, 32768),
    ),
    # Words of gains fill their memory, so that one written behind the last would be the first.
    "norms": MlpShape(
        (4, 11, 4, 3), ("relu", "elu", "identity"), 6, (6, 6, 8), (5, 5, 5), (7, 8, 8), 9, (8, 8, 6), (8, 7, 9), 4,
        4, 2, norms=(Norm(300, 9, 9, 12), Norm(1, 10, 8, 12), None),
    ),
    # As many words between two layers as let the second begins right behind the first.
    "long": MlpShape((2, 20, 2), ("relu", "identity"), 4, (6, 6), (4, 4), (6, 6), 6, 5, 6, 1, 1, 1),
    # Three outputs of 16 rows: what is left of the last group must not meet the next observation's first results.
    "drain": MlpShape((4, 6, 3), ("relu", "tanh"), 7, (6, 12), (6, 6), (9, 9), 8, 8, (8, 9), 16, 2, 1),
    "pair": MlpShape((6, 9, 4), ("relu", "tanh"), 7, (6, 12), (6, 6), (9, 9), 8, 8, (8, 9), 4, 2, 2, multiplier="pair"),
    "lut": MlpShape((4, 5, 2), ("relu", "identity"), 4, (4, 6), (4, 4), (6, 6), 6, 4, 5, 1, 4, 1, multiplier="lut"),
}  # fmt: skip


def weights(shape: MlpShape, seed: int) -> Weights:
    """Random integers; biases small enough that answers follow the observations (a test asks for that)."""
    rng = np.random.default_rng(seed)
    layers = range(shape.layers)
    of, biases, factors = [], [], []
    for n in layers:
        top, count = 1 << (shape.weight_widths[n] - 1), shape.sizes[n]
        drawn = rng.normal(size=(shape.sizes[n + 1], count)) * 2.0 ** shape.weight_fracs[n] * 1.5 / np.sqrt(count)
        drawn[0, 0], drawn[-1, -1] = -top, top - 1
        of.append(np.clip(np.rint(drawn), -top, top - 1).astype(np.int64))
        reach = 1 << rng.integers(3, 11, shape.sizes[n + 1])
        biases.append(rng.integers(-reach, reach))
        pairs = rng.integers(-(1 << 12), 1 << 12, (shape.sizes[n + 1], 2))
        factors.append(None if shape.norms[n] is None else pairs)
    return Weights(shape, tuple(of), tuple(biases), tuple(factors))


def words(weight_set: Weights, identity: int) -> list[int]:
    """The set as it is loaded, with another identity, and rubbish in weights behind a layer's last element."""
    shape, weight_words = weight_set.shape, []
    rng = np.random.default_rng(identity)
    top = 1 << (shape.weight_width - 1)
    for w, b in zip(weight_set.weights, weight_set.biases, strict=True):
        more = rng.integers(-top, top, (len(w), -w.shape[1] % shape.cols))
        alone = MlpShape(
            (w.shape[1] + more.shape[1], len(w)), ("identity",), 4, (4,), (4,), (8,), 8, shape.weight_width, 8,
            shape.rows, shape.cols, shape.acts,
        )  # fmt: skip
        of = Weights(alone, (np.hstack([w, more]),), (b,)).words().tolist()
        weight_words += of[len(of) - alone.steps * alone.weight_parts :]
    whole = weight_set.words().tolist()
    return [identity, *whole[1 : len(whole) - len(weight_words)], *weight_words]
