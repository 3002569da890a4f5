"""Driver of the policy core behind its AXI wrapper. Numbers stay raw; api.py has units and checks."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from rlcores.buses.bus import StreamsBus
from rlcores.cores.common.driver import CoreDriver
from rlcores.cores.common.fixed import fits
from rlcores.cores.learner.driver import network_of
from rlcores.cores.learner.format import ACT_WIDTH, WEIGHT_WIDTH
from rlcores.cores.learner.layout import Matrices, WeightLayout
from rlcores.cores.learner.shape import LAYERS_MAX
from rlcores.cores.policy.head import Answers, HeadSettings
from rlcores.cores.policy.stages import STAGES
from rlcores.errors import RunFailed, UserError

# Registers: those of layers are numbered.
COUNTERS = tuple(name + (str(k) if count > 1 else "") for name, count in STAGES.items() for k in range(1, count + 1))
SET_READS = 8  # of the counts behind a set's last word, which takes some clocks to them


class PolicyError(RunFailed):
    """The core is not what was expected, or refused a register's value."""


class Acting(Protocol):
    """What PolicyModel and PolicyDriver have in common: everything that api.py calls."""

    sizes: tuple[int, ...]
    act_frac: tuple[int, ...]
    continuous: bool
    logp: bool

    @property
    def counters(self) -> np.ndarray: ...

    def seed(self, state: Sequence[int]) -> None: ...
    def load(self, matrices: Matrices, log_deviations: np.ndarray | None = None) -> None: ...
    def act(self, observations: np.ndarray, settings: HeadSettings | None = None) -> Answers: ...


class PolicyDriver(CoreDriver):
    """One policy core behind a bus, with what PolicyModel has. Raises PolicyError when the core refuses."""

    CORE, WHAT, ERROR, REFUSALS = "policy", "policy core", PolicyError, ("CONFIG", "BUSY")

    def __init__(self, bus: StreamsBus, act_frac: Sequence[int]) -> None:
        """Find the core and forget what is inside. act_frac: fractions of its vectors, as PolicyModel's.

        Raises PolicyError when another core answers, and UserError for fractions that do not fit it.
        """
        super().__init__(bus)
        layers = sum(self.read_register(f"LAYER{layer}") > 0 for layer in range(1, LAYERS_MAX + 1))
        with self._shape_of_core():
            network = network_of(self, "", layers)
        if network is None:
            raise PolicyError("the policy core says that its network has no layers")
        self.sizes, self._layout = network.sizes, WeightLayout(network)
        self.continuous, self.logp = (bool(self._field("PARAM0", name)) for name in ("continuous", "logp"))
        self.output_width = self._field("PARAM0", "out_width")
        self.log_deviations = np.zeros(self.sizes[-1], np.int64)
        self.abort()
        self.act_frac = tuple(act_frac)
        if len(self.act_frac) != layers + 1 or not all(0 <= frac < 32 for frac in self.act_frac):
            raise UserError(f"fractions {self.act_frac} are not those of a network {self.sizes}")
        self.write_register("ACT_FRAC", sum(frac << 5 * place for place, frac in enumerate(self.act_frac)))
        if not self.status("formats_fit"):
            raise UserError(f"fractions {self.act_frac} do not fit a network {self.sizes}")
        self.clear_flags()

    @property
    def counters(self) -> np.ndarray:
        """As PolicyModel.counters."""
        return np.array([self.read_register(name) for name in COUNTERS], np.int64)

    def abort(self) -> None:
        """Forget everything that is inside, the weights as well; the generator takes its seed again."""
        self._command("abort")
        self._take_left("act", "log")

    def seed(self, state: Sequence[int]) -> None:
        """As PolicyModel.seed."""
        for place, word in enumerate(state):
            self.write_register(f"SEED{place}", word)
        self._command("seed")

    def load(self, matrices: Matrices, log_deviations: np.ndarray | None = None) -> None:
        """As PolicyModel.load; returns when the weights are active."""
        if log_deviations is not None:
            self.log_deviations = np.asarray(log_deviations, np.int64)
        stream = self._layout.to_stream(matrices)
        if self.continuous:
            stream = np.concatenate([self.log_deviations, stream])
        if not fits(stream, WEIGHT_WIDTH):
            raise ValueError("a weight has more than 27 bits")
        before = self._sets()
        self.bus.transfer({"s_axis_w": stream.view(np.uint64).reshape(-1, 1)}, {})
        for _ in range(SET_READS):
            dropped, taken = (now - was for now, was in zip(self._sets(), before, strict=True))
            if taken:
                return
            if dropped:
                raise PolicyError("the set of weights was left out")
        raise PolicyError("the set of weights is not complete")

    def _sets(self) -> tuple[int, int]:
        return self.read_register("DROPPED"), self.read_register("TAKEN")

    def act(self, observations: np.ndarray, settings: HeadSettings | None = None) -> Answers:
        """As PolicyModel.act. The log-deviations are those of load(); `saturated` of an answer is 0: see counters.

        Raises PolicyError before load(). Without LOGP logs and samples are 0.
        """
        if not self.status("loaded"):
            raise PolicyError("there are no weights before load()")
        chosen = settings or HeadSettings()
        for name, value in (("EPSILON", chosen.epsilon), ("NOISE", int(chosen.noise))):
            self.write_register(name, value)
        if self.continuous:
            self.write_register("SQUASH", chosen.squash)
            self.write_register("SCALE", chosen.scale)
        codes = np.asarray(observations, np.int64)
        if codes.ndim != 2 or codes.shape[1] != self.sizes[0] or not fits(codes, ACT_WIDTH):
            raise ValueError(f"observations are codes (R, {self.sizes[0]}) of 18 bits")
        rows, numbers = len(codes), self.sizes[-1] if self.continuous else 1
        take = {"m_axis_act": rows * numbers}
        if self.logp:
            take["m_axis_log"] = rows * (1 + (numbers if self.continuous else 0))
        words = codes.reshape(-1, 1).astype(np.uint32)
        taken = {name: _signed(beats) for name, beats in self.bus.transfer({"s_axis_obs": words}, take).items()}
        actions = taken["m_axis_act"].reshape(rows, -1)
        logs = taken.get("m_axis_log", np.zeros(rows * (1 + numbers), np.int64)).reshape(rows, -1)
        if self.continuous:
            return Answers(actions, logs[:, 1:], logs[:, 0], 0, 0)
        return Answers(actions[:, 0], actions[:, 0], logs[:, 0], 0, 0)


def _signed(beats: np.ndarray) -> np.ndarray:
    """Numbers of 32 bits with their sign."""
    return beats[:, 0].astype(np.uint32).view(np.int32).astype(np.int64)
