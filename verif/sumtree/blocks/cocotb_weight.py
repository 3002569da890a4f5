"""rlc_sumtree_weight against the model: batches of every size, empty answers, restarts, random stalls."""

import random

import cocotb
import numpy as np
from maths_reference import Answer, batch_limit, weigh
from stream_bench import Stream

from rlcores.cores.sumtree import maths

FIELDS = ["status", "priority", "total", "payload"]
BETAS = [0, 1, 13107, 32767, 32768]


def answers(dut, count: int, p_empty: float) -> list[dict[str, int]]:
    """Answers of one tree: totals that drift, priorities of every size up to the total, ends often."""
    width, total_width = len(dut.m_priority), len(dut.m_total)
    stream = []
    total = random.randrange(1, 2**total_width)
    for _ in range(count):
        if random.random() < 0.2:
            total = max(1, random.getrandbits(random.randrange(1, total_width + 1)))
        largest = min(total, 2**width - 1)
        priority = random.randint(1, max(1, largest >> random.randrange(width)))
        priority = random.choice([1, largest, priority, priority, priority])
        status = random.choice([1, 2, 3]) if random.random() < p_empty else 0
        # What a refused answer carries says nothing.
        if status:
            priority, total = random.getrandbits(width), random.getrandbits(total_width)
        stream.append({"status": status, "priority": priority, "total": total})
        total = max(total, 1)
    for word in stream:
        word["payload"] = random.getrandbits(len(dut.m_payload))
    return stream


def expect(stream: list[dict | None], batch: int, batch_max: int, beta: int, enable: bool) -> list[dict[str, int]]:
    """What comes out; None among the answers is a restart."""
    rows = [w and Answer(w["status"], w["priority"], w["total"]) for w in stream]
    weights = list(weigh(rows, batch, batch_max, beta, enable))
    words = [w for w in stream if w is not None]
    return [dict(w, weight=x, last=int(last)) for w, (x, last) in zip(words, weights, strict=False)]


async def ready(dut) -> Stream:
    bench = Stream(dut, FIELDS, [*FIELDS, "weight", "last"])
    await bench.start(cfg_enable=1, cfg_batch=1, cfg_restart=0, cfg_beta=0)
    return bench


async def configure(bench: Stream, batch: int, beta: int, enable: int = 1) -> None:
    """Settings, two clocks before anything is offered."""
    dut = bench.dut
    dut.cfg_batch.value, dut.cfg_beta.value, dut.cfg_enable.value = batch, beta, enable
    await bench.run([], [])
    for _ in range(2):
        await cocotb.triggers.FallingEdge(dut.clk)
        bench.clock += 1


@cocotb.test()
async def every_weight_equals_the_model(dut) -> None:
    bench, batch_max = await ready(dut), int(dut.BATCH_MAX.value)
    for number in range(24):
        batch = random.choice([0, 1, 2, 3, batch_max - 1, batch_max, batch_max + 1, random.randrange(65536)])
        beta = random.choice([*BETAS, random.randrange(2**15)])
        limit = batch_limit(batch, batch_max, True)
        stream = answers(dut, limit * max(2, 60 // limit), [0.0, 0.2, 1.0][number % 3])
        expected = expect(stream, batch, batch_max, beta, True)
        assert len(expected) == len(stream)
        await configure(bench, batch, beta)
        await bench.run(stream, expected, random.choice([0.3, 0.9, 1.0]), random.choice([0.3, 0.9, 1.0]))
        ok = np.array([w["status"] == 0 for w in stream])
        weight = np.array([w["weight"] for w in expected])
        bench.hits["empty"] += int((~ok).sum())
        bench.hits["all empty"] += int(not ok.any())
        bench.hits["one"] += int((weight == maths.WEIGHT_ONE).sum())
        bench.hits["between"] += int((ok & (weight > 0) & (weight < maths.WEIGHT_ONE)).sum())
        bench.hits[f"batch {min(limit, 2) if limit < batch_max else 'max'}"] += 1
    bench.report()


@cocotb.test()
async def one_answer_a_clock_with_batches_back_to_back(dut) -> None:
    bench, batch_max = await ready(dut), int(dut.BATCH_MAX.value)
    for batch in (batch_max, max(1, batch_max // 2), 1, 3):
        limit = batch_limit(batch, batch_max, True)
        stream = answers(dut, limit * max(4, 100 // limit), 0.1)
        await configure(bench, batch, 16384)
        times = await bench.run(stream, expect(stream, batch, batch_max, 16384, True))
        assert times[-1][0] - times[0][0] == len(stream) - 1, f"batch {batch}: refused an answer"
        assert times[-1][1] - times[0][1] == len(stream) - 1, f"batch {batch}: a gap between answers"
        # The header's latency, of totals of 17 bits and more.
        clocks = times[0][1] - times[limit - 1][0]
        assert clocks == 23 or (clocks < 23 and len(dut.m_total) < 17), clocks
    stream = answers(dut, 60, 0.1)
    await configure(bench, 4, 16384, enable=0)
    times = await bench.run(stream, expect(stream, 4, batch_max, 16384, False))
    assert {out - into for into, out in times} == {4}, "answers without weights wait"
    assert times[-1][1] - times[0][1] == len(stream) - 1


@cocotb.test()
async def a_slow_reader_of_small_batches_loses_none(dut) -> None:
    bench, batch_max = await ready(dut), int(dut.BATCH_MAX.value)
    for batch in (1, 2):
        # Far more batches than the unit keeps open.
        stream = answers(dut, 240, 0.1)
        await configure(bench, batch, 9000)
        await bench.run(stream, expect(stream, batch, batch_max, 9000, True), 1.0, 0.15)
    assert bench.hits["refused"] > 50
    bench.report()


@cocotb.test()
async def settings_changed_inside_a_batch_wait_for_the_next(dut) -> None:
    bench, batch_max = await ready(dut), int(dut.BATCH_MAX.value)
    for number in range(20):
        batch, enable = random.randint(1, batch_max), number % 2
        stream = answers(dut, batch, 0.2)
        await configure(bench, batch, 32768, enable)

        def disturb(taken: int, count: int = batch) -> None:
            if 0 < taken < count:
                dut.cfg_batch.value = random.randint(0, 2 * batch_max)
                dut.cfg_enable.value = random.getrandbits(1)

        await bench.run(stream, expect(stream, batch, batch_max, 32768, bool(enable)), 0.9, 0.9, disturb)


@cocotb.test()
async def without_weights_answers_pass_and_batches_are_still_counted(dut) -> None:
    bench, batch_max = await ready(dut), int(dut.BATCH_MAX.value)
    for batch in (0, 1, 7, batch_max + 5):
        stream = answers(dut, 2 * batch + 3, 0.2)
        await configure(bench, batch, 20000, enable=0)
        expected = expect(stream, batch, batch_max, 20000, False)
        assert len(expected) == len(stream) and all(w["weight"] == maths.WEIGHT_ONE for w in expected)
        await bench.run(stream, expected, 0.8, 0.8)
        dut.cfg_restart.value = 1  # the batch that was begun ends with no last
        await configure(bench, batch, 0)
        dut.cfg_restart.value = 0
    # On and off in turn, whole batches: the order holds between those that wait and those that do not.
    for number in range(12):
        batch, enable = random.randint(1, batch_max), number % 2
        stream = answers(dut, batch, 0.2)
        await configure(bench, batch, 32768, enable)
        bench.hits["turns"] += 1
        await bench.run(stream, expect(stream, batch, batch_max, 32768, bool(enable)), 1.0, 0.5)
    bench.report()


@cocotb.test()
async def an_incomplete_batch_waits_until_it_is_full_or_restarted(dut) -> None:
    bench, batch_max = await ready(dut), int(dut.BATCH_MAX.value)
    batch, beta = batch_max, 13107
    for part in {1, batch // 2, batch - 1} - {0, batch}:
        # A whole batch, then one that is begun: the whole one leaves, the other waits.
        await configure(bench, batch, beta)
        stream = answers(dut, batch + part, 0.1)
        expected = expect(stream, batch, batch_max, beta, True)
        assert len(expected) == batch
        await bench.run(stream, expected, 1.0, 0.7)
        # Restart: it leaves as a batch of its own, and the count begins again.
        more = answers(dut, batch, 0.1)
        expected = expect([*stream, None, *more], batch, batch_max, beta, True)[batch:]
        assert len(expected) == part + batch and expected[part - 1]["last"]
        dut.cfg_restart.value = 1
        await cocotb.triggers.FallingEdge(dut.clk)
        dut.cfg_restart.value = 0
        await cocotb.triggers.FallingEdge(dut.clk)
        bench.hits["restarts"] += 1
        await bench.run(more, expected, 1.0, 0.7)
    # A restart with nothing begun changes nothing, and other sizes may follow it.
    dut.cfg_restart.value = 1
    await configure(bench, 1, beta)
    dut.cfg_restart.value = 0
    stream = answers(dut, 8, 0.0)
    await bench.run(stream, expect(stream, 1, batch_max, beta, True))
    bench.report()


@cocotb.test()
async def restarts_at_any_clock_cut_the_batch_there(dut) -> None:
    bench, batch_max = await ready(dut), int(dut.BATCH_MAX.value)
    beta = 32768
    for _ in range(8):
        batch = random.randint(1, batch_max)
        await configure(bench, batch, beta)
        stream = answers(dut, 120, 0.1)
        pulses: list[int] = []

        def restart(taken: int, pulses: list[int] = pulses, count: int = len(stream)) -> None:
            # At random while answers come, and at the end, which lets out what is left.
            pulse = random.random() < 0.1 if taken < count else not pulses or pulses[-1] <= bench.taken[-1]
            dut.cfg_restart.value = int(pulse)
            if pulse:
                pulses.append(bench.clock)

        await bench.run(stream, len(stream), 0.8, 0.9, restart)
        rows: list[dict | None] = []
        for word, clock in zip(stream, bench.taken, strict=True):
            while pulses and pulses[0] < clock:
                rows.append(None)
                del pulses[0]
            rows.append(word)
        expected = expect([*rows, None], batch, batch_max, beta, True)
        assert bench.came == expected
        bench.hits["restarts"] += rows.count(None)
    assert bench.hits["restarts"] > 10
    bench.report()
