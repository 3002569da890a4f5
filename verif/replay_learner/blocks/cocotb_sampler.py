"""rlc_replay_sampler: batches asked for in the order that D allows, to their end; each answer with its weight."""

import random
from collections import deque

import cocotb
from bench_handshake import Sink, Source
from replay_bench import Bench

INDEX, TAG = 12, 8  # the defaults of INDEX_WIDTH and TAG_WIDTH
ANSWER = ("index", "generation", "weight", "status", "last")


def pulse(p: float) -> int:
    return int(random.random() < p)


async def traffic(dut, runs: int, p: float) -> None:
    bench = Bench(dut)
    longest, most = int(dut.BATCH_MAX.value), int(dut.AHEAD_MAX.value)
    requests = Sink(dut, "m_sample_valid", "m_sample_ready", {}, p)
    answers = Source(dut, "s_answer_valid", "", {n: f"s_answer_{n}" for n in ANSWER}, p)
    tags = Sink(dut, "m_tag_valid", "m_tag_ready", {"tag": "m_tag"}, p)
    quiet = dict.fromkeys(("start", "stop", "flush", "updated", "enough", "cfg_batch", "cfg_steps", "cfg_ahead"), 0)
    await bench.start([requests, answers, tags], rest=2, **quiet)
    hits = bench.hits
    wanted: deque[int] = deque()
    taken = voids = wrong = seen_voids = seen_wrong = 0

    def answer(last: bool) -> None:
        nonlocal voids, wrong
        status, misplaced = random.choice((0, 0, 0, 0, 0, 1, 2)), random.random() < 0.02
        weight = random.choice((1 << 31, (1 << 14) - 1 << 13, random.randint(0, 1 << 31)))
        word = {"index": random.getrandbits(INDEX), "generation": random.getrandbits(TAG), "weight": weight}
        answers.queue.append(word | {"status": status, "last": int(last != misplaced)})
        rounded = weight + (1 << 13) >> 14
        slot = word["generation"] << INDEX | word["index"]
        wanted.append(((status != 0) << 1 | last) << 18 + TAG + INDEX | rounded << TAG + INDEX | slot)
        voids, wrong = voids + (status != 0), wrong + misplaced

    for run in range(runs):
        size = longest if run == 0 else random.randint(1, longest)
        ahead = random.randint(0, random.choice((most, min(most, 3))))
        steps = random.choice((0, 1, random.randint(2, 12)))
        dut.cfg_batch.value, dut.cfg_steps.value, dut.cfg_ahead.value = size, steps, ahead
        stop_at = random.randint(2, 40) if steps == 0 or random.random() < 0.3 else None  # in requests
        asked = updated = 0  # requests taken, batches updated
        begun = running = stopped = was_enough = False
        owed = 0  # requests without an answer
        clock = 0
        while True:
            starts, enough = clock == 1, clock > 5 and pulse(0.8)
            stops = int(clock > 3 and stop_at is not None and asked >= stop_at and not stopped)
            complete, inside = divmod(asked, size)
            may = running is False or complete - updated > ahead
            # Updated is what may be updated, is whole and has its answers.
            does = clock > 3 and may and complete > updated and not inside and owed == 0 and pulse(0.3)
            begun = begun or starts
            for name, value in (("start", starts), ("stop", stops), ("enough", enough), ("updated", does)):
                getattr(dut, name).value = int(value)
            await bench.settle()
            assert int(dut.sampled.value) == taken and int(dut.ahead.value) == complete - updated
            assert int(dut.running.value) == running
            assert int(dut.waiting.value) == (owed > 0)
            if int(dut.m_sample_valid.value):
                assert running or inside or was_enough, "a batch begins that must not"
                assert inside or complete - updated <= ahead, "sampling is more than D batches ahead"
                hits["asked at D ahead"] += complete - updated == ahead and not inside
            if begun and clock > 3:
                allowed = int(dut.may_update.value)
                asking = int(dut.sampling.value)
                assert asking or not inside
                assert allowed == (complete - updated > ahead or not (running or asking)), "updates out of order"
                hits["updates held back"] += complete > updated and not allowed
            if tag := tags.sample():
                assert tag["tag"] == wanted.popleft()
                hits["tags"] += 1
            if answers.sample():
                owed -= 1
            seen_voids += int(dut.ev_empty.value)
            seen_wrong += int(dut.ev_mismatch.value)
            request = requests.sample() is not None
            assert int(dut.ev_sample.value) == request
            if request:
                answer(inside == size - 1)
                asked, taken, owed = asked + 1, taken + 1, owed + 1
            updated += does
            hits["stopped inside a batch"] += stops and asked % size > 0
            running = (running or starts) and not stops and not (steps and asked == steps * size)
            stopped = stopped or bool(stops)
            was_enough = enough
            clock += 1
            await bench.next()
            if (
                begun
                and not running
                and clock > 4
                and updated * size == asked
                and not wanted
                and not int(dut.sampling.value)
            ):
                break
        assert owed == 0 and (stopped or asked == steps * size), "a run ended too early"
        hits["batches"] += updated
        hits["runs to their end"] += bool(steps) and asked == steps * size
        hits["stops"] += stopped
    # Answers that nobody asked for.
    answers.queue.extend(dict.fromkeys(ANSWER, 0) for _ in range(5))
    for _ in range(60):
        await bench.settle()
        answers.sample()
        assert not int(dut.m_tag_valid.value) and not int(dut.ev_answer.value)
        seen_voids += int(dut.ev_empty.value)
        seen_wrong += int(dut.ev_mismatch.value)
        await bench.next()
    assert not answers.queue and (seen_voids, seen_wrong) == (voids, wrong)
    hits["voids"] += voids
    hits["misplaced ends"] += wrong
    bench.report()


@cocotb.test()
async def batches_are_asked_for_in_one_order(dut) -> None:
    await traffic(dut, 40, 0.7)


@cocotb.test()
async def everything_stalls(dut) -> None:
    await traffic(dut, 20, 0.25)


@cocotb.test()
async def a_stop_wins_over_a_start_in_its_clock(dut) -> None:
    bench = Bench(dut)
    quiet = dict.fromkeys(("stop", "flush", "updated", "s_answer_valid", "m_sample_ready", "m_tag_ready"), 0)
    await bench.start([], start=0, enough=1, cfg_batch=1, cfg_steps=0, cfg_ahead=0, **quiet)
    for stops in (0, 1, 1, 0):
        for start, stop in ((1, stops), (0, 0), (0, 0)):
            dut.start.value, dut.stop.value = start, stop
            await bench.next()
        assert int(dut.running.value) == int(dut.m_sample_valid.value) == 1 - stops
        dut.stop.value, dut.m_sample_ready.value = 1, 1
        await bench.next()
        dut.stop.value = 0
        for _ in range(3):
            await bench.next()
        assert not int(dut.running.value) and not int(dut.sampling.value)
        dut.m_sample_ready.value, dut.flush.value = 0, 1
        await bench.next()
        dut.flush.value = 0
        await bench.next()
        assert int(dut.ahead.value) == 0 and not int(dut.waiting.value)


@cocotb.test()
async def a_run_without_a_number_of_batches_ends_at_no_number(dut) -> None:
    """Not even where the count of batches, which runs along, comes to its last one: 2^32 batches later."""
    bench = Bench(dut)
    quiet = dict.fromkeys(("stop", "flush", "updated", "s_answer_valid", "m_tag_ready"), 0)
    await bench.start([], start=1, enough=0, cfg_batch=1, cfg_steps=0, cfg_ahead=0, m_sample_ready=1, **quiet)
    await bench.next()
    dut.start.value = 0
    await bench.next()
    dut.steps_q.value = 1
    dut.enough.value = 1
    for _ in range(5):
        for updated in (0, 0, 0, 1):
            dut.updated.value = updated
            await bench.next()
        assert int(dut.running.value)
