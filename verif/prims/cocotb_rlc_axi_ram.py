"""rlc_axi_ram: every kind of burst against a memory of words, under stalls on all five channels; and its rate."""

import random
from collections import Counter, deque
from dataclasses import dataclass

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly

FIXED, INCR, WRAP, RESERVED = range(4)
SLVERR = 2


@dataclass(frozen=True)
class Burst:
    """One request, as AR or AW say it."""

    id: int
    addr: int
    len: int
    size: int
    burst: int

    def beats(self, lanes: int, depth: int) -> list[int | None]:
        """The word of every beat, None where there is none: AXI4's formulas (IHI 0022H, A3.4.1)."""
        step, count = 1 << self.size, self.len + 1
        aligned = self.addr // step * step
        low = self.addr // (step * count) * (step * count)
        found = []
        for beat in range(count):
            address = self.addr if beat == 0 or self.burst == FIXED else aligned + beat * step
            if self.burst == WRAP and address >= low + step * count:
                address -= step * count
            word = address // lanes
            found.append(word if word < depth and self.burst != RESERVED and step <= lanes else None)
        return found


def draw(dut, lanes: int, depth: int) -> Burst:
    """A random request: mostly legal ones within the memory, some beyond it, some of a kind that does not exist."""
    width, whole = len(dut.s_axi_awaddr), lanes.bit_length() - 1
    size = whole if random.random() < 0.6 else random.randrange(whole + 1)
    burst = random.choice((INCR, INCR, INCR, FIXED, WRAP))
    length = random.choice((0, 1, 2, 3, 7, 15)) if burst != WRAP else random.choice((1, 3, 7, 15))
    end = depth * lanes if random.random() < 0.8 else 1 << width
    address = random.randrange(end)
    if burst == WRAP:
        address = address >> size << size
    odd = random.random()
    if odd < 0.04:
        burst = RESERVED
    elif odd < 0.08 and whole < 7:
        size, burst = random.randrange(whole + 1, 8), INCR
    elif odd < 0.14:  # across the end and back: its last word exists, though others do not
        size, burst, length, address = whole, WRAP, 15, (depth - 1) * lanes
    return Burst(random.getrandbits(len(dut.s_axi_awid)), address, length, size, burst)


def say(dut, channel: str, burst: Burst | None) -> None:
    """Put a request on AR or AW, or take it away."""
    getattr(dut, f"s_axi_{channel}valid").value = int(burst is not None)
    for name in ("id", "addr", "len", "size", "burst"):
        getattr(dut, f"s_axi_{channel}{name}").value = getattr(burst, name) if burst else 0


class Side:
    """Requests of one channel: those to come, and those that were taken."""

    def __init__(self, dut, channel: str, requests: list[Burst]) -> None:
        self.dut, self.channel, self.todo, self.offered = dut, channel, deque(requests), None
        self.taken: deque[tuple[Burst, int]] = deque()

    def offer(self, share: float) -> None:
        """Before a clock: a request that was offered stays; another may come."""
        if self.offered is None and self.todo and random.random() < share:
            self.offered = self.todo.popleft()
        say(self.dut, self.channel, self.offered)

    def sample(self, clock: int) -> Burst | None:
        """In a clock: the request that is taken in it."""
        if self.offered is None or not int(getattr(self.dut, f"s_axi_{self.channel}ready").value):
            return None
        taken, self.offered = self.offered, None
        self.taken.append((taken, clock))
        return taken


@cocotb.test()
async def every_burst_reads_and_writes_the_words_it_names(dut):
    lanes, depth = len(dut.s_axi_wstrb), int(dut.DEPTH.value)
    full = (1 << 8 * lanes) - 1
    count = 400
    quiet = dict.fromkeys(("s_axi_awvalid", "s_axi_wvalid", "s_axi_arvalid", "s_axi_bready", "s_axi_rready"), 0)
    await start(dut, **quiet, s_axi_wdata=0, s_axi_wstrb=0, s_axi_wlast=0)
    writes = [Burst(0, word * lanes, 0, lanes.bit_length() - 1, INCR) for word in range(depth)]
    set_up, total = len(writes), len(writes) + count
    writes += [draw(dut, lanes, depth) for _ in range(count)]
    aw, ar = Side(dut, "aw", writes), Side(dut, "ar", [])
    beats: deque[tuple[int | None, int, int, bool]] = deque()  # word, data, strobes, last: to be sent
    answers: deque[tuple[int, bool]] = deque()  # ID and whether it fails, of B
    words: list[list[tuple[int, int]]] = [[] for _ in range(depth)]  # when a word changed, and to what
    reads: deque[tuple[Burst, int, deque]] = deque()
    seen, offering, stalled = Counter(), False, {}
    answered = read = clock = 0
    while answered < total or read < count:
        share = 0.9 if clock // 300 % 2 else 0.3
        if answered == set_up and not read and not ar.todo and ar.offered is None and not reads:
            ar.todo.extend(draw(dut, lanes, depth) for _ in range(count))
        aw.offer(share if answered >= set_up else 1)
        ar.offer(share)
        # Data may come before their address, but here it is known only from it what belongs to what.
        offering = offering or (bool(beats) and random.random() < (share if answered >= set_up else 1))
        dut.s_axi_wvalid.value = int(offering)
        if offering:
            _, dut.s_axi_wdata.value, dut.s_axi_wstrb.value, last = beats[0]
            dut.s_axi_wlast.value = int(last)
        dut.s_axi_bready.value, dut.s_axi_rready.value = (int(random.random() < share) for _ in range(2))
        await ReadOnly()
        for channel, fields in (("b", ("id", "resp")), ("r", ("id", "data", "resp", "last"))):
            now = (
                tuple(int(getattr(dut, f"s_axi_{channel}{name}").value) for name in fields)
                if int(getattr(dut, f"s_axi_{channel}valid").value)
                else None
            )
            assert stalled.get(channel) in (None, now), f"{channel} changed while it was stalled"
            moves = now is not None and int(getattr(dut, f"s_axi_{channel}ready").value)
            stalled[channel] = None if moves else now
            if moves and channel == "b":
                assert answers, "an answer to nothing"
                assert now == (answers[0][0], SLVERR * answers[0][1]), f"write {answered}: {now}, not {answers[0]}"
                seen["write failed" if answers.popleft()[1] else "write"] += 1
                answered += 1
            elif moves:
                request, since, left = reads[0]
                word = left.popleft()
                assert now[0] == request.id and now[3] == (not left), f"{request}: ID or RLAST is wrong"
                if word is None:
                    assert now[1:3] == (0, SLVERR), f"{request}: a word that does not exist was read as {now}"
                else:
                    history = words[word]
                    first = max((k for k, (when, _) in enumerate(history) if when <= since), default=0)
                    assert now[2] == 0 and now[1] in {data for _, data in history[first:]}, f"{request}: word {word}"
                seen[f"read {request.burst}", word is None] += 1
                if not left:
                    reads.popleft()
                    read += 1
        if offering and int(dut.s_axi_wready.value):
            word, data, strobes, last = beats.popleft()
            offering = False
            if word is not None:
                mask = sum(255 << 8 * lane for lane in range(lanes) if strobes >> lane & 1)
                before = words[word][-1][1] if words[word] else 0
                words[word].append((clock, before & ~mask & full | data & mask))
        taken = aw.sample(clock)
        if taken:
            named = taken.beats(lanes, depth)
            answers.append((taken.id, None in named))
            for number, word in enumerate(named):
                strobes = random.getrandbits(lanes) if answered >= set_up else (1 << lanes) - 1
                beats.append((word, random.getrandbits(8 * lanes), strobes, number == taken.len))
            seen[f"write {taken.burst}"] += 1
        taken = ar.sample(clock)
        if taken:
            reads.append((taken, clock, deque(taken.beats(lanes, depth))))
        clock += 1
        assert clock < 200 * total, "it hangs"
        await FallingEdge(dut.clk)
    assert seen["write"] > 100 and seen["write failed"] > 10 and not answers and not reads and not beats
    assert all(seen[f"read {kind}", False] > 20 for kind in (FIXED, INCR, WRAP))


@cocotb.test()
async def a_beat_moves_every_clock_both_ways(dut):
    lanes, depth, latency = len(dut.s_axi_wstrb), int(dut.DEPTH.value), int(dut.READ_LATENCY.value)
    await start(dut, s_axi_awvalid=0, s_axi_wvalid=1, s_axi_arvalid=0, s_axi_bready=1, s_axi_rready=1, s_axi_wlast=0)
    dut.s_axi_wdata.value, dut.s_axi_wstrb.value = 0, (1 << lanes) - 1
    sides = {
        channel: Side(dut, channel, [Burst(0, 0, random.randrange(min(16, depth)), lanes.bit_length() - 1, INCR)] * 40)
        for channel in ("aw", "ar")
    }
    beats = {channel: sum(b.len + 1 for b in side.todo) for channel, side in sides.items()}
    moved: dict[str, list[int]] = {"w": [], "r": [], "b": []}
    first = {}
    for clock in range(max(beats.values()) + latency + 10):
        for side in sides.values():
            side.offer(1)
        await ReadOnly()
        for channel, clocks in moved.items():
            if int(getattr(dut, f"s_axi_{channel}valid").value) and int(getattr(dut, f"s_axi_{channel}ready").value):
                clocks.append(clock)
        for channel, side in sides.items():
            if side.sample(clock):
                first.setdefault(channel, clock)
        await FallingEdge(dut.clk)
    assert moved["w"] == list(range(first["aw"] + 1, first["aw"] + 1 + beats["aw"]))
    assert moved["r"] == list(range(first["ar"] + latency + 2, first["ar"] + latency + 2 + beats["ar"]))
    assert len(moved["b"]) == 40 and moved["b"][-1] == moved["w"][-1] + 1


@cocotb.test()
async def a_reset_forgets_what_is_under_way_and_keeps_the_words(dut):
    lanes = len(dut.s_axi_wstrb)
    whole = lanes.bit_length() - 1
    await start(dut, s_axi_awvalid=0, s_axi_wvalid=0, s_axi_arvalid=0, s_axi_bready=1, s_axi_rready=0, s_axi_wlast=0)
    say(dut, "aw", Burst(0, 0, 0, whole, INCR))
    dut.s_axi_wvalid.value, dut.s_axi_wdata.value, dut.s_axi_wstrb.value = 1, 7, (1 << lanes) - 1
    await FallingEdge(dut.clk)
    say(dut, "aw", Burst(1, 0, 7, whole, FIXED))
    await FallingEdge(dut.clk)
    say(dut, "aw", None)
    dut.s_axi_wvalid.value = 0
    say(dut, "ar", Burst(1, 0, 7, whole, FIXED))
    for _ in range(12):
        await FallingEdge(dut.clk)
    say(dut, "ar", None)
    assert int(dut.s_axi_rvalid.value) and int(dut.s_axi_wready.value), "nothing is under way"
    dut.rst.value = 1
    await FallingEdge(dut.clk)
    dut.rst.value, dut.s_axi_rready.value = 0, 1
    for _ in range(20):
        await FallingEdge(dut.clk)
        assert not int(dut.s_axi_rvalid.value) and not int(dut.s_axi_bvalid.value) and not int(dut.s_axi_wready.value)
    say(dut, "ar", Burst(0, 0, 0, whole, INCR))
    await FallingEdge(dut.clk)
    say(dut, "ar", None)
    while not int(dut.s_axi_rvalid.value):
        await FallingEdge(dut.clk)
    assert int(dut.s_axi_rdata.value) == 7 and int(dut.s_axi_rlast.value)
