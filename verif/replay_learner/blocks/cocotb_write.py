"""Intake and writer: records in; reservations, bursts and commits out; memory refuses some, and the barrier holds.

Records come too short and too long, are cut off by `discard`, and answers come to writes of before a reset.
"""

import random
from collections import deque

import cocotb
from bench_handshake import Sink, Source
from cocotb.triggers import FallingEdge
from replay_bench import Bench, packed

from rlcores.cores.replay_learner.records import LARGEST

BASE = 5 << 30


class Framing:
    """Which words of the experience stream make whole records: TLAST comes with the last word of each.

    packets: it comes with the last word of some records instead, as a DMA ends what it was told to send. A record of
    another length is dropped, and the word behind the next TLAST is the first of a record. whole: lists of words.
    """

    def __init__(self, words: int, *, packets: bool = False) -> None:
        """words: of a record."""
        self.words, self.packets = words, packets
        self.whole: list[list[int]] = []
        self.wrong = 0  # records of a wrong length
        self.cut = 0  # records that an abort cut off
        self._now: list[int] = []
        self._skips = False

    @property
    def begins(self) -> bool:
        """The next word is the first of a record."""
        return not self._skips and not self._now

    def word(self, data: int, last: bool) -> None:
        """One word with its TLAST."""
        if self._skips:
            self._skips = not last
            return
        self._now.append(data)
        full = len(self._now) == self.words
        if full and (last or self.packets):
            self.whole.append(self._now)
        elif full or last:
            self.wrong += 1
            self._skips = not last
        else:
            return
        self._now = []

    def abort(self) -> None:
        """Forget half a record; the next word is the first of one."""
        self.cut += bool(self._now)
        self._now, self._skips = [], False


def stream(words: int, bits: int, count: int, packets: bool, p_bad: float) -> list[dict[str, int]]:
    """Words of records with their TLAST, with packets that of some records. Some are too short or too long."""
    beats = []
    for _ in range(count):
        bad = random.random() < p_bad
        length = random.choice((1, words - 1, words + 1, random.randint(1, 3 * words))) if bad else words
        ends = bad or not packets or random.random() < 0.3
        beats += [{"data": random.getrandbits(bits), "last": int(ends and i == length - 1)} for i in range(length)]
    return beats


async def traffic(dut, count: int, p: float, p_error: float, packets: bool, p_bad: float, p_cut: float) -> None:
    bench = Bench(dut)
    lanes, words, width, beats, writes = (
        int(x.value) for x in (dut.LANES, dut.WORDS, dut.DATA_WIDTH, dut.BEATS, dut.WRITES)
    )
    stride = 1 << int(dut.STRIDE_LOG2.value)
    experiences = Source(dut, "s_valid", "s_ready", {"data": "s_data", "last": "s_last"}, p)
    reserves = Sink(dut, "reserve_valid", "reserve_ready", {}, p)
    commits = Sink(
        dut, "commit_valid", "commit_ready", {n: f"commit_{n}" for n in ("index", "generation", "value", "max")}, p
    )
    addresses = Sink(dut, "awvalid", "awready", {n: f"aw{n}" for n in ("id", "addr", "len", "size", "burst")}, p)
    data = Sink(dut, "wvalid", "wready", {n: f"w{n}" for n in ("data", "strb", "last")}, p)
    answers = Source(dut, "bvalid", "bready", {"id": "bid", "resp": "bresp"}, p)
    addresses.shy = data.shy = p < 0.5
    epoch = random.getrandbits(2)
    dut.cfg_base.value, dut.epoch.value, dut.packets.value = BASE, epoch, int(packets)
    quiet = dict.fromkeys(("enable", "discard", "reserve_taken", "slot_valid", "commit_done", "sampled", "fetched"), 0)
    await bench.start([experiences, reserves, commits, addresses, data, answers], **quiet)
    hits = bench.hits

    at, lane = 2 // lanes, 32 * (2 % lanes)
    for word in stream(words, 32 * lanes, count, packets, p_bad):
        if random.random() < 0.3:
            word["data"] |= LARGEST << lane
        experiences.queue.append(word)
    rx = Framing(words, packets=packets)
    records = rx.whole

    def priority(number: int) -> int:
        return records[number][at] >> lane & LARGEST

    begun = framing = dropped = 0
    waiting, slots = 0, deque()  # RESERVEs that the tree has not taken; those that it has not answered: their slots
    sampled, fetched, barriers = 0, 0, deque()
    assigned: list[tuple[int, int]] = []  # the slot of each record
    answered: list[bool] = []  # by memory: an error
    committing = 0  # COMMITs that the tree has not answered
    bursts, beats_in, records_in, failures, done = [], [], 0, [], []
    enabled = was_enabled = False
    inside = 0  # records begun and not done, as the clocks before left it
    while experiences.queue or len(done) + len(failures) < len(records) or committing or inside:
        enabled ^= random.random() < (0.02 if enabled else 0.2)
        dut.enable.value = int(enabled)
        cut = random.random() < p_cut
        dut.discard.value = int(cut)
        # Samples go on, and their reads come later.
        take_reserve = waiting > 0 and random.random() < 0.5 * p
        answer_slot = bool(slots) and random.random() < 0.5 * p
        answer_commit = committing > 0 and random.random() < 0.5 * p
        dut.sampled.value = sampled
        dut.fetched.value = fetched
        dut.reserve_taken.value = int(take_reserve)
        dut.slot_valid.value = int(answer_slot)
        dut.commit_done.value = int(answer_commit)
        if answer_slot:
            slot = slots.popleft()
            dut.slot_index.value, dut.slot_generation.value = slot
            assigned.append(slot)
        before = fetched
        await bench.settle()
        if take_reserve:
            waiting -= 1
            barriers.append(sampled)
            slots.append((random.getrandbits(8), random.getrandbits(4)))
        sampled += sampled < fetched + 30 and random.random() < 0.3
        fetched += fetched < sampled and random.random() < 0.25
        if word := experiences.sample():
            begins = rx.begins
            begun += begins
            assert enabled or was_enabled or not begins, "a record began while the input was closed"
            hits["records finished while closed"] += not enabled and not begins
            rx.word(word["data"], bool(word["last"]))
        if cut:
            rx.abort()
        framing += int(dut.framing.value)
        dropped += int(dut.dropped.value)
        was_enabled = enabled
        if reserves.sample() is not None:
            waiting += 1
            on_way = waiting + len(slots) + len(assigned) - len(done) - len(failures)
            assert on_way <= writes
            hits["all on their way"] += on_way == writes
            records_in += 1
            assert records_in <= len(records), "a slot is reserved for half a record"
        if address := addresses.sample():
            index, _ = assigned[len(bursts)]
            size = (width // 8).bit_length() - 1
            assert address == {
                "id": epoch << 2,
                "addr": BASE + index * stride,
                "len": beats - 1,
                "size": size,
                "burst": 1,
            }
            assert before >= barriers[len(bursts)], "a record is overwritten before its samples were read"
            hits["writes that waited for reads"] += before == barriers[len(bursts)]
            bursts.append(index)
        if beat := data.sample():
            assert len(beats_in) // beats < len(bursts) + int(dut.awvalid.value), "data are sent before their address"
            assert beat["strb"] == (1 << width // 8) - 1
            beats_in.append(beat["data"])
            assert beat["last"] == (len(beats_in) % beats == 0)
        # Memory answers a burst when it has all of it.
        while len(answered) < min(len(bursts), len(beats_in) // beats):
            bad = random.random() < p_error
            answered.append(bad)
            answers.queue.append({"id": epoch << 2, "resp": random.choice((2, 3)) if bad else 0})
        # Answers of before a reset, at any time.
        if len(answers.queue) < 2 and random.random() < 0.1:
            answers.queue.append({"id": (epoch + random.randint(1, 3)) % 4 << 2, "resp": random.getrandbits(2)})
            hits["answers of before a reset"] += 1
        answers.sample()
        if int(dut.failed.value):
            failures.append(int(dut.failed_addr.value))
        if commit := commits.sample():
            # Commits come in the order of the records that memory has.
            number = [i for i, bad in enumerate(answered) if not bad][len(done) + committing]
            index, generation = assigned[number]
            largest = priority(number) == LARGEST
            assert (commit["index"], commit["generation"], commit["max"]) == (index, generation, int(largest))
            assert largest or commit["value"] == priority(number)
            hits["commits by the largest" if largest else "commits by an error"] += 1
            committing += 1
        if answer_commit:
            committing -= 1
            done.append(True)
        assert int(dut.busy.value) == (inside > 0)
        hits["idle"] += not inside
        inside = begun - len(done) - len(failures) - dropped
        await bench.next()
    dut.commit_done.value = dut.discard.value = 0
    for _ in range(5):
        await bench.settle()
        answers.sample()
        assert all(port.sample() is None for port in bench.ports[:-1])
        framing += int(dut.framing.value)
        await bench.next()
    assert not int(dut.busy.value)
    assert (framing, dropped) == (rx.wrong, rx.wrong + rx.cut)
    assert beats_in == [beat for record in records for beat in packed(record, 32 * lanes, width)]
    bad = [i for i, wrong in enumerate(answered) if wrong]
    assert failures == [BASE + assigned[i][0] * stride for i in bad] and len(done) == len(records) - len(bad)
    hits["records"] += len(records)
    hits["of a wrong length"] += rx.wrong
    hits["cut off"] += rx.cut
    hits["failures"] += len(failures)
    await FallingEdge(dut.clk)
    bench.report()


@cocotb.test()
async def records_are_written_committed_or_lost_and_said_so(dut) -> None:
    await traffic(dut, 150, 0.7, 0.1, packets=False, p_bad=0.0, p_cut=0.0)


@cocotb.test()
async def everything_is_slow(dut) -> None:
    await traffic(dut, 60, 0.25, 0.3, packets=True, p_bad=0.05, p_cut=0.0)


@cocotb.test()
async def records_of_a_wrong_length_are_dropped_and_no_other_one_is(dut) -> None:
    await traffic(dut, 150, 0.8, 0.1, packets=False, p_bad=0.3, p_cut=0.01)


@cocotb.test()
async def a_packet_of_a_wrong_length_loses_no_record_of_the_next_one(dut) -> None:
    await traffic(dut, 150, 0.8, 0.1, packets=True, p_bad=0.2, p_cut=0.01)


@cocotb.test()
async def a_reset_at_any_time_leaves_nothing_of_the_records_before_it(dut) -> None:
    bench = Bench(dut)
    lanes, words, width, beats = (int(x.value) for x in (dut.LANES, dut.WORDS, dut.DATA_WIDTH, dut.BEATS))
    experiences = Source(dut, "s_valid", "s_ready", {"data": "s_data", "last": "s_last"}, 0.9)
    reserves = Sink(dut, "reserve_valid", "reserve_ready", {}, 0.9)
    data = Sink(dut, "wvalid", "wready", {"data": "wdata"}, 0.9)
    quiet = dict.fromkeys(("discard", "slot_valid", "bvalid", "commit_done", "sampled", "fetched", "cfg_base"), 0)
    still = dict.fromkeys(("epoch", "awready", "commit_ready", "reserve_taken", "packets"), 0)
    ports = [experiences, reserves, data]
    await bench.start(ports, enable=1, slot_index=0, slot_generation=0, **quiet, **still)
    for round_ in range(40):
        records = [[random.getrandbits(32 * lanes) for _ in range(words)] for _ in range(3 if round_ % 2 else 1)]
        for record in records:
            experiences.queue.extend({"data": x, "last": int(i == words - 1)} for i, x in enumerate(record))
        asked, sent = 0, []
        clocks = 4 * max(words, beats) + 40 if round_ % 2 == 0 else random.randint(1, 40)
        for _ in range(clocks):
            dut.reserve_taken.value = dut.slot_valid.value = int(asked > 0)
            asked = 0
            dut.awready.value = 1
            await bench.settle()
            experiences.sample()
            asked = reserves.sample() is not None
            if beat := data.sample():
                sent.append(beat["data"])
            await bench.next()
        if round_ % 2 == 0:  # the first after a reset is whole, and nothing else came
            assert not experiences.queue and sent == packed(records[0], 32 * lanes, width)
        for port in ports:
            port.clear()
        dut.rst.value, dut.s_valid.value = 1, 0
        dut.reserve_taken.value = dut.slot_valid.value = 0  # a slot of before the reset is not answered after it
        await FallingEdge(dut.clk)
        dut.rst.value = 0
        await FallingEdge(dut.clk)
    bench.report()
