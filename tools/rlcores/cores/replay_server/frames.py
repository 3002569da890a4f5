"""Frames of the network protocol and their payloads; docs/net.md is the contract."""

import hashlib
import operator
import struct
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from rlcores.base.arguments import ranged
from rlcores.cores.replay_server.checks import Checks
from rlcores.cores.sumtree.arguments import epsilon
from rlcores.cores.sumtree.settings import MOST_SLOTS, ReplaySettings, need_software

_SHARED = ReplaySettings(seed=0)  # whose defaults are a server's

MAGIC, VERSION = 0x4E434C52, 2
HEADER = struct.Struct("<IBBHIIQIIHHHBB")
BEGINNING, TAIL = struct.pack("<IB", MAGIC, VERSION), 8  # of every frame; bytes behind the payload, without a key
WINDOW, KEPT, ASSEMBLIES, PARTS, BANKS = 64, 4, 4, 64, 256
UNCHOSEN = 1  # instance of settings that name none

# Operations; ANSWER is set in what a server sends.
HELLO, PUT, SAMPLE, READ, PRIO, WEIGHTS, GET, STAT = range(8)
ANSWER = 0x80
SEQUENCED = (PUT, SAMPLE, PRIO, WEIGHTS)
# Status of an answer.
OK, EMPTY, GONE, STALE, REFUSED, WAIT, PART, OLD, EPOCH, INSTANCE, SCHEMA, NONE, COOKIE, ADDRESS = range(14)
# Flags of SAMPLE.
STRATIFIED, WEIGHTED, GIVEN_DRAWS = 1, 2, 4
# Kinds of priorities.
RAW, TD, LARGEST = range(3)
GONE_BIT = 1 << 31

SAID = struct.Struct("<QQIIQ")  # HELLO: nonce, schema, record_bytes, 0, cookie
TOLD = struct.Struct("<Q7I5HhIHH")  # its answer
ASKED = struct.Struct("<HHI")  # SAMPLE
DRAWS = struct.Struct("<4I")  # behind it with GIVEN_DRAWS
PLACE = struct.Struct("<II")  # READ: slot, generation
PRIORITY = struct.Struct("<II")  # PUT, before each record: word, kind
UPDATE = struct.Struct("<IIII")  # PRIO: slot, generation, word, kind
BATCH = struct.Struct("<QII")  # head of a batch: total, size
ENTRY = struct.Struct("<IIII")  # of its list: slot, generation, priority, weight
CHUNK = struct.Struct("<QII")  # WEIGHTS and the answer of GET: version, total, offset; GET: version, offset

STATE = ("capacity", "size", "next", "total", "largest", "version")
COUNTERS = (
    "frames",
    "accepted",
    "repeated",
    "records",
    "samples",
    "updates",
    "stale",
    "range",
    "saturated",
    "bad_length",
    "bad_version",
    "bad_crc",
    "bad_key",
    "malformed",
    "no_credit",
    "waits",
    "other_epoch",
    "other_instance",
    "unproved",
)


class BadFrame(ValueError):
    """A frame that is counted and does nothing; the message is the counter's name."""


class Frame(NamedTuple):
    """A frame without its magic, version, length and check; fields as in docs/net.md."""

    op: int
    client: int = 0
    epoch: int = 0
    sequence: int = 0
    instance: int = 0
    status: int = 0
    count: int = 0
    part: int = 0
    parts: int = 1
    behind: int = 0
    credit: int = 0
    payload: bytes = b""


def encode(frame: Frame, checks: Checks) -> bytes:
    """The bytes of a frame. Raises struct.error when a field does not fit.

    >>> len(encode(Frame(STAT), Checks()))
    48
    """
    f = frame
    head = HEADER.pack(
        MAGIC, VERSION, f.op, f.status, f.client, f.epoch, f.sequence, f.instance, len(f.payload), f.count, f.part,
        f.parts, f.behind, f.credit,
    )  # fmt: skip
    return checks.seal(head + f.payload)


def decode(data: bytes, checks: Checks, most: int) -> Frame:
    """The frame of a datagram. most: bytes of a payload. Raises BadFrame."""
    if len(data) < HEADER.size + checks.length or len(data) % 8:
        raise BadFrame("bad_length")
    fields = HEADER.unpack_from(data)
    magic, version, op, status, client, epoch, sequence, instance, length, count, part, parts, behind, credit = fields
    if length > most or HEADER.size + length + checks.length != len(data):
        raise BadFrame("bad_length")
    if magic != MAGIC or version != VERSION:
        raise BadFrame("bad_version")
    if checks.crc32c(data[:-8]).to_bytes(8, "little") != data[-8:]:
        raise BadFrame("bad_crc")
    if checks.key is not None and checks.siphash(checks.key, data[:-16]).to_bytes(8, "little") != data[-16:-8]:
        raise BadFrame("bad_key")
    payload = bytes(data[HEADER.size : HEADER.size + length])
    return Frame(op, client, epoch, sequence, instance, status, count, part, parts, behind, credit, payload)


def length_of(data: bytes) -> int:
    """Bytes of the payload, as the header at the beginning of `data` says. Raises struct.error: it is cut short."""
    return int(HEADER.unpack_from(data)[8])


def cookie(checks: Checks, secret: bytes, source: int, client: int, instance: int) -> int:
    """What a client at an address is told, and has to say: only who gets datagrams there knows it.

    source: the address, a number of 64 bits; of IPv4 the address, and 2**32 times the port.
    """
    return checks.siphash(secret, struct.pack("<QII", source, client, instance))


def following(epoch: int) -> int:
    """The epoch behind one; behind the last comes the first, so there is always one."""
    return epoch % 0xFFFFFFFF + 1


def padded(length: int) -> int:
    """The next multiple of 8."""
    return -(-length // 8) * 8


def schema_of(known: object) -> int:
    """The schema of records, for HELLO: a hash of what clients must know alike, by its repr. 0 would say nothing."""
    return int.from_bytes(hashlib.sha256(repr(known).encode()).digest()[:8], "little") or 1


def parts_of(length: int, part_bytes: int) -> int:
    """Frames of a payload; an empty one needs one too."""
    return max(-(-length // part_bytes), 1)


@dataclass(frozen=True)
class ServerSettings:
    """What a server is, fixed when its memory begins. Raises ValueError when one is out of its range.

    alpha, beta: ufix(16,15); scale: sfix(16,8); epsilon: ufix(32,20). initial: the largest
    priority before any was seen. priority_width None: as wide as the capacity allows, at most 32; scale None: ten bits
    below it; initial None: the priority of |TD error| + epsilon = 1. banks, bank: of a server with several memories,
    how many, and which this is.
    assemblies: PUTs of many parts of a client that are put together at once; 0: their parts have no credit.
    instance: number of the memory; 1, the default, chooses none, and a ReplayServer then draws it.
    """

    capacity: int = ranged(_SHARED.buffer_size, 1, MOST_SLOTS)
    record_bytes: int = ranged(48, 8, 1 << 20)
    part_bytes: int = ranged(1392, 256, 65408)
    clients: int = ranged(256, 1, 65536)
    sample_max: int = ranged(1024, 1, 32768)
    weights_max: int = ranged(1 << 26, 0, 1 << 30)
    priority_width: int = ranged(None, 1, 32)
    generation_width: int = ranged(16, 1, 16)
    alpha: int = ranged(_SHARED.alpha_code, 0, 1 << 15)
    scale: int = ranged(None, -(1 << 15), (1 << 15) - 1)
    epsilon: int = ranged(epsilon("priority_epsilon", _SHARED.priority_epsilon), 0, (1 << 32) - 1)
    initial: int = ranged(None, 0, (1 << 32) - 1)
    seed: int = ranged(0, 0, (1 << 64) - 1)
    instance: int = ranged(UNCHOSEN, 1, (1 << 32) - 1)
    credit: int = ranged(32, 1, WINDOW)
    banks: int = ranged(1, 1, BANKS)
    bank: int = ranged(0, 0, BANKS - 1)
    assemblies: int = ranged(ASSEMBLIES, 0, ASSEMBLIES)

    @classmethod
    def of(cls, shared: ReplaySettings, **own: Any) -> "ServerSettings":
        """The settings of a server with this prioritised replay. own: those that only a server has.

        A server's batches are stratified, and clients say batch_size and beta with each of them.

        >>> ServerSettings.of(ReplaySettings(buffer_size=1000, alpha=0.5, seed=1), record_bytes=64).alpha
        16384
        """
        need_software(shared.alpha, None)
        codes = {"alpha": shared.alpha_code, "epsilon": epsilon("priority_epsilon", shared.priority_epsilon)}
        return cls(capacity=shared.buffer_size, seed=shared.seed, **codes, **own)

    def __post_init__(self) -> None:
        for field in fields(self):
            if getattr(self, field.name) is None and field.default is None:
                object.__setattr__(self, field.name, self._fitting(field.name))
            value, (low, high) = getattr(self, field.name), field.metadata["range"]
            # Each bank has a client at least.
            high = min(high, {"banks": self.clients, "bank": self.banks - 1}.get(field.name, high))
            if not hasattr(value, "__index__") or not low <= value <= high:
                raise ValueError(f"{field.name} is {value!r}; it must be a whole number, {low} to {high}")
            object.__setattr__(self, field.name, operator.index(value))
        for name in ("record_bytes", "part_bytes"):
            if getattr(self, name) % 8:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be a multiple of 8")
        if self.initial >> self.priority_width:
            raise ValueError(f"initial is {self.initial}; it must be below 2**{self.priority_width}")
        if self.priority_width + self.leaves_log2 > 52:
            raise ValueError(
                f"priority_width is {self.priority_width}; with a capacity of {self.capacity} it may be at most "
                f"{52 - self.leaves_log2}"
            )
        if self.record_bytes + PRIORITY.size > PARTS * self.part_bytes:
            raise ValueError(
                f"record_bytes is {self.record_bytes}; {PARTS} parts of part_bytes {self.part_bytes} carry at most "
                f"{PARTS * self.part_bytes - PRIORITY.size}"
            )
        longest = BATCH.size + self.sample_max * (ENTRY.size + self.record_bytes)
        if parts_of(longest, self.part_bytes) > 65535:
            raise ValueError(
                f"sample_max is {self.sample_max}; a batch of records of {self.record_bytes} bytes would take more "
                f"than 65,535 frames"
            )

    def _fitting(self, name: str) -> int:
        """What stands for None, of fields in their order."""
        if name == "priority_width":
            return min(32, 52 - self.leaves_log2)
        if name == "scale":
            return max(self.priority_width - 10, 0) << 8
        return min(1 << max(self.scale >> 8, 0), (1 << self.priority_width) - 1)

    @property
    def leaves_log2(self) -> int:
        """log2 of the sum tree's leaves."""
        return max(4, (self.capacity - 1).bit_length())

    @property
    def chunk(self) -> int:
        """Bytes of weights in a frame."""
        return self.part_bytes - CHUNK.size

    def put_most(self) -> int:
        """Records of the longest PUT."""
        return min(PARTS * self.part_bytes // (PRIORITY.size + self.record_bytes), 65535)

    def told(self, schema: int, epoch: int) -> bytes:
        """The answer of HELLO."""
        return TOLD.pack(
            schema, self.capacity, self.record_bytes, self.part_bytes, self.clients, self.sample_max, self.weights_max,
            epoch, KEPT, self.assemblies, self.priority_width, self.generation_width, self.alpha, self.scale,
            self.epsilon, self.banks - 1, self.bank,
        )  # fmt: skip
