"""The learner's numbers: fractions of every tensor, registers, transitions, and real numbers turned into integers.

sfix(W, F) is a signed integer of W bits that stands for integer / 2**F. Weights are sfix(27, 22), activations and
deltas sfix(18, a fraction per layer), values and temporal differences sfix(27, that of the output layer).
Vectors of fractions count neuron layers from 0 (the input) to M (the output).
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from rlcores.base.arguments import held, ranged
from rlcores.cores.learner.loss_settings import FACTOR_FRAC as FACTOR_FRAC
from rlcores.cores.learner.loss_settings import FACTOR_ONE as FACTOR_ONE
from rlcores.cores.learner.loss_settings import LossRegisters
from rlcores.cores.learner.words import NETWORKS

WEIGHT_WIDTH, WEIGHT_FRAC = 27, 22
ACT_WIDTH = 18  # activations, deltas, actions
GRADIENT_WIDTH = 27
VALUE_WIDTH = 27  # Q and TD errors
REWARD_WIDTH, REWARD_FRAC = 27, 16  # rewards as they come in a record
ACTOR_FRAC = 14  # of the actor's output before tanh, sfix(18, 14)
TANH_FRAC = 16  # of an action, sfix(18, 16)
POLYAK_FRAC = 9  # fraction bits that a target weight has beyond a weight, where averaging is built in
ACC_WIDTH = 48  # of the accumulators, which wrap
WIDE_SUM = 50  # bits of the gradient's, where a batch may be longer than limits.NARROW_BATCH
SHIFT_MAX = 47


@dataclass(frozen=True)
class LearnerFormats:
    """Fractions of one network of M weight layers. Raises ValueError where the core has no such shift.

    act_frac[l], l = 0..M: of the input, the hidden layers and the output (Q, or the actor before tanh: always 14).
    delta_frac[l], grad_frac[l], l = 1..M: of d loss/d sum of layer l, and of the gradient of its weights, summed over
    the batch; index 0 is unused and 0.
    """

    act_frac: tuple[int, ...]
    delta_frac: tuple[int, ...]
    grad_frac: tuple[int, ...]

    @classmethod
    def default(cls, layers: int, actor: bool = False) -> "LearnerFormats":
        """A start for `layers` weight layers: inputs and hidden layers to +-32, Q to +-1024, gradients to +-256."""
        output = ACTOR_FRAC if actor else 16
        return cls((12,) * layers + (output,), (0,) + (16,) * layers, (0,) + (18,) * layers)

    @property
    def layers(self) -> int:
        """M, the number of weight layers."""
        return len(self.act_frac) - 1

    def __post_init__(self) -> None:
        for name, limit in (("act_frac", 31), ("delta_frac", 31), ("grad_frac", SHIFT_MAX)):
            fractions = tuple(int(f) for f in getattr(self, name))
            object.__setattr__(self, name, fractions)
            if len(fractions) != self.layers + 1:
                raise ValueError(f"{name} has {len(fractions)} fractions; act_frac has {len(self.act_frac)}")
            for layer, f in enumerate(fractions):
                if not 0 <= f <= limit:
                    raise ValueError(f"{name}[{layer}] is {f}; it must be 0 to {limit}")
        if not 1 <= self.layers <= 4:
            raise ValueError(f"the network has {self.layers} weight layers; the core has 1 to 4")
        for layer in range(1, self.layers + 1):
            _check_shift(f"forward layer {layer}", self.forward_shift(layer))
            _check_shift(f"gradient of layer {layer}", self.gradient_shift(layer))
            if layer > 1:
                _check_shift(f"backward layer {layer}", self.backward_shift(layer))
        if not 0 <= self.delta_shift <= SHIFT_MAX:
            most = FACTOR_FRAC + self.act_frac[-1]
            raise ValueError(
                f"the output has fraction {self.act_frac[-1]} and its delta {self.delta_frac[-1]}; "
                f"the delta's is {max(0, most - SHIFT_MAX)} to {min(31, most)}"
            )

    def forward_shift(self, layer: int) -> int:
        """Bits that forward layer 1..M drops."""
        return WEIGHT_FRAC + self.act_frac[layer - 1] - self.act_frac[layer]

    def backward_shift(self, layer: int) -> int:
        """Bits that backward layer 2..M drops on its way to layer - 1."""
        return WEIGHT_FRAC + self.delta_frac[layer] - self.delta_frac[layer - 1]

    def gradient_shift(self, layer: int) -> int:
        """Bits that the gradient of layer 1..M drops."""
        return self.delta_frac[layer] + self.act_frac[layer - 1] - self.grad_frac[layer]

    @property
    def delta_shift(self) -> int:
        """Bits that TD error * importance weight drops."""
        return FACTOR_FRAC + self.act_frac[-1] - self.delta_frac[-1]


@dataclass(frozen=True)
class DdpgFormats:
    """Fractions of DDPG: the critic's, the actor's, and those of the pass that carries dQ/da back through the critic.

    pass_frac[l], l = 0..M of the critic. Raises ValueError where a shift does not exist in the core.
    """

    value: LearnerFormats
    actor: LearnerFormats
    pass_frac: tuple[int, ...]

    @classmethod
    def default(cls, layers: int = 3, actor_layers: int = 3) -> "DdpgFormats":
        """A start; see LearnerFormats.default."""
        return cls(
            LearnerFormats.default(layers), LearnerFormats.default(actor_layers, actor=True), (14,) * (layers + 1)
        )

    def __post_init__(self) -> None:
        value, actor = self.value, self.actor
        object.__setattr__(self, "pass_frac", tuple(int(f) for f in self.pass_frac))
        if len(self.pass_frac) != value.layers + 1:
            raise ValueError(f"pass_frac has {len(self.pass_frac)} fractions; the critic needs {value.layers + 1}")
        for layer, f in enumerate(self.pass_frac):
            if not 0 <= f <= 31:
                raise ValueError(f"pass_frac[{layer}] is {f}; it must be 0 to 31")
            if layer:
                _check_shift(f"pass through the critic's layer {layer}", self.pass_shift(layer))
        if actor.act_frac[0] != value.act_frac[0]:
            raise ValueError(
                f"the input has fraction {value.act_frac[0]} in the critic and {actor.act_frac[0]} in the actor; "
                "it must be the same"
            )
        if value.act_frac[0] > TANH_FRAC:
            raise ValueError(f"the input's fraction is {value.act_frac[0]}; with an actor it is at most {TANH_FRAC}")
        if actor.act_frac[-1] != ACTOR_FRAC:
            raise ValueError(f"the actor's output has fraction {actor.act_frac[-1]}; tanh takes {ACTOR_FRAC}")
        _check_shift("slope of tanh", self.tail_shift)

    def pass_shift(self, layer: int) -> int:
        """Bits that backward layer 1..M of the pass drops."""
        return WEIGHT_FRAC + self.pass_frac[layer] - self.pass_frac[layer - 1]

    @property
    def action_shift(self) -> int:
        """Bits that tanh's result drops to become an input of the critic."""
        return TANH_FRAC - self.value.act_frac[0]

    @property
    def tail_shift(self) -> int:
        """Bits that dQ/da * (1 - a**2) drops."""
        return TANH_FRAC + self.pass_frac[0] - self.actor.delta_frac[-1]


def _check_shift(what: str, shift: int) -> None:
    if not 0 <= shift <= SHIFT_MAX:
        raise ValueError(f"these fractions make the shift of {what} {shift} bits; the core has 0 to {SHIFT_MAX}")


# Bits of every setting that some optimiser has, in the order in which the RTL packs them.
OPTIMISER_SETTINGS = {
    "rate": 18,
    "rate_exp": 6,
    "momentum": 18,
    "log_rate": 20,
    "log_eps": 20,
    "log_clip": 20,
    "decay": 24,
}


def _check_whole(settings: Any) -> None:
    """Raise ValueError where a setting is no whole number, or beyond its register."""
    for field in fields(settings):
        value = getattr(settings, field.name)
        if isinstance(field.default, bool):
            object.__setattr__(settings, field.name, bool(value))
        elif isinstance(field.default, int) and (isinstance(value, bool) or not isinstance(value, int | np.integer)):
            raise ValueError(f"{field.name} is {value}; the register takes a whole number")
    held(settings)


@dataclass(frozen=True)
class NetworkSettings:
    """What each network has of its own of the optimiser's settings; the others are the core's. Raises ValueError.

    rate / 2**rate_exp: learning rate on the gradient's sum over the batch (SGD, momentum). log_rate (Adam): 2048 * log2
    of the bias-corrected rate * 2**22. decay (AdamW): optimisers.adamw.decay_of().
    """

    rate: int = ranged(0, 0, 2**17 - 1)
    rate_exp: int = ranged(0, 0, 63)
    log_rate: int = ranged(0, -(2**19), 2**19 - 1)
    decay: int = ranged(0, 0, 2**24 - 1)

    def __post_init__(self) -> None:
        _check_whole(self)

    def at_rate(self, log_rate: int) -> "NetworkSettings":
        """With Adam's rate of a step, which registers.AdamRate has found within its register."""
        made = object.__new__(NetworkSettings)
        made.__dict__.update(self.__dict__, log_rate=log_rate)
        return made


OF_A_NETWORK = tuple(field.name for field in fields(NetworkSettings))


def equal_networks(**own: int) -> tuple[NetworkSettings, ...]:
    """The same settings for every network."""
    return (NetworkSettings(**own),) * len(NETWORKS)


@dataclass(frozen=True)
class LearnerSettings(LossRegisters):
    """The registers, as integers; learner_registers.settings() makes them from real numbers. Raises ValueError.

    Those of the loss: LossRegisters. networks: in the order of words.NETWORKS; those that a core lacks are not used.
    tau: 17 fraction bits, 0 is a hard copy. momentum: 17 fraction bits. log_eps, log_clip (Adam): 2048 * log2 of the
    least sqrt(v), of the greatest |m| / sqrt(v). pass_delta: dloss/dQ of the actor's step, with the pass's last
    fraction.
    """

    batch: int = ranged(64, 1, 2**16 - 1)
    lag: bool = True
    sync_interval: int = ranged(0, 0, 2**32 - 1)
    tau: int = ranged(0, 0, 2**17 - 1)
    momentum: int = ranged(0, 0, 2**17 - 1)
    # Layers add up to 92160 to it, or take 4096 off, in the same 20 bits.
    log_eps: int = ranged(-(2**17), 4096 - 2**19, 2**19 - 92160 - 1)
    log_clip: int = ranged(3 * 2048, -(2**19), 2**19 - 1)
    networks: tuple[NetworkSettings, ...] = equal_networks()
    pass_delta: int = ranged(-(2**14), -(2**17), 2**17 - 1)
    seed: int = ranged(0, 0, 2**32 - 1)

    def __post_init__(self) -> None:
        if len(self.networks) != len(NETWORKS):
            raise ValueError(
                f"networks has {len(self.networks)} settings; there is one for each of {', '.join(NETWORKS)}"
            )
        object.__setattr__(self, "networks", tuple(self.networks))
        _check_whole(self)

    def at_rates(self, *log_rates: int) -> "LearnerSettings":
        """With Adam's rates of a step, of the first networks, which registers.AdamRate has found within registers."""
        made = object.__new__(LearnerSettings)
        networks = [own.at_rate(rate) for own, rate in zip(self.networks, log_rates, strict=False)]
        made.__dict__.update(self.__dict__, networks=(*networks, *self.networks[len(networks) :]))
        return made


@dataclass
class LearnerBatch:
    """B transitions in real numbers.

    states, next_states (B, N_s); actions (B,) whole numbers for DQN, (B, N_a) in -1..1 for DDPG; rewards (B,);
    terminated (B,) bool; weights (B,) importance weights in 0..1, None: all 1.
    """

    states: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    next_states: np.ndarray
    terminated: np.ndarray
    weights: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.rewards)
