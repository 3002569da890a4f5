"""The banked sum tree in both simulators: exact in every bank, nothing lost, spread evenly, and as fast as promised."""

import threading
import time

import numpy as np
import pytest

from rlcores.base import tools
from rlcores.cores.sumtree.banks import SumTreeBanks, bank_capacities, pick_bank
from rlcores.cores.sumtree.model import CLEAR, INSERT, SumTreeShape
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver
from rlcores.cores.sumtree.native_driver import SumTreeNativeDriver
from rlcores.eda import lint, sim

CORE = "rlcores:sumtree:banks"
NAMES = ("BANKS", "QUEUE", "LEAVES_LOG2", "RADIX_LOG2", "CAPACITY", "PRIORITY_WIDTH", "DRAW_WIDTH", "GENERATION_WIDTH")
no_icarus = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")

# Short queues, odd capacities, draws wider and narrower than the total, no tags, a bank of two slots.
SHAPES = [
    # BANKS QUEUE LEAVES RADIX CAPACITY PRIORITY DRAW GENERATION
    (1, 2, 4, 2, 11, 6, 32, 4),
    (2, 2, 3, 2, 13, 6, 12, 3),
]
MORE = [(16, 4, 1, 1, 29, 5, 32, 0), (4, 3, 4, 31, 57, 20, 32, 8), (4, 16, 6, 3, 99, 18, 20, 1)]
FAST = (8, 16, 4, 2, 128, 8, 32, 4)
HALF = (4, 16, 4, 2, 64, 8, 32, 4)


def run(simulator: str, seed: int, shape: tuple[int, ...], clocks: int, speed_clocks: int, **others: int) -> dict:
    """All tests of cocotb_banks with these parameters; what they covered."""
    parameters = {**dict(zip(NAMES, shape, strict=True)), "TAG_WIDTH": 16, **others}
    env = {"BANKS_CLOCKS": str(clocks), "BANKS_SPEED_CLOCKS": str(speed_clocks)}
    result = sim.run(CORE, sim.TARGETS[simulator], parameters, seed=seed, env=env)
    assert len(result.tests) == 8
    hits = result.coverage
    assert hits["answers"] == hits["operations"] > 300 and hits["samples"] == hits["requests"] > 300
    assert shape[0] == 1 or hits["most inserts in a clock"] > shape[0] / 2
    seen = {f"kind {kind} status 0" for kind in range(6)} | {"kind 6 status 3", "kind 7 status 3", "kind 0 status 2"}
    seen |= {f"sample status {status}" for status in range(3)} | {f"request {kind}" for kind in range(4)}
    assert not seen - set(hits), f"never seen: {sorted(seen - set(hits))}"
    return hits


def name(shape: tuple[int, ...]) -> str:
    return "-".join(map(str, shape))


@no_icarus
@pytest.mark.parametrize("shape", [*SHAPES, *(pytest.param(s, marks=pytest.mark.slow) for s in MORE)], ids=name)
def test_every_bank_is_exact_and_every_answer_comes_home(seed: int, shape: tuple[int, ...]) -> None:
    banks, slots = shape[0], shape[4]
    # As many samples as the test of their distribution wants.
    run("icarus", seed, shape, clocks=250 if banks < 16 else 80, speed_clocks=100 * slots // banks)


@pytest.mark.parametrize("shape", [SHAPES[1], pytest.param(MORE[1], marks=pytest.mark.slow)], ids=name)
def test_every_bank_is_exact_in_verilator(seed: int, shape: tuple[int, ...]) -> None:
    run("verilator", seed, shape, clocks=1000, speed_clocks=2000)


@no_icarus
@pytest.mark.slow
def test_banks_for_rams_without_read_before_write_are_exact(seed: int) -> None:
    run("icarus", seed, (2, 4, 3, 2, 15, 20, 32, 4), clocks=250, speed_clocks=500, BYPASS=1)


@no_icarus
@pytest.mark.slow
def test_banks_with_one_copy_of_the_leaves_are_exact(seed: int) -> None:
    hits = run("icarus", seed, (2, 4, 4, 2, 31, 8, 32, 4), clocks=250, speed_clocks=1600, SHARED=1)
    # One bank has half an update and half a sample a clock, or a little more of one of them.
    assert hits["updates per 100 clocks"] + hits["samples per 100 clocks"] > 170


def banks_are_fast(simulator: str, seed: int, clocks: int, speed_clocks: int, shape: tuple[int, ...] = FAST) -> None:
    hits = run(simulator, seed, shape, clocks, speed_clocks)
    # Of a hundred clocks, 81 in each bank.
    assert hits["updates per 100 clocks"] >= 81.25 * shape[0]
    assert hits["samples per 100 clocks"] >= 81.25 * shape[0]
    assert hits["operation waits"] and hits["request waits"]


@no_icarus
@pytest.mark.slow
def test_four_banks_do_three_and_a_quarter_updates_and_samples_a_clock(seed: int) -> None:
    banks_are_fast("icarus", seed, clocks=100, speed_clocks=1000, shape=HALF)


@no_icarus
@pytest.mark.slow
def test_eight_banks_do_six_and_a_half_updates_and_samples_a_clock(seed: int) -> None:
    banks_are_fast("icarus", seed, clocks=100, speed_clocks=1000)


@pytest.mark.slow
def test_eight_banks_are_as_fast_in_verilator_for_longer(seed: int) -> None:
    banks_are_fast("verilator", seed, clocks=2000, speed_clocks=5000)


@pytest.mark.parametrize("banks", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 4, 8, 16))])
def test_every_number_of_banks_lints_so_it_builds_in_verilator(banks: int) -> None:
    clean, said = lint.run("rlcores:sumtree:banks", {"BANKS": banks, "LEAVES_LOG2": 5, "CAPACITY": 19 + banks})
    assert clean, said


def test_banks_hold_every_slot_once():
    for capacity, banks in ((13, 4), (16, 16), (4, 8), (1000, 1)):
        held = bank_capacities(capacity, banks)
        slots = range(max(capacity, banks))
        assert held == [sum(s % banks == b for s in slots) for b in range(banks)]
    assert [pick_bank([3, 0, 2], t) for t in range(5)] == [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1)]
    with pytest.raises(ValueError, match="not below the total"):
        pick_bank([3, 0, 2], 5)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("banks", [1, 2, 8])
def test_banks_of_the_native_engine_are_those_of_the_model(banks: int, private: bool, seed: int) -> None:
    rng = np.random.default_rng([seed, banks, private])
    shape, capacity = SumTreeShape(5, 1, 20, 32, 4), banks * 32 - banks // 2
    pair = [
        SumTreeBanks(shape, banks, capacity=capacity, private=private, driver=driver)
        for driver in (SumTreeModelDriver, SumTreeNativeDriver)
    ]

    def both(call):
        answers = [call(one) for one in pair]
        np.testing.assert_array_equal(*answers)
        assert len({(one.total, one.size, one.largest, one.capacity) for one in pair}) == 1

    drawable = 0
    for turn in range(12):
        if turn % 3 == 1:
            strata, most = int(rng.choice([0, 5, 16])), int(rng.integers(0, capacity + 2))
            for one in pair:
                one.configure(strata=strata, capacity=most, initial=3)
                one.load_draws((1, 2, 3, turn)) if turn % 2 else one.restart()
        n = 40
        kind = rng.choice([0, 0, 1, 1, 2, 3, 4, 6], n)
        kind[rng.random(n) < 0.02] = CLEAR
        check, use_max = rng.random((2, n)) < [[0.3], [0.1]]
        entries = rng.integers(0, capacity + 5, n), rng.integers(0, 1 << 20, n), rng.integers(0, 16, n)
        lane = rng.integers(0, banks, n)
        both(lambda one, arguments=(kind, *entries, check, use_max, lane): one.operations(*arguments))
        asked = rng.integers(0, 4, n), rng.integers(0, pair[0].total * 5 // 4 + 1, n)
        lanes = None if turn % 2 else lane
        drawable += (pair[0].total > 0) * n
        both(lambda one, arguments=(*asked, lanes): one.samples(*arguments))
    assert drawable, "nothing was ever there to sample"


def test_banks_that_are_none_are_refused() -> None:
    for wrong, sentence in (
        ({"banks": 3}, "BANKS is 3"),
        ({"banks": 4, "capacity": 3}, "CAPACITY is 3; 4 banks have 4 to 64"),
    ):
        with pytest.raises(ValueError, match=sentence):
            SumTreeBanks(SumTreeShape(4, 16), **wrong)


def test_threads_that_share_banks_take_turns() -> None:
    """Inserts of all threads take the slots one after the other; no call begins while another one is in the banks."""
    inside, most, wrong = [0], [0], []

    class Slow(SumTreeModelDriver):
        def operations(self, *arguments, **named) -> np.ndarray:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            time.sleep(0.01)
            answers = super().operations(*arguments, **named)
            inside[0] -= 1
            return answers

    banks, taken = SumTreeBanks(SumTreeShape(5, 32, 18), 2, driver=Slow), []

    def insert() -> None:
        try:
            for _ in range(4):
                taken.extend(banks.operations(np.full(3, INSERT), priority=5)["index"].tolist())
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=insert) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and most[0] == 1
    assert sorted(taken) == list(range(36)) and (banks.size, banks.total) == (36, 180)
