"""The UVM environment of several replay learners: agents on all ports, a memory and the integer model for each.

Experiences go to the model of the learner whose turn it is, as they are seen on the stream; rounds are followed by
rounds_uvm.Rounds.
"""

from learners_memory import Memories
from learners_slices import Master
from pyuvm import uvm_component
from replay_memory import MemoryWires, ReadEnv
from replay_uvm import Predictor as ReplayPredictor
from rounds_uvm import Rounds, RoundWires, want
from uvm_axil import AxilItem
from uvm_axis import AxisItem
from uvm_bench import parameters, seeded
from uvm_core import Predictor
from uvm_coverage import Coverage
from uvm_pins import PinsItem, WiresMonitor

from rlcores.cores.learners.driver import WINDOW

COVERAGE = Coverage()
COVERAGE.want(f"stall.m_axi.{channel}" for channel in ("aw", "w", "ar"))
COVERAGE.want(f"memory.{order}" for order in ("overtaken", "mixed"))
COVERAGE.want(f"first.{kind}" for kind in ("largest", "given", "saturated"))
COVERAGE.want(f"packet.{kind}" for kind in ("one", "some"))
COVERAGE.want(("stall.s_axis_exp", "exact.on", "exact.off", "released batch", "sync.in a round's last step"))
COVERAGE.want(("abort.last step", "abort.last step alone"))


class Own(ReplayPredictor):
    """The predictor of one of the learners; `batch` is what its pulses and its stream are seen of."""

    coverage, pulses = COVERAGE, ("step_done",)


class Shared(Rounds):
    """Rounds of replay learners."""

    coverage, banks = COVERAGE, 1


class LearnersPredictor(Predictor):
    """each: a predictor of every learner. rounds: of what they share. turn: who gets the next packet."""

    def build_phase(self) -> None:
        super().build_phase()
        self.learners = int(parameters(self.dut, "learners")["LEARNERS"])
        self.turn = 0
        self.each = []
        for number in range(self.learners):
            own = Own(f"learner{number}", self)
            own.port = f"m_axi of {number}"
            self.each.append(own)
        self.rounds = Shared("rounds", self)
        self.rounds.learners = self.learners
        want(COVERAGE, self.learners)
        COVERAGE.want(f"dealt.{number}" for number in range(self.learners))

    def begin(self) -> None:
        """The core is out of reset."""
        for own in self.each:
            own.begin()
        self.core = self.each[0].core

    def restart(self, models: list) -> None:
        """Models of learners that are as after reset and cleared."""
        for own, model in zip(self.each, models, strict=True):
            own.restart(model)

    def reset(self) -> None:
        """Nothing is expected until restart()."""
        self.turn = 0
        self.rounds.begin()
        for own in self.each:
            own.forget()
            own.free, own.packets = True, False

    @property
    def waiting(self) -> int:
        """As Predictor.waiting, of all."""
        return self.scoreboard.waiting + sum(len(early) for own in self.each for early in own.early.values())

    def on_s_axil(self, item: AxilItem) -> None:
        self.rounds.on_access(item)
        number, address = divmod(item.address, WINDOW)
        if number < self.learners:
            self.each[number].on_s_axil(AxilItem(item.write, address, item.data, item.response))

    def on_s_axis_exp(self, item: AxisItem) -> None:
        own = self.each[self.turn]
        if not own.free:
            COVERAGE.hit(f"dealt.{self.turn}")
        self.turn = (self.turn + 1) % self.learners
        own.on_s_axis_exp(item)

    def on_rounds(self, item: PinsItem) -> None:
        self.rounds.on_pins(item)
        for number, own in enumerate(self.each):
            own.events["step_done"] += item.levels["done"] >> number & 1


class AllMemories(uvm_component):
    """The memory of each learner, and what its wires say to the learner's predictor."""

    def build_phase(self) -> None:
        self.predictors: list[Own] = []  # told by the environment
        self.wires: list[MemoryWires] = []
        self.dut = self.cdb_get("DUT")
        self.likely, self.latest = seeded("memory").choice((0.7, 0.9)), 30
        self._all = Memories(self.dut, parameters(self.dut, "learners"), self.likely, self.latest)
        self.parts = self._all.parts

    async def run_phase(self) -> None:
        dut, count = self.dut, len(self.parts)
        for number, own in enumerate(self.predictors):
            master = Master(dut, "m_axi", count, number)
            self.wires.append(MemoryWires(master, "m_axi", dut.clk, dut.rst, callback=own.burst))
        await self._all.run()


class LearnersEnv(ReadEnv):
    """The core's agents, a memory for each learner, scoreboard and predictors."""

    core, coverage, predictor_type = "learners", COVERAGE, LearnersPredictor

    def build_ports(self) -> None:
        super().build_ports()
        self.others["rounds"] = WiresMonitor("rounds", self, RoundWires, None)

    def build_phase(self) -> None:
        super().build_phase()
        self.memories = AllMemories("memories", self)

    def connect_phase(self) -> None:
        super().connect_phase()
        self.memories.predictors = self.predictor.each

    def check_phase(self) -> None:
        for wires in self.memories.wires:
            for channel, clocks in wires.stalls.items():
                self.coverage.hit(f"stall.m_axi.{channel}", clocks)
            for name in ("overtaken", "mixed"):
                self.coverage.hit(f"memory.{name}", wires.orders[name])
        super().check_phase()
