"""The Verilated core against the integer model, step for step, whatever the memory and the streams do."""

import itertools

import numpy as np
import pytest
from replay_cases import CORES, QUICK, RTL, experiences, fresh, model, on_rtl, planes_of, rtl, same, start, state_of_all

from rlcores.buses.dram import Dram
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver
from rlcores.cores.replay_learner.model import MemoryFault, ReplayLearnerError, ReplayLearnerModelDriver
from rlcores.cores.sumtree.driver import SumTreeError
from rlcores.errors import UserError

MEMORIES = {
    "plain": Dram(),
    "wild": Dram(latency=3, extra=80, stall=0.3, interleave=True, banks=2, refresh_every=300, refresh=60),
    "slow": Dram(latency=200, out_of_order=False, depth=2, stall=0.1),
}
BASE = 0x1_2340_0000


@pytest.fixture(scope="module")
def cores():
    """One instance of each core for all tests: what one leaves behind must not matter to the next."""
    made: dict[str, ReplayLearnerDriver] = {}

    def get(core: str) -> ReplayLearnerDriver:
        if core not in made:
            made[core] = rtl(core, base=BASE if CORES[core]["ADDR_WIDTH"] > 32 else 0x2340_0000, limit=300_000)
        made[core].bus.memory.heal()
        made[core].bus.memory.configure(MEMORIES["plain"])
        made[core].bus.stall(1)
        made[core].bus.reset()
        return fresh(made[core])

    yield get
    for driver in made.values():
        driver.bus.close()


def both(cores, core: str, rng, **options):
    """RTL and model with the same start."""
    pair = cores(core), model(core)
    start(rng, *pair, **options)
    return pair


def give(rng, count: int, *drivers) -> np.ndarray:
    rows = drivers[0].layout.pack(*experiences(rng, drivers[0].learner.shape, count))
    for driver in drivers:
        driver.insert(rows)
    return rows


def counters(driver) -> dict[str, int]:
    return {name: n for name, n in driver.counters().items() if not name.startswith(("stall", "clocks"))}


@pytest.mark.parametrize(
    ("core", "ahead"),
    [
        *on_rtl(*((c, d) for c in CORES for d in (0, 1, 255) if d <= CORES[c]["AHEAD_MAX"])),
        *(pytest.param(c, d, marks=pytest.mark.slow) for c in CORES for d in (3, 15, 16) if d <= CORES[c]["AHEAD_MAX"]),
    ],
)
@pytest.mark.parametrize("memory", MEMORIES)
def test_rtl_and_model_agree_after_every_call(cores, core, memory, ahead, seed):
    rng = np.random.default_rng([seed, ahead, *map(ord, core + memory)])
    slots = int(rng.integers(CORES[core]["CAPACITY"] // 2, CORES[core]["CAPACITY"] + 1))
    batch = int(rng.integers(1, CORES[core]["BATCH_MAX"] + 1))
    real, exact = both(cores, core, rng, batch=batch, capacity=slots, ahead=ahead)
    real.bus.memory.configure(MEMORIES[memory])
    real.bus.stall(seed, source=0.3, sink=0.3, registers=0.2)
    added = trained = 0
    for call in range(6):
        laps = slots if call == 3 else 0  # every slot is overwritten once, whatever the seed
        added += len(give(rng, laps + int(rng.integers(1, slots + 5)), real, exact))
        same(state_of_all(real, slots), state_of_all(exact, slots), f"insert {call}")
        steps = int(rng.integers(1, 7))
        real.train(steps)
        exact.train(steps)
        trained += steps
        same(state_of_all(real, slots), state_of_all(exact, slots), f"train {call}")
    assert counters(real) == counters(exact)
    assert counters(real)["batches"] == trained and counters(real)["committed"] == added > slots
    assert not real.flags() and real.fault() is None


@pytest.mark.parametrize("ahead", [0, 15, 16, 254, 255])
def test_sampling_goes_as_far_ahead_as_it_may_and_no_batch_further(cores, ahead, seed):
    rng = np.random.default_rng([seed, ahead])
    real, exact = both(cores, "split", rng, batch=2, capacity=40, ahead=ahead)
    give(rng, 40, real, exact)
    real.start(ahead + 30)
    furthest = 0
    while real.status("busy"):
        batches, sampled = real.read("BATCHES"), real.read("SAMPLED")  # in this order no batch is missed
        furthest = max(furthest, sampled // 2 - batches)
    real.wait()
    exact.train(ahead + 30)
    same(state_of_all(real, 40), state_of_all(exact, 40), f"{ahead} ahead")
    assert ahead + 1 <= furthest <= ahead + 2  # one more may end between the two readings
    assert counters(real) == counters(exact) and counters(real)["batches"] == ahead + 30


@pytest.mark.parametrize("core", RTL)
def test_answers_of_the_memory_come_out_of_order_and_interleaved(cores, core, seed):
    rng = np.random.default_rng([seed, *map(ord, core)])
    slots, batch = CORES[core]["CAPACITY"], CORES[core]["BATCH_MAX"]
    real, exact = both(cores, core, rng, batch=batch, capacity=slots, ahead=CORES[core]["AHEAD_MAX"])
    real.bus.memory.configure(MEMORIES["wild"])
    give(rng, slots, real, exact)
    before = real.bus.memory.statistics()
    for driver in (real, exact):
        driver.train(20)
    after = real.bus.memory.statistics()
    same(state_of_all(real, slots), state_of_all(exact, slots), "20 steps")
    assert after["reads"] - before["reads"] == 20 * batch
    assert after["reordered"] > before["reordered"] and after["interleaved"] > before["interleaved"]


@pytest.mark.parametrize("double", [False, True])
def test_double_dqn_is_exact_on_the_rtl(cores, double, seed):
    rng = np.random.default_rng([seed, double])
    real, exact = both(cores, "tiny", rng, batch=16, capacity=32, ahead=2, double=double)
    give(rng, 32, real, exact)
    for driver in (real, exact):
        driver.train(25)
    same(state_of_all(real, 32), state_of_all(exact, 32), "25 steps")


@pytest.mark.parametrize("core", RTL)
def test_a_stop_in_the_middle_loses_no_update_and_training_goes_on_exactly(cores, core, seed):
    rng = np.random.default_rng([seed, *map(ord, core)])
    slots = CORES[core]["CAPACITY"]
    real, exact = both(cores, core, rng, batch=5, capacity=slots, ahead=CORES[core]["AHEAD_MAX"])
    give(rng, slots, real, exact)
    trained = 0
    for _ in range(12):
        real.start(0 if rng.random() < 0.7 else 1000)
        real.bus.run(int(rng.integers(0, 3000)))
        real.stop()
        real.wait()
        counted = counters(real)
        done, trained = counted["batches"] - trained, counted["batches"]
        assert counted["sampled"] == 5 * trained
        exact.train(done)
        same(state_of_all(real, slots), state_of_all(exact, slots), f"a stop after {done} batches")
    assert trained > 5 and counters(exact) == counters(real)


@pytest.mark.parametrize("core", RTL)
def test_a_read_error_is_reported_with_its_address_and_stops_the_loop_cleanly(cores, core, seed):
    rng = np.random.default_rng([seed, *map(ord, core)])
    slots = CORES[core]["CAPACITY"]
    real, exact = both(cores, core, rng, batch=6, capacity=slots, ahead=1)
    real.bus.memory.configure(MEMORIES["wild"])
    give(rng, slots, real, exact)
    errors = trained = 0
    for _ in range(6):
        bad = {int(i) for i in rng.choice(slots, 4, replace=False)}
        for slot in bad:
            real.bus.memory.fail("read", real.base + slot * real.stride, real.stride)
        with pytest.raises(
            MemoryFault, match=r"the memory answered a read with an error, the first one at address 0x"
        ) as e:
            real.train(1000)
        real.bus.memory.heal()
        assert (e.value.address - real.base) % real.stride == 0 and (e.value.address - real.base) // real.stride in bad
        assert f"0x{e.value.address:X}" in str(e.value)
        assert e.value.batches == counters(real)["batches"] - trained < 1000
        trained += e.value.batches
        exact.train(e.value.batches, unreadable=bad)
        same(state_of_all(real, slots), state_of_all(exact, slots), "read errors")
        assert counters(real) == counters(exact) and not real.status("busy")
        errors = counters(real)["read_errors"]
        # Healed, it goes on.
        for driver in (real, exact):
            driver.train(3)
        trained += 3
        same(state_of_all(real, slots), state_of_all(exact, slots), "training on")
    assert errors >= 6


@pytest.mark.parametrize("core", RTL)
def test_a_write_error_is_reported_and_its_slot_is_never_sampled(cores, core, seed):
    rng = np.random.default_rng([seed, *map(ord, core)])
    slots = CORES[core]["CAPACITY"]
    real, exact = both(cores, core, rng, batch=6, capacity=slots, ahead=0)
    real.bus.memory.configure(MEMORIES["wild"])
    give(rng, slots, real, exact)
    following = 0
    for _ in range(5):
        bad = {int(i) for i in rng.choice(slots, 5, replace=False)}
        for slot in bad:
            real.bus.memory.fail("write", real.base + slot * real.stride, real.stride)
        count = int(rng.integers(1, slots))
        rows = real.layout.pack(*experiences(rng, real.learner.shape, count))
        hit = [(following + i) % slots in bad for i in range(count)]
        first = next(((following + i) % slots for i in range(count) if hit[i]), None)
        if first is None:
            real.insert(rows)
        else:
            with pytest.raises(MemoryFault, match="answered a write with an error") as e:
                real.insert(rows)
            assert e.value.address == real.base + first * real.stride and e.value.lost == sum(hit)
        real.bus.memory.heal()
        exact.insert(rows, np.array(hit))
        following = (following + count) % slots
        for driver in (real, exact):
            driver.train(4)
        same(state_of_all(real, slots), state_of_all(exact, slots), "write errors")
        assert counters(real) == counters(exact)
    assert counters(real)["write_errors"] > 0
    assert counters(real)["reserved"] == counters(real)["committed"] + counters(real)["write_errors"]


def test_a_write_error_while_it_trains_stops_the_loop_too(cores, seed):
    rng = np.random.default_rng(seed)
    real, exact = both(cores, "tiny", rng, batch=4, capacity=32, ahead=1)
    give(rng, 20, real, exact)
    real.bus.memory.fail("write", real.base + 22 * real.stride, real.stride)
    real.start(0)
    real.bus.run(500)
    real.give(real.layout.pack(*experiences(rng, real.learner.shape, 4)))
    real.wait()
    fault = real.fault()
    assert fault is not None and fault.address == real.base + 22 * real.stride
    counted = counters(real)
    assert (counted["reserved"], counted["committed"], counted["write_errors"]) == (24, 23, 1)
    assert counted["sampled"] == 4 * counted["batches"] > 0 and real.host(4, 22)[1] == 0


def test_the_learner_waits_for_what_the_stall_counters_say(cores, seed):
    """A batch of 4 with 4 reads in flight: a slower memory costs each batch its latency once, and nothing else."""
    rng = np.random.default_rng(seed)
    real, exact = both(cores, "tiny", rng, batch=4, capacity=32, ahead=0)
    give(rng, 32, real, exact)
    waits = {}
    for latency in (1, 401):
        for ahead in (0, 2):
            real.bus.memory.configure(Dram(latency=latency, refresh_every=0, row_cycle=0, precharge=0, rcd=0))
            real.configure(ahead=ahead)
            real.clear_counters()
            real.train(25)
            counted = real.counters()
            stalls = [counted[f"stall_{cause}"] for cause in ("order", "tree", "memory", "empty")]
            assert counted["batches"] == 25 and sum(stalls) < counted["clocks"]
            waits[latency, ahead] = stalls
    (order, tree, memory, none), slow, hidden, both_ = (waits[x] for x in ((1, 0), (401, 0), (1, 2), (401, 2)))
    assert slow[2] - memory == 25 * 400 and memory > 25 and tree == slow[1] > 25 and none == slow[3] == 0
    assert order > 25 * 10 and slow[0] > 25 * 10  # each batch waits for the updates of the one before
    # Two batches ahead: only the first one waits for the tree, and none for updates.
    assert max(hidden[0], both_[0]) < 25 and hidden[1] == both_[1] == tree // 25 and hidden[2] < memory
    assert 25 * 390 < both_[2] < 25 * 410


def test_a_reset_in_the_middle_leaves_a_core_that_starts_anew(cores, seed):
    rng = np.random.default_rng(seed)
    for round_ in range(5):
        real, exact = both(cores, "split", rng, batch=7, capacity=50, ahead=2)
        real.bus.memory.configure(MEMORIES["wild"])
        give(rng, 30, real, exact)
        for driver in (real, exact):
            driver.train(5)
        same(state_of_all(real, 50), state_of_all(exact, 50), f"reset {round_}")
        # The next round begins with a reset in the middle of this.
        if round_ % 2:
            real.start(0)
            real.bus.run(int(rng.integers(1, 2000)))
        else:
            real.give(real.layout.pack(*experiences(rng, real.learner.shape, 8)))
            real.bus.run(int(rng.integers(0, 3)))  # the last word's beats are not all on their way yet


def test_the_rx_takes_a_word_a_clock(cores):
    real = cores("tiny")
    rows = real.layout.pack(*experiences(np.random.default_rng(1), real.learner.shape, 1))
    before = real.bus.cycles
    real.give(rows)
    assert real.bus.cycles - before <= real.layout.words + 1


def test_batches_begin_with_as_many_experiences_as_min_size_says(cores, seed):
    rng = np.random.default_rng(seed)
    real, exact = both(cores, "tiny", rng, batch=4, capacity=32, ahead=1)
    give(rng, 20, real, exact)
    real.write("MIN_SIZE", 21)
    real.start(2)
    real.bus.run(2000)
    counted = counters(real)
    assert counted["sampled"] == counted["batches"] == 0 and real.status("running")
    real.give(give(rng, 1, exact))
    real.wait()
    exact.train(2)
    same(state_of_all(real, 21), state_of_all(exact, 21), "a wait for experiences")


def test_a_sample_of_a_tree_without_priorities_is_flagged(cores, seed):
    rng = np.random.default_rng(seed)
    real, _ = both(cores, "tiny", rng, batch=4, capacity=32, ahead=1)
    give(rng, 8, real)
    real.set_priorities(np.zeros(8, np.int64))
    real.start(1)
    real.bus.run(3000)
    assert counters(real)["voids"] == 4 and real.flags() == {"EMPTY"}
    real.abort()
    real.clear_flags()


@pytest.mark.parametrize("core", QUICK)
def test_an_abort_reads_no_more_and_is_over_when_the_learner_is_idle(cores, core, seed):
    """Wherever the first batch, a long one, is: sampled, read from a slow memory, on its way through the learner."""
    rng = np.random.default_rng(seed)
    batch = CORES[core]["BATCH_MAX"]
    real, _ = both(cores, core, rng, batch=batch, capacity=32, ahead=1)
    give(rng, 32, real)
    inside = 0
    for latency, clocks in itertools.product((400, 1), range(0, 600, 30)):
        real.bus.memory.configure(Dram(latency=latency, refresh_every=0))
        before = real.bus.memory.statistics()["reads"]
        real.start(1)
        real.bus.run(clocks)
        inside += real.learner.status("busy")
        real._command("abort")
        while real.status("aborting"):
            pass
        assert not any(real.learner.status(name) for name in ("busy", "aborting")), clocks
        if clocks < latency:
            assert real.bus.memory.statistics()["reads"] - before < batch, clocks
        real.abort()
        real.clear_flags()
    assert inside > 3


def test_what_the_loop_refuses_is_one_sentence_and_changes_nothing(cores, seed):
    rng = np.random.default_rng(seed)
    real, exact = both(cores, "tiny", rng, batch=4, capacity=32, ahead=1)
    give(rng, 32, real, exact)
    before = state_of_all(real, 32)
    for name, value in (("BATCH", 0), ("BATCH", 17), ("AHEAD", 3), ("TD_FRAC", 21), ("BASE_LOW", real.stride // 2)):
        known = real.read(name)
        with pytest.raises(ReplayLearnerError, match=rf"answers to {name} = {value}: a write or command came at the"):
            real.write(name, value)
        assert real.read(name) == known
    with pytest.raises(ReplayLearnerError, match="a host operation was refused"):
        real.host(2)  # RESERVE
    real.start(0)
    for call in (lambda: real.write("BATCH", 5), lambda: real.write("AHEAD", 0), lambda: real.host(4, 1)):
        with pytest.raises(ReplayLearnerError, match="answers to"):
            call()
    real.stop()
    real.wait()
    exact.train(counters(real)["batches"])
    same(state_of_all(real, 32), state_of_all(exact, 32), "refusals")
    assert before["records"] == real.records(32).tolist()


@pytest.mark.parametrize("core", on_rtl(("split",), ("ddpg_tiny",)))
def test_the_learner_goes_on_where_another_one_stopped(cores, core, seed):
    """continue_from: the count of steps since the target network followed is the only state that has no register."""
    rng = np.random.default_rng(seed)
    for since in (0, 1, 3):
        real, exact = both(cores, core, rng, batch=3, capacity=20, ahead=0, sync_interval=4)
        give(rng, 20, real, exact)
        real.train(2)
        real.continue_from(since, 5)
        real.clear_counters()
        real.learner.clear_counters()
        exact.continue_from(since, 5)
        again = np.random.default_rng(seed)
        start(again, real, exact, batch=3, capacity=20, ahead=0, sync_interval=4)
        give(again, 20, real, exact)
        for steps in (1, 2, 3):
            real.train(steps)
            exact.train(steps)
            state, wanted = state_of_all(real, 20), state_of_all(exact, 20)
            del state["steps"], wanted["steps"]
            same(state, wanted, f"{since} steps and {steps} more")


@pytest.mark.parametrize("core", RTL)
def test_records_of_any_words_train_as_the_model_says(cores, core, seed):
    """Every bit of every word, reserved ones and padding too: feeder and learner must agree on which records train."""
    rng = np.random.default_rng([seed, *map(ord, core)])
    slots, shape = CORES[core]["CAPACITY"], model(core).learner.shape
    for ahead in {0, CORES[core]["AHEAD_MAX"]}:
        real, exact = both(cores, core, rng, batch=6, capacity=slots, ahead=ahead)
        rows = rng.integers(0, 2**32, (slots, real.layout.elements), np.uint32)
        known = rng.random(slots) < 0.5  # else hardly any action exists
        rows[known, 0] = rng.integers(0, shape.value.sizes[-1], int(known.sum())) | rng.integers(0, 2) << 31
        for driver in (real, exact):
            driver.insert(rows)
            driver.train(20)
        same(state_of_all(real, slots), state_of_all(exact, slots), f"random words, {ahead} ahead")
        trains = real.layout.valid(real.layout.unpack(rows, np.zeros(slots, np.int64)))
        assert 0 < trains.sum() < slots and counters(real) == counters(exact)


@pytest.mark.parametrize("core", RTL)
def test_an_abort_at_any_time_loses_nothing_committed_and_the_core_goes_on_exactly(cores, core, seed):
    rng = np.random.default_rng([seed, *map(ord, core)])
    slots, ahead = CORES[core]["CAPACITY"], CORES[core]["AHEAD_MAX"]
    real, exact = both(cores, core, rng, batch=5, capacity=slots, ahead=ahead)
    real.bus.memory.configure(MEMORIES["wild"])
    give(rng, slots, real, exact)
    inside = trained = 0
    for turn in range(40):
        if turn >= 14 and inside >= 10 and trained > 5:
            break  # most seeds need no more
        before = real.learner.steps
        if turn % 4 == 3:  # experiences on their way: all whole ones are kept
            rows = real.layout.pack(*experiences(rng, real.learner.shape, int(rng.integers(1, 6))))
            real.give(rows)
            exact.insert(rows)
            real.bus.run(int(rng.integers(0, 60)))
        else:
            real.start(0)
            real.bus.run(int(rng.integers(0, 900)))
        busy = real.status("busy")
        inside += busy
        clock = real.bus.cycles
        real.abort()
        assert real.bus.cycles - clock < 20_000 and not real.flags() - {"BATCH"}
        assert not any(real.status(name) for name in ("busy", "running", "aborting", "rx_busy", "host_busy"))
        steps = real.learner.steps - before
        trained += steps
        exact.train(steps)
        # Weights are those of the whole steps. Updates of the last ones may be lost, and draws have gone on.
        assert planes_of(real) == planes_of(exact) and real.records(slots).tolist() == exact.records(slots).tolist()
        assert (real.size, real.filled) == (exact.size, exact.filled)
        exact.set_priorities(real.priorities(slots))
        exact.tree.model.largest = real.largest
        state = tuple(int(x) for x in rng.integers(1, 2**32, 4))
        for driver in (real, exact):
            driver.load_draws(state)
        real.learner.clear_counters()
        exact.learner.clear_counters()
        for driver in (real, exact):
            driver.train(2)
        same(state_of_all(real, slots), state_of_all(exact, slots), f"abort {turn}")
    assert inside >= 10 and trained > 5


def test_a_loop_that_waits_for_ever_is_aborted(cores, seed):
    """A learner that was stopped, a tree with another BATCH: what no stop ends."""
    rng = np.random.default_rng(seed)
    real, exact = both(cores, "tiny", rng, batch=4, capacity=32, ahead=1)
    give(rng, 32, real, exact)
    for cause in ("learner", "tree"):
        if cause == "tree":
            real.tree.write("BATCH", 3)
            real.tree.restart()
        real.write("STEPS", 0 if cause == "learner" else 1)
        if cause == "tree":
            real.learner.start()
        real._command("start")
        real.bus.run(3000)
        real.stop()
        real.bus.run(3000)
        assert real.status("busy")
        real.abort()
        real.clear_flags()
        real.configure(batch=4)
    real.learner.clear_counters()
    state = (1, 2, 3, 4)
    before = exact.learner.steps
    exact.train(real.learner.steps - before)
    for driver in (real, exact):
        driver.load_draws(state)
    assert real.records(32).tolist() == exact.records(32).tolist()


def test_a_lost_word_loses_one_experience_and_no_other(cores, seed):
    rng = np.random.default_rng(seed)
    real, exact = both(cores, "tiny", rng, batch=4, capacity=32, ahead=1)
    rows = real.layout.pack(*experiences(rng, real.learner.shape, 40))
    beats = rows.reshape(-1, real.layout.lanes).view(np.uint64)
    words = real.layout.words
    real.write("CONTROL", real.read("CONTROL") & ~2)
    good = []
    for i in range(40):
        record = beats[i * words : (i + 1) * words]
        if i % 5 == 2:
            record = np.delete(record, int(rng.integers(0, words)), axis=0)
        elif i % 5 == 4:
            record = np.insert(record, int(rng.integers(0, words)), record[0], axis=0)
        else:
            good.append(i)
        real.bus.transfer({"s_axis_exp": record}, {})
    while real.status("rx_busy"):
        pass
    exact.insert(rows[good])
    assert real.counters()["dropped"] == 16 and real.flags() == {"FRAME"}
    real.clear_flags()
    for driver in (real, exact):
        driver.train(4)
    same(state_of_all(real, 32), state_of_all(exact, 32), "lost words")
    # With packets, too, the driver says so.
    real._control(1)
    real.bus.transfer({"s_axis_exp": beats[: words + 1]}, {})
    with pytest.raises(ReplayLearnerError, match=r"dropped an experience: an experience had too few words"):
        real.insert(rows[:0])


def test_a_base_from_which_the_records_would_begin_again_at_0_is_refused(cores):
    real = cores("tiny")
    bits, reach = CORES["tiny"]["ADDR_WIDTH"], real.stride << CORES["tiny"]["LEAVES_LOG2"]
    top = (1 << bits) - reach
    for base in (top + real.stride, (1 << bits) - real.stride, 1 << bits, -real.stride):
        for make in (
            lambda base=base: ReplayLearnerDriver(real.bus, base),
            lambda base=base: ReplayLearnerModelDriver(CORES["tiny"], base=base),
        ):
            with pytest.raises(UserError, match=r"must end within addresses of 32 bits"):
                make()
    with pytest.raises(UserError, match=r"base is 0x8; it must be a multiple of 32 bytes"):
        ReplayLearnerModelDriver(CORES["tiny"], base=8)
    ReplayLearnerModelDriver(CORES["tiny"], base=top)
    moved = ReplayLearnerDriver(real.bus, top)
    rng = np.random.default_rng(1)
    start(rng, moved, batch=4, capacity=32, ahead=0)
    rows = moved.layout.pack(*experiences(rng, moved.learner.shape, 32))
    moved.insert(rows)
    assert moved.records(32).tolist() == rows.tolist()
    # With experiences in memory it stands still.
    with pytest.raises(ReplayLearnerError, match="answers to BASE_LOW"):
        ReplayLearnerDriver(real.bus, top - real.stride)


def test_a_base_of_more_than_32_bits_is_checked_in_both_its_words(cores):
    real = cores("split")
    reach = real.stride << CORES["split"]["LEAVES_LOG2"]
    for low, fits in ((2**32 - reach, True), (2**32 - reach + real.stride, False), (2**32 - real.stride, False)):
        real.write("BASE_HIGH", 1)
        real.write("BASE_LOW", low)
        real.write("BASE_HIGH", 2)
        if fits:
            real.write("BASE_HIGH", 3)
            continue
        with pytest.raises(ReplayLearnerError, match="answers to BASE_HIGH"):
            real.write("BASE_HIGH", 3)
        assert real.read("BASE_HIGH") == 2
    with pytest.raises(ReplayLearnerError, match="answers to BASE_HIGH"):
        real.write("BASE_HIGH", 4)


def test_draws_and_settings_in_the_trees_window_are_refused_while_the_loop_is_busy(cores, seed):
    rng = np.random.default_rng(seed)
    real, exact = both(cores, "tiny", rng, batch=4, capacity=32, ahead=1)
    give(rng, 32, real, exact)
    tree = real.tree
    with pytest.raises(SumTreeError, match="DRAW"):  # never: its answers would be the loop's
        tree.write("DRAW", 1)
    real.start(0)
    real.bus.run(300)
    for name in ("DRAW", "BATCH", "CONTROL", "SEED3", "BETA", "ALPHA", "EPSILON", "SCALE"):
        with pytest.raises(SumTreeError, match=f"answers to {name}"):
            tree.write(name, 1)
    for name in ("restart", "clear", "abort"):
        with pytest.raises(SumTreeError, match="answers to COMMAND"):
            tree._command(name)
    real.stop()
    real.wait()
    exact.train(counters(real)["batches"])
    same(state_of_all(real, 32), state_of_all(exact, 32), "refused writes")
