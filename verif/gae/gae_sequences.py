"""Sequences of the GAE core: accesses, commands, whole rollouts, refused things, resets."""

import random

import cocotb
import numpy as np
from cocotb.triggers import ClockCycles
from gae_env import GaeEnv
from gae_rollouts import Command, Shape, Step, Write
from pyuvm import uvm_sequence
from uvm_axil import AxilItem
from uvm_axis import AxisItem
from uvm_bench import reset

# Polls of STATUS before a command counts as hung.
PATIENCE = 20_000


class One(uvm_sequence):
    """One item."""

    def __init__(self, item) -> None:
        super().__init__("one")
        self.item = item

    async def body(self) -> None:
        await self.start_item(self.item)
        await self.finish_item(self.item)


class GaeSequence(uvm_sequence):
    """What software does, on all ports of an environment."""

    def __init__(self, env: GaeEnv, rng: random.Random) -> None:
        super().__init__(type(self).__name__)
        self.env = env
        self.rng = rng
        self.shape: Shape = env.predictor.shape
        self.sampler = env.predictor.sampler

    @property
    def bus(self):
        """The model as it stands."""
        return self.env.predictor.bus

    async def access(self, item: AxilItem) -> AxilItem:
        await One(item).start(self.env.axil.sequencer)
        return item

    async def write(self, name: str, value: int) -> None:
        await self.access(AxilItem(True, self.shape.address[name], value))

    async def read(self, name: str) -> int:
        return (await self.access(AxilItem(False, self.shape.address[name]))).data

    async def stream(self, words: np.ndarray) -> None:
        """Offer a pass and wait until it was taken."""
        await One(AxisItem([int(word) for word in words])).start(self.env.source.sequencer)

    async def begin(self, name: str) -> None:
        await self.write("COMMAND", self.shape.commands[name])

    async def command(self, name: str, words: np.ndarray | None = None) -> None:
        """Do a command and wait until the core is idle; its pass is offered before, while or after it is written."""
        by_interrupt = self.rng.random() < 0.3 and not (name == "RESET_STATS")
        if by_interrupt:
            await self.write("IRQ_STATUS", 3)
            await self.write("IRQ_ENABLE", 3)
        sending = None
        if words is not None:
            sending = cocotb.start_soon(self.stream(words))
            if self.rng.random() < 0.5:
                await ClockCycles(cocotb.top.clk, self.rng.randrange(20))
        await self.begin(name)
        if sending is not None:
            await sending
        if by_interrupt:
            for _ in range(PATIENCE):
                if int(cocotb.top.irq.value):
                    break
                await ClockCycles(cocotb.top.clk, 10)
            else:
                raise AssertionError(f"{name}: no interrupt came")
        await self.wait_idle(name)
        if by_interrupt:
            await self.read("IRQ_STATUS")
            await self.write("IRQ_STATUS", 3)
            await self.read("IRQ_STATUS")
            await self.write("IRQ_ENABLE", 0)

    async def wait_idle(self, name: str) -> None:
        for _ in range(PATIENCE):
            if not await self.read("STATUS") & 1:
                return
        raise AssertionError(f"{name} did not end")

    async def do(self, steps: list[Step]) -> None:
        """Steps of a rollout, looking at the core after each command."""
        for step in steps:
            if isinstance(step, Write):
                await self.write(step.name, step.value)
            elif isinstance(step, Command):
                await self.command(step.name, step.words)
                await self.look(0.1)
                if step.name == "START":
                    for name in ("CYCLES", "STALLS", "ELEMENTS", "SATURATED", "LOADED"):
                        await self.read(name)

    async def look(self, share: float = 1.0) -> None:
        """Read the flags and a share of all other registers, and clear what was raised."""
        names = [n for n in self.shape.address if n not in ("FLAGS", "STALLS", "CYCLES")]
        for name in ["FLAGS", "CYCLES", "STALLS", *names]:
            if name == "FLAGS" or self.rng.random() < share:
                if name == "STALLS":
                    await self.read("CYCLES")
                await self.read(name)
        await self.write("FLAGS", 0xFFFF)
        await self.write("IRQ_STATUS", 3)

    async def reset(self) -> None:
        """Reset the core and everything that knows its state."""
        self.env.predictor.reset()
        await reset(cocotb.top)
        self.env.predictor.reset()
