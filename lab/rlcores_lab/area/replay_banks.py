"""Resources of the replay server in banks, `rlc_replay_banks`: the servers, and what stands between them and the line.

Queues, memories and words that are kept are counted from its Verilog; the rest is fitted to measurements.json.
"""

from collections.abc import Mapping

from rlcores_lab.area import common
from rlcores_lab.area.estimate.fit import features
from rlcores_lab.area.estimate.memory import block, clog2
from rlcores_lab.area.estimate.modules import Module
from rlcores_lab.area.estimate.part import Counts, Part
from rlcores_lab.area.replay_server import SERVER

Parameters = Mapping[str, int]
_HEAD = 48  # source or destination
_LENGTH = 16
_FRAMES = 32  # answers of a bank that wait


def _beat(p: Parameters) -> int:
    return 9 * p["BYTES"] + 1 + _HEAD


def _depth(p: Parameters) -> list[float]:
    return [1, clog2(p["DEPTH"])]


SPLIT = Module("rlc_replay_server_split", lambda p: Part(ff=_beat(p)), lambda p: [p["BANKS"]], features())
JOIN = Module(
    "rlc_replay_server_join",
    lambda p: common.skid(_beat(p) + _LENGTH) + Part(lut=(_beat(p) + _LENGTH) * (p["BANKS"] - 1) / 3),
    lambda p: [p["BANKS"]],
    lambda p: [p["BANKS"]],
)
STORE = Module(
    "rlc_replay_server_store",
    lambda p: block(8 * p["BYTES"], p["DEPTH"]) + common.fifo(_HEAD + _LENGTH, _FRAMES) + Part(ff=_HEAD + 2 * _LENGTH),
    _depth,
    _depth,
)


def _banks(p: Parameters) -> Part:
    """The servers and what is in modules of their own; of each bank a queue of beats, a word of it and a word out."""
    line = {"BYTES": p["BYTES"], "BANKS": p["BANKS"], "DEPTH": p["DEPTH"]}
    one = SERVER(p) + STORE(line) + common.fifo(0, p["DEPTH"]) + block(_beat(p), p["DEPTH"])
    one += common.skid(64 + 8 + 1 + _HEAD) + Part(lut=8 * p["BYTES"] / 3, ff=8 * p["BYTES"] + _HEAD + _LENGTH)
    return one * p["BANKS"] + SPLIT(line) + JOIN(line)


BANKS = Module("rlc_replay_banks", _banks, lambda p: [p["BANKS"]], lambda p: [p["BANKS"]])


def total(parameters: Parameters) -> Counts:
    """Resources of `rlc_replay_banks`."""
    return BANKS(parameters).counts
