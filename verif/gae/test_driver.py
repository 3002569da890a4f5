"""The driver on the RTL and on the model: same results bit for bit, and every refusal reaches the caller."""

import numpy as np
import pytest

from rlcores.buses.backends import simulated
from rlcores.buses.bus import BusError
from rlcores.cores.gae.driver import GaeDriver, GaeError
from rlcores.cores.gae.model import GaeModelBus, pack, unpack_output
from rlcores.cores.gae.scale import BOOT, NONE, STEP, TERMINATED
from rlcores.eda import configs, registers
from rlcores.errors import UserError


@pytest.fixture
def make_driver(make_bus):
    """A function from a configuration's name to a driver with scales by hand: code = raw, value = code."""

    def make(config: str = "tiny") -> GaeDriver:
        driver = GaeDriver(make_bus(config))
        driver.control(reward_auto=False, value_auto=False, order_previous=False)
        for name in ("REWARD_INV", "VALUE_INV"):
            driver.write(name, 1 << 14)
            driver.write(f"{name}_SHIFT", 16)  # the raw number carries two more fraction bits
        driver.write("SHIFT", 8)
        driver.write("VALUE_SCALE", 1 << 18)
        driver.write("GAMMA", 1 << 31)
        driver.write("GAMMA_LAMBDA", 1 << 31)
        driver.scale()
        return driver

    return make


def beats(driver: GaeDriver, *records: tuple[int, int, int, int]) -> np.ndarray:
    """One beat for each (lane, kind, reward, value), at the place in the beat that its lane asks for."""
    beat = driver.shape.beat
    words = np.zeros((len(records), beat), np.uint64)
    for row, record in zip(words, records, strict=True):
        row[record[0] % beat] = pack(*map(np.array, record))
    return words


def results(driver: GaeDriver, words: np.ndarray | None = None) -> dict[tuple[int, int], tuple[int, int]]:
    """{(lane, record): (advantage, return)} of the steps in these beats; without them, in those that READ gives."""
    words = driver.read_results() if words is None else words
    lane, kind, index, a, g = unpack_output(words.ravel())
    step = (kind & 1) == 1
    return {
        (int(n), int(i)): (int(x), int(y)) for n, i, x, y in zip(lane[step], index[step], a[step], g[step], strict=True)
    }


def in_units(driver: GaeDriver, value: float) -> int:
    """The output code of a number of reward steps at SHIFT 8."""
    shape = driver.shape
    most = 25 - (shape.depth - 1).bit_length() - shape.qbits
    return int(np.floor(value * 2**8 / 2 ** max(1, most - (shape.out_bits - shape.qbits) // 2) + 0.5))


def random_pass(rng: np.random.Generator, driver: GaeDriver, rows: int) -> np.ndarray:
    """Beats of random records, some on lanes that do not exist or at the wrong place; every lane ends with BOOT."""
    shape = driver.shape
    lanes = rng.integers(0, shape.lanes // shape.beat, (rows, shape.beat)) * shape.beat + np.arange(shape.beat)
    wrong = rng.random(lanes.shape) < 0.03
    lanes = np.where(wrong, rng.integers(0, 2 * shape.lanes, lanes.shape), lanes)
    kinds = rng.choice([NONE, STEP, BOOT, TERMINATED], lanes.shape, p=[0.1, 0.6, 0.15, 0.15])
    last = np.arange(shape.lanes).reshape(-1, shape.beat)
    lanes, kinds = np.vstack([lanes, last]), np.vstack([kinds, np.full_like(last, BOOT)])
    rewards, values = (
        np.clip(rng.normal(m, s, lanes.shape), -(2**23), 2**23 - 1) for m, s in ((1e5, 1e6), (-3e5, 2e6))
    )
    return pack(lanes, kinds, rewards, values)


@pytest.mark.parametrize("config", ["tiny", "wide", "tiny16"])
@pytest.mark.parametrize("order_previous", [False, True])
def test_rtl_and_model_give_the_same_bits_through_the_same_driver(config, order_previous, seed):
    parameters = configs.load("gae", config)
    with simulated("gae", parameters) as bus:
        bus.stall(seed, source=0.4, sink=0.4, registers=0.3)
        pair = [GaeDriver(bus), GaeDriver(GaeModelBus(parameters))]
        rng = np.random.default_rng(seed)
        shape = pair[0].shape
        steps = 0
        for _ in range(4):
            stream = random_pass(rng, pair[0], shape.lanes * shape.depth // shape.beat // 2)
            settings = {
                "QBITS": int(rng.integers(3, shape.qbits + 1)),
                "CLIP": int(rng.integers(128, 2048)),
                "SHIFT": int(rng.integers(0, 6)),
                "VALUE_POINT": int(rng.integers(18, 23)),
                "GAMMA": int(rng.integers(0, 2**31 + 1)),
                "GAMMA_LAMBDA": int(rng.integers(0, 2**31 + 1)),
                "REWARD_OFFSET": int(rng.integers(-500, 500)),
            }
            if shape.qbits > 10:
                settings["OUT_DROP"] = int(rng.integers(0, 16))
            refused = []
            seen = []
            for driver in pair:
                driver.control(reward_auto=True, value_auto=True, order_previous=order_previous)
                for name, value in settings.items():
                    driver.write(name, value)
                driver.measure(stream)
                driver.scale()
                try:
                    driver.load(stream)
                    refused.append(frozenset())
                except GaeError as error:
                    refused.append(error.flags)
                driver.start()
                counters = driver.counters()
                out = driver.read_results()
                seen.append(
                    (
                        [driver.statistics(of) for of in ("REWARD", "VALUE")],
                        [driver.read(n) for n in driver._map if 0x28 <= driver._map[n].address <= 0x68],
                        [
                            getattr(counters, n)
                            for n in ("elements", "loaded", "refused", "clipped_rewards", "clipped_values")
                        ],
                        driver.take_flags(),
                        out.tolist(),
                    )
                )
            assert refused[0] == refused[1]
            for rtl, model in zip(*seen, strict=True):
                assert rtl == model
            steps += counters.elements
            assert driver.counters().loaded == 0
        assert steps > 100


def test_a_reset_in_any_command_leaves_a_core_that_starts_anew(seed):
    parameters = configs.load("gae", "tiny")
    rng = np.random.default_rng(seed)
    with simulated("gae", parameters) as bus:
        registers = GaeDriver(bus)._map
        bus.reset()
        fresh = {name: bus.read(register.address) for name, register in registers.items()}

        def results(bus, before: str = "") -> list:
            """Of one rollout; or the core as it is when this command is to be given."""
            driver = GaeDriver(bus)
            driver.control(reward_auto=True, value_auto=True, order_previous=False)
            driver.write("SHIFT", 5)
            refused = []
            for name in ("MEASURE", "SCALE", "LOAD", "START", "READ"):
                if name == before:
                    return []
                method = getattr(driver, name.lower() if name != "READ" else "read_results")
                try:
                    answer = method(*([stream] if name in ("MEASURE", "LOAD") else []))
                except GaeError as error:  # of records for no lane
                    refused = sorted(error.flags)
            return [answer.tolist(), refused, sorted(driver.take_flags()), driver.counters().elements]

        for name in ("MEASURE", "SCALE", "LOAD", "START", "READ"):
            for clocks in (0, 1, 2, 3, int(rng.integers(4, 12)), int(rng.integers(12, 60))):
                stream = random_pass(rng, GaeDriver(bus), 20)
                results(bus, name)
                bus.write(registers["COMMAND"].address, registers["COMMAND"].by_name["code"].values[name])
                bus.run(clocks)
                bus.reset(1)
                assert {n: bus.read(r.address) for n, r in registers.items()} == fresh, (name, clocks)
                assert results(bus) == results(GaeModelBus(parameters)), (name, clocks)
                bus.reset(1)
        # The constants of before are none after it.
        driver = GaeDriver(bus)
        driver.load(beats(driver, (0, STEP, 1, 1), (0, BOOT, 0, 1)))
        with pytest.raises(GaeError, match="CONFIG"):
            driver.start()


def test_a_record_for_a_full_lane_is_refused_and_the_rest_stays(make_driver):
    driver = make_driver()
    depth = driver.shape.depth
    records = [(3, STEP, 1, 0)] * depth
    driver.load(beats(driver, *records, (5, STEP, 7, 0), (5, BOOT, 0, 0)))
    with pytest.raises(GaeError, match="its lane is full") as error:
        driver.load(beats(driver, (3, STEP, 100, 0)))
    assert error.value.flags == {"REFUSED_FULL"}
    driver.load(beats(driver, (3, BOOT, 0, 0)))
    assert driver.counters().refused == 1 and driver.counters().loaded == depth + 3
    driver.start()
    answers = results(driver)
    assert len(answers) == depth + 1
    assert answers[3, 0] == (in_units(driver, depth),) * 2 and answers[5, 0] == (in_units(driver, 7),) * 2


def test_a_record_for_no_lane_or_the_wrong_place_is_refused_and_the_rest_stays(make_driver):
    driver = make_driver()
    lanes = driver.shape.lanes
    driver.load(beats(driver, (0, STEP, 50, 0)))
    wrong = pack(np.array([1, lanes]), np.array([STEP, STEP]), np.array([9, 9]), np.array([0, 0])).reshape(1, 2)
    with pytest.raises(GaeError, match="its lane does not exist") as error:
        driver.load(wrong)
    assert error.value.flags == {"REFUSED_LANE"} and driver.counters().refused == 2
    driver.load(beats(driver, (0, BOOT, 0, 0)))
    driver.start()
    assert results(driver) == {(0, 0): (in_units(driver, 50),) * 2}


def test_an_abort_undoes_the_pass_that_waits_and_keeps_what_was_loaded(make_driver):
    driver = make_driver()
    driver.load(beats(driver, (2, STEP, 30, 0), (2, BOOT, 0, 0)))
    commands = driver._commands
    for command in ("MEASURE", "LOAD", None):
        before = driver.counters(), driver.statistics("REWARD"), driver.statistics("VALUE")
        if command:
            driver.write("COMMAND", commands[command])
            assert driver.read("STATUS") & 1
        driver.abort()
        assert not driver.read("STATUS") & 1
        assert (driver.counters(), driver.statistics("REWARD"), driver.statistics("VALUE")) == before
    driver.load(beats(driver, (4, STEP, 60, 0), (4, BOOT, 0, 0)))
    driver.start()
    driver.abort()
    assert results(driver) == {(2, 0): (in_units(driver, 30),) * 2, (4, 0): (in_units(driver, 60),) * 2}
    assert not driver.take_flags()


@pytest.mark.parametrize("taken", range(4))
@pytest.mark.parametrize("make_bus", ["rtl"], indirect=True)
def test_the_beat_that_an_aborted_read_leaves_keeps_its_data_and_tlast(make_driver, taken):
    """READ of four beats waits with one and is aborted: that one still comes, alone, and only the last ends."""
    driver = make_driver()
    driver.load(beats(driver, *((2, STEP, 30 + n, 0) for n in range(3)), (2, BOOT, 0, 0)))
    driver.start()
    driver.write("COMMAND", driver._commands["READ"])
    came = [driver.bus.transfer({}, {"m_axis": taken})["m_axis"]]
    driver.bus.run(50)
    driver.abort()
    stale = driver._map["STATUS"].by_name["stale"].mask
    assert driver.read("STATUS") & stale
    driver.bus.run(50)
    if taken == 3:
        came.append(driver.bus.receive(1))
    else:
        with pytest.raises(BusError, match="1 beats without TLAST"):
            driver.bus.receive(1)
    assert not driver.read("STATUS") & stale
    whole = driver.read_results()
    assert len(whole) == 4 and (np.concatenate(came) == whole[: len(np.concatenate(came))]).all()
    assert results(driver, whole) == {(2, n): (in_units(driver, sum(range(30 + n, 33))),) * 2 for n in range(3)}


@pytest.mark.parametrize("make_bus", ["rtl"], indirect=True)
def test_an_abort_in_any_clock_of_a_read_leaves_the_one_beat_that_was_offered_or_none(make_driver):
    """The only beat of all waits from the clock in which the reader has seen that none follows: with TLAST."""
    driver = make_driver()
    driver.load(beats(driver, (2, BOOT, 0, 7)))
    driver.start()
    stale = driver._map["STATUS"].by_name["stale"].mask
    stale_reads = []
    for clocks in range(100):
        driver.write("COMMAND", driver._commands["READ"])
        driver.bus.run(clocks)
        driver.abort()
        stale_reads.append(bool(driver.read("STATUS") & stale))
        driver.bus.run(5)
        if stale_reads[-1]:
            assert len(driver.bus.receive(1)) == 1
    assert stale_reads == sorted(stale_reads) and stale_reads[-1] and not stale_reads[0]
    assert len(driver.read_results()) == 1


@pytest.mark.parametrize("make_bus", ["rtl"], indirect=True)
@pytest.mark.parametrize("closed", [True, False])
def test_a_load_that_is_aborted_after_some_beats_leaves_every_lane_as_it_was(make_driver, closed, seed):
    """Also whether a BOOT is on top of it."""
    driver = make_driver()
    driver.load(beats(driver, (2, STEP, 30, 0), *([(2, BOOT, 0, 0)] if closed else [])))
    more = beats(driver, *([(2, STEP, 1, 1)] if closed else [(2, BOOT, 0, 1)]), *[(1, BOOT, 0, 0)] * 100)
    limit, driver.bus._limit = driver.bus._limit, 0  # the sender gives up in the clock in which it has no beat
    took = []
    for number in range(6):
        before = driver.counters().loaded
        driver.write("COMMAND", driver._commands["LOAD"])
        driver.bus.stall(seed + number, source=0.2)
        with pytest.raises(BusError, match="did not happen within 0 clocks"):
            driver.bus.send(more)
        driver.bus.run(20)
        took.append(driver.counters().loaded - before)
        driver.bus._limit = limit
        driver.abort()
        driver.bus._limit = 0
        assert driver.counters().loaded == before
    driver.bus._limit = limit
    assert max(took) > 0
    if not closed:
        with pytest.raises(GaeError, match="does not end with a BOOT"):
            driver.start()
        driver.load(beats(driver, (2, BOOT, 0, 0)))
    driver.start()
    assert results(driver) == {(2, 0): (in_units(driver, 30),) * 2}


@pytest.mark.parametrize("lost", [True, False])
def test_a_beat_lost_or_doubled_on_its_way_is_an_error(lost):
    class Bad(GaeModelBus):
        def send(self, sent):
            super().send(np.delete(sent, 1, axis=0) if lost else np.insert(sent, 1, sent[0], axis=0))

    driver = GaeDriver(Bad(configs.load("gae", "tiny")))
    words = beats(driver, (2, STEP, 30, 0), (2, STEP, 31, 0), (2, BOOT, 0, 0))
    took = 2 if lost else 4
    for command in (driver.measure, driver.load):
        with pytest.raises(GaeError, match=f"took {took} records of a pass of 3"):
            command(words)


def test_a_core_that_waits_for_a_pass_is_found_again(make_bus):
    bus = make_bus()
    driver = GaeDriver(bus)
    driver.write("COMMAND", driver._commands["LOAD"])
    again = GaeDriver(bus)
    again.load(beats(again, (0, STEP, 1, 0), (0, BOOT, 0, 0)))
    assert again.counters().loaded == 2


def test_a_lane_without_boot_is_refused_and_can_be_mended(make_driver):
    driver = make_driver()
    driver.load(beats(driver, (2, STEP, 30, 0), (4, STEP, 60, 0), (4, BOOT, 0, 0)))
    with pytest.raises(GaeError, match="does not end with a BOOT") as error:
        driver.start()
    assert error.value.flags == {"NO_BOOT"}
    driver.load(beats(driver, (2, BOOT, 90, 90)))
    driver.start()
    assert results(driver) == {(2, 0): (in_units(driver, 120),) * 2, (4, 0): (in_units(driver, 60),) * 2}


def test_starting_or_reading_nothing_is_an_error(make_driver):
    driver = make_driver()
    with pytest.raises(GaeError, match="nothing is loaded") as error:
        driver.start()
    assert error.value.flags == {"NOTHING_LOADED"}
    with pytest.raises(GaeError, match="there are no results") as error:
        driver.read_results()
    assert error.value.flags == {"NOTHING_COMPUTED"}
    with pytest.raises(UserError, match="LOAD needs at least one beat"):
        driver.load(np.zeros((0, driver.shape.beat), np.uint64))


def test_results_are_not_overwritten_before_they_are_read(make_driver):
    driver = make_driver()
    driver.load(beats(driver, (1, STEP, 40, 0), (1, BOOT, 0, 0)))
    driver.start()
    for command, flag in (
        (lambda: driver.load(beats(driver, (1, STEP, 9, 0))), "LOAD_WHILE_COMPUTED"),
        (driver.start, "NOTHING_LOADED"),
    ):
        with pytest.raises(GaeError) as error:
            command()
        assert error.value.flags == {flag}
    assert results(driver) == {(1, 0): (in_units(driver, 40),) * 2}


def test_clear_empties_the_lanes_even_with_results_waiting(make_driver):
    driver = make_driver()
    driver.load(beats(driver, (1, STEP, 40, 0), (1, BOOT, 0, 0)))
    driver.start()
    driver.clear()
    with pytest.raises(GaeError, match="there are no results"):
        driver.read_results()
    driver.load(beats(driver, (1, STEP, 80, 0), (1, BOOT, 0, 0)))
    driver.start()
    assert results(driver) == {(1, 0): (in_units(driver, 80),) * 2}


@pytest.mark.parametrize(
    ("name", "value"), [("QBITS", 2), ("QBITS", 9), ("CLIP", 0), ("SHIFT", 14), ("GAMMA", 2**31 + 1)]
)
def test_a_configuration_out_of_range_refuses_scale_and_keeps_the_scales(make_driver, name, value):
    driver = make_driver()
    driver.control(reward_auto=True, value_auto=True, order_previous=False)
    before = driver.read("REWARD_INV"), driver.read("VALUE_SCALE")
    driver.write(name, value)
    with pytest.raises(GaeError, match="out of range") as error:
        driver.scale()
    assert error.value.flags == {"CONFIG"}
    assert (driver.read("REWARD_INV"), driver.read("VALUE_SCALE")) == before


def test_saturation_and_clipping_are_noticed_without_being_errors(make_driver):
    driver = make_driver()
    driver.write("SHIFT", 13)
    driver.write("VALUE_SCALE", 1 << 23)
    driver.scale()
    driver.load(beats(driver, *[(0, STEP, 127, 0)] * 8, (0, STEP, 128, 200), (0, BOOT, 0, 0)))
    assert driver.take_flags() == {"REWARD_CLIPPED", "VALUE_CLIPPED"}
    counters = driver.counters()
    assert (counters.clipped_rewards, counters.clipped_values) == (1, 1)
    driver.start()
    assert driver.take_flags() == {"OUTPUT_SATURATED"}
    assert driver.counters().saturated > 0
    assert max(a for a, _ in results(driver).values()) == 127


def test_long_codes_saturate_too(make_driver):
    driver = make_driver("tiny16")
    for name, value in (("QBITS", driver.shape.qbits), ("OUT_DROP", 0), ("VALUE_SCALE", 1 << 24)):
        driver.write(name, value)
    driver.scale()
    driver.load(beats(driver, (0, STEP, 1, 30000), (0, BOOT, 0, -30000)))
    driver.start()
    assert driver.take_flags() == {"OUTPUT_SATURATED"}
    assert driver.counters().saturated > 0
    assert len(results(driver)) == 1


def test_zero_spread_is_noticed(make_driver):
    driver = make_driver()
    driver.control(reward_auto=True, value_auto=True, order_previous=False)
    driver.measure(beats(driver, (0, STEP, 5, 3), (0, BOOT, 0, 3)))
    driver.scale()
    assert driver.take_flags() == {"SIGMA_ZERO_R", "SIGMA_ZERO_V"}


def test_a_value_that_does_not_fit_a_register_is_one_sentence(make_driver):
    driver = make_driver()
    for name, value, text in (
        ("GAMMA", 2**32, "GAMMA takes 0 to 4294967295, not 4294967296"),
        ("VALUE_POINT", 128, "VALUE_POINT takes -128 to 127, not 128"),
        ("SHIFT", -1, "SHIFT takes 0 to 31, not -1"),
    ):
        with pytest.raises(UserError, match=text):
            driver.write(name, value)
    driver.write("REWARD_OFFSET", -77)
    assert driver.read("REWARD_OFFSET") == -77


@pytest.mark.parametrize(("word", "text"), [(0, "no GAE core answers"), (1, "register map version 2")])
def test_another_core_or_version_is_not_driven(word, text):
    class Other(GaeModelBus):
        def read(self, address):
            return {0: 0xDEAD if word == 0 else registers.load("gae")["ID"].reset, 4: 0x20000}.get(address, 0)

        def write(self, address, value):
            raise AssertionError("the driver wrote to a core it does not know")

    with pytest.raises(GaeError, match=text):
        GaeDriver(Other(configs.load("gae", "tiny")))
