"""The demo of the GAE core: real ends of episodes, a picture, and a failure when the RTL is wrong."""

import json

import numpy as np
import pytest

from rlcores import cli
from rlcores_lab.demo import cartpole, gae, gae_picture


@pytest.fixture(scope="module")
def small() -> gae.Rollout:
    """A rollout of 8 environments x 16 steps, the ends put where all kinds of them occur."""
    environments = cartpole.CartPoles(8, 3)
    before, seen = environments.rollout(64), environments.rollout(16)
    seen.terminated[5, 7] = seen.terminated[9, 6] = True
    seen.terminated[15, 1] = False
    seen.truncated[:] = False
    seen.truncated[15, 1] = True
    seen.following[15, 1] = seen.states[15, 1]
    critic = cartpole.Critic(3)
    critic.fit(before, gae.GAMMA, gae.LAMBDA)
    return gae.Rollout(seen, *cartpole.values_of(critic, seen))


def test_the_policies_bring_terminations_and_truncations():
    seen = cartpole.CartPoles(16, 1).rollout(600)
    assert seen.terminated.sum() > 20 and seen.truncated.sum() > 3
    assert not (seen.terminated & seen.truncated).any()
    values_of_final = cartpole.values_of(cartpole.Critic(1), seen)[2]
    assert np.array_equal(np.isfinite(values_of_final), seen.truncated)
    # The best environment is cut at the limit of 500 steps, not by falling.
    assert seen.truncated[:, 0].nonzero()[0].tolist() == [499] and not seen.terminated[:, 0].any()
    # After the end of an episode comes the start of another one.
    ends = np.argwhere((seen.terminated | seen.truncated)[:-1])
    assert np.abs(seen.states[ends[:, 0] + 1, ends[:, 1]]).max() <= 0.05


def test_the_critic_learns_returns_that_it_has_not_seen():
    environments = cartpole.CartPoles(16, 1)
    before, seen = environments.rollout(256), environments.rollout(256)
    critic = cartpole.Critic(1)
    critic.fit(before, gae.GAMMA, gae.LAMBDA)
    assert (seen.rewards == 1).all(), "CartPole's rewards as they are"
    values, bootstrap, final = cartpole.values_of(critic, seen)
    ends = seen.terminated, seen.truncated
    returns = gae.gae_float.rollout(seen.rewards, values, *ends, bootstrap, final, gae.GAMMA, gae.LAMBDA)[1]
    assert ((returns - values) ** 2).mean() < 0.8 * returns.var()


def test_the_rtl_equals_the_model_and_the_picture_shows_it(small, tmp_path):
    comparison = gae.compare(small, "tiny")
    assert comparison.model_equal and comparison.rtl.cycles > 0
    assert comparison.records == 8 * 17
    figures = {f.name: f.value for f in gae.figures(comparison)}
    assert figures["gae.elements"] == 8 * 16 and figures["gae.memory_saved"] == pytest.approx(64 * 16 / (18 * 17))
    # 8-bit results in place: half an output step beyond the 16-bit bound.
    assert figures["gae.error_arithmetic"] <= figures["gae.error_arithmetic_bound"] + comparison.rtl.step / 2
    gae_picture.draw(comparison, tmp_path / "deep" / "gae.png")
    assert (tmp_path / "deep" / "gae.png").read_bytes().startswith(b"\x89PNG")


def test_the_demo_fails_when_the_rtl_is_wrong(small, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(gae, "collect", lambda seed, stepped: small)
    arguments = ["demo", "gae", "--config", "tiny", "--output", str(tmp_path / "gae.png"), "--json", "-"]
    assert cli.run(arguments) == 0
    document = json.loads(capsys.readouterr().out)
    figures = {f["name"]: f["value"] for f in document["figures"]}
    assert document["command"] == "demo" and figures["gae.model_equal"] == 1 and figures["gae.cycles"] > 0

    right = gae.Gae.compute

    def wrong(self, *arguments):
        result = right(self, *arguments)
        if result.cycles:  # only the RTL has a clock
            result.advantages[3, 2] += result.step
        return result

    monkeypatch.setattr(gae.Gae, "compute", wrong)
    assert cli.run(arguments) == 1
    assert "differ from the integer model" in capsys.readouterr().err


def test_a_configuration_that_is_too_small_is_one_sentence(tmp_path, monkeypatch, capsys):
    assert cli.run(["demo", "gae", "--config", "nonsense"]) == 2
    assert "configurations: tiny" in capsys.readouterr().err
