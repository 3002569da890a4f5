"""Rollouts that follow each other through the driver: each as if it were alone, and in the clocks of the formula."""

import numpy as np
import pytest

from rlcores.buses.backends import simulated
from rlcores.buses.verilated import VerilatedBus
from rlcores.cores.gae.api import Gae
from rlcores.cores.gae.driver import GaeDriver, GaeError, Passed
from rlcores.cores.gae.model import GaeModelBus, pack
from rlcores.cores.gae.scale import BOOT, NONE, STEP
from rlcores.eda import configs
from rlcores_lab.cycles import gae as cycles

CONFIG = "tiny_stream"


def driver_of(bus) -> GaeDriver:
    """With automatic scales, which follow one rollout."""
    driver = GaeDriver(bus)
    driver.control(reward_auto=True, value_auto=True, order_previous=False)
    for name, value in {"SHIFT": 5, "VALUE_POINT": 20, "GAMMA": 1 << 31, "GAMMA_LAMBDA": 2_000_000_000}.items():
        driver.write(name, value)
    return driver


def rollout(rng: np.random.Generator, driver: GaeDriver, steps: np.ndarray, spread: float = 1e6) -> np.ndarray:
    """A pass of lanes of these steps, each with its BOOT."""
    record = np.arange(int(steps.max()) + 1)[:, None]
    kinds = np.where(record < steps, STEP, np.where(record == steps, BOOT, NONE))
    raw = np.clip(rng.normal(0, spread, (2, *kinds.shape)), -(2**23), 2**23 - 1)
    words = pack(np.broadcast_to(np.arange(len(steps)), kinds.shape), kinds, *raw)
    beats = np.where(kinds == NONE, np.uint64(0), words).reshape(-1, driver.shape.beat)
    return beats[(beats != 0).any(axis=1)]


def in_turn(driver: GaeDriver, rollouts: list[np.ndarray]) -> list[Passed]:
    """Each rollout measured, scaled and streamed."""

    def loads():
        for beats in rollouts:
            driver.measure(beats)
            driver.scale()
            yield beats

    return list(driver.stream(loads()))


def test_rollouts_that_overlap_give_what_each_gives_alone(seed):
    parameters = configs.load("gae", CONFIG)
    rng = np.random.default_rng(seed)
    with simulated("gae", parameters) as bus:
        bus.stall(seed, source=0.4, sink=0.4, registers=0.3)
        results = []
        for driver in map(driver_of, (bus, GaeModelBus(parameters), GaeModelBus(parameters | {"STACKS": 1}))):
            own = np.random.default_rng(seed)
            steps = [own.integers(0, 17, 8) for _ in range(6)]
            spreads = [10.0 ** own.integers(2, 8) for _ in steps]
            rollouts = [rollout(own, driver, n, s) for n, s in zip(steps, spreads, strict=True)]
            results.append(in_turn(driver, rollouts))
            assert driver.status("in_flight") == 0 and driver.status("busy") == 0
            driver.load(rollouts[0])
            driver.start()
            results[-1].append(driver.read_results().tolist())
        del rng
        rtl, two, one = results
        assert rtl[-1] == two[-1] == one[-1]
        for passed, model, alone in zip(rtl[:-1], two[:-1], one[:-1], strict=True):
            assert np.array_equal(passed.results, model.results) and np.array_equal(passed.results, alone.results)
            assert passed.elements == model.elements == alone.elements
            assert passed.flags == model.flags == alone.flags
            assert bool(passed.saturated) == bool(model.saturated)
            assert passed.elements + passed.stalls == parameters["ROWS"] * passed.cycles


def test_a_rollout_that_is_refused_reaches_the_caller_and_the_one_before_is_not_lost(make_bus):
    driver = driver_of(make_bus(CONFIG))
    rng = np.random.default_rng(0)
    good = rollout(rng, driver, np.full(8, 3))
    driver.measure(good)
    driver.scale()
    bad = good.copy()
    bad[-4:] = 0  # the BOOTs
    seen = []
    with pytest.raises(GaeError, match="NO_BOOT"):
        for passed in driver.stream([good, bad, good]):
            seen.append(passed)
    assert [p.elements for p in seen] == [24]
    assert driver.status("in_flight") == 0 and driver.status("loaded") == 0
    assert [p.elements for p in driver.stream([good, good])] == [24, 24]


def test_a_caller_that_stops_early_leaves_an_empty_core(make_bus):
    driver = driver_of(make_bus(CONFIG))
    good = rollout(np.random.default_rng(0), driver, np.full(8, 3))
    driver.measure(good)
    driver.scale()
    for _ in driver.stream([good] * 3):
        break
    assert driver.status("in_flight") == 0
    driver.load(good)
    driver.start()
    assert driver.counters().elements == 24
    driver.read_results()


class Watched(VerilatedBus):
    """Notes when streams move."""

    def exchange(self, beats, capacity, **ports):
        if beats is not None:
            self.begun.append(self.cycles)
        answer = super().exchange(beats, capacity, **ports)
        self.over.append(self.cycles)
        return answer


@pytest.mark.parametrize("steps", [16, 5])
def test_rollouts_follow_each_other_in_the_clocks_of_the_formula(steps):
    parameters = configs.load("gae", CONFIG)
    with simulated("gae", parameters) as bus:
        bus.__class__, bus.begun, bus.over = Watched, [], []
        driver = driver_of(bus)
        driver.control(reward_auto=False, value_auto=False, order_previous=False)
        lanes = np.full(parameters["LANES"], steps)
        beats = rollout(np.random.default_rng(0), driver, lanes)
        driver.scale()
        list(driver.stream([beats] * 8))
        host = bus.begun[-1] - bus.over[-3]
        took = (bus.over[-2] - bus.over[-6]) / 4
        # The reader fills its queue while the host is at work.
        assert -16 <= took - cycles.stream(parameters, len(beats), lanes + 1, host) <= 4


def test_a_rollout_larger_than_the_lanes_goes_through_both_stacks(seed):
    rng = np.random.default_rng(seed)
    steps, envs = 40, 11
    arrays = [rng.normal(size=(steps, envs)) for _ in range(2)]
    ends = [rng.random((steps, envs)) < 0.1 for _ in range(2)]
    rest = rng.normal(size=envs), rng.normal(size=(steps, envs))
    two, one = (
        Gae(configs.load("gae", CONFIG) | {"STACKS": n}, "model").compute(*arrays, *ends, *rest) for n in (2, 1)
    )
    assert np.array_equal(two.advantages, one.advantages) and two.flags == one.flags
    assert two.elements == one.elements == steps * envs
