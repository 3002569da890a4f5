"""rlc_axil_regs: a register file behind it, and an AXI4-Lite master in front that stalls at random."""

import random

import cocotb
from bench_handshake import Standing
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly

OKAY, SLVERR = 0, 2


def acts(index: int) -> bool:
    """Words whose writing does something: what they read as is nothing to write back."""
    return index % 3 == 1


class Bench:
    """Drives all five channels clock by clock, and keeps the core's storage on the native side."""

    def __init__(self, dut):
        self.dut = dut
        self.regs = int(dut.REGS.value)
        self.words = 2 ** (int(dut.ADDR_WIDTH.value) - 2)
        self.storage = [random.getrandbits(32) for _ in range(self.regs)]
        self.strobes: list[tuple[int, int, int]] = []
        self.read_strobes: list[int] = []
        self.clock = 0

    async def tick(self, **inputs: int) -> dict[str, int]:
        """One clock with these inputs; returns the outputs as the clock's edge sees them."""
        dut = self.dut
        for name, value in inputs.items():
            getattr(dut, name).value = value
        await ReadOnly()
        names = ["awready", "wready", "bvalid", "bresp", "arready", "rvalid", "rresp", "rdata"]
        seen = {name: getattr(dut, f"s_axil_{name}").value for name in names}
        seen = {name: int(value) if value.is_resolvable else -1 for name, value in seen.items()}
        if int(dut.wr_en.value):
            index, data = int(dut.wr_addr.value), int(dut.wr_data.value)
            self.strobes.append((index, data))
            self.storage[index] = data
        index = int(dut.rd_addr.value) if dut.rd_addr.value.is_resolvable else self.regs
        if int(dut.rd_en.value):
            self.read_strobes.append(index)
        await FallingEdge(dut.clk)
        # A register loaded each clock: it shows the word whose address stood before the edge.
        dut.rd_data.value = self.storage[index] if index < self.regs else random.getrandbits(32)
        dut.wr_acts.value = int(dut.wr_addr.value.is_resolvable and acts(int(dut.wr_addr.value)))
        self.clock += 1
        return seen

    async def write(self, address: int, data: int, strobe: int) -> int:
        """AW and W each start after a random wait; B is taken after another. Returns bresp."""
        wait_aw, wait_w, wait_b = (random.choice([0, 0, 1, 2, 5]) for _ in range(3))
        need_aw = need_w = True
        standing = Standing("s_axil_b")
        for clock in range(100):
            awvalid, wvalid = need_aw and clock >= wait_aw, need_w and clock >= wait_w
            bready = clock >= wait_b and random.random() < 0.5
            seen = await self.tick(
                s_axil_awvalid=int(awvalid),
                s_axil_awaddr=address if awvalid else random.getrandbits(len(self.dut.s_axil_awaddr)),
                s_axil_wvalid=int(wvalid),
                s_axil_wdata=data if wvalid else random.getrandbits(32),
                s_axil_wstrb=strobe if wvalid else random.getrandbits(4),
                s_axil_bready=int(bready),
            )
            assert not (seen["bvalid"] and (need_aw or need_w)), "answered before address and data were taken"
            if standing.look(seen["bvalid"], bready, seen["bresp"]):
                return seen["bresp"]
            need_aw &= not (awvalid and seen["awready"])
            need_w &= not (wvalid and seen["wready"])
        raise AssertionError("a write was never answered")

    async def read(self, address: int) -> tuple[int, int]:
        """Returns rresp and rdata."""
        need_ar, standing = True, Standing("s_axil_r")
        for _ in range(100):
            rready = random.random() < 0.5
            seen = await self.tick(
                s_axil_arvalid=int(need_ar),
                s_axil_araddr=address if need_ar else random.getrandbits(len(self.dut.s_axil_araddr)),
                s_axil_rready=int(rready),
            )
            assert not (seen["rvalid"] and need_ar), "answered before the address was taken"
            answer = seen["rresp"], seen["rdata"]
            if standing.look(seen["rvalid"], rready, answer):
                return answer
            if seen["rvalid"]:  # the register changes while its answer waits
                self.dut.rd_data.value = random.getrandbits(32)
            need_ar &= not seen["arready"]
        raise AssertionError("a read was never answered")


async def bench_of(dut) -> Bench:
    inputs = "awaddr awprot awvalid wdata wstrb wvalid bready araddr arprot arvalid rready"
    await start(dut, rd_data=0, wr_acts=0, **{f"s_axil_{name}": 0 for name in inputs.split()})
    return Bench(dut)


@cocotb.test()
async def registers_keep_what_was_written_and_bad_addresses_are_refused(dut):
    bench = await bench_of(dut)
    expected = list(bench.storage)
    writes = reads = refused = parts = 0
    for _ in range(400):
        index = random.randrange(bench.words)
        address = 4 * index + random.randrange(4)
        allowed = index < bench.regs
        if random.random() < 0.5:
            data, strobe = random.getrandbits(32), random.getrandbits(4)
            before, read_before = len(bench.strobes), len(bench.read_strobes)
            assert await bench.write(address, data, strobe) == (OKAY if allowed else SLVERR)
            mask = sum(0xFF << 8 * byte for byte in range(4) if strobe >> byte & 1)
            if allowed and strobe:
                expected[index] = (0 if acts(index) else expected[index] & ~mask) | data & mask
                assert bench.strobes[before:] == [(index, expected[index])]
            else:
                assert bench.strobes[before:] == []
            assert len(bench.read_strobes) == read_before, "a write looked like a read"
            writes += 1
            parts += allowed and 0 < strobe < 15
        else:
            before = len(bench.read_strobes)
            assert await bench.read(address) == ((OKAY, expected[index]) if allowed else (SLVERR, 0))
            assert bench.read_strobes[before:] == ([index] if allowed else [])
            reads += 1
        refused += not allowed
    assert writes > 100 and reads > 100 and parts > 50
    assert refused > 20 or bench.regs == bench.words


@cocotb.test()
async def a_write_of_some_bytes_shares_the_port_with_reads(dut):
    """Both channels work at the same time; each answer is right, and each write keeps the other bytes."""
    bench = await bench_of(dut)
    index = next(i for i in range(bench.regs) if not acts(i))
    expected = bench.storage[index]
    parts = same = 0
    other = bench.regs - 1 if bench.regs > 1 else index
    for _ in range(60):
        data, strobe, gap = random.getrandbits(32), random.randrange(1, 16), random.randrange(4)
        mask = sum(0xFF << 8 * byte for byte in range(4) if strobe >> byte & 1)
        want = bench.storage[other]
        sent = {"aw": False, "w": False, "ar": False}
        written = read = False
        for clock in range(60):
            seen = await bench.tick(
                s_axil_awvalid=int(not sent["aw"]), s_axil_awaddr=4 * index, s_axil_wvalid=int(not sent["w"]),
                s_axil_wdata=data, s_axil_wstrb=strobe, s_axil_bready=1,
                s_axil_arvalid=int(clock >= gap and not sent["ar"]), s_axil_araddr=4 * other, s_axil_rready=1,
            )  # fmt: skip
            written |= bool(seen["bvalid"])
            if seen["rvalid"]:
                # A read beside the write of the same word may see it before or after.
                allowed = {want, bench.storage[other]} if other == index else {want}
                assert seen["rdata"] in allowed
                read = True
            sent["aw"] |= bool(seen["awready"])
            sent["w"] |= bool(seen["wready"])
            sent["ar"] |= clock >= gap and bool(seen["arready"])
            if written and read:
                break
        assert written and read, "an access was never answered"
        expected = expected & ~mask | data & mask
        assert bench.storage[index] == expected
        parts += strobe != 15
        same += other == index
        other = random.randrange(bench.regs)
    assert parts > 20


@cocotb.test()
async def latency_is_as_the_header_says(dut):
    bench = await bench_of(dut)
    await bench.tick()
    address = dict(s_axil_awvalid=1, s_axil_awaddr=0, s_axil_wvalid=1, s_axil_wdata=1, s_axil_wstrb=15)
    read = dict(s_axil_arvalid=1, s_axil_araddr=0)
    seen = [await bench.tick(**address, **read, s_axil_bready=1, s_axil_rready=1) for _ in range(13)]
    assert [i for i, s in enumerate(seen) if s["awready"]] == [0, 3, 6, 9, 12]
    assert [i for i, s in enumerate(seen) if s["bvalid"]] == [2, 5, 8, 11]
    assert [i for i, s in enumerate(seen) if s["arready"]] == [0, 4, 8, 12]
    assert [i for i, s in enumerate(seen) if s["rvalid"]] == [3, 7, 11]


@cocotb.test()
async def reset_withdraws_an_answer(dut):
    bench = await bench_of(dut)
    await bench.tick()
    await bench.tick(s_axil_awvalid=1, s_axil_wvalid=1, s_axil_arvalid=1)
    for _ in range(4):
        seen = await bench.tick(s_axil_awvalid=0, s_axil_wvalid=0, s_axil_arvalid=0)
    assert seen["bvalid"] and seen["rvalid"]
    await bench.tick(rst=1)
    seen = await bench.tick(rst=1)
    assert not any(seen[name] for name in ("bvalid", "rvalid", "awready", "wready", "arready"))
    await bench.tick(rst=0)
    assert await bench.write(0, 5, 15) == OKAY
    assert await bench.read(0) == (OKAY, 5)


@cocotb.test()
async def a_reset_in_any_clock_of_an_access_ends_it(dut):
    bench = await bench_of(dut)
    for clocks in range(6):
        for strobe in (15, 1):
            valids = dict(s_axil_awvalid=1, s_axil_wvalid=1, s_axil_arvalid=1)
            await bench.tick()
            await bench.tick(**valids, s_axil_awaddr=0, s_axil_araddr=0, s_axil_wdata=7, s_axil_wstrb=strobe)
            for _ in range(clocks):
                await bench.tick(**dict.fromkeys(valids, 0))
            await bench.tick(rst=1, **dict.fromkeys(valids, 0))
            done = len(bench.strobes), len(bench.read_strobes)
            for _ in range(8):
                seen = await bench.tick(rst=0)
                assert not (seen["bvalid"] or seen["rvalid"]), clocks
            assert (len(bench.strobes), len(bench.read_strobes)) == done
