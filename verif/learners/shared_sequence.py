"""What every sequence of several learners has, whatever they learn: registers, clocks, and who waits."""

import random

import cocotb
import numpy as np
from cocotb.task import bridge
from cocotb.triggers import ClockCycles, RisingEdge
from pyuvm import uvm_sequence
from replay_memory import PATIENCE, SequencedBus
from rounds_uvm import SETTLED
from uvm_axil import AxilItem
from uvm_bench import One

from rlcores.cores.common.driver import CoreDriver
from rlcores.cores.learners.driver import SharedDriver
from rlcores.eda import registers


class SharedSequence(uvm_sequence):
    """Software on the registers of several learners; `shared` is the driver of those that they share."""

    shared: SharedDriver

    def __init__(self, env, rng: random.Random) -> None:
        super().__init__(type(self).__name__)
        self.env, self.random = env, rng
        self.rng = np.random.default_rng(rng.getrandbits(32))
        self.bus, self.predictor, self.dut = SequencedBus(env), env.predictor, cocotb.top
        self.rounds, self.coverage = env.predictor.rounds, env.coverage
        self.learners: int = env.predictor.learners
        self.map = registers.load("learners")

    async def put(self, address: int, value: int) -> int:
        """Write anywhere; returns the response."""
        item = AxilItem(True, address, value)
        await One(item).start(self.env.axil.sequencer)
        return item.response

    async def get(self, address: int) -> int:
        item = AxilItem(False, address)
        await One(item).start(self.env.axil.sequencer)
        return item.data

    async def write(self, name: str, value: int) -> None:
        """A register of those that are shared."""
        await self.put(self.rounds.base + self.map[name].address, value)

    async def read(self, name: str) -> int:
        return await self.get(self.rounds.base + self.map[name].address)

    async def clocks(self, most: int) -> None:
        await ClockCycles(self.dut.clk, self.random.randint(1, most))

    async def until(self, true, what: str) -> None:
        """To the first clock in which something is so."""
        for _ in range(PATIENCE):
            await RisingEdge(self.dut.clk)
            if true():
                return
        raise AssertionError(f"{what} never came")

    async def until_waiting(self, *who: int) -> None:
        """These wait for others, and STATUS says so; they do not go on by themselves."""
        mask = sum(1 << number for number in who)
        await self.until(lambda: self.rounds.waits.now == mask, f"learners {who} that wait")
        steps, rounds = list(self.rounds.done), self.rounds.rounds.now
        await ClockCycles(self.dut.clk, 300)
        assert await self.read("STATUS") & 0xFFFF == mask
        assert (self.rounds.done, self.rounds.rounds.now) == (steps, rounds), "somebody has not waited"

    async def aborting(self, number: int, driver: CoreDriver) -> cocotb.task.Task:
        """An abort of one that waits in its round's last step, which it still ends: until then it is not over."""
        over = cocotb.start_soon(bridge(driver.abort)())
        steps, rounds = list(self.rounds.done), self.rounds.rounds.now
        await ClockCycles(self.dut.clk, 1000)
        assert not over.done() and self.rounds.waits.now == 1 << number, "an abort has ended a round's last step"
        assert (self.rounds.done, self.rounds.rounds.now) == (steps, rounds), "a step was done without the others"
        return over

    async def release(self) -> None:
        """No rounds: who waits goes on alone."""
        await self.write("AVERAGE", 0)
        await ClockCycles(self.dut.clk, SETTLED)
        self.coverage.hit("released")

    async def count(self) -> None:
        """Read all that is counted, for the predictor to compare."""
        for name in ("ROUNDS", "WAITED", "STATUS", "AVERAGE", "WEIGHTS"):
            await self.read(name)
