"""rlc_replay_server_liteeth: datagrams come whole and in order or not at all, both ways, under random stalls."""

import json
import os
import random
from dataclasses import dataclass

import cocotb
from bench_handshake import Source, port
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly
from udp_bench import FIELDS, Answers, beats

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


class Line(Source):
    """What LiteEth gives: parts of datagrams, with gaps, whether there is room or not.

    A frame takes 84 bytes of a line at least, with its preamble and the gap behind it.
    """

    def __init__(self, dut, datagrams, share):
        names = ("data", "last", "last_be", "error", "ip_address", "src_port", "length")
        super().__init__(dut, "udp_source_valid", "", {name: f"udp_source_{name}" for name in names}, share)
        self.pause = 0
        for one in datagrams:
            length = len(one.data) if one.says < 0 else one.says
            about = {"ip_address": one.address, "src_port": one.port, "length": length}
            for data, _, last in beats(padded(one.data, PORT), PORT):
                word = {"data": data, "last": last, "last_be": 0, "error": 0, "pause": 0}
                if last:
                    word |= {"last_be": 1 << (len(one.data) - 1) % PORT, "error": int(one.error)}
                    word["pause"] = max(0, 84 - len(one.data)) // PORT
                self.queue.append(word | about)

    def drive(self):
        self.pause -= self.pause > 0
        if self.pause:
            self.rest()
        else:
            super().drive()

    def sample(self):
        if word := super().sample():
            self.pause = word["pause"]
        return word


class Wire(Answers):
    """What LiteEth takes: the last byte of a datagram has a bit in last_be."""

    def __init__(self, dut, share):
        names = ("data", "last_be", "last", "length", "ip_address", "dst_port")
        fields = {field: f"udp_sink_{name}" for field, name in zip(FIELDS, names, strict=True)}
        super().__init__(dut, share, names=("udp_sink_valid", "udp_sink_ready", fields))

    def sample(self):
        if word := super().sample():
            mask, last = word["tkeep"], word["tlast"]
            assert mask.bit_count() == last, f"last_be {mask:b} with last {last}"
            word["tkeep"] = (2 * mask if last else 1 << PORT) - 1
        return word


def padded(data: bytes, width: int) -> bytes:
    """Whole beats, with rubbish behind the last byte."""
    return data + b"\xee" * (-len(data) % width)


async def traffic(dut, came, answers, line, server, out):
    """Run until all of it is through; line, server, out: probabilities of moving. What came out on both sides."""
    source, requests, wire = Line(dut, came, line), Answers(dut, server), Wire(dut, out)
    replies = Source(dut, *port("s_udp", ("tdata", "tlast", "addr", "port", "length"), "t"), server)
    for one in answers:
        about = {"addr": one.address, "port": one.port, "length": len(one.data)}
        for data, _, last in beats(padded(one.data, BYTES), BYTES):
            replies.queue.append({"tdata": data, "tlast": last, **about})
    quiet = ("udp_source_valid", "s_udp_tvalid", "udp_sink_ready", "m_udp_tready", "udp_source_dst_port")
    await start(dut, *quiet, rest=1, udp_port=OWN_PORT)
    frames, sent = [], []
    dropped = idle = 0
    while idle < 40 + 8 * BYTES:
        for part in (source, replies, requests, wire):
            part.drive()
        await ReadOnly()
        assert int(dut.udp_source_ready.value), "a line cannot wait"
        dropped += int(dut.dropped.value)
        source.sample()
        replies.sample()
        for sink, whole in ((requests, frames), (wire, sent)):
            assert sink.valid or not sink.inside, "a datagram stops in the middle"
            if datagram := sink.datagram():
                data, about = datagram
                whole.append((data, *about))
        if wire.valid:
            assert int(dut.udp_sink_src_port.value) == OWN_PORT
        quiet = not (source.queue or replies.queue or requests.valid or wire.valid)
        idle = idle + 1 if quiet else 0
        await FallingEdge(dut.clk)
    return frames, sent, dropped


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
