"""rlc_nn_backward: deltas of the layer below against integers, with every mask."""

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, pack
from units_bench import Ports, blocks, matrix, narrow, place, words

NAMES = (
    *("DP", "LANES_IN", "LANES_OUT", "GROUPS", "WORDS_IN", "WORDS_OUT", "JB", "IB", "FIRST", "MASK"),
    *("WEIGHT_WIDTH", "X_WIDTH"),
)


@cocotb.test()
async def deltas_are_exact_and_masked_where_nothing_came_through(dut):
    p = dict(zip(NAMES, integers(dut, *NAMES), strict=True))
    ports = Ports(dut, {"s": ["data"], "s_mask": ["data"]}, {"m": ["data"]})
    rng = ports.rng
    # Rows of the weights are the inputs here; the columns before FIRST are not kept.
    rows, columns = p["LANES_IN"] * p["WORDS_IN"], p["LANES_OUT"] * p["WORDS_OUT"]
    first = p["FIRST"]
    seen = expected = 0

    def look() -> None:
        nonlocal seen
        seen += int(dut.saturated.value).bit_count()
        HITS["busy"] += int(dut.busy.value)
        HITS["waiting"] += int(dut.waiting.value)

    ports.each_clock.append(look)
    await ports.start(bus_valid=0, cfg_shift=22)
    for number in range(20):
        weights = matrix(rng, rows, columns, p["WEIGHT_WIDTH"])
        shift = rng.choice((0, 47, 22, rng.randint(10, 40)))
        dut.cfg_shift.value = shift
        jobs = blocks(rng, rows, columns + first * p["LANES_OUT"], p["LANES_IN"], p["LANES_OUT"], p["JB"], p["IB"])
        for is_bias, jw, js, iw, part in jobs:
            j, i = jw * p["LANES_IN"] + js * p["JB"], (iw - first) * p["LANES_OUT"] + part * p["IB"]
            wanted = not is_bias and iw >= first
            lanes = [
                weights[j + a, i + b] if wanted else rng.getrandbits(20) for a in range(p["JB"]) for b in range(p["IB"])
            ]
            dut.bus_valid.value = 1
            dut.bus_addr.value = place(is_bias, jw, js, iw, part, backward=p["GROUPS"])
            dut.bus_data.value = pack(lanes, p["WEIGHT_WIDTH"])
            await ports.tick()
            dut.bus_valid.value = 0
        for _ in range(40 if number % 5 == 4 else 4):
            delta = matrix(rng, p["DP"], rows, p["X_WIDTH"])
            mask = np.array([[rng.getrandbits(1) for _ in range(columns)] for _ in range(p["DP"])], object)
            out = delta @ weights
            for at, value in np.ndenumerate(out):
                passes = not p["MASK"] or mask[at]
                out[at], saturated = narrow(value, shift, p["X_WIDTH"]) if passes else (0, False)
                expected += saturated
            ports.to_send["s"] += [{"data": word} for word in words(delta, p["LANES_IN"], p["X_WIDTH"])]
            ports.to_send["s_mask"] += [{"data": word} for word in words(mask, p["LANES_OUT"], 1)]
            ports.expected["m"] += [{"data": word} for word in words(out, p["LANES_OUT"], p["X_WIDTH"])]
        ports.any_pace()
        if number % 5 == 4:
            ports.full_speed()
            ports.share["m"] = 0.05
        ports.share["s_mask"] = 1.0
        await ports.run()
    assert seen == expected > 0 and HITS["waiting"], f"{seen} saturated instead of {expected}"
    report()
