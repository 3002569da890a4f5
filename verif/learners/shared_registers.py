"""Registers of several learners: those that they share, each learner's own, and whose interrupt it is."""

import cocotb
from cocotb.triggers import ClockCycles
from shared_sequence import SharedSequence
from uvm_axil import SLVERR, AxilItem
from uvm_bench import One, clock_number, parameters, reset

from rlcores.cores.learners.driver import WINDOW
from rlcores.eda import registers

ROOM = 1 << 21  # bytes of the port


class SharedRegisters(SharedSequence):
    """own: the core of each learner. scratch: a register of it that keeps any word of 16 bits."""

    own: str
    scratch: str
    banks: int  # whether a learner has a bank of a replay buffer

    async def body(self) -> None:
        core = parameters(cocotb.top, "learners") | {"BANKS": self.banks}
        self.map, own = registers.load("learners", core), registers.load(self.own)
        for number in range(2):
            await reset(self.dut, self.random.randint(1, 4))
            self.predictor.reset()
            for name in self.map:
                await self.check(name, self.map[name].reset, f"after reset {number}")
            await self.windows(own)
            await self.kept()
            await self.beyond()
            await self.crowd()
        for number in self.random.sample(range(self.learners), self.learners):
            await self.interrupted(number)
        self.coverage.hit("registers")

    async def check(self, name: str, wanted: int, what: str) -> None:
        self.env.scoreboard.check("shared", f"{name} {what}", await self.read(name), wanted, clock_number())

    async def windows(self, own) -> None:
        """A word in each window stays there, whatever is written to the others."""
        words = {number: self.random.randint(1, 0xFFFF) for number in range(self.learners)}
        for number in self.random.sample(range(self.learners), self.learners):
            await self.put(number * WINDOW + own[self.scratch].address, words[number])
        for number, word in words.items():
            for name, wanted in (("ID", own["ID"].reset), (self.scratch, word)):
                value = await self.get(number * WINDOW + own[name].address)
                self.env.scoreboard.check("own", f"{name} of learner {number}", value, wanted, clock_number())

    async def kept(self) -> None:
        """AVERAGE keeps any word, WEIGHTS a bit if there are banks; what does not fit is refused and flagged."""
        for _ in range(4):
            word = self.random.getrandbits(32)
            await self.write("AVERAGE", word)
            await self.check("AVERAGE", word, "as written")
        await self.write("AVERAGE", 0)
        for word in (1, 0, 1):
            await self.write("WEIGHTS", word)
            await self.check("WEIGHTS", word * self.banks, "as written")
            await self.flag(word > self.banks)
        await self.write("WEIGHTS", 0)

    async def flag(self, raised: bool) -> None:
        mask = self.map["FLAGS"].by_name["CONFIG"].mask
        await self.check("FLAGS", mask * raised, "behind a write")
        await self.write("FLAGS", mask)
        await self.check("FLAGS", 0, "cleared")
        self.coverage.hit("flag.CONFIG", raised)

    async def beyond(self) -> None:
        """Where there is no register, an error is answered, and nothing changes."""
        first = self.rounds.base + 4 * len(self.map)
        for _ in range(6):
            for low, high in ((first, self.rounds.base + WINDOW), (self.rounds.base + WINDOW, ROOM)):
                near = self.random.randrange(8)  # the first ones are those that a decoder may know by mistake
                address = self.random.choice((low + 4 * near, 4 * self.random.randrange(low // 4, high // 4)))
                assert await self.put(address, self.random.getrandbits(32)) == SLVERR, f"0x{address:X} is a register"
                await self.get(address)
        await self.check("AVERAGE", 0, "behind writes beyond")

    async def crowd(self) -> None:
        """Accesses in every window of which none waits for the answer to the one before."""
        for write in (False, True):
            for _ in range(24):
                address = WINDOW * self.random.randint(0, self.learners) + self.map["ID"].address
                await One(AxilItem(write, address, self.random.getrandbits(32), posted=True)).start(
                    self.env.axil.sequencer
                )
        await self.check("ID", self.map["ID"].reset, "behind many accesses")

    async def interrupt(self, number: int) -> None:
        """Let a learner raise its interrupt."""
        raise NotImplementedError

    async def calm(self, number: int) -> None:
        """Forget it."""
        raise NotImplementedError

    async def interrupted(self, number: int) -> None:
        """The line is up, and STATUS says whose it is."""
        await self.interrupt(number)
        await ClockCycles(self.dut.clk, 4)
        assert int(self.dut.irq.value), f"no interrupt of learner {number}"
        await self.check("STATUS", 1 << 16 + number, f"with the interrupt of learner {number}")
        await self.calm(number)
        await ClockCycles(self.dut.clk, 4)
        assert not int(self.dut.irq.value)
        await self.check("STATUS", 0, "without an interrupt")
        self.coverage.hit(f"irq.{number}")
