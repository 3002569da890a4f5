"""rlc_ppo_codes against the model: runs of rollouts, numbers of any size, reads in any order, also between writes."""

from collections import deque

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, reset, start
from cocotb.triggers import FallingEdge, ReadOnly
from ppo_records import WatchedRecords

from rlcores.cores.ppo.records import ADVANTAGE, REWARD, VALUE

LATENCY = 2  # clocks of a read
RUNS = 5
SETTLED = 4  # clocks from a write to a read of it
OTHERS = "act_wr_addr", "act_wr_value", "adv_wr_addr", "adv_wr_data", "adv_wr_cut", "rd_addr", "adv_rd_addr"
PULSES = "first", "next", "act_wr_en", "adv_wr_en", "adv_wr_of_advantage", "rd_en", "adv_rd_en", "adv_rd_of_advantage"
WIDTH, ENDED = 27, 1 << 27
SIZES = "zero", "tiny", "codes", "huge", "codes", "tiny", "tiny", "codes"  # of numbers in the first run's rollouts


class Bench:
    """A memory, and what its reads must give."""

    def __init__(self, dut, rng: np.random.Generator) -> None:
        self.dut, self.rng, self.saturated = dut, rng, 0
        self.reads = {"rd_value": deque([None] * LATENCY), "adv_rd_data": deque([None] * LATENCY)}
        self.shown: dict[str, int] = {}  # what a port showed last: it stays

    async def tick(self, wanted: dict[str, int] | None = None, **inputs: int) -> None:
        """A clock with these inputs, and any where nobody looks. wanted: what a read of this clock must give."""
        for name in PULSES:
            getattr(self.dut, name).value = inputs.get(name, 0)
        for name in OTHERS:
            signal = getattr(self.dut, name)
            value = inputs.get(name, int(self.rng.integers(0, 1 << len(signal))))
            signal.value = value & (1 << len(signal)) - 1
        if not inputs.get("adv_wr_en"):
            self.dut.adv_wr_of_advantage.value = int(self.rng.integers(0, 2))
        if not inputs.get("adv_rd_en"):
            self.dut.adv_rd_of_advantage.value = int(self.rng.integers(0, 2))
        await ReadOnly()
        self.saturated += int(self.dut.sat.value)
        for name, line in self.reads.items():
            line.append((wanted or {}).get(name))
            if (due := line.popleft()) is not None:
                self.shown[name] = due
                HITS[name] += 1
            if name in self.shown:
                came = int(getattr(self.dut, name).value)
                assert came == self.shown[name], f"{name} is {came:#x} instead of {self.shown[name]:#x}"
        await FallingEdge(self.dut.clk)

    async def rest(self, clocks: int) -> None:
        for _ in range(clocks):
            await self.tick()


def numbers(rng: np.random.Generator, count: int, step: int, width: int, size: str) -> np.ndarray:
    """`count` of a size: zero, tiny, huge, any; or codes, at their ends too and beyond, and what rounds to them."""
    most, half = 1 << width - 1, (1 << step) // 2
    if size == "zero":
        return np.zeros(count, np.int64)
    if size == "codes":
        codes = np.array([-most - 1, -most, -1, 0, 1, most - 1, most, int(rng.integers(-most, most))])
        numbers = rng.permutation(np.resize(codes, count)) << step
        numbers += rng.choice([0, 0, -1, 1, half, -half, -half - 1], count)
    else:
        bits = {"tiny": int(rng.integers(1, 5)), "huge": WIDTH - 1}.get(size, int(rng.integers(1, WIDTH)))
        numbers = rng.integers(-(1 << bits), 1 << bits, count)
    return np.clip(numbers, -(1 << WIDTH - 1), (1 << WIDTH - 1) - 1)


def mask(x: int) -> int:
    return int(x) & (1 << WIDTH) - 1


@cocotb.test()
async def every_number_comes_back_as_the_models(dut):
    records, bits = integers(dut, "RECORDS", "BITS")
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    await start(dut, *PULSES, *OTHERS)
    bench = Bench(dut, rng)
    for run in range(RUNS):
        model = WatchedRecords(bits, lambda name, times: HITS.update({name: times}))
        await bench.tick(first=1)
        sizes = SIZES if run == 0 else rng.choice([*SIZES, "any", "any"], 5).tolist()
        for number, size in enumerate(sizes):
            await rollout(bench, model, records, 0.4 * (number % 2), size)
            model.follow()
            await bench.tick(next=1)
        HITS["runs"] += 1
    await given_up(bench)
    report()


async def rollout(bench: Bench, model: WatchedRecords, records: int, gaps: float, size: str) -> None:
    """Rewards and values in; advantages over rewards while the rest is read; all of it once more, as training does."""
    rng = bench.rng
    lost, ended = rng.random((2, records)) < 0.3
    steps, widths = model.steps.tolist(), model.widths
    rewards, values, advantages, bootstraps = (
        numbers(rng, records, steps[kind], widths[kind], size) for kind in (REWARD, VALUE, ADVANTAGE, VALUE)
    )
    rewards = np.where(lost, bootstraps, rewards)
    kept_rewards, kept_values, saturated = model.rollout(rewards, values, lost)
    kept_advantages, beyond = model.kept(advantages, ADVANTAGE)
    bench.saturated = 0

    # Both ports by themselves: an answer of the networks comes long before that of its environment.
    last = 0
    orders = [deque(rng.permutation(records).tolist()) for _ in range(2)]
    while any(orders):
        inputs: dict[str, int] = {}
        if orders[0] and rng.random() >= gaps:
            at = orders[0].popleft()
            inputs |= {"act_wr_en": 1, "act_wr_addr": at, "act_wr_value": mask(values[at])}
        if orders[1] and rng.random() >= gaps:
            at = orders[1].popleft()
            data = mask(rewards[at]) | (ENDED if ended[at] else 0)
            inputs |= {"adv_wr_en": 1, "adv_wr_addr": at, "adv_wr_data": data, "adv_wr_cut": int(lost[at])}
        await bench.tick(**inputs)
        last = inputs.get("adv_wr_addr", last)
    await bench.rest(SETTLED - 1)

    def value(at: int) -> dict[str, int]:
        return {"rd_value": mask(kept_values[at])}

    clock, due = 0, deque()  # of advantages: the clock from which it may come
    order = deque([last, *(at for at in rng.permutation(records).tolist() if at != last)])  # as soon as it may be read
    done: dict[int, int] = {}  # when an advantage was written
    while len(done) < records:
        inputs, wanted = {}, {}
        if order and rng.random() >= gaps:
            at = order.popleft()
            inputs = {"rd_en": 1, "rd_addr": at, "adv_rd_en": 1, "adv_rd_addr": at}
            wanted = value(at) | {"adv_rd_data": mask(kept_rewards[at]) | (ENDED if ended[at] else 0)}
            due.append((clock + 1, at))
        if due and due[0][0] <= clock and rng.random() >= gaps:
            _, at = due.popleft()
            done[at] = clock
            data = mask(advantages[at]) | int(rng.integers(0, 2)) * ENDED
            inputs |= {"adv_wr_en": 1, "adv_wr_addr": at, "adv_wr_data": data, "adv_wr_of_advantage": 1}
        await bench.tick(wanted, **inputs)
        clock += 1
    await bench.rest(SETTLED - 1)

    last = max(done, key=done.get)
    for number in range(2 * records):
        inputs, wanted = {}, {}
        if rng.random() >= gaps:
            at = int(rng.integers(0, records))
            inputs, wanted = {"rd_en": 1, "rd_addr": at}, value(at)
        if not number or rng.random() >= gaps:
            at = int(rng.integers(0, records)) if number else last
            inputs |= {"adv_rd_en": 1, "adv_rd_addr": at, "adv_rd_of_advantage": 1}
            wanted["adv_rd_data"] = mask(kept_advantages[at])
        await bench.tick(wanted, **inputs)
    assert bench.saturated == saturated + beyond, f"{bench.saturated} saturated instead of {saturated + beyond}"


async def given_up(bench: Bench) -> None:
    """What is on its way when a run is given up is not counted; nor is it written, but for what is at the memory."""
    await bench.tick(first=1)
    largest = (1 << WIDTH - 1) - 1
    write = {"act_wr_en": 1, "act_wr_addr": 1, "adv_wr_en": 1, "adv_wr_addr": 1}
    await bench.tick(**write, act_wr_value=1 << 18, adv_wr_data=1 << 18, adv_wr_cut=1)
    await bench.rest(SETTLED)
    for late in range(SETTLED - 1):
        at = int(late < SETTLED - 2)
        await bench.tick(**write | {"act_wr_addr": at, "adv_wr_addr": at}, act_wr_value=largest, adv_wr_data=largest)
        await bench.rest(late)
        await reset(bench.dut)
        bench.saturated = 0
        await bench.rest(SETTLED)
        assert not bench.saturated, "what was given up is counted"
    one = {"rd_value": 1 << 18, "adv_rd_data": 1 << 18}
    await bench.tick(one, rd_en=1, rd_addr=1, adv_rd_en=1, adv_rd_addr=1)
    await bench.rest(LATENCY)
    HITS["given up"] += 1
