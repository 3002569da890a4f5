"""Learners on the simulated tensor core behind its buses: the bits of the model's, and what happens between steps."""

import warnings
from itertools import product

import numpy as np
import pytest

from rlcores.base import limits, paths
from rlcores.cores.rl.batch import TransitionBatch
from rlcores.cores.rl.dqn import Dqn
from rlcores.cores.rl.dqn import DqnSettings as DqnSettings
from rlcores.cores.rl.sac import Sac
from rlcores.cores.rl.sac import SacSettings as SacSettings
from rlcores.cores.rl.td3 import Td3
from rlcores.cores.rl.td3 import Td3Settings as Td3Settings
from rlcores.cores.tensor import beats
from rlcores.cores.tensor.driver import TensorDriver, TensorError
from rlcores.cores.tensor.learner import TensorLearner, needs, programs_of, small_parameters
from rlcores.cores.tensor.program import TensorShape
from rlcores.eda import configs
from rlcores.errors import CoreWarning, UserError
from rlcores_lab.cycles import tensor as cycles

NETWORK, BATCH = (5, 6), 7
LEARNERS = {
    "dqn": lambda hidden=(), **o: Dqn(3, 2, DqnSettings(NETWORK, *hidden), **o),
    "td3": lambda hidden=(), **o: Td3(3, 2, Td3Settings(NETWORK, *hidden), **o),
    "sac": lambda hidden=(), **o: Sac(3, 2, SacSettings(NETWORK, *hidden), **o),
}


@pytest.fixture(scope="module")
def driver():
    core = TensorDriver.verilated("tiny")
    core.bus.stall(5, source=0.3, sink=0.3, registers=0.2)
    return core


def batch(rng, discrete: bool, rows: int = BATCH):
    actions = rng.integers(0, 2, rows) if discrete else rng.uniform(-1, 1, (rows, 2))
    states, following = rng.normal(size=(2, rows, 3))
    return states, actions, rng.normal(size=rows), following, rng.choice([0, 0.97], rows), rng.uniform(0.2, 1, rows)


def planes(learner) -> list[np.ndarray]:
    own = getattr(learner, "own", learner)
    networks = own.networks + ([own.temperature.network] if hasattr(own, "temperature") else [])
    return [network.integers.planes.copy() for network in networks]


def equal(one, other) -> None:
    assert all(np.array_equal(a, b) for a, b in zip(planes(one), planes(other), strict=True))


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_on_the_core_has_the_models_bits(driver, name, seed):
    model = LEARNERS[name](seed=seed, backend="model")
    core = TensorLearner(LEARNERS[name](seed=seed), driver, BATCH)
    rng = np.random.default_rng(seed)
    for number in range(8):
        arrays = batch(rng, name == "dqn")
        assert np.array_equal(core.step(*arrays), model.step(*arrays)), f"TD errors of step {number}"
        if number in (0, 2, 6):  # where windows of fractions end, so that moments move
            # What acts is there between steps, and asking for it changes nothing.
            states = rng.normal(size=(9, 3))
            acts = [x.act if name == "dqn" else x.policy() for x in (core, model)]
            assert np.array_equal(acts[0](states), acts[1](states))
    core.fetch()
    equal(core, model)
    assert core.steps == model.steps == 8
    assert sum(e.moves for n in model.networks for e in n.own()) > 3
    assert driver.counters["DROPPED"] == 0 and driver.clocks > 100


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [h for h in product(limits.ACTIVATIONS, limits.NORMALISATIONS)][1:])
@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_with_other_hidden_layers_has_the_models_bits(driver, name, hidden, seed):
    if name == "td3" and hidden[1] == "layer":
        pytest.skip("both programs of TD3 have more steps than `tiny`")
    model, own = (LEARNERS[name](hidden, seed=seed, backend=b) for b in ("model", "native"))
    core = TensorLearner(own, driver, BATCH)
    rng, before = np.random.default_rng(seed), driver.counters["DROPPED"]
    for number in range(7):
        arrays = batch(rng, name == "dqn")
        assert np.array_equal(core.step(*arrays), model.step(*arrays)), f"TD errors of step {number}"
    states = rng.normal(size=(9, 3))
    acts = [x.act if name == "dqn" else x.policy() for x in (core, model)]
    assert np.array_equal(acts[0](states), acts[1](states))
    core.fetch()
    equal(core, model)
    assert sum(e.moves for n in model.networks for e in n.own()) > 3 and driver.counters["DROPPED"] == before


def test_a_run_goes_on_from_its_state_with_the_same_bits(driver, seed):
    model = Sac(3, 2, SacSettings(network=NETWORK), seed=seed, backend="model")
    core = TensorLearner(Sac(3, 2, SacSettings(network=NETWORK), seed=seed), driver, BATCH)
    rng = np.random.default_rng(seed)
    for _ in range(3):
        arrays = batch(rng, False)
        core.step(*arrays), model.step(*arrays)
    kept = core.state_dict()
    core.step(*batch(rng, False))  # and is forgotten
    other = TensorLearner(Sac(3, 2, SacSettings(network=NETWORK), seed=seed + 1), driver, BATCH)
    other.load_state_dict(kept)
    for _ in range(6):
        arrays = batch(rng, False)
        assert np.array_equal(other.step(*arrays), model.step(*arrays))
    other.fetch()
    equal(other, model)


def test_an_abort_in_the_middle_of_a_step_leaves_a_core_that_can_begin_again(driver, seed):
    core = TensorLearner(LEARNERS["sac"](seed=seed), driver, BATCH)
    core.step(*batch(np.random.default_rng(seed), False))
    driver.send([beats.start(core.entries[0])])
    assert driver.status("busy")
    driver.abort()
    assert not driver.status("busy") and not driver.status("dropping") and driver.flags() == frozenset()
    model = LEARNERS["td3"](seed=seed, backend="model")
    core = TensorLearner(LEARNERS["td3"](seed=seed), driver, BATCH)
    arrays = batch(np.random.default_rng(seed), False)
    assert np.array_equal(core.step(*arrays), model.step(*arrays))


def test_beats_that_fit_nothing_are_counted_and_said(driver):
    driver.abort()
    beyond = beats.vector(driver.memories["WORDS"], np.ones((1, 1), int), 2)
    for wrong in (
        [0], beats.start(driver.memories["STEPS"]), beats.beats(15, 0, 0), beyond, beats.groups(np.zeros((1, 2), int)),
        beats.parameters(0), beats.beats(9, 2, 0),
    ):  # fmt: skip
        before = driver.counters["DROPPED"]
        driver.send([wrong])
        assert driver.counters["DROPPED"] > before, wrong
    assert driver.flags() == {"DROPPED"}
    # A step that drops less than nothing, in a program that ends.
    core = TensorLearner(LEARNERS["dqn"](seed=1), driver, BATCH)
    program = core.programs[0]
    at = next(n for n, word in enumerate(program.program) if beats.STEP.unpack(word)["unit"] == 3)
    fields = beats.STEP.unpack(program.program[at]) | {"k": 0x80, "p": 0, "q": 0, "r": 0}
    driver.send([beats.step(at, beats.STEP.pack_whole(**fields))])
    with pytest.raises(TensorError, match="fewer than 0"):
        core.step(*batch(np.random.default_rng(1), True))
    driver.abort()


def test_what_is_saturated_is_said(driver):
    core = TensorLearner(LEARNERS["td3"](seed=1), driver, BATCH)
    layer, first = core.programs[0].networks[1].net.layers[-1], core.programs[0].networks[1].net.firsts[-1]
    w, b = driver.read(layer, first, 0)
    driver.load(layer, first, 0, np.full_like(w, (1 << 26) - 1), np.full_like(b, (1 << 26) - 1))
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", CoreWarning)
        for _ in range(4):
            core.step(*batch(np.random.default_rng(1), False))
    assert core.saturations()["WEIGHT_SATURATED"] > 0 and any("did not fit" in str(w.message) for w in heard)


def test_a_core_that_is_too_small_says_which_memory(driver):
    with pytest.raises(UserError, match="WORDS 1,024 of"):
        TensorLearner(LEARNERS["sac"](seed=1), driver, 64)
    core = TensorLearner(LEARNERS["sac"](seed=1), driver, BATCH)
    with pytest.raises(UserError, match="a batch of 5 records came; the core's program is for 7"):
        core.step(*batch(np.random.default_rng(1), False, rows=5))


HELD = {"u200": (256, 256), "zcu106": (128, 64)}  # neurons of both layers of SAC, and batch; of the others 8 and 8


@pytest.mark.parametrize("name", configs.names("tensor"))
def test_every_configuration_holds_a_learner_and_the_large_one_of_the_page_sac(name):
    own, batch = cycles.learner_of(configs.load("tensor", name))
    neurons, most = HELD.get(name, (8, 8))
    assert own.settings.network == (neurons, neurons) and batch == most
    large = {"SIDE": 8, "BLOCKS": 4, "PASS_SUMS": 512} | needs(
        programs_of(Sac(17, 6, SacSettings((256, 256))), TensorShape(8, 4, 512), 256)
    )
    assert cycles.learner_of(large)[0].settings.network == (256, 256) and cycles.step(large) == 149_855
    assert small_parameters(LEARNERS["sac"](), 4)["STEPS"] > 200


def test_the_array_grows_with_the_learner_until_none_is_large_enough():
    assert small_parameters(Sac(3, 1), 256)["SIDE"] == 4
    with pytest.raises(UserError, match=r"the tensor core cannot train it: .*; give a smaller network or batch"):
        small_parameters(Sac(17, 6, SacSettings((512, 512, 512))), 4096)


def test_a_step_of_sac_at_full_size_takes_the_beats_that_the_page_says():
    trainer = programs_of(Sac(17, 6, SacSettings((256, 256)), backend="model"), TensorShape(8, 4, 512), 256)[0]
    rng = np.random.default_rng(1)
    transitions = TransitionBatch(
        *(rng.uniform(0, 1, size) for size in ((256, 17), (256, 6), 256, (256, 17), 256, 256))
    )
    records = sum(len(beats.vector(trainer.record[name], x, 8)) for name, x in trainer.records(transitions).items())
    others = len(beats.start(0)) + sum(len(beats.rates(slot, rates)) for slot, rates in trainer.rates())
    said = f"needs {records:,} beats of records and {others} others, and gives {256 + 1}."
    assert said in (paths.root() / "docs/tensor.md").read_text()
