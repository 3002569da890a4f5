"""The UVM environment of the replay learner: agents on registers, streams and pins, a memory, the integer model.

The model gets every experience as it is seen on the stream, cut into records as the core cuts it. What it writes and
reads is compared with the bursts at the memory, what it samples, keeps and loses with the core's pulses.
"""

from collections import Counter
from typing import ClassVar

import numpy as np
from cocotb.triggers import RisingEdge
from cocotb_bus.monitors import BusMonitor
from replay_memory import MemoryEnv, MemoryPredictor, Recorded
from uvm_axil import PENDING, AxilItem
from uvm_axis import AxisItem
from uvm_bench import clock_number, parameters
from uvm_coverage import Coverage
from uvm_pins import PinsAgent, PinsItem

from rlcores.cores.replay_learner.records import LARGEST
from rlcores.eda import registers

FLAGS = ("CONFIG", "READ_ERROR", "WRITE_ERROR", "EMPTY", "HOST", "BATCH", "FRAME")
EVENTS = ("ev_batch", "ev_kept", "ev_lost", "step_done")
INPUTS = ("hold_sampling", "hold_steps", "avg_in", "joint_in")

COVERAGE = Coverage()
COVERAGE.want(f"stall.s_axil.{channel}" for channel in ("aw", "w", "b", "ar", "r"))
COVERAGE.want(f"stall.m_axi.{channel}" for channel in ("aw", "w", "ar"))  # answers have places, and never wait
COVERAGE.want(("stall.s_axis_exp", "stall.s_axis_load", "stall.m_axis_read"))
COVERAGE.want(f"memory.{order}" for order in ("overtaken", "mixed"))
COVERAGE.want(f"memory.epoch {epoch}" for epoch in range(4))
COVERAGE.want(f"ahead.{ahead}" for ahead in ("none", "most"))
COVERAGE.want(f"event.{name}" for name in EVENTS)
COVERAGE.want(f"first.{kind}" for kind in ("largest", "given", "saturated"))
COVERAGE.want(f"action.{kind}" for kind in ("known", "unknown"))
COVERAGE.want(f"packet.{kind}" for kind in ("one", "some", "short", "long", "short in many"))
COVERAGE.want(f"stalled.{cause}" for cause in ("order", "tree", "memory", "empty"))
COVERAGE.want(f"counted.{name}" for name in ("stale_updates", "stale_commits", "voids", "dropped"))
COVERAGE.want(f"flag.{name}" for name in FLAGS)
COVERAGE.want(f"interrupt.{name}" for name in ("done", "error", "tree", "learner"))
COVERAGE.want(f"host.{kind}" for kind in ("update", "insert", "read", "checked", "stale", "range"))
COVERAGE.want(f"held.{what}" for what in ("sampling", "steps"))
COVERAGE.want(f"stop.{when}" for when in ("at work", "empty"))
COVERAGE.want(f"abort.{when}" for when in ("idle", "sampling", "learning", "writing", "half a record", "again"))
COVERAGE.want(f"reset.{when}" for when in ("idle", "training", "writing"))
COVERAGE.want(("axil.slverr", "registers", "base.refused", "base.kept"))


class EventWires(BusMonitor):
    """Sees the core's pulses, by name."""

    _signals: ClassVar = [*EVENTS]

    async def _monitor_recv(self) -> None:
        bus, edge = self.bus, RisingEdge(self.clock)
        while True:
            await edge
            if not self.in_reset:
                names = [name for name in EVENTS if int(getattr(bus, name).value)]
                if names:
                    self._recv(PinsItem(*names))


class Predictor(MemoryPredictor):
    """Follows the ports: experiences go to the model, `events` are the core's pulses since begin()."""

    model: Recorded
    coverage = COVERAGE
    pulses = EVENTS  # of these, the ones that the core's ports show

    def build_phase(self) -> None:
        super().build_phase()
        self.bad: set[int] = set()  # slots whose writes the memory refuses
        self.events: Counter[str] = Counter()
        self.packets = False
        self.known = registers.load("replay_learner")

    def begin(self) -> None:
        """The core is out of reset."""
        self.core = parameters(self.dut, "replay_learner")

    def restart(self, model: Recorded) -> None:
        """Another model, of a core that is as after reset and cleared."""
        self.forget()
        self.model, model.tell = model, self.expect
        self.free = False
        self.dropped = 0
        self.events.clear()

    def begin_again(self) -> None:
        """The counters of core and model are 0; steps go on."""
        self.dropped = 0
        for name in EVENTS[:-1]:
            del self.events[name]

    def on_s_axil(self, item: AxilItem) -> None:
        if item.write and item.response == PENDING and item.address == self.known["CONTROL"].address:
            self.packets = bool(item.data & self.known["CONTROL"].by_name["packets"].mask)

    def on_events(self, item: PinsItem) -> None:
        self.events.update(item.pulses)
        for name in item.pulses:
            self.coverage.hit(f"event.{name}")

    def on_s_axis_exp(self, item: AxisItem) -> None:
        if self.free:
            return
        size = self.model.layout.elements
        count, rest = divmod(len(item.words), size)
        if self.packets:
            self.dropped += bool(rest)
            self.coverage.hit("packet.short in many" if rest else f"packet.{'one' if count == 1 else 'some'}")
        else:
            right = (count, rest) == (1, 0)
            self.dropped += not right
            self.coverage.hit("packet.one" if right else f"packet.{'long' if count else 'short'}")
            count = int(right)
        self.insert(item.words[: count * size])

    def cut(self, words: list[int]) -> None:
        """Words of a packet that an abort has cut: its whole records are kept, and the one that has begun is not."""
        rest = len(words) % self.model.layout.elements
        self.dropped += bool(rest)
        self.coverage.hit("abort.half a record", rest)
        self.insert(words[: len(words) - rest])

    def insert(self, words: list[int]) -> None:
        """Whole records into the model."""
        model, layout = self.model, self.model.layout
        rows = np.array(words, np.uint32).reshape(-1, layout.elements)
        slots = (model.tree.next + np.arange(len(rows))) % model.tree.capacity
        first = layout.first(rows)
        self.coverage.hit("first.largest", int((first == LARGEST).sum()))
        self.coverage.hit("first.saturated", int(((first > 1 << 30) & (first < LARGEST)).sum()))
        self.coverage.hit("first.given", int((first < 1 << 30).sum()))
        known = layout.valid(layout.unpack(rows, np.zeros(len(rows), np.int64)))
        self.coverage.hit("action.known", int(known.sum()))
        self.coverage.hit("action.unknown", int((~known).sum()))
        if len(rows):
            model.insert(rows, np.isin(slots, list(self.bad)))

    def compare(self, counters: dict[str, int], steps: int, what: str) -> None:
        """What the core has counted and pulsed is what the model has done."""
        clock, check = clock_number(), self.scoreboard.check
        wanted = self.model.counters() | {"dropped": self.dropped}
        for name, count in wanted.items():
            check("state", f"{name} {what}", counters[name], count, clock)
            self.coverage.hit(f"counted.{name}", count)
        kept = wanted["committed"] + wanted["stale_commits"]
        pulsed = dict(zip(EVENTS, (wanted["batches"], kept, wanted["write_errors"], steps), strict=True))
        for name in self.pulses:
            check("state", f"{name} {what}", self.events[name], pulsed[name], clock)


class ReplayEnv(MemoryEnv):
    """The core's agents, its memory, scoreboard and predictor; `predictor.model` is the model as it stands."""

    core, coverage, predictor_type = "replay_learner", COVERAGE, Predictor

    def build_ports(self) -> None:
        super().build_ports()
        self.pins = self.others["events"] = PinsAgent("events", self, INPUTS, EventWires)

    def check_phase(self) -> None:
        orders = self.memory.wires.orders
        for name in ("overtaken", "mixed", "late"):
            self.coverage.hit(f"memory.{name}", orders[name])
        for name, beats in orders.items():
            if name.startswith("id "):
                self.coverage.hit(f"memory.epoch {int(name[3:5], 2)}", beats)
        super().check_phase()
