"""Regression of vectors in integers whose fractions follow the numbers: the learner's layers, Adam, one more loss.

The loss is half the squared error, summed over outputs, so the delta of an output is its error times the sample's
weight. Chua et al. (2018) and Janner et al. (2019) train ensembles of such networks as models of an environment.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rlcores.cores.common.fixed import quantise, saturate
from rlcores.cores.learner.format import ACT_WIDTH, FACTOR_FRAC, TANH_FRAC, VALUE_WIDTH
from rlcores.cores.learner.loss import output_delta
from rlcores.cores.rl.batch import INPUT_MOST, as_input
from rlcores.cores.rl.exponents import Exponent
from rlcores.cores.rl.networks import COUNTERS, RlNetwork, Trained, check_settings, described, integers_of
from rlcores.errors import UserError

_OUTPUT_MOST = 20  # fraction bits of outputs


@dataclass(frozen=True)
class RegressionSettings:
    """Of a regression; the rate is Adam's, of the batch's mean."""

    network: tuple[int, ...] = (64, 64)
    learning_rate: float = 1e-3
    adam_epsilon: float = 1e-8


class Regression:
    """Learns outputs (B, N_M) from inputs (B, N_0). Numbers of about 1 are best: it does not scale them.

    >>> learner = Regression(2, 1, RegressionSettings(network=(16,), learning_rate=1e-2), seed=1)
    >>> rng = np.random.default_rng(1)
    >>> for _ in range(300):
    ...     x = rng.normal(size=(64, 2))
    ...     errors = learner.step(x, x[:, :1] - x[:, 1:])
    >>> bool(np.abs(learner([[0.5, -0.25]]) - 0.75).max() < 0.05)
    True
    """

    def __init__(
        self,
        inputs: int,
        outputs: int,
        settings: RegressionSettings = RegressionSettings(),
        *,
        seed: int = 0,
        backend: str = "native",
    ) -> None:
        """backend: "native" or "model", the same bits. Raises UserError."""
        kind = integers_of(backend, "Regression")
        check_settings(settings, seed, inputs=(inputs, 1), outputs=(outputs, 1))
        self.inputs, self.outputs, self.settings, self.seed, self.backend = inputs, outputs, settings, seed, backend
        self.input, self.output = Exponent(12, most=INPUT_MOST), Exponent(14, VALUE_WIDTH, most=_OUTPUT_MOST)
        self.counters = np.zeros(COUNTERS, np.int64)
        self.steps = 0
        self.network = Trained(
            RlNetwork((inputs, *settings.network, outputs)), kind, self.input, self.output,
            learning_rate=settings.learning_rate, adam_epsilon=settings.adam_epsilon, tau=0.0, target=False,
        )  # fmt: skip
        self.network.start(np.random.default_rng(seed))

    def __repr__(self) -> str:
        return described(self, "inputs", "outputs")

    def __call__(self, x: ArrayLike) -> np.ndarray:
        """The outputs, float64 (B, N_M), of inputs (B, N_0)."""
        return self.network.integers.forward(self._codes(x)[0])[-1] * 2.0**-self.output.frac

    def step(self, x: ArrayLike, y: ArrayLike, weights: ArrayLike | None = None) -> np.ndarray:
        """One gradient step on inputs (B, N_0) and wanted outputs (B, N_M); returns the errors before it, (B, N_M).

        weights (B,): of the samples, 0 to 1 (default: 1). Raises UserError, nothing changed: shapes, or numbers that
        are not finite.
        """
        x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
        if x.shape != (len(x), self.inputs) or y.shape != (len(x), self.outputs) or not len(x):
            raise UserError(f"inputs {x.shape} and outputs {y.shape} must be (B, {self.inputs}), (B, {self.outputs})")
        if not (np.isfinite(x).all() and np.isfinite(y).all()):
            raise UserError("inputs and outputs must be finite numbers")
        network, frac = self.network, self.output.frac
        codes, over = self._codes(x)
        self.input.see(codes, over)
        wanted = quantise(y, frac)
        goal = saturate(wanted, VALUE_WIDTH)
        self.output.see(goal, int(np.count_nonzero(goal != wanted)))
        vectors = network.forward(codes)
        error = saturate(vectors[-1] - goal, VALUE_WIDTH)
        weight = quantise(np.ones(len(x)) if weights is None else np.asarray(weights, np.float64), FACTOR_FRAC)
        delta, cut = output_delta(
            error, weight[:, None], act_frac=frac, delta_frac=network.integers.formats.delta_frac[-1]
        )
        network.update(network.gradient(vectors, delta, int(cut.sum())), len(x), False)
        self.steps += 1
        for exponent in self.moving():
            exponent.move()
        network.follow()
        return error * 2.0**-frac

    def moving(self) -> list[Exponent]:
        """All fractions that follow their numbers."""
        return [self.input, self.output, *self.network.own()]

    def _codes(self, x: ArrayLike) -> tuple[np.ndarray, int]:
        exact = as_input(quantise(np.asarray(x, np.float64), TANH_FRAC), self.input.frac)
        saturated = saturate(exact, ACT_WIDTH)
        return saturated, int(np.count_nonzero(saturated != exact))
