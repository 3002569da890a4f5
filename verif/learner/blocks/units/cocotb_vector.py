"""rlc_nn_vector: each vector is played the given number of times, however both ends stall."""

import cocotb
from bench_hits import HITS, report
from bench_pins import integers
from units_bench import Ports


@cocotb.test()
async def every_vector_is_played_as_often_as_it_must_be(dut):
    count, times, width = integers(dut, "WORDS", "TIMES", "WIDTH")
    ports = Ports(dut, {"s": ["data"]}, {"m": ["data"]})
    await ports.start()
    for turn in range(12):
        ports.any_pace()
        for _ in range(10):
            vector = [ports.rng.getrandbits(width) for _ in range(count)]
            ports.to_send["s"] += [{"data": word} for word in vector]
            ports.expected["m"] += [{"data": word} for word in vector * times]
        await ports.run(rest=5 if turn % 2 else 0)
    # Long enough, one word a clock leaves.
    ports.full_speed()
    for _ in range(20):
        vector = [ports.rng.getrandbits(width) for _ in range(count)]
        ports.to_send["s"] += [{"data": word} for word in vector]
        ports.expected["m"] += [{"data": word} for word in vector * times]
    first = ports.clock
    await ports.run(rest=0)
    assert ports.clock - first <= 20 * count * times + 2, "words do not follow each other every clock"
    HITS["turns"] += 12
    report()
