"""Resources of the replay learner: learner, sum tree with priority maths, and the loop's own modules."""

from collections.abc import Mapping

from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.replay_learner.records import RecordLayout
from rlcores_lab.area import common
from rlcores_lab.area import learner as learner_area
from rlcores_lab.area.estimate.fit import features
from rlcores_lab.area.estimate.memory import block, clog2, distributed, up
from rlcores_lab.area.estimate.modules import Module
from rlcores_lab.area.estimate.part import Counts, Part, named, of
from rlcores_lab.area.sumtree_maths import AXI

Parameters = Mapping[str, int]
_OUT = 8  # beats between the reorder buffer and its reader
_PRIORITY = 33  # bits, with the mark of a batch's last
_BLOCK_FROM = 65  # words of a queue that is block RAM


def _word(p: Parameters) -> int:
    """Bits of the beats that are joined to words of the learner, or split from them."""
    word, data = 32 * p["LANES"], p["DATA_WIDTH"]
    return data // word * word if data >= word else up(word, data) * data


def _rx(p: Parameters) -> Part:
    depth, bits = p["PLACES"] * p["BEATS"], p["DATA_WIDTH"] + 1
    queue = of(block(bits, depth)) if depth > 32 else of(distributed(bits, depth))
    return queue + of(distributed(32, p["PLACES"])) + Part(ff=_word(p) + 32)


def _writer(p: Parameters) -> Part:
    slot = p["INDEX_WIDTH"] + p["TAG_WIDTH"]
    queues = distributed(32, p["WRITES"]) + distributed(slot, p["WRITES"]) * 2 + distributed(1, p["WRITES"])
    return common.skid(p["DATA_WIDTH"] + 1) + of(queues)


def _reader(p: Parameters) -> Part:
    data = p["DATA_WIDTH"]
    depth = p["READS"] << (clog2(p["BEATS"]) if p["BEATS"] > 1 else 0)
    # The beat that came, and the RAM's two clocks, the first of them its own where it is block RAM.
    buffer = of(block(data, depth), 2 * data) if depth > 64 else of(distributed(data, depth), 3 * data)
    queues = distributed(data, _OUT) + distributed(p["WIDTH"], p["READS"]) + distributed(1, p["READS"])
    return buffer + of(queues, p["READS"] * (clog2(p["BEATS"]) + 3)) + common.skid(p["WIDTH"])


def _feeder(p: Parameters) -> Part:
    return Part(ff=common.skid(32 * p["LANES"]).ff + _word(p) + 2 + p["TAG_WIDTH"] + p["INDEX_WIDTH"])


def _tags(p: Parameters) -> Part:
    """Tags of the batches under way, in block RAM."""
    return of(block(p["WIDTH"], max(p["BATCH_MAX"] * (p["AHEAD_MAX"] + 1), 4))) + common.skid(p["WIDTH"])


def _updater(p: Parameters) -> Part:
    """Tags; where it holds them, the priorities of the batches ahead."""
    area, room = _tags(p) + common.skid(_PRIORITY), p["AHEAD_MAX"] * p["BATCH_MAX"]
    if p.get("HELD") and room:
        memory = block if room >= _BLOCK_FROM else distributed
        area += of(memory(_PRIORITY, max(room, 2)), 3 * clog2(room))
    return area


def _address(p: Parameters) -> list[float]:
    return [1, p["ADDR_WIDTH"] + p["INDEX_WIDTH"]]


_one, _index = features(), features("INDEX_WIDTH")
RX = Module("rlc_replay_rx", _rx, lambda p: [1, _word(p)], _one)
WRITER = Module("rlc_replay_writer", _writer, _address, _address)
SAMPLER = Module("rlc_replay_sampler", _tags, _index, _index)
READER = Module("rlc_replay_reader", _reader, lambda p: [1, p["READS"], p["ADDR_WIDTH"] + p["INDEX_WIDTH"]], _address)
FEEDER = Module("rlc_replay_feeder", _feeder, lambda p: [1, _word(p)], _one)
UPDATER = Module("rlc_replay_updater", _updater, _index, _one)
OPS = Module("rlc_replay_tree_arbiter", lambda p: Part(), _index, _index)
REGS = Module("rlc_replay_regs", lambda p: Part(), _one, _one)
_REST = Part(lut=140, ff=256)  # address split, stall counters, reset


def own(p: Mapping[str, int | str]) -> Part:
    """The loop's own modules."""
    shape = LearnerShape.of(p)
    layout = RecordLayout(shape, p["DATA_WIDTH"])
    tag, index = max(p["GENERATION_WIDTH"], 1), p["LEAVES_LOG2"]
    options = {
        "LANES": layout.lanes, "WORDS": layout.words, "BEATS": layout.beats, "DATA_WIDTH": layout.data_width,
        "ADDR_WIDTH": p["ADDR_WIDTH"],
        "INDEX_WIDTH": index, "TAG_WIDTH": tag, "PLACES": p["WRITES"], "WRITES": p["WRITES"], "READS": p["READS"],
        "BATCH_MAX": p["BATCH_MAX"], "AHEAD_MAX": p["AHEAD_MAX"], "WIDTH": 20 + tag + index,
        "HELD": p.get("HELD", 0),
    }  # fmt: skip
    area = _REST + UPDATER(options | {"WIDTH": 2 + tag + index})
    for module in (RX, WRITER, SAMPLER, READER, FEEDER, OPS, REGS):
        area += module(options)
    return area


def total(parameters: Mapping[str, int | str]) -> Counts:
    """Resources of `rlc_replay_learner`."""
    return (named(learner_area.total(parameters)) + AXI(parameters) + own(parameters)).counts
