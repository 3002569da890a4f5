"""rlc_axil_split and rlc_axil_regs between cocotbext-axi's masters and memories: every byte is where it was written.

Several tasks use a master at the same time, each with addresses of its own, so reads and writes of all of them overlap
on the wires. An access is 1 to 9 bytes at any address: cocotbext-axi makes words and strobes of it.
"""

import random
from collections import Counter
from collections.abc import Callable

import cocotb
from bench_hits import HITS, report
from bench_pins import start_clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from foreign_bus import LiteRam, slow, watch

OKAY, SLVERR = 0, 2
WINDOW = 256  # bytes of a port of the split


class Memory:
    """What is behind a master, byte by byte."""

    def __init__(self, size: int, there: Callable[[int], bool], acts: Callable[[int], bool] = lambda word: False):
        self.bytes, self.there, self.acts = bytearray(size), there, acts

    def write(self, address: int, data: bytes) -> int:
        """Write, word by word; the response of the whole."""
        response = OKAY
        for word in range(address & ~3, address + len(data), 4):
            low, high = max(word, address), min(word + 4, address + len(data))
            HITS["part of a word"] += high - low < 4
            if not self.there(word):
                response = SLVERR
                HITS["refused"] += 1
                continue
            if self.acts(word):
                self.bytes[word : word + 4] = bytes(4)
            self.bytes[low:high] = data[low - address : high - address]
        return response

    def read(self, address: int, count: int) -> tuple[int, bytes]:
        """The response, and the bytes; those of a word that is not there are 0."""
        there = [self.there(a & ~3) for a in range(address, address + count)]
        data = bytes(b * t for b, t in zip(self.bytes[address : address + count], there, strict=True))
        return OKAY if all(there) else SLVERR, data


class Master:
    """A foreign master with what should be behind it."""

    def __init__(self, dut, prefix: str, memory: Memory, share: float) -> None:
        self.dut, self.prefix, self.memory = dut, prefix, memory
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, prefix), dut.clk, dut.rst)
        slow(self.master, share)
        self.words = Counter()  # those that must have reached what is behind
        self.lost: list[tuple[int, bytes, bytes]] = []  # address, before and after, of writes that a reset cut off

    async def use(self, first: int, last: int, count: int) -> None:
        """Accesses at random from `first` to below `last`; ends at once when a reset cuts one off."""
        for _ in range(count):
            size = random.randint(1, min(9, last - first))
            address = random.randrange(first, last - size + 1)
            over = range(address & ~3, address + size, 4)
            if random.random() < 0.5:
                data, before = random.randbytes(size), bytes(self.memory.bytes)
                expected = self.memory.write(address, data)
                answer = await with_timeout(self.master.write(address, data), 1, "ms")
                if answer is None:
                    low, high = over[0], over[-1] + 4
                    self.lost.append((low, before[low:high], bytes(self.memory.bytes[low:high])))
                    return
                assert int(answer.resp) == expected, f"{self.prefix}: write of {address:#x}"
                self.words["writes"] += len(over)
                self.words["writes there"] += sum(map(self.memory.there, over))
            else:
                answer = await with_timeout(self.master.read(address, size), 1, "ms")
                if answer is None:
                    return
                expected, data = self.memory.read(address, size)
                assert int(answer.resp) == expected, f"{self.prefix}: read of {address:#x}"
                assert answer.data == data, f"{self.prefix}: {answer.data.hex()} at {address:#x}, not {data.hex()}"
                self.words["reads"] += len(over)
                self.words["reads there"] += sum(map(self.memory.there, over))

    async def look(self) -> None:
        """Behind a reset: a write that it cut off is done or not, byte by byte; elsewhere all is as it was."""
        for first, before, after in self.lost:
            data = (await with_timeout(self.master.read(first, len(before)), 1, "ms")).data
            for i, byte in enumerate(data):
                word = first + i & ~3
                allowed = (before[i], after[i]) if self.memory.there(word) else (0,)
                assert byte in allowed, f"{self.prefix}: {byte:#x} at {first + i:#x} after a reset"
                if self.memory.there(word):
                    self.memory.bytes[first + i] = byte
            HITS["writes cut off"] += 1
        self.lost = []
        first = random.randrange(0, len(self.memory.bytes), 64)
        data = (await with_timeout(self.master.read(first, 64), 1, "ms")).data
        assert data == self.memory.read(first, 64)[1], f"{self.prefix}: {first:#x} after a reset"


class Bench:
    def __init__(self, dut) -> None:
        self.dut = dut

    async def start(self, share: float) -> None:
        dut, regs = self.dut, int(self.dut.REGS.value)
        dut.rst.value = 1
        start_clock(dut.clk)
        self.rams = [LiteRam(dut, f"m{i}_axil", share, WINDOW) for i in range(2)]
        bad = {random.randrange(0, 2 * WINDOW, 4) for _ in range(8)}
        for i, ram in enumerate(self.rams):
            ram.bad = {address - i * WINDOW for address in bad if address // WINDOW == i}
        behind = Memory(4 * WINDOW, lambda word: word < 2 * WINDOW and word not in bad)
        words = Memory(64, lambda word: word < 4 * regs, lambda word: word // 4 % 4 == 1)
        self.split, self.regs = Master(dut, "s_axil", behind, share), Master(dut, "r_axil", words, share)
        await self.reset()
        # Registers keep what the test before wrote.
        await self.regs.master.write(0, bytes(4 * regs))
        self.strobes: Counter[str] = Counter()
        self.tasks = [
            cocotb.start_soon(watch(dut, HITS, "s_axil", "r_axil", "m0_axil", "m1_axil")),
            cocotb.start_soon(self.count()),
        ]

    async def count(self) -> None:
        while True:
            await RisingEdge(self.dut.clk)
            if not int(self.dut.rst.value):
                self.strobes["writes"] += int(self.dut.wr_en.value)
                self.strobes["reads"] += int(self.dut.rd_en.value)
            aw, ar = self.dut.s_axil_awvalid.value, self.dut.s_axil_arvalid.value
            HITS["write and read offered together"] += int(aw) and int(ar)

    async def reset(self) -> None:
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, random.randint(1, 3))
        self.dut.rst.value = 0
        await ClockCycles(self.dut.clk, 1)

    def begin(self, count: int) -> list:
        """Tasks on both masters: parts of both windows, across their border, beyond them; parts of the registers."""
        split = [(0, 64), (64, 200), (200, 320), (320, 480), (480, 544), (544, 1024)]
        regs = [(0, 8), (8, 36), (36, 64)]
        return [
            *(cocotb.start_soon(self.split.use(*area, count)) for area in split),
            *(cocotb.start_soon(self.regs.use(*area, count)) for area in regs),
        ]

    def report(self) -> None:
        for task in self.tasks:
            task.cancel()
        report()


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def every_byte_is_where_it_was_written_and_nothing_is_done_twice(dut):
    bench = Bench(dut)
    await bench.start(random.choice((0.3, 0.6)))
    for task in bench.begin(40):
        await task
    contents = b"".join(ram.ram.read(0, WINDOW) for ram in bench.rams)
    behind = bench.split.memory
    for word in range(0, 2 * WINDOW, 4):
        expected = behind.bytes[word : word + 4] if behind.there(word) else bytes(4)
        assert contents[word : word + 4] == expected, f"the memories hold something else at {word:#x}"
    for name, channel in (("writes", "w"), ("reads", "r")):
        split, regs = bench.split.words, bench.regs.words
        assert HITS[f"s_axil_{channel} moved"] == split[name] and HITS[f"r_axil_{channel} moved"] == regs[name]
        reached = [getattr(ram, name) for ram in bench.rams]
        assert reached == [HITS[f"m{i}_axil_{channel} moved"] for i in range(2)]
        assert bench.strobes[name] == regs[f"{name} there"], f"{name} of registers are lost or doubled"
        HITS[f"{name} through the split"] = sum(reached)
        HITS[f"{name} beyond its windows"] = split[name] - sum(reached)
        HITS[f"{name} of registers"] = bench.strobes[name]
    bench.report()


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def a_reset_at_any_time_does_a_write_or_not_and_the_next_access_is_right(dut):
    bench = Bench(dut)
    await bench.start(0.3)
    for _ in range(15):
        tasks = bench.begin(1000)
        await ClockCycles(dut.clk, random.randint(1, 120))
        await bench.reset()
        for task in tasks:
            await task
        for master in (bench.split, bench.regs):
            await master.look()
    for first in range(0, 2 * WINDOW, 64):
        assert (await bench.split.master.read(first, 64)).data == bench.split.memory.read(first, 64)[1], hex(first)
    bench.report()
