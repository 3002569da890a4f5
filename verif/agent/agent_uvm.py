"""The UVM environment of the agent behind AXI: agents on registers and streams, a memory with a monitor, scoreboard.

Drivers of rlcores run in a thread and reach the core through the agents' sequencers. What the core writes to its
memory, and which records it reads there, is compared with the model one by one, in the model's order.
"""

from replay_memory import MemoryEnv, MemoryPredictor
from uvm_coverage import Coverage

COVERAGE = Coverage()
COVERAGE.want(f"stall.s_axil.{channel}" for channel in ("aw", "w", "b", "ar", "r"))
COVERAGE.want(f"stall.m_axi.{channel}" for channel in ("aw", "w", "ar"))  # answers have places, and never wait
COVERAGE.want(("stall.s_axis_load", "stall.m_axis_read"))
COVERAGE.want(f"lag.{lag}" for lag in range(3))
COVERAGE.want(f"rounds.{rounds}" for rounds in ("one", "more"))
COVERAGE.want(f"ahead.{ahead}" for ahead in ("none", "some"))
COVERAGE.want(f"flag.{name}" for name in ("BUSY", "CONFIG"))
COVERAGE.want(f"interrupt.{name}" for name in ("done", "flag"))
COVERAGE.want(("run", "gradient step", "experience", "sample", "episode", "return"))
COVERAGE.want(("stopped", "free", "halt", "short halt", "saturated", "axil.slverr", "registers"))


class Predictor(MemoryPredictor):
    """What the model does to the memory, in order."""

    def burst(self, event: tuple) -> None:
        """A burst of the core."""
        COVERAGE.hit("experience" if event[0] == "write" else "sample")
        super().burst(event)


class AgentEnv(MemoryEnv):
    """The core's agents, its memory, scoreboard and predictor."""

    core, coverage, predictor_type = "agent", COVERAGE, Predictor
