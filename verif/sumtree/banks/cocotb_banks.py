"""rlc_sumtree_banks: every bank exact, nothing lost or mixed up, every slot reached, draws as the priorities say."""

import math
import os
import random

import cocotb
from banks_bench import Bench, Operation, Request
from bench_hits import HITS, report

from rlcores.cores.sumtree import model as st
from rlcores.cores.sumtree.banks import SumTreeBanks

CLOCKS = int(os.environ.get("BANKS_CLOCKS", "400"))
SPEED_CLOCKS = int(os.environ.get("BANKS_SPEED_CLOCKS", "2000"))


def random_operation(bench: Bench, p_valid: float, p_clear: float = 0.0, inserts: int = 3):
    """Any operation on any slot, right and wrong generations, and now and then a CLEAR with another capacity."""
    kinds = [st.UPDATE] * 6 + [st.INSERT] * inserts + [st.RESERVE, st.COMMIT, st.READ, st.READ, 6, 7]

    def draw(lane: int) -> Operation | None:
        if random.random() >= p_valid:
            return None
        if random.random() < p_clear:
            if lane == 0 and not bench.clear:
                bench.cfg_capacity = random.choice([0, 1, bench.most, bench.most + 1, random.randint(1, bench.most)])
                return Operation(st.CLEAR)
            return Operation(st.CLEAR) if lane else None
        top = bench.capacity if random.random() < 0.9 else 1 << bench.index_width
        index = random.randrange(top)
        tag = bench.models[index % bench.banks].generation(index // bench.banks)
        priority = random.choice([0, 1, (1 << bench.width) - 1, random.getrandbits(bench.width)])
        return Operation(
            random.choice(kinds),
            index,
            priority,
            tag if random.random() < 0.7 else random.getrandbits(bench.generation_width) if tag else 0,
            random.random() < 0.5,
            random.random() < 0.2,
            random.random() < 0.02,
        )

    return draw


def random_request(bench: Bench, p_valid: float):
    def draw(lane: int) -> Request | None:
        if random.random() >= p_valid:
            return None
        kind = random.choice([st.DRAW, st.DRAW, st.GIVEN, st.TARGET, st.SOFT])
        value = random.getrandbits(bench.value_width)
        if kind in (st.TARGET, st.SOFT) and random.random() < 0.8:
            total = bench.models[lane].total if bench.private else sum(model.total for model in bench.models)
            value = random.randrange(total + 1)
        return Request(kind, value)

    return draw


async def random_traffic(bench: Bench, p_clear: float, clock: bool = True) -> None:
    await bench.start(clock)
    for p_op, p_sample, p_ready in [(0.9, 0.9, 1), (0.5, 0.5, 0.8), (1, 1, 0.3), (0.2, 1, 0.9), (1, 0.2, 0.9)]:
        operation, request = random_operation(bench, p_op, p_clear), random_request(bench, p_sample)
        for _ in range(CLOCKS // 5):
            await bench.clock(operation, request, p_ready)
        await bench.drain()
        if bench.strata:
            await bench.restart()
    if p_clear:  # a CLEAR beside the only operation for long
        for _ in range(CLOCKS // 4):
            await bench.clock(random_operation(bench, 0.15, 0.5))
            for _ in range(random.choice([0, 3])):
                await bench.clock()
        await bench.drain()
    for _ in range(3 * bench.capacity):  # inserts alone, until they have gone round
        await bench.clock(lambda lane: Operation(st.INSERT, priority=random.getrandbits(bench.width)))
        if all(model.full for model in bench.models):
            break
    await bench.drain()
    assert all(model.full for model in bench.models), "inserts did not reach every slot"
    assert bench.hits["answers"] and bench.hits["samples"]
    note(bench)


def note(bench: Bench) -> None:
    """Leave what a test saw."""
    HITS["most inserts in a clock"] = max(HITS["most inserts in a clock"], bench.together)
    report(bench.hits)


@cocotb.test()
async def banks_are_exact_and_answers_find_home(dut) -> None:
    await random_traffic(Bench(dut), p_clear=0.01)


@cocotb.test()
async def strata_survive_the_banks(dut) -> None:
    bench = Bench(dut, strata=random.choice([2, 3, 7, 64, 1000]))
    await random_traffic(bench, p_clear=0.0)


@cocotb.test()
async def private_lanes_keep_to_their_bank(dut) -> None:
    bench = Bench(dut, private=True, strata=random.choice([0, 5]))
    await random_traffic(bench, p_clear=0.01)


@cocotb.test()
async def requests_one_after_the_other_are_those_of_the_model(dut) -> None:
    strata = random.choice([0, 3, 7])
    bench = Bench(dut, private=random.random() < 0.3, strata=strata, initial=1)
    await bench.start()
    shape = st.SumTreeShape(bench.leaves_log2, 1, bench.width, bench.draw_width, bench.generation_width)
    model = SumTreeBanks(shape, bench.banks, capacity=bench.most, private=bench.private)
    model.configure(strata=strata)
    model.load_draws(bench.state)
    await bench.drain()
    for number in range(60):
        lane = random.randrange(bench.banks)
        if number % 3:
            op = random_operation(bench, 1, 0.03 if lane == 0 else 0)(lane)
            model.configure(capacity=bench.cfg_capacity)
            index = op.index | op.beyond << bench.index_width
            answer = model.operations(op.kind, index, op.priority, op.generation, op.check, op.use_max, lane)[0]
            want = tuple(int(answer[name]) for name in ("kind", "status", "index", "generation", "priority"))
            bench.offer(lane, op)
        else:
            ask = random_request(bench, 1)(lane)
            answer = model.samples(ask.kind, ask.value, lane)[0]
            want = tuple(int(answer[name]) for name in ("status", "index", "priority", "total", "generation"))
            bench.ask(lane, ask)
        bench.said = ()
        while bench.left() or not bench.said:
            await bench.clock()
        for _ in range(bench.bank_bits + 6):  # totals reach the lanes
            await bench.clock()
        assert bench.said == want, f"request {number} on lane {lane} is answered {bench.said}, not {want}"
    assert (int(dut.total.value), int(dut.size.value)) == (model.total, model.size)


@cocotb.test()
async def a_reset_at_any_time_leaves_working_banks(dut) -> None:
    bench = Bench(dut)
    await bench.start()
    for clocks in (random.randrange(150, 300), random.randrange(150, 300)):
        operation, request = random_operation(bench, 0.9, 0.02), random_request(bench, 0.9)
        for _ in range(clocks):
            await bench.clock(operation, request, 0.7)
        assert bench.left(), "the reset came when nothing was on its way"
        bench = Bench(dut)
        await bench.start(clock=False)
    await random_traffic(Bench(dut), p_clear=0.0, clock=False)


@cocotb.test()
async def capacities_that_no_bank_count_divides_fill_every_slot(dut) -> None:
    bench = Bench(dut, capacity=1)
    await bench.start()
    capacities = [bench.banks + 1, 2 * bench.banks - 1, 1, 3 * bench.banks, 0]
    for capacity in capacities:
        for _ in range(60):
            await bench.clock(lambda lane: Operation(st.INSERT, priority=1 + lane) if random.random() < 0.6 else None)
        await bench.drain()
        if bench.capacity <= 3 * bench.banks:
            assert bench.hits["wraps"] or bench.banks == 1
            bench.hits["wraps"] = 0
            assert int(dut.size.value) == bench.capacity
        bench.cfg_capacity = capacity
        bench.offer(0, Operation(st.CLEAR))
        while not int(dut.busy.value):
            await bench.clock()
        await bench.drain()
        assert int(dut.size.value) == 0 == int(dut.total.value)
        assert int(dut.capacity.value) == bench.limit(capacity)


@cocotb.test()
async def a_lone_request_reaches_its_bank_in_the_promised_clocks(dut) -> None:
    bench = Bench(dut)
    await bench.start()
    await bench.drain()
    lane = bench.banks - 1
    bench.offer(lane, Operation(st.READ, lane))
    bench.ask(lane, Request(st.DRAW))
    clocks: dict[str, int] = {}
    for clock in range(60):
        await bench.clock()
        for name in ("operations", "kind 4 status 0", "requests", "sample status 1"):
            if bench.hits[name]:
                clocks.setdefault(name, clock)
    multipliers = -(-bench.value_width // 26) * -(-(bench.draw_width + 1) // 17)
    product = 3 + (multipliers - 1) * (1 + int(dut.BYPASS.value))
    assert clocks["kind 4 status 0"] - clocks["operations"] == (3 if bench.banks > 1 else 0)
    assert clocks["sample status 1"] - clocks["requests"] == (product + 7 if bench.banks > 1 else 0)
    await bench.drain()
    note(bench)


@cocotb.test()
async def samples_follow_the_priorities_at_full_speed(dut) -> None:
    # So few slots that each is sampled often, whatever the size of the trees.
    slots = min(int(dut.CAPACITY.value), 128)
    bench = Bench(dut, capacity=slots)
    await bench.start()
    # Every bank has the same priorities, each in its own order: they are asked equally often.
    values = [random.randint(1, 20) for _ in range(-(-slots // bench.banks))]
    columns = [random.sample(values, len(values)) for _ in range(bench.banks)]
    priorities = [columns[slot % bench.banks][slot // bench.banks] for slot in range(slots)]
    order = iter(range(slots))
    while (left := next(order, None)) is not None:  # one lane alone, so that slot and priority are known
        while bench.offered[0] is not None:
            await bench.clock()
        bench.offer(0, Operation(st.INSERT, priority=priorities[left]))
    await bench.drain()

    # Every update writes what is there, so the distribution is known while all banks are busy with updates.
    def update(lane: int) -> Operation:
        slot = random.randrange(slots)
        return Operation(st.UPDATE, slot, priorities[slot])

    def draw(lane: int) -> Request:
        return Request(st.DRAW)

    for _ in range(100):
        await bench.clock(update, draw)
    bench.drawn.clear()
    before = bench.hits.copy()
    for _ in range(SPEED_CLOCKS):
        await bench.clock(update, draw)
    updates, samples = ((bench.hits[name] - before[name]) / SPEED_CLOCKS for name in ("answers", "samples"))
    total = sum(priorities)
    count = sum(bench.drawn.values())
    expected = [count * priority / total for priority in priorities]
    chi2 = sum((bench.drawn[slot] - e) ** 2 / e for slot, e in enumerate(expected))
    await bench.drain()
    # Wilson and Hilferty: the cube root of chi2 / k is nearly normal. 5 sigma is one run in a million.
    k = slots - 1
    deviation = ((chi2 / k) ** (1 / 3) - (1 - 2 / (9 * k))) / math.sqrt(2 / (9 * k))
    dut._log.info(f"{updates:.2f} updates and {samples:.2f} samples a clock, chi2 {chi2:.0f} of {k}: {deviation:+.1f}")
    bench.hits["updates per 100 clocks"] = round(100 * updates)
    bench.hits["samples per 100 clocks"] = round(100 * samples)
    note(bench)
    assert min(expected) > 3, "too few samples for the test to mean anything"
    assert abs(deviation) < 5, f"samples do not follow the priorities: chi2 {chi2:.0f} with {k} degrees of freedom"
