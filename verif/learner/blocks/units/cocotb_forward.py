"""rlc_nn_forward: a layer against integers, over several batches with new weights in between."""

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, pack, pulse
from cocotb.triggers import FallingEdge
from units_bench import Ports, blocks, matrix, narrow, place, words

NAMES = (
    *("DP", "LANES_IN", "LANES_OUT", "GROUPS", "WORDS_IN", "WORDS_OUT", "JB", "IB", "RELU", "OUT_WIDTH"),
    *("WEIGHT_WIDTH", "X_WIDTH"),
)


@cocotb.test()
async def a_layer_is_exact_and_waits_for_its_new_weights(dut):
    p = dict(zip(NAMES, integers(dut, *NAMES), strict=True))
    ports = Ports(dut, {"s": ["data", "kind"]}, {"m": ["data", "kind"]})
    rng = ports.rng
    columns, rows = p["LANES_IN"] * p["WORDS_IN"], p["LANES_OUT"] * p["WORDS_OUT"]
    seen, expected = {"saturated": 0, "acc_overflow": 0}, {"saturated": 0, "acc_overflow": 0}
    state = {"granted": True}

    def look() -> None:
        seen["saturated"] += int(dut.saturated.value).bit_count()
        seen["acc_overflow"] += int(dut.acc_overflow.value)
        HITS["busy"] += int(dut.busy.value)
        HITS["waiting"] += int(dut.waiting.value)
        assert state["granted"] or not int(dut.s_ready.value), "a batch began before its weights were there"

    ports.each_clock.append(look)
    await ports.start(idle=1, initial_open=0, vectors=1, updated=0, bus_valid=0, cfg_bias_shift=0, cfg_shift=22)
    state["granted"] = False
    for number in range(20):
        # Longer batches now and then, so that the queue behind fills up.
        vectors = 40 if number % 5 == 4 else rng.randint(1, 4)
        dut.vectors.value = vectors
        await FallingEdge(dut.clk)
        dut.idle.value = 0
        weights, bias = matrix(rng, rows, columns, p["WEIGHT_WIDTH"]), matrix(rng, rows, 1, p["WEIGHT_WIDTH"])
        bias_shift, shift = rng.randint(0, 31), rng.choice((0, 47, 22, rng.randint(10, 40)))
        dut.cfg_bias_shift.value, dut.cfg_shift.value = bias_shift, shift
        for _ in range(vectors):
            kind = rng.getrandbits(1)
            x = matrix(rng, p["DP"], columns, p["X_WIDTH"])
            ports.to_send["s"] += [{"data": word, "kind": kind} for word in words(x, p["LANES_IN"], p["X_WIDTH"])]
            sums = x @ weights.T + (bias[:, 0] * 2**bias_shift)
            sums = (sums + 2**47) % 2**48 - 2**47
            y = np.zeros_like(sums)
            for at, value in np.ndenumerate(sums):
                kept = 0 if p["RELU"] and value < 0 else value
                y[at], saturated = narrow(kept, shift, p["OUT_WIDTH"])
                expected["saturated"] += saturated
            far = [(abs(int(value)) >> 46) > 0 and value != -(2**46) for value in sums.reshape(-1)]
            far = np.array(far).reshape(p["DP"], p["WORDS_OUT"], p["LANES_OUT"])
            expected["acc_overflow"] += int(far.any(axis=(0, 2)).sum())
            ports.expected["m"] += [{"data": word, "kind": kind} for word in words(y, p["LANES_OUT"], p["OUT_WIDTH"])]
        ports.any_pace()
        if vectors == 40:
            ports.full_speed()
            ports.share["m"] = 0.05
        # The next batch is at the gate while the weights change.
        for job in blocks(rng, rows, columns, p["LANES_OUT"], p["LANES_IN"], p["JB"], p["IB"]):
            await write(dut, ports, p, job, weights, bias)
        await pulse(dut, dut.updated)
        state["granted"] = True
        while ports.to_send["s"]:
            await ports.tick()
            HITS["clocks"] += 1
        # From its last word on, the gate is closed; the last word itself was let through in the clock before.
        state["granted"] = False
        await ports.run()
        dut.idle.value = rng.getrandbits(1)
    assert seen == expected and expected["saturated"] and HITS["waiting"], f"{seen} instead of {expected}"
    report()


async def write(dut, ports: Ports, p: dict[str, int], job: tuple, weights: np.ndarray, bias: np.ndarray) -> None:
    """One group of the weight bus."""
    is_bias, jw, js, iw, part = job
    j, i = jw * p["LANES_OUT"] + js * p["JB"], iw * p["LANES_IN"] + part * p["IB"]
    if is_bias:
        lanes = [bias[j + a, 0] if b == 0 else ports.rng.getrandbits(9) for a in range(p["JB"]) for b in range(p["IB"])]
    else:
        lanes = [weights[j + a, i + b] for a in range(p["JB"]) for b in range(p["IB"])]
    dut.bus_valid.value = 1
    dut.bus_addr.value = place(*job, forward=p["GROUPS"])
    dut.bus_data.value = pack(lanes, p["WEIGHT_WIDTH"])
    await ports.tick()
    dut.bus_valid.value = 0
