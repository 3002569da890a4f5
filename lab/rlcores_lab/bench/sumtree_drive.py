"""The native sum tree core under its C++ driver: traffic of every kind on both ports, every answer compared.

sumtree_drive.cpp clocks the Verilated core itself and holds a reference of its own, so that a million operations take
seconds. This is its Python side.
"""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass

from rlcores.eda import declared
from rlcores.errors import RunFailed, UserError
from rlcores_lab.bench import drive
from rlcores_lab.bench.drive import POINTER, Answer, Drive, load

VLNV, TOP = "rlcores:sumtree:sumtree", "rlc_sumtree"
TRAFFICS = ("uniform", "one leaf", "one word", "adjacent", "zipf")
VALUES = ("wide", "tiny", "full", "mixed")  # priorities: any; 0 and 1; mostly the largest; all of these


@dataclass(frozen=True)
class Plan:
    """One run, in the order of the driver's Plan. Chances are in 256 and a clock; counts of 0 mean never.

    With every_kind unset the operations are updates, and samples are draws and targets at the updates' slots in turn.
    """

    seed: int
    items: int  # operations and samples together
    traffic: str = "uniform"
    values: str = "wide"
    reset: bool = True  # else the run goes on where the last one ended
    capacity: int = 0  # with reset; 0: CAPACITY
    initial: int = 1
    strata: int = 0
    fill: int = 0  # inserts before, not in the figures
    every_kind: bool = False
    op_gap: int = 0  # chance that a port is not offered anything; 256: never
    sample_gap: int = 0
    op_wait: int = 0  # chance that an answer is not taken
    sample_wait: int = 0
    clears: int = 0  # one CLEAR in this many operations, with another capacity
    restarts: int = 0  # one restart of the strata in this many clocks, with another batch size
    sweep: bool = False  # READ every slot at the end


@dataclass(frozen=True)
class Result:
    """What a run measured. Latencies are clocks from acceptance to answer, 0 where answers were made to wait."""

    clocks: int
    operations: int
    samples: int
    operation_least: int
    operation_most: int
    sample_least: int
    sample_most: int
    ordered: int  # samples whose total tells that an update of the same clock came first
    stale: int
    range: int
    kind: int
    empty: int
    miss: int
    clears: int
    restarts: int
    total: int  # the core's at the end
    leaves: int  # sum of all priorities read in the sweep
    wrong: int
    message: str  # the first thing wrong, in words

    @property
    def operations_per_clock(self) -> float:
        """Operations accepted per clock."""
        return self.operations / self.clocks

    @property
    def samples_per_clock(self) -> float:
        """Samples accepted per clock."""
        return self.samples / self.clocks


class SumTreeDrive(Drive):
    """One instance of the Verilated native core under the driver."""

    def __init__(self, parameters: Mapping[str, int] | None = None) -> None:
        """parameters: Verilog parameters of rlc_sumtree. Raises RunFailed when it does not build."""
        self.parameters = _complete(parameters)
        library = load(VLNV, TOP, self.parameters, "sumtree_drive.cpp", ["sumtree_reference.h"])
        super().__init__(library, run=(None, POINTER, POINTER))

    def run(self, plan: Plan, *, check: bool = True) -> Result:
        """Carry out a plan. Raises RunFailed when check is set and an answer or the state at the end is wrong."""
        for name, value, allowed in (("traffic", plan.traffic, TRAFFICS), ("values", plan.values, VALUES)):
            if value not in allowed:
                raise UserError(f"there is no {name} '{value}'; there are: {', '.join(allowed)}")
        codes = {"traffic": TRAFFICS.index(plan.traffic), "values": VALUES.index(plan.values)}
        record = drive.plan(**(vars(plan) | codes))
        answer = Answer(Result)
        self._call("run", ctypes.byref(record), answer.place)
        result = answer.read()
        if check and result.wrong:
            raise RunFailed(f"the sum tree core is wrong {result.wrong} times in {plan}: {result.message}")
        return result


def _complete(parameters: Mapping[str, int] | None) -> dict[str, int]:
    """All of them, as the driver has to know them; as many slots as leaves at most."""
    overrides = parameters or {}
    known = {name: p.default for name, p in declared.of("sumtree").items()} | overrides
    return {**known, "CAPACITY": min(known["CAPACITY"], 1 << known["LEAVES_LOG2"]), **overrides}
