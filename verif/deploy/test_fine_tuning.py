"""Fine-tuning in the formats: the pass that is trained is the core's, and its integers come closer to the policy."""

import builtins
import json
from pathlib import Path

import numpy as np
import pytest
from test_deployed import made, random_observations, random_policy

from rlcores.deploy import folder, formats, tuning
from rlcores.errors import CoreWarning, UserError

KINDS = ("relu identity", "leaky_relu:0.25 tanh", "elu:1.7 sigmoid", "norm+silu identity", "norm+relu norm+tanh")


@pytest.mark.parametrize("kinds", KINDS)
def test_the_pass_that_is_trained_rounds_and_limits_as_the_core(kinds: str) -> None:
    torch = pytest.importorskip("torch")
    policy, x = random_policy((6, 20, 4), kinds, 3), random_observations(6, 300)
    quantised = formats.quantise(policy, x, weight_width=5, act_width=6)
    taken = torch.from_numpy(np.ldexp(quantised.observations.integers(x).astype(np.float64), -quantised.shape.in_frac))
    trained = np.ldexp(tuning._Network(quantised).outputs(taken).detach().numpy(), quantised.shape.act_fracs[-1])
    apart = np.abs(trained - quantised.outputs(x))
    # A unit's table may be half a bit of its result aside, which now and then rounds to the next number of 6 bits.
    assert not apart.any() if kinds == "relu identity" else np.median(apart) <= 8
    again = tuning._Network(quantised).integers()
    for old, new in zip(quantised.weights.weights, again.weights.weights, strict=True):
        assert np.array_equal(old, new)


@pytest.mark.parametrize(("kinds", "head"), [*((k, "continuous") for k in KINDS), (KINDS[0], "argmax")])
def test_tuned_weights_are_nearer_to_the_policy_on_observations_that_nobody_trained_on(kinds: str, head: str) -> None:
    pytest.importorskip("torch")
    policy, x = random_policy((6, 20, 4), kinds, 3, head), random_observations(6, 5000)
    x, fresh = x[:3000], x[3000:]
    before = formats.quantise(policy, x, weight_width=3, act_width=5)
    after = tuning.fine_tune(before, x, 300)
    assert after.shape == before.shape
    assert tuning._far(after, fresh)[0] < 0.9 * tuning._far(before, fresh)[0]
    assert np.array_equal(after.act(fresh), after.act(fresh, backend="model"))


def test_what_the_integers_meet_is_trained_on() -> None:
    pytest.importorskip("torch")
    policy, x = random_policy((6, 20, 4), "relu identity", 3), random_observations(6, 2000)
    met = random_observations(6, 3000, seed=6)
    before = formats.quantise(policy, np.concatenate([x, met]), weight_width=3, act_width=5)
    asked = []

    def meets(quantised: formats.Quantised) -> np.ndarray:
        asked.append(quantised)
        return met[:1500]

    after = [tuning.fine_tune(before, x, 200, meets=m) for m in (None, meets)]
    assert len(asked) >= 8 and asked[0] is before and asked[-1] is not before
    plain, together = (tuning._far(quantised, met[1500:])[0] for quantised in after)
    assert together < 0.9 * plain


def test_tuning_never_makes_it_worse_on_what_judges_it() -> None:
    pytest.importorskip("torch")
    policy, x = random_policy((6, 20, 4), "relu identity", 3), random_observations(6, 200)
    before = formats.quantise(policy, x, weight_width=12, act_width=12)
    with pytest.warns(CoreWarning, match="found no integers that are nearer"):
        after = tuning.fine_tune(before, x, 40, learning_rate=300.0)
    assert np.array_equal(after.act(x), before.act(x))


def test_integers_that_earn_less_are_not_taken_though_they_are_nearer() -> None:
    pytest.importorskip("torch")
    policy, x = random_policy((6, 20, 4), "relu identity", 3), random_observations(6, 2000)
    before, judged = formats.quantise(policy, x, weight_width=3, act_width=5), []

    def earns(quantised: formats.Quantised) -> float:
        judged.append(quantised)
        return -float(len(judged))

    with pytest.warns(CoreWarning, match="found no integers that earn more"):
        assert tuning.fine_tune(before, x, 100, earns=earns) is before
    assert judged[0] is before and len(judged) == 21
    assert any(tuning._far(quantised, x) < tuning._far(before, x) for quantised in judged[1:])
    # And the one that earns most is, wherever it stands on the way.
    best = tuning.fine_tune(before, x, 100, earns=lambda quantised: earns(quantised) if len(judged) != 30 else 1.0)
    assert best is not before


def test_the_folder_of_a_tuned_policy_has_its_bits_and_says_so(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    policy, x = random_policy((4, 8, 2), "tanh identity", 3), random_observations(4, 400)
    done = folder.deploy(policy, x, tmp_path / "p", weight_width=3, act_width=4, fine_tune=60)
    assert "0 wrong" in made(tmp_path / "p", "c")
    assert json.loads((tmp_path / "p" / "report.json").read_text())["fine_tuned_steps"] == 60
    plain = formats.quantise(policy, x, weight_width=3, act_width=4)
    assert any((a != b).any() for a, b in zip(done.quantised.weights.weights, plain.weights.weights, strict=True))


def test_what_is_missing_is_one_sentence(monkeypatch) -> None:
    policy, x = random_policy((2, 3, 1), "relu identity", 3), random_observations(2, 9)
    quantised = formats.quantise(policy, x)
    real = builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name == "torch":
            raise ImportError(name)
        return real(name, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(builtins, "__import__", without)
        with pytest.raises(UserError, match=r"needs torch: pip install 'rlcores\[torch\]'"):
            tuning.fine_tune(quantised, x)
    pytest.importorskip("torch")
    with pytest.raises(UserError, match="at least 10 observations, and there are 9"):
        tuning.fine_tune(quantised, x)
