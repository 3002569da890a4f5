"""Sequences of the native sum tree: traffic of any kind on both request ports, and what random traffic seldom meets."""

import os
import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import cocotb
import numpy as np
from bench_pins import PERIOD_NS
from cocotb.task import Task
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from sumtree_coverage import NEAR
from sumtree_env import SumTreeEnv
from uvm_bench import clock_number, reset, seeded
from uvm_native import PATIENCE, NativeSequence

from rlcores.cores.common.draws import state_of
from rlcores.cores.sumtree.model import (
    CLEAR,
    COMMIT,
    DRAW,
    GIVEN,
    INSERT,
    READ,
    RESERVE,
    SOFT,
    TARGET,
    UPDATE,
    SumTreeModel,
)

# Clocks without an answer on its way until the state outputs have settled.
QUIET = 16

MIXED = {UPDATE: 8, INSERT: 4, RESERVE: 1, COMMIT: 2, READ: 2, 6: 0.1, 7: 0.1}
SAMPLED = {DRAW: 3, GIVEN: 3, TARGET: 3, SOFT: 2}
ADDRESSES = ("uniform", "leaf", "word", "adjacent", "zipf", "near", "edges")
PRIORITIES = ("any", "small", "sparse", "most", "widths")


@dataclass(frozen=True)
class Traffic:
    """What both request ports are to carry at the same time."""

    operations: int = 0
    samples: int = 0
    address: str = "uniform"
    priority: str = "any"
    kinds: Mapping[int, float] = field(default_factory=lambda: MIXED)
    sampled: Mapping[int, float] = field(default_factory=lambda: SAMPLED)
    wrong: float = 0.2  # share of operations with a tag, or an index, that is not right
    clears: int = 0  # CLEARs in between


class Requests:
    """Draws the fields of operations and samples, looking at the model as it was before the present clock.

    Two tasks may take from it in one clock, so operations and samples have a generator of their own each.
    """

    def __init__(self, rng: random.Random, env: SumTreeEnv, traffic: Traffic) -> None:
        self.rng, self.sample_rng = (random.Random(rng.getrandbits(64)) for _ in range(2))
        self.predictor, self.traffic = env.predictor, traffic
        self.layout = env.predictor.layout
        self._recent: deque[int] = deque([0], maxlen=64)
        self._fixed = self.rng.randrange(self.model.capacity)
        self._next = self._fixed

    @property
    def model(self) -> SumTreeModel:
        self.predictor.settle_before(clock_number())
        return self.predictor.model

    def operation(self) -> dict[str, int]:
        """Fields of one operation."""
        rng, traffic = self.rng, self.traffic
        kind = rng.choices(list(traffic.kinds), list(traffic.kinds.values()))[0]
        index = self.index()
        fields = {"kind": kind, "index": index, "priority": self.priority(), "beyond": 0}
        fields["check"] = int(rng.random() < 0.4)
        fields["max"] = int(rng.random() < 0.2)
        fields["generation"] = self.model.generation(index)
        if rng.random() < traffic.wrong:
            if rng.random() < 0.3:
                fields["beyond"] = 1
            elif rng.random() < 0.3:
                fields["index"] = rng.randrange(self.model.leaves)
            else:
                wrong = rng.choice((-1, 1, rng.getrandbits(16)))
                fields["generation"] = (fields["generation"] + wrong) & self.layout.tag_mask
        return fields

    def index(self) -> int:
        """A slot in force, by the traffic's addresses."""
        rng, capacity = self.rng, self.model.capacity
        how = self.traffic.address
        if how == "leaf":
            index = self._fixed
        elif how == "word":
            index = (self._fixed >> self.layout.word_log2 << self.layout.word_log2) + rng.randrange(
                1 << self.layout.word_log2
            )
        elif how == "adjacent":
            index = self._next = self._next + 1
        elif how == "zipf":
            index = int(capacity ** rng.random()) - 1
        elif how == "near":
            index = rng.choice(self._recent)
            if rng.random() < 0.4:
                index = self._recent[-min(rng.randint(1, 8), len(self._recent))]
            if rng.random() < 0.5:
                index ^= rng.choice((1, rng.randrange(1 << self.layout.word_log2)))
            elif rng.random() < 0.5:
                index ^= rng.randrange(1 << self.layout.parent_log2)
            elif rng.random() < 0.2:
                index = rng.randrange(capacity)
        elif how == "edges":
            below = rng.choice((0, *np.cumsum(self.layout.levels[::-1]).tolist()))
            index = rng.choice((0, capacity - 1, rng.randrange(capacity) >> below << below))
            index += rng.choice((0, (1 << below) - 1))
        else:
            index = rng.randrange(capacity)
        index %= capacity
        self._recent.append(index)
        return index

    def priority(self) -> int:
        """By the traffic's priorities."""
        rng, most = self.rng, self.layout.most
        how = self.traffic.priority
        if how == "small":
            return min(rng.randrange(4), most)
        if how == "sparse":
            return rng.randint(0, most) if rng.random() < 0.1 else 0
        if how == "most":
            return most
        if how == "widths":
            return rng.getrandbits(rng.randint(1, self.layout.shape.priority_width))
        return rng.randint(0, most)

    def sample(self) -> dict[str, int]:
        """Fields of one sample."""
        rng, traffic, shape = self.sample_rng, self.traffic, self.layout.shape
        kind = rng.choices(list(traffic.sampled), list(traffic.sampled.values()))[0]
        used = shape.draw_width if kind == GIVEN else shape.total_width
        value = self.draw() if kind == GIVEN else self.target()
        if rng.random() < 0.3:  # what is above the used bits is nobody's business
            value |= rng.getrandbits(self.layout.request_width) >> used << used
        return {"kind": kind, "value": value}

    def target(self) -> int:
        """A target; often an end of a leaf that was just written, or of the total."""
        rng, total = self.sample_rng, self.model.total
        choice = rng.random()
        if choice < 0.2:
            return rng.choice((0, max(total - 1, 0), total, total + 1, (1 << self.layout.shape.total_width) - 1))
        if choice < 0.6:
            low, priority = self.leaf(rng.choice(self.predictor.recent))
            return max(0, low + rng.choice((0, 0, priority - 1, priority, -1)))
        return rng.randrange(max(total, 1))

    def leaf(self, slot: int) -> tuple[int, int]:
        """Where a leaf begins in the range of targets, and how long it is."""
        priorities = self.model.priorities
        return int(priorities[:slot].sum()), int(priorities[slot])

    def draw(self) -> int:
        """A draw; sometimes the ends of the range, or the least that reaches a target."""
        rng, bits, total = self.sample_rng, self.layout.shape.draw_width, self.model.total
        if rng.random() < 0.2:
            return rng.choice((0, (1 << bits) - 1))
        if rng.random() < 0.5 and total:
            least = -(-(self.target() << bits) // total) - rng.randint(0, 1)
            return max(0, min(least, (1 << bits) - 1))
        return rng.getrandbits(bits)


class SumTreeSequence(NativeSequence):
    """Configuration, operations and samples, one at a time or as traffic of both ports."""

    items = int(os.environ.get("SUMTREE_ITEMS", "120"))  # of one traffic

    def __init__(self, env: SumTreeEnv, rng: random.Random) -> None:
        super().__init__(env, rng)
        self.layout = env.predictor.layout

    @property
    def model(self) -> SumTreeModel:
        """The model as it stands."""
        return self.predictor.model

    async def operate(self, *operations: dict[str, int]) -> None:
        """Operations in order; returns when the last one was taken."""
        await self.feed("s_op", operations)

    async def draw(self, *samples: tuple[int, int]) -> None:
        """Samples (kind, value) in order; returns when the last one was taken."""
        await self.feed("s_sample", ({"kind": kind, "value": value} for kind, value in samples))

    async def clear(self, capacity: int = 0, initial: int = 1) -> None:
        """CLEAR with these limits. They count when the core clears itself."""
        await self.pins(capacity=capacity, initial=initial)
        await self.operate(operation(CLEAR))

    async def quiet(self) -> None:
        """Wait until everything is answered, then compare the state."""

        def done() -> bool:
            self.predictor.settle()
            return not self.env.scoreboard.waiting and not int(self.dut.busy.value)

        await self.until(done, "what was asked", QUIET)
        self.predictor.compare_state()

    # --- traffic ---

    async def run(self, traffic: Traffic) -> None:
        """Both ports at the same time, then compare the state."""
        requests = Requests(self.rng, self.env, traffic)
        jobs = []
        if traffic.operations:
            jobs.append(cocotb.start_soon(self._operations(requests, traffic)))
        if traffic.samples:
            fields = (requests.sample() for _ in range(traffic.samples))
            jobs.append(cocotb.start_soon(self.feed("s_sample", fields)))
        for job in jobs:
            await with_timeout(job, PATIENCE * PERIOD_NS, "ns")
        await self.quiet()

    async def _operations(self, requests: Requests, traffic: Traffic) -> None:
        part = -(-traffic.operations // (traffic.clears + 1))
        for number in range(traffic.clears + 1):
            if number:
                await self.clear(self.some_capacity(requests.rng), requests.rng.randint(0, self.layout.most))
            fields = (requests.operation() for _ in range(part))
            await self.feed("s_op", fields)

    def some_capacity(self, rng: random.Random) -> int:
        """A capacity that inserts soon go around, more often than not."""
        most = self.layout.shape.capacity
        return rng.choice((0, most, rng.randint(1, most), *(rng.randint(1, min(most, 40)),) * 4))

    # --- several operations ---

    async def fill(self, count: int, priority: Callable[[int], int], kind: int = INSERT) -> None:
        """Inserts, or updates of the slots from 0 on."""
        await self.operate(*(operation(kind, index=i, priority=priority(i)) for i in range(count)))


def operation(kind: int, index: int = 0, priority: int = 0, generation: int = 0, **flags: int) -> dict[str, int]:
    """Fields of an operation; flags check, max and beyond are 0 unless given."""
    return {
        "kind": kind,
        "index": index,
        "priority": priority,
        "generation": generation,
        **{"check": 0, "max": 0, "beyond": 0},
        **flags,
    }


class RandomTraffic(SumTreeSequence):
    """Every kind of address with every kind of pause, CLEARs and restarts in between."""

    async def body(self) -> None:
        await self.quiet()
        for address in ADDRESSES:
            traffic = Traffic(
                self.items,
                self.items,
                address=address,
                priority=self.rng.choice(PRIORITIES),
                clears=self.rng.randint(0, 2),
            )
            self.env.logger.info(f"{traffic.address} addresses, {traffic.priority} priorities, {traffic.clears} clears")
            going = cocotb.start_soon(self.run(traffic))
            await self.restarts(going)

    async def restarts(self, going: Task) -> None:
        """Restarts and seeds at any time until a task is over."""
        rng = seeded("restarts")
        while not going.done():
            await ClockCycles(self.dut.clk, rng.randint(20, 200))
            strata = rng.choice((0, 1, 2, 3, 5, 64, 1000, 65535))
            if rng.random() < 0.3:
                await self.pins("seed_valid", seed=rng.getrandbits(128), strata=strata)
            else:
                await self.pins("restart", strata=strata)
        await going


class FullSpeed(SumTreeSequence):
    """Both ports in every clock: no port waits, and whatever the addresses, the answers are exact."""

    async def body(self) -> None:
        await self.quiet()
        self.full_speed()
        most = self.layout.most
        only = {UPDATE: 1}
        await self.fill(min(self.model.capacity, 64), lambda i: self.rng.randint(1, most), UPDATE)
        await self.quiet()
        for address in ADDRESSES:
            kinds = self.rng.choice((MIXED, only, {UPDATE: 2, READ: 1}, {UPDATE: 1, INSERT: 1}))
            priority = self.rng.choice(PRIORITIES)
            await self.timed(Traffic(self.items, self.items, address=address, priority=priority, kinds=kinds))
        await self.timed(Traffic(self.items, 0, address="near"))
        await self.timed(Traffic(0, self.items))

    async def timed(self, traffic: Traffic) -> None:
        """Run a traffic and count the clocks in which a request waited."""
        monitors = [agent.monitor for agent in self.env.sources.values()]
        before = [m.stalls for m in monitors]
        self.env.logger.info(f"{traffic.address} addresses, {traffic.priority} priorities at full speed")
        await self.run(traffic)
        stalls = [m.stalls - b for m, b in zip(monitors, before, strict=True)]
        if self.layout.shared and traffic.operations and traffic.samples:
            # They take turns, so both wait about as often as they are served.
            fair = range(self.items // 3, self.items + 5)
            assert all(s in fair for s in stalls), f"shared leaves: ports waited {stalls} clocks for {self.items} turns"
        else:
            assert stalls == [0, 0], f"operations and samples waited {stalls} clocks"
        self.sampler.hit("full_speed")


class Neighbours(SumTreeSequence):
    """Operations and samples on the same few leaves, at every distance that the pipelines know."""

    async def body(self) -> None:
        await self.quiet()
        self.full_speed()
        for kinds in ({UPDATE: 1}, {UPDATE: 4, READ: 2, INSERT: 1}):
            for address in ("leaf", "near", "word"):
                await self.run(Traffic(self.items, self.items, address=address, kinds=kinds, wrong=0.05))
        await self.distances()
        await self.samples_behind()

    async def distances(self) -> None:
        """A write, reads of another slot, then a write of the same leaf, word or parent, or a read."""
        rng, capacity, layout = self.rng, self.model.capacity, self.layout
        for distance in NEAR:
            for apart in (0, 1, 1 << layout.word_log2):
                for kind in (UPDATE, READ):
                    slot = rng.randrange(capacity)
                    slot -= slot % (2 << layout.word_log2)
                    between = (operation(READ, rng.randrange(capacity)) for _ in range(distance - 1))
                    await self.operate(
                        operation(UPDATE, slot, rng.randint(0, layout.most)),
                        *between,
                        operation(kind, (slot + apart) % capacity, rng.randint(0, layout.most)),
                    )
                    await self.quiet()

    async def samples_behind(self) -> None:
        """Samples of one leaf in every clock, and a write of it with the first of them."""
        requests = Requests(self.rng, self.env, Traffic(address="near"))
        for _ in range(30):
            slot = requests.index()
            low, _ = requests.leaf(slot)
            write = operation(UPDATE, slot, self.rng.randint(1, self.layout.most))
            together = cocotb.start_soon(self.operate(write))
            await self.draw(*((TARGET, low) for _ in range(len(NEAR) + 2)))
            await together
        await self.quiet()


class Slots(SumTreeSequence):
    """Inserts that go around, reservations, tags that go stale, and limits that change."""

    async def body(self) -> None:
        await self.quiet()
        await self.around()
        await self.reservations()
        await self.tags()
        await self.limits()
        await self.refused()
        await self.whole_tree()

    async def around(self) -> None:
        """Odd capacities, several laps, with samples and updates in between."""
        kinds = {INSERT: 6, RESERVE: 1, UPDATE: 1, READ: 1, COMMIT: 1}
        for capacity in (1, 2, 5, min(37, self.layout.shape.capacity)):
            await self.clear(capacity, self.rng.randint(0, self.layout.most))
            await self.run(Traffic(4 * capacity + 20, 3 * capacity + 10, kinds=kinds))

    async def reservations(self) -> None:
        """A reserved slot is never drawn; its COMMIT counts once, and not when the slot was given away since."""
        rng, most = self.rng, self.layout.most
        capacity = min(7, self.layout.shape.capacity)
        await self.clear(capacity, most)
        await self.fill(capacity, lambda i: rng.randint(1, most))
        await self.quiet()
        for around in (0, 1, capacity - 1, capacity, 2 * capacity):
            slot = self.model.next
            await self.operate(operation(RESERVE, priority=most, max=1))
            await self.quiet()
            tag = self.model.generation(slot)
            await self.draw(*((kind, rng.getrandbits(8)) for kind in (DRAW, GIVEN, TARGET, SOFT) for _ in range(4)))
            kinds = (INSERT,) if around == capacity else (INSERT, RESERVE)
            await self.operate(*(operation(rng.choice(kinds), priority=rng.randint(1, most)) for _ in range(around)))
            commit = operation(COMMIT, slot, rng.randint(1, most), tag)
            await self.operate(commit, commit | {"priority": 1}, operation(READ, slot, check=1, generation=tag + 1 & 1))
            await self.draw(*((GIVEN, rng.getrandbits(self.layout.shape.draw_width)) for _ in range(8)))
        await self.operate(*(operation(RESERVE) for _ in range(capacity)))
        await self.draw((DRAW, 0), (GIVEN, 1), (TARGET, 0), (SOFT, 0))
        await self.quiet()

    async def tags(self) -> None:
        """Tags one behind, one ahead, from before a CLEAR, and around the end of their range."""
        rng, mask, most = self.rng, self.layout.tag_mask, self.layout.most
        capacity = min(3, self.layout.shape.capacity)
        await self.clear(capacity, 1)
        await self.fill(2, lambda i: 5)
        await self.quiet()
        old = [(slot, self.model.generation(slot)) for slot in range(capacity)]
        # Slots that were given and slots that were not: no tag of before the CLEAR holds.
        await self.clear(capacity, 1)
        await self.operate(*(operation(COMMIT, slot, most, tag) for slot, tag in old))
        await self.operate(*(operation(UPDATE, slot, most, tag, check=1) for slot, tag in old))
        await self.fill(2, lambda i: 7)
        await self.operate(*(operation(COMMIT, slot, most, tag) for slot, tag in old))
        await self.quiet()
        laps = min(mask, 300) + 3
        await self.clear(1, 1)
        for _ in range(laps):
            await self.operate(operation(INSERT, priority=rng.randint(0, most)))
            if self.model.generation(0) in (mask - 1, mask, 0, 1) or rng.random() < 0.1:
                await self.quiet()
                tag = self.model.generation(0)
                wrong = [(tag - 1) & mask, (tag + 1) & mask, mask, 0]
                for asked in (*wrong, tag):
                    kind = rng.choice((UPDATE, COMMIT))
                    await self.operate(operation(kind, 0, rng.randint(0, most), asked, check=1))
                await self.operate(operation(UPDATE, 0, rng.randint(0, most), wrong[0]))
                await self.draw((TARGET, 0), (DRAW, 0))
        await self.quiet()

    async def limits(self) -> None:
        """What CLEAR takes: capacity and initial priority; what counts for the largest priority, and what does not."""
        most, capacity = self.layout.most, self.layout.shape.capacity
        for chosen in (0, capacity, capacity + 1, (2 << self.layout.shape.leaves_log2) - 1, 3 % capacity, 1):
            for initial in (0, most, most // 2):
                await self.clear(chosen, initial)
                # A new capacity on the wires counts for nothing before the next CLEAR.
                await ClockCycles(self.dut.clk, 4)
                await self.pins(capacity=1, initial=most)
                await self.operate(
                    operation(RESERVE, priority=most, max=0),
                    operation(INSERT, max=1),
                    operation(INSERT, priority=min(initial + 1, most)),
                    operation(UPDATE, 0, min(initial + 2, most), self.layout.tag_mask, check=1),
                    operation(UPDATE, 0, 0, max=1),
                    operation(INSERT, priority=1, max=1),
                    operation(READ, 0, most),
                    operation(COMMIT, 0, 1, self.model.generation(0), max=1),
                )
                await self.draw((DRAW, 0), (GIVEN, 0))
                await self.quiet()

    async def refused(self) -> None:
        """Kinds that do not exist and slots that do not: answered, counted, and nothing else."""
        most = self.layout.most
        await self.clear(min(self.layout.shape.capacity, 5), 3)
        await self.fill(3, lambda i: 2 + i)
        last = self.model.capacity
        for kind in (UPDATE, COMMIT, READ, 6, 7, INSERT, RESERVE):
            for index in (last - 1, last, self.model.leaves - 1, 0):
                for beyond in (0, 1):
                    fields = {"index": index & self.model.leaves - 1, "priority": most, "beyond": beyond}
                    flags = {"check": self.rng.getrandbits(1), "max": self.rng.getrandbits(1)}
                    await self.operate(operation(kind, **fields, **flags, generation=self.model.generation(index)))
        await self.draw((TARGET, 0), (TARGET, self.model.total), (TARGET, self.model.total - 1), (GIVEN, 1))
        await self.quiet()

    async def whole_tree(self) -> None:
        """All priorities the largest, one leaf alone in every part of the tree, nothing at all."""
        shape, most, rng = self.layout.shape, self.layout.most, self.rng
        ends = [(TARGET, 0), (GIVEN, 0), (GIVEN, (1 << shape.draw_width) - 1), (DRAW, 0), (SOFT, 0)]
        ends += [(TARGET, (1 << shape.total_width) - 1), (SOFT, (1 << shape.total_width) - 1)]
        self.full_speed()
        await self.clear(shape.capacity, 0)
        await self.draw(*ends, (SOFT, 1))
        await self.operate(operation(READ, 0), operation(UPDATE, 0, 0), operation(INSERT))
        await self.draw(*ends)
        await self.quiet()
        last = shape.capacity - 1
        places = {0, last, last - 1, *(last >> b << b for b in range(shape.leaves_log2))}
        places |= {min(1 << b, last) for b in range(shape.leaves_log2)} | {(1 << b) - 1 for b in range(4)}
        for index in sorted(i for i in places if i >= 0):
            priority = rng.choice((1, most, rng.randint(1, most)))
            one = cocotb.start_soon(self.operate(operation(UPDATE, index, priority)))
            await self.draw(*ends, (TARGET, priority - 1), (TARGET, priority))
            await one
            await self.operate(operation(UPDATE, index, 0))
        await self.draw(*ends)
        await self.quiet()
        if shape.capacity <= self.items * 12:
            await self.fill(shape.capacity, lambda i: most, UPDATE)
        else:
            capacity = self.items
            await self.clear(capacity, 0)
            await self.fill(capacity, lambda i: most, UPDATE)
        await self.quiet()
        total = self.model.total
        await self.draw(*ends, (TARGET, total - 1), (TARGET, total), (SOFT, total - 1), (SOFT, total), (TARGET, most))
        await self.operate(*(operation(UPDATE, i, 0) for i in (0, last)))
        await self.draw(*ends)
        await self.quiet()
        self.random_pace()


class Draws(SumTreeSequence):
    """The generator, its seeds and its strata: which draw each sample has."""

    async def body(self) -> None:
        rng, shape = self.rng, self.layout.shape
        await self.quiet()
        capacity = min(shape.capacity, 300)
        await self.fill(capacity, lambda i: rng.randint(0, self.layout.most), UPDATE)
        await self.draw(*((DRAW, 0) for _ in range(20)))
        for strata in (0, 1, 2, 7, 32, 1000, 65535):
            await self.pins("restart", strata=strata)
            await self.draw(*((rng.choice((DRAW, DRAW, SOFT, GIVEN, TARGET)), rng.getrandbits(12)) for _ in range(40)))
            # Half of a batch, then new strata on the wires, which count from the restart on.
            await self.pins(strata=3)
            await self.draw(*((DRAW, 0) for _ in range(5)))
            await self.pins("restart")
            await self.draw(*((SOFT, 0) for _ in range(7)))
        for seed, pulses in (
            (0, ("seed_valid",)),
            (1 << 127, ("seed_valid",)),
            (rng.getrandbits(128), ("seed_valid", "restart")),
            (self.words(rng.getrandbits(64)), ("seed_valid",)),
        ):
            await self.pins(*pulses, seed=seed, strata=rng.choice((0, 5)))
            await self.draw(*((rng.choice((DRAW, SOFT)), rng.getrandbits(shape.total_width)) for _ in range(24)))
        await self.quiet()
        # A restart, and a seed, in the clock of a draw: the pipeline of draws is full by then.
        self.full_speed()
        for pulse in ("restart", "seed_valid"):
            await ClockCycles(self.dut.clk, 60)
            draws = cocotb.start_soon(self.draw(*((DRAW, 0) for _ in range(40))))
            await ClockCycles(self.dut.clk, 5)
            await self.pins(pulse, seed=rng.getrandbits(128), strata=7)
            await draws
        # Restarts and seeds at any time while draws are taken in every clock.
        for pace in (self.full_speed, self.random_pace):
            pace()
            kinds = {DRAW: 3, SOFT: 2, GIVEN: 1}
            traffic = cocotb.start_soon(self.run(Traffic(10, self.items, sampled=kinds, kinds={UPDATE: 1}, wrong=0)))
            while not traffic.done():
                await ClockCycles(self.dut.clk, rng.randint(1, 60))
                name = rng.choice(("restart", "seed_valid"))
                await self.pins(name, seed=rng.getrandbits(128), strata=rng.choice((0, 2, 3, 9)))
            await traffic

    @staticmethod
    def words(seed: int) -> int:
        """The generator's state that a 64-bit seed stands for."""
        return sum(word << 32 * i for i, word in enumerate(state_of(seed)))


class Clears(SumTreeSequence):
    """CLEAR in the middle of everything, and how long the core is busy with it."""

    async def body(self) -> None:
        await self.quiet()
        self.full_speed()
        traffic = Traffic(self.items, self.items * 2, clears=4, address="near", priority="widths")
        await self.run(traffic)
        for gap in (0, 1, 2):
            await self.clear_among_samples(gap)
        await self.busy_time()
        self.random_pace()
        await self.run(replace(traffic, address="uniform"))

    async def clear_among_samples(self, gap: int) -> None:
        """A CLEAR while a sample waits at every clock, with a sample in its own clock where the leaves allow it."""
        await self.fill(min(self.model.capacity, 20), lambda i: self.rng.randint(1, self.layout.most), UPDATE)
        await self.quiet()
        await self.pins(capacity=self.some_capacity(self.rng), initial=self.rng.randint(0, 5))
        samples = cocotb.start_soon(self.draw(*((GIVEN, self.rng.getrandbits(8)) for _ in range(20))))
        await ClockCycles(self.dut.clk, 4 + gap)
        await self.operate(operation(CLEAR), operation(READ, 0), operation(INSERT, priority=1))
        await samples
        await self.quiet()

    async def busy_time(self) -> None:
        """Busy for the words of the leaves, and until the last one has arrived everywhere: a sample's latency."""
        await self.operate(operation(UPDATE, 0, 1))
        await self.quiet()
        await self.draw((TARGET, 0))
        latency = 1 + await self.clocks_until(self.dut.m_sample_valid, 1)
        assert latency == self.layout.latency, f"a latency of {latency} clocks, and not {self.layout.latency}"
        await self.quiet()
        await self.operate(operation(CLEAR))
        busy = await self.clocks_until(self.dut.busy, 0)
        words = 1 << self.layout.shape.leaves_log2 - self.layout.word_log2
        assert busy == words + latency, f"busy for {busy} clocks: {words} words and a latency of {latency}"
        await self.quiet()

    async def clocks_until(self, signal, value: int) -> int:
        """Clock edges until a signal has a value there."""
        edge = RisingEdge(self.dut.clk)
        for clocks in range(PATIENCE):
            await edge
            if int(signal.value) == value:
                return clocks
        raise AssertionError(f"{signal._name} never became {value}")


class Held(SumTreeSequence):
    """Answers that nobody takes hold the core, and none of them is lost."""

    async def body(self) -> None:
        await self.quiet()
        await self.fill(min(self.model.capacity, 50), lambda i: self.rng.randint(1, self.layout.most), UPDATE)
        await self.quiet()
        pairs = zip(self.env.sources.values(), self.env.sinks.values(), strict=True)
        for number, (source, sink) in enumerate(pairs):
            for wait in (150, 200):
                self.full_speed()
                sink.driver.pace.stop()
                traffic = cocotb.start_soon(self.run(Traffic(120, 120)))
                await ClockCycles(self.dut.clk, wait)
                before = source.monitor.transfers
                await ClockCycles(self.dut.clk, 20)
                assert source.monitor.transfers == before, f"{source.get_name()} goes on although no answer is taken"
                assert int(source.monitor.wires.bus.valid.value) and not int(source.monitor.wires.bus.ready.value)
                self.sampler.hit(f"held.{source.get_name()}")
                if number == wait // 200:
                    sink.driver.pace.go()
                else:
                    sink.driver.pace.full_speed()
                await traffic


class Resets(SumTreeSequence):
    """A reset at any time: the core clears itself, and knows nothing of before."""

    async def body(self) -> None:
        for number in range(4):
            await self.quiet()
            if number % 2:
                self.full_speed()
            else:
                self.random_pace()
            await self.pins(capacity=self.some_capacity(self.rng), initial=self.rng.randint(0, 9), strata=number)
            traffic = Traffic(60, 60, kinds={INSERT: 3, UPDATE: 3}, priority="widths")
            going = cocotb.start_soon(self.run(traffic))
            await ClockCycles(self.dut.clk, self.rng.randint(5, 60))
            self.sampler.hit("reset.traffic", self.predictor.accepted > 0)
            await self.reset()
            if number > 1:
                # Once more before the first clear is over.
                await ClockCycles(self.dut.clk, self.rng.randint(1, 8))
                self.sampler.hit("reset.clearing", int(self.dut.busy.value))
                await self.reset()
            await going
        await self.run(Traffic(40, 40))

    async def reset(self) -> None:
        """Reset the core and everything that knows its state."""
        self.predictor.reset()
        await reset(self.dut)
        self.predictor.reset()
