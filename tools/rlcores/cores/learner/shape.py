"""Learner core, its shape: what the Verilog parameters say of layers, lanes, groups, multipliers and DSP slices.

A network has M weight layers between M + 1 vectors of sizes N_0 to N_M. A vector travels LN elements per clock and
column, so it has words = ceil(N / LN) words. Parameters that describe networks are strings of decimal fields,
"4-64-64-2", of several networks one behind the other: "4-64-64-1:3-64-64-1".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from rlcores.base import limits
from rlcores.cores.learner.format import ACC_WIDTH, WIDE_SUM
from rlcores.cores.learner.optimisers import ALL
from rlcores.cores.learner.words import NETWORKS

LAYERS_MAX = 4  # weight layers

_STRINGS = ("SIZES", "LANES", "FORWARD", "BACKWARD", "UPDATE_ROWS", "UPDATE_COLS")
_LOSS_DSP = 3  # a column
_TAIL_DSP = 4  # a lane and column: tanh and its slope, the target's tanh, and the product of slope and gradient


def fields(text: object) -> tuple[int, ...]:
    """The numbers of "4-64-64-2". Raises ValueError when it is something else."""
    try:
        numbers = tuple(int(part) for part in str(text).split("-"))
    except ValueError:
        numbers = ()
    if not numbers:
        raise ValueError(f"'{text}' is not a list of numbers joined by '-', such as 4-64-64-2")
    return numbers


def ceil_div(value: int, by: int) -> int:
    """value / by, rounded up."""
    return -(-value // by)


@dataclass(frozen=True)
class NetworkShape:
    """One network. Tuples of layers are indexed from 0: forward[0] belongs to weight layer 1."""

    sizes: tuple[int, ...]  # N_0 to N_M
    lanes: tuple[int, ...]  # LN_0 to LN_M
    forward: tuple[int, ...]  # row groups of the forward unit of layers 1 to M
    backward: tuple[int, ...]  # column groups of its backward and gradient units
    update_rows: tuple[int, ...]  # outputs that the weight update takes together
    update_cols: tuple[int, ...]  # inputs that it takes together

    @property
    def layers(self) -> int:
        """Weight layers M."""
        return len(self.sizes) - 1

    @cached_property
    def words(self) -> tuple[int, ...]:
        """Words of the vectors 0 to M."""
        return tuple(ceil_div(n, lanes) for n, lanes in zip(self.sizes, self.lanes, strict=True))

    def forward_macs(self, layer: int) -> int:
        """Multipliers of the forward unit of a layer, in one column."""
        return self.forward[layer - 1] * self.lanes[layer] * self.lanes[layer - 1]

    def backward_macs(self, layer: int) -> int:
        """Multipliers of its backward unit, and of its gradient unit, in one column."""
        return self.backward[layer - 1] * self.lanes[layer - 1] * self.lanes[layer]

    def forward_steps(self, layer: int) -> int:
        """Clocks that its forward unit is busy with a vector."""
        return ceil_div(self.words[layer], self.forward[layer - 1]) * self.words[layer - 1]

    def backward_steps(self, layer: int) -> int:
        """Clocks that its backward unit is busy with a vector; of its gradient unit, where the loop is short."""
        return ceil_div(self.words[layer - 1], self.backward[layer - 1]) * self.words[layer]

    def update_lanes(self, layer: int) -> int:
        """Weights of a layer that are updated in a clock."""
        return self.update_rows[layer - 1] * self.update_cols[layer - 1]

    def weight_groups(self, layer: int) -> int:
        """Groups of weights that the update of a layer goes through."""
        rows = self.words[layer] * (self.lanes[layer] // self.update_rows[layer - 1])
        return rows * self.words[layer - 1] * (self.lanes[layer - 1] // self.update_cols[layer - 1])

    def bias_groups(self, layer: int) -> int:
        """Groups of biases, which follow."""
        return self.words[layer] * (self.lanes[layer] // self.update_rows[layer - 1])

    def check(self, name: str) -> None:
        """Raises ValueError when the core does not elaborate with it. name: what errors call it, in front."""
        if not 1 <= self.layers <= LAYERS_MAX:
            raise ValueError(f"{name}SIZES has {self.layers} weight layers; allowed are 1 to {LAYERS_MAX}")
        if not all(1 <= n <= limits.NEURONS for n in self.sizes):
            sizes = "-".join(map(str, self.sizes))
            raise ValueError(f"{name}SIZES is {sizes}; a layer has 1 to {limits.NEURONS} neurons")
        if len(self.lanes) != len(self.sizes):
            raise ValueError(f"{name}LANES has {len(self.lanes)} numbers; {name}SIZES has {len(self.sizes)}")
        for what in ("forward", "backward", "update_rows", "update_cols"):
            count = len(getattr(self, what))
            if count != self.layers:
                raise ValueError(f"{name}{what.upper()} has {count} numbers; there are {self.layers} weight layers")
        for layer in range(1, self.layers + 1):
            words = self.words[layer - 1 : layer + 1]
            for what in ("forward", "backward"):
                groups = getattr(self, what)[layer - 1]
                # A unit gives out a word a clock at most, and more groups than words have nothing to do.
                if not 1 <= groups <= min(words):
                    raise ValueError(
                        f"{name}{what.upper()} is {groups} in layer {layer}; it must be 1 to {min(words)}, because "
                        f"inputs are {words[0]} words and outputs {words[1]}"
                    )
            for what, lanes in (("update_rows", self.lanes[layer]), ("update_cols", self.lanes[layer - 1])):
                if lanes % getattr(self, what)[layer - 1]:
                    raise ValueError(
                        f"{name}{what.upper()} is {getattr(self, what)[layer - 1]} in layer {layer}; it must divide "
                        f"the {lanes} lanes"
                    )


@dataclass(frozen=True)
class LearnerShape:
    """What a set of parameters describes. Without an actor the learner is a DQN's."""

    value: NetworkShape
    actor: NetworkShape | None
    columns: int  # DP
    batch_max: int
    optimiser: int
    rounding: int
    polyak: bool
    records: int  # batch slices that the input holds

    @classmethod
    def of(cls, parameters: Mapping[str, int | str]) -> "LearnerShape":
        """The shape of Verilog parameters by name. Raises ValueError when it cannot be built."""
        nets = networks(parameters)
        if len(nets) > len(NETWORKS):
            raise ValueError(f"SIZES has {len(nets)} networks; a learner has {len(NETWORKS)} at most")
        shape = cls(
            nets[0],
            nets[1] if len(nets) > 1 else None,
            int(parameters["DP"]),
            int(parameters["BATCH_MAX"]),
            int(parameters["OPTIMISER"]),
            int(parameters["ROUND"]),
            bool(int(parameters["POLYAK"])),
            int(parameters["RECORDS"]),
        )
        shape.check()
        return shape

    def check(self) -> None:
        """Raises ValueError when the core does not elaborate with it."""
        self.value.check("")
        if not 1 <= self.batch_max <= limits.BATCH:
            raise ValueError(f"BATCH_MAX is {self.batch_max}; it must be 1 to {limits.BATCH}")
        if self.actor is None:
            return
        self.actor.check("the actor's ")
        lanes = self.value.lanes[0]
        if (self.actor.lanes[0], self.actor.lanes[-1]) != (lanes, lanes):
            raise ValueError(f"the actor's LANES begin and end with the {lanes} lanes of the value network's input")
        wanted = lanes * self.actor.words[0] + self.actor.sizes[-1]
        if self.value.sizes[0] != wanted:
            raise ValueError(f"SIZES begins with {self.value.sizes[0]}; the state's words and the action make {wanted}")
        if self.value.layers < 2:
            raise ValueError("SIZES has one weight layer; a critic needs a hidden layer")
        if self.value.sizes[-1] != 1:
            raise ValueError(f"SIZES ends with {self.value.sizes[-1]}; a critic has one value")

    @property
    def networks(self) -> tuple[NetworkShape, ...]:
        """Its networks in the order of their numbers: words.NETWORKS."""
        return (self.value,) if self.actor is None else (self.value, self.actor)

    @property
    def sum_width(self) -> int:
        """Bits of a gradient's sum over a batch."""
        return WIDE_SUM if self.batch_max > limits.NARROW_BATCH else ACC_WIDTH

    @property
    def state_size(self) -> int:
        """Numbers of a state."""
        return self.value.sizes[0] if self.actor is None else self.actor.sizes[0]

    @property
    def state_words(self) -> int:
        """Beats of a state."""
        return ceil_div(self.state_size, self.value.lanes[0])

    @property
    def action_size(self) -> int:
        """Numbers of a continuous action; 0 where actions are discrete."""
        return 0 if self.actor is None else self.actor.sizes[-1]

    @property
    def action_words(self) -> int:
        """Beats of a continuous action."""
        return ceil_div(self.action_size, self.value.lanes[0])

    @property
    def record_beats(self) -> int:
        """Beats of a record: three words of information, state, action, next state; each in whole beats."""
        return ceil_div(3, self.value.lanes[0]) + 2 * self.state_words + self.action_words

    def batch_slices(self, batch: int) -> int:
        """Batch slices of a batch: DP records, one a column, go through together."""
        return ceil_div(batch, self.columns)

    @cached_property
    def macs(self) -> dict[str, int]:
        """Multipliers of every tensor unit, by the unit's name."""
        macs: dict[str, int] = {}
        for suffix, net in (("", self.value), ("a", self.actor)):
            if net is None:
                continue
            for kind in ("FW", "TFW"):
                macs |= {f"{kind}{suffix}{n}": net.forward_macs(n) for n in range(1, net.layers + 1)}
            macs |= {f"BW{suffix}{n}": net.backward_macs(n) for n in range(2, net.layers + 1)}
            macs |= {f"WA{suffix}{n}": net.backward_macs(n) for n in range(1, net.layers + 1)}
        if self.actor is not None:
            macs |= {f"FWq{n}": self.value.forward_macs(n) for n in range(1, self.value.layers)}
            macs |= {f"BWq{n}": self.value.backward_macs(n) for n in range(2, self.value.layers + 1)}
            # Of the first layer only the action's words are wanted, one after the other.
            macs["BWq1"] = self.value.lanes[0] * self.value.lanes[1]
        return {name: self.columns * macs for name, macs in macs.items()}

    @property
    def mac_count(self) -> int:
        """Multipliers of all tensor units."""
        return sum(self.macs.values())

    @property
    def update_lanes(self) -> int:
        """Weights of all layers and networks that are updated in a clock."""
        return sum(net.update_lanes(n) for net in self.networks for n in range(1, net.layers + 1))

    @property
    def dsp_count(self) -> int:
        """DSP slices: one a multiplier of the units, the loss's, the update's and, with an actor, its tail's."""
        update = self.update_lanes * (ALL[self.optimiser].multipliers + self.polyak)
        tail = 0 if self.actor is None else self.columns * self.value.lanes[0] * _TAIL_DSP
        return self.mac_count + self.columns * _LOSS_DSP + update + tail


def networks(parameters: Mapping[str, int | str]) -> list[NetworkShape]:
    """Those that Verilog parameters describe, in the order of their numbers. Raises ValueError.

    >>> one = dict.fromkeys(("FORWARD", "BACKWARD", "UPDATE_ROWS", "UPDATE_COLS"), "1:1")
    >>> given = {"SIZES": "4-3:2-5", "LANES": "2-1:2-1", **one}
    >>> [net.sizes for net in networks(given)]
    [(4, 3), (2, 5)]
    """
    texts = [str(parameters[name]).split(":") for name in _STRINGS]
    for name, each in zip(_STRINGS, texts, strict=True):
        if len(each) != len(texts[0]):
            raise ValueError(f"{name} has {len(each)} networks; SIZES has {len(texts[0])}")
    return [NetworkShape(*map(fields, of_network)) for of_network in zip(*texts, strict=True)]


def network_parameters(networks: Iterable[NetworkShape]) -> dict[str, int | str]:
    """The Verilog parameters that describe these networks; see networks()."""
    nets = list(networks)
    return {n: ":".join("-".join(map(str, getattr(net, n.lower()))) for net in nets) for n in _STRINGS}
