"""The UVM environment of the policy core behind AXI: agents on its five ports, the model on its wires, scoreboard."""

from collections import deque

import numpy as np
from cocotb.triggers import RisingEdge
from uvm_bench import clock_number, parameters
from uvm_core import AxiEnv
from uvm_core import Predictor as CorePredictor
from uvm_coverage import Coverage

from rlcores.cores.common.draws import state_of
from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.learner.shape import NetworkShape
from rlcores.cores.policy.head import HeadSettings
from rlcores.cores.policy.model import DROPPED, PolicyModel
from rlcores_lab.cycles.policy import PolicyShape

COVERAGE = Coverage()
STREAMS = ("act", "log")
RESET_FRAC = 12
COVERAGE.want(f"stall.s_axil.{channel}" for channel in ("aw", "w", "b", "ar", "r"))
COVERAGE.want(["stall.s_axis_obs", "axil.slverr", "irq", "flag.BUSY", "flag.CONFIG", "flag.SATURATED"])
COVERAGE.want(
    [
        "stale",
        "nothing stale",
        "set taken",
        "set taken in flight",
        "seed",
        "reset",
        "abort",
        "explores",
        "noise",
        "two flags at once",
    ]
)


def signed(word: int, width: int) -> int:
    word &= (1 << width) - 1
    return word - (word >> (width - 1) << width)


class Predictor(CorePredictor):
    """Follows the wires clock by clock with the model; every beat of an answer that is taken is compared.

    Which set of weights an observation meets, and what was left out, is read off the core's pulses here; that they are
    right is what policy_bench.py and the proof are for. That the generator takes its seed is read off a pulse too; the
    sequences count those.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.shape = shape = PolicyShape.of(parameters(self.dut, "policy"))
        ones = (1,) * shape.layers
        self.layout = WeightLayout(
            NetworkShape(shape.sizes, shape.lanes, shape.forward, ones, shape.update_rows, shape.update_cols)
        )
        self.logs = shape.actions if shape.continuous else 0
        COVERAGE.want(f"stall.m_axis_{name}" for name in STREAMS[: 1 + shape.logp])
        self.fractions = (RESET_FRAC,) * (shape.layers + 1)
        self.seeds = 0  # times that the generator has taken its seed
        self.reset()

    def reset(self) -> None:
        """The core was reset: nothing is inside, and there are no weights."""
        shape = self.shape
        self.model = PolicyModel(
            shape.sizes, self.fractions, output_width=shape.output_width, continuous=shape.continuous, logp=shape.logp
        )
        self.elements: deque[int] = deque()
        self.weights: list[int] = []
        self.sets: deque[list[int]] = deque()
        self.word = 0  # of the observation that enters
        self.scoreboard.forget()

    @property
    def waiting(self) -> int:
        """Beats that have not come, elements that have not entered, sets that are not complete in the core."""
        return self.scoreboard.waiting + len(self.elements) + len(self.sets)

    async def run_phase(self) -> None:
        dut, edge = self.dut, RisingEdge(self.dut.clk)
        while True:
            await edge
            if int(dut.rst.value):
                COVERAGE.hit("reset")
                self.reset()
                self.model.seed(state_of(0))
                continue
            for name in STREAMS:
                self._answer(name)
            self._pulses()
            if int(dut.obs_valid.value) and int(dut.obs_ready.value):
                self._word()
            taken = int(dut.s_axis_obs_tready.value)
            if not taken and not int(dut.obs_valid.value):
                self.scoreboard.error("s_axis_obs: an element waits, though no word does")
            if int(dut.s_axis_obs_tvalid.value) and taken:
                self.elements.append(signed(int(dut.s_axis_obs_tdata.value), 18))
            if int(dut.s_axis_w_tvalid.value):
                self._weight(signed(int(dut.s_axis_w_tdata.value), 27))
            if int(dut.abort.value):
                self._abort()

    def _answer(self, name: str) -> None:
        dut = self.dut
        valid, ready, data, last = (getattr(dut, f"m_axis_{name}_t{x}") for x in ("valid", "ready", "data", "last"))
        if not (int(valid.value) and int(ready.value)):
            return
        self.scoreboard.observe(f"m_axis_{name}", (int(data.value), bool(int(last.value))), clock_number())

    def _pulses(self) -> None:
        dut = self.dut
        if int(dut.seed_load.value):
            COVERAGE.hit("seed")
            self.seeds += 1
            word = int(dut.cfg_seed.value)
            self.model.seed([word >> 32 * i & 2**32 - 1 for i in range(4)])
        if int(dut.w_taken.value):
            stream = np.array(self.sets.popleft())
            COVERAGE.hit("set taken")
            COVERAGE.hit("set taken in flight", bool(self.scoreboard.waiting_on("m_axis_act")))
            self.model.load(self.layout.from_stream(stream[self.logs :]), stream[: self.logs] if self.logs else None)
        if int(dut.w_dropped.value):
            self.sets.popleft()
            self.model.counters[DROPPED] += 1

    def _word(self) -> None:
        # The last word of an observation: it enters, and its answers are known.
        dut, shape = self.dut, self.shape
        self.word = (self.word + 1) % shape.words[0]
        if self.word:
            return
        settings = HeadSettings(
            epsilon=int(dut.cfg_epsilon.value),
            noise=bool(int(dut.cfg_noise.value)),
            squash=int(dut.cfg_squash.value),
            scale=int(dut.cfg_scale.value),
        )
        COVERAGE.hit("explores", settings.epsilon > 0)
        COVERAGE.hit("noise", settings.noise)
        codes = np.array([[self.elements.popleft() for _ in range(shape.sizes[0])]])
        answers = self.model.act(codes, settings)
        self._expect("act", answers.actions.reshape(-1))
        if shape.logp:
            self._expect("log", [answers.logs[0], *(answers.samples[0] if shape.continuous else ())])

    def _expect(self, name: str, numbers) -> None:
        beats = ((int(n) & 2**32 - 1, k == len(numbers) - 1) for k, n in enumerate(numbers))
        self.scoreboard.expect(f"m_axis_{name}", *beats)

    def _weight(self, number: int) -> None:
        self.weights.append(number)
        if len(self.weights) == self.logs + self.layout.beats:
            self.sets.append(self.weights)
            self.weights = []

    def _abort(self) -> None:
        # Whatever stands at a port in this clock stays there; all else is gone.
        COVERAGE.hit("abort")
        kept = {}
        for name in STREAMS:
            valid, ready = (int(getattr(self.dut, f"m_axis_{name}_t{x}").value) for x in ("valid", "ready"))
            kept[f"m_axis_{name}"] = self.scoreboard.forget(f"m_axis_{name}", keep=int(valid and not ready))
        COVERAGE.hit("stale" if any(kept.values()) else "nothing stale")
        self.reset()
        for channel, beats in kept.items():
            self.scoreboard.expect(channel, *beats)


class PolicyEnv(AxiEnv):
    """The agents of the core's ports; `predictor.model` is the model as it stands."""

    core, coverage, predictor_type = "policy", COVERAGE, Predictor
