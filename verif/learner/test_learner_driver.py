"""The driver on the RTL and on the model: the same bits, weights in the documented order, and one clear refusal."""

from dataclasses import replace

import numpy as np
import pytest
from learner_axi_cores import (
    everything,
    formats,
    model,
    networks,
    random_plane,
    random_records,
    rtl,
    start,
    weights_of,
)

from rlcores.buses.bus import BusError
from rlcores.cores.learner.driver import LearnerDriver
from rlcores.cores.learner.format import LearnerSettings, NetworkSettings, equal_networks
from rlcores.cores.learner.layout import MOMENT, SQUARES, TARGET, WEIGHTS, WeightLayout, planes
from rlcores.cores.learner.model_driver import LearnerError
from rlcores.cores.learner.optimisers import ADAMW
from rlcores.cores.learner.records import pack_records
from rlcores.cores.learner.shape import NetworkShape
from rlcores.eda import registers
from rlcores.errors import UserError

SLOW = equal_networks(rate=1, rate_exp=24)


@pytest.fixture
def dqn():
    """The core without an actor, its weights small and random."""
    driver = rtl("dqn")
    start(np.random.default_rng(1), driver)
    yield driver
    driver.bus.close()


def random_settings(rng, shape, seed: int) -> LearnerSettings:
    """Registers of any value that the core takes."""
    return LearnerSettings(
        batch=int(rng.integers(1, shape.batch_max + 1)),
        gamma=int(rng.integers(0, 2**17 + 1)),
        reward_scale=int(rng.integers(0, 2**17 + 1)),
        huber=int(rng.integers(0, 2)) * int(rng.integers(1, 2**17)),
        double=bool(rng.integers(0, 2)) and shape.actor is None,
        lag=bool(rng.integers(0, 2)) and shape.actor is not None,
        sync_interval=int(rng.integers(0, 4)),
        tau=int(rng.integers(0, 2**17)) if shape.polyak else 0,
        networks=[
            NetworkSettings(
                rate=int(rng.integers(0, 2**12)),
                rate_exp=int(rng.integers(20, 30)),
                log_rate=int(rng.integers(0, 2**15)),
                decay=(int(rng.integers(0, 20)) << 18 | int(rng.integers(0, 2**17))) if shape.optimiser == ADAMW else 0,
            )
            for _ in range(2)
        ],
        pass_delta=-(2**13),
        seed=seed,
    )


@pytest.mark.parametrize("core", ["dqn", "ddpg"])
def test_rtl_and_model_give_the_same_bits_through_the_same_driver(core, seed):
    rng = np.random.default_rng(seed)
    driver, other = rtl(core), model(core)
    assert driver.shape.value.sizes == other.shape.value.sizes and planes(driver.shape) == planes(other.shape)
    start(rng, driver, other)
    driver.bus.stall(seed, source=0.3, sink=0.3, registers=0.2)
    first = everything(driver)
    for step in range(1, 16):
        settings = random_settings(rng, driver.shape, step // 5)
        for each in (driver, other):
            each.configure(formats(driver.shape), settings)
        records = random_records(rng, driver.shape, settings.batch, invalid=0.2 if core == "dqn" else 0)
        assert driver.step(records).tolist() == other.step(records).tolist(), step
        assert everything(driver) == everything(other), step
        assert driver.steps == other.steps == step
        assert driver.counters().tolist() == other.counters().tolist(), step
    assert everything(driver) != first and driver.counters()[0] > 0
    for each in (driver, other):
        each.clear_counters()
        assert not each.counters().any()
    driver.bus.close()


@pytest.mark.parametrize("core", ["dqn", "ddpg"])
def test_every_plane_comes_back_as_it_was_loaded_over_its_whole_range(core, seed):
    rng = np.random.default_rng(seed)
    driver = rtl(core)
    driver.bus.stall(seed, source=0.3, sink=0.3)
    shape, loaded = driver.shape, {}
    for actor in networks(shape):
        for plane in planes(shape):
            loaded[actor, plane] = random_plane(rng, shape, plane, actor)
            driver.load(loaded[actor, plane], plane, actor)
    for (actor, plane), matrices in loaded.items():
        for (w, b), (new_w, new_b) in zip(matrices, driver.read(plane, actor), strict=True):
            assert np.array_equal(w, new_w) and np.array_equal(b, new_b), (actor, plane)
    driver.bus.close()


def test_batches_without_a_pause_train_as_one_by_one(seed):
    rng = np.random.default_rng(seed)
    driver, other = rtl("dqn"), model("dqn")
    start(rng, driver, other)
    batches = [random_records(rng, driver.shape, 4, invalid=0.3) for _ in range(6)]
    before = driver.bus.cycles
    priorities = driver.train(batches)
    clocks = driver.bus.cycles - before
    assert [f.tolist() for f in priorities] == [other.step(b).tolist() for b in batches]
    assert everything(driver) == everything(other) and driver.train([]) == []
    # One behind the other, so the end of one batch costs less than a batch alone.
    before = driver.bus.cycles
    for batch in batches:
        driver.step(batch)
    assert clocks < driver.bus.cycles - before


@pytest.mark.parametrize("core", ["dqn", "ddpg"])
def test_a_reset_begins_every_count_of_steps_anew(core, seed):
    """Also the one to the next target."""
    rng = np.random.default_rng(seed)
    driver = rtl(core)
    for steps in (2, 4):
        driver.bus.reset()
        driver, other = LearnerDriver(driver.bus), model(core)
        start(rng, driver, other, settings=replace(random_settings(rng, driver.shape, 1), sync_interval=3, batch=2))
        for _ in range(steps):
            records = random_records(rng, driver.shape, 2)
            assert driver.step(records).tolist() == other.step(records).tolist()
        assert driver.steps == steps and everything(driver) == everything(other)
    driver.bus.close()


@pytest.mark.parametrize("backend", [rtl, model])
def test_weights_loaded_while_it_runs_are_refused_and_unchanged(backend, seed):
    rng = np.random.default_rng(seed)
    driver = backend("dqn")
    start(rng, driver)
    known = weights_of(driver)
    driver.start()
    for call in (lambda: driver.load(random_plane(rng, driver.shape, WEIGHTS, False)), lambda: driver.read()):
        with pytest.raises(LearnerError, match="the learner is running: the weights were not"):
            call()
    with pytest.raises(LearnerError):
        driver.configure(formats(driver.shape), LearnerSettings(batch=2, networks=SLOW, lag=False))
    driver.stop()
    assert weights_of(driver) == known
    driver.configure(formats(driver.shape), LearnerSettings(batch=2, networks=SLOW, lag=False))


@pytest.mark.parametrize("backend", [rtl, model])
@pytest.mark.parametrize("batch", [0, 25])
def test_a_batch_of_nothing_or_too_long_is_refused_and_changes_nothing(backend, batch, seed):
    rng = np.random.default_rng(seed)
    driver = backend("dqn")
    start(rng, driver)
    known = weights_of(driver)
    # 0 is refused by the registers' own type already.
    with pytest.raises(ValueError, match=f"batch (is|has) {batch}"):
        driver.configure(formats(driver.shape), LearnerSettings(batch=batch, networks=SLOW, lag=False))
    with pytest.raises(UserError, match=f"the batch has {batch} records; register BATCH says 4"):
        driver.step(random_records(rng, driver.shape, batch))
    assert weights_of(driver) == known and driver.steps == 0


def test_what_does_not_fit_the_core_is_one_sentence(dqn, seed):
    rng = np.random.default_rng(seed)
    known = weights_of(dqn)
    big = [(w * 0 + (1 << 26), b) for w, b in random_plane(rng, dqn.shape, WEIGHTS, False)]
    records = random_records(rng, dqn.shape, 4)
    records.states = records.states[:, :2]
    calls = {
        "a value of plane 0 is 67108864; it must be": lambda: dqn.load(big),
        "plane 4 does not exist; this core's optimiser has 0, 1, 2, 3": lambda: dqn.load(big, 4),
        "a value of plane 3 is -": lambda: dqn.load(random_plane(rng, dqn.shape, MOMENT, False), SQUARES),
        "network is 1; this core has numbers 0 to 0": lambda: dqn.read(WEIGHTS, network=1),
        r"states have shape \(4, 2\)": lambda: dqn.step(records),
        "stage is 64": lambda: dqn.utilisation(64, []),
    }
    for text, call in calls.items():
        with pytest.raises(UserError, match=text):
            call()
    with pytest.raises(LearnerError, match="TAU = 1: a write was ignored: its value does not fit"):
        dqn.configure(formats(dqn.shape), LearnerSettings(batch=4, networks=SLOW, tau=1, lag=False))
    assert weights_of(dqn) == known


@pytest.mark.parametrize("backend", [rtl, model])
def test_a_rate_that_needs_an_impossible_shift_is_refused(backend, seed):
    driver = backend("ddpg")
    start(np.random.default_rng(seed), driver)
    wrong = LearnerSettings(batch=4, networks=[NetworkSettings(rate=1), NetworkSettings(rate_exp=24)], lag=False)
    with pytest.raises((LearnerError, ValueError), match=r"do not fit together|rate_exp is 0"):
        driver.configure(formats(driver.shape), wrong)
    if backend is rtl:
        with pytest.raises(LearnerError, match=r"COMMAND\.run was refused"):
            driver.start()
    with pytest.raises(UserError, match="plane 2 does not exist; this core's optimiser has 0, 1"):
        driver.read(MOMENT)


@pytest.mark.parametrize(("word", "text"), [(0, "no learner core answers"), (1, "register map version 3")])
def test_another_core_or_version_is_not_driven(word, text):
    class Other:
        def read(self, address):
            return {0: 0xDEAD if word == 0 else registers.load("learner")["ID"].reset, 4: 0x30000}[address]

        def write(self, address, value):
            raise AssertionError("the driver wrote to a core it does not know")

    with pytest.raises(LearnerError, match=text):
        LearnerDriver(Other())


def test_records_wait_until_the_core_runs(dqn, seed):
    beats = pack_records(random_records(np.random.default_rng(seed), dqn.shape, 4), 3)
    with pytest.raises(BusError, match="beat 0 of the s_axis_rec stream"):
        dqn.bus.transfer({"s_axis_rec": beats}, {})
    assert dqn.steps == 0


NETWORKS = {
    "plain": NetworkShape((3, 4, 2), (3, 2, 2), (1, 1), (1, 1), (2, 2), (3, 1)),
    # Nothing divides anything.
    "odd": NetworkShape((5, 7, 6, 3), (2, 3, 4, 2), (2, 2, 1), (2, 2, 1), (3, 2, 1), (1, 3, 2)),
    "one": NetworkShape((4, 3), (2, 2), (1,), (1,), (1,), (2,)),
}


def nested_stream(net: NetworkShape, weights, biases) -> list[int]:
    """The stream's order as the documentation tells it."""
    stream = []

    def put(matrix, j, i):
        inside = j < matrix.shape[0] and i < matrix.shape[1]
        stream.append(int(matrix[j, i]) if inside else 0)

    for layer in range(1, net.layers + 1):
        jb, ib = net.update_rows[layer - 1], net.update_cols[layer - 1]
        out, inner = net.lanes[layer], net.lanes[layer - 1]
        tops = [jw * out + js * jb for jw in range(net.words[layer]) for js in range(out // jb)]
        lefts = [iw * inner + part * ib for iw in range(net.words[layer - 1]) for part in range(inner // ib)]
        for top in tops:
            for left in lefts:
                for a in range(jb):
                    for b in range(ib):
                        put(weights[layer - 1], top + a, left + b)
        for top in tops:
            for a in range(jb):
                for b in range(ib):
                    put(biases[layer - 1][:, None], top + a, 0 if b == 0 else 1)
    return stream


@pytest.mark.parametrize("name", list(NETWORKS))
def test_weights_have_the_documented_place_in_the_stream(name, seed):
    rng = np.random.default_rng(seed)
    net, layout = NETWORKS[name], WeightLayout(NETWORKS[name])
    weights = [rng.integers(1, 1000, shape) for shape in layout.shapes]
    biases = [rng.integers(1, 1000, shape[0]) for shape in layout.shapes]
    stream = layout.to_stream(list(zip(weights, biases, strict=True)))
    assert stream.tolist() == nested_stream(net, weights, biases)
    # The padding is not looked at.
    padded = np.where(stream == 0, 77, stream)
    for layers in (layout.from_stream(stream), layout.from_stream(padded)):
        for sent, back in zip((weights, biases), zip(*layers, strict=True), strict=True):
            assert all(np.array_equal(x, y) for x, y in zip(sent, back, strict=True))
    with pytest.raises(ValueError, match="has shapes"):
        layout.to_stream([(w.T, b) for w, b in zip(weights, biases, strict=True)])
    with pytest.raises(ValueError, match=f"a plane of this network has {layout.beats} words"):
        layout.from_stream(stream[1:])


def test_the_driver_finds_the_shape_of_any_core_in_its_registers():
    driver = rtl("ddpg")
    shape, known = driver.shape, model("ddpg").shape
    for mine, other in ((shape.value, known.value), (shape.actor, known.actor)):
        for name in ("sizes", "lanes", "update_rows", "update_cols"):
            assert getattr(mine, name) == getattr(other, name), name
    for name in ("columns", "batch_max", "optimiser", "rounding", "polyak"):
        assert getattr(shape, name) == getattr(known, name), name
    assert planes(shape) == (WEIGHTS, TARGET)
    driver.bus.close()


@pytest.mark.parametrize("core", ["dqn", "ddpg"])
def test_an_abort_frees_a_learner_with_half_a_batch_and_keeps_its_whole_steps(core, seed):
    rng = np.random.default_rng(seed)
    driver, other = rtl(core), model(core)
    start(rng, driver, other)
    lanes = driver.shape.value.lanes[0]
    for turn in range(8):
        settings = random_settings(rng, driver.shape, turn)
        settings = replace(settings, batch=2 + settings.batch % 3)  # so much fits inside while priorities wait
        for each in (driver, other):
            each.configure(formats(driver.shape), settings)
        batches = [random_records(rng, driver.shape, settings.batch) for _ in range(turn % 2 + 1)]
        beats = np.concatenate([pack_records(records, lanes) for records in batches])
        beats = beats.view(np.uint64) if beats.shape[1] % 2 == 0 else beats
        # Half of the time only the last record's end is missing: with lag the actor has its whole gradient by then.
        most = driver.shape.record_beats if rng.integers(0, 2) else settings.batch * driver.shape.record_beats
        cut = int(rng.integers(1, most))
        before = driver.steps
        driver.start()
        driver.bus.transfer({"s_axis_rec": beats[:-cut]}, {})  # nobody takes priorities
        driver.bus.run(int(rng.integers(0, 300)))
        with pytest.raises(LearnerError, match="the learner is running"):
            driver.read()
        driver.abort()
        assert driver.steps - before == len(batches) - 1
        for records in batches[:-1]:
            other.step(records)
        assert everything(driver) == everything(other), turn
        for each in (driver, other):
            each.clear_counters()
        records = random_records(rng, driver.shape, settings.batch)
        assert driver.step(records).tolist() == other.step(records).tolist() and everything(driver) == everything(other)
        # A plane half read, a plane half loaded; then a whole one is loaded, and trained before anything else.
        driver._host("read", WEIGHTS, 0, "")
        driver.bus.transfer({}, {"m_axis_read": 3})
        driver.abort()
        plane, words = random_plane(rng, driver.shape, WEIGHTS, False), driver._layouts[False].beats
        driver._host("load", WEIGHTS, 0, "")
        count = words - 1 if turn == 0 else int(rng.integers(1, words))
        driver.bus.transfer({"s_axis_load": np.arange(count, dtype=np.uint64).reshape(-1, 1)}, {})
        driver.abort()
        for each in (driver, other):
            each.load(plane)
        assert driver.step(records).tolist() == other.step(records).tolist()
        assert everything(driver) == everything(other)
    assert not driver.flags() - {"SATURATED"}
    driver.bus.close()
