"""rlc_ppo_index_cipher against the model: every length has its own order every epoch, at any pace, a number a clock."""

import cocotb
from bench_hits import HITS, report
from bench_pins import integers, pulse
from cocotb.triggers import FallingEdge
from units_bench import Ports

from rlcores.cores.ppo import permute

LATENCY = 33  # clocks from start to the first number, where none before it is left out


@cocotb.test()
async def every_epoch_has_the_order_of_its_keys(dut):
    (bits,) = integers(dut, "BITS")
    bench = Ports(dut, {}, {"m": ["data", "last"]})
    words = []

    def deal() -> None:
        if int(dut.key_step.value):
            words.append(int(dut.key.value))

    bench.each_clock.append(deal)
    await bench.start(start=0, length=1, key=bench.rng.getrandbits(32))
    full = 1 << min(bits, 9)
    lengths = [full, 1, 2, min(3, full), full - 1, full // 2 + 1, full] + [bench.rng.randint(1, full) for _ in range(8)]
    for number, length in enumerate(lengths):
        bench.any_pace() if number else bench.full_speed()
        keys = [bench.rng.getrandbits(32) for _ in range(permute.KEYS)]
        order = permute.permutation(length, keys)
        bench.expected["m"].extend({"data": int(x), "last": int(k == length - 1)} for k, x in enumerate(order))
        dut.length.value = length
        words.clear()
        await pulse(dut, dut.start)
        begun = bench.clock
        took = [0]
        while not bench.done:
            # The next word stands as soon as one was taken.
            dut.key.value = keys[min(len(words), permute.KEYS - 1)]
            await bench.tick()
            took[0] += 1
            assert took[0] < 100 * full + 200, "stuck"
        assert words == keys, "an epoch takes its words, once"
        # No word more, and ready for the next one in the clock after the last number.
        assert not int(dut.busy.value) and not int(dut.m_valid.value)
        if number == 0:
            assert bench.clock - begun == LATENCY - 1 + length, f"{bench.clock - begun} clocks for {length} numbers"
        HITS["epochs"] += 1
        for _ in range(bench.rng.choice((0, 0, 1, 5, 40))):
            assert not await bench.tick()
    await FallingEdge(dut.clk)
    report()
