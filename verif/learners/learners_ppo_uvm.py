"""The UVM environment of several PPO cores with their environments inside: agents on all ports, and their rounds."""

from replay_memory import ReadEnv
from rounds_uvm import Rounds, RoundWires, want
from uvm_axil import AxilItem
from uvm_bench import parameters
from uvm_core import Predictor
from uvm_coverage import Coverage
from uvm_pins import PinsItem, WiresMonitor

COVERAGE = Coverage()
COVERAGE.want(("episodes.ended", "abort.again", "abort.last step", "abort.last step alone", "flag.CONFIG"))


class Shared(Rounds):
    """Rounds of PPO cores."""

    coverage, banks = COVERAGE, 0


class LearnersPpoPredictor(Predictor):
    """rounds: of what the learners share."""

    def build_phase(self) -> None:
        super().build_phase()
        self.learners = int(parameters(self.dut, "learners_ppo")["LEARNERS"])
        self.rounds = Shared("rounds", self)
        self.rounds.learners = self.learners
        want(COVERAGE, self.learners)

    def begin(self) -> None:
        """The core is out of reset."""
        self.core = parameters(self.dut, "ppo_env")

    def reset(self) -> None:
        """The registers are as after it."""
        self.rounds.begin()

    def on_s_axil(self, item: AxilItem) -> None:
        self.rounds.on_access(item)

    def on_rounds(self, item: PinsItem) -> None:
        self.rounds.on_pins(item)


class LearnersPpoEnv(ReadEnv):
    """The core's agents, scoreboard and predictor."""

    core, coverage, predictor_type = "learners_ppo", COVERAGE, LearnersPpoPredictor

    def build_ports(self) -> None:
        super().build_ports()
        self.others["rounds"] = WiresMonitor("rounds", self, RoundWires, None)
