"""Resources of the GAE core between two clocks, `rlc_heppo`."""

from collections.abc import Mapping

from rlcores_lab.area import common
from rlcores_lab.area import gae as gae_area
from rlcores_lab.area.estimate.part import Counts, Part

# Channels of an AXI4-Lite bus that cross, and their bits: addresses, data, answers.
_BUS = (15, 36, 2, 15, 34)


def total(parameters: Mapping[str, int]) -> Counts:
    """Resources of `rlc_heppo`: the core, its streams' and its bus' crossings, resets and interrupt."""
    stages = parameters["STAGES"]
    area = gae_area.axi(parameters)
    area += common.fifo_async(64 * parameters["BEAT"] + 1, parameters["FIFO_LOG2"], stages) * 2
    for width in _BUS:
        area += common.fifo_async(width, 2, stages)
    return (area + Part(lut=11, ff=4 * stages + 2)).counts
