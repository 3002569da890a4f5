"""rlc_net_liteeth: datagrams come through whole and in order, or not at all, both ways and under random stalls."""

import json
import os
import random
from collections import deque
from dataclasses import dataclass

import cocotb
from bench_handshake import Standing
from bench_pins import start_clock
from cocotb.triggers import FallingEdge, ReadOnly

GIVEN = {"BYTES": 8, "PORT_BYTES": 4, "DEPTH": 512, "FRAMES": 16} | {
    name: int(value) for name, value in json.loads(os.environ["RLCORES_PARAMETERS"]).items()
}
BYTES, PORT = GIVEN["BYTES"], GIVEN["PORT_BYTES"]
LONGEST = BYTES * GIVEN["DEPTH"]
OWN_PORT = 7878


@dataclass
class Datagram:
    data: bytes
    address: int
    port: int
    says: int = -1  # its length, when that is wrong
    error: bool = False

    @property
    def good(self) -> bool:
        return self.says < 0 and not self.error

    @property
    def key(self) -> tuple[bytes, int, int]:
        return self.data, self.address, self.port


def datagram(longest: int, bad: float = 0.0) -> Datagram:
    """A random one; short ones and full ones are as likely as all others."""
    length = random.choice([random.randint(1, 3 * BYTES), random.randint(1, longest), longest])
    made = Datagram(random.randbytes(length), random.getrandbits(32), random.getrandbits(16))
    if random.random() < bad:
        if random.random() < 0.5:
            made.error = True
        else:
            made.says = random.choice([0, length - 1, length + 1, length + PORT, length ^ 0x100, 0xFFFF])
    return made


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


class Line:
    """What LiteEth gives: parts of datagrams, with gaps, whether there is room or not.

    A frame takes 84 bytes of a line at least, with its preamble and the gap behind it.
    """

    def __init__(self, dut, datagrams, valid):
        self.dut, self.valid = dut, valid
        self.waiting = deque(datagrams)
        self.at = self.pause = 0

    def drive(self):
        dut = self.dut
        self.pause -= self.pause > 0
        moving = bool(self.waiting) and not self.pause and random.random() < self.valid
        dut.udp_source_valid.value = int(moving)
        dut.udp_source_last.value = 0
        dut.udp_source_error.value = 0
        if not moving:
            dut.udp_source_data.value = random.getrandbits(8 * PORT)
            return
        now = self.waiting[0]
        part = now.data[self.at : self.at + PORT]
        last = self.at + PORT >= len(now.data)
        dut.udp_source_data.value = number(part.ljust(PORT, b"\xee"))
        dut.udp_source_last.value = int(last)
        dut.udp_source_last_be.value = 1 << len(part) - 1 if last else 0
        dut.udp_source_error.value = int(last and now.error)
        dut.udp_source_ip_address.value, dut.udp_source_src_port.value = now.address, now.port
        dut.udp_source_length.value = len(now.data) if now.says < 0 else now.says
        self.at += PORT
        if last:
            self.at = 0
            self.pause = max(0, 84 - len(self.waiting.popleft().data)) // PORT


class Answers:
    """What the server gives: whole beats, held until they are taken."""

    def __init__(self, dut, datagrams, valid):
        self.dut, self.valid = dut, valid
        self.waiting = deque(datagrams)
        self.at = 0
        self.offering = False

    def drive(self):
        dut = self.dut
        self.offering = bool(self.waiting) and (self.offering or random.random() < self.valid)
        dut.s_udp_tvalid.value = int(self.offering)
        if self.offering:
            now = self.waiting[0]
            dut.s_udp_tdata.value = number(now.data[self.at : self.at + BYTES].ljust(BYTES, b"\xee"))
            dut.s_udp_tlast.value = int(self.at + BYTES >= len(now.data))
            dut.s_udp_addr.value, dut.s_udp_port.value = now.address, now.port
            dut.s_udp_length.value = len(now.data)

    def taken(self):
        if not (self.offering and int(self.dut.s_udp_tready.value)):
            return
        self.offering = False
        self.at += BYTES
        if self.at >= len(self.waiting[0].data):
            self.at = 0
            self.waiting.popleft()


class Sink:
    """Takes beats by valid and ready, looks that they stand still, and gives whole datagrams."""

    def __init__(self, dut, ready, names, width, gapless):
        self.dut, self.ready, self.width, self.gapless = dut, ready, width, gapless
        self.valid_, self.ready_, self.last_, self.bytes_, self.data_, self.steady_ = names
        self.now, self.heads, self.standing, self.found = b"", set(), Standing(names[0]), []

    def drive(self):
        getattr(self.dut, self.ready_).value = int(random.random() < self.ready)

    def read(self):
        def pin(name):
            return int(getattr(self.dut, name).value)

        valid = pin(self.valid_)
        if self.gapless and self.now:
            assert valid, "a datagram stops in the middle"
        seen = None
        if valid:
            last, mask, heads = pin(self.last_), pin(self.bytes_), tuple(map(pin, self.steady_))
            data = pin(self.data_).to_bytes(self.width, "little")[: self.count(mask, last)]
            seen = (data, last, mask, heads)
        if not self.standing.look(valid, pin(self.ready_), seen):
            return
        self.now += data
        self.heads.add(heads)
        if last:
            assert len(self.heads) == 1, "address, port and length are not steady over a datagram"
            assert heads[-1] == len(self.now), "the length is not that of the datagram"
            self.found.append((self.now, *heads[:2]))
            self.now, self.heads = b"", set()

    def count(self, mask, last):
        if self.bytes_ == "m_udp_tkeep":
            assert mask & (mask + 1) == 0 and mask and (last or mask == (1 << self.width) - 1), f"tkeep {mask:b}"
            return mask.bit_length()
        assert mask.bit_count() == last, f"last_be {mask:b} with last {last}"
        return mask.bit_length() if last else self.width


async def traffic(dut, came, answers, line, server, out):
    """Run until all of it is through; line, server, out: probabilities of moving. What came out on both sides."""
    dut.rst.value = 1
    dut.udp_port.value = OWN_PORT
    for name in ("udp_source_valid", "s_udp_tvalid", "udp_sink_ready", "m_udp_tready", "udp_source_dst_port"):
        getattr(dut, name).value = 0
    start_clock(dut.clk)
    for _ in range(3):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    await FallingEdge(dut.clk)
    source, replies = Line(dut, came, line), Answers(dut, answers, server)
    names = ("m_udp_tvalid", "m_udp_tready", "m_udp_tlast", "m_udp_tkeep", "m_udp_tdata")
    requests = Sink(dut, server, (*names, ("m_udp_addr", "m_udp_port", "m_udp_length")), BYTES, True)
    names = ("udp_sink_valid", "udp_sink_ready", "udp_sink_last", "udp_sink_last_be", "udp_sink_data")
    heads = ("udp_sink_ip_address", "udp_sink_dst_port", "udp_sink_src_port", "udp_sink_length")
    wire = Sink(dut, out, (*names, heads), PORT, True)
    dropped = idle = 0
    while idle < 40 + 8 * BYTES:
        for part in (source, replies, requests, wire):
            part.drive()
        await ReadOnly()
        assert int(dut.udp_source_ready.value), "a line cannot wait"
        dropped += int(dut.dropped.value)
        replies.taken()
        requests.read()
        wire.read()
        if int(dut.udp_sink_valid.value):
            assert int(dut.udp_sink_src_port.value) == OWN_PORT
        quiet = not source.waiting and not replies.waiting
        idle = idle + 1 if quiet and not int(dut.m_udp_tvalid.value) and not int(dut.udp_sink_valid.value) else 0
        await FallingEdge(dut.clk)
    return requests.found, wire.found, dropped


@cocotb.test()
async def nothing_is_lost_where_there_is_room(dut):
    """A server that keeps pace: each good datagram comes, each bad one is dropped and counted, all answers go out."""
    # The line is the slower side, whatever the widths: nothing may be dropped.
    longest = min(LONGEST, 40 * BYTES)
    came = [datagram(longest, bad=0.3) for _ in range(60)]
    answers = [datagram(longest) for _ in range(60)]
    requests, wire, dropped = await traffic(dut, came, answers, 0.7, 1.0, random.choice([0.5, 1.0]))
    good = [one.key for one in came if one.good]
    assert len(good) > 20 and dropped == len(came) - len(good) > 5
    assert requests == good
    assert wire == [one.key for one in answers]


@cocotb.test()
async def what_has_no_room_is_dropped_whole(dut):
    """A server slower than the line: what comes was sent, unharmed and in order; the rest is counted."""
    came = [datagram(min(LONGEST, 600), bad=0.2) for _ in range(6 * GIVEN["FRAMES"] + 60)]
    answers = [datagram(LONGEST) for _ in range(10)]
    requests, wire, dropped = await traffic(dut, came, answers, 1.0, 0.3 * PORT / BYTES, 0.3)
    assert len(requests) + dropped == len(came)
    good = [one.key for one in came if one.good]
    rest = iter(good)
    assert all(one in rest for one in requests), "one that was not sent, a bad one, or another order"
    assert len(requests) > 5 and dropped > sum(not one.good for one in came), "nothing was dropped for want of room"
    assert wire == [one.key for one in answers]
