"""The GAE core's environment: agents on its three ports, the model behind the same registers, scoreboard, coverage."""

import copy
from collections import deque

import numpy as np
from bench_pins import integers
from gae_coverage import COVERAGE, Sampler
from gae_rollouts import RolloutShape
from uvm_axil import OKAY, PENDING, SLVERR, AxilItem
from uvm_axis import AxisItem
from uvm_bench import clock_number
from uvm_core import AxiEnv
from uvm_core import Predictor as CorePredictor

from rlcores.buses.bus import BusError
from rlcores.cores.gae.model import GaeModelBus
from rlcores.eda import registers
from rlcores_lab.cycles.gae import cycles

PARAMETERS = (
    *("ROWS", "LANES", "DEPTH", "LOOKAHEAD", "INTERLEAVE", "SPAN", "QBITS", "OUT_BITS", "BEAT", "STACKS", "TRACE"),
)
LEFT, COMPUTED, LOADED, BEHIND = 1 << 8, 1 << 2, 1 << 1, 3 << 9  # of STATUS
AUTO_RUN = 16  # of COMMAND
# What changes when an automatic rollout has been sent, and how long a look at it may be from before.
SENT = ("STATUS", "FLAGS", "IRQ_STATUS", "CYCLES", "ELEMENTS", "STALLS", "SATURATED", "SENT")
SETTLED = 200


def busy(dut) -> bool:
    """Whether the core works on a command. Nobody can look into a netlist; it counts as busy."""
    return not hasattr(dut, "u_gae") or bool(int(dut.u_gae.busy.value))


class Predictor(CorePredictor):
    """`bus` is the model as it stands.

    A command counts as running until software has read in STATUS that it is over; only then are flags, counters
    and scales compared.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.parameters = dict(zip(PARAMETERS, integers(self.dut, *PARAMETERS), strict=True))
        self.shape = RolloutShape(self.parameters)
        self.names = {address: name for name, address in self.shape.address.items()}
        flags = registers.load("gae")["FLAGS"].fields
        self.flag_bits = {f.name: f.mask for f in flags}
        self.sampler = Sampler(self.shape)
        self.reset()

    def reset(self) -> None:
        """The core was reset."""
        self.bus = GaeModelBus(self.parameters)
        self.running = ""
        self.aborting = False
        self.sent: list[list[str]] = []  # beats of the READ that runs
        self.cut: list[list[str]] | None = None  # beats of a READ that was aborted, of which some came
        self.cut_ends = False  # the beat that stands at the output is the last of that READ
        self.ended = False  # all beats of a READ came while it was being aborted
        self.cycles = 0  # of the last START, or of the rollout sent last
        self.way: deque[int] = deque()  # clocks of the runs of the rollouts on their way
        self.frames: deque[int] = deque()  # beats of each READ that is expected
        self.plain: GaeModelBus | None = None  # the model, had the last automatic rollout stayed
        self.maybe: tuple[GaeModelBus, int] | None = None  # the model before an abort that may have come too late
        self.moved = 0  # the clock in which a rollout was handed on or sent last
        self.scoreboard.forget()

    # --- registers ---

    def on_s_axil(self, item: AxilItem) -> None:
        known = item.address in self.names
        if item.response == PENDING:
            if known:
                self.register_written(self.names[item.address], item.data)
            return
        self.scoreboard.check(
            "s_axil", f"response to {item.address:#x}", item.response, OKAY if known else SLVERR, item.clock
        )
        if not item.write:
            if known:
                self.register_read(self.names[item.address], item)
            else:
                self.scoreboard.check("s_axil", "data beyond the map", item.data, 0, item.clock)
        elif not known:
            self.sampler.hit("axil.slverr")

    def register_written(self, name: str, value: int) -> None:
        bus, before = self.bus, self.bus.read(self.shape.address["FLAGS"])
        if name == "COMMAND" and value >> 3 == 1:
            self.sampler.hit(f"abort.in_{self.running or 'IDLE'}", busy(self.dut) or not self.running)
            if self.running or bus.way:
                self.aborting = True
            else:
                bus.write(self.shape.address[name], value)
            return
        computed = bus.results is not None
        bus.write(self.shape.address[name], value)
        self._cover_flags(before)
        auto_run = bus.stacks > 1 and name == "COMMAND" and value == AUTO_RUN | self.shape.commands["LOAD"]
        code = value & ~AUTO_RUN if auto_run else value
        command = next((n for n, c in self.shape.commands.items() if c == code), "")
        if bus.way and name == "COMMAND" and command in ("CLEAR", "START", "READ"):
            self.sampler.hit("auto_run.busy")
            return
        if name != "COMMAND" or self.running or not command:
            return
        if command in ("MEASURE", "LOAD", "READ"):
            accepted = bool(bus.read(self.shape.address["STATUS"]) & 1)
        else:
            accepted = command != "START" or (bus.results is not None and not computed)
        if not accepted:
            return
        # RESET_STATS is over in the clock in which it begins.
        self.running = command if command != "RESET_STATS" else ""
        self.sampler.command(command, bus)
        if command == "START":
            self.cycles = cycles(self.parameters, bus.level)
            self.sampler.started(bus)
        if command == "READ":
            self._expect_results()

    def _cover_flags(self, before: int) -> None:
        raised = self.bus.read(self.shape.address["FLAGS"]) & ~before
        for flag, mask in self.flag_bits.items():
            self.sampler.hit(f"flag.{flag}", bool(raised & mask))

    def _expect_results(self) -> None:
        # The model keeps its READ open until the results were seen; what they will be is known now.
        self.sent = self._frame(copy.deepcopy(self.bus).receive(1 << 30))

    def _frame(self, beats: np.ndarray) -> list[list[str]]:
        """Beats that are expected, the last with TLAST."""
        frame = [[hex(word) for word in beat] for beat in beats.tolist()]
        self.scoreboard.expect("m_axis", *((beat, number == len(frame) - 1) for number, beat in enumerate(frame)))
        self.frames.append(len(frame))
        return frame

    def _aborted(self, status: int) -> None:
        # The core is idle again: what had not come to its end until now never will.
        self.aborting = False
        if self.bus.way:
            self._way_ended(status)
        open_now = bool(self.bus.read(self.shape.address["STATUS"]) & 1)
        if self.running in ("MEASURE", "LOAD") and open_now:
            words = np.array(self.passes.wires.take(), dtype=np.uint64).reshape(-1, self.shape.beat)
            self.sampler.hit(f"abort.{self.running}_{'with' if len(words) else 'without'}_beats")
            before = self.bus.read(self.shape.address["FLAGS"])
            self.bus.abort(words)
            self._cover_flags(before)
        else:
            if self.ended and not status & COMPUTED:
                # The last beat went before the abort; had it only been offered then, the results would have stayed.
                self.bus.receive(1 << 30)
            elif self.running == "READ" and open_now and not self.ended:
                self._forget_frames()
                self.cut = self.sent
                self.cut_ends = self.results.wires.ending
                self.sampler.hit("abort.READ_cut")
            self.ended = False
            self.bus.abort()

    def _forget_frames(self) -> None:
        self.scoreboard.forget("m_axis")
        self.frames.clear()

    def _way_ended(self, status: int) -> None:
        """An abort gave up the rollouts on their way; of the newest the abort may have come before it was handed on."""
        self._forget_frames()
        rest = list(self.bus.way)[self.ended :]
        if self.ended:
            # The last beat went before the abort, or was only offered then: SENT will tell.
            before = copy.deepcopy(self.bus)
            before.receive(1 << 30)
            self.maybe = before, self.way[0]
        if rest:
            self.cut = [[hex(word) for word in beat] for beat in rest[0].beats.tolist()]
            self.cut_ends = self.results.wires.ending
        self.ended = False
        self.way.clear()
        if self.running == "LOAD" and self.plain is not None and status & LOADED:
            self.bus = self.plain
            self.sampler.hit("auto_run.abort_before_handing")
        self.sampler.hit("auto_run.abort")
        self.moved = clock_number()

    def _maybe_sent(self, value: int) -> None:
        """The first SENT behind an abort."""
        (before, clocks), self.maybe = self.maybe, None
        words = before._words
        if value == words["SENT"]:
            self.cycles = clocks
            for name in ("SENT", "ELEMENTS", "SATURATED"):
                self.bus._words[name] = words[name]
            for name in ("FLAGS", "IRQ_STATUS"):
                self.bus._words[name] |= words[name]

    def register_read(self, name: str, item: AxilItem) -> None:
        check = self.scoreboard.check
        if name == "STATUS" and (self.running or self.aborting):
            if item.data & 1:
                return
            if self.aborting:
                self._aborted(item.data)
            model = self.bus.read(self.shape.address["STATUS"])
            if model & 1:
                self.scoreboard.error(f"s_axil: {self.running} ended without its stream")
            self.running = ""
        if self.running or self.aborting:
            return
        if self.maybe and name == "SENT":
            self._maybe_sent(item.data)
        if name in SENT and (self.maybe or (self.bus.stacks > 1 and item.clock - self.moved < SETTLED)):
            return
        expected = self.bus.read(self.shape.address[name])
        if name == "STATUS" and self.cut is not None:
            self.sampler.hit("abort.READ_left", bool(item.data & LEFT))
            expected |= item.data & LEFT
        if name == "CYCLES":
            check("s_axil", name, item.data, self.cycles, item.clock)
        elif name == "STALLS":
            check("s_axil", name, item.data, self._stalls(), item.clock)
        elif name == "SATURATED":
            # The core counts clocks in which a row saturated a code; rows may do so in the same clock.
            check("s_axil", "SATURATED is 0", item.data == 0, expected == 0, item.clock)
            check("s_axil", f"SATURATED {item.data} <= {expected}", item.data <= expected, True, item.clock)
        else:
            check("s_axil", name, item.data, expected, item.clock)
        if name == "IRQ_STATUS":
            enable = self.bus.read(self.shape.address["IRQ_ENABLE"])
            check("irq", "irq", int(self.dut.irq.value), int(bool(expected & enable)), item.clock)
            for bit, kind in enumerate(("done", "flag")):
                if expected & enable & 1 << bit:
                    self.sampler.hit(f"irq.{kind}")

    def _stalls(self) -> int:
        return self.parameters["ROWS"] * self.cycles - self.bus.read(self.shape.address["ELEMENTS"])

    # --- streams ---

    def on_s_axis(self, item: AxisItem) -> None:
        words = np.array(item.words, dtype=np.uint64).reshape(-1, self.shape.beat)
        before = self.bus.read(self.shape.address["FLAGS"])
        loading = self.running == "LOAD"
        if loading:
            self.sampler.loading(self.bus, words)
        self.plain = copy.deepcopy(self.bus) if self.bus._auto_run else None
        try:
            self.bus.send(words)
        except BusError:
            self.scoreboard.error("s_axis: a pass was taken although neither MEASURE nor LOAD runs")
            return
        self.scoreboard.check("s_axis", "pass", len(words), len(words), item.clock)
        if self.plain is not None:
            self._handed_on(words)
        self._cover_flags(before)

    def _handed_on(self, words: np.ndarray) -> None:
        """The pass of a LOAD of an automatic rollout was taken."""
        self.plain._auto_run = False
        self.plain.send(words)
        if not self.bus._gone:
            self.sampler.hit("auto_run.refused")
            return
        self.way.append(cycles(self.parameters, self.plain.level))
        self._frame(self.bus.way[-1].beats)
        seen = copy.deepcopy(self.plain)
        seen._run()
        self.sampler.started(seen)
        self.moved = clock_number()

    def on_m_axis(self, item: AxisItem) -> None:
        beat = self.shape.beat
        groups = [item.words[i : i + beat] for i in range(0, len(item.words), beat)]
        if self.cut_ends:
            seen = [[hex(w) for w in words] for words in groups]
            self.scoreboard.check("m_axis", "an aborted READ to its last beat", seen, self.cut, item.clock)
            self.sampler.hit("abort.READ_last_left")
            self.cut, self.cut_ends = None, False
            return
        if self.cut is not None:
            # Beats that came before the abort, and the one that stood at the output, have no TLAST.
            early = len(groups) - (self.frames[0] if self.frames else 0)
            seen = [[hex(w) for w in words] for words in groups[:early]]
            self.scoreboard.check("m_axis", "beats of an aborted READ", seen, self.cut[:early], item.clock)
            self.sampler.hit("abort.READ_some_came", early > 0)
            groups, self.cut = groups[early:], None
        for number, words in enumerate(groups):
            self.scoreboard.observe("m_axis", ([hex(w) for w in words], number == len(groups) - 1), item.clock)
        if self.frames:
            self.frames.popleft()
        if self.aborting:
            self.ended = True
            return
        if self.bus.way:
            self.cycles = self.way.popleft()
            self.moved = clock_number()
            self.sampler.hit("auto_run.sent")
        try:
            self.bus.receive(1 << 30)
        except BusError:
            self.scoreboard.error("m_axis: results came although READ does not run")
        else:
            self.sampler.hit("rollout")


class GaeEnv(AxiEnv):
    """The agents of the core's ports."""

    core, coverage, predictor_type = "gae", COVERAGE, Predictor

    def connect_phase(self) -> None:
        super().connect_phase()
        # What an abort cuts off was taken or stands at a port, and is no packet.
        self.predictor.passes, self.predictor.results = self.sources["s_axis"].monitor, self.sinks["m_axis"].monitor
