"""The sum tree's draws: the model has the published generator, and the module is the model bit for bit."""

import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from simulators import NO_ICARUS

from rlcores.base import paths, tools
from rlcores.cores.common.draws import Draws, Xoshiro128pp, splitmix64, state_of
from rlcores.eda import sim, slang

CORE = "rlcores:sumtree:draw_verif"


def test_the_model_makes_the_published_words() -> None:
    published = [641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295]
    assert Xoshiro128pp((1, 2, 3, 4)).take(8).tolist() == published
    assert splitmix64(0, 2) == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]
    assert Xoshiro128pp((0, 0, 0, 0)).state == (1, 0, 0, 0)


@pytest.mark.parametrize(("width", "strata"), [(32, 1), (32, 7), (24, 1000), (16, 65535), (1, 3), (32, 65535)])
def test_each_draw_of_a_batch_lies_in_its_own_part(width: int, strata: int) -> None:
    draws = Draws(width, seed=5, strata=strata)
    words = Xoshiro128pp(state_of(5)).take(300) >> np.uint64(32 - width)
    assert [draws.next() for _ in range(100)] == Draws(width, seed=5, strata=strata).take(100).tolist()
    got = [*Draws(width, seed=5, strata=strata).take(100).tolist(), *draws.take(200).tolist()]
    for number, (u, r) in enumerate(zip(got, words.tolist(), strict=True)):
        exact = (number % strata + Fraction(r, 2**width)) / strata
        assert Fraction(u, 2**width) <= exact < Fraction(u + 1, 2**width)


def test_lanes_together_draw_from_every_part_once() -> None:
    lanes = [Draws(32, seed=lane, strata=12, first=lane, step=4) for lane in range(4)]
    parts = sorted(int(u) * 12 >> 32 for lane in lanes for u in lane.take(3))
    assert parts == list(range(12))


SLOW = pytest.mark.slow


# In `make test` the first in Verilator, the next three in Icarus.
SHAPES = [(32, 1, 2, 0, 1), (31, 1, 2, 3, 4), (32, 0, 2, 0, 1), (1, 1, 1, 5, 1)]
SHAPES += [(2, 1, 2, 15, 16), (18, 1, 1, 0, 1), (24, 1, 2, 300, 7)]


@pytest.mark.parametrize(
    ("simulator", "width", "divides", "bits", "first", "step"),
    [
        *(pytest.param("verilator", *s, marks=SLOW if n else []) for n, s in enumerate(SHAPES)),
        *(pytest.param("icarus", *s, marks=NO_ICARUS) for s in SHAPES[1:4]),
        *(pytest.param("icarus", *s, marks=[NO_ICARUS, SLOW]) for s in (SHAPES[0], *SHAPES[4:])),
    ],
)
def test_draws_are_those_of_the_model(
    simulator: str, seed: int, width: int, divides: int, bits: int, first: int, step: int
) -> None:
    target = "draw" if simulator == "verilator" else f"draw_{simulator}"
    parameters = {"DRAW_WIDTH": width, "STRATA": divides, "BITS": bits, "FIRST": first, "STEP": step}
    hits = sim.run(CORE, target, parameters, seed=seed).coverage
    wraps = hits.pop("wraps")
    assert min(hits.values()) > 0, f"the traffic missed something: {hits}"
    assert hits["draws"] == 4000 and hits["restarts"] > 20 and (wraps > 20 or not divides), (hits, wraps)


@pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ("DRAW_WIDTH=33", "rlc_sumtree_draw: DRAW_WIDTH must be 1 to 32"),
        ("DRAW_WIDTH=0", "rlc_sumtree_draw: DRAW_WIDTH must be 1 to 32"),
        ("STRATA=2", "rlc_sumtree_draw: STRATA must be 0 or 1"),
        ("BITS=3", "rlc_sumtree_draw: BITS must be 1 or 2"),
        ("STEP=65536", "rlc_sumtree_draw: FIRST and STEP must be 0 to 65535"),
    ],
)
def test_an_illegal_parameter_is_refused_in_words(parameter: str, message: str, tmp_path: Path) -> None:
    rtl = paths.root() / "rtl"
    files = [rtl / f for f in ("common/rlc_skid.v", "common/rlc_xoshiro128pp.v", "sumtree/rlc_sumtree_draw.v")]
    top = ["-s", "rlc_sumtree_draw", f"-Prlc_sumtree_draw.{parameter}"]
    command = ["iverilog", "-g2005", f"-I{rtl}/common", "-o", tmp_path / "out.vvp", *top, *files]
    done = subprocess.run(command, env=tools.env(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode != 0 and message in slang.sentences(done.stdout)
