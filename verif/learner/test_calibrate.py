"""`rlcores calibrate`: fractions that hold what was recorded, and a sentence where none can."""

import dataclasses
import json
from itertools import pairwise

import numpy as np
import pytest
from typer.testing import CliRunner

from rlcores.cli import application
from rlcores.cores.learner import calibrate
from rlcores.cores.learner.api import Learner
from rlcores.cores.learner.float64 import FloatSettings
from rlcores.cores.learner.format import DdpgFormats, LearnerBatch, LearnerFormats
from rlcores.errors import UserError

SIZES = (3, 8, 6, 2)
CRITIC, ACTOR = (5, 8, 6, 1), (3, 8, 6, 2)


def transitions(rng, count: int = 120, *, scale: float = 1.0, box: bool = False) -> LearnerBatch:
    states = scale * rng.uniform(-1, 1, (2, count, 3))
    actions = rng.uniform(-1, 1, (count, 2)) if box else rng.integers(0, 2, count)
    return LearnerBatch(states[0], actions, rng.uniform(-1, 1, count), states[1], rng.random(count) < 0.1)


def random_state(rng, sizes, scale: float = 1.0) -> dict[str, np.ndarray]:
    state = {}
    for layer, (m, n) in enumerate(pairwise(sizes)):
        state[f"{2 * layer}.weight"] = rng.uniform(-scale, scale, (n, m))
        state[f"{2 * layer}.bias"] = rng.uniform(-scale, scale, n)
    return state


def save(path, batch: LearnerBatch, **others) -> str:
    named = {f.name: getattr(batch, f.name) for f in dataclasses.fields(batch)}
    np.savez(path, **{n: x for n, x in named.items() if x is not None}, **others)
    return str(path)


def run(*arguments: str):
    return CliRunner().invoke(application(), ["calibrate", *arguments])


def tensors(calibration: calibrate.Calibration) -> dict:
    return {(t.name, t.layer): t for t in calibration.tensors}


@pytest.mark.parametrize("headroom", [0, 1, 3])
def test_every_tensor_fits_and_no_bit_more_would_leave_the_headroom(headroom, seed):
    rng = np.random.default_rng(seed)
    calibration = calibrate.calibrate(transitions(rng, scale=3), SIZES, steps=30, headroom=headroom)
    assert len(calibration.tensors) == 4 + 3 + 3 + 1
    for t in calibration.tensors:
        spare = {"gradients": calibrate.GRADIENT_HEADROOM, "outputs": headroom + 1, "TD errors": headroom + 1}
        wanted = spare.get(t.name, headroom)
        assert t.largest > 0 and t.headroom >= wanted - 1e-3, t
        # A power of two may need one bit of headroom more; what is at the top of its range of fractions has plenty.
        assert t.headroom <= wanted + 1 or t.frac in (16, 17) or t.name == "gradients", t


def test_what_was_seen_is_what_the_integers_reach(seed):
    rng = np.random.default_rng(seed)
    batch = transitions(rng, 64, scale=2)
    state = random_state(rng, SIZES)
    calibration = calibrate.calibrate(batch, SIZES, states={"network": state}, steps=0)
    learner = Learner(SIZES, formats=calibration.formats)
    learner.load_weights(state)
    learner.step(batch)
    assert learner.saturations() == {}
    seen, model = tensors(calibration), learner.driver.model
    frac = calibration.formats.grad_frac
    splits = np.split(np.abs(model.gradient), model.network.starts[1:-1])
    for layer, gradient in enumerate(splits, 1):
        assert gradient.max() / 2.0 ** frac[layer] == pytest.approx(seen["gradients", layer].largest, rel=0.02)
    # The same with formats three bits finer: numbers saturate.
    fine = dataclasses.replace(calibration.formats, act_frac=(*(f + 3 for f in calibration.formats.act_frac[:-1]), 16))
    with pytest.raises(UserError, match=r"of layer \d reach"):
        calibrate.check(calibrate.watch(batch, SIZES, states={"network": state}, steps=0), fine)
    learner = Learner(SIZES, formats=fine)
    learner.load_weights(state)
    learner.step(batch)
    assert learner.saturations()


def test_a_wider_layer_gets_fewer_fraction_bits(seed):
    rng = np.random.default_rng(seed)
    state, batch = random_state(rng, SIZES, 0.5), transitions(rng)
    small = calibrate.calibrate(batch, SIZES, states={"network": state}, steps=0)
    # LunarLander's second layer passes 100: here all weights into it are sixteen times as large.
    state["2.weight"] *= 16
    state["2.bias"] *= 16
    large = calibrate.calibrate(batch, SIZES, states={"network": state}, steps=0)
    assert large.formats.act_frac[2] <= small.formats.act_frac[2] - 3
    assert large.formats.act_frac[:2] == small.formats.act_frac[:2]


def test_ddpg_gets_formats_for_critic_actor_and_the_pass_between_them(seed):
    rng = np.random.default_rng(seed)
    calibration = calibrate.calibrate(transitions(rng, box=True), CRITIC, ACTOR, steps=30)
    assert isinstance(calibration.formats, DdpgFormats) and len(calibration.formats.pass_frac) == 4
    assert calibration.formats.actor.act_frac[0] == calibration.formats.value.act_frac[0] <= 16
    learner = Learner(
        CRITIC,
        actor=ACTOR,
        formats=calibration.formats,
        huber=None,
        tau=0.005,
        target_update_interval=1,
        learning_rate=1e-3,
    )
    for _ in range(20):
        learner.step(transitions(rng, 32, box=True))
    assert learner.saturations() == {}


def test_training_with_the_fractions_that_were_found_saturates_nowhere(seed):
    rng = np.random.default_rng(seed)
    batch = transitions(rng, 200, scale=20)
    calibration = calibrate.calibrate(batch, SIZES, steps=100, seed=5)
    learner = Learner(SIZES, formats=calibration.formats, seed=5)
    assert Learner(SIZES, seed=5).formats != calibration.formats
    for _ in range(40):
        rows = rng.integers(0, 200, 64)
        learner.step(
            *(x[rows] for x in (batch.states, batch.actions, batch.rewards, batch.next_states)), batch.terminated[rows]
        )
    assert learner.saturations() == {}


@pytest.mark.parametrize(
    ("batch", "text"),
    [
        ({"states": 2.0**18}, r"inputs of layer 0 reach .*; sfix\(18,0\) holds up to .*: scale rewards or states down"),
        ({"states": 2.0**16}, "scale rewards or states down"),
        ({"rewards": 2.0**27}, "scale rewards or states down"),
    ],
)
def test_what_no_format_holds_is_one_sentence(batch, text, seed):
    experience = transitions(np.random.default_rng(seed))
    experience = dataclasses.replace(
        experience, **{name: getattr(experience, name) * scale for name, scale in batch.items()}
    )
    state = random_state(np.random.default_rng(seed), SIZES, 4)
    with pytest.raises(UserError, match=text) as caught:
        calibrate.calibrate(experience, SIZES, states={"network": state}, settings=FloatSettings(huber=None), steps=0)
    assert "\n" not in str(caught.value)


def test_a_format_that_cannot_hold_the_batch_is_named_with_the_one_that_can(seed):
    rng = np.random.default_rng(seed)
    ranges = calibrate.watch(transitions(rng, scale=3), SIZES, steps=10)
    good = calibrate.choose(ranges).formats
    assert calibrate.check(ranges, good).formats == good
    bad = dataclasses.replace(good, act_frac=(16, *good.act_frac[1:]))
    with pytest.raises(
        UserError, match=r"inputs of layer 0 reach (2\.9.*|3); sfix\(18,16\) holds up to 2: give it a fraction of 15 "
    ):
        calibrate.check(ranges, bad)
    cured = dataclasses.replace(good, act_frac=(15, *good.act_frac[1:]))
    calibrate.check(ranges, cured)
    for name, layer in (("delta_frac", 2), ("grad_frac", 3)):
        fractions = list(getattr(good, name))
        fractions[layer] += 12 if name == "grad_frac" else 8
        with pytest.raises((UserError, ValueError), match=f"of layer {layer} (reach|-)|shift of"):
            calibrate.check(ranges, dataclasses.replace(good, **{name: tuple(fractions)}))


def cut(batch: LearnerBatch, **fields) -> LearnerBatch:
    return dataclasses.replace(batch, **fields)


def test_transitions_that_make_no_sense_are_one_sentence(seed):
    rng = np.random.default_rng(seed)
    good = transitions(rng, 10)
    nan = good.states.copy()
    nan[3, 1] = np.nan
    wrong = {
        "there are no transitions": transitions(rng, 0),
        r"states have shape \(10, 2\); these networks need \(10, 3\)": cut(good, states=good.states[:, :2]),
        r"actions have shape \(10, 2\)": cut(good, actions=np.zeros((10, 2))),
        "states hold a number that is not finite": cut(good, states=nan),
        "an action is not a whole number from 0 to 1": cut(good, actions=np.full(10, 2)),
        "weights have shape": cut(good, weights=np.full(10, 2.0)),
    }
    for text, batch in wrong.items():
        with pytest.raises(UserError, match=text):
            calibrate.calibrate(batch, SIZES, steps=1)
    with pytest.raises(UserError, match=r"'0\.weight' of the network holds inf"):
        state = random_state(rng, SIZES)
        state["0.weight"][0, 0] = np.inf
        calibrate.calibrate(good, SIZES, states={"network": state}, steps=1)


# --- the command ---


def test_the_command_takes_a_file_with_its_weights_and_writes_json(tmp_path, seed):
    rng = np.random.default_rng(seed)
    state = {f"network.{n}": x for n, x in random_state(rng, SIZES).items()}
    batch = transitions(rng)
    file = save(tmp_path / "batch.npz", batch, **state)
    result = run(file, "--gradient-steps", "20", "--json", str(tmp_path / "out.json"))
    assert result.exit_code == 0, result.output
    written = json.loads((tmp_path / "out.json").read_text())
    figures = {f["name"]: f["value"] for f in written["figures"]}
    # Sizes come from the weights in the file.
    expected = calibrate.calibrate(
        batch, SIZES, states={"network": random_state(np.random.default_rng(seed), SIZES)}, steps=20,
        settings=calibrate.default_settings(False),
    ).formats  # fmt: skip
    assert figures["learner.act_frac"] == "-".join(map(str, expected.act_frac))
    assert figures["learner.delta_frac"] == "-".join(map(str, expected.delta_frac[1:]))
    assert figures["learner.grad_frac"] == "-".join(map(str, expected.grad_frac[1:]))
    assert written["command"] == "calibrate" and figures["learner.headroom"] >= 1
    assert f"act_frac: {figures['learner.act_frac']}" in result.output


def test_the_command_records_an_environment():
    result = run("--env", "CartPole-v1", "--transitions", "200", "--gradient-steps", "20", "--sizes", "4-16-2")
    assert result.exit_code == 0, result.output
    assert "200 transitions" in result.output and "act_frac: " in result.output
    result = run("--env", "Pendulum-v1", "--transitions", "150", "--gradient-steps", "5", "--reward-scale", "0.1")
    assert result.exit_code == 0 and "pass_frac: " in result.output and "actor_grad_frac: " in result.output


def test_the_command_checks_given_fractions(tmp_path, seed):
    file = save(tmp_path / "batch.npz", transitions(np.random.default_rng(seed), scale=3))
    options = ["--sizes", "3-8-6-2", "--gradient-steps", "5", "--delta", "14-14-14", "--gradient", "16-16-16"]
    assert run(file, *options, "--act", "14-12-12-16").exit_code == 0
    result = run(file, *options, "--act", "17-12-12-16")
    assert isinstance(result.exception, UserError) and "inputs of layer 0 reach" in str(result.exception)


def test_the_command_says_what_is_wrong_in_one_sentence(tmp_path, seed):
    rng = np.random.default_rng(seed)
    file = save(tmp_path / "batch.npz", transitions(rng))
    missing = tmp_path / "missing.npz"
    np.savez(missing, states=np.zeros((3, 2)))
    text = tmp_path / "text.npz"
    text.write_text("hello")
    cases = {
        "give a file of transitions or --env": (),
        "one of the two": (file, "--env", "CartPole-v1"),
        "is not a file of recorded transitions": (str(text),),
        "is not a file of recorded transitions (.npz)": (str(tmp_path / "nothing.npz"),),
        "has no array 'actions'": (str(missing),),
        "there is no environment 'Nowhere-v9'": ("--env", "Nowhere-v9"),
        "--sizes: ": (file, "--sizes", "3-x-2"),
        "these networks need (120, 4)": (file, "--sizes", "4-8-2"),
        "give --act, --delta and --gradient together": (file, "--act", "12-12-12-12"),
    }
    for expected, arguments in cases.items():
        result = run(*arguments)
        assert isinstance(result.exception, UserError) and expected in str(result.exception), (
            expected,
            result.exception,
        )
        assert "\n" not in str(result.exception)


def test_formats_that_were_chosen_are_ones_that_the_core_can_shift(seed):
    # Tensors of very different sizes: fractions as fine as they can be would need shifts that do not exist.
    rng = np.random.default_rng(seed)
    state = random_state(rng, SIZES)
    for name, scale in (("0.weight", 2.0**-18), ("0.bias", 2.0**-18), ("2.weight", 15.9), ("4.weight", 2.0**-18)):
        state[name] = state[name] * scale
    batch = transitions(rng, scale=30_000)
    calibration = calibrate.calibrate(batch, SIZES, states={"network": state}, steps=0)
    assert isinstance(calibration.formats, LearnerFormats)
    learner = Learner(SIZES, formats=calibration.formats)
    learner.load_weights(state)
    learner.step(*(getattr(batch, n) for n in ("states", "actions", "rewards", "next_states", "terminated")))
