"""rlc_learner_batch: records of every kind become batch slices, whatever the batch, the stalls, and whenever `run`
falls."""

from dataclasses import dataclass

import cocotb
from bench_hits import HITS, report
from bench_pins import integers, pack
from reset_bench import reset
from units_bench import Ports, signed

SINKS = {name: ["data"] for name in ("m_s", "m_a", "m_s2", "m_info")}
ONE = 1 << 17
MASK = (1 << 32) - 1


@dataclass(frozen=True)
class BatchShape:
    dp: int
    lanes: int
    size_s: int
    size_a: int
    actions: int
    batch_slices: int

    @property
    def beats(self) -> int:
        """Beats of a record."""
        return sum(-(-size // self.lanes) for size in (3, self.size_s, self.size_a, self.size_s))


def clipped(value: int, width: int) -> int:
    return max(-(1 << width - 1), min((1 << width - 1) - 1, value))


class Batches:
    """Sends batches of random records and expects their batch slices; watches `run`, `busy` and what is saturated."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.shape = BatchShape(*integers(dut, "DP", "LANES", "SIZE_S", "SIZE_A", "ACTIONS", "RECORDS"))
        self.bench = Ports(dut, {"s": ["data"]}, SINKS)
        self.saturated = self.wanted = 0
        self.batch = self.left = 0  # beats of a batch; beats of the present one still to come
        self.calm = 0  # clocks since the last beat of a batch
        self.drop = 0.0  # chance that run is low in a clock
        self.pulse = False  # run is low all the time that a batch is being taken in
        self.bench.each_clock.append(self.watch)

    def watch(self) -> None:
        dut, inside = self.dut, self.left > 0
        self.saturated += int(dut.sat_in.value)
        run, ready, valid = (int(signal.value) for signal in (dut.run, dut.s_ready, dut.s_valid))
        busy = int(dut.busy.value)
        assert inside or run or not ready, "a batch would begin without run"
        assert busy or not inside, "busy fell in the middle of a batch"
        assert not busy or inside or self.calm <= 3, "busy stays high"
        if valid and ready:
            self.left = (self.left or self.batch) - 1
            HITS["taken without run"] += int(inside and not run)
            self.calm = 0
        elif not inside:
            self.calm += 1
            HITS["held back"] += int(valid and not run)

    def element(self) -> int:
        """A word of a vector: often in range, sometimes far out of it."""
        rng = self.bench.rng
        return signed(rng, 18) if rng.random() < 0.8 else signed(rng, 32)

    def record(self, column: int, last: bool, batch_slice: dict[str, list[int]]) -> list[int]:
        """The words of a record, padding included; what it becomes goes into the batch slice."""
        rng, shape = self.bench.rng, self.shape
        action = rng.randrange(shape.actions)
        if rng.random() < 0.15:
            least = shape.actions
            action = rng.choice((least, 1 << 16, least | 1 << 16, 1 << 30, rng.randrange(least, 1 << 31)))
        terminated, reward = rng.randrange(2), signed(rng, rng.choice((27, 27, 32)))
        weight = rng.choice((0, ONE, ONE + 1, MASK, rng.randrange(ONE), rng.randrange(ONE)))
        known = action < shape.actions
        self.wanted += (not known) + (clipped(reward, 27) != reward) + (weight > ONE)
        HITS["unknown action"] += int(not known)
        info = int(last) << 63 | int(known) << 62 | terminated << 61 | (action if known else 0) << 45
        info |= (clipped(reward, 27) & (1 << 27) - 1) << 18 | min(weight, ONE)
        batch_slice["m_info"][column] = info
        words = self.padded([action | terminated << 31, reward & MASK, weight])
        for name, size in (("m_s", shape.size_s), ("m_a", shape.size_a), ("m_s2", shape.size_s)):
            values = [self.element() for _ in range(size)]
            self.wanted += sum(clipped(value, 18) != value for value in values)
            for place, value in enumerate(values):
                batch_slice[name][place // shape.lanes][column * shape.lanes + place % shape.lanes] = clipped(value, 18)
            words += self.padded([value & MASK for value in values])
        return words

    def padded(self, values: list[int]) -> list[int]:
        """Whole beats; anything behind the values."""
        return values + [self.bench.rng.getrandbits(32) for _ in range(-len(values) % self.shape.lanes)]

    def fill(self, size: int, count: int) -> None:
        """Queue `count` batches of `size` records."""
        shape = self.shape
        self.batch = size * shape.beats
        for _ in range(count):
            for first in range(0, size, shape.dp):
                batch_slice = {
                    name: [[0] * (shape.dp * shape.lanes) for _ in range(-(-length // shape.lanes))]
                    for name, length in (("m_s", shape.size_s), ("m_a", shape.size_a), ("m_s2", shape.size_s))
                }
                batch_slice["m_info"] = [0] * shape.dp
                for at in range(first, min(first + shape.dp, size)):
                    values = self.record(at - first, at == size - 1, batch_slice)
                    beats = range(0, len(values), shape.lanes)
                    self.bench.to_send["s"] += [{"data": pack(values[b : b + shape.lanes], 32)} for b in beats]
                self.bench.expected["m_info"].append({"data": pack(batch_slice.pop("m_info"), 64)})
                for name, words in batch_slice.items():
                    self.bench.expected[name] += [{"data": pack(word, 18)} for word in words]
                HITS["missing columns"] += max(0, first + shape.dp - size)

    async def go(self, size: int, count: int) -> None:
        """Batches of a size, `run` up and down, until all is out."""
        dut, bench = self.dut, self.bench
        dut.run.value = 0
        dut.cfg_batch.value = size
        for _ in range(3):
            await bench.tick()
        self.fill(size, count)
        idle = 0
        while not bench.done or idle < 20:
            dut.run.value = int(bench.rng.random() >= self.drop and not (self.pulse and self.left))
            idle = 0 if await bench.tick() else idle + 1
            assert idle < 2000, "stuck"
        assert self.left == 0 and self.saturated == self.wanted, f"{self.saturated} saturated, not {self.wanted}"
        HITS["batches"] += count
        HITS["batch of 1"] += count * (size == 1)


@cocotb.test()
async def records_become_batch_slices(dut) -> None:
    batches = Batches(dut)
    dp = batches.shape.dp
    await batches.bench.start(run=0, cfg_batch=1)
    for size in (1, dp, dp + 1, 2 * dp - 1, 5 * dp, *(batches.bench.rng.randrange(1, 4 * dp + 2) for _ in range(4))):
        batches.bench.any_pace()
        batches.drop = batches.bench.rng.choice((0.0, 0.3, 0.95))
        batches.pulse = not batches.pulse
        await batches.go(size, 4)
    report()


@cocotb.test()
async def a_stream_that_stands_still_loses_nothing(dut) -> None:
    """Each of the streams out in turn, the others free, for longer than all queues last; in between all run."""
    batches = Batches(dut)
    bench, size = batches.bench, (batches.shape.batch_slices + 3) * batches.shape.dp
    await bench.start(run=0, cfg_batch=size)
    for name in SINKS:
        await batches.go(size, 1)
        bench.full_speed()
        bench.share[name] = 0.0
        waiting = size * batches.shape.beats + 20

        def release(name=name, until=bench.clock + waiting) -> None:
            bench.share[name] = float(bench.clock >= until)

        bench.each_clock.append(release)
        await batches.go(size, 1)
        bench.each_clock.remove(release)
    report()


@cocotb.test()
async def nothing_begins_with_a_batch_of_none(dut) -> None:
    batches = Batches(dut)
    await batches.bench.start(run=0, cfg_batch=0)
    batches.fill(1, 1)
    dut.run.value = 1
    for _ in range(20):
        assert not await batches.bench.tick()
    dut.run.value = 0
    dut.cfg_batch.value = 1
    await batches.bench.tick()
    dut.run.value = 1
    await batches.bench.run()


@cocotb.test()
async def a_beat_a_clock_and_soon_out(dut) -> None:
    batches = Batches(dut)
    shape, bench = batches.shape, batches.bench
    await bench.start(run=0, cfg_batch=3 * shape.dp)
    for _ in range(3):
        await bench.tick()
    batches.fill(3 * shape.dp, 3)
    beats = 9 * shape.dp * shape.beats
    times = {"in": [], "out": []}

    def note() -> None:
        for name, port in (("in", "s"), ("out", "m_s2")):
            if int(getattr(dut, f"{port}_valid").value) and int(getattr(dut, f"{port}_ready").value):
                times[name].append(bench.clock)

    bench.each_clock.append(note)
    dut.run.value = 1
    await bench.run()
    assert len(times["in"]) == beats
    if shape.batch_slices >= 4:
        assert times["in"][-1] - times["in"][0] == beats - 1, "not a beat a clock"
    block = -(-shape.size_s // shape.lanes) * shape.batch_slices > 64
    assert times["out"][-1] - times["in"][-1] == 3 + block, "later than promised"
    HITS["full speed"] += 1
    report()


@cocotb.test()
async def reset_forgets_the_batch_begun(dut) -> None:
    batches = Batches(dut)
    await batches.bench.start(run=0, cfg_batch=batches.shape.dp + 1)
    for _ in range(3):
        await batches.bench.tick()
    batches.bench.each_clock.clear()
    batches.fill(batches.shape.dp + 1, 1)
    dut.run.value = 1
    for _ in range(batches.shape.beats * batches.shape.dp // 2 + 2):
        await batches.bench.tick()
    dut.run.value = 0
    await reset(dut, ["s"])
    assert not int(dut.busy.value)
    again = Batches(dut)
    await again.go(batches.shape.dp + 1, 3)
