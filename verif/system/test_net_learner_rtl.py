"""The net learner in both simulators: what actors put over the network is learned as the integer model learns it."""

import pytest

from rlcores.cores.net import frames as net
from rlcores.engine import configs, sim

TARGET = {"verilator": "sim", "icarus": "sim_icarus"}


def run(simulator: str, parameters: dict[str, int | str], seed: int, frames: int) -> dict[str, int]:
    """Both benches; what they came by."""
    env = {"FRAMES": str(frames)}
    return sim.run("rlcores:system:net_learner", TARGET[simulator], parameters, seed=seed, env=env).coverage


def came_by_all(hits: dict[str, int]) -> None:
    """Raises AssertionError when something was never tried."""
    assert hits["gradient steps"] >= 4 and hits["gradient steps in order"] >= 4 and hits["client's steps"] == 7
    assert hits["published in order"] >= 2 and hits["m_axi_ar moved"] > 0
    assert all(hits.get(f"{op} {net.OK}", 0) > 0 for op in (net.HELLO, net.PUT, net.GET, net.STAT))


def test_what_actors_put_is_learned_and_its_weights_are_got(simulator: str, seed: int) -> None:
    came_by_all(run(simulator, configs.load("net_learner", "tiny"), seed, 20))
