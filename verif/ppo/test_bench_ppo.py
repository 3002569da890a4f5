"""`rlcores bench ppo`: the figures that scripts rely on, and that the peers which are installed learn."""

import json
from functools import partial

import pytest

from rlcores import cli
from rlcores_lab.bench import ppo, ppo_peers


def test_the_json_has_the_core_and_the_engine(capsys, monkeypatch):
    monkeypatch.setattr(ppo, "run", partial(ppo.run, seconds=0.01, sizes=(4, 8)))
    assert cli.run(["bench", "ppo", "--json", "-"]) == 0
    figures = {f["name"]: f for f in json.loads(capsys.readouterr().out)["figures"]}
    assert 50 < figures["ppo.cycles_per_env_step"]["value"] <= 72 and figures["ppo.dsp"]["value"] <= 2280
    for who in ("native", "native.model", *(f"peer.{one.name}" for one in ppo_peers.installed())):
        figure = figures[f"{who}.ppo_step_ns"]
        assert figure["value"] > 0 and figure["how"] == "measured"


def test_it_has_no_configurations(capsys):
    assert cli.run(["bench", "ppo", "--config", "tiny"]) == 2
    assert capsys.readouterr().err == "rlcores: bench ppo has no configurations\n"


@pytest.mark.slow
@pytest.mark.parametrize("one", ppo_peers.PEERS, ids=lambda one: one.name)
def test_a_peer_makes_iterations(one):
    pytest.importorskip(one.module)
    iterate = one.iteration(1, (8, 16))
    for _ in range(2):
        iterate()
