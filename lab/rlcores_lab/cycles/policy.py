"""Clocks of the policy core from its shape, exact, for nothing stalls in a pass; rlc_policy_defs.vh has the same."""

from collections.abc import Mapping
from dataclasses import dataclass

from rlcores.cores.learner.shape import NetworkShape, ceil_div, fields

HEAD, HEAD_CONTINUOUS = 3, 17  # from an observation's last output to the action, the queue's clock included
LOG, LOG_CONTINUOUS = 25, 38  # from it to the log-probability; of a discrete one beside an output each
NOISE, NOISE_CONTINUOUS = 13, 14  # from an observation to the first output that finds its noise


@dataclass(frozen=True)
class PolicyShape(NetworkShape):
    """A network that only goes forward, and what gives its outputs."""

    output_width: int
    logp: bool
    continuous: bool = False
    operands: bool = False

    @classmethod
    def of(cls, parameters: Mapping[str, int | str]) -> "PolicyShape":
        """The shape of Verilog parameters by name."""
        names = ("SIZES", "LANES", "FORWARD", "UPDATE_ROWS", "UPDATE_COLS")
        sizes, lanes, forward, *groups = (fields(parameters[name]) for name in names)
        kinds = (bool(int(parameters[name])) for name in ("LOGP", "CONTINUOUS", "OPERANDS"))
        return cls(sizes, lanes, forward, (1,) * len(forward), *groups, int(parameters["OUT_WIDTH"]), *kinds)

    @property
    def actions(self) -> int:
        """Outputs of the network."""
        return self.sizes[-1]

    def folds(self, layer: int) -> int:
        """How often a layer 1 … M plays its input."""
        return ceil_div(self.words[layer], self.forward[layer - 1])

    def results(self, layer: int) -> int:
        """Clocks from the first word of its results to the last, both counted."""
        more = self.folds(layer) - 1
        return more * self.words[layer - 1] + self.words[layer] - more * self.forward[layer - 1]

    @property
    def interval(self) -> int:
        """Clocks from one observation to the next."""
        arrival, most = self.words[0], self.actions + 1
        for layer in range(1, self.layers + 1):
            most = max(most, arrival + (self.folds(layer) - 1) * self.words[layer - 1])
            arrival = self.results(layer)
        return most

    @property
    def pass_clocks(self) -> int:
        """Clocks from an observation's last word to the last word of its outputs."""
        return self.words[0] + sum(
            self.results(layer) - 1 + self.lanes[layer - 1] + 5 + (self.forward[layer - 1] > 1) + self.operands
            for layer in range(1, self.layers + 1)
        )

    @property
    def noise_wait(self) -> int:
        """How much longer the outputs wait for their noise."""
        noise = NOISE_CONTINUOUS if self.continuous else NOISE
        return max(0, noise - (self.pass_clocks - self.results(self.layers) + 1))

    @property
    def last_output(self) -> int:
        """Clocks from the one that takes an observation's last word to the one in which the head has all outputs."""
        last = self.actions - (self.words[-1] - 1) * self.lanes[-1]
        return self.pass_clocks + self.noise_wait + last - 1

    @property
    def act_clocks(self) -> int:
        """The same until its action is there."""
        return self.last_output + (HEAD_CONTINUOUS if self.continuous else HEAD)

    @property
    def log_clocks(self) -> int:
        """The same until its log-probability is there."""
        return self.last_output + (LOG_CONTINUOUS if self.continuous else self.actions + LOG)

    @property
    def macs(self) -> int:
        """Multipliers of 27 by 18 bits of the layers."""
        return sum(self.forward_macs(layer) for layer in range(1, self.layers + 1))
