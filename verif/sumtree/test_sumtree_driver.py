"""The driver on the RTL and on the model: the same answers bit for bit, in one order, whatever the streams do."""

import numpy as np
import pytest
from axi_cores import CORES, model, rtl

from rlcores.buses.bus import BusError
from rlcores.cores.sumtree.driver import (
    SumTreeDriver,
    SumTreeError,
    pack_operations,
    pack_requests,
    unpack_operations,
    unpack_samples,
)
from rlcores.cores.sumtree.model import (
    CLEAR,
    COMMIT,
    DRAW,
    EMPTY,
    GIVEN,
    INSERT,
    KIND,
    MISS,
    OK,
    RANGE,
    READ,
    RESERVE,
    STALE,
    TARGET,
    UPDATE,
)
from rlcores.eda import registers
from rlcores.errors import UserError

ONE = 1 << 31  # weight 1.0
OP_SINK, SAMPLE_SINK = 0, 1  # of the Verilated bus


@pytest.fixture
def maths():
    """The core with tags, maths and an odd capacity."""
    driver = rtl("maths")
    yield driver
    driver.bus.close()


@pytest.fixture
def plain():
    """The core with as many slots as leaves, without tags and maths."""
    driver = rtl("plain")
    yield driver
    driver.bus.close()


def wide(rng, count: int, bits: int, share: float, most: int) -> np.ndarray:
    """Numbers below 2**bits; about `share` of them anywhere below 2**most, often with only one high bit set."""
    low = rng.integers(0, 1 << bits, count)
    high = np.where(rng.random(count) < 0.5, 1 << rng.integers(bits, most, count), rng.integers(0, 1 << most, count))
    return np.where(rng.random(count) < share, low | high, low)


def random_operations(rng, driver, count: int) -> tuple:
    shape = driver.shape
    kind = rng.choice(
        [UPDATE, INSERT, RESERVE, COMMIT, READ, CLEAR, 6, 7], count, p=[0.3, 0.3, 0.1, 0.1, 0.17, 0.01, 0.01, 0.01]
    )
    return (
        kind,
        wide(rng, count, shape.leaves_log2, 0.05, 32),
        wide(rng, count, shape.priority_width, 0.1, 32),
        wide(rng, count, max(shape.generation_width, 1), 0.05, 32),
        rng.random(count) < 0.3,
        rng.random(count) < 0.1,
        (rng.random(count) < 0.3) & driver.options.priority_maths,
    )


@pytest.mark.parametrize("core", list(CORES))
def test_rtl_and_model_give_the_same_bits_through_the_same_driver(core, seed):
    rng = np.random.default_rng(seed)
    driver, other = rtl(core), model(core)
    driver.bus.stall(seed, source=0.3, sink=0.3, registers=0.2)
    shape = driver.shape
    assert (shape, driver.batch_max) == (other.shape, other.batch_max)
    statuses = [set(), set()]
    for _ in range(30):
        operations = random_operations(rng, driver, int(rng.integers(1, 200)))
        answers = driver.operations(*operations)
        assert np.array_equal(answers, other.operations(*operations))
        statuses[0] |= set(answers["status"].tolist())
        batch = int(rng.integers(1, driver.batch_max + 1))
        new = {"batch": batch, "stratified": bool(rng.random() < 0.5)}
        if driver.options.priority_maths:
            new |= {"weights": bool(rng.random() < 0.5), "beta": int(rng.integers(0, 32769))}
            new |= {"alpha": int(rng.integers(0, 32769)), "epsilon": int(rng.integers(0, 1 << 22))}
            new |= {"scale": int(rng.integers(-2048, 2048))}
        if rng.random() < 0.2:
            new |= {"capacity": int(rng.integers(1, shape.capacity + 1)), "initial": int(rng.integers(0, 200))}
        for each in (driver, other):
            each.configure(**new)
            each.restart()
        count = batch * int(rng.integers(1, 20))
        requests = rng.integers(0, 4, count), wide(rng, count, shape.total_width, 0.1, 62)
        answers = driver.samples(*requests)
        assert np.array_equal(answers, other.samples(*requests))
        statuses[1] |= set(answers["status"].tolist())
        assert np.array_equal(driver.draw(batch), other.draw(batch))
        for name in ("size", "total", "largest", "capacity"):
            assert getattr(driver, name) == getattr(other, name), name
        assert driver.counters() == other.counters()
        assert driver.flags() == other.flags()
        state = int(rng.integers(1 << 63))
        if rng.random() < 0.3:
            for each in (driver, other):
                each.clear_flags()
                each.seed(state)
                each.clear()
            answers = driver.draw(batch)
            assert np.array_equal(answers, other.draw(batch))
            statuses[1] |= set(answers["status"].tolist())
    assert statuses[0] == ({OK, RANGE, KIND, STALE} if shape.generation_width else {OK, RANGE, KIND})
    assert statuses[1] == {OK, EMPTY, MISS}
    driver.bus.close()


@pytest.mark.parametrize("core", list(CORES))
def test_an_operation_is_before_the_request_taken_with_it_and_after_the_one_before(core, seed):
    rng = np.random.default_rng(seed)
    driver, other = rtl(core), model(core)
    count = 400
    operations = [*random_operations(rng, driver, count)]
    operations[2] &= (1 << driver.shape.priority_width) - 1
    operations[0][operations[0] == CLEAR] = READ
    operations[6][:] = False
    kinds, values = rng.integers(0, 4, count), rng.integers(0, 1 << driver.shape.total_width, count)
    before = driver.bus.cycles
    answers, samples = driver.both(pack_operations(*operations), pack_requests(kinds, values))
    clocks = driver.bus.cycles - before
    for i in range(count):
        operation = other.operations(*(np.array([field[i]]) for field in operations))
        assert answers[i] == operation[0], i
        assert samples[i] == other.samples(kinds[i : i + 1], values[i : i + 1])[0], i
    # One of each a clock, or half of each where the leaves have one read port, and the way through the core once.
    assert clocks < count * (2 if driver.options.shared else 1) + 120
    driver.bus.close()


@pytest.mark.parametrize("core", list(CORES))
def test_no_sample_sees_operations_in_another_order_under_random_stalls(core, seed):
    driver = rtl(core)
    driver.bus.stall(seed, source=0.5, sink=0.5)
    count = driver.shape.capacity
    priorities = np.arange(1, count + 1)
    # Every insert has a priority of its own, so a total tells how many of them a sample saw.
    answers, samples = driver.both(pack_operations(INSERT, 0, priorities), pack_requests(np.full(count, DRAW)))
    assert answers["index"].tolist() == list(range(count))
    totals = np.cumsum(priorities)
    seen = np.searchsorted(totals, samples["total"], side="right")
    assert np.array_equal(np.where(seen > 0, totals[seen - 1], 0), samples["total"]), "a total that never was"
    assert np.all(np.diff(seen) >= 0) and len(set(seen.tolist())) > count // 4
    assert np.all(samples["index"] < np.maximum(seen, 1))
    driver.bus.close()


def test_an_index_beyond_the_tree_is_refused_and_never_wraps(plain):
    assert plain.shape.capacity == 1 << plain.shape.leaves_log2
    plain.operations(np.full(16, INSERT), 0, 5)
    last = plain.operations(READ, 15)
    assert (last["status"], last["priority"]) == (OK, 5)
    for index in (16, 31, 1 << 31, 0xFFFFFFFF, 0x10000F):
        for kind in (UPDATE, COMMIT, READ):
            answer = plain.operations(kind, index, 9)[0]
            assert (answer["status"], answer["index"], answer["priority"]) == (RANGE, index, 0)
    assert plain.total == 16 * 5 and plain.counters()["range"] == 15 and plain.flags() == {"RANGE"}


def test_a_generation_that_no_slot_can_have_is_stale(maths):
    bits = maths.shape.generation_width
    maths.configure(capacity=1)
    maths.clear()
    top = (1 << bits) - 1
    while True:
        inserted = maths.operations(INSERT, 0, 7)[0]
        if inserted["generation"] == top:
            break
    # The low bits fit, and are all ones.
    for tag in (top | 1 << bits, 0xFFFFFFFF):
        for kind, check in ((UPDATE, True), (COMMIT, False)):
            answer = maths.operations(kind, 0, 3, tag, check)[0]
            assert answer["kind"] == kind
            assert (answer["status"], answer["generation"], answer["priority"]) == (STALE, top, 0)
            answer = maths.operations(kind, 1, 3, tag, check)[0]
            assert (answer["status"], answer["generation"]) == (RANGE, 0)
    assert maths.operations(UPDATE, 0, 3, 0xFFFFFFFF, False)["status"] == OK
    assert maths.operations(COMMIT, 0, 4, top)["status"] == OK
    assert maths.flags() == {"STALE", "RANGE"} and maths.counters()["stale"] == 4 and maths.total == 4


def test_a_target_beyond_every_total_is_a_miss(maths):
    maths.operations(np.full(50, INSERT), 0, 255)
    total = maths.total
    values = np.array([total - 1, total, 1 << maths.shape.total_width, 1 << 61 | 3, (1 << 62) - 1], np.uint64)
    assert maths.samples(np.full(5, TARGET), values)["status"].tolist() == [OK, MISS, MISS, MISS, MISS]
    assert maths.flags() == {"MISS"}


def test_a_priority_that_does_not_fit_saturates_and_is_flagged_where_it_counts(maths):
    top = (1 << maths.shape.priority_width) - 1
    maths.operations([READ, RESERVE], 0, 0xFFFFFFFF)
    maths.operations(INSERT, 0, 0xFFFFFFFF, use_max=True)
    assert maths.flags() == set() and maths.largest == 1
    maths.operations(INSERT, 0, [top, top + 1, 0xFFFFFFFF][:1])
    assert maths.flags() == set()
    maths.operations([UPDATE, UPDATE], [0, 1], [top + 1, 1 << 31])
    assert maths.flags() == {"SATURATED"} and maths.total == 3 * top


def test_a_td_error_without_maths_changes_nothing(plain):
    plain.operations(INSERT, 0, 3)
    answers = plain.operations([UPDATE, INSERT, COMMIT, READ], 0, 1 << 20, td=True)
    assert answers["status"].tolist() == [KIND, KIND, KIND, OK]
    assert answers["kind"].tolist() == [UPDATE, INSERT, COMMIT, READ]
    assert (plain.total, plain.size, plain.flags()) == (3, 1, {"KIND"})
    for name, value in (("weights", True), ("alpha", 1), ("beta", 1), ("epsilon", 1), ("scale", 1)):
        with pytest.raises(SumTreeError, match="built without"):
            plain.configure(**{name: value})


def test_quiet_keeps_the_answers_that_say_something(maths):
    maths.operations(np.full(4, INSERT), 0, 5)
    tag = int(maths.operations(READ, 0)[0]["generation"])
    maths.configure(quiet=True)
    beats = pack_operations(
        [UPDATE, COMMIT, READ, UPDATE, UPDATE, COMMIT, INSERT, UPDATE],
        [0, 1, 1, 99, 2, 3, 0, 3],
        [1, 2, 0, 3, 4, 5, 6, 7],
        [0, tag, 0, 0, tag + 1, tag, 0, 0],
        [False, False, False, False, True, False, False, False],
    )
    # The last one has TLAST, so it is answered although all went well.
    answers = unpack_operations(maths.bus.transfer({"s_axis_op": beats}, {"m_axis_op": 5})["m_axis_op"])
    assert answers["kind"].tolist() == [READ, UPDATE, UPDATE, INSERT, UPDATE]
    assert answers["status"].tolist() == [OK, RANGE, STALE, OK, OK]
    assert answers["priority"].tolist() == [2, 0, 0, 0, 5]
    assert maths.counters()["updates"] == 4 and maths.total == 1 + 2 + 5 + 7 + 6
    with pytest.raises(BusError, match="m_axis_op"):
        maths.bus.transfer({}, {"m_axis_op": 1})


def test_tlast_of_answers_comes_with_the_operation_that_had_it(maths):
    beats = pack_operations(np.full(10, INSERT), 0, 1)
    for part in (beats[:3], beats[3:9], beats[9:]):
        assert len(maths.bus.exchange(part, 20, source=0, sink=OP_SINK)) == len(part)


def test_a_draw_register_runs_before_requests_and_ends_batches_with_tlast(maths):
    maths.operations(np.full(20, INSERT), 0, 9)
    maths.configure(batch=4, stratified=True)
    maths.restart()
    maths.write("IRQ_STATUS", 7)
    maths.write("IRQ_ENABLE", 1)
    maths.write("DRAW", 12)
    with pytest.raises(SumTreeError, match="wrong moment"):
        maths.write("DRAW", 1)
    for _ in range(2):
        assert len(maths.bus.receive(20, sink=SAMPLE_SINK)) == 4
    # Requests wait for all draws; a draw of stratum j is in the j-th quarter of the total.
    beats = pack_requests(np.full(4, TARGET), [0, 9, 18, 19 * 9])
    rest = maths.bus.transfer({"s_axis_sample": beats}, {"m_axis_sample": 8})["m_axis_sample"]
    drawn = unpack_samples(rest)["index"]
    assert [index // 5 for index in drawn[:4]] == [0, 1, 2, 3]
    assert drawn[4:].tolist() == [0, 1, 2, 19]
    maths.bus.wait_irq()
    assert maths.read("STATUS") == 0 and maths.read("DRAW") == 0 and maths.counters()["samples"] == 16


def test_a_new_batch_size_waits_for_restart(maths):
    maths.configure(batch=4)
    maths.write("DRAW", 2)
    assert [len(maths.bus.receive(9, sink=SAMPLE_SINK)) for _ in range(2)] == [1, 1]
    maths.restart()
    maths.write("DRAW", 4)
    assert len(maths.bus.receive(9, sink=SAMPLE_SINK)) == 4


def test_requests_that_come_during_a_draw_wait_and_none_is_lost(maths):
    maths.operations(np.full(20, INSERT), 0, 9)
    maths.write("DRAW", 500)
    assert maths.read("STATUS") == 0b11100 and 0 < maths.read("DRAW") < 500, "not all of them fit into the core"
    beats = pack_requests(np.full(4, TARGET), [0, 9, 18, 19 * 9])
    answers = unpack_samples(maths.bus.transfer({"s_axis_sample": beats}, {"m_axis_sample": 504})["m_axis_sample"])
    assert answers["index"][500:].tolist() == [0, 1, 2, 19] and len(set(answers["index"][:500].tolist())) == 20
    assert maths.read("STATUS") == 0


def test_weights_wait_for_their_batch_and_restart_lets_them_go(maths):
    maths.operations(np.full(20, INSERT), 0, np.arange(1, 21))
    maths.configure(batch=8, weights=True, beta=32768)
    maths.restart()
    with pytest.raises(UserError, match="batches of 8; 5 were asked for"):
        maths.draw(5)
    maths.write("DRAW", 13)
    batch = unpack_samples(maths.bus.receive(20, sink=SAMPLE_SINK))
    assert len(batch) == 8 and batch["weight"].max() == ONE
    smallest = batch["priority"].min()
    assert np.allclose(batch["weight"] / ONE, smallest / batch["priority"], rtol=1e-5)
    with pytest.raises(BusError, match="m_axis_sample"):
        maths.bus.transfer({}, {"m_axis_sample": 1})
    with pytest.raises(SumTreeError, match="wrong moment"):
        maths.configure(beta=1)
    maths.restart()
    rest = unpack_samples(maths.bus.receive(20, sink=SAMPLE_SINK))
    assert len(rest) == 5 and rest["weight"].max() == ONE
    assert maths.read("STATUS") == 0
    # The next batch begins anew.
    assert len(maths.draw(8)) == 8


def test_clear_by_register_is_in_order_and_has_no_answer(maths):
    beats = pack_operations(np.full(12, INSERT), 0, 5)
    # Answers that nobody takes: some of these operations wait in front of the tree.
    maths.bus.transfer({"s_axis_op": beats}, {})
    maths.bus.write(maths._map["COMMAND"].address, 1)
    after = pack_operations([CLEAR, INSERT], 0, 6)
    answers = maths.bus.transfer({"s_axis_op": after}, {"m_axis_op": 14})["m_axis_op"]
    assert unpack_operations(answers)["kind"].tolist() == [INSERT] * 12 + [CLEAR, INSERT]
    assert (maths.size, maths.total) == (1, 6)
    assert maths.read("STATUS") == 0 and maths.counters()["inserts"] == 13


def test_answers_that_nobody_takes_hold_the_core_up_and_lose_nothing(maths):
    beats = pack_operations(np.full(200, INSERT), 0, 1)
    with pytest.raises(BusError, match="s_axis_op"):
        maths.bus.transfer({"s_axis_op": beats}, {})
    assert maths.read("STATUS") & 2
    held = maths.bus.transfer({}, {"m_axis_op": 30})["m_axis_op"]
    assert unpack_operations(held)["index"].tolist() == list(range(30))


def test_counters_and_flags_stay_until_they_are_cleared(maths):
    maths.samples([DRAW], [0])
    maths.operations([READ], [60])
    assert maths.flags() == {"EMPTY", "RANGE"}
    maths.operations(INSERT, 0, 4)
    assert maths.flags() == {"EMPTY", "RANGE"}
    maths.clear_flags()
    assert maths.flags() == frozenset()
    assert maths.counters()["empty"] == maths.counters()["range"] == maths.counters()["inserts"] == 1
    maths.clear_counters()
    assert set(maths.counters().values()) == {0}
    maths.operations(INSERT, 0, 4)
    assert maths.counters()["inserts"] == 1


def test_the_same_seed_gives_the_same_draws(maths):
    maths.operations(np.full(50, INSERT), 0, np.arange(1, 51))
    maths.seed(12345)
    first = maths.draw(40)
    other = maths.draw(40)
    maths.seed(12345)
    assert np.array_equal(maths.draw(40), first) and not np.array_equal(first, other)


def test_what_does_not_fit_is_one_sentence(maths):
    for name, value, error, text in (
        ("batch", 17, SumTreeError, "BATCH = 17: a write was ignored: its value does not fit"),
        ("batch", 0, SumTreeError, "BATCH = 0: a write was ignored: its value does not fit"),
        ("capacity", 51, SumTreeError, "CAPACITY = 51: a write was ignored: its value does not fit"),
        ("initial", 256, SumTreeError, "INITIAL = 256: a write was ignored: its value does not fit"),
        ("alpha", 32769, SumTreeError, "ALPHA = 32769: a write was ignored: its value does not fit"),
        ("beta", 65536, UserError, "BETA is 65536; it has 16 bits"),
        ("scale", -40000, UserError, "SCALE is -40000; it has 16 bits"),
    ):
        with pytest.raises(error, match=text):
            maths.configure(**{name: value})


@pytest.mark.parametrize(("word", "text"), [(0, "no sum tree core answers"), (1, "register map version 2")])
def test_another_core_or_version_is_not_driven(word, text):
    class Other:
        def read(self, address):
            return {0: 0xDEAD if word == 0 else registers.load("sumtree")["ID"].reset, 4: 0x20000}[address]

        def write(self, address, value):
            raise AssertionError("the driver wrote to a core it does not know")

    with pytest.raises(SumTreeError, match=text):
        SumTreeDriver(Other())


def test_given_draws_and_targets_find_the_same_slots(plain):
    plain.operations(np.full(16, INSERT), 0, np.arange(16))
    total = plain.total
    u = np.arange(0, 1 << 32, 1 << 22, dtype=np.uint64)
    drawn = plain.samples(np.full(len(u), GIVEN), u)
    target = plain.samples(np.full(len(u), TARGET), (u * np.uint64(total)) >> np.uint64(32))
    assert np.array_equal(drawn, target) and set(drawn["index"].tolist()) == set(range(1, 16))


def test_an_abort_frees_a_tree_with_half_a_batch_and_with_answers_that_nobody_takes(maths, seed):
    rng, other = np.random.default_rng(seed), model("maths")
    maths.operations(np.full(20, INSERT), 0, rng.integers(1, 1000, 20))
    slots = np.arange(20)
    other.operations(np.full(20, INSERT), slots, priorities_of(maths, 20), slots, *np.zeros((3, 20), bool))
    for turn in range(6):
        for each in (maths, other):
            each.configure(batch=4, weights=bool(turn % 2))
            each.restart()
        requests = pack_requests(np.full(2 + turn, DRAW))
        maths.bus.transfer({"s_axis_sample": requests}, {})
        operations = pack_operations(np.full(3, UPDATE), np.arange(3), rng.integers(1, 1000, 3))
        maths.bus.transfer({"s_axis_op": operations}, {})
        maths.bus.run(int(rng.integers(0, 200)))
        if turn == 5:
            maths.write("DRAW", 100_000)
        maths.abort()
        assert maths.read("STATUS") == 0 and maths.read("DRAW") == 0
        # All that was taken was carried out; from here on both answer alike.
        other.operations(np.full(20, UPDATE), slots, priorities_of(maths, 20), slots, *np.zeros((3, 20), bool))
        state = tuple(int(x) for x in rng.integers(1, 2**32, 4))
        for each in (maths, other):
            each.load_draws(state)
        assert maths.total == other.total
        draws = np.full(8, DRAW), np.zeros(8, np.uint64)
        assert np.array_equal(maths.samples(*draws), other.samples(*draws)), turn


def priorities_of(driver, count: int) -> np.ndarray:
    """What the first slots hold."""
    return driver.operations(np.full(count, READ), np.arange(count))["priority"]
