"""The model of tanh: its error against float64 stays in the stated bound, its table is that of the RTL."""

import subprocess
import sys

import numpy as np
import pytest

from rlcores.cores.common import tanh
from rlcores.cores.common.tanh import tanh_fixed

EVERY_X = np.arange(-(1 << 17), 1 << 17)


def test_tanh_stays_within_its_bound_for_every_number() -> None:
    worst = np.abs(tanh_fixed(EVERY_X) / 2**16 - np.tanh(EVERY_X / 2**14)).max()
    assert 2.0**-16.6 < worst < tanh.ERROR == 2.0**-15.6


def test_tanh_is_odd_and_never_falls() -> None:
    found = tanh_fixed(EVERY_X)
    assert np.all(np.diff(found) >= 0)
    assert np.array_equal(found[1:], -found[:0:-1])
    assert found[1 << 17] == 0
    assert (found[0], found[-1]) == (-(1 << 16), 1 << 16)


@pytest.mark.parametrize(
    ("module", "given"),
    [
        ("common.tanh", ["x"]),
        ("common.log2exp2", ["x"]),
        ("common.log2exp2", []),
        ("learner.tables", ["x"]),
        ("learner.tables", ["log", "exp"]),
    ],
)
def test_a_table_that_does_not_exist_is_one_sentence(module, given) -> None:
    run = subprocess.run([sys.executable, "-m", f"rlcores.cores.{module}", *given], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("give ") and run.stderr.count("\n") == 1
