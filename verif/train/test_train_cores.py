"""`rlcores train --cores M`: the split that equation 5 asks for, from times of this machine, and the same run."""

import json
from dataclasses import replace

import pytest
from train_runs import short

from rlcores import cli
from rlcores.errors import UserError
from rlcores.train import cores, pool, spaces
from rlcores.train.loop import make_trainer

RUN = ["train", "--algo", "dqn", "--env", "CartPole-v1", "--steps", "1200", "--until", "inf"]


@pytest.mark.parametrize(
    ("total", "curve", "rate", "interval", "actors", "bound"),
    [
        (8, {1: 100.0, 2: 200.0, 4: 400.0, 7: 700.0}, 250.0, 1, 3, "learner"),  # three actors feed it
        (8, {1: 100.0, 2: 200.0, 4: 400.0, 7: 700.0}, 250.0, 2, 5, "learner"),  # each step wants two
        (3, {1: 100.0, 2: 200.0}, 250.0, 1, 2, "actors"),  # all that there are
        (8, {1: 100.0, 2: 190.0, 4: 200.0}, 500.0, 1, 4, "actors"),  # more than four environments share do nothing
        (2, {1: 100.0}, 10.0, 1, 1, "learner"),
    ],
)
def test_as_many_actors_as_the_learner_needs_and_no_more(total, curve, rate, interval, actors, bound) -> None:
    plan = short("dqn", "native", envs=4 if 7 not in curve else 8)
    plan = replace(plan, settings=replace(plan.settings, train_freq=interval))
    division = cores.chosen(plan, total, curve, rate)
    assert (division.actors, division.learners, division.bound) == (actors, 1, bound)
    assert division.line.startswith(f"{total} cores: {actors} actor") and f"the {bound}" in division.line


def test_times_are_of_the_processor_and_leave_no_trace(ran, seed: int) -> None:
    plan = short("dqn", "native", seed)
    before = ran(plan).state.digest
    division = cores.divide(plan, spaces.look(plan.environment), 3, seconds=0.1)
    assert list(division.curve) == [1, 2] and min(division.curve.values()) > 100 and division.gradient_steps > 50
    assert ran(plan).state.digest == before
    trainer = make_trainer(plan, spaces.look(plan.environment))
    one = pool.make(plan, 1, apart=True)
    try:
        assert isinstance(one, pool.Processes) and one.timed(trainer.order(0, 0), 0.05) > 100
    finally:
        one.close()


def test_a_run_says_its_choice_keeps_it_and_learns_the_same(tmp_path, capsys) -> None:
    digests = []
    for name, words in (("divided", ["--cores", "2"]), ("plain", ["--actors", "1"])):
        command = [*RUN, *words, "--checkpoint", str(tmp_path / name), "--json", str(tmp_path / f"{name}.json")]
        assert cli.run(command) == 0
        said = capsys.readouterr().out
        assert ("2 cores: 1 actor, the learner on another; " in said) == (name == "divided")
        digests.append(json.loads((tmp_path / f"{name}.json").read_text())["digest"])
    assert digests[0] == digests[1]
    figures = {f["name"]: f["value"] for f in json.loads((tmp_path / "divided.json").read_text())["figures"]}
    assert (figures["train.cores"], figures["train.actors"], figures["train.learners"]) == (2, 1, 1)
    assert figures["train.actors_1.steps"] > 100 and figures["train.learner.gradient_steps"] > 50
    kept = json.loads((tmp_path / "divided" / "run.json").read_text())["cores"]
    assert kept["actors"] == 1 and kept["curve"] == {"1": pytest.approx(figures["train.actors_1.steps"], abs=0.1)}
    assert "cores" not in json.loads((tmp_path / "plain" / "run.json").read_text())


def test_one_core_and_algorithms_that_take_turns_have_nothing_to_divide() -> None:
    space = spaces.look("CartPole-v1")
    alone = cores.divide(short("dqn", "native"), space, 1)
    assert (alone.actors, alone.learners, alone.curve) == (1, 0, {}) and alone.line.startswith("1 core: 1 actor, the")
    turns = cores.divide(short("ppo", "native", envs=3), space, 8)
    assert (turns.actors, turns.learners) == (3, 0) and "wait while it learns" in turns.line
    with pytest.raises(UserError, match="cores is 2000; it must be 1 to 1024"):
        cores.divide(short("dqn", "native"), space, 2000)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--actors", "2"], "leave --actors out"),
        (["--replay", "127.0.0.1:1"], "at a replay server give --actors"),
        (["--on", "chip"], "with --on chip both are on the chip"),
    ],
)
def test_where_cores_divide_nothing_is_one_sentence(words, sentence, tmp_path, capsys) -> None:
    assert cli.run([*RUN, "--cores", "2", *words, "--checkpoint", str(tmp_path / "run")]) == 2
    assert sentence in capsys.readouterr().err and not list(tmp_path.rglob("*.npz"))
