"""The UVM environment of the tensor core behind AXI: agents on its three ports, beats that must come, scoreboard."""

from collections import deque

from cocotb.triggers import RisingEdge
from uvm_bench import clock_number
from uvm_core import AxiEnv
from uvm_core import Predictor as CorePredictor
from uvm_coverage import Coverage

from rlcores.cores.tensor.words import BEAT, BEATS, DONE

COVERAGE = Coverage()
COVERAGE.want(f"stall.s_axil.{channel}" for channel in ("aw", "w", "b", "ar", "r"))
COVERAGE.want(["stall.s_axis_in", "stall.m_axis_out", "axil.slverr", "irq", "reset", "abort", "stale", "nothing stale"])
COVERAGE.want(f"flag.{name}" for name in ("BUSY", "CONFIG", "DROPPED", "SHIFT", "WEIGHT_SATURATED"))
COVERAGE.want(f"in.{name}" for name in BEATS if name not in ("RESULT", "NUMBER", "DONE"))
COVERAGE.want(f"out.{name}" for name in ("RESULT", "NUMBER", "DONE"))
COVERAGE.want(f"trained {name}" for name in ("dqn", "td3", "sac"))
COVERAGE.want(["a record while a program runs", "settled"])
_IN = {number: name for name, number in BEATS.items() if name not in ("RESULT", "NUMBER", "DONE")}
_OUT = {BEATS[name]: name for name in ("RESULT", "NUMBER", "DONE")}


class Predictor(CorePredictor):
    """Compares every beat that is taken with what a sequence said must come: (kind, lane, number), None: any number."""

    def build_phase(self) -> None:
        super().build_phase()
        self.expected: deque[tuple[int, int, int | None]] = deque()
        self.clocks = 0  # that the last DONE said

    @property
    def waiting(self) -> int:
        """Beats that have not come."""
        return len(self.expected)

    async def run_phase(self) -> None:
        dut, edge = self.dut, RisingEdge(self.dut.clk)
        while True:
            await edge
            if int(dut.rst.value):
                COVERAGE.hit("reset")
                self.expected.clear()
                continue
            if int(dut.m_axis_out_tvalid.value) and int(dut.m_axis_out_tready.value):
                self._taken(int(dut.m_axis_out_tdata.value), int(dut.m_axis_out_tlast.value))
            if int(dut.beat_valid.value) and int(dut.beat_ready.value):
                kind = BEAT.unpack(int(dut.beat_data.value))["kind"]
                COVERAGE.hit(f"in.{_IN.get(kind, 'none')}")
                COVERAGE.hit("a record while a program runs", kind == BEATS["RECORD_NUMBER"] and int(dut.busy.value))
            if int(dut.abort.value):
                COVERAGE.hit("abort")
                kept = int(dut.m_axis_out_tvalid.value) and not int(dut.m_axis_out_tready.value)
                COVERAGE.hit("stale" if kept else "nothing stale")
                self.expected = deque(list(self.expected)[:1] if kept else [])

    def _taken(self, word: int, last: int) -> None:
        beat = BEAT.unpack(word)
        COVERAGE.hit(f"out.{_OUT.get(beat['kind'], 'none')}")
        if not self.expected:
            self.scoreboard.error(f"m_axis_out: nothing was expected, but there came {beat}")
            return
        kind, lane, number = self.expected.popleft()
        if number is None:
            self.clocks, number = beat["number"], beat["number"]
        wanted = {"kind": kind, "lane": lane, "number": number & (1 << BEAT.fields["number"]) - 1}
        self.scoreboard.check("m_axis_out", "beat", (beat, last), (wanted, int(kind == DONE)), clock_number())


class TensorEnv(AxiEnv):
    """The agents of the core's ports."""

    core, coverage, predictor_type = "tensor", COVERAGE, Predictor
