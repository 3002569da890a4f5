"""What every sequence of the replay learner has: drivers over the agents, the model beside them, and comparisons."""

import random

import cocotb
import numpy as np
from cocotb.task import bridge
from cocotb.triggers import RisingEdge
from pyuvm import uvm_sequence
from replay_cases import experiences, start, state_of_all
from replay_memory import PATIENCE, Recorded, SequencedBus
from replay_uvm import COVERAGE, ReplayEnv
from uvm_axil import AxilItem
from uvm_bench import One, clock_number, reset
from uvm_pins import PinsItem

from rlcores.cores.replay_learner.driver import ReplayLearnerDriver
from rlcores.cores.replay_learner.model import ReplayLearnerError


class ReplaySequence(uvm_sequence):
    """Drivers over the environment's agents, and the model beside them."""

    def __init__(self, env: ReplayEnv, rng: random.Random) -> None:
        super().__init__(type(self).__name__)
        self.env, self.random = env, rng
        self.rng = np.random.default_rng(rng.getrandbits(32))
        self.bus, self.predictor, self.core = SequencedBus(env, env.memory.ram), env.predictor, env.predictor.core
        self.dut = cocotb.top
        most = int(self.core["AHEAD_MAX"])
        self.depths = sorted({0, min(1, most), most})  # batches ahead

    # --- a core and its model ---

    async def begin(self, ahead: int | None = None, batch: int | None = None, capacity: int | None = None) -> None:
        """Core and model with the same start behind a reset, somewhere in memory."""
        await reset(self.dut, self.random.randint(1, 4))
        self.env.memory.ram.restart()
        self.env.words.clear()
        self.predictor.free = True
        self.predictor.bad = set()
        most = int(self.core["AHEAD_MAX"])
        self.ahead = self.random.randint(0, most) if ahead is None else ahead
        self.slots = capacity or int(self.rng.integers(self.core["CAPACITY"] // 4, self.core["CAPACITY"] // 2))
        await bridge(self._begin)(batch or int(self.rng.integers(1, 6)))
        COVERAGE.hit("ahead.none", not self.ahead)
        COVERAGE.hit("ahead.most", self.ahead == most)

    def _begin(self, batch: int) -> None:
        tries = Recorded(self.core)
        room = (1 << int(self.core["ADDR_WIDTH"])) - (tries.layout.stride << tries.tree_shape.leaves_log2)
        base = self.random.choice((0, room, self.random.randint(0, room), self.random.randint(0, room)))
        base -= base % tries.layout.stride
        self.real, self.exact = ReplayLearnerDriver(self.bus, base), Recorded(self.core, base=base)
        start(self.rng, self.real, self.exact, batch=batch, capacity=self.slots, ahead=self.ahead)
        self.batch = batch
        self.predictor.restart(self.exact)

    async def rows(self, count: int) -> np.ndarray:
        """Experiences of any kind."""
        return self.real.layout.pack(*experiences(self.rng, self.real.learner.shape, count))

    async def insert(self, count: int) -> None:
        """Experiences, in packets of some, until they are committed."""
        rows = await self.rows(count)
        while len(rows):
            some = self.random.randint(1, len(rows))
            await bridge(self.real.insert)(rows[:some])
            rows = rows[some:]

    async def train(self, batches: int) -> None:
        """The core first, then the model."""
        await bridge(self.real.train)(batches)
        self.exact.train(batches)

    async def compare(self, what: str) -> None:
        """All that software sees of the core is the model's."""
        await bridge(self._compare)(what)

    def _compare(self, what: str) -> None:
        actual, wanted = (state_of_all(each, self.slots) for each in (self.real, self.exact))
        for name, value in wanted.items():
            self.env.scoreboard.check("state", f"{name} {what}", actual[name], value, clock_number())
        assert not self.predictor.waiting, f"{self.predictor.waiting} bursts of the core or the model are left"
        self.count(what)

    def count(self, what: str) -> None:
        """What was counted so far is the model's; a stall's cause is a bin."""
        counted = self.real.counters()
        self.predictor.compare(counted, self.exact.learner.steps, what)
        for cause in ("order", "tree", "memory", "empty"):
            COVERAGE.hit(f"stalled.{cause}", counted[f"stall_{cause}"])

    async def flags(self, *names: str) -> None:
        """These are raised and no others; they are cleared."""
        raised = await bridge(self.real.flags)()
        self.env.scoreboard.check("state", "flags", sorted(raised), sorted(names), clock_number())
        for name in names:
            COVERAGE.hit(f"flag.{name}")
        await bridge(self.real.clear_flags)()

    # --- pins and clocks ---

    async def pins(self, **levels: int) -> None:
        await One(PinsItem(**levels)).start(self.env.pins.sequencer)

    async def clocks(self, most: int) -> None:
        for _ in range(self.random.randint(0, most)):
            await RisingEdge(self.dut.clk)

    async def until(self, true, what: str) -> None:
        """To the first clock in which something is so."""
        for _ in range(PATIENCE):
            await RisingEdge(self.dut.clk)
            if true():
                return
        raise AssertionError(f"{what} never came")

    # --- registers ---

    async def put(self, address: int, value: int) -> None:
        await One(AxilItem(True, address, value)).start(self.env.axil.sequencer)

    async def get(self, address: int) -> int:
        item = AxilItem(False, address)
        await One(item).start(self.env.axil.sequencer)
        return item.data

    async def refused(self, name: str, value: int) -> None:
        """A write of the loop's register is ignored, and flagged."""
        await bridge(self._refused)(name, value)
        COVERAGE.hit("flag.CONFIG")

    def _refused(self, name: str, value: int) -> None:
        before = self.real.read(name)
        try:
            self.real.write(name, value)
        except ReplayLearnerError as error:
            assert "(CONFIG)" in str(error), error
        else:
            raise AssertionError(f"{name} = {value} was taken")
        assert name == "COMMAND" or self.real.read(name) == before
