"""Driver of the replay learner core. Numbers stay raw; rlcores.cores.replay_learner.api has units and checks.

The sum tree and the learner inside keep their own drivers, each over its window of the core's registers.
"""

import numpy as np

from rlcores.buses.bus import MemoryBus, Window
from rlcores.cores.common.driver import CoreDriver, register
from rlcores.cores.learner.driver import LearnerDriver
from rlcores.cores.replay_learner.model import (
    COUNTERS,
    MemoryFault,
    ReplayLearnerError,
    ReplayLearnerModelDriver,
    TreeInside,
)
from rlcores.cores.replay_learner.records import RecordLayout
from rlcores.cores.sumtree.driver import SumTreeDriver
from rlcores.cores.sumtree.model import INSERT, OK, READ, UPDATE

TREE, LEARNER = 0x1000, 0x2000  # where the registers of the parts begin

# Counters that only the core has: clocks that the learner waited for a record, by cause, and those in which it worked.
_CLOCKS = ("stall_order", "stall_tree", "stall_memory", "stall_empty", "clocks")
_ROWS = 1 << 16  # experiences in one transfer


class ReplayLearnerDriver(TreeInside, CoreDriver):
    """One replay learner core behind a bus with a memory.

    learner, tree: drivers of the parts, for all that needs no stream of theirs inside the core. A method without
    a docstring is that of ReplayLearnerModelDriver.
    """

    CORE, WHAT, ERROR, REFUSALS = "replay_learner", "replay learner core", ReplayLearnerError, ("CONFIG", "HOST")
    read, write = CoreDriver.read_register, CoreDriver.write_register

    def __init__(self, bus: MemoryBus, base: int = 0) -> None:
        """Find the core; its weights stay. base: where its records begin in the memory, bytes.

        Raises ReplayLearnerError when another core answers, or holds experiences at another base, and UserError when
        base is not a multiple of a record's bytes or the records from there do not end within the memory's addresses.
        """
        super().__init__(bus)
        self.tree = SumTreeDriver(Window(bus, TREE))
        self.learner = LearnerDriver(Window(bus, LEARNER))
        self.tree_shape = self.tree.shape
        self.ahead_max = self._field("PARAM0", "ahead_max")
        self.writes = self._field("PARAM1", "writes")
        self.layout = RecordLayout(self.learner.shape, self._field("PARAM0", "data_width"))
        self.stride = self._field("PARAM2", "stride")
        sizes = self._field("PARAM3", "beats"), self._field("PARAM2", "words"), self.stride
        if sizes != (self.layout.beats, self.layout.words, self.layout.stride):
            raise ReplayLearnerError(
                f"the core's records have {sizes[0]} beats, {sizes[1]} words and {sizes[2]} bytes; this driver expects "
                f"{self.layout.beats}, {self.layout.words} and {self.layout.stride}"
            )
        self.base = self.layout.check_base(base, self.tree_shape.leaves_log2, self._field("PARAM0", "addr_width"))
        if self._joined("BASE_LOW", "BASE_HIGH") != base:
            # In this order the words between are never refused.
            for name, value in (("BASE_LOW", 0), ("BASE_HIGH", base >> 32), ("BASE_LOW", base & 0xFFFFFFFF)):
                self.write(name, value)
        self.tree.configure(weights=True)
        self.write("IRQ_ENABLE", self._mask("IRQ_ENABLE", "done"))
        self._before: dict[str, int] = {}  # counters that no command clears
        self._control(INSERT)

    # --- registers ---

    def _control(self, kind: int) -> None:
        low = self._map["CONTROL"].by_name["host_kind"].low
        self.write("CONTROL", self._mask("CONTROL", "rx_enable", "packets") | kind << low)
        self._kind = kind

    def _register(self, name: str, value: int) -> None:
        self.write(name.upper(), value)

    def clear(self) -> None:
        self.tree.clear()
        self._command("restart")

    # --- experiences ---

    def give(self, rows: np.ndarray) -> None:
        """Send experiences; returns when the core has taken them, which is before they are committed."""
        beats = np.ascontiguousarray(rows, np.uint32).reshape(-1, self.layout.lanes)
        if self.layout.lanes % 2 == 0:
            beats = beats.view(np.uint64)
        step = _ROWS * self.layout.words
        for first in range(0, len(beats), step):
            self.bus.transfer({"s_axis_exp": beats[first : first + step]}, {})

    def insert(self, rows: np.ndarray) -> None:
        before = self.read("WRITE_ERRORS")
        self.give(rows)
        self._until_idle("rx_busy")
        frame = self._map["FLAGS"].by_name["FRAME"]
        if self.read("FLAGS") & frame.mask:
            self._put("FLAGS", frame.mask)
            raise ReplayLearnerError(f"the replay learner core dropped an experience: {frame.doc} (FRAME)")
        fault = self.fault()
        if fault:
            fault.lost = (self.read("WRITE_ERRORS") - before) % 2**32
            raise fault

    # --- training ---

    def start(self, batches: int = 0) -> None:
        """Begin batches (0: until stop()) and return at once."""
        self.learner.start()
        self.write("STEPS", batches)
        self._forget_irq()
        try:
            self._command("start")
        except ReplayLearnerError:
            self.learner.stop()
            raise

    def stop(self) -> None:
        """Sample no further batch; what was sampled goes on to its end."""
        self._command("stop")

    def wait(self) -> None:
        """Return when all batches are trained and all their updates are done."""
        self.bus.wait_irq()
        self._forget_irq()
        self._until_idle("busy")
        self.learner.stop()

    def abort(self) -> None:
        self._put("COMMAND", self._mask("COMMAND", "abort"))
        self._until_idle("aborting", "busy", "host_busy", "rx_busy")
        self.learner.take_left()
        self._forget_irq()
        self._control(self._kind)

    def train(self, batches: int) -> None:
        if not batches:
            return
        before = self.read("BATCHES")
        self.start(batches)
        self.wait()
        fault = self.fault()
        if fault:
            fault.batches = (self.read("BATCHES") - before) % 2**32
            raise fault

    def fault(self) -> MemoryFault | None:
        """What the memory answered with an error since the last look, and forget it."""
        flags = self._map["FLAGS"].by_name
        raised = self.read("FLAGS")
        kinds = [what for what, name in (("read", "READ_ERROR"), ("write", "WRITE_ERROR")) if raised & flags[name].mask]
        if not kinds:
            return None
        address = self._joined("ERROR_LOW", "ERROR_HIGH")
        self._put("FLAGS", self._mask("FLAGS", "READ_ERROR", "WRITE_ERROR"))
        return MemoryFault(
            f"the memory answered a {' and a '.join(kinds)} with an error, the first one at address 0x{address:X}",
            address,
        )

    # --- what is held ---

    def records(self, count: int) -> np.ndarray:
        data = self.bus.memory.peek(self.base, count * self.stride)
        return self.layout.from_memory(data.reshape(count, self.stride))

    def priorities(self, count: int) -> np.ndarray:
        return np.array([self.host(READ, i)[1] for i in range(count)], np.int64)

    def set_priorities(self, values: np.ndarray) -> None:
        for i, value in enumerate(values):
            self.host(UPDATE, i, int(value))

    def host(self, kind: int, index: int = 0, priority: int = 0) -> tuple[int, int]:
        """One operation on the tree, as the host: slot, and its priority before. Raises ReplayLearnerError."""
        if kind != self._kind:
            self._control(kind)
        self._put("HOST_INDEX", index)
        self._put("HOST_VALUE", priority)
        self._command("host")
        self._until_idle("host_busy")
        if kind != READ:
            status = self.read("ANSWER_STATUS")
            if status != OK:
                raise ReplayLearnerError(
                    f"the tree refused an operation of kind {kind} on slot {index}: status {status}"
                )
        return self.read("ANSWER_INDEX"), self.read("ANSWER_VALUE")

    def continue_from(self, since_sync: int, seed: int) -> None:
        # The core counts its steps since the last target update by itself, so that number of steps is done with
        # batches of one record that trains nothing: a sample of a tree whose only slot has priority 0.
        self.clear()
        self.host(INSERT, priority=0)
        self.configure(batch=1)
        learner = self.learner
        learner.write_register("BATCH", 1)
        for interval, steps in ((1, 1), (0, since_sync)):
            learner.write_register("SYNC_INTERVAL", interval)
            self.train(steps)
        learner.write_register("SEED", seed)
        learner.forget()
        self.clear()
        self.clear_flags()

    filled = register("FILLED")

    def counters(self) -> dict[str, int]:
        names = (*COUNTERS, *_CLOCKS)
        return {name: (self.read(name.upper()) - self._before.get(name, 0)) % 2**32 for name in names}

    def clear_counters(self) -> None:
        self._command("clear_counters")
        self._before = {"batches": self.read("BATCHES")}  # this one goes on


Driver = ReplayLearnerDriver | ReplayLearnerModelDriver
