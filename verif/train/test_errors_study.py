"""`rlcores study errors`: advantages() on real rewards is as exact as docs/gae_errors.md says."""

import json
from itertools import product

import pytest

from rlcores import cli
from rlcores.base import paths
from rlcores.cores.gae import api as gae
from rlcores.errors import UserError
from rlcores_lab.study import errors

# Of the largest advantage; of a critic that leaves next to no advantage only its bound is known beforehand.
MOST = {"exact16": 1e-3, "8bit": 0.1}
INSTALLED = [name for name, package in errors.ENVIRONMENTS.items() if package in ("classic control", "toy text")]


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(errors, "STEPS", 64)


def keep_the_bounds(measured):
    for e in measured:
        assert e.share <= e.limit, e
        assert e.critic == "near" or e.share <= MOST[e.accuracy], e


@pytest.mark.parametrize("environment", INSTALLED)
def test_advantages_of_a_real_environment_are_right(environment, short, seed):
    measured = errors.of(environment, errors.play(environment, seed), seed)
    assert {(e.critic, e.gae_lambda, e.accuracy) for e in measured} == set(
        product(errors.CRITICS, errors.LAMBDAS, gae.ACCURACIES)
    )
    keep_the_bounds(measured)
    # FrozenLake may pay nothing in so few steps.
    assert any(e.spread > 0 for e in measured)


def test_advantages_of_made_up_rewards_are_right(short, seed):
    rows = dict(errors.synthetic(seed))
    assert list(rows) == ["sparse", "constant", "zero", "1e6 + noise"]
    for name, rewards in rows.items():
        keep_the_bounds(errors.of(name, errors._made_up(rewards, seed), seed))


def test_a_good_critic_is_better_than_a_random_one(seed):
    spread = {
        (e.critic, e.gae_lambda): e.spread for e in errors.of("Pendulum-v1", errors.play("Pendulum-v1", seed), seed)
    }
    for gae_lambda in errors.LAMBDAS:
        assert spread["near", gae_lambda] < 0.1 * spread["good", gae_lambda] < 0.1 * spread["random", gae_lambda]
    assert spread["good", 0.95] < 0.7 * spread["random", 0.95]


def test_the_page_has_every_line_and_keeps_the_bounds():
    page = (paths.root() / "docs" / "gae_errors.md").read_text()
    lines = [[c.strip() for c in line.strip("|\n").split("|")] for line in page.splitlines() if line.startswith("| ")]
    rows, worst = [x for x in lines if len(x) == 8][1:], [x for x in lines if len(x) == 4][1:]
    names = [*errors.ENVIRONMENTS, "sparse", "constant", "zero", "1e6 + noise"]
    kinds = [(critic, f"{gae_lambda:g}") for critic in errors.CRITICS for gae_lambda in errors.LAMBDAS]
    assert [tuple(row[:3]) for row in rows] == [(name, *kind) for name in names for kind in kinds]
    assert [tuple(row[:2]) for row in worst] == kinds
    for critic, gae_lambda, short, exact in worst:
        own = [row for row in rows if tuple(row[1:3]) == (critic, gae_lambda)]
        assert [float(short), float(exact)] == [max(float(row[i]) for row in own) for i in (5, 7)]
        if critic != "near":
            assert float(short) <= MOST["8bit"] and float(exact) <= MOST["exact16"]


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
