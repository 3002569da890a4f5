"""The integers of rlc_mlp on the native engine."""

import numpy as np

from rlcores.base.arrays import compact
from rlcores.cores.mlp import activations
from rlcores.cores.mlp.model import MlpModel, Weights
from rlcores.native import engine


class NativeMlp(MlpModel):
    """MlpModel whose outputs come from one call of the engine.

    >>> from rlcores.cores.mlp.shape import MlpShape
    >>> shape = MlpShape((2, 1), ("relu",), 7, (7,), (6,), (13,), 7, 8, 8, 1, 1, 1)
    >>> weights = Weights(shape, (np.array([[64, -32]]),), (np.array([5]),))
    >>> NativeMlp(weights).outputs(np.array([[10, 4]])).tolist() == MlpModel(weights).outputs([[10, 4]]).tolist()
    True
    """

    def __init__(self, weights: Weights) -> None:
        """A pass with these weights."""
        super().__init__(weights)
        shape = weights.shape
        self._engine = engine.Mlp()
        for n, (w, b) in enumerate(zip(weights.weights, weights.biases, strict=True)):
            norm, factors = shape.norms[n], weights.factors[n]
            self._engine.add(
                shape.sizes[n], shape.sizes[n + 1], shape.bias_shifts[n], activations.KINDS.index(shape.kinds[n]),
                shape.shifts[n], shape.unit_frac, shape.unit_shifts[n],
                shape.result_widths[n], shape.slopes[n],
                *((0, 0, 0) if norm is None else (norm.epsilon, shape.norm_shifts[n], norm.offset_shift)),
                compact(w, np.int64).ravel(), compact(b, np.int64),
                np.zeros(2 * len(b), np.int64) if factors is None else compact(factors, np.int64).ravel(),
            )  # fmt: skip

    def outputs(self, observations: np.ndarray) -> np.ndarray:
        """As MlpModel.outputs."""
        x = self.checked(observations)
        outputs = np.empty((len(x), self.shape.sizes[-1]), dtype=np.int64)
        self._engine.run(x.ravel(), outputs.reshape(-1), len(x))
        return outputs
