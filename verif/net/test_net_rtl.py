"""The replay server in RTL is the integer model, in both simulators."""

import json

import pytest

from rlcores.engine import sim

SUFFIX = {"verilator": "", "icarus": "_icarus"}
SHAPES = {
    "small": {
        "capacity": 16, "record_bytes": 24, "part_bytes": 256, "clients": 3, "sample_max": 20, "credit": 8,
        "priority_width": 18, "generation_width": 2,
    },
    "wide": {
        "capacity": 50, "record_bytes": 8, "part_bytes": 400, "clients": 5, "sample_max": 33, "credit": 64,
        "priority_width": 32, "generation_width": 16,
    },
    "default": {
        "capacity": 1000, "record_bytes": 48, "part_bytes": 1392, "clients": 16, "sample_max": 32, "credit": 32,
        "priority_width": 18, "generation_width": 16,
    },
    "one": {
        "capacity": 1, "record_bytes": 48, "part_bytes": 264, "clients": 1, "sample_max": 1, "credit": 1,
        "priority_width": 4, "generation_width": 1, "initial": 3,
    },
}  # fmt: skip


def run(target: str, simulator: str, seed: int, parameters: dict[str, int], **env: str) -> None:
    """A bench of server_verif.core."""
    assert sim.run("rlcores:net:server_verif", target + SUFFIX[simulator], parameters, seed=seed, env=env).tests


@pytest.mark.parametrize("width", [8, 64])
def test_crc32c_is_the_published_one(width: int, simulator: str, seed: int) -> None:
    run("crc32c", simulator, seed, {"BYTES": width})


@pytest.mark.parametrize(("clients", "credit"), [(1, 1), (2, 64)])
def test_window_accepts_each_request_once(clients: int, credit: int, simulator: str, seed: int) -> None:
    run("window", simulator, seed, {"CLIENTS": clients, "CREDIT": credit})


def test_front_answers_and_counts_as_the_model(simulator: str, seed: int) -> None:
    front("small", simulator, seed, 300)


@pytest.mark.slow  # a minute each
@pytest.mark.parametrize("shape", SHAPES)
def test_front_answers_and_counts_as_the_model_over_many_frames(shape: str, simulator: str, seed: int) -> None:
    front(shape, simulator, seed, 2000)


def front(shape: str, simulator: str, seed: int, frames: int) -> None:
    """The bench of the front."""
    chosen = SHAPES[shape]
    parameters = {name.upper(): value for name, value in chosen.items() if name != "initial"}  # the memory's alone
    run("front", simulator, seed, parameters, SETTINGS=json.dumps(chosen), FRAMES=str(frames))
