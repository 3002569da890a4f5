"""Resources of the replay server, `rlc_replay_server`, module by module.

Queues, memories and DSP slices are counted from its Verilog; the rest of each module is fitted to measurements.json.
"""

from collections.abc import Mapping

from rlcores.cores.replay_server.words import HEAD
from rlcores_lab.area import common
from rlcores_lab.area.estimate.fit import features
from rlcores_lab.area.estimate.memory import block, clog2, distributed, read
from rlcores_lab.area.estimate.modules import Module
from rlcores_lab.area.estimate.part import Counts, Part, of
from rlcores_lab.area.sumtree import SUMTREE
from rlcores_lab.area.sumtree_maths import weights_wait

Parameters = Mapping[str, int]
_ENTRY = 128  # of an entry of a batch's list
_STATE = 224  # of a client's window
_WAITING = 512  # words of records that wait for their slot, and that come from memory
_TABLE = Part(bram36=0.5)  # of log2 or exp2
_SEED = 10  # DSP slices of the product in rlc_replay_server_seed


def _queue(width: int, depth: int) -> Part:
    """`rlc_fifo` in block RAM."""
    return common.fifo(0, depth) + block(width, depth)


def _slices(bits: int, *factors: int) -> Part:
    """Products with these constants: a DSP slice each, but of a power of two, and of results that are short."""
    return Part(dsp=sum(factor & factor - 1 != 0 for factor in factors) if bits > 8 else 0)


def _rx(p: Parameters) -> Part:
    record, part = p["RECORD_BYTES"], p["PART_BYTES"]
    return common.fifo(HEAD.bits, 4) + _queue(64, p["HOLD"]) + _slices(32, record + 8, record + 16, part, part)


def _window(p: Parameters) -> Part:
    depth = max(64 * p["CLIENTS"], 128)
    return read(_STATE, p["CLIENTS"]) + (block(4, depth) if depth > 512 else read(4, depth))


def _batch(p: Parameters) -> Part:
    record, part, most = p["RECORD_BYTES"] // 8, p["PART_BYTES"] // 8, p["SAMPLE_MAX"]
    text = clog2(most * (record + 2) + 2 + part + 1)
    area = block(_ENTRY, most) + block(p["INDEX_WIDTH"] + 1, most) + of(distributed(1, most), 1)
    return area + common.fifo(2, 64) + common.skid(64) + _slices(text, part, part, record + 2)


def _weights(p: Parameters) -> Part:
    return read(32, -(-p["COUNT"] // 32))


def _keyed(p: Parameters) -> list[float]:
    return [1, p.get("KEYED", 0)]  # a SipHash


def _text(p: Parameters) -> list[float]:
    return [1, clog2(p["SAMPLE_MAX"] * p["RECORD_BYTES"]) + p["INDEX_WIDTH"]]


_one, _address, _priority = features(), features("ADDR_WIDTH"), features("PRIORITY_WIDTH")
RX = Module("rlc_replay_server_rx", _rx, _keyed, _keyed)
WINDOW = Module("rlc_replay_server_window", _window, _one, _one)
HELLO = Module("rlc_replay_server_hello", lambda p: Part(), _one, _one)
VERDICT = Module("rlc_replay_server_verdict", lambda p: Part(), _one, _one)
SERVE = Part(lut=199, ff=37)  # rlc_replay_server_serve, which has no parameters
TEXTS = Module("rlc_replay_server_texts", lambda p: Part(), _one, _one)
EMIT = Module("rlc_replay_server_emit", lambda p: Part(), _keyed, _keyed)
BATCH = Module("rlc_replay_server_batch", _batch, _text, _text)
WEIGHTS = Module("rlc_replay_server_weights", _weights, _one, _one)
READ = Module("rlc_replay_server_read", lambda p: _queue(64, p["HOLD"]), _address, _address)
WRITE = Module("rlc_replay_server_write", lambda p: Part(), _address, _address)
PRIORITY = Module("rlc_sumtree_priority", lambda p: Part(dsp=3) + _TABLE * 2, _priority, _priority)


def _fields(p: Parameters) -> int:
    return 2 + p["PRIORITY_WIDTH"] + p["TOTAL_WIDTH"] + p["PAYLOAD_WIDTH"]


def _importance(p: Parameters) -> Part:
    return Part(dsp=4) + _TABLE * 3 + weights_wait(_fields(p), p["BATCH_MAX"])


IMPORTANCE = Module("rlc_sumtree_weight", _importance, lambda p: [1, _fields(p)], lambda p: [1, _fields(p)])
_PARTS = Part(lut=700, ff=500, dsp=1)  # what is asked and kept of a part, and where an assembled PUT lies; not counted


def front(p: Parameters) -> Part:
    """The front, `rlc_replay_server_front`."""
    area = RX(dict(p) | {"HOLD": p["PART_BYTES"] // 4}) + WINDOW(p) + HELLO(p) + VERDICT(p) + SERVE + TEXTS(p) + EMIT(p)
    if p.get("ASSEMBLIES"):  # figures of before have none
        area += _PARTS + block(177, 4 * p["CLIENTS"])  # which parts have come
    return area


def _server(p: Parameters) -> Part:
    """What is in modules of their own, and memories and queues beside them."""
    index, width, tag = p["LEAVES_LOG2"], p["PRIORITY_WIDTH"], max(p["GENERATION_WIDTH"], 1)
    most, total = p["SAMPLE_MAX"], width + index
    options = dict(p) | {"INDEX_WIDTH": index, "HOLD": _WAITING, "BATCH_MAX": most, "TOTAL_WIDTH": total}
    area = front(p) + SUMTREE(p) + BATCH(options) + READ(options) + WRITE(options)
    area += PRIORITY(options | {"PAYLOAD_WIDTH": 4 + tag + index}) + IMPORTANCE(
        options | {"PAYLOAD_WIDTH": tag + index}
    )
    if p["WEIGHTS_MAX"]:
        area += WEIGHTS({"COUNT": -(-p["WEIGHTS_MAX"] // (p["PART_BYTES"] - 16))})
    area += block(32 + 64 + 16 + total + index + 1, 4 * p["CLIENTS"])  # heads of the last batches
    return area + common.fifo(_ENTRY, 32) + _queue(64, _WAITING) + Part(dsp=_SEED)


SERVER = Module("rlc_replay_server", _server, _one, _one)


def total(parameters: Parameters) -> Counts:
    """Resources of `rlc_replay_server`."""
    return SERVER(parameters).counts
