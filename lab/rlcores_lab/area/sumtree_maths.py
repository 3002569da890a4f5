"""Resources of the sum tree with its bus and priority maths, `rlc_sumtree_axi`."""

from collections.abc import Mapping

from rlcores_lab.area.estimate.memory import block, clog2
from rlcores_lab.area.estimate.modules import Module
from rlcores_lab.area.estimate.part import Part, of
from rlcores_lab.area.sumtree import SUMTREE

Parameters = Mapping[str, int]
_OPEN = 32  # batches inside the weights' pipeline
_TABLE = 0.5  # RAMB36 of a table of log2 or exp2


def _fields(p: Parameters) -> int:
    """Bits of an answer to a sample on its way through the weights."""
    top = p["PRIORITY_WIDTH"] + p["LEAVES_LOG2"]
    return 2 + p["PRIORITY_WIDTH"] + top + max(p["GENERATION_WIDTH"], 1) + p["LEAVES_LOG2"]


def weights_wait(fields: int, batch: int) -> Part:
    """Answers, of `fields` bits, and weights of a batch wait for the batch's largest."""
    depth = 2 * batch if batch > _OPEN else batch + _OPEN
    return block(2 + fields, depth) + block(26, depth)


def _memories(p: Parameters) -> Part:
    """Five tables, and a batch."""
    return Part(bram36=5 * _TABLE) + weights_wait(_fields(p), p["BATCH_MAX"])


def _known(p: Parameters) -> Part:
    # Of priorities a logarithm, a power and an exponential; of weights two, one, one.
    return SUMTREE(p) + (of(_memories(p)) + Part(dsp=7)) * p.get("PRIORITY_MATHS", 1)


def _features(p: Parameters) -> list[float]:
    return [1, _fields(p), clog2(p["BATCH_MAX"])]


AXI = Module("rlc_sumtree_axi", _known, _features, _features)
