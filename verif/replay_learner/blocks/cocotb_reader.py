"""rlc_replay_reader behind a memory that answers in any order of IDs, beats of several reads mixed, with errors."""

import random
from collections import deque

import cocotb
from bench_handshake import Sink, Source
from replay_bench import Bench

INDEX, TAG = 12, 8  # the defaults of INDEX_WIDTH and TAG_WIDTH
BASE = 3 << 30


def data_of(address: int, beat: int, width: int) -> int:
    """What memory holds: a number that tells address and beat."""
    return random.Random(address << 9 | beat).getrandbits(width)


async def traffic(dut, count: int, p: float, p_void: float, p_error: float, mixed: bool) -> None:
    bench = Bench(dut)
    width, beats, reads = (int(x.value) for x in (dut.DATA_WIDTH, dut.BEATS, dut.READS))
    stride = 1 << int(dut.STRIDE_LOG2.value)
    tags = Source(dut, "s_tag_valid", "s_tag_ready", {"tag": "s_tag"}, p)
    asks = Sink(
        dut, "m_axi_arvalid", "m_axi_arready", {n: f"m_axi_ar{n}" for n in ("id", "addr", "len", "size", "burst")}, p
    )
    fields = {n: f"m_axi_r{n}" for n in ("id", "data", "resp", "last")}
    answers = Source(dut, "m_axi_rvalid", "m_axi_rready", fields, p)
    records = Sink(dut, "m_rec_valid", "m_rec_ready", {"rec": "m_rec"}, p)
    beats_out = Sink(dut, "m_beat_valid", "m_beat_ready", {"data": "m_beat_data"}, p)
    asks.shy = p < 0.5
    epoch, place = random.getrandbits(2), (reads - 1).bit_length()
    await bench.start([tags, asks, answers, records, beats_out], cfg_base=BASE, epoch=epoch, drop=0, flush=0, sampled=0)
    hits = bench.hits

    # What goes in, and what must come out.
    void = 1 << 19 + TAG + INDEX
    order, wanted = [], deque()
    for _ in range(count):
        tag = random.getrandbits(20 + TAG + INDEX) & ~void
        tag |= void * (random.random() < p_void)
        order.append(tag)
        tags.queue.append({"tag": tag})
        if not tag & void:
            wanted.append(BASE + (tag & (1 << INDEX) - 1) * stride)
    flying: dict[int, dict] = {}  # reads in memory, by ID
    wrong: list[bool] = []  # of each read, in the order asked: it has an error
    asked: list[dict] = []
    failures, got, got_beats = [], [], []
    last_id = None
    while len(got) < count or len(got_beats) < beats * sum(not r & void for r in got) or flying or answers.queue:
        # Memory: one of the reads gives its next beat.
        if flying and not answers.queue:
            read = random.choice(list(flying.values())) if mixed else next(iter(flying.values()))
            last = read["beat"] == beats - 1
            bad = random.random() < p_error
            read["bad"] |= bad
            hits["errors before the last beat"] += bad and not last
            hits["interleaved"] += last_id in flying and last_id != read["id"]
            hits["overtaken"] += last and read is not next(iter(flying.values()))
            word = data_of(read["addr"], read["beat"], width)
            response = random.choice((2, 3)) if bad else 0
            answers.queue.append({"id": read["id"], "data": word, "resp": response, "last": int(last)})
            read["beat"] += 1
            last_id = read["id"]
            if last:
                del flying[read["id"]]
                wrong[read["number"]] = read["bad"]
        # Beats that were asked for before a reset, at any time; with last and with errors.
        if p < 1 and not answers.offering and random.random() < 0.1:
            stale = (epoch + random.randint(1, 3)) % 4 << place | random.getrandbits(place)
            word = {"data": random.getrandbits(width), "resp": random.getrandbits(2), "last": random.getrandbits(1)}
            answers.queue.appendleft({"id": stale} | word)
            hits["beats of before a reset"] += 1
        await bench.settle()
        fetched = int(dut.fetched.value)
        # Complete in order, as far as memory has said: fetched may not be ahead of it.
        reads_done = next((i for i, read in enumerate(asked) if not read["taken"]), len(asked))
        limit, seen = 0, 0
        for tag in order:
            if not tag & void:
                if seen == reads_done:
                    break
                seen += 1
            limit += 1
        assert fetched <= limit, "a record counts as fetched before it is here"
        tags.sample()
        if ask := asks.sample():
            assert ask["addr"] == wanted.popleft() and ask["len"] == beats - 1 and ask["burst"] == 1
            assert 8 << ask["size"] == width and ask["id"] not in flying and ask["id"] >> place == epoch
            read = {**ask, "beat": 0, "bad": False, "taken": False, "number": len(asked)}
            flying[ask["id"]] = read
            asked.append(read)
            wrong.append(False)
            hits["all in flight"] += len(flying) == reads
            assert len(flying) <= reads
        if (answer := answers.sample()) and answer["last"] and answer["id"] >> place == epoch:
            next(r for r in asked if r["id"] == answer["id"] and not r["taken"])["taken"] = True
        if record := records.sample():
            got.append(record["rec"])
        if beat := beats_out.sample():
            got_beats.append(beat["data"])
        if int(dut.failed.value):
            failures.append(int(dut.failed_addr.value))
        await bench.next()
    for _ in range(20):
        await bench.settle()
        answers.sample()
        assert not records.sample() and not beats_out.sample() and not int(dut.failed.value)
        await bench.next()
    await bench.settle()
    assert int(dut.fetched.value) == count
    await bench.next()

    states, expected, expected_beats, expected_failures = iter(wrong), [], [], []
    for tag in order:
        address = BASE + (tag & (1 << INDEX) - 1) * stride
        bad = not tag & void and next(states)
        expected.append(tag | void * bad)
        if bad:
            expected_failures.append(address)
        elif not tag & void:
            expected_beats += [data_of(address, beat, width) for beat in range(beats)]
    assert got == expected and got_beats == expected_beats and failures == expected_failures
    hits["records"] += count
    hits["voids"] += sum(bool(tag & void) for tag in order)
    hits["failures"] += len(failures)
    hits["clocks"] = bench.clock
    if p < 1:
        del hits["clocks"]
        bench.report()
    else:
        # One beat a clock when the places cover the way through, which is 12 clocks with this memory.
        assert bench.clock <= count * max(beats, -(-(beats + 12) // reads)) + 60, bench.clock


@cocotb.test()
async def beats_in_any_order_come_out_in_order(dut) -> None:
    await traffic(dut, 400, 0.6, 0.15, 0.05, mixed=True)


@cocotb.test()
async def slow_consumers_and_a_fast_memory(dut) -> None:
    await traffic(dut, 150, 0.25, 0.5, 0.3, mixed=True)


@cocotb.test()
async def a_beat_a_clock_when_nothing_stalls(dut) -> None:
    await traffic(dut, 200, 1.0, 0.0, 0.0, mixed=False)


@cocotb.test()
async def a_reset_at_any_time_leaves_nothing_on_its_way(dut) -> None:
    bench = Bench(dut)
    width, beats = int(dut.DATA_WIDTH.value), int(dut.BEATS.value)
    tags = Source(dut, "s_tag_valid", "s_tag_ready", {"tag": "s_tag"}, 0.9)
    asks = Sink(dut, "m_axi_arvalid", "m_axi_arready", {"id": "m_axi_arid"}, 0.9)
    answers = Source(
        dut, "m_axi_rvalid", "m_axi_rready", {n: f"m_axi_r{n}" for n in ("id", "data", "resp", "last")}, 0.9
    )
    out = [
        Sink(dut, "m_rec_valid", "m_rec_ready", {"rec": "m_rec"}, 0.9),
        Sink(dut, "m_beat_valid", "m_beat_ready", {"data": "m_beat_data"}, 0.9),
    ]
    await bench.start([tags, asks, answers, *out], cfg_base=BASE, epoch=0, drop=0, flush=0, sampled=0)
    came = 0
    for round_ in range(60):
        for _ in range(random.randint(5, 60)):
            if not tags.queue:
                tags.queue.append({"tag": random.getrandbits(18 + TAG + INDEX)})
            await bench.settle()
            tags.sample()
            answers.sample()
            if ask := asks.sample():
                word = {"id": ask["id"], "data": random.getrandbits(width), "resp": 0}
                answers.queue.extend({**word, "last": int(beat == beats - 1)} for beat in range(beats))
            came += sum(port.sample() is not None for port in out)
            await bench.next()
        for port in (tags, answers, asks, *out):
            port.clear()
        tags.rest()
        answers.rest()
        dut.rst.value = 1
        await bench.next()
        dut.rst.value, dut.epoch.value = 0, (round_ + 1) % 4
        for _ in range(8):
            await bench.settle()
            assert not any(int(x.value) for x in (dut.m_axi_arvalid, dut.m_rec_valid, dut.m_beat_valid, dut.failed))
            await bench.next()
    assert came > 200
