"""rlc_rl_tanh against the model: actions and slopes for outputs of every size, two queues that stall apart."""

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, pack
from units_bench import Ports, signed

from rlcores.cores.learner import tail as model

WORDS = 80
SINKS = {"m_a": ["data"], "m_d": ["data"]}


@cocotb.test()
async def actions_and_slopes_equal_the_model(dut) -> None:
    dp, lanes, derivative = integers(dut, "DP", "LANES", "DERIVATIVE")
    bench = Ports(dut, {"s": ["data"]}, SINKS)
    await bench.start(cfg_shift=0)
    for shift in (0, 16, *(bench.rng.randrange(17) for _ in range(6))):
        dut.cfg_shift.value = shift
        bench.any_pace() if shift else bench.full_speed()
        for _ in range(WORDS):
            u = np.array([signed(bench.rng, 18) for _ in range(dp * lanes)], dtype=np.int64)
            bench.to_send["s"].append({"data": pack(u.tolist(), 18)})
            bench.expected["m_a"].append({"data": pack(model.action(u, shift).tolist(), 18)})
            if derivative:
                bench.expected["m_d"].append({"data": pack(model.slope(u).tolist(), 17)})
            HITS["slope 0"] += int((model.slope(u) == 0).sum())
            HITS["slope 1.0"] += int((model.slope(u) == 1 << 16).sum())
        begin = bench.clock
        await bench.run(rest=20)
        assert shift or bench.clock - begin <= WORDS + 11 + 20, "not a word a clock"
    report()


@cocotb.test()
async def actions_flow_while_slopes_wait(dut) -> None:
    """As many words as the slopes' queue has places come out at m_a before m_d is touched, and no more."""
    dp, lanes, derivative, a_places, d_places = integers(dut, "DP", "LANES", "DERIVATIVE", "A_PLACES", "D_PLACES")
    bench = Ports(dut, {"s": ["data"]}, SINKS)
    await bench.start(cfg_shift=3)
    bench.full_speed()
    bench.share["m_d"] = 0.0
    count = d_places + a_places + 5
    for _ in range(count):
        u = np.array([signed(bench.rng, 18) for _ in range(dp * lanes)], dtype=np.int64)
        bench.to_send["s"].append({"data": pack(u.tolist(), 18)})
        bench.expected["m_a"].append({"data": pack(model.action(u, 3).tolist(), 18)})
        if derivative:
            bench.expected["m_d"].append({"data": pack(model.slope(u).tolist(), 17)})
    for _ in range(count + 40):
        await bench.tick()
    assert len(bench.expected["m_a"]) == (count - d_places if derivative else 0)
    bench.full_speed()
    await bench.run()
