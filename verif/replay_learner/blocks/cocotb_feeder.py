"""rlc_replay_feeder: beats become the learner's records, with weights; void ones are made up; every tag goes on."""

import random
from collections import deque

import cocotb
from bench_handshake import Sink, Source
from replay_bench import Bench, packed

INDEX, TAG = 12, 8  # the defaults of INDEX_WIDTH and TAG_WIDTH


async def traffic(dut, count: int, p: float, p_void: float) -> None:
    bench = Bench(dut)
    lanes, words, width, actions = (int(x.value) for x in (dut.LANES, dut.WORDS, dut.DATA_WIDTH, dut.ACTIONS))
    heads = Source(dut, "s_rec_valid", "s_rec_ready", {"rec": "s_rec"}, p)
    beats = Source(dut, "s_beat_valid", "s_beat_ready", {"data": "s_beat_data"}, p)
    out = Sink(dut, "m_valid", "m_ready", {"data": "m_data"}, p)
    tags = Sink(dut, "m_tag_valid", "", {"tag": "m_tag"}, 1.0)
    await bench.start([heads, beats, out, tags])
    hits = bench.hits
    wanted, wanted_tags = deque(), deque()
    voids = 0
    for _ in range(count):
        void, last, weight = random.random() < p_void, random.getrandbits(1), random.getrandbits(18)
        slot = random.getrandbits(TAG + INDEX)
        heads.queue.append({"rec": ((void << 1 | last) << 18 | weight) << TAG + INDEX | slot})
        elements = [random.getrandbits(32) for _ in range(words * lanes)]
        known = random.choice((0, actions - 1, actions, 2**31 - 1, random.getrandbits(31), random.randrange(actions)))
        elements[0] = known | random.getrandbits(1) << 31
        none = void or elements[0] & 2**31 - 1 >= actions
        hits["foreign actions"] += none and not void
        if void:
            elements = [0x7FFFFFFF] + [0] * (words * lanes - 1)
            voids += 1
        record = [
            sum(x << 32 * i for i, x in enumerate(elements[k : k + lanes])) for k in range(0, words * lanes, lanes)
        ]
        if not void:
            noise = random.getrandbits(32) << 32 * (2 % lanes)  # where the priority was
            stored = list(record)
            stored[2 // lanes] ^= noise
            beats.queue.extend({"data": beat} for beat in packed(stored, 32 * lanes, width))
            lane = 32 * (2 % lanes)
            record[2 // lanes] = record[2 // lanes] & ~(0xFFFFFFFF << lane) | weight << lane
        wanted += record
        wanted_tags.append((none << 1 | last) << TAG + INDEX | slot)
    fed = voids_seen = sent = 0
    while wanted or wanted_tags or fed < count:
        await bench.settle()
        heads.sample()
        beats.sample()
        if tag := tags.sample():
            assert tag["tag"] == wanted_tags.popleft()
        if word := out.sample():
            assert word["data"] == wanted.popleft()
            assert len(wanted_tags) <= count - 1 - sent // words, "a word left before its record's tag"
            sent += 1
        fed += int(dut.ev_fed.value)
        voids_seen += int(dut.ev_void.value)
        await bench.next()
    assert not heads.queue and not beats.queue and voids_seen == voids and fed == count
    hits["records"] += count
    hits["voids"] += voids
    hits["made up in a row"] += voids > 20
    if p < 1:
        bench.report()
    else:
        rate = words if width >= 32 * lanes else -(-32 * lanes // width) * words
        assert bench.clock <= count * rate + 20, bench.clock


@cocotb.test()
async def records_are_what_was_stored_with_their_weights(dut) -> None:
    await traffic(dut, 250, 0.6, 0.2)


@cocotb.test()
async def a_word_a_clock_when_nothing_stalls(dut) -> None:
    await traffic(dut, 100, 1.0, 0.0)
