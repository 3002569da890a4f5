"""rlc_net_batch against the text that its list and its records make: batches of any size, from any part on."""

import random
from collections import deque

import cocotb
from bench_pins import reset, start_clock
from cocotb.triggers import FallingEdge, ReadOnly

GONE = 1 << 63  # of an entry's first word
IDLE = 2000  # clocks in which nothing moves, after which the bench ends


@cocotb.test()
async def every_text_is_that_of_its_list_and_its_records(dut):
    widths = {name: int(getattr(dut, name).value) for name in ("INDEX_WIDTH", "RECORD_BYTES", "PART_BYTES")}
    record, piece, most = widths["RECORD_BYTES"] // 8, widths["PART_BYTES"] // 8, min(int(dut.SAMPLE_MAX.value), 20)
    start_clock(dut.clk)
    for name in (
        "begins",
        "s_entry_valid",
        "go",
        "fetch",
        "m_slot_ready",
        "s_beat_valid",
        "m_part_ready",
        "m_text_ready",
    ):
        getattr(dut, name).value = 0
    await reset(dut)
    seen = dict.fromkeys(("gone", "late", "within"), 0)
    for turn in range(40):
        count = most if turn < 4 else random.randint(1, most)
        # Every record is gone, and then none is.
        gone = [turn % 4 == 0 or (turn % 4 == 1 and random.random() < 0.2) for _ in range(count)]
        slots = [random.getrandbits(widths["INDEX_WIDTH"]) for _ in range(count)]
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

        dut.count.value, dut.part.value, dut.parts.value = count, part, asked
        dut.begins.value = 1
        await FallingEdge(dut.clk)
        dut.begins.value = 0
        # Where none is gone, the text may begin before its list is there.
        early = not any(gone) and random.random() < 0.7
        seen["late"] += early
        pace = random.choice((1.0, 0.5, 0.1))
        coming, beats = deque(entries), deque()
        went, still = False, 0
        while wanted or not dut.finished.value:  # the last word may wait in its register
            go = not went and (early or not coming) and random.random() < 0.3
            went = went or go
            dut.go.value = int(go)
            if go:
                dut.total.value, dut.size.value = total, size
            entry = bool(coming) and (not early or went) and random.random() < pace
            dut.s_entry_valid.value = int(entry)
            if entry:
                low, high = coming.popleft()
                dut.s_entry_data.value = high << 64 | low
            dut.fetch.value = int(random.random() < 0.9)
            dut.m_slot_ready.value = int(random.random() < 0.5)
            dut.s_beat_valid.value = int(bool(beats))
            dut.s_beat_data.value = beats[0] if beats else random.getrandbits(64)
            dut.m_part_ready.value, dut.m_text_ready.value = int(random.random() < 0.5), int(random.random() < 0.7)
            await ReadOnly()
            still += 1
            if dut.m_slot_valid.value and dut.m_slot_ready.value:
                at, still = wanted_slots.popleft(), 0
                assert int(dut.m_slot_data.value) == slots[at], f"the record of entry {at} is not asked for"
                beats.extend(records[at])
            if dut.s_beat_valid.value and dut.s_beat_ready.value:
                beats.popleft()
                still = 0
            if dut.m_part_valid.value and dut.m_part_ready.value:
                names = ("part", "parts", "words", "gone", "last")
                found = tuple(int(getattr(dut, f"m_part_{name}").value) for name in names)
                assert found == heads.popleft(), f"a part is {found}"
                still = 0
            if dut.m_text_valid.value and dut.m_text_ready.value:
                assert int(dut.m_text_data.value) == wanted.popleft(), f"{len(wanted)} words before the end"
                still = 0
            assert still < IDLE, f"nothing moves: {len(wanted)} words, {len(heads)} parts, {len(wanted_slots)} slots"
            await FallingEdge(dut.clk)
        dut.s_entry_valid.value, dut.go.value = 0, 0
        assert not wanted and not heads and not wanted_slots and not beats
    assert min(seen.values()) >= 3, seen
