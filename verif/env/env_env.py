"""The environment core's UVM environment: agents on its three ports, the model on its wires, scoreboard, coverage."""

import numpy as np
from cocotb.triggers import RisingEdge
from uvm_bench import clock_number, parameters
from uvm_core import AxiEnv
from uvm_core import Predictor as CorePredictor
from uvm_coverage import Coverage

from rlcores.cores.env import beats
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.model import EnvModel
from rlcores.eda import registers

COVERAGE = Coverage()
PUSH, PUSHES = 1, 12  # an action under which every pole of CartPole falls, and the steps that it takes
COVERAGE.want(f"stall.s_axil.{channel}" for channel in ("aw", "w", "b", "ar", "r"))
COVERAGE.want(["stall.s_axis", "stall.m_axis", "axil.slverr", "irq", "flag.BUSY", "flag.CONFIG", "flag.DROPPED"])
COVERAGE.want(["first", "truncated", "dropped", "stale", "nothing stale", "two flags at once"])
COVERAGE.want(["start while idle", "start while running", "abort while idle", "abort while running", "reset"])


def codes(words: list[int], model: EnvModel) -> np.ndarray:
    """Actions as the model takes them, of beats."""
    components = model.physics.components
    actions = np.array([[word >> 18 * k & 0x3FFFF for k in range(components)] for word in words])
    if not model.physics.actions:
        actions -= actions >> 17 << 18
    return actions[:, 0] if components == 1 else actions


def fall(model: EnvModel, state: tuple[int, int, int, int] = (1, 2, 3, 4)) -> int | None:
    """Steps after which the first environment terminates when it is always pushed; None: not within a few."""
    trial = EnvModel(model.physics, model.n_envs, 0)
    trial.start(state=state)
    ends = trial.step(codes([PUSH] * (PUSHES * model.n_envs), model))["terminated"][:: model.n_envs]
    return int(np.argmax(ends)) + 1 if ends.any() else None


class Predictor(CorePredictor):
    """Follows the wires clock by clock with the model; every answer that is taken is compared.

    `seed` is what SEED0 to SEED3 hold; the time limit is the model's. A command counts in the first clock of the
    answer to its write: actions that were taken before belong to the run before.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.map = registers.load("env")
        values = parameters(self.dut, "env")
        self.n_envs = int(values["N_ENVS"])
        self.model = EnvModel(list(ENVIRONMENTS.values())[int(values["ENV"])], self.n_envs, int(values["TIME_LIMIT"]))
        if fall(self.model) is not None:
            COVERAGE.want(["terminated", "both ends"])
        if self.model.physics.actions:
            COVERAGE.want(["illegal", "flag.ILLEGAL"])
        self.seed = (0x7B1DCDAF, 0xE220A839, 0xA1B965F4, 0x6E789E6A)
        self.reset()

    def reset(self) -> None:
        """The core was reset."""
        self.model.running = False
        self.scoreboard.forget()
        self.flush = False  # a command's pulse was a clock ago
        self.begins = False
        self.answered = False  # a write's answer stands
        self.place = 0  # environment of the next answer
        self.clear()

    def clear(self) -> None:
        """The counters were cleared."""
        self.model.counters = dict.fromkeys(self.model.counters, 0)
        self.dropped = 0
        self.cut = False  # steps were dropped on their way, so that some counters are not known

    async def run_phase(self) -> None:
        dut, edge = self.dut, RisingEdge(self.dut.clk)
        while True:
            await edge
            if int(dut.rst.value):
                COVERAGE.hit("reset")
                self.reset()
                continue
            self._answer()
            if int(dut.s_axis_tvalid.value) and int(dut.s_axis_tready.value):
                self._action(int(dut.s_axis_tdata.value))
            if self.flush:
                self._flush()
            self._write()

    def _answer(self) -> None:
        dut = self.dut
        if not (int(dut.m_axis_tvalid.value) and int(dut.m_axis_tready.value)):
            return
        beat = hex(int(dut.m_axis_tdata.value)), bool(int(dut.m_axis_tlast.value))
        self.scoreboard.observe("m_axis", beat, clock_number())

    def _action(self, word: int) -> None:
        if not self.model.running:
            self.dropped += 1
            COVERAGE.hit("dropped")
            return
        before = self.model.counters["illegal"]
        answer = self.model.step(codes([word], self.model))
        COVERAGE.hit("illegal", self.model.counters["illegal"] > before)
        terminated, truncated = bool(answer["terminated"][0]), bool(answer["truncated"][0])
        COVERAGE.hit("terminated", terminated)
        COVERAGE.hit("truncated", truncated)
        COVERAGE.hit("both ends", terminated and truncated)
        self._expect(answer)

    def _expect(self, answers: np.ndarray) -> None:
        for words in beats.pack(answers):
            beat = sum(int(word) << 64 * i for i, word in enumerate(words))
            self.scoreboard.expect("m_axis", (hex(beat), self.place == self.n_envs - 1))
            self.place = (self.place + 1) % self.n_envs

    def _write(self) -> None:
        # Registers take one write at a time, of a whole word.
        dut, command = self.dut, self.map["COMMAND"]
        if int(dut.s_axil_awvalid.value) and int(dut.s_axil_awready.value):
            self.address = int(dut.s_axil_awaddr.value)
        if int(dut.s_axil_wvalid.value) and int(dut.s_axil_wready.value):
            self.word = int(dut.s_axil_wdata.value)
        before, self.answered = self.answered, bool(int(dut.s_axil_bvalid.value))
        if self.answered and not before and self.address == command.address:
            start, abort = (bool(self.word & command.by_name[name].mask) for name in ("start", "abort"))
            if start or abort:
                self._command(abort)

    def _command(self, aborts: bool) -> None:
        running = self.model.running
        COVERAGE.hit(f"{'abort' if aborts else 'start'} while {'running' if running else 'idle'}")
        self.cut |= running
        self.model.running = False
        self.begins, self.flush = not aborts, True

    def _flush(self) -> None:
        # The clock after a command's pulse: the answer that stands there stays, all others are gone.
        self.flush = False
        stands = bool(int(self.dut.m_axis_tvalid.value)) and not int(self.dut.m_axis_tready.value)
        COVERAGE.hit("stale" if stands else "nothing stale")
        self.scoreboard.forget("m_axis", keep=int(stands))
        if self.begins:
            self.place = 0
            self._expect(self.model.start(state=self.seed))
            COVERAGE.hit("first")


class EnvEnv(AxiEnv):
    """The agents of the core's ports; `predictor.model` is the model as it stands."""

    core, coverage, predictor_type = "env", COVERAGE, Predictor
