"""Resources of the replay server, `rlc_net_server`.

Sum tree, priority maths and weights are those of `rlc_sumtree_axi`; queues and memories of the server are counted from
its Verilog, its registers and control are estimated. Yosys has not counted it yet.
"""

from collections.abc import Mapping

from rlcores.cores.common import area as common
from rlcores.cores.sumtree.maths_area import AXI
from rlcores.engine.estimate.memory import block, clog2, distributed
from rlcores.engine.estimate.part import Counts, Part

_HEAD = 275  # bits of a datagram's head
_ENTRY = 128  # of an entry of a batch's list
_WAITING = 512  # words of records that wait for their slot, and that come from memory
_COUNTERS = 18 * 64
# Intake with its CRC, check, serve, window, emit with its CRC; then requests, text and the state of draws.
_FRONT = Part(lut=4500, ff=3400, dsp=8)
_MEMORY = Part(lut=2600, ff=3000, dsp=14)  # of them 10 for the seed of the draws
_PARTS = Part(lut=700, ff=500, dsp=1)  # what is asked and kept of a part, and where an assembled PUT lies
_WEIGHTS = Part(lut=900, ff=800)  # versions of sets, and what is checked of a chunk
_KEY = Part(lut=2300, ff=660)  # SipHash twice, the word that is held, a counter; yosys counted it


def front(part_bytes: int, clients: int, keyed: int = 0) -> Part:
    """The front, `rlc_net_front`."""
    found = _FRONT + Part(lut=_COUNTERS, ff=_COUNTERS)
    if keyed:
        found += _KEY
    found += block(64, part_bytes // 4) + common.fifo(_HEAD, 4)  # datagrams that wait
    return found + block(224, clients) + block(256, clients)  # windows, and how requests ended


def total(parameters: Mapping[str, int]) -> Counts:
    """Resources of `rlc_net_server`."""
    p = parameters
    slots, clients = p["LEAVES_LOG2"], p["CLIENTS"]
    kept = 32 + 64 + 16 + p["PRIORITY_WIDTH"] + 2 * slots + 1
    found = AXI({**p, "BATCH_MAX": p["SAMPLE_MAX"], "PRIORITY_MATHS": 1}) + _MEMORY
    found += front(p["PART_BYTES"], clients, p.get("KEYED", 0))  # figures of before have none, and no ASSEMBLIES
    found += block(kept, 4 * clients)  # heads of the last batches
    found += block(_ENTRY, p["SAMPLE_MAX"]) + block(slots + 1, p["SAMPLE_MAX"]) + distributed(1, p["SAMPLE_MAX"])
    found += block(64, _WAITING) + block(64, _WAITING)
    found += common.fifo(_ENTRY, 32) + common.fifo(2, 64) + common.skid(64)
    if p.get("ASSEMBLIES"):
        found += _PARTS + block(177, 4 * clients)  # which parts have come
    if p["WEIGHTS_MAX"]:
        chunks = -(-p["WEIGHTS_MAX"] // (p["PART_BYTES"] - 16))
        found += _WEIGHTS + block(32, -(-chunks // 32))
    return (found + Part(ff=6 * clog2(p["SAMPLE_MAX"]))).counts
