"""The UVM environment of the PPO core behind AXI: agents on its five ports, what the model expects, scoreboard."""

from collections import deque

from cocotb.triggers import RisingEdge
from ppo_records import BINS
from uvm_bench import clock_number, parameters
from uvm_core import AxiEnv
from uvm_core import Predictor as CorePredictor
from uvm_coverage import Coverage

from rlcores.cores.ppo.shape import PpoShape

COVERAGE = Coverage()
COVERAGE.want(f"stall.s_axil.{channel}" for channel in ("aw", "w", "b", "ar", "r"))
COVERAGE.want(f"stall.{name}" for name in ("s_axis_env", "s_axis_load", "m_axis_act", "m_axis_read"))
COVERAGE.want(f"flag.{name}" for name in ("BUSY", "CONFIG", "FORMAT", "HOST", "DROPPED"))
COVERAGE.want(f"interrupt.{name}" for name in ("done", "iteration", "flag", "host"))
COVERAGE.want(["axil.slverr", "iteration", "resume", "halt", "abort idle", "abort running", "abort of a read", "reset"])
COVERAGE.want(["stale read", "stale action", "episode", "cut off", "terminated", "external", "lockstep", "registers"])
COVERAGE.want(["no deviation"])


class Predictor(CorePredictor):
    """What must come at m_axis_act and m_axis_read; `moves` has the actions that were taken, for the environments."""

    core, streams = "ppo", ("act", "read")

    def build_phase(self) -> None:
        super().build_phase()
        self.shape = PpoShape.of(parameters(self.dut, self.core))
        if self.shape.record_bits and self.core == "ppo":
            COVERAGE.want(BINS)
        self.moves: deque[int] = deque()
        self.free = False  # whatever is said is right: nobody has told what to expect

    async def run_phase(self) -> None:
        dut, edge = self.dut, RisingEdge(self.dut.clk)
        while True:
            await edge
            if int(dut.rst.value):
                self.scoreboard.forget()
                self.moves.clear()
                continue
            for name in self.streams:
                self._beat(name)

    def _beat(self, name: str) -> None:
        dut = self.dut
        valid, ready, data, last = (getattr(dut, f"m_axis_{name}_t{x}") for x in ("valid", "ready", "data", "last"))
        if not (int(valid.value) and int(ready.value)):
            return
        beat = int(data.value), bool(int(last.value))
        if name == "act":
            self.moves.append(beat[0])
        if not self.free:
            self.scoreboard.observe(f"m_axis_{name}", beat, clock_number())


class PpoEnv(AxiEnv):
    """The core's agents, scoreboard and predictor."""

    core, coverage, predictor_type = "ppo", COVERAGE, Predictor
