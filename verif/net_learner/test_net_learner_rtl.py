"""The net learner in both simulators: what actors put over the network is learned as the integer model learns it."""

import pytest
from simulators import NO_ICARUS

from rlcores.cores.learner.shape import fields
from rlcores.cores.replay_server import frames as net
from rlcores.eda import configs, sim

TARGET = {"verilator": "sim", "icarus": "sim_icarus"}


def run(simulator: str, parameters: dict[str, int | str], seed: int, frames: int) -> dict[str, int]:
    """Both benches; what they came by."""
    env = {"FRAMES": str(frames)}
    return sim.run("rlcores:system:net_learner", TARGET[simulator], parameters, seed=seed, env=env).coverage


def came_by_all(hits: dict[str, int]) -> None:
    """Raises AssertionError when something was never tried."""
    assert hits["gradient steps"] >= 4 and hits["gradient steps in order"] >= 4 and hits["client's steps"] == 7
    assert hits["published in order"] >= 2 and hits["m_axi_ar moved"] > 0
    assert hits[f"{net.PUT} {net.REFUSED}"] > 0
    assert all(hits.get(f"{op} {net.OK}", 0) > 0 for op in (net.HELLO, net.PUT, net.GET, net.STAT))


@pytest.mark.slow  # a build and some minutes
@pytest.mark.parametrize("config", ["tiny", "ddpg_tiny"])
def test_what_actors_put_is_learned_and_its_weights_are_got(config: str, simulator: str, seed: int) -> None:
    parameters = configs.load("net_learner", config)
    hits = run(simulator, parameters, seed, 20)
    came_by_all(hits)
    assert (hits.get("bad_key", 0) > 0) == bool(parameters["KEYED"])


# One group in a layer; layers of one and of three; groups that fill no word, or not all of their words.
NETWORKS = (
    {"SIZES": "2-2", "LANES": "2-2", "UPDATE_ROWS": "1", "UPDATE_COLS": "1"},
    {"SIZES": "4-8-2", "LANES": "2-2-2", "UPDATE_ROWS": "2-2", "UPDATE_COLS": "2-1"},
    {"SIZES": "5-6-4-3", "LANES": "4-3-2-3", "UPDATE_ROWS": "3-2-3", "UPDATE_COLS": "2-3-1"},
)


@pytest.mark.parametrize(
    "simulator", [pytest.param("icarus", marks=NO_ICARUS), pytest.param("verilator", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network["SIZES"])
def test_a_set_of_weights_is_read_whole_while_others_come(network: dict[str, str], simulator: str, seed: int) -> None:
    lanes = [r * c for r, c in zip(fields(network["UPDATE_ROWS"]), fields(network["UPDATE_COLS"]), strict=True)]
    parameters = {**network, "LAYERS": len(lanes), "GROUP": max(lanes) * 27, "PLACE": 10}
    target = "weights" if simulator == "verilator" else "weights_icarus"
    hits = sim.run("rlcores:system:net_learner_verif", target, parameters, seed=seed).coverage
    assert hits["published"] >= 5 and hits["reads"] >= 5 and hits["words"] >= 50
