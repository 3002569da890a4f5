"""`rlcores study errors`: advantages() on real rewards is as exact as docs/gae_errors.md says."""

import json

import pytest

from rlcores import cli, gae, paths
from rlcores.errors import UserError
from rlcores.study import errors

# Of the largest advantage.
MOST = {"exact16": 1e-3, "8bit": 0.1}
INSTALLED = [name for name, package in errors.ENVIRONMENTS.items() if package in ("classic control", "toy text")]


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(errors, "STEPS", 64)


@pytest.mark.parametrize("environment", INSTALLED)
def test_advantages_of_a_real_environment_are_right(environment, short, seed):
    found = errors.of(environment, errors.play(environment, seed), seed)
    assert {(e.critic, e.accuracy) for e in found} == {(c, a) for c in errors.CRITICS for a in gae.ACCURACIES}
    for e in found:
        assert e.share <= MOST[e.accuracy], e
    # FrozenLake may pay nothing in so few steps.
    assert any(e.spread > 0 for e in found)


def test_advantages_of_made_up_rewards_are_right(short, seed):
    rows = dict(errors.synthetic(seed))
    assert list(rows) == ["sparse", "constant", "zero", "1e6 + noise"]
    for name, rewards in rows.items():
        for e in errors.of(name, errors._made_up(rewards, seed), seed):
            assert e.share <= MOST[e.accuracy], e


def test_a_good_critic_is_better_than_a_random_one(seed):
    spread = {e.critic: e.spread for e in errors.of("Pendulum-v1", errors.play("Pendulum-v1", seed), seed)}
    assert spread["good"] < 0.7 * spread["random"]


def test_the_page_has_every_line_and_keeps_the_bounds():
    page = (paths.root() / "docs" / "gae_errors.md").read_text()
    rows = [[c.strip() for c in line.strip("|\n").split("|")] for line in page.splitlines() if line.startswith("| ")][
        1:
    ]
    names = [*errors.ENVIRONMENTS, "sparse", "constant", "zero", "1e6 + noise"]
    assert [row[:2] for row in rows] == [[name, critic] for name in names for critic in errors.CRITICS]
    for row in rows:
        assert float(row[5]) <= MOST["8bit"] and float(row[8]) <= MOST["exact16"], row


def test_the_command_writes_the_json_form_and_says_what_is_left_out(short, monkeypatch, tmp_path, capsys):
    def play(environment, seed):
        raise UserError(f"{environment} cannot be made: its package is missing")

    monkeypatch.setattr(errors, "play", play)
    assert cli.run(["study", "errors", "--json", "-"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert document["command"] == "study errors" and document["core"] == "gae"
    figures = {f["name"]: f["value"] for f in document["figures"]}
    assert 0 < figures["gae.error.sparse.good.exact16.largest"] < 1e-3
    assert "left out: Hopper-v5 cannot be made: its package is missing" in err
    assert cli.run(["study", "errors", "--output", str(tmp_path / "page.md")]) == 2
    assert not (tmp_path / "page.md").exists()
