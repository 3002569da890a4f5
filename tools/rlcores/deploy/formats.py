"""Integer formats of a policy by calibration: fractions follow the numbers that observations bring up.

A fraction is chosen among the one that holds the largest number and the next two, which limit it but round finer:
whichever has the least squared error. Nobody types a fraction.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rlcores.base.arguments import choice
from rlcores.base.limits import NEURONS
from rlcores.cores.mlp import norm as norms
from rlcores.cores.mlp.activations import MOST_SLOPE, SLOPED, TABLES
from rlcores.cores.mlp.model import MlpModel, Weights
from rlcores.cores.mlp.native import NativeMlp
from rlcores.cores.mlp.norm import Norm
from rlcores.cores.mlp.shape import BIAS_BITS, LEAST_BITS, MOST_BITS, MOST_LAYERS, OUT_WIDTH, MlpShape
from rlcores.deploy.network import Layer, LayerNorm, Policy
from rlcores.errors import UserError

_REACH = {"tanh": 8.0, "sigmoid": 16.0}  # beyond it the activation is flat


@dataclass(frozen=True)
class Observations:
    """How observations become integers: limit(round(x · 2^frac) - offset, low, high), all int64 [inputs]."""

    fracs: np.ndarray
    offsets: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def integers(self, observations: np.ndarray) -> np.ndarray:
        """Integers of observations [batch, inputs]; rounded half up, clipped."""
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
    if len(policy.layers) > MOST_LAYERS or max(policy.sizes) > NEURONS:
        sizes = "-".join(map(str, policy.sizes))
        raise UserError(f"the network {sizes} is too large: {MOST_LAYERS} layers of {NEURONS} neurons fit")
    for number, layer in enumerate(policy.layers, 1):
        name, most = ("alpha", 2) if layer.activation == "elu" else ("slope", 1)
        if kind(layer) in SLOPED and not 0 <= layer.slope < most:
            raise UserError(f"layer {number} has the {name} {layer.slope:g}; the core has 0 to below {most}")
        if layer.norm is not None and len(layer.bias) < 2:
            raise UserError(f"layer {number} normalises one number, which is always 0")


def kind(layer: Layer) -> str:
    """A layer's activation as the core names it."""
    return "scaled_elu" if layer.activation == "elu" and layer.slope != 1 else layer.activation


def slope(layer: Layer) -> int:
    """A layer's slope or alpha in the core's units; 0 where its activation has none."""
    return min(round(layer.slope * 65536), MOST_SLOPE[kind(layer)]) if kind(layer) in SLOPED else 0


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
    return replace(layer, weights=weights, bias=layer.bias + layer.weights @ moved)


def centred(layer: Layer) -> Layer:
    """The same layer; if it is normalised, its sums have the mean 0, which normalisation takes from them anyway."""
    if layer.norm is None:
        return layer
    return replace(layer, weights=layer.weights - layer.weights.mean(axis=0), bias=layer.bias - layer.bias.mean())


@dataclass(frozen=True)
class Quantised:
    """A policy in integers."""

    policy: Policy
    observations: Observations
    weights: Weights

    @property
    def shape(self) -> MlpShape:
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

    def outputs(self, observations: np.ndarray) -> np.ndarray:
        """Integers of the last layer, int64 [batch, outputs], of observations [batch, inputs]."""
        return MlpModel(self.weights).outputs(self.observations.integers(observations))

    def actions(self, answers: np.ndarray) -> np.ndarray:
        """Actions from the core's answers, int64 [batch, 1] or [batch, outputs]."""
        if self.shape.argmax:
            return answers[:, 0]
        return self.policy.head.act(np.ldexp(answers.astype(np.float64), -self.shape.act_fracs[-1]))


def folded(policy: Policy, seen: Observations, in_frac: int) -> list[Layer]:
    """The layers as the core computes them: from an observation's integers, and centred."""
    return [centred(layer) for layer in (first_layer(policy, seen, in_frac), *policy.layers[1:])]


def _integers(layers: list[Layer], shape: MlpShape) -> Weights:
    """Weights and biases in a shape's formats; weights may be clipped by a format that calibration chose."""
    weights, biases = [], []
    for layer, w_frac, b_frac, width in zip(
        layers, shape.weight_fracs, shape.bias_fracs, shape.weight_widths, strict=True
    ):
        top = (1 << (width - 1)) - 1
        scaled = np.floor(np.ldexp(layer.weights, w_frac) + 0.5)
        weights.append(np.clip(scaled, -top - 1, top).astype(np.int64))
        biases.append(np.floor(np.ldexp(layer.bias, b_frac) + 0.5).astype(np.int64))
    factors = tuple(
        None if norm is None else _factors(layer, norm) for layer, norm in zip(layers, shape.norms, strict=True)
    )
    return Weights(shape, tuple(weights), tuple(biases), factors)


def _gains(norm: LayerNorm) -> np.ndarray:
    """Gains with the factor of the mean square, which the core sums up without dividing."""
    return norm.gain * math.sqrt(norm.gain.size)


def _factors(layer: Layer, norm: Norm) -> np.ndarray:
    """Gains and offsets as the core takes them, int64 [outputs, 2]; clipped."""
    columns = (np.ldexp(_gains(layer.norm), norm.gain_frac), np.ldexp(layer.norm.offset, norm.offset_frac))
    top = 1 << (norms.WIDTH - 1)
    return np.clip(np.floor(np.stack(columns, axis=1) + 0.5), -top, top - 1).astype(np.int64)


def _norm(layer: Layer, reach: float, sum_frac: int) -> Norm | None:
    """Formats of a layer's normalisation. reach: the largest of its sums before it; sum_frac: their fraction bits."""
    if layer.norm is None:
        return None
    count, epsilon = layer.norm.gain.size, layer.norm.epsilon
    frac = max(0, min(sum_frac, holding(reach * 2, OUT_WIDTH)))
    while frac and count * epsilon * 4.0**frac > norms.MOST_EPSILON:
        frac -= 1
    whole = min(max(1, round(count * epsilon * 4.0**frac)), norms.MOST_EPSILON)
    gain_frac = max(0, min(16, holding(float(np.abs(_gains(layer.norm)).max()), norms.WIDTH)))
    largest = float(np.abs(layer.norm.offset).max())
    offset_frac = min(holding(largest, norms.WIDTH), norms.FRAC + gain_frac)
    # Offsets far greater than gains: gains become coarser, so that both meet in one sum.
    gain_frac = max(0, min(gain_frac, offset_frac + norms.MOST_OFFSET_SHIFT - norms.FRAC))
    return Norm(whole, frac, gain_frac, min(offset_frac, norms.FRAC + gain_frac))


def per_layer(name: str, widths: int | Sequence[int], layers: int) -> tuple[int, ...]:
    """Bits of each layer, of one number or of one per layer. Raises UserError if there are more or fewer."""
    bits = (widths,) * layers if isinstance(widths, int) else tuple(widths)
    if len(bits) != layers or not all(LEAST_BITS <= width <= MOST_BITS for width in bits):
        text = ", ".join(map(str, bits))
        raise UserError(
            f"{name} is {text}; give {LEAST_BITS} to {MOST_BITS}, one for all or one for each of {layers} layers"
        )
    return bits


def quantise(
    policy: Policy,
    observations: np.ndarray,
    *,
    weight_width: int | Sequence[int] = 8,
    act_width: int | Sequence[int] = 8,
    rows: int = 1,
    cols: int = 1,
    acts: int = 1,
    multiplier: str = "one",
) -> Quantised:
    """A policy in integers of these widths, with formats that follow from observations [batch, inputs].

    weight_width: of each layer's weights; act_width: of what each layer takes; one number stands for all layers. rows,
    cols, acts, multiplier: of the array, which change no number. Raises UserError if the core cannot compute the
    policy, or for widths outside 3 to 18.
    """
    check(policy)
    weight_widths = per_layer("weight_width", weight_width, len(policy.layers))
    act_widths = per_layer("act_width", act_width, len(policy.layers))
    in_frac = act_widths[0] - 1
    seen = observed(policy, observations, act_widths[0])
    layers = folded(policy, seen, in_frac)
    weight_fracs = [best(layer.weights, width, 30) for layer, width in zip(layers, weight_widths, strict=True)]
    x = np.ldexp(seen.integers(observations).astype(np.float64), -in_frac)
    reach, before, results = [], [], []
    for layer in layers:
        before.append(float(np.abs(x @ layer.weights.T + layer.bias).max()))
        reach.append(float(np.abs(layer.sums(x)).max()))
        x = layer.forward(x)
        results.append(x)
    kinds = tuple(kind(layer) for layer in layers)
    needed = [min(r, _REACH.get(k, r)) for r, k in zip(reach, kinds, strict=True) if k in TABLES]
    unit_frac = max(0, min([14, *(holding(r * 1.25, 18) for r in needed)]))
    act_fracs: list[int] = []
    normalised: list[Norm | None] = []
    for number, (kind_of, result, w_frac) in enumerate(zip(kinds, results, weight_fracs, strict=True)):
        sum_frac = w_frac + (act_fracs[-1] if act_fracs else in_frac)
        normalised.append(_norm(layers[number], before[number], sum_frac))
        norm = normalised[-1]
        most = 16 if kind_of in ("tanh", "sigmoid") else unit_frac if kind_of in TABLES else sum_frac
        if norm is not None and kind_of not in TABLES:
            most = norm.out_frac
        if number == len(layers) - 1:
            act_fracs.append(min(most, holding(float(np.abs(result).max()) * 2, OUT_WIDTH)))
        else:
            act_fracs.append(best(result, act_widths[number + 1], most))
    unit_frac, act_fracs, sum_fracs = _settled(kinds, normalised, in_frac, weight_fracs, act_fracs, unit_frac)
    settled = tuple(_norm(*of) for of in zip(layers, before, sum_fracs, strict=True))
    bias_fracs = [
        min(frac, holding(float(np.abs(layer.bias).max()) * 2, BIAS_BITS))
        for frac, layer in zip(sum_fracs, layers, strict=True)
    ]
    try:
        shape = MlpShape(
            policy.sizes, kinds, in_frac, tuple(act_fracs), tuple(weight_fracs), tuple(bias_fracs), unit_frac,
            weight_widths, act_widths, rows, cols, acts, policy.head.kind == "argmax",
            tuple(slope(layer) for layer in layers), settled, multiplier,
        )  # fmt: skip
    except ValueError as error:
        raise UserError(str(error)) from error
    return Quantised(policy, seen, _integers(layers, shape))


def rounded(quantised: Quantised, layers: list[Layer]) -> Quantised:
    """The same formats with the weights and biases of these layers, which stand for `folded` ones."""
    return replace(quantised, weights=_integers([centred(layer) for layer in layers], quantised.shape))


def refit(policy: Policy, shape: MlpShape, seen: Observations) -> Quantised:
    """Another policy in the formats of a core that exists. Raises UserError if it does not fit, and says what."""
    check(policy)
    kinds = tuple(kind(layer) for layer in policy.layers)
    if policy.sizes != shape.sizes or kinds != shape.kinds or (policy.head.kind == "argmax") != shape.argmax:
        offered, there = ("-".join(map(str, sizes)) for sizes in (policy.sizes, shape.sizes))
        raise UserError(
            f"the policy is {offered} ({', '.join(kinds)}, {policy.head.kind}); "
            f"the core takes {there} ({', '.join(shape.kinds)}, {'argmax' if shape.argmax else 'continuous'})"
        )
    for number, (layer, norm) in enumerate(zip(policy.layers, shape.norms, strict=True), 1):
        if slope(layer) != shape.slopes[number - 1]:
            raise UserError(f"layer {number} of the policy has another slope or alpha than the core's")
        if (layer.norm is None) != (norm is None):
            raise UserError(f"layer {number} is normalised in the policy or in the core, but not in both")
        if norm is not None and layer.norm is not None:
            whole = max(1, round(layer.norm.gain.size * layer.norm.epsilon * 4.0**norm.frac))
            if whole != norm.epsilon:
                raise UserError(f"the normalisation of layer {number} has another epsilon than the core's")
    layers = folded(policy, seen, shape.in_frac)
    for number, layer in enumerate(layers, 1):
        checked = [
            ("weights", layer.weights, shape.weight_fracs[number - 1], shape.weight_widths[number - 1]),
            ("biases", layer.bias, shape.bias_fracs[number - 1], BIAS_BITS),
        ]
        norm = shape.norms[number - 1]
        if norm is not None and layer.norm is not None:
            checked += [
                ("gains", _gains(layer.norm), norm.gain_frac, norms.WIDTH),
                ("offsets", layer.norm.offset, norm.offset_frac, norms.WIDTH),
            ]
        for name, values, frac, width in checked:
            # Calibration itself may limit weights to a quarter of the largest.
            room = 2.0 ** (width - 1 - frac) * (4 if name == "weights" else 1)
            largest = float(np.abs(values).max())
            if largest > room:
                raise UserError(f"the {name} of layer {number} reach {largest:.3g}, the core's format {room:.3g}")
    return Quantised(policy, seen, _integers(layers, shape))


def _settled(
    kinds: tuple[str, ...],
    normalised: list[Norm | None],
    in_frac: int,
    weight_fracs: list[int],
    act_fracs: list[int],
    unit_frac: int,
) -> tuple[int, list[int], list[int]]:
    """Fractions of units, results and sums, lowered until nothing has more of them than what it is made of."""
    while True:
        sums = [w + a for w, a in zip(weight_fracs, (in_frac, *act_fracs[:-1]), strict=True)]
        coarse = next(
            (n for n, s in enumerate(sums) if s < 0 and (kinds[n] in TABLES or normalised[n] is not None)), None
        )
        if (
            coarse is not None
        ):  # units and normalisations take no less than whole numbers: weights of 3 or 4 bits are clipped instead
            weight_fracs[coarse] -= sums[coarse]
            continue
        gives = [s if norm is None else norm.out_frac for s, norm in zip(sums, normalised, strict=True)]
        unit = min([unit_frac, *(g for g, k in zip(gives, kinds, strict=True) if k in TABLES)])
        tables = {"tanh": 16, "sigmoid": 16, "elu": unit, "silu": unit, "scaled_elu": unit}
        most = [tables.get(k, frac) for k, frac in zip(kinds, gives, strict=True)]
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


def errors(quantised: Quantised, observations: np.ndarray) -> list[LayerError]:
    """Error of each layer against the policy in float64, over observations [batch, inputs]."""
    model, shape = MlpModel(quantised.weights), quantised.shape
    exact = np.atleast_2d(np.asarray(observations, dtype=np.float64))
    x = quantised.observations.integers(observations)
    if quantised.policy.normaliser is not None:
        exact = quantised.policy.normaliser.forward(exact)
    report = []
    for number, (layer, frac) in enumerate(zip(quantised.policy.layers, shape.act_fracs, strict=True)):
        exact, x = layer.forward(exact), model.layer(number, x)
        difference = np.abs(np.ldexp(x.astype(np.float64), -frac) - exact)
        rms = float(np.sqrt((difference**2).mean()))
        report.append(LayerError(number + 1, float(difference.max()), rms, float(np.abs(exact).max())))
    return report


def distance(quantised: Quantised, observations: np.ndarray) -> float:
    """How far the integers' actions are from float64: the largest difference over the span of an action's values, or
    the share of indices that differ."""
    exact, actions = quantised.policy.act(observations), quantised.act(observations)
    if quantised.shape.argmax:
        return float((exact != actions).mean())
    span = np.maximum(np.ptp(exact, axis=0), 1e-12)
    return float((np.abs(exact - actions) / span).max())


def fewest(policy: Policy, observations: np.ndarray, error: float) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Bits of each layer's weights and of what each layer takes, few of them, with which `distance` is at most `error`.

    They begin at the least number that does for all layers; then one after the other is lowered as far as it goes, the
    weights of the largest layer first. Raises UserError if 18 bits are not enough.
    """
    layers = len(policy.layers)

    def far(widths: list[int]) -> float:
        options = {"weight_width": widths[:layers], "act_width": widths[layers:]}
        return distance(quantise(policy, observations, **options), observations)

    for bits in range(LEAST_BITS, MOST_BITS + 1):
        widths = [bits] * (2 * layers)
        least = far(widths)
        if least <= error:
            break
    else:
        raise UserError(f"with {MOST_BITS} bits the actions are {least:.2g} from float64, and {error:g} is allowed")
    order = sorted(range(layers), key=lambda n: -policy.layers[n].weights.size)
    for place in [*order, *(layers + n for n in order)]:
        while widths[place] > LEAST_BITS:
            tried = [*widths]
            tried[place] -= 1
            if far(tried) > error:
                break
            widths = tried
    return tuple(widths[:layers]), tuple(widths[layers:])
