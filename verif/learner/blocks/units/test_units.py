"""The learner's tensor units against integers, in both simulators: any shape, however their neighbours stall."""

from functools import partial

import pytest
from simulators import NO_ICARUS, both, covered

from rlcores.eda import sim
from rlcores.errors import RunFailed

CORE = "rlcores:learner:units_verif"
run = partial(covered, CORE)


VECTORS = both(
    {"WORDS": 4, "TIMES": 3}, {"WORDS": 1, "TIMES": 2}, {"WORDS": 3, "TIMES": 1}, {"WORDS": 5, "TIMES": 2, "WIDTH": 90}
)


@pytest.mark.parametrize(("simulator", "parameters"), VECTORS)
def test_a_vector_is_played_as_often_as_the_unit_behind_needs_it(simulator, parameters, seed):
    hits = run("vector", simulator, seed, parameters)
    assert hits["turns"] == 12 and hits["m stalled"] and hits["s refused"]


def _array(dp: int, lanes: tuple[int, int], groups: int, words: tuple[int, int]) -> dict[str, int]:
    names = ("DP", "LANES_IN", "LANES_OUT", "GROUPS", "WORDS_IN", "WORDS_OUT")
    return dict(zip(names, (dp, *lanes, groups, *words), strict=True))


MATVECS = both(
    _array(3, (4, 2), 3, (4, 7)) | {"OUT_BLOCK": 2, "IN_BLOCK": 2, "OUT_STRIDE": 2, "IN_STRIDE": 1, "PLACES": 5},
    _array(1, (1, 1), 1, (1, 1)) | {"PLACES": 1},
    _array(2, (3, 4), 2, (2, 3)) | {"OUT_BLOCK": 4, "IN_BLOCK": 3, "OUT_STRIDE": 1, "IN_STRIDE": 4, "PLACES": 30},
    _array(1, (2, 1), 1, (5, 1)) | {"PLACES": 9},
    _array(1, (3, 2), 2, (3, 5)) | {"PLACES": 9, "BANKS": 3, "BIAS": 1, "OUT_BLOCK": 2},
    _array(1, (2, 3), 3, (4, 7)) | {"BANKS": 2, "BIAS": 1, "CREDIT": 0, "IN_BLOCK": 2},
    _array(4, (2, 2), 2, (2, 2)) | {"PLACES": 2, "IN_BLOCK": 2},
)


@pytest.mark.parametrize(("simulator", "parameters"), MATVECS)
def test_sums_of_products_are_exact_and_find_room_behind(simulator, parameters, seed):
    hits = run("matvec", simulator, seed, parameters)
    assert hits["words"] == 144 * parameters["WORDS_OUT"]
    assert bool(hits.get("waiting")) == bool(parameters.get("CREDIT", 1))


FORWARDS = both(
    _array(2, (4, 2), 2, (3, 5)) | {"JB": 2, "IB": 2},
    _array(1, (1, 1), 1, (1, 1)) | {"RELU": 0, "OUT_WIDTH": 27},
    _array(3, (2, 4), 2, (2, 2)) | {"JB": 4, "IB": 1, "RELU": 0},
    _array(1, (3, 2), 1, (2, 3)) | {"JB": 1, "IB": 3},
    _array(4, (2, 3), 3, (4, 7)) | {"JB": 3, "IB": 2, "RELU": 0, "OUT_WIDTH": 27},
)


@pytest.mark.parametrize(("simulator", "parameters"), FORWARDS)
def test_a_forward_layer_is_exact_and_waits_for_its_new_weights(simulator, parameters, seed):
    hits = run("forward", simulator, seed, parameters)
    assert hits["m words"] >= 160 * parameters["WORDS_OUT"] and hits["m stalled"]


BACKWARDS = both(
    _array(2, (2, 4), 2, (5, 3)) | {"JB": 2, "IB": 2},
    _array(1, (1, 1), 1, (1, 1)) | {"MASK": 0},
    _array(3, (4, 2), 2, (2, 2)) | {"JB": 4, "IB": 1},
    _array(1, (2, 3), 1, (3, 2)) | {"JB": 1, "IB": 3, "FIRST": 2, "MASK": 0},
    _array(4, (3, 2), 3, (4, 7)) | {"JB": 3, "IB": 2},
)


@pytest.mark.parametrize(("simulator", "parameters"), BACKWARDS)
def test_deltas_of_the_layer_below_are_exact_and_masked(simulator, parameters, seed):
    hits = run("backward", simulator, seed, parameters)
    assert hits["m words"] == 224 * parameters["WORDS_OUT"] and hits["m stalled"]


def _outer(dp: int, lanes: tuple[int, int], words: tuple[int, int], groups: int, jb: int, ib: int) -> dict[str, int]:
    names = ("DP", "LANES_J", "LANES_I", "WORDS_J", "WORDS_I", "GROUPS", "JB", "IB")
    return dict(zip(names, (dp, *lanes, *words, groups, jb, ib), strict=True))


OUTERS = both(
    _outer(2, (4, 2), (2, 5), 2, 2, 2),
    _outer(1, (1, 1), (1, 1), 1, 1, 1),
    _outer(3, (2, 4), (3, 2), 2, 1, 2),
    _outer(4, (3, 2), (1, 7), 3, 3, 1),
    _outer(1, (2, 3), (4, 3), 1, 2, 3),
)


@pytest.mark.parametrize(("simulator", "parameters"), OUTERS)
def test_gradients_of_a_batch_are_exact_and_begin_anew(simulator, parameters, seed):
    hits = run("outer", simulator, seed, parameters)
    rows, columns = (parameters[f"LANES_{x}"] * parameters[f"WORDS_{x}"] for x in "JI")
    assert hits["words"] == 16 * rows * (columns + 1) and hits["s_d refused"]


ILLEGAL = [
    ("matvec", _array(1, (2, 2), 3, (2, 4)), "rlc_nn_matvec: more row groups than input or output words"),
    ("matvec", {"LANES_IN": 4, "IN_BLOCK": 3}, "rlc_nn_matvec: OUT_BLOCK and IN_BLOCK must divide the lanes"),
    ("vector", {"TIMES": 0}, "rlc_nn_vector: WIDTH and WORDS and TIMES must be at least 1"),
    ("outer", _outer(1, (2, 2), (2, 2), 3, 1, 1), "rlc_nn_weight_grad: sizes must be at least 1 and GROUPS no more"),
    ("outer", _outer(1, (4, 2), (2, 2), 1, 3, 1), "rlc_nn_weight_grad: JB and IB must divide the lanes"),
    ("backward", {"FIRST": 1, "GROUPS": 2, "WORDS_IN": 2}, "rlc_nn_backward: FIRST needs GROUPS of 1"),
]


@NO_ICARUS
@pytest.mark.parametrize(("target", "parameters", "message"), ILLEGAL)
def test_a_shape_that_cannot_be_built_is_refused_in_words(target, parameters, message):
    with pytest.raises(RunFailed, match=message):
        sim.run(CORE, f"{target}_icarus", parameters)
