"""The weight update in hardware, bit for bit as the integer model, in both simulators."""

from collections.abc import Callable
from pathlib import Path

import pytest
from simulators import NO_ICARUS

from rlcores.cores.learner.optimisers import ADAM, ADAMW, ALL, MOMENTUM, SGD
from rlcores.eda import sim
from rlcores.errors import RunFailed

CORE = "rlcores:learner:update_blocks"
NEAREST, FLOOR, STOCHASTIC = range(3)


def shape(words_j: int, lanes_j: int, words_i: int, lanes_i: int, jb: int, ib: int, **others: int) -> dict[str, int]:
    """Parameters of a layer; FORWARD and BACKWARD that do not divide the words, unless given."""
    sizes = {"WORDS_J": words_j, "LANES_J": lanes_j, "WORDS_I": words_i, "LANES_I": lanes_i, "JB": jb, "IB": ib}
    return {"LAYER": 2, "NETWORK": 0, "FORWARD": 2, "BACKWARD": 2, **sizes, **others}


CASES = {
    "adam, averaged target, dither": shape(3, 4, 3, 2, 2, 2, OPTIMISER=ADAM, ROUND=STOCHASTIC, POLYAK=1),
    "adam, one weight a clock": shape(1, 2, 3, 1, 1, 1, OPTIMISER=ADAM, ROUND=NEAREST, POLYAK=0),
    "adam, other decays": shape(
        2, 3, 1, 4, 3, 1, OPTIMISER=ADAM, ROUND=FLOOR, POLYAK=0, BETA1_NUM=1, BETA1_SHIFT=4, BETA2_NUM=77, BETA2_SHIFT=9
    ),
    "adam, clipped": shape(2, 4, 3, 4, 2, 4, OPTIMISER=ADAM, ROUND=NEAREST, POLYAK=0, TARGET=0, CLIP=1),
    "adam, clipped, three lanes": shape(2, 3, 2, 2, 3, 1, OPTIMISER=ADAM, ROUND=STOCHASTIC, POLYAK=1, CLIP=1),
    "adamw, averaged target, dither": shape(3, 4, 2, 2, 2, 2, OPTIMISER=ADAMW, ROUND=STOCHASTIC, POLYAK=1),
    "adamw, clipped": shape(2, 3, 2, 2, 3, 1, OPTIMISER=ADAMW, ROUND=NEAREST, POLYAK=0, TARGET=0, CLIP=1),
    "momentum, averaged target": shape(3, 2, 2, 4, 1, 4, OPTIMISER=MOMENTUM, ROUND=NEAREST, POLYAK=1, NETWORK=1),
    "momentum, dither": shape(2, 2, 2, 2, 2, 1, OPTIMISER=MOMENTUM, ROUND=STOCHASTIC, POLYAK=0, GRAD_LATENCY=1),
    "sgd": shape(5, 2, 4, 2, 1, 2, OPTIMISER=SGD, ROUND=FLOOR, POLYAK=0, FORWARD=3, BACKWARD=3, GRAD_LATENCY=7),
    "sgd, eight weights a clock, averaged target": shape(2, 4, 2, 2, 4, 2, OPTIMISER=SGD, ROUND=STOCHASTIC, POLYAK=1),
    "sgd, two groups": shape(1, 1, 1, 1, 1, 1, OPTIMISER=SGD, ROUND=NEAREST, POLYAK=0, FORWARD=1, BACKWARD=1),
}


QUICK_CASES = ["adam, other decays", "adamw, clipped", "momentum, averaged target", "sgd"]
# Too few weights for every bin.
SMALL_CASES = ["adam, one weight a clock", "sgd, two groups"]


def cases() -> list:
    """Every case in both simulators; in `make test` one of each optimiser, in Icarus."""
    slow = pytest.mark.slow
    icarus = [
        pytest.param("update_icarus", name, marks=NO_ICARUS if name in QUICK_CASES else [NO_ICARUS, slow])
        for name in CASES
    ]
    return [*icarus, *(pytest.param("update", name, marks=slow) for name in CASES)]


@pytest.mark.parametrize(("target", "case"), cases())
def test_every_weight_after_an_update_is_the_models(target: str, case: str, seed: int) -> None:
    parameters = CASES[case]
    hits = sim.run(CORE, target, parameters, seed=seed).coverage
    assert hits["update"] == 18 and hits["read"] == 17 and hits["load"] >= 4, hits
    needed = ["moved", "read stalled", *(["copied"] if parameters.get("TARGET", 1) else [])]
    if case not in SMALL_CASES:
        needed += ["gradient saturated", "weight saturated"]
        needed += ["averaged", "target saturated"] if parameters["POLYAK"] else []
        squares = ALL[parameters["OPTIMISER"]].squares
        needed += ["moment 0", "only the second moment 0", "ratio clipped", "eps"] if squares else []
        needed += ["decayed"] if parameters["OPTIMISER"] == ADAMW else []
        needed += ["clipped"] if "CLIP" in parameters else []
        needed += ["waited for the seed"] if parameters["ROUND"] == STOCHASTIC else []
    assert all(hits.get(name, 0) > 0 for name in needed), hits


ILLEGAL = [
    ({"JB": 3}, "rlc_learner_update: JB must divide LANES_J and IB must divide LANES_I"),
    ({"WORDS_I": 0}, "rlc_learner_update: WORDS_J and LANES_J and WORDS_I and LANES_I must be at least 1"),
    ({"OPTIMISER": 4}, "rlc_nn_optimiser: OPTIMISER must be 0 to 3"),
    ({"ROUND": 3}, "rlc_learner_update: ROUND must be 0 or 1 or 2 and POLYAK 0 or 1"),
    ({"BETA1_NUM": 2049}, "rlc_nn_optimiser: BETA1_NUM and BETA2_NUM must be 1 to 16383"),
    ({"BETA2_NUM": 131, "BETA2_SHIFT": 7}, "rlc_nn_optimiser: BETA1_NUM and BETA2_NUM must be 1 to 16383"),
    ({"OPTIMISER": SGD, "CLIP": 1}, "rlc_nn_sgd: SQUARES are not made by SGD"),
    ({"OPTIMISER": MOMENTUM, "CLIP": 1}, "rlc_nn_momentum: SQUARES are not made by momentum"),
    ({"POLYAK": 1, "TARGET": 0}, "rlc_learner_update: POLYAK needs a TARGET"),
    ({"GRAD_LATENCY": 0}, "rlc_learner_update: GRAD_LATENCY must be at least 1"),
]


@NO_ICARUS
@pytest.mark.parametrize(("changed", "message"), ILLEGAL)
def test_an_illegal_parameter_is_refused_in_words(changed: dict[str, int], message: str) -> None:
    with pytest.raises(RunFailed, match=message):
        sim.run(CORE, "update_icarus", {**shape(2, 4, 2, 4, 2, 2, OPTIMISER=ADAM, ROUND=0, POLYAK=0), **changed})


ADAM_CASE, MOMENTUM_CASE = "adam, averaged target, dither", "momentum, averaged target"
ADAMW_CASE = "adamw, averaged target, dither"
# What is broken -> the case that must see it, file, a few words of it, and what a copy says instead.
BROKEN = {
    "the log's offset": (ADAM_CASE, "nn/rlc_nn_adam_lane", "2048 * (GRAD_WIDTH - 19)", "2048 * (GRAD_WIDTH - 19) + 1"),
    "the half of a rounding": (MOMENTUM_CASE, "nn/rlc_nn_momentum_lane", "17'h10000", "17'h00000"),
    "a partial set of rows": (
        "sgd",
        "nn/rlc_nn_weight_addr_gen",
        ".restart(to_jw), .step(on_jw), .at(jg)",
        ".restart(restart), .step(on_jw), .at(jg)",
    ),
    "a count without sync": (ADAM_CASE, "nn/rlc_nn_weight", "gap_over_s5 && sync", "gap_over_s5"),
    "a second moment of 0": (ADAM_CASE, "nn/rlc_nn_adam_lane", "v_zero_both || ", ""),
    "no step": (ADAM_CASE, "nn/rlc_nn_adam_lane", "assign saturated = beyond && !nothing", "assign saturated = beyond"),
    "the decay's random bits": (ADAMW_CASE, "nn/rlc_nn_adamw", "bits[7:0], bits[15:8]", "bits"),
    "the decay's shift": (ADAMW_CASE, "nn/rlc_nn_adamw", "7'd17", "7'd16"),
    "the largest exponent": (ADAM_CASE, "nn/rlc_nn_exp", "e > TOP", "e >= TOP"),
    "small steps": (ADAM_CASE, "nn/rlc_nn_exp", "e < LOW", "e < LOW + 10'sd17"),
    "the dither's seed": (ADAM_CASE, "learner/rlc_learner_seed", "sum_q >> 31", "sum_q >> 30"),
    "the dither's turn": (ADAM_CASE, "learner/rlc_learner_update", "(5 * k) % 32", "(3 * k) % 32"),
    "a late read": (ADAM_CASE, "nn/rlc_nn_adam", "SOON+V_READ-`RLC_NN_READ]", "SOON+V_READ-`RLC_NN_READ+1]"),
    "lanes without a bias": (ADAM_CASE, "learner/rlc_learner_gradient", "none ? {SUM_WIDTH{1'b0}} : sum", "sum"),
    "a step beyond the range": ("sgd", "nn/rlc_nn_step", "overflow_s2 ? !minus_s2 : up", "up && !overflow_s2"),
    "which bits do not fit": ("sgd", "nn/rlc_nn_step", "if (i >= fine", "if (i > fine"),
    "a stalled read": ("sgd", "learner/rlc_learner_update", "m_valid && m_ready", "m_valid"),
    "a word too many": ("sgd", "learner/rlc_learner_update", "!all_in_q", "1'b1"),
}
QUICK = {"the half of a rounding", "a partial set of rows"}


@NO_ICARUS
@pytest.mark.parametrize(
    ("case", "file", "right", "wrong"),
    [pytest.param(*c, id=n, marks=[] if n in QUICK else [pytest.mark.slow]) for n, c in BROKEN.items()],
)
def test_a_unit_with_a_wrong_line_is_seen(
    break_line: Callable[[str, str, str], Path], case: str, file: str, right: str, wrong: str, seed: int
) -> None:
    break_line(f"rtl/{file}.v", right, wrong)
    with pytest.raises(RunFailed, match="tests failed"):
        sim.run(CORE, "update_icarus", CASES[case], seed=seed)


def test_each_line_to_break_is_there(file_with: Callable[[str, str], Path]) -> None:
    for _, file, right, _ in BROKEN.values():
        file_with(f"rtl/{file}.v", right)
