"""`rlcores bench env`: clocks that the RTL really takes, answers that are compared, names that a script can rely on."""

import json

import pytest

from rlcores import cli
from rlcores.eda import configs
from rlcores.errors import RunFailed
from rlcores_lab.bench import env

PEERS = ("native", "peer.gymnasium_sync", "peer.gymnasium_numpy")


def test_the_json_has_the_names_that_tables_are_made_of(capsys, monkeypatch) -> None:
    for name, small in (("STATES", 3000), ("SECONDS", 0.01), ("COPIES", (3, 5)), ("RUNS", (30, 60))):
        monkeypatch.setattr(env, name, small)
    assert cli.run(["bench", "env", "--config", "tiny", "--json", "-", "--clock", "150"]) == 0
    figures = {f["name"]: f for f in json.loads(capsys.readouterr().out)["figures"]}
    value = {name: figure["value"] for name, figure in figures.items()}
    # Three copies wait for a pipeline of sixteen clocks.
    assert value["env.cartpole.steps_per_cycle"] == pytest.approx(3 / 16)
    assert value["env.cartpole.step_ns"] == pytest.approx(16 / 3 / 0.15)
    assert 0 < value["env.cartpole.max_error"] < 2**-18
    assert figures["env.cartpole.clock_mhz"]["how"] == "assumed"
    assert figures["env.cartpole.steps_per_cycle"]["how"] == figures["env.cartpole.max_error"]["how"] == "measured"
    for who in PEERS:
        for place in (who, f"{who}.copies5"):
            ns, steps = (value[f"{place}.cartpole_{what}"] for what in ("step_ns", "steps_per_second"))
            assert ns * steps == pytest.approx(1e9)


def test_a_wrong_answer_of_the_rtl_fails_the_benchmark(monkeypatch, seed) -> None:
    right = env.EnvDriver.step

    def wrong(self, actions):
        answers = right(self, actions)
        answers["reward"][3] += 1
        return answers

    monkeypatch.setattr(env.EnvDriver, "step", wrong)
    monkeypatch.setattr(env, "RUNS", (30, 60))
    with pytest.raises(RunFailed, match="differ in 1 of 30 answers"):
        env.measure(configs.load("env", "tiny"), seed)
