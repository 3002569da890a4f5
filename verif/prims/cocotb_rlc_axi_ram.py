"""rlc_axi_ram: every kind of burst against a memory of words, under stalls on all five channels; and its rate."""

import random
from collections import Counter, deque
from dataclasses import dataclass

import cocotb
from bench_handshake import Sink, Source
from bench_pins import clocks, pulse, start, write
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
        words = []
        for beat in range(count):
            address = self.addr if beat == 0 or self.burst == FIXED else aligned + beat * step
            if self.burst == WRAP and address >= low + step * count:
                address -= step * count
            word = address // lanes
            words.append(word if word < depth and self.burst != RESERVED and step <= lanes else None)
        return words


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


REQUEST = ("id", "addr", "len", "size", "burst")


def channel(name: str, *fields: str) -> tuple[str, str, dict[str, str]]:
    """Signals of a channel of AXI, for a source or a sink."""
    return f"s_axi_{name}valid", f"s_axi_{name}ready", {field: f"s_axi_{name}{field}" for field in fields}


@cocotb.test()
async def every_burst_reads_and_writes_the_words_it_names(dut):
    lanes, depth = len(dut.s_axi_wstrb), int(dut.DEPTH.value)
    full = (1 << 8 * lanes) - 1
    count = 400
    aw, ar = Source(dut, *channel("aw", *REQUEST)), Source(dut, *channel("ar", *REQUEST))
    w, b = Source(dut, *channel("w", "data", "strb", "last")), Sink(dut, *channel("b", "id", "resp"))
    r = Sink(dut, *channel("r", "id", "data", "resp", "last"))
    ends = aw, ar, w, b, r
    for end in ends:
        end.rest()
    await start(dut)
    aw.queue.extend(vars(Burst(0, word * lanes, 0, lanes.bit_length() - 1, INCR)) for word in range(depth))
    set_up, total = depth, depth + count
    aw.queue.extend(vars(draw(dut, lanes, depth)) for _ in range(count))
    answers: deque[tuple[int, bool]] = deque()  # ID and whether it fails, of B
    words: list[list[tuple[int, int]]] = [[] for _ in range(depth)]  # when a word changed, and to what
    reads: deque[tuple[Burst, int, deque]] = deque()
    seen = Counter()
    answered = read = asked = clock = 0
    while answered < total or read < count:
        share = 0.9 if clock // 300 % 2 else 0.3
        if answered == set_up and not asked:
            asked = count
            ar.queue.extend(vars(draw(dut, lanes, depth)) for _ in range(count))
        for end in ends:
            end.share = 1 if end in (aw, w) and answered < set_up else share
            end.drive()
        await ReadOnly()
        if answer := b.sample():
            assert answers, "an answer to nothing"
            number, fails = answers.popleft()
            assert answer == {"id": number, "resp": SLVERR * fails}, f"write {answered}: {answer}"
            seen["write failed" if fails else "write"] += 1
            answered += 1
        if beat := r.sample():
            request, since, left = reads[0]
            word = left.popleft()
            assert beat["id"] == request.id and beat["last"] == (not left), f"{request}: ID or RLAST is wrong"
            if word is None:
                wrong = f"{request}: a word that does not exist was read as {beat}"
                assert (beat["data"], beat["resp"]) == (0, SLVERR), wrong
            else:
                history = words[word]
                first = max((k for k, (when, _) in enumerate(history) if when <= since), default=0)
                right = beat["resp"] == 0 and beat["data"] in {data for _, data in history[first:]}
                assert right, f"{request}: word {word}"
            seen[f"read {request.burst}", word is None] += 1
            if not left:
                reads.popleft()
                read += 1
        if (beat := w.sample()) and beat["word"] is not None:
            mask = sum(255 << 8 * lane for lane in range(lanes) if beat["strb"] >> lane & 1)
            history = words[beat["word"]]
            before = history[-1][1] if history else 0
            history.append((clock, before & ~mask & full | beat["data"] & mask))
        if request := aw.sample():
            # Data may come before their address, but here it is known only from it what belongs to what.
            named = Burst(**request).beats(lanes, depth)
            answers.append((request["id"], None in named))
            for number, word in enumerate(named):
                strobes = random.getrandbits(lanes) if answered >= set_up else (1 << lanes) - 1
                beat = {"data": random.getrandbits(8 * lanes), "strb": strobes, "last": int(number == request["len"])}
                w.queue.append({"word": word, **beat})
            seen[f"write {request['burst']}"] += 1
        if request := ar.sample():
            burst = Burst(**request)
            reads.append((burst, clock, deque(burst.beats(lanes, depth))))
        clock += 1
        assert clock < 200 * total, "it hangs"
        await FallingEdge(dut.clk)
    assert seen["write"] > 100 and seen["write failed"] > 10 and not answers and not reads and not w.queue
    assert all(seen[f"read {kind}", False] > 20 for kind in (FIXED, INCR, WRAP))


@cocotb.test()
async def a_beat_moves_every_clock_both_ways(dut):
    lanes, depth, latency = len(dut.s_axi_wstrb), int(dut.DEPTH.value), int(dut.READ_LATENCY.value)
    await start(dut, s_axi_awvalid=0, s_axi_wvalid=1, s_axi_arvalid=0, s_axi_bready=1, s_axi_rready=1, s_axi_wlast=0)
    dut.s_axi_wdata.value, dut.s_axi_wstrb.value = 0, (1 << lanes) - 1
    lengths = {name: random.randrange(min(16, depth)) for name in ("aw", "ar")}
    sides = {name: Source(dut, *channel(name, *REQUEST)) for name in lengths}
    for name, side in sides.items():
        side.queue.extend([vars(Burst(0, 0, lengths[name], lanes.bit_length() - 1, INCR))] * 40)
    beats = {name: 40 * (length + 1) for name, length in lengths.items()}
    moved: dict[str, list[int]] = {"w": [], "r": [], "b": []}
    first = {}
    for clock in range(max(beats.values()) + latency + 10):
        for side in sides.values():
            side.drive()
        await ReadOnly()
        for name, when in moved.items():
            if int(getattr(dut, f"s_axi_{name}valid").value) and int(getattr(dut, f"s_axi_{name}ready").value):
                when.append(clock)
        for name, side in sides.items():
            if side.sample():
                first.setdefault(name, clock)
        await FallingEdge(dut.clk)
    assert moved["w"] == list(range(first["aw"] + 1, first["aw"] + 1 + beats["aw"]))
    assert moved["r"] == list(range(first["ar"] + latency + 2, first["ar"] + latency + 2 + beats["ar"]))
    assert len(moved["b"]) == 40 and moved["b"][-1] == moved["w"][-1] + 1


@cocotb.test()
async def a_reset_forgets_what_is_under_way_and_keeps_the_words(dut):
    lanes = len(dut.s_axi_wstrb)
    whole = lanes.bit_length() - 1
    await start(dut, s_axi_awvalid=0, s_axi_wvalid=0, s_axi_arvalid=0, s_axi_bready=1, s_axi_rready=0, s_axi_wlast=0)
    aw, ar = Source(dut, *channel("aw", *REQUEST)), Source(dut, *channel("ar", *REQUEST))

    async def ask(source: Source, burst: Burst, clocks_long: int = 1) -> None:
        """A request that is offered for some clocks, taken or not."""
        source.clear()
        source.queue.append(vars(burst))
        source.drive()
        await clocks(dut, clocks_long)
        source.rest()

    write(dut, s_axi_wvalid=1, s_axi_wdata=7, s_axi_wstrb=(1 << lanes) - 1)
    await ask(aw, Burst(0, 0, 0, whole, INCR))
    await ask(aw, Burst(1, 0, 7, whole, FIXED))
    dut.s_axi_wvalid.value = 0
    await ask(ar, Burst(1, 0, 7, whole, FIXED), 12)
    assert int(dut.s_axi_rvalid.value) and int(dut.s_axi_wready.value), "nothing is under way"
    await pulse(dut, dut.rst)
    dut.s_axi_rready.value = 1
    for _ in range(20):
        await FallingEdge(dut.clk)
        assert not int(dut.s_axi_rvalid.value) and not int(dut.s_axi_bvalid.value) and not int(dut.s_axi_wready.value)
    await ask(ar, Burst(0, 0, 0, whole, INCR))
    while not int(dut.s_axi_rvalid.value):
        await FallingEdge(dut.clk)
    assert int(dut.s_axi_rdata.value) == 7 and int(dut.s_axi_rlast.value)
