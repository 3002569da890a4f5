"""Integer formats of a policy by calibration: fractions follow the numbers that observations bring up.

A fraction is chosen among the one that holds the largest number and the next two, which limit it but round finer:
whichever has the least squared error. Nobody types a fraction.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rlcores.base.arguments import choice
from rlcores.cores.mlp.model import MlpModel, Weights
from rlcores.cores.mlp.native import NativeMlp
from rlcores.cores.mlp.shape import BIAS_BITS, MOST_LAYERS, MOST_NEURONS, OUT_WIDTH, Shape
from rlcores.deploy.network import Layer, Policy
from rlcores.errors import UserError

TABLES = ("tanh", "sigmoid", "elu", "silu")
_REACH = {"tanh": 8.0, "sigmoid": 16.0}  # beyond it the activation is flat


@dataclass(frozen=True)
class Observations:
    """How observations become integers: limit(round(x · 2^frac) - offset, low, high), all int64 [inputs]."""

    fracs: np.ndarray
    offsets: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def integers(self, observations: np.ndarray) -> np.ndarray:
        """Integers of observations [batch, inputs]; rounded half up, limited."""
        x = np.atleast_2d(np.asarray(observations, dtype=np.float64))
        scaled = np.clip(np.floor(np.ldexp(x, self.fracs) + 0.5), -(2.0**40), 2.0**40)
        return np.clip(scaled.astype(np.int64) - self.offsets, self.low, self.high)


def holding(largest: float, width: int) -> int:
    """The most fraction bits with which a signed number of `width` bits holds ±largest; 0 counts as 2^-20.

    >>> holding(1.9, 8), holding(2.0, 8)
    (6, 5)
    """
    return width - 1 - (math.frexp(max(largest, 2.0**-20))[1])


def best(values: np.ndarray, width: int, most: int) -> int:
    """The fraction, at most `most`, whose rounding and limits have the least squared error over values."""
    flat = np.asarray(values, dtype=np.float64).ravel()
    first = holding(float(np.abs(flat).max()), width)
    if first >= most:
        return most
    top = (1 << (width - 1)) - 1

    def error(frac: int) -> float:
        rounded = np.clip(np.floor(np.ldexp(flat, frac) + 0.5), -top - 1, top)
        return float(((np.ldexp(rounded, -frac) - flat) ** 2).sum())

    return min(range(first, min(first + 2, most) + 1), key=lambda frac: (error(frac), frac))


def check(policy: Policy) -> None:
    """Raise UserError, one sentence, if the core cannot compute a policy."""
    if len(policy.layers) > MOST_LAYERS or max(policy.sizes) > MOST_NEURONS:
        sizes = "-".join(map(str, policy.sizes))
        raise UserError(f"the network {sizes} is too large: {MOST_LAYERS} layers of {MOST_NEURONS} neurons fit")
    slopes = {layer.slope for layer in policy.layers if layer.activation == "leaky_relu"}
    if len(slopes) > 1 or not all(0 <= slope < 1 for slope in slopes):
        raise UserError(f"the slopes of leaky ReLU are {sorted(slopes)}; the core has one, from 0 to below 1")
    for number, layer in enumerate(policy.layers, 1):
        if layer.norm is not None:
            raise UserError(f"layer {number} has a layer normalisation, which the core does not compute")
        if layer.activation == "elu" and layer.slope != 1:
            raise UserError(f"layer {number} has an ELU with alpha {layer.slope:g}; the core has 1 alone")


def observed(policy: Policy, observations: np.ndarray, width: int) -> Observations:
    """Formats of each input: around the normaliser's mean where there is one, within its limits."""
    x = np.atleast_2d(np.asarray(observations, dtype=np.float64))
    if x.ndim != 2 or x.shape[1] != policy.sizes[0] or not len(x) or not np.isfinite(x).all():
        raise UserError(f"observations must be finite numbers of shape [batch, {policy.sizes[0]}]")
    norm = policy.normaliser
    centre = np.zeros(x.shape[1]) if norm is None else norm.mean
    lower = np.full(x.shape[1], -np.inf) if norm is None else norm.mean + norm.low / norm.scale
    upper = np.full(x.shape[1], np.inf) if norm is None else norm.mean + norm.high / norm.scale
    reach = np.abs(np.clip(x, lower, upper) - centre).max(axis=0)
    fracs = np.array([min(holding(float(r), width), 30) for r in reach], dtype=np.int64)
    offsets = np.floor(np.ldexp(centre, fracs) + 0.5).astype(np.int64)
    top = (1 << (width - 1)) - 1
    limits = [
        np.clip(np.floor(np.ldexp(np.clip(end, -1e12, 1e12), fracs) + 0.5) - offsets, -top - 1, top).astype(np.int64)
        for end in (lower, upper)
    ]
    return Observations(fracs, offsets, *limits)


def first_layer(policy: Policy, seen: Observations, in_frac: int) -> Layer:
    """Layer 1 for the integers of an observation, taken as numbers with `in_frac` fraction bits."""
    layer, norm = policy.layers[0], policy.normaliser
    scale = np.ones(policy.sizes[0]) if norm is None else norm.scale
    mean = np.zeros(policy.sizes[0]) if norm is None else norm.mean
    weights = layer.weights * scale * np.ldexp(1.0, in_frac - seen.fracs)
    moved = (np.ldexp(seen.offsets.astype(np.float64), -seen.fracs) - mean) * scale
    return Layer(weights, layer.bias + layer.weights @ moved, layer.activation, layer.slope)


@dataclass(frozen=True)
class Quantised:
    """A policy in integers."""

    policy: Policy
    observations: Observations
    weights: Weights

    @property
    def shape(self) -> Shape:
        """Network and formats."""
        return self.weights.shape

    @cached_property
    def _engine(self) -> NativeMlp:
        return NativeMlp(self.weights)

    def act(self, observations: np.ndarray, backend: str = "native") -> np.ndarray:
        """Actions as `Policy.act` gives them, computed by the core's integers.

        backend: "native" (the engine) or "model" (NumPy), which give the same.
        """
        choice("backend", backend, ("native", "model"))
        network = self._engine if backend == "native" else MlpModel(self.weights)
        return self.actions(network.act(self.observations.integers(observations)))

    def actions(self, answers: np.ndarray) -> np.ndarray:
        """Actions from the core's answers, int64 [batch, 1] or [batch, outputs]."""
        if self.shape.argmax:
            return answers[:, 0]
        return self.policy.head.act(np.ldexp(answers.astype(np.float64), -self.shape.act_fracs[-1]))


def _layers(policy: Policy, seen: Observations, in_frac: int) -> list[Layer]:
    return [first_layer(policy, seen, in_frac), *policy.layers[1:]]


def _integers(layers: list[Layer], shape: Shape) -> Weights:
    """Weights and biases in a shape's formats; weights may be limited by a format that calibration chose."""
    top = (1 << (shape.weight_width - 1)) - 1
    weights, biases = [], []
    for layer, w_frac, b_frac in zip(layers, shape.weight_fracs, shape.bias_fracs, strict=True):
        scaled = np.floor(np.ldexp(layer.weights, w_frac) + 0.5)
        weights.append(np.clip(scaled, -top - 1, top).astype(np.int64))
        biases.append(np.floor(np.ldexp(layer.bias, b_frac) + 0.5).astype(np.int64))
    return Weights(shape, tuple(weights), tuple(biases))


def quantise(
    policy: Policy,
    observations: np.ndarray,
    *,
    weight_width: int = 8,
    act_width: int = 8,
    rows: int = 1,
    cols: int = 1,
    acts: int = 1,
) -> Quantised:
    """A policy in integers of these widths, with formats that follow from observations [batch, inputs].

    rows, cols, acts: of the array, which change no number. Raises UserError if the core cannot compute the policy, or
    for widths outside 3 to 18.
    """
    check(policy)
    in_frac = act_width - 1
    seen = observed(policy, observations, act_width)
    layers = _layers(policy, seen, in_frac)
    weight_fracs = [best(layer.weights, weight_width, 30) for layer in layers]
    x = np.ldexp(seen.integers(observations).astype(np.float64), -in_frac)
    reach, results = [], []
    for layer in layers:
        z = layer.sums(x)
        reach.append(float(np.abs(z).max()))
        x = layer.forward(x)
        results.append(x)
    kinds = tuple(layer.activation for layer in layers)
    needed = [min(r, _REACH.get(kind, r)) for r, kind in zip(reach, kinds, strict=True) if kind in TABLES]
    unit_frac = max(0, min([14, *(holding(r * 1.25, 18) for r in needed)]))
    act_fracs: list[int] = []
    sum_fracs: list[int] = []
    for number, (kind, result, w_frac) in enumerate(zip(kinds, results, weight_fracs, strict=True)):
        sum_fracs.append(w_frac + (act_fracs[-1] if act_fracs else in_frac))
        last = number == len(layers) - 1
        most = 16 if kind in ("tanh", "sigmoid") else unit_frac if kind in TABLES else sum_fracs[-1]
        if last:
            act_fracs.append(min(most, holding(float(np.abs(result).max()) * 2, OUT_WIDTH)))
        else:
            act_fracs.append(best(result, act_width, most))
    unit_frac, act_fracs, sum_fracs = _settled(kinds, in_frac, weight_fracs, act_fracs, unit_frac)
    bias_fracs = [
        min(frac, holding(float(np.abs(layer.bias).max()) * 2, BIAS_BITS))
        for frac, layer in zip(sum_fracs, layers, strict=True)
    ]
    slope = next((layer.slope for layer in layers if layer.activation == "leaky_relu"), 0.0)
    try:
        shape = Shape(
            policy.sizes, kinds, in_frac, tuple(act_fracs), tuple(weight_fracs), tuple(bias_fracs), unit_frac,
            weight_width, act_width, rows, cols, acts, policy.head.kind == "argmax", min(round(slope * 65536), 65535),
        )  # fmt: skip
    except ValueError as error:
        raise UserError(str(error)) from error
    return Quantised(policy, seen, _integers(layers, shape))


def refit(policy: Policy, shape: Shape, seen: Observations) -> Quantised:
    """Another policy in the formats of a core that exists. Raises UserError if it does not fit, and says what."""
    check(policy)
    kinds = tuple(layer.activation for layer in policy.layers)
    if policy.sizes != shape.sizes or kinds != shape.kinds or (policy.head.kind == "argmax") != shape.argmax:
        given, there = ("-".join(map(str, sizes)) for sizes in (policy.sizes, shape.sizes))
        raise UserError(
            f"the policy is {given} ({', '.join(kinds)}, {policy.head.kind}); "
            f"the core takes {there} ({', '.join(shape.kinds)}, {'argmax' if shape.argmax else 'continuous'})"
        )
    slopes = {round(layer.slope * 65536) for layer in policy.layers if layer.activation == "leaky_relu"}
    if slopes - {shape.slope}:
        raise UserError("the policy's leaky ReLU has another slope than the core's")
    layers = _layers(policy, seen, shape.in_frac)
    for number, (layer, w_frac, b_frac) in enumerate(zip(layers, shape.weight_fracs, shape.bias_fracs, strict=True), 1):
        for name, values, frac, width in (
            ("weights", layer.weights, w_frac, shape.weight_width),
            ("biases", layer.bias, b_frac, BIAS_BITS),
        ):
            # Calibration itself may limit weights to a quarter of the largest.
            room = 2.0 ** (width - 1 - frac) * (4 if name == "weights" else 1)
            largest = float(np.abs(values).max())
            if largest > room:
                raise UserError(f"the {name} of layer {number} reach {largest:.3g}, the core's format {room:.3g}")
    return Quantised(policy, seen, _integers(layers, shape))


def _settled(
    kinds: tuple[str, ...], in_frac: int, weight_fracs: list[int], act_fracs: list[int], unit_frac: int
) -> tuple[int, list[int], list[int]]:
    """Fractions of units, results and sums, lowered until nothing has more of them than what it is made of."""
    while True:
        sums = [w + a for w, a in zip(weight_fracs, (in_frac, *act_fracs[:-1]), strict=True)]
        coarse = next(
            (n for n, (s, kind) in enumerate(zip(sums, kinds, strict=True)) if s < 0 and kind in TABLES), None
        )
        if coarse is not None:  # a unit takes no less than whole numbers: weights of 3 or 4 bits are limited instead
            weight_fracs[coarse] -= sums[coarse]
            continue
        unit = min([unit_frac, *(s for s, kind in zip(sums, kinds, strict=True) if kind in TABLES)])
        tables = {"tanh": 16, "sigmoid": 16, "elu": unit, "silu": unit}
        most = [tables.get(kind, frac) for kind, frac in zip(kinds, sums, strict=True)]
        acts = [min(a, m) for a, m in zip(act_fracs, most, strict=True)]
        if (unit, acts) == (unit_frac, act_fracs):
            return unit, acts, sums
        unit_frac, act_fracs = unit, acts


@dataclass(frozen=True)
class LayerError:
    """How far a layer's integers are from float64 over the observations: greatest and root mean square."""

    layer: int
    largest: float
    rms: float
    span: float  # the greatest number that float64 gives


def errors(found: Quantised, observations: np.ndarray) -> list[LayerError]:
    """Error of each layer against the policy in float64, over observations [batch, inputs]."""
    model, shape = MlpModel(found.weights), found.shape
    exact = np.atleast_2d(np.asarray(observations, dtype=np.float64))
    x = found.observations.integers(observations)
    if found.policy.normaliser is not None:
        exact = found.policy.normaliser.forward(exact)
    report = []
    for number, (layer, frac) in enumerate(zip(found.policy.layers, shape.act_fracs, strict=True)):
        exact, x = layer.forward(exact), model.layer(number, x)
        difference = np.abs(np.ldexp(x.astype(np.float64), -frac) - exact)
        rms = float(np.sqrt((difference**2).mean()))
        report.append(LayerError(number + 1, float(difference.max()), rms, float(np.abs(exact).max())))
    return report
