"""Small cores for the tests of the AXI wrapper, its registers and its driver."""

from rlcores.cores.sumtree.driver import SumTreeDriver
from rlcores.cores.sumtree.model import SumTreeShape
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver
from rlcores.eda import configs

LIMIT = 20_000  # clocks without progress that are a failure

CORES = {
    # An odd capacity, short tags and priorities, and both units of the priority maths.
    "maths": configs.load("sumtree", "tiny") | {"PRIORITY_MATHS": 1, "BATCH_MAX": 16},
    # The other ends: every leaf a slot, no tags, totals wider than draws and than a word, one read port, no maths.
    "plain": {
        "LEAVES_LOG2": 4,
        "RADIX_LOG2": 2,
        "CAPACITY": 16,
        "PRIORITY_WIDTH": 31,
        "GENERATION_WIDTH": 0,
        "SHARED": 1,
        "PRIORITY_MATHS": 0,
        "BATCH_MAX": 9,
    },
}


def rtl(core: str) -> SumTreeDriver:
    """A core of CORES, just out of reset and clear."""
    return SumTreeDriver.verilated(CORES[core], limit=LIMIT)


def model(core: str) -> SumTreeModelDriver:
    """Its model."""
    return SumTreeModelDriver(SumTreeShape.of(CORES[core]), CORES[core]["BATCH_MAX"])
