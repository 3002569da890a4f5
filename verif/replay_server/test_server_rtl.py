"""The replay server in RTL is the integer model, in both simulators."""

import json

import pytest
from simulators import IN_ICARUS, NO_ICARUS

from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.eda import configs, sim

SUFFIX = {"verilator": "", "icarus": "_icarus"}
SHAPES = {
    "small": {
        "capacity": 16, "record_bytes": 24, "part_bytes": 256, "clients": 3, "sample_max": 20, "credit": 8,
        "priority_width": 18, "generation_width": 2, "weights_max": 700,
        "banks": 2, "assemblies": 0,
    },
    "wide": {
        "capacity": 50, "record_bytes": 8, "part_bytes": 400, "clients": 5, "sample_max": 33, "credit": 64,
        "priority_width": 32, "generation_width": 16, "weights_max": 14000,
        "banks": 4, "assemblies": 0,
    },
    "default": {
        "capacity": 1000, "record_bytes": 48, "part_bytes": 1392, "clients": 16, "sample_max": 32, "credit": 32,
        "priority_width": 18, "generation_width": 16, "weights_max": 0,
        "banks": 1, "assemblies": 0,
    },
    "one": {
        "capacity": 1, "record_bytes": 48, "part_bytes": 264, "clients": 1, "sample_max": 1, "credit": 1,
        "priority_width": 4, "generation_width": 1, "weights_max": 1, "initial": 3,
        "banks": 1, "assemblies": 0,
    },
    # PUTs in many parts: of short records, of long ones, and of records of 64 parts.
    "parts": {
        "capacity": 50, "record_bytes": 24, "part_bytes": 264, "clients": 3, "sample_max": 20, "credit": 16,
        "priority_width": 18, "generation_width": 2, "weights_max": 700,
        "banks": 1, "assemblies": 4,
    },
    "long": {
        "capacity": 9, "record_bytes": 600, "part_bytes": 256, "clients": 2, "sample_max": 5, "credit": 8,
        "priority_width": 18, "generation_width": 2, "weights_max": 0,
        "banks": 2, "assemblies": 4,
    },
    "longest": {
        "capacity": 3, "record_bytes": 16376, "part_bytes": 256, "clients": 1, "sample_max": 2, "credit": 4,
        "priority_width": 32, "generation_width": 16, "weights_max": 0,
        "banks": 1, "assemblies": 2,
    },
    # With a shared key.
    "keyed": {
        "capacity": 50, "record_bytes": 24, "part_bytes": 264, "clients": 5, "sample_max": 20, "credit": 16,
        "priority_width": 18, "generation_width": 2, "weights_max": 700,
        "banks": 2, "assemblies": 3, "keyed": True,
    },
    "keyed_default": {
        "capacity": 1000, "record_bytes": 48, "part_bytes": 1392, "clients": 16, "sample_max": 32, "credit": 32,
        "priority_width": 18, "generation_width": 16, "weights_max": 0,
        "banks": 1, "assemblies": 0, "keyed": True,
    },
}  # fmt: skip
# What the front alone is run with besides: a key, with the smallest sizes and with wide ones.
FRONTS = SHAPES | {f"keyed_{name}": SHAPES[name] | {"keyed": True} for name in ("small", "wide", "one")}


def both(*cases) -> list:
    """Every case in both simulators; in `make test` the first, in Icarus."""
    params = []
    for number, case in enumerate(cases):
        name = "-".join(map(str, case.values())) if isinstance(case, dict) else case
        for simulator, quick, marks in (("icarus", 1, [NO_ICARUS]), ("verilator", 0, [])):
            later = [] if number < quick else [pytest.mark.slow]
            params.append(pytest.param(simulator, case, marks=[*marks, *later], id=f"{simulator}-{name}"))
    return params


def run(
    target: str, simulator: str, seed: int, parameters: dict[str, int], test: str | None = None, **env: str
) -> None:
    """A bench of server_verif.core, or one test of it."""
    target += SUFFIX[simulator]
    assert sim.run("rlcores:net:server_verif", target, parameters, testcase=test, seed=seed, env=env).tests


@pytest.mark.parametrize(("simulator", "width"), both(64, 8))
def test_crc32c_is_the_published_one(simulator: str, width: int, seed: int) -> None:
    run("crc32c", simulator, seed, {"BYTES": width})


@pytest.mark.parametrize("simulator", IN_ICARUS)
def test_siphash_is_the_published_one(simulator: str, seed: int) -> None:
    run("siphash", simulator, seed, {})


@pytest.mark.parametrize("simulator", IN_ICARUS)
def test_cookies_are_the_models(simulator: str, seed: int) -> None:
    run("cookie", simulator, seed, {})


@pytest.mark.parametrize("simulator", IN_ICARUS)
def test_draws_begin_where_the_model_begins_them(simulator: str, seed: int) -> None:
    run("seed", simulator, seed, {})


@pytest.mark.parametrize(("simulator", "parameters"), both({"CLIENTS": 2, "CREDIT": 64}, {"CLIENTS": 1, "CREDIT": 1}))
def test_window_accepts_each_request_once(simulator: str, parameters: dict[str, int], seed: int) -> None:
    run("window", simulator, seed, parameters)


BATCHES = both(
    {"RECORD_BYTES": 24, "PART_BYTES": 256, "SAMPLE_MAX": 20},
    {"RECORD_BYTES": 600, "PART_BYTES": 264, "SAMPLE_MAX": 1024},
)


@pytest.mark.parametrize(("simulator", "parameters"), BATCHES)
def test_text_of_a_batch_is_that_of_its_list_and_records(simulator: str, parameters: dict[str, int], seed: int) -> None:
    run("batch", simulator, seed, parameters)


@pytest.mark.parametrize(("simulator", "shape"), both("keyed", "small"))
def test_front_answers_and_counts_as_the_model(simulator: str, shape: str, seed: int) -> None:
    front(shape, simulator, seed, 300)


@pytest.mark.slow  # a minute each
@pytest.mark.parametrize("shape", FRONTS)
def test_front_answers_and_counts_as_the_model_over_many_frames(shape: str, simulator: str, seed: int) -> None:
    front(shape, simulator, seed, 2000)


def front(shape: str, simulator: str, seed: int, frames: int) -> None:
    """The bench of the front."""
    chosen = {"keyed": False} | FRONTS[shape]
    parameters = {name.upper(): int(value) for name, value in chosen.items() if name != "initial"}  # the memory's alone
    run("front", simulator, seed, parameters, SETTINGS=json.dumps(chosen), FRAMES=str(frames))


def server(shape: str, simulator: str, seed: int, frames: int, **tree: int) -> None:
    """The bench of the whole server."""
    parameters = {name.upper(): int(value) for name, value in SHAPES[shape].items() if name != "initial"}
    leaves = ServerSettings(capacity=SHAPES[shape]["capacity"]).leaves_log2
    parameters |= {"LEAVES_LOG2": leaves, "RADIX_LOG2": 2, "ADDR_WIDTH": 24, **tree}
    test = "every_answer_and_every_counter_is_the_models"
    run("server", simulator, seed, parameters, test, FRAMES=str(frames))


def test_the_smallest_server_answers_and_counts_as_the_model(simulator: str, seed: int) -> None:
    parameters = configs.load("replay_server", "tiny")
    run("server", simulator, seed, parameters, "every_answer_and_every_counter_is_the_models", FRAMES="100")


@NO_ICARUS
def test_the_smallest_server_that_puts_parts_together_stores_what_came_in_parts(seed: int) -> None:
    parameters = {**configs.load("replay_server", "tiny"), "ASSEMBLIES": 2, "ADDR_WIDTH": 20}
    run("server", "icarus", seed, parameters, "every_answer_and_every_counter_is_the_models", FRAMES="100")


@pytest.mark.slow  # some minutes each
@pytest.mark.parametrize("shape", SHAPES)
def test_server_answers_and_counts_as_the_model(shape: str, simulator: str, seed: int) -> None:
    server(shape, simulator, seed, 2000)


@pytest.mark.slow
def test_server_whose_tree_has_one_port_answers_as_the_model(simulator: str, seed: int) -> None:
    server("wide", simulator, seed, 1000, SHARED=1)


# A few bits of each frame in one simulator, and, which is slow, all of them; without a key in the same way.
@pytest.mark.parametrize(
    ("config", "bits", "simulator"),
    [
        pytest.param("keyed", 40, "icarus", marks=NO_ICARUS),
        *(pytest.param(c, 4000, "icarus", marks=[NO_ICARUS, pytest.mark.slow]) for c in ("keyed", "tiny")),
        *(pytest.param(c, 4000, "verilator", marks=pytest.mark.slow) for c in ("keyed", "tiny")),
    ],
)
def test_nothing_is_written_for_who_has_not_the_key(config: str, bits: int, simulator: str, seed: int) -> None:
    test = "nothing_is_written_for_who_has_not_the_key_or_says_again_what_is_over"
    run("server", simulator, seed, configs.load("replay_server", config), test, BITS=str(bits))


@pytest.mark.slow
@pytest.mark.parametrize("keyed", [0, 1])
def test_server_takes_puts_at_the_lines_rate_and_answers_a_sample_in_time(
    keyed: int, simulator: str, seed: int
) -> None:
    parameters = configs.load("replay_server", "u200") | {"LEAVES_LOG2": 16, "CAPACITY": 65536, "KEYED": keyed}
    run("server", simulator, seed, parameters, "puts_come_at_the_lines_rate_and_a_batch_within_its_clocks")
