"""Hours of traffic in minutes: actors that stall, loops that are stopped, resets, a memory that answers with errors.

Experiences arrive while the loop samples, trains and updates, so no model can say in which order. What must hold in any
order: with a learning rate of 0 and gamma 0 the TD error of an experience depends on itself alone, so a slot has its
experience's first priority or the one of its TD error, and no other; and the memory holds that experience there.
"""

import numpy as np
import pytest
from replay_cases import CORES, experiences, fresh, model, planes_of, rtl, start, td_frac

from rlcores.buses.dram import Dram
from rlcores.cores.learner.format import equal_networks
from rlcores.cores.learner.model import ValueLearner
from rlcores.cores.replay_learner.driver import Driver, ReplayLearnerDriver
from rlcores.cores.replay_learner.records import DELTA_MAX, LARGEST
from rlcores.cores.sumtree import maths as sumtree_maths

BASE = 0x40_0000


class Ledger:
    """What each slot must hold, from what was given in which order."""

    def __init__(self, driver: Driver, slots: int, registers: dict[str, int]) -> None:
        """The empty core after start(). registers: of the priority maths."""
        self.driver, self.slots, self.registers = driver, slots, registers
        self.added = self.failed_writes = 0
        self.rows = driver.records(slots)  # of other times: a slot whose write fails keeps it
        self.first, self.later = np.zeros((2, slots), np.int64)
        self.largest, self.failed = np.zeros((2, slots), bool)
        self.possible = np.zeros(1 << driver.tree_shape.priority_width, bool)
        self.possible[registers["initial"]] = True

    def _priority(self, td: np.ndarray) -> np.ndarray:
        r = self.registers
        delta = np.minimum(td << (20 - td_frac(self.driver.learner.shape)), DELTA_MAX)
        width = self.driver.tree_shape.priority_width
        return sumtree_maths.priorities(delta, r["alpha"], r["epsilon"], r["scale"], width)[0]

    def take(self, rows: np.ndarray, td: np.ndarray, unwritable: np.ndarray) -> np.ndarray:
        """Experiences with these TD errors are given; slots that cannot be written. Returns whose write fails."""
        at = (self.added + np.arange(len(rows))) % self.slots
        failed = np.isin(at, unwritable)
        first = self.driver.layout.first(rows)
        values, later = self._priority(np.where(first == LARGEST, 0, first)), self._priority(td)
        # Of equal slots numpy keeps the last.
        self.first[at], self.later[at], self.largest[at], self.failed[at] = values, later, first == LARGEST, failed
        self.rows[at[~failed]] = rows[~failed]
        self.possible[values[first != LARGEST]] = self.possible[later] = True
        self.added += len(rows)
        self.failed_writes += int(failed.sum())
        return failed

    def check(self) -> tuple[int, int]:
        """All slots; returns how many hold an updated priority, and how many the first one."""
        size = min(self.added, self.slots)
        driver = self.driver
        priorities = driver.priorities(size)
        assert driver.size == size
        assert np.array_equal(driver.records(size), self.rows[:size]), (
            "an experience was lost, or is in another's place"
        )
        failed, largest = self.failed[:size], self.largest[:size]
        assert not priorities[failed].any(), "an experience that was not written can be sampled"
        updated, first = priorities == self.later[:size], priorities == self.first[:size]
        right = updated | np.where(largest, self.possible[priorities], first)
        assert right[~failed].all(), f"a priority is on the wrong slot: {np.flatnonzero(~right & ~failed)[:5]}"
        return int((updated & ~first & ~failed).sum()), int((first & ~updated & ~largest & ~failed).sum())

    def add_up(self) -> dict[str, int]:
        """The counters; returns them."""
        counted, batch = self.driver.counters(), self.registers["batch"]
        assert counted["reserved"] == self.added
        assert counted["write_errors"] == self.failed_writes
        assert counted["committed"] + counted["write_errors"] + counted["stale_commits"] == self.added
        assert counted["sampled"] == batch * counted["batches"]
        assert counted["stale_commits"] == 0 and counted["read_errors"] <= counted["voids"] <= counted["sampled"]
        assert self.driver.filled == counted["committed"]
        return counted


def td_errors(driver: Driver, learner: ValueLearner, rows: np.ndarray) -> np.ndarray:
    """|TD error| of each experience with the learner's weights, which do not change."""
    errors = [np.zeros(0, np.int64)]
    for first in range(0, len(rows), 60_000):
        part = rows[first : first + 60_000]
        learner.set(batch=len(part))
        errors.append(learner.gradients(driver.layout.unpack(part, np.zeros(len(part), np.int64))))
    return np.concatenate(errors)


def valid_experiences(rng: np.random.Generator, driver: Driver, count: int) -> np.ndarray:
    records, first = experiences(rng, driver.learner.shape, count)
    records.actions %= driver.learner.shape.value.sizes[-1]
    return driver.layout.pack(records, first)


def begin(rng: np.random.Generator, driver: Driver, twin: Driver, slots: int, ahead: int) -> Ledger:
    """A fresh start with a learner that learns nothing; `twin` gets the same weights."""
    batch = int(rng.integers(1, driver.learner.shape.batch_max + 1))
    still = {"networks": equal_networks(rate_exp=20), "gamma": 0, "double": False, "sync_interval": 0, "huber": 0}
    state = rng.bit_generator.state
    start(rng, driver, batch=batch, capacity=slots, ahead=ahead, **still)
    rng.bit_generator.state = state
    start(rng, twin, batch=batch, capacity=slots, ahead=ahead, **still)
    registers = vars(twin.tree.registers) | vars(twin.registers) | {"initial": twin.tree.model.cfg_initial}
    return Ledger(driver, slots, registers)


def run_model(seed: int, total: int, slots_log2: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    parameters = {**CORES["tiny"], "LEAVES_LOG2": slots_log2, "CAPACITY": 1 << slots_log2}
    added = updated = firsts = trained = voids = 0
    while added < total:
        driver = model(parameters)
        slots = int(rng.integers(most // 20, (1 << slots_log2) + 1))
        twin = model(parameters)
        ledger = begin(rng, driver, twin, slots, int(rng.integers(0, 4)))
        weights, still = planes_of(driver), twin.learner.model
        for _ in range(int(rng.integers(2, 12))):
            rows = valid_experiences(rng, driver, int(rng.integers(1, most)))
            bad = rng.choice(slots, int(rng.integers(0, 6)), replace=False)
            failed = ledger.take(rows, td_errors(driver, still, rows), bad)
            driver.insert(rows, failed)
            driver.train(int(rng.integers(0, 60)), unreadable=rng.choice(slots, slots // 50, replace=False))
            new, old = ledger.check()
            updated, firsts = updated + new, firsts + old
        counted = ledger.add_up()
        assert planes_of(driver) == weights and counted["stale_updates"] == 0
        added, trained, voids = added + ledger.added, trained + counted["batches"], voids + counted["voids"]
    assert added >= total and updated > 100 and firsts > 100 and trained > 20 and voids > 0


def memory(rng: np.random.Generator) -> Dram:
    return Dram(
        latency=int(rng.integers(1, 150)),
        extra=int(rng.integers(0, 100)),
        stall=float(rng.random() * 0.5),
        banks=int(2 ** rng.integers(0, 5)),
        refresh_every=600,
        out_of_order=bool(rng.integers(0, 2)),
        interleave=bool(rng.integers(0, 2)),
        depth=int(rng.integers(1, 20)),
        seed=int(rng.integers(0, 2**32)),
    )


class Rtl:
    """Runs on one Verilated core, each between two resets."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.driver = rtl("tiny", base=BASE, limit=300_000)
        self.bus = self.driver.bus
        self.sums: dict[str, int] = {}
        self.last: dict[str, int] = {}  # counters of this run when they were added
        self.resets = 0

    def run(self, experiences_: int) -> None:
        """One run: parts with and without errors of the memory, each of them ended by a stop, an error or a reset."""
        rng, bus = self.rng, self.bus
        bus.memory.heal()
        bus.reset()
        bus.memory.configure(memory(rng))
        bus.stall(int(rng.integers(1, 2**31)), source=float(rng.choice([0, 0.5, 0.9])), registers=0.2)
        self.driver = driver = fresh(self.driver)
        self.last = {}
        slots = int(rng.integers(8, 33))
        twin = model("tiny")
        ledger = begin(rng, driver, twin, slots, int(rng.integers(0, 3)))
        still, weights = twin.learner.model, planes_of(driver)
        while ledger.added < experiences_:
            self._part(ledger, still)
            if rng.random() < 0.1:
                self.resets += 1
                driver.start(0)
                bus.run(int(rng.integers(0, 400)))
                return  # the next run's reset comes into the middle of this one
        assert planes_of(driver) == weights

    def _part(self, ledger: Ledger, still: ValueLearner) -> None:
        rng, bus, driver = self.rng, self.bus, ledger.driver
        few = lambda p: rng.choice(ledger.slots, 2, replace=False) if rng.random() < p else np.zeros(0, int)  # noqa: E731
        unwritable, unreadable = few(0.2), few(0.2)
        for kind, slots in (("write", unwritable), ("read", unreadable)):
            for slot in slots:
                bus.memory.fail(kind, driver.base + int(slot) * driver.stride, driver.stride)
        driver.start(0 if rng.random() < 0.8 else int(rng.integers(1, 50)))
        first = None
        for _ in range(int(rng.integers(1, 5))):
            rows = valid_experiences(rng, driver, int(rng.integers(1, 60)))
            at = (ledger.added + np.arange(len(rows))) % ledger.slots
            failed = ledger.take(rows, td_errors(driver, still, rows), unwritable)
            first = at[failed][0] if first is None and failed.any() else first
            driver.give(rows)
            bus.run(int(rng.integers(0, 600)))  # actors that think
        driver.stop()
        driver._until_idle("rx_busy")
        if not driver.filled:  # nothing to sample, so nothing to wait for but the stop
            assert not driver.status("busy")
            driver.learner.stop()
        else:
            driver.wait()
        fault = driver.fault()
        bus.memory.heal()
        assert first is None or fault is not None
        if fault:
            slot, rest = divmod(fault.address - driver.base, driver.stride)
            assert rest == 0 and (slot in unreadable or slot in unwritable)
        new, old = ledger.check()
        counted = ledger.add_up()
        tree = driver.tree.counters()
        done = counted["sampled"] - counted["voids"] - counted["stale_updates"]
        assert tree["updates"] == counted["committed"] + done, "an update was lost"
        assert tree["inserts"] == counted["reserved"] and tree["stale"] == counted["stale_updates"]
        assert tree["samples"] + tree["empty"] == counted["sampled"] and not tree["range"] | tree["miss"]
        assert driver.learner.steps == counted["batches"] and "BATCH" not in driver.flags()
        self._add(counted, {"updated": new, "first": old, "errors": fault is not None, "empty": tree["empty"]})

    def _add(self, counted: dict[str, int], more: dict[str, int]) -> None:
        grown = {name: (count - self.last.get(name, 0)) % 2**32 for name, count in counted.items()}
        self.last = counted
        for name, count in (grown | more).items():
            self.sums[name] = self.sums.get(name, 0) + int(count)


def run_rtl(seed: int, total: int, each: int) -> Rtl:
    core = Rtl(seed)
    while core.sums.get("reserved", 0) < total:
        core.run(int(core.rng.integers(each // 4, each)))
    s = core.sums
    assert s["committed"] + s["write_errors"] == s["reserved"] >= total
    assert s["batches"] > total // 20 and s["updated"] > total // 50
    s["simulated"] = core.bus.cycles
    core.bus.close()
    return core


def test_traffic_through_the_model_loses_nothing(seed):
    run_model(seed, 40_000, 12, 3000)


def test_traffic_through_the_rtl_loses_nothing(seed):
    run_rtl(seed, 3000, 1000)


@pytest.mark.slow
def test_ten_million_experiences_through_the_model(seed):
    run_model(seed, 10_000_000, 16, 60_000)


@pytest.mark.slow
def test_a_hundred_thousand_experiences_through_the_rtl(seed):
    core = run_rtl(seed, 100_000, 6000)
    s = core.sums
    print(f"{s}, {core.resets} resets in the middle")
    assert core.resets > 10 and s["errors"] > 50 and s["write_errors"] > 50 and s["read_errors"] > 50
    assert s["stale_updates"] > 50 and s["first"] > 50 and isinstance(core.driver, ReplayLearnerDriver)
