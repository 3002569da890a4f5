"""The replay learner's parts, each alone, in both simulators: stalls, errors and every order that the bus allows."""

import pytest
from simulators import IN_ICARUS

from rlcores.base import tools
from rlcores.eda import sim

CORE = "rlcores:system:replay_blocks"
SLOW = pytest.mark.slow


def run(target: str, simulator: str, seed: int, without: tuple[str, ...] = (), **parameters: int) -> dict[str, int]:
    """The hits of one bench; none of them may be 0, except those that it cannot have."""
    name = target if simulator == "verilator" else f"{target}_{simulator}"
    hits = sim.run(CORE, name, parameters, seed=seed).coverage
    hits = {what: count for what, count in hits.items() if what not in without}
    assert hits and min(hits.values()) > 0, f"the traffic missed something: {hits}"
    return hits


@pytest.mark.parametrize("simulator", IN_ICARUS)
@pytest.mark.parametrize(
    ("data", "beats", "reads"),
    [(64, 4, 4), pytest.param(32, 7, 2, marks=SLOW), pytest.param(256, 1, 16, marks=SLOW)],
)
def test_reads_may_be_answered_in_any_order_and_records_come_in_theirs(
    simulator: str, seed: int, data: int, beats: int, reads: int
) -> None:
    without = () if beats > 1 else ("interleaved", "errors before the last beat")
    hits = run("reader", simulator, seed, without, DATA_WIDTH=data, BEATS=beats, READS=reads)
    assert hits["records"] == 550 and hits["failures"] >= 20 and hits["overtaken"] > 20, hits
    assert beats == 1 or hits["interleaved"] > 100, hits


# Words as wide as beats; eight words a beat, the last one not full; two beats a word; beats that words do not fill.
SHAPES = {"equal": (2, 4, 64, 4), "joined": (1, 11, 256, 2), "split": (4, 3, 64, 6), "gaps": (3, 5, 256, 3)}


def shapes(first: str) -> list:
    """Each shape; all but the first are slow."""
    return [pytest.param(*shape, id=name, marks=() if name == first else SLOW) for name, shape in SHAPES.items()]


@pytest.mark.parametrize("simulator", IN_ICARUS)
@pytest.mark.parametrize(("lanes", "words", "data", "beats"), shapes("joined"))
def test_an_experience_is_written_whole_and_committed_only_when_memory_has_it(
    simulator: str, seed: int, lanes: int, words: int, data: int, beats: int
) -> None:
    hits = run(
        "write", simulator, seed, LANES=lanes, WORDS=words, DATA_WIDTH=data, BEATS=beats, WRITES=3 if lanes == 1 else 4
    )
    assert hits["records"] > 300 and hits["failures"] >= 10 and hits["of a wrong length"] > 50, hits


@pytest.mark.parametrize("simulator", IN_ICARUS)
@pytest.mark.parametrize(("lanes", "words", "data", "beats"), shapes("split"))
def test_the_learner_gets_what_was_stored_with_its_weight(
    simulator: str, seed: int, lanes: int, words: int, data: int, beats: int
) -> None:
    actions = 1 if lanes in (2, 4) else 3  # 1: of DDPG
    hits = run("feeder", simulator, seed, LANES=lanes, WORDS=words, DATA_WIDTH=data, ACTIONS=actions)
    assert hits["records"] == 250 and hits["voids"] > 20, hits


@pytest.mark.parametrize("simulator", IN_ICARUS)
@pytest.mark.parametrize(
    ("batch", "ahead", "held"),
    [
        (8, 1, 0),
        (8, 2, 1),
        pytest.param(3, 0, 0, marks=SLOW),
        pytest.param(32, 4, 0, marks=SLOW),
        pytest.param(1, 1, 1, marks=SLOW),
        pytest.param(32, 4, 1, marks=SLOW),
    ],
)
def test_an_update_goes_to_the_slot_that_its_record_came_from(
    simulator: str, seed: int, batch: int, ahead: int, held: int
) -> None:
    hits = run("updater", simulator, seed, BATCH_MAX=batch, AHEAD_MAX=ahead, HELD=held)
    assert hits["batches"] == 85 and hits["updates"] > 40, hits
    assert not held or hits["priorities before their updates"] > 10, hits


@pytest.mark.parametrize("simulator", IN_ICARUS)
@pytest.mark.parametrize("ports", [3, pytest.param(1, marks=SLOW)])
def test_an_access_reaches_the_window_of_its_address(simulator: str, seed: int, ports: int) -> None:
    hits = run("split", simulator, seed, PORTS=ports)
    assert hits["writes"] + hits["writes to nobody"] == hits["reads"] + hits["reads of nobody"] == 200, hits


@pytest.mark.parametrize("simulator", IN_ICARUS)
@pytest.mark.parametrize(
    ("batch", "ahead"), [(6, 2), (1, 255), pytest.param(1, 0, marks=SLOW), pytest.param(9, 16, marks=SLOW)]
)
def test_batches_are_sampled_to_their_end_and_as_far_ahead_as_asked(
    simulator: str, seed: int, batch: int, ahead: int
) -> None:
    without = ("stopped inside a batch",) * (batch == 1) + ("updates held back",) * (batch == 1 and ahead == 0)
    hits = run("sampler", simulator, seed, without, BATCH_MAX=batch, AHEAD_MAX=ahead)
    assert hits["batches"] > 60 and hits["tags"] > hits["voids"] > 10 and hits["stops"] > 5, hits


@pytest.mark.parametrize("simulator", IN_ICARUS)
def test_everybody_who_asks_the_tree_gets_the_answer(simulator: str, seed: int) -> None:
    hits = run("ops", simulator, seed)
    assert hits["operations"] >= 800 and hits["others waited"] > 50, hits


@pytest.mark.parametrize("simulator", IN_ICARUS)
def test_a_wait_of_the_learner_has_one_cause(simulator: str, seed: int) -> None:
    hits = run("stalls", simulator, seed)
    assert min(hits[name] for name in ("memory", "tree", "empty", "order")) > 10, hits


@pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
def test_every_reset_begins_an_epoch(seed: int) -> None:
    assert sim.run(CORE, "epoch_icarus", seed=seed).passed
