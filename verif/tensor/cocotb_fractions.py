"""Fractions that follow what is told of them, beside rlcores.cores.rl.exponents: windows, limits, both ways in."""

import random

import cocotb
from bench_hits import HITS, report
from bench_pins import pulse, start, until
from cocotb.triggers import FallingEdge

from rlcores.cores.rl.exponents import Exponent
from rlcores.cores.tensor.words import SETTING, TOLD

COUNT = 64


async def idle(dut) -> None:
    await until(dut, lambda: int(dut.idle.value))
    await FallingEdge(dut.clk)


def compare(dut, exponents: list[Exponent], before: list[int]) -> None:
    for port, wanted in (("now", [e.frac for e in exponents]), ("previous", before)):
        bits = int(getattr(dut, port).value)
        assert [bits >> 6 * n & 63 for n in range(COUNT)] == wanted, port


async def put(dut, n: int, e: Exponent, moves: bool) -> None:
    """Set a fraction, with all that its tensor has told."""
    dut.set_id.value, dut.set_word.value = n, TOLD.pack(**told_of(e))
    dut.set_data.value = SETTING.pack(moves=moves, wide=e.width == 27, spare=e.spare, most=e.most, frac=e.frac)
    await pulse(dut, dut.set)


def told_of(e: Exponent) -> dict[str, int]:
    window, batches, peak, saturated = e._window.bit_length() - 1, e._batches, e._peak, int(e._saturated > 0)
    return {"window": window, "batches": batches, "saturated": saturated, "peak": peak}


@cocotb.test()
async def fractions(dut) -> None:
    rng = random.Random(cocotb.RANDOM_SEED)
    await start(dut, "a_valid", "b_valid", "move", "limit", "set", "forget", "look", "look_id")
    exponents = []
    moves = [rng.random() < 0.8 for _ in range(COUNT)]
    for n in range(COUNT):
        width, spare, most = rng.choice((18, 27)), rng.randint(0, 3), rng.choice((16, 20, 31, 47))
        exponents.append(e := Exponent(rng.randint(0, most), width, spare, most))
        await put(dut, n, e, moves[n])
    sizes = [rng.randint(0, 17) for _ in range(COUNT)]
    for _ in range(700):
        told = {"a": 0, "b": 0}
        for _ in range(rng.randint(0, 60)):
            # A queue takes two clocks more for each than comes in one: rests let it catch up.
            for port in told:
                getattr(dut, f"{port}_valid").value = 0
                if told[port] < 12 and rng.random() < 0.4:
                    told[port] += 1
                    n, saturated = rng.randrange(COUNT), rng.choice([0] * 60 + [1, 1 << 31])
                    if rng.random() < 0.01:
                        sizes[n] = rng.randint(0, 17)
                    peak = rng.getrandbits(sizes[n]) if rng.random() < 0.98 else rng.getrandbits(26)
                    for name, value in (("valid", 1), ("id", n), ("saturated", saturated), ("peak", peak)):
                        getattr(dut, f"{port}_{name}").value = value
                    if moves[n]:
                        exponents[n].see(exponents[n]._peak | peak, int(saturated > 0))
                    HITS["told"] += 1
            await FallingEdge(dut.clk)
            if max(told.values()) >= 12:
                dut.a_valid.value = dut.b_valid.value = 0
                await idle(dut)
                told = {"a": 0, "b": 0}
        dut.a_valid.value = dut.b_valid.value = 0
        before = [e.frac for e in exponents]
        await pulse(dut, dut.move)
        await idle(dut)
        for n, e in enumerate(exponents):
            if moves[n]:
                HITS["moved"] += e.move() != 0
        compare(dut, exponents, before)
        for _ in range(rng.randint(0, 3)):
            n, to = rng.randrange(COUNT), rng.randrange(48)
            dut.limit.value, dut.limit_id.value, dut.limit_to.value = 1, n, to
            HITS["lowered"] += to < exponents[n].frac
            exponents[n].frac = min(exponents[n].frac, to)
            await FallingEdge(dut.clk)
        dut.limit.value = 0
        compare(dut, exponents, before)
        if rng.random() < 0.2:
            await pulse(dut, dut.forget)
            before = [e.frac for e in exponents]
            compare(dut, exponents, before)
        n = rng.randrange(COUNT)
        if moves[n]:
            dut.look.value, dut.look_id.value = 1, n
            for _ in range(2):
                await FallingEdge(dut.clk)
            assert TOLD.unpack(int(dut.word.value)) == told_of(exponents[n]), "what a tensor has told"
            dut.look.value = 0
            HITS["looked"] += 1
            # As a run that goes on puts it: in the middle of a window.
            window = rng.choice((1, 2, 64, 256))
            exponents[n].load(
                [rng.randint(0, exponents[n].most), window, rng.randrange(window), rng.getrandbits(12), 0, 0]
            )
            await put(dut, n, exponents[n], True)
            before[n] = exponents[n].frac
            compare(dut, exponents, before)
    HITS["long"] = sum(e._window == 256 for e in exponents)
    report()
