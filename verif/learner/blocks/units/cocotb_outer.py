"""rlc_nn_weight_grad: gradients and bias sums of whole batches against integers, read group by group."""

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, unpack
from cocotb.triggers import FallingEdge
from units_bench import Ports, blocks, matrix, place, words

NAMES = ("DP", "LANES_J", "WORDS_J", "LANES_I", "WORDS_I", "GROUPS", "JB", "IB", "X_WIDTH")


@cocotb.test()
async def the_sums_of_a_batch_are_exact_whatever_came_before(dut):
    p = dict(zip(NAMES, integers(dut, *NAMES), strict=True))
    ports = Ports(dut, {"s_d": ["data"], "s_x": ["data"]}, {})
    rng = ports.rng
    rows, columns = p["LANES_J"] * p["WORDS_J"], p["LANES_I"] * p["WORDS_I"]
    done = 0

    def look() -> None:
        nonlocal done
        done += int(dut.done.value)
        HITS["busy"] += int(dut.busy.value)
        HITS["waiting"] += int(dut.waiting.value)

    ports.each_clock.append(look)
    await ports.start(idle=1, vectors=1, cfg_bias_shift=0, grad_en=0, grad_addr=0)
    sets = -(-p["WORDS_I"] // p["GROUPS"])
    for number in range(16):
        vectors, bias_shift = rng.choice((1, 2, 5)), rng.randint(0, 20)
        dut.vectors.value, dut.cfg_bias_shift.value = vectors, bias_shift
        await FallingEdge(dut.clk)
        dut.idle.value = 0
        sums, bias = np.zeros((rows, columns), object), np.zeros(rows, object)
        for _ in range(vectors):
            delta, x = matrix(rng, p["DP"], rows, p["X_WIDTH"]), matrix(rng, p["DP"], columns, p["X_WIDTH"])
            sums, bias = sums + delta.T @ x, bias + delta.sum(axis=0)
            ports.to_send["s_d"] += [{"data": word} for word in words(delta, p["LANES_J"], p["X_WIDTH"])]
            ports.to_send["s_x"] += [{"data": word} for word in words(x, p["LANES_I"], p["X_WIDTH"])]
        if number % 3:
            ports.any_pace()
        else:
            ports.full_speed()
        before = done
        start = ports.clock
        while done == before:
            await ports.tick()
            assert ports.clock < start + 4000, "the batch never ended"
        assert done == before + 1 and not any(ports.to_send.values())
        if number % 3 == 0:
            steps = vectors * max(p["WORDS_J"] * sets, p["DP"] + 3)
            assert ports.clock - start <= steps + p["DP"] + p["GROUPS"] + 12, "vectors do not follow each other"
        await read(dut, ports, p, sums, bias * 2**bias_shift)
        dut.idle.value = number % 2
        await ports.tick()
    assert HITS["busy"] and HITS["words"]
    report()


async def read(dut, ports: Ports, p: dict[str, int], sums: np.ndarray, bias: np.ndarray) -> None:
    """Every group, one a clock; each comes four clocks after it was asked for."""
    jobs = blocks(ports.rng, *sums.shape, p["LANES_J"], p["LANES_I"], p["JB"], p["IB"])
    asked: list[tuple | None] = []
    for job in [*jobs, *[None] * 5]:
        dut.grad_en.value = int(job is not None)
        dut.grad_addr.value = place(*(job or (0, 0, 0, 0, 0)), backward=p["GROUPS"])
        asked.append(job)
        await FallingEdge(dut.clk)
        answered = asked[-4] if len(asked) >= 4 else None
        if answered is None:
            continue
        is_bias, jw, js, iw, part = answered
        j, i = jw * p["LANES_J"] + js * p["JB"], iw * p["LANES_I"] + part * p["IB"]
        data = dut.grad_data.value
        for a in range(p["JB"]):
            for b in range(1 if is_bias else p["IB"]):
                lane = a * p["IB"] + b
                (value,) = unpack(int(data[48 * lane + 47 : 48 * lane]), 48, 1)
                wanted = bias[j + a] if is_bias else sums[j + a, i + b]
                assert value == wanted, f"{answered} lane {lane}: {value} instead of {wanted}"
                HITS["words"] += 1
    dut.grad_en.value = 0
