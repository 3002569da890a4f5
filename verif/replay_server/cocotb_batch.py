"""rlc_replay_server_batch against the text that its list and records make: batches of any size, from any part on."""

import random
from collections import deque

import cocotb
from bench_handshake import Sink, Source, port
from bench_pins import integers, pulse, start, write
from cocotb.triggers import FallingEdge, ReadOnly

GONE = 1 << 63  # of an entry's first word
IDLE = 2000  # clocks in which nothing moves, after which the bench ends


@cocotb.test()
async def every_text_is_that_of_its_list_and_its_records(dut):
    index_width, record, piece, most = integers(dut, "INDEX_WIDTH", "RECORD_BYTES", "PART_BYTES", "SAMPLE_MAX")
    record, piece, most = record // 8, piece // 8, min(most, 20)
    coming, beats = Source(dut, "s_entry_valid", "", {"data": "s_entry_data"}), Source(dut, *port("s_beat", ["data"]))
    asks, texts = Sink(dut, *port("m_slot", ["data"]), 0.5), Sink(dut, *port("m_text", ["data"]), 0.7)
    parts_out = Sink(dut, *port("m_part", ["part", "parts", "words", "gone", "last"]), 0.5)
    ports = coming, beats, asks, texts, parts_out
    for one in ports:
        one.rest()
    await start(dut, "begins", "go", "fetch")
    seen = dict.fromkeys(("gone", "late", "within"), 0)
    for turn in range(40):
        count = most if turn < 4 else random.randint(1, most)
        # Every record is gone, and then none is.
        gone = [turn % 4 == 0 or (turn % 4 == 1 and random.random() < 0.2) for _ in range(count)]
        slots = [random.getrandbits(index_width) for _ in range(count)]
        entries = [
            (random.getrandbits(31) << 32 | slot | GONE * g, random.getrandbits(64))
            for slot, g in zip(slots, gone, strict=True)
        ]
        records = [[random.getrandbits(64) for _ in range(record)] for _ in range(count)]
        total, size = random.getrandbits(64), random.getrandbits(32)
        first = 2 + 2 * count
        words = [total, size, *(word for entry in entries for word in entry)]
        words += [0 if g else word for g, row in zip(gone, records, strict=True) for word in row]
        parts = -(-len(words) // piece)
        part = random.randrange(parts)
        asked = random.choice((0, 1, 2, parts))
        stop = parts if asked == 0 else min(part + asked, parts)
        begin, end = part * piece, min(stop * piece, len(words))
        inside = [n for n in range(count) if first + n * record < end and first + (n + 1) * record > begin]
        wanted_slots = deque(n for n in inside if not gone[n])
        wanted = deque(words[begin:end])
        heads = deque()
        for n in range(part, stop):
            low, high = n * piece, min((n + 1) * piece, len(words))
            holds = [gone[k] for k in range(count) if first + k * record < high and first + (k + 1) * record > low]
            heads.append((n, parts, high - low, any(holds), n == stop - 1))
        seen["gone"] += any(head[3] for head in heads)
        seen["within"] += bool(inside) and first + inside[0] * record < begin and len(inside) > 1

        write(dut, count=count, part=part, parts=asked)
        await pulse(dut, dut.begins)
        # Where none is gone, the text may begin before its list is there.
        early = not any(gone) and random.random() < 0.7
        seen["late"] += early
        pace = random.choice((1.0, 0.5, 0.1))
        coming.queue.extend({"data": high << 64 | low} for low, high in entries)
        went, still = False, 0
        while wanted or not dut.finished.value:  # the last word may wait in its register
            go = not went and (early or not coming.queue) and random.random() < 0.3
            went = went or go
            dut.go.value = int(go)
            if go:
                write(dut, total=total, size=size)
            coming.share = pace if went or not early else 0.0
            fetch = random.random() < 0.9
            dut.fetch.value = int(fetch)
            if not fetch:  # which takes back the slot that is asked for
                asks.clear()
            for one in ports:
                one.drive()
            await ReadOnly()
            still += 1
            coming.sample()
            if beats.sample():
                still = 0
            if ask := asks.sample():
                at, still = wanted_slots.popleft(), 0
                assert ask["data"] == slots[at], f"the record of entry {at} is not asked for"
                beats.queue.extend({"data": word} for word in records[at])
            if head := parts_out.sample():
                assert tuple(head.values()) == heads.popleft(), f"a part is {head}"
                still = 0
            if text := texts.sample():
                assert text["data"] == wanted.popleft(), f"{len(wanted)} words before the end"
                still = 0
            assert still < IDLE, f"nothing moves: {len(wanted)} words, {len(heads)} parts, {len(wanted_slots)} slots"
            await FallingEdge(dut.clk)
        coming.rest()
        dut.go.value = 0
        assert not wanted and not heads and not wanted_slots and not beats.queue
    assert min(seen.values()) >= 3, seen
