"""The registers of any core behind AXI4-Lite, on the pins, as its map has them: values, access, refusals, byte strobes.

It knows no core: what a register takes follows from its SystemRDL and the rules beside it. The core rests, so every
write comes at the right moment. Registers that do something when written have tests of their own.
"""

import json
import os
import random

import cocotb
from bench_hits import HITS, report
from bench_pins import start
from cocotb.triggers import ClockCycles
from cocotb_one_clock_reset import KEPT, inputs
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from foreign_bus import slow
from registers_model import WORD, Field, Model, Register
from uvm_bench import parameters

from rlcores.eda import registers

REST = 3000  # clocks from the reset until every tiny core has cleared its memories


class Window:
    """The registers of one core, from an address on."""

    def __init__(self, dut, master: AxiLiteMaster, base: int, core: str, rng: random.Random) -> None:
        values = parameters(dut, core) | json.loads(os.environ.get("RLCORES_DERIVED", "{}"))
        self.core, self.base, self.rng = core, base, rng
        self.model = Model(registers.elaborated(core, values).top)
        self._master = master
        self.held: dict[int, int] = {}  # of each register that keeps what is written

    async def read(self, register: Register) -> int:
        answer = await self._master.read(self.base + 4 * register.number, 4)
        assert answer.resp == AxiResp.OKAY, f"{register.name}: a read is refused"
        return int.from_bytes(answer.data, "little")

    async def write(self, register: Register, value: int, low: int = 0, high: int = 4) -> None:
        """Bytes low to high of a value."""
        data = value.to_bytes(4, "little")[low:high]
        answer = await self._master.write(self.base + 4 * register.number + low, data)
        assert answer.resp == AxiResp.OKAY, f"{register.name}: a write gets an error"

    def stored(self) -> list[Register]:
        """Registers that keep what software writes, and do nothing else."""
        kept = [r for r in self.model.registers.values() if any(f.kind == "stored" and f.written for f in r.fields)]
        return [r for r in kept if not r.acts and not r.shared and not any(f.get("swmod") for f in r.fields)]

    def word(self, register: Register) -> int:
        """What fits the map, each field by itself, often at an edge."""
        word = 0
        for field in register.fields:
            least, most = limits(field)
            word |= self.rng.choice((least, most, self.rng.randint(least, most))) << field.low
        return word

    async def misfit(self) -> bool:
        """Whether FLAGS.CONFIG says that a write did not fit; all flags are forgotten."""
        flags = next(r for r in self.model.registers.values() if r.node.inst_name == "FLAGS")
        (config,) = (f for f in flags.fields if f.node.inst_name == "CONFIG")
        word = await self.read(flags)
        await self.write(flags, WORD)
        return bool(config.own(word))

    async def attempt(self, register: Register, value: int, low: int = 0, high: int = 4) -> None:
        """A write, and what it must leave behind."""
        lanes = sum(0xFF << 8 * byte for byte in range(low, high))
        before = await self.read(register)
        assert before == self.held[register.number], f"{self.core}.{register.name}: another register's write changed it"
        merged = before & ~lanes & WORD | value & lanes
        mask = sum((1 << f.width) - 1 << f.low for f in register.fields if f.kind == "stored" and f.written)
        fits = all(field.fits(merged) for field in register.fields) and register.get("needs") in (None, True)
        await self.write(register, value, low, high)
        after, taken, misfit = await self.read(register), before & ~mask & WORD | merged & mask, await self.misfit()
        said = f"{self.core}.{register.name}: {value:#x} in bytes {low} to {high} over {before:#x} gives {after:#x}"
        if register.get("fits") and fits:  # a function of the word that the map does not have; the flag says what it is
            fits = not misfit
        assert after == (taken if fits else before), said
        assert misfit == (not fits), f"{said}, and FLAGS.CONFIG is {misfit}"
        self.held[register.number] = after
        HITS["taken" if fits else "refused"] += 1
        HITS["bytes"] += high - low < 4


def limits(field: Field) -> tuple[int, int]:
    """The least and the largest number that fits a field."""
    if not field.written or field.get("needs") is False:
        return 0, 0
    least, most = field.get("least"), field.get("most")
    return least or 0, (1 << field.width) - 1 if most is None else most


@cocotb.test(timeout_time=30, timeout_unit="ms")
async def every_register_does_what_the_map_says(dut):
    rng = random.Random(f"{cocotb.RANDOM_SEED} suite")
    for port in inputs(dut):
        port.value = 0
    await start(dut)
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    slow(master, 0.2)
    await ClockCycles(dut.clk, REST)
    for base, core in json.loads(os.environ["RLCORES_WINDOWS"]).items():
        window = Window(dut, master, int(base), core, rng)
        model = window.model
        stored = window.stored()
        window.held = {register.number: await window.read(register) for register in stored}
        for register in stored:
            await window.attempt(register, rng.getrandbits(32))
            await window.attempt(register, window.word(register))
            low, high = rng.choice([(low, high) for high in range(1, 5) for low in range(high) if high - low < 4])
            await window.attempt(register, rng.getrandbits(32), low, high)
            for field in register.fields:
                least, most = limits(field)
                for number in {least, most, most + 1, max(least - 1, 0)}:
                    room = (1 << field.limit - field.low) - 1
                    if number <= room:
                        rest = window.word(register) & ~(room << field.low)
                        await window.attempt(register, rest | number << field.low)
        assert {register.number: await window.read(register) for register in stored} == window.held
        # What software only reads it cannot change.
        only = [r for r in model.registers.values() if not r.written and (core, r.name.upper()) not in KEPT]
        before = [await window.read(register) for register in only]
        for register in only:
            await window.write(register, rng.getrandbits(32))
        assert [await window.read(register) for register in only] == before
        await window.misfit()
        HITS["read only"] += len(only)
        HITS["registers"] += len(stored)
    assert HITS["taken"] > 2 * HITS["registers"] and HITS["bytes"] == HITS["registers"] > 0
    report()
