"""One description of a policy, whatever library it comes from: layers, a normaliser before them, a head behind them."""

from dataclasses import dataclass, field, replace

import numpy as np

from rlcores.errors import UserError

MOST_NEURONS = 8192  # of a layer that is imported; the core takes fewer

ACTIVATIONS = ("identity", "relu", "leaky_relu", "tanh", "sigmoid", "elu", "silu")


@dataclass(frozen=True)
class LayerNorm:
    """Layer normalisation of Ba, Kiros and Hinton (2016): (x - mean) / sqrt(var + epsilon) · gain + offset."""

    gain: np.ndarray
    offset: np.ndarray
    epsilon: float = 1e-5


@dataclass(frozen=True)
class Layer:
    """activation(norm(weights · x + bias)).

    weights: float64 [outputs, inputs]. bias: float64 [outputs]. slope: of negative numbers for `leaky_relu`, or the
    limit α of `elu`.
    """

    weights: np.ndarray
    bias: np.ndarray
    activation: str = "identity"
    slope: float = 1.0
    norm: LayerNorm | None = None

    def __post_init__(self) -> None:
        if self.weights.ndim != 2 or self.bias.shape != self.weights.shape[:1] or not self.weights.size:
            raise UserError(
                f"a layer has weights of shape {self.weights.shape} and a bias of shape {self.bias.shape}; "
                "they must be [outputs, inputs] and [outputs]"
            )
        if max(self.weights.shape) > MOST_NEURONS:
            raise UserError(f"a layer has {max(self.weights.shape)} neurons; {MOST_NEURONS} are imported at most")
        if self.activation not in ACTIVATIONS:
            raise UserError(f"the activation '{self.activation}' is not known; known are: {', '.join(ACTIVATIONS)}")
        if not (np.isfinite(self.weights).all() and np.isfinite(self.bias).all() and np.isfinite(self.slope)):
            raise UserError("a weight is not finite")

    def sums(self, x: np.ndarray) -> np.ndarray:
        """What the activation gets, float64 [batch, outputs]."""
        z = x @ self.weights.T + self.bias
        if self.norm is not None:
            centred = z - z.mean(axis=-1, keepdims=True)
            deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self.norm.epsilon)
            z = centred / deviation * self.norm.gain + self.norm.offset
        return z

    def forward(self, x: np.ndarray) -> np.ndarray:
        """Outputs, float64 [batch, outputs], of inputs [batch, inputs]."""
        return activate(self.activation, self.sums(x), self.slope)


def activate(name: str, z: np.ndarray, slope: float = 1.0) -> np.ndarray:
    """An activation in float64. slope: of `leaky_relu`, or α of `elu`.

    >>> activate("relu", np.array([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """
    match name:
        case "identity":
            return z
        case "relu":
            return np.maximum(z, 0)
        case "leaky_relu":
            return np.where(z >= 0, z, z * slope)
        case "tanh":
            return np.tanh(z)
        case "sigmoid":
            return 0.5 + 0.5 * np.tanh(z / 2)
        case "elu":
            return np.where(z >= 0, z, slope * np.expm1(np.minimum(z, 0)))
        case "silu":
            return z * (0.5 + 0.5 * np.tanh(z / 2))
    raise UserError(f"the activation '{name}' is not known; known are: {', '.join(ACTIVATIONS)}")


@dataclass(frozen=True)
class Normaliser:
    """clip((observation - mean) · scale, low, high), each float64 [inputs]; low and high may be infinite."""

    mean: np.ndarray
    scale: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def __post_init__(self) -> None:
        if not (np.isfinite(self.mean).all() and np.isfinite(self.scale).all() and (self.scale > 0).all()):
            raise UserError("the normaliser's mean must be finite and its scale greater than 0")
        if (self.low >= self.high).any() or np.isnan(self.low).any() or np.isnan(self.high).any():
            raise UserError("the normaliser's lower limits must be below its upper ones")

    def forward(self, x: np.ndarray) -> np.ndarray:
        """Normalised observations [batch, inputs]."""
        return np.clip((x - self.mean) * self.scale, self.low, self.high)


@dataclass(frozen=True)
class Head:
    """From the network's outputs to an action.

    kind: `argmax` (the index of the greatest output, the first of equals) or `continuous`: gain · output + offset,
    clipped to low … high. These four are float64 [outputs]; low and high may be infinite.
    """

    kind: str
    gain: np.ndarray = field(default_factory=lambda: np.ones(0))
    offset: np.ndarray = field(default_factory=lambda: np.zeros(0))
    low: np.ndarray = field(default_factory=lambda: np.zeros(0))
    high: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        if self.kind not in ("argmax", "continuous"):
            raise UserError(f"the head '{self.kind}' is not known; known are argmax and continuous")
        if self.kind == "continuous":
            if len({n.shape for n in (self.gain, self.offset, self.low, self.high)}) != 1:
                raise UserError("gain, offset, low and high of the actions have different lengths")
            if not (np.isfinite(self.gain).all() and np.isfinite(self.offset).all() and (self.gain > 0).all()):
                raise UserError("the actions' gains must be finite and greater than 0, and their offsets finite")
            if not (self.low < self.high).all():
                raise UserError("the actions' lower limits must be below the upper ones")

    def act(self, outputs: np.ndarray) -> np.ndarray:
        """Actions: int64 [batch] for `argmax`, else float64 [batch, outputs]."""
        if self.kind == "argmax":
            return outputs.argmax(axis=-1)
        return np.clip(outputs * self.gain + self.offset, self.low, self.high)


def straight(outputs: int) -> Head:
    """A head that passes the outputs on."""
    endless = np.full(outputs, np.inf)
    return Head("continuous", np.ones(outputs), np.zeros(outputs), -endless, endless)


def squashed(low: np.ndarray, high: np.ndarray) -> Head:
    """A head for outputs in -1 … 1, as tanh gives them: they are spread over low … high."""
    return Head("continuous", (high - low) / 2, (high + low) / 2, low, high)


@dataclass(frozen=True)
class Policy:
    """A policy network. source: where it comes from, in words.

    >>> layer = Layer(np.array([[1.0, -1.0], [0.0, 2.0]]), np.zeros(2))
    >>> Policy((layer,), Head("argmax")).act(np.array([[3.0, 1.0]])).tolist()
    [0]
    """

    layers: tuple[Layer, ...]
    head: Head
    normaliser: Normaliser | None = None
    source: str = ""

    def __post_init__(self) -> None:
        if not self.layers:
            raise UserError("the policy has no layers")
        for below, above in zip(self.layers, self.layers[1:], strict=False):
            if below.weights.shape[0] != above.weights.shape[1]:
                raise UserError(
                    f"a layer of {below.weights.shape[0]} outputs stands before one of {above.weights.shape[1]} inputs"
                )
        if self.normaliser is not None and self.normaliser.mean.shape != (self.sizes[0],):
            raise UserError(
                f"the normaliser has {self.normaliser.mean.size} numbers, the network {self.sizes[0]} inputs"
            )
        if self.head.kind == "continuous" and self.head.gain.shape != (self.sizes[-1],):
            raise UserError(f"the head has {self.head.gain.size} actions, the network {self.sizes[-1]} outputs")

    @property
    def sizes(self) -> tuple[int, ...]:
        """Neurons of each layer, the inputs first."""
        return (self.layers[0].weights.shape[1], *(layer.weights.shape[0] for layer in self.layers))

    def outputs(self, observations: np.ndarray) -> np.ndarray:
        """Outputs of the last layer, float64 [batch, outputs], of observations [batch, inputs]."""
        x = np.atleast_2d(np.asarray(observations, dtype=np.float64))
        if x.ndim != 2 or x.shape[1] != self.sizes[0]:
            raise UserError(f"observations must have the shape [batch, {self.sizes[0]}], not {list(x.shape)}")
        if self.normaliser is not None:
            x = self.normaliser.forward(x)
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def act(self, observations: np.ndarray) -> np.ndarray:
        """Actions of the deterministic policy, for observations [batch, inputs]."""
        return self.head.act(self.outputs(observations))

    def with_normaliser(self, normaliser: Normaliser) -> "Policy":
        """The same policy behind a normaliser. Raises UserError if it has one already."""
        if self.normaliser is not None:
            raise UserError("the policy has a normaliser already")
        return replace(self, normaliser=normaliser)
