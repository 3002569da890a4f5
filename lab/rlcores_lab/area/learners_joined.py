"""Resources of what joins several learners: averages of weights, rounds, one stream of planes, a split of addresses."""

from collections.abc import Mapping, Sequence

from rlcores.cores.learner.shape import NetworkShape
from rlcores_lab.area import common
from rlcores_lab.area.estimate.memory import block, distributed
from rlcores_lab.area.estimate.part import Part
from rlcores_lab.cycles.learners import levels

WIDTH = 27  # bits of a weight
LOG, RARITY, PLACES = 44, 26, 32  # bits of log2 of a weight, and of one bank's alone; batches under way
_ROUND = Part(lut=30, ff=34)  # rlc_learners_rounds
_EACH = Part(lut=100, ff=66)  # a learner's share of rlc_axil_split, rlc_learners_param_banks and the way of experiences


def lanes(network: NetworkShape) -> list[int]:
    """Weights that each layer's update unit moves in a clock."""
    return [network.update_lanes(layer) for layer in range(1, network.layers + 1)]


def joined(parts: Sequence[int], parameters: Mapping[str, int | str]) -> Part:
    """Of parts, each with its number of lanes."""
    learners, cross = int(parameters["LEARNERS"]), int(parameters["CROSS"])
    area = (_ROUND + _EACH) * learners
    for count in parts:
        area += _average(learners, cross) * count + Part(lut=learners, ff=(learners + 1) * cross)
    return area


def weighed(batch: int, parameters: Mapping[str, int | str]) -> Part:
    """Of importance weights over all banks: rlc_learners_weights, and what JOINT adds to each rlc_sumtree_weight."""
    learners, cross = int(parameters["LEARNERS"]), int(parameters["CROSS"])
    height = levels(learners)
    queue = distributed(LOG, PLACES) + Part(lut=10, ff=LOG + 12)
    each = queue + Part(ff=2 * cross * (LOG + 1) + cross + height * (LOG + 2)) + Part(lut=LOG)
    tree = Part(lut=2 * LOG, ff=LOG) * ((1 << height) - 1)
    depth, wider = max(2 * batch, batch + PLACES), LOG - RARITY
    waits = Part(bram36=block(LOG, depth).bram36 - block(RARITY, depth).bram36)
    joint = waits + queue + common.skid(wider) * 2 + Part(lut=4 * wider, ff=5 * wider + LOG)
    return tree + (each + joint) * learners


def _average(learners: int, cross: int) -> Part:
    """A lane of rlc_learners_average, and what each learner has for it in rlc_nn_weight."""
    height = levels(learners)
    bits, nodes = WIDTH + height, (1 << height) - 1
    ways = Part(ff=(learners + 1) * cross * WIDTH)
    tree = Part(lut=(learners - 1) * bits, ff=nodes * bits)
    shared = Part(lut=WIDTH, ff=WIDTH) * learners
    if learners & (learners - 1):
        return ways + tree + shared + Part(lut=200, ff=300, dsp=4)  # times a reciprocal
    return ways + tree + shared + Part(lut=bits, ff=WIDTH)
