"""rlc_rl_tanh_backward against the model: any gradient times any slope, saturation counted, all ports stalling."""

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, pack
from units_bench import Ports, signed

from rlcores.cores.learner import tail as model

WORDS = 60
SOURCES = {"s_da": ["data"], "s_d": ["data"]}


@cocotb.test()
async def deltas_equal_the_model(dut) -> None:
    dp, lanes = integers(dut, "DP", "LANES")
    bench = Ports(dut, SOURCES, {"m": ["data"]})
    counted = [0]

    def count() -> None:
        counted[0] += int(dut.sat.value)

    bench.each_clock.append(count)
    await bench.start(cfg_shift=0)
    wanted = 0
    for number, shift in enumerate((16, 0, 47, *(bench.rng.randrange(8, 24) for _ in range(5)))):
        dut.cfg_shift.value = shift
        bench.any_pace() if number else bench.full_speed()
        for _ in range(WORDS):
            da = np.array([signed(bench.rng, 18) for _ in range(dp * lanes)], dtype=np.int64)
            d = np.array([bench.rng.choice((0, 1 << 16, bench.rng.randrange(1 << 16))) for _ in da], dtype=np.int64)
            delta, over = model.tail_delta(da, d, shift)
            wanted += int(over.sum())
            HITS["inside"] += int((~over & (delta != 0)).sum())
            bench.to_send["s_da"].append({"data": pack(da.tolist(), 18)})
            bench.to_send["s_d"].append({"data": pack(d.tolist(), 17)})
            bench.expected["m"].append({"data": pack(delta.tolist(), 18)})
        begin = bench.clock
        await bench.run(rest=20)
        assert number or bench.clock - begin <= WORDS + 7 + 20, "not a word a clock"
        assert counted[0] == wanted, "saturations counted otherwise"
    HITS["saturated"] += wanted
    report()
