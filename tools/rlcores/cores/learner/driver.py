"""Driver of the learner core behind its AXI wrapper. Numbers stay raw; api.py has units and checks."""

from collections.abc import Sequence

import numpy as np

from rlcores.base import limits
from rlcores.buses.bus import StreamsBus
from rlcores.cores.common.driver import CoreDriver, register
from rlcores.cores.learner.format import DdpgFormats, LearnerFormats, LearnerSettings
from rlcores.cores.learner.layout import WEIGHTS, Matrices, WeightLayout
from rlcores.cores.learner.model import COUNTERS
from rlcores.cores.learner.model_driver import (
    LearnerError,
    LearnerModelDriver,
    check_batch,
    check_plane,
    check_range,
    check_records,
    priorities_of,
)
from rlcores.cores.learner.optimisers import ALL
from rlcores.cores.learner.records import Records, pack_records
from rlcores.cores.learner.registers import words as register_words
from rlcores.cores.learner.shape import LAYERS_MAX, LearnerShape, NetworkShape
from rlcores.cores.learner.words import NETWORKS
from rlcores.errors import UserError

LANES_MAX = 255


def network_of(core: CoreDriver, prefix: str, layers: int) -> NetworkShape | None:
    """A network by a core's shape registers, PREFIX_LAYER0 ..; None: it has none. layers: of weights.

    Raises ValueError where it is none that a core can have.
    """
    if not 1 <= layers <= LAYERS_MAX:
        return None
    vectors = [core.read_register(f"{prefix}LAYER{i}") for i in range(layers + 1)]
    groups = [core.read_register(f"{prefix}GROUP{i}") for i in range(1, layers + 1)]
    low, high = (lambda words: tuple(w & 0xFFFF for w in words)), (lambda words: tuple(w >> 16 for w in words))
    # How many rows a unit has side by side is nothing that software sees.
    ones = (1,) * layers
    network = NetworkShape(low(vectors), high(vectors), ones, ones, low(groups), high(groups))
    for what in ("sizes", "lanes", "update_rows", "update_cols"):
        numbers, most = getattr(network, what), limits.NEURONS if what == "sizes" else LANES_MAX
        if not all(1 <= number <= most for number in numbers):
            raise ValueError(f"{prefix}{what.upper()} is {'-'.join(map(str, numbers))}; numbers are 1 to {most}")
    network.check(prefix)
    return network


class LearnerDriver(CoreDriver):
    """One learner core behind a bus; a method without a docstring is that of LearnerModelDriver."""

    CORE, WHAT, ERROR, REFUSALS = "learner", "learner core", LearnerError, ("CONFIG", "BUSY", "FORMAT", "HOST")

    def __init__(self, bus: StreamsBus) -> None:
        """Find the core; its weights and registers stay. Raises LearnerError when another core answers."""
        super().__init__(bus)
        with self._shape_of_core():
            self.shape = self._shape()
        self._layouts = [WeightLayout(net) for net in self.shape.networks]
        self._written: dict[str, int] = {}

    # --- registers ---

    def _shape(self) -> LearnerShape:
        value, actor = (
            network_of(self, f"SHAPE{number}_", self._field("PARAM0", f"layers{number}"))
            for number in range(len(NETWORKS))
        )
        optimiser = self._field("PARAM0", "optimiser") + 4 * self._field("PARAM0", "optimiser_high")
        numbers = self._field("PARAM0", "dp"), self._field("PARAM1", "batch_max"), optimiser
        if value is None:
            raise LearnerError("the learner core says that its network has no layers")
        return LearnerShape(
            value, actor, *numbers, self._field("PARAM0", "rounding"), bool(self._field("PARAM0", "polyak")), records=0
        )

    def configure(self, formats: LearnerFormats | DdpgFormats, settings: LearnerSettings) -> None:
        check_batch(self.shape, settings.batch)
        words = {name.upper(): value for name, value in register_words(formats, settings).items()}
        double, lag = words.pop("DOUBLE"), words.pop("LAG")
        if self.shape.actor:
            words["CONTROL"] = lag << 1
        else:
            words["CONTROL"] = double
        if "decay" not in ALL[self.shape.optimiser].settings:
            words = {n: x for n, x in words.items() if not n.endswith("DECAY")}
        changed = {name: value for name, value in words.items() if self._written.get(name) != value}
        for name, value in changed.items():
            self.write_register(name, value)
            self._written[name] = value
        if changed and not self.status("formats_fit"):
            raise LearnerError("the fractions of the layers do not fit together: two stages need an impossible shift")

    # --- weights ---

    def load(self, matrices: Matrices, plane: int = WEIGHTS, network: int = 0) -> None:
        check_plane(self.shape, plane, network)
        layout = self._layouts[network]
        stream = layout.to_stream(matrices)
        check_range(self.shape, plane, stream)
        self._host("load", plane, network, "the weights were not loaded")
        self.bus.transfer({"s_axis_load": stream.view(np.uint64).reshape(-1, 1)}, {})
        self._finish()

    def read(self, plane: int = WEIGHTS, network: int = 0) -> Matrices:
        check_plane(self.shape, plane, network)
        layout = self._layouts[network]
        self._host("read", plane, network, "the weights were not read")
        beats = self.bus.transfer({}, {"m_axis_read": layout.beats})["m_axis_read"]
        self._finish()
        return layout.from_stream(beats[:, 0].view(np.int64))

    def _host(self, command: str, plane: int, network: int, otherwise: str) -> None:
        if self.status("running") or self.status("busy"):
            raise LearnerError(f"the learner is running: {otherwise}")
        self.write_register("HOST", plane | network << 2)
        self._command(command)

    # --- steps ---

    def step(self, records: Records) -> np.ndarray:
        return self.train([records])[0]

    def train(self, batches: Sequence[Records]) -> list[np.ndarray]:
        """Train on batches one behind the other, without a pause between them; step() of each."""
        batch = self.read_register("BATCH")
        for records in batches:
            check_records(self.shape, records, batch)
        counts = [priorities_of(self.shape, records) for records in batches]
        if not batches:
            return []
        beats = np.concatenate([pack_records(records, self.shape.value.lanes[0]) for records in batches])
        if beats.shape[1] % 2 == 0:
            beats = beats.view(np.uint64)
        self.start()
        try:
            taken = self.bus.transfer({"s_axis_rec": beats}, {"m_axis_prio": sum(counts)})["m_axis_prio"]
        finally:
            self.stop()
        return np.split(taken[:, 0].astype(np.int64), np.cumsum(counts)[:-1])

    def continue_from(self, since_sync: int, seed: int) -> None:
        # The core counts its steps by itself: they are done with one record of weight 0.
        shape = self.shape
        actions = (1, shape.action_size) if shape.actor else (1,)
        shapes = ((1, shape.state_size), actions, (1,), (1, shape.state_size), (1,), (1,))
        record = Records(*(np.zeros(s, np.int64) for s in shapes))
        self.write_register("BATCH", 1)
        for interval, steps in ((1, 1), (0, since_sync)):
            self.write_register("SYNC_INTERVAL", interval)
            for _ in range(steps):
                self.step(record)
        self.write_register("SEED", seed)
        self.forget()

    def forget(self) -> None:
        """Let configure() write everything the next time: registers were written past it."""
        self._written.clear()

    def start(self) -> None:
        self._command("run")

    def stop(self) -> None:
        self._command("stop")
        self._finish()

    def abort(self) -> None:
        self._put("COMMAND", self._mask("COMMAND", "abort"))
        self._finish()
        self.take_left()

    def take_left(self) -> None:
        """Take what an abort left standing at the streams."""
        self._take_left("prio", "read")

    def _finish(self) -> None:
        self._until_idle("busy", "host", "aborting")

    # --- what happened ---

    steps = register("STEPS")

    def counters(self) -> np.ndarray:
        counts = np.zeros(COUNTERS, np.int64)
        for half in (0, 1):
            word = self.read_register(f"SATURATED{half}")
            for bit in range(32):
                if word >> bit & 1:
                    stage = 32 * half + bit
                    counts[stage] = self.bus.read(self._map["SAT_IN"].address + 4 * stage)
        return counts

    def clear_counters(self) -> None:
        self._command("clear_counters")

    def utilisation(self, stage: int, records: Sequence[Records]) -> tuple[float, float]:
        """Train on batches and watch one unit: parts of the core's busy clocks in which it worked, and waited."""
        if not 0 <= stage < COUNTERS:
            raise UserError(f"stage is {stage}; it must be 0 to {COUNTERS - 1}")
        self.write_register("UNIT", stage)
        before = self.read_register("CLOCKS")
        self.train(records)
        clocks = (self.read_register("CLOCKS") - before) % 2**32
        return self.read_register("UNIT_BUSY") / clocks, self.read_register("UNIT_WAIT") / clocks


Driver = LearnerDriver | LearnerModelDriver
