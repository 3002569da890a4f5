"""A chain of simple steps, as a graph of operators gives them, put together to layers, a normaliser and a head."""

from dataclasses import dataclass

import numpy as np

from rlcores.deploy.network import Head, Layer, LayerNorm, Normaliser, Policy
from rlcores.errors import UserError


@dataclass(frozen=True, eq=False)
class Full:
    """weights · x + bias; weights are [outputs, inputs]."""

    weights: np.ndarray
    bias: np.ndarray


@dataclass(frozen=True, eq=False)
class Each:
    """scale · x + offset per element; both of shape [] or [n]."""

    scale: np.ndarray
    offset: np.ndarray


@dataclass(frozen=True, eq=False)
class Clip:
    """Limits per element, of shape [] or [n]."""

    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True, eq=False)
class Act:
    """An activation by its name in the descriptor."""

    name: str
    slope: float = 1.0


@dataclass(frozen=True, eq=False)
class Norm:
    """Layer normalisation."""

    norm: LayerNorm


@dataclass(frozen=True, eq=False)
class Pick:
    """Some of the elements, by index."""

    index: np.ndarray


@dataclass(frozen=True, eq=False)
class Softmax:
    """Softmax or its logarithm: they keep the order, so an argmax behind them does not change."""


@dataclass(frozen=True, eq=False)
class Argmax:
    """The index of the greatest element."""


Step = Full | Each | Clip | Act | Norm | Pick | Softmax | Argmax


def _spread(values: np.ndarray, count: int) -> np.ndarray:
    flat = np.asarray(values, dtype=np.float64)
    if flat.size == 1:
        return np.full(count, float(flat.ravel()[0]))
    if flat.size != count:
        raise UserError(f"{flat.size} constants meet a vector of {count}")
    return flat.reshape(count)


class _Builder:
    """Takes the steps in order; `scale` and `offset` wait for the next layer, or for the head."""

    def __init__(self, inputs: int) -> None:
        self.width = inputs
        self.layers: list[Layer] = []
        self.activated = True  # nothing linear is open
        self.scale, self.offset = np.ones(inputs), np.zeros(inputs)
        self.normaliser: Normaliser | None = None
        self.low, self.high = np.full(inputs, -np.inf), np.full(inputs, np.inf)
        self.clipped = False
        self.softmax = self.argmax = False

    def take(self, step: Step) -> None:
        if self.argmax or (self.softmax and not isinstance(step, Argmax | Softmax)):
            raise UserError("an operator stands behind ArgMax, or behind a Softmax that no ArgMax follows")
        match step:
            case Full():
                self._full(step)
            case Each():
                self._each(step)
            case Clip():
                self._clip(step)
            case Act():
                self._act(step)
            case Norm():
                self._norm(step)
            case Pick():
                self._pick(step)
            case Softmax():
                self.softmax = True
            case Argmax():
                self.argmax = True

    def _full(self, step: Full) -> None:
        if step.weights.ndim != 2 or step.weights.shape[1] != self.width:
            raise UserError(f"a layer with weights of shape {list(step.weights.shape)} gets {self.width} numbers")
        if self.clipped and self.layers:
            raise UserError("Clip between two layers is not imported")
        if self.clipped or not self.layers:
            self._close_normaliser()
        Layer(step.weights, step.bias)  # before products are made of it
        weights, bias = step.weights * self.scale, step.bias + step.weights @ self.offset
        if self.layers and not self.activated:  # two linear layers in a row are one
            below = self.layers.pop()
            weights, bias = weights @ below.weights, bias + weights @ below.bias
        self.layers.append(Layer(weights, bias))
        self.activated = False
        self._open(weights.shape[0])

    def _close_normaliser(self) -> None:
        """What stood before the first layer: with limits it is a normaliser, without it becomes part of the layer."""
        if self.clipped:
            return
        if (self.scale <= 0).any():
            return
        trivial = (self.scale == 1).all() and (self.offset == 0).all()
        if not trivial:
            endless = np.full(self.width, np.inf)
            self.normaliser = Normaliser(-self.offset / self.scale, self.scale, -endless, endless)
            self.scale, self.offset = np.ones(self.width), np.zeros(self.width)

    def _open(self, width: int) -> None:
        self.width = width
        self.scale, self.offset = np.ones(width), np.zeros(width)
        self.low, self.high, self.clipped = np.full(width, -np.inf), np.full(width, np.inf), False

    def _each(self, step: Each) -> None:
        scale, offset = _spread(step.scale, self.width), _spread(step.offset, self.width)
        if self.clipped and self.layers:
            if (scale <= 0).any():
                raise UserError("a factor of the actions is not greater than 0")
            self.low, self.high = self.low * scale + offset, self.high * scale + offset
        self.scale, self.offset = self.scale * scale, self.offset * scale + offset

    def _clip(self, step: Clip) -> None:
        low, high = _spread(step.low, self.width), _spread(step.high, self.width)
        if not self.layers:
            if self.normaliser is not None or (self.scale <= 0).any():
                raise UserError("Clip stands twice before the first layer")
            self.normaliser = Normaliser(-self.offset / self.scale, self.scale, low, high)
            self._open(self.width)
            self.clipped = True
            return
        if self.clipped:
            low, high = np.maximum(low, self.low), np.minimum(high, self.high)
        self.low, self.high, self.clipped = low, high, True

    def _linear(self, name: str) -> Layer:
        """The open layer with what waits; it must be linear up to here."""
        if not self.layers or self.activated or self.clipped:
            raise UserError(f"{name} stands where no linear layer is before it, which is not imported")
        below = self.layers.pop()
        layer = Layer(below.weights * self.scale[:, None], below.bias * self.scale + self.offset)
        self._open(self.width)
        return layer

    def _act(self, step: Act) -> None:
        if self.layers and self.layers[-1].norm is not None and not self.activated and self._idle():
            below = self.layers.pop()
            self.layers.append(Layer(below.weights, below.bias, step.name, step.slope, below.norm))
        else:
            below = self._linear(step.name)
            self.layers.append(Layer(below.weights, below.bias, step.name, step.slope))
        self.activated = True

    def _idle(self) -> bool:
        return bool((self.scale == 1).all() and (self.offset == 0).all() and not self.clipped)

    def _norm(self, step: Norm) -> None:
        below = self._linear("LayerNormalization")
        if below.norm is not None:
            raise UserError("two layer normalisations in a row are not imported")
        gain, offset = _spread(step.norm.gain, self.width), _spread(step.norm.offset, self.width)
        self.layers.append(Layer(below.weights, below.bias, norm=LayerNorm(gain, offset, step.norm.epsilon)))

    def _pick(self, step: Pick) -> None:
        if not self.layers or self.layers[-1].norm is not None:
            raise UserError("Slice or Split stands before the first layer or behind a normalisation")
        if step.index.size == 0 or step.index.min() < 0 or step.index.max() >= self.width:
            raise UserError("Slice or Split takes elements that are not there")
        below, at = self.layers.pop(), step.index
        self.layers.append(Layer(below.weights[at], below.bias[at], below.activation, below.slope))
        self.scale, self.offset = self.scale[at], self.offset[at]
        self.low, self.high, self.width = self.low[at], self.high[at], at.size

    def policy(self, head: str | None, source: str) -> Policy:
        if not self.layers:
            raise UserError("the graph has no layer with weights")
        if self.argmax or head == "argmax":
            if self.clipped or not (self.scale == self.scale[0]).all() or self.scale[0] <= 0 or self.offset.any():
                raise UserError("the outputs before ArgMax are scaled or clipped one by one, which is not imported")
            return Policy(tuple(self.layers), Head("argmax"), self.normaliser, source)
        if self.softmax:
            raise UserError("Softmax without ArgMax is not imported; give --head argmax for the greatest output")
        if not self.activated and self.layers[-1].norm is None:  # linear: factors become part of the weights
            below = self.layers.pop()
            self.layers.append(Layer(below.weights * self.scale[:, None], below.bias * self.scale + self.offset))
            self.scale, self.offset = np.ones(self.width), np.zeros(self.width)
        scaled_head = Head("continuous", self.scale, self.offset, self.low, self.high)
        return Policy(tuple(self.layers), scaled_head, self.normaliser, source)


def policy(steps: list[Step], head: str | None, source: str) -> Policy:
    """The policy that a chain of steps computes.

    head: `argmax` makes an index of the outputs; None takes what the steps say. Raises UserError if the steps do not
    make a multilayer perceptron with a normaliser before it and factors and limits behind it.

    >>> steps = [Full(np.eye(2), np.zeros(2)), Act("tanh"), Each(np.array(2.0), np.array(0.0))]
    >>> policy(steps, None, "example").act(np.array([[0.0, 9.0]])).round(3).tolist()
    [[0.0, 2.0]]
    """
    first = next((step for step in steps if isinstance(step, Full)), None)
    if first is None or first.weights.ndim != 2:
        raise UserError("the graph has no layer with weights")
    builder = _Builder(first.weights.shape[1])
    for step in steps:
        builder.take(step)
    return builder.policy(head, source)
