"""The replay server in banks is as many integer models, behind a line of any width, in both simulators."""

import pytest
from simulators import IN_VERILATOR

from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.eda import configs, sim

SUFFIX = {"verilator": "", "icarus": "_icarus"}
# Banks and bytes of a beat; what waits for a bank, in beats: the longest datagram, and no more than that.
SHAPES = {(1, 16): 32, (4, 8): 64, (2, 16): 32, (4, 32): 16, (8, 64): 8}


def run(simulator: str, seed: int, parameters: dict[str, int], test: str, **env: str) -> None:
    """A test of the bench."""
    assert sim.run(
        "rlcores:net:banks_verif", f"banks{SUFFIX[simulator]}", parameters, testcase=test, seed=seed, env=env
    ).tests


@pytest.mark.parametrize("simulator", IN_VERILATOR)
def test_the_smallest_server_in_banks_answers_and_counts_as_its_models(simulator: str, seed: int) -> None:
    parameters = configs.load("replay_banks", "tiny")
    run(simulator, seed, parameters, "every_answer_and_every_counter_is_that_of_its_banks_model", FRAMES="40")


@pytest.mark.slow  # half a minute
def test_who_has_not_the_key_is_counted_by_his_bank_and_not_answered(simulator: str, seed: int) -> None:
    parameters = configs.load("replay_banks", "tiny") | {"KEYED": 1}
    run(simulator, seed, parameters, "every_answer_and_every_counter_is_that_of_its_banks_model", FRAMES="40")


@pytest.mark.slow  # some minutes each
@pytest.mark.parametrize(
    ("banks", "width", "keyed"), [*((*shape, 0) for shape in SHAPES), *((*shape, 1) for shape in ((2, 16), (8, 64)))]
)
def test_every_bank_answers_and_counts_as_its_model(
    banks: int, width: int, keyed: int, simulator: str, seed: int
) -> None:
    settings = ServerSettings(
        capacity=16, record_bytes=24, part_bytes=256, clients=2 * banks + 1, sample_max=20, credit=8,
        generation_width=2, weights_max=700, banks=banks,
    )  # fmt: skip
    names = (
        "capacity",
        "record_bytes",
        "part_bytes",
        "clients",
        "sample_max",
        "credit",
        "generation_width",
        "weights_max",
    )
    parameters = {name.upper(): getattr(settings, name) for name in (*names, "banks")}
    parameters |= {"LEAVES_LOG2": settings.leaves_log2, "RADIX_LOG2": 2, "ADDR_WIDTH": 24}
    parameters |= {"BYTES": width, "DEPTH": SHAPES[banks, width], "KEYED": keyed}
    run(
        simulator,
        seed,
        parameters,
        "every_answer_and_every_counter_is_that_of_its_banks_model",
        FRAMES=str(600 * banks),
    )


@pytest.mark.slow
@pytest.mark.parametrize("keyed", [0, 1])
def test_puts_come_at_a_line_of_100_gbit_and_a_batch_within_its_clocks(keyed: int, simulator: str, seed: int) -> None:
    parameters = configs.load("replay_banks", "u200") | {"KEYED": keyed}
    run(simulator, seed, parameters, "puts_come_at_the_lines_rate_and_a_batch_within_its_clocks")
