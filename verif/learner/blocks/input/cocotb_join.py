"""rlc_learner_join: vectors of two streams, one behind the other, whoever of the three stalls."""

import cocotb
from bench_hits import HITS, report
from bench_pins import integers
from reset_bench import reset
from units_bench import Ports

VECTORS = 60
SOURCES = {"s_a": ["data"], "s_b": ["data"]}


def fill(bench: Ports, width: int, words_a: int, words_b: int) -> None:
    for _ in range(VECTORS):
        for name, count in (("s_a", words_a), ("s_b", words_b)):
            words = [{"data": bench.rng.getrandbits(width)} for _ in range(count)]
            bench.to_send[name] += words
            bench.expected["m"] += words


@cocotb.test()
async def a_vector_of_a_is_followed_by_one_of_b(dut) -> None:
    shape = integers(dut, "WIDTH", "WORDS_A", "WORDS_B")
    bench = Ports(dut, SOURCES, {"m": ["data"]})
    await bench.start()
    for _ in range(6):
        bench.any_pace()
        fill(bench, *shape)
        await bench.run()
    bench.full_speed()
    begin = bench.clock
    fill(bench, *shape)
    await bench.run(rest=1)
    HITS["full speed"] += 1
    assert bench.clock - begin <= VECTORS * (shape[1] + shape[2]) + 2, "not a word a clock"
    report()


@cocotb.test()
async def reset_begins_with_a_again(dut) -> None:
    shape = integers(dut, "WIDTH", "WORDS_A", "WORDS_B")
    bench = Ports(dut, SOURCES, {"m": ["data"]})
    await bench.start()
    fill(bench, *shape)
    for _ in range(shape[1] + 1):
        await bench.tick()
    await reset(dut, SOURCES)
    again = Ports(dut, SOURCES, {"m": ["data"]})
    fill(again, *shape)
    await again.run()
