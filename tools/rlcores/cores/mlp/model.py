"""The integer model of rlc_mlp, bit for bit, and a set of weights as the core takes it."""

from dataclasses import dataclass

import numpy as np

from rlcores.cores.mlp import activations, norm
from rlcores.cores.mlp.shape import BIAS_BITS, MlpShape


def round_shift(values: np.ndarray, drop: int) -> np.ndarray:
    """values / 2^drop, rounded half up."""
    return (values + (1 << drop >> 1)) >> drop


def saturate(values: np.ndarray, width: int) -> np.ndarray:
    """Values clipped to signed numbers of `width` bits."""
    return np.clip(values, -(1 << (width - 1)), (1 << (width - 1)) - 1)


@dataclass(frozen=True)
class Weights:
    """Integers of one network. weights: int64 [outputs, inputs] per layer. biases: int64 [outputs] per layer. factors:
    per layer None, or int64 [outputs, 2] with gains and offsets of its normalisation.

    Raises ValueError if they do not fit the shape.
    """

    shape: MlpShape
    weights: tuple[np.ndarray, ...]
    biases: tuple[np.ndarray, ...]
    factors: tuple[np.ndarray | None, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "factors", self.factors or (None,) * self.shape.layers)
        for number, (w, b) in enumerate(zip(self.weights, self.biases, strict=True)):
            factors = self.factors[number]
            if (factors is None) != (self.shape.norms[number] is None) or (
                factors is not None
                and (factors.shape != (len(b), 2) or (saturate(factors, norm.WIDTH) != factors).any())
            ):
                raise ValueError(f"gains and offsets of layer {number + 1} are not those of its normalisation")
            if w.shape != (self.shape.sizes[number + 1], self.shape.sizes[number]) or b.shape != w.shape[:1]:
                raise ValueError(f"layer {number + 1} has weights of shape {list(w.shape)}, which is not the network's")
            for name, values, width in (("weight", w, self.shape.weight_widths[number]), ("bias", b, BIAS_BITS)):
                if (saturate(values, width) != values).any():
                    raise ValueError(f"a {name} of layer {number + 1} does not fit {width} bits")

    def words(self) -> np.ndarray:
        """The set as it is loaded: uint32 [load_words], the identity first, biases, gains and offsets, weights.

        They follow the steps of the array: layer by layer, group of rows by group of rows. A group has `rows` biases,
        and for each of its steps a word of weights, row by row and column by column, padded to parts of 32 bits.
        A normalised layer has a word per output, its gain in the lower half and its offset in the upper one, padded to
        pieces of `acts`.
        """
        shape = self.shape
        biases, weights = [], []
        for w, b in zip(self.weights, self.biases, strict=True):
            groups, steps = shape.pieces(w.shape[0], shape.rows), shape.pieces(w.shape[1], shape.cols)
            padded = np.zeros((groups * shape.rows, steps * shape.cols), dtype=np.int64)
            padded[: w.shape[0], : w.shape[1]] = w
            bias = np.zeros(groups * shape.rows, dtype=np.int64)
            bias[: b.size] = b
            biases.append(bias)
            blocks = padded.reshape(groups, shape.rows, steps, shape.cols).transpose(0, 2, 1, 3)
            weights.append(blocks.reshape(groups * steps, shape.rows * shape.cols))
        bits = shape.weight_width
        flat = np.concatenate(weights)
        planes = ((flat[:, :, None] >> np.arange(bits)) & 1).astype(np.uint8).reshape(len(flat), -1)
        full = np.zeros((len(flat), shape.weight_parts * 32), dtype=np.uint8)
        full[:, : planes.shape[1]] = planes
        packed = np.packbits(full, axis=1, bitorder="little").view("<u4").ravel()
        low = (np.concatenate(biases) & 0xFFFFFFFF).astype("<u4")
        return np.concatenate([np.array([shape.identity], dtype="<u4"), low, self._factor_words(), packed])

    def _factor_words(self) -> np.ndarray:
        acts, words = self.shape.acts, [np.zeros(0, dtype="<u4")]
        for factors in self.factors:
            if factors is not None:
                padded = np.zeros(self.shape.pieces(len(factors), acts) * acts, dtype=np.int64)
                padded[: len(factors)] = (factors[:, 0] & 0xFFFF) | (factors[:, 1] & 0xFFFF) << 16
                words.append(padded.astype("<u4"))
        return np.concatenate(words)


class MlpModel:
    """The forward pass of rlc_mlp in integers."""

    def __init__(self, weights: Weights) -> None:
        """A pass with these weights."""
        self.shape = weights.shape
        self._weights = weights
        # Integers below 2^53 are exact in float64 in any order, and its matrix products are fast; beyond, int64.
        self._exact = self.shape.sum_width <= 53

    def sums(self, number: int, x: np.ndarray) -> np.ndarray:
        """Sums of a layer (from 0) with their biases, int64 [batch, outputs]."""
        w, b = self._weights.weights[number], self._weights.biases[number]
        products = (x.astype(np.float64) @ w.T.astype(np.float64)).astype(np.int64) if self._exact else x @ w.T
        return products + (b << self.shape.bias_shifts[number])

    def layer(self, number: int, x: np.ndarray) -> np.ndarray:
        """Results of a layer (from 0): int64 [batch, outputs] of integers [batch, inputs]."""
        shape = self.shape
        kind, factors = shape.kinds[number], self._weights.factors[number]
        z = saturate(round_shift(self.sums(number, x), shape.shifts[number]), 18)
        if factors is not None:
            z = saturate(round_shift(norm.normalise(z, shape.norms[number], factors), shape.norm_shifts[number]), 18)
        if kind == "relu":
            z = np.maximum(z, 0)
        elif kind != "identity":
            z = round_shift(activations.unit(kind, z, shape.unit_frac, shape.slopes[number]), shape.unit_shifts[number])
        return saturate(z, shape.result_widths[number])

    def outputs(self, observations: np.ndarray) -> np.ndarray:
        """Outputs of the last layer, int64 [batch, outputs], of observations [batch, inputs] of act_width bits.

        Raises ValueError if an observation does not fit.
        """
        x = self.checked(observations)
        for number in range(self.shape.layers):
            x = self.layer(number, x)
        return x

    def checked(self, observations: np.ndarray) -> np.ndarray:
        """Observations as int64 [batch, inputs]. Raises ValueError if one does not fit."""
        x = np.ascontiguousarray(np.atleast_2d(np.asarray(observations, dtype=np.int64)))
        if x.ndim != 2 or x.shape[1] != self.shape.sizes[0] or (saturate(x, self.shape.act_width) != x).any():
            raise ValueError(f"observations must be [batch, {self.shape.sizes[0]}] of {self.shape.act_width} bits")
        return x

    def act(self, observations: np.ndarray) -> np.ndarray:
        """What the core answers: int64 [batch, 1] of an index with `argmax`, else [batch, outputs]."""
        outputs = self.outputs(observations)
        return outputs.argmax(axis=1)[:, None] if self.shape.argmax else outputs
