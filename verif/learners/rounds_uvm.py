"""Rounds of several learners in UVM: what their wires and shared registers must say, from what the monitors see."""

from collections import deque
from typing import ClassVar

from cocotb.triggers import RisingEdge
from cocotb_bus.monitors import BusMonitor
from pyuvm import uvm_component
from uvm_axil import OKAY, PENDING, SLVERR, AxilItem
from uvm_bench import clock_number
from uvm_coverage import Coverage
from uvm_pins import PinsItem

from rlcores.cores.learners.driver import WINDOW
from rlcores.eda import registers

SETTLED = 4  # clocks from a register's answer until every learner acts on it
SLOW = 400  # clocks, more than an access takes
BINS = [
    *(f"stall.s_axil.{channel}" for channel in ("aw", "w", "b", "ar", "r")),
    *("stall.s_axis_load", "stall.m_axis_read"),
    *("round.one step", "round.some steps", "round.halves", "steps.apart", "steps.none", "released"),
    *("read.waits", "read.rounds", "read.waited", "read.counters at 0"),
    *("window.beyond", "window.registers beyond", "registers"),
    *("abort.at work", "abort.waited for", "banks.load", "banks.read"),
]


def want(coverage: Coverage, learners: int) -> None:
    """Bins of every core of several learners."""
    coverage.want(BINS)
    for number in range(learners):
        coverage.want((f"waits.{number}", f"window.{number}", f"slowest.{number}", f"irq.{number}"))


class RoundWires(BusMonitor):
    """Steps that are done and who waits, a bit a learner, in clocks in which there is one, or there was."""

    _signals: ClassVar = ["step_done", "waits"]

    async def _monitor_recv(self) -> None:
        bus, edge, before = self.bus, RisingEdge(self.clock), (0, 0)
        while True:
            await edge
            now = (0, 0) if self.in_reset else (int(bus.step_done.value), int(bus.waits.value))
            if now != before or any(now):
                self._recv(PinsItem(done=now[0], waits=now[1]))
            before = now


class Past:
    """What something was in the clocks that an access may have seen."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """It is 0, and always was."""
        self._values: deque[tuple[int, int]] = deque([(0, 0)])  # from a clock on

    def put(self, value: int) -> None:
        self._values.append((clock_number(), value))

    @property
    def now(self) -> int:
        return self._values[-1][1]

    def since(self, clock: int) -> list[int]:
        """All values from a clock on, the last one last."""
        while len(self._values) > 1 and self._values[1][0] <= clock:
            self._values.popleft()
        return [value for _, value in self._values]


class Rounds(uvm_component):
    """Follows AVERAGE at the registers and the steps at the pins, and knows when a round ends, and who may wait.

    done: steps of each learner since begin(). rounds, waited: as the shared registers count them.
    """

    coverage: Coverage
    learners: int
    banks: int  # 1: each learner has a bank of a replay buffer, so there are importance weights over all

    def build_phase(self) -> None:
        self.scoreboard = self.cdb_get("SCOREBOARD")
        self.map = registers.load("learners")
        self.base = self.learners * WINDOW
        self.rounds, self.waited, self.waits = Past(), Past(), Past()
        self.kept = {"AVERAGE": 0, "WEIGHTS": 0}
        self.begin()

    def begin(self) -> None:
        """A reset: the registers are as after it."""
        for past in (self.rounds, self.waited, self.waits):
            past.forget()
        self.kept = dict.fromkeys(self.kept, 0)
        self.done = [0] * self.learners
        self.stood = [0] * self.learners  # clocks that each has waited
        self._since = [0] * self.learners  # steps of the round
        self._from: int | None = 0  # the clock from which AVERAGE is in force; None: it is being written

    @property
    def average(self) -> int:
        """H."""
        return self.kept["AVERAGE"] & 0xFFFF

    # --- registers ---

    def on_access(self, item: AxilItem) -> None:
        """Any access; those of learners are looked at for their window only."""
        window, address = divmod(item.address, WINDOW)
        if item.response != PENDING:
            known = window < self.learners or (window == self.learners and address in self._names)
            if window >= self.learners:
                self._check(f"answer at 0x{item.address:X}", item.response, OKAY if known else SLVERR)
            where = window if window < self.learners else "registers beyond" if window == self.learners else "beyond"
            self.coverage.hit(f"window.{where}", window < self.learners or not known)
        name = self._names.get(address) if window == self.learners else None
        if name and item.write:
            self._written(name, item)
        elif name and item.response == OKAY:
            self._read(name, item.data)

    @property
    def _names(self) -> dict[int, str]:
        return {register.address: name for name, register in self.map.items()}

    def _written(self, name: str, item: AxilItem) -> None:
        pending = item.response == PENDING
        if name == "AVERAGE":
            self._from = None if pending else clock_number() + SETTLED
            if not pending:
                self.kept[name] = item.data
                self._since = [item.data >> 16] * self.learners
        elif name == "WEIGHTS" and not pending:
            self.kept[name] = item.data & self.banks
        elif name == "COMMAND" and not pending and item.data & self.map["COMMAND"].by_name["clear_counters"].mask:
            self.rounds.forget()
            self.waited.forget()

    def _read(self, name: str, data: int) -> None:
        if name in self.kept:
            self._check(name, data, self.kept[name])
        counters = {"ROUNDS": self.rounds, "WAITED": self.waited}
        since = clock_number() - SLOW
        if past := counters.get(name):
            values = past.since(since)
            self.coverage.hit(f"read.{name.lower()}", data)
            self.coverage.hit("read.counters at 0", not data)
            # Between the access and its answer it may have counted.
            self._check(f"{name}, which is {values[0]} to {values[-1]}", values[0] <= data <= values[-1], True)
        if name == "STATUS":
            waits = data & 0xFFFF
            self.coverage.hit("read.waits", waits)
            self._check(f"STATUS.waits 0x{waits:X}", waits in self.waits.since(since), True)

    # --- pins ---

    def on_pins(self, item: PinsItem) -> None:
        """A clock of the learners."""
        done, waits = item.levels["done"], item.levels["waits"]
        settled = self._from is not None and clock_number() > self._from
        self.waits.put(waits)
        if waits:
            self.waited.put(self.waited.now + 1)
        for number in range(self.learners):
            self.stood[number] += waits >> number & 1
            self.coverage.hit(f"waits.{number}", waits >> number & 1)
        if settled:
            may = sum((self._since[n] == self.average - 1) << n for n in range(self.learners)) if self.average else 0
            self._check(f"waits 0x{waits:X} of those in a round's last step", waits & ~may, 0)
        if done:
            self._steps(done)

    def _steps(self, done: int) -> None:
        """Steps of some learners are done."""
        everyone = (1 << self.learners) - 1
        last = [n for n in range(self.learners) if done >> n & 1 and self._since[n] + 1 == self.average]
        for number in range(self.learners):
            if done >> number & 1:
                self.done[number] += 1
                self._since[number] += 1
        if not last:
            self.coverage.hit("steps.apart", done != everyone)
            self.coverage.hit("steps.none", not self.average)
            return
        # The last steps of a round end in one clock.
        self._check(f"learners that end a round of {self.average}", done, everyone)
        self._since = [0] * self.learners
        self.rounds.put(self.rounds.now + 1)
        self.coverage.hit("round.one step" if self.average == 1 else "round.some steps")

    @property
    def inside(self) -> list[int]:
        """Steps of the round that each learner has done."""
        return list(self._since)

    def _check(self, what: str, value: object, wanted: object) -> None:
        self.scoreboard.check("rounds", what, value, wanted, clock_number())
