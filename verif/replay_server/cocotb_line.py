"""UVM at a GMII line: a host sends frames, good, damaged and mutated; what the chip answers is the model's.

The line is cocotbext-eth's: preamble, check and gaps are its own. The host answers ARP. A frame whose payload is
damaged on the line does nothing, and STAT at the end counts as the model does, which was not given it.
"""

import os
import random
import struct
from ipaddress import IPv4Address

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotb_front import Simple
from cocotbext.eth import GmiiFrame, GmiiSink, GmiiSource
from pyuvm import (
    ConfigDB,
    uvm_agent,
    uvm_analysis_port,
    uvm_component,
    uvm_driver,
    uvm_env,
    uvm_sequence,
    uvm_sequence_item,
    uvm_sequencer,
    uvm_test,
)
from pyuvm import test as uvm_entry
from traffic import client_of, hello
from uvm_bench import Listener, One, clock_number, seeded, start
from uvm_coverage import Coverage
from uvm_scoreboard import Scoreboard

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server.checks import Checks
from rlcores.cores.replay_server.frames import Frame, ServerSettings
from rlcores.cores.replay_server.server import ServerModel

COUNT = int(os.environ.get("FRAMES", "400"))
CHIP, CHIP_MAC, PORT = IPv4Address("10.1.2.3"), bytes.fromhex("02005244c301"), 7878
HOST, HOST_MAC = IPv4Address("10.1.2.9"), bytes.fromhex("02000000beef")
HEADERS = 14 + 20 + 8
NAMES = ("hello", "put", "sample", "read", "prio", "weights", "get", "stat")
SETTINGS = (
    "capacity", "record_bytes", "part_bytes", "clients", "sample_max", "credit", "priority_width", "generation_width",
    "weights_max", "instance", "seed", "alpha", "scale", "epsilon", "initial",
)  # fmt: skip
COVERAGE = Coverage()
COVERAGE.want(["arp", "damaged", "mutated", "repeated", "several parts"])
COVERAGE.want(f"answer.{name}" for name in NAMES)


class FrameItem(uvm_sequence_item):
    """An Ethernet frame without its check; `broken`: a bit of its payload is damaged on the line."""

    def __init__(self, data: bytes, broken: int | None = None) -> None:
        super().__init__("frame")
        self.data, self.broken = data, broken

    def __str__(self) -> str:
        return self.data.hex()


class LineDriver(uvm_driver):
    """Sends frames into the chip; an item is done when its frame has left."""

    async def run_phase(self) -> None:
        dut = self.cdb_get("DUT")
        source = GmiiSource(dut.gmii_rx_data, None, dut.gmii_rx_dv, dut.clk, dut.rst)
        source.log.setLevel("ERROR")
        while True:
            item = await self.seq_item_port.get_next_item()
            frame = GmiiFrame.from_payload(item.data)
            if item.broken is not None:
                frame.data[8 + item.broken // 8] ^= 1 << item.broken % 8
            await source.send(frame)
            await source.wait()
            self.seq_item_port.item_done()


class LineMonitor(uvm_component):
    """Publishes the frames that the chip sends, without preamble and check, which must be right."""

    def build_phase(self) -> None:
        self.ap = uvm_analysis_port("ap", self)

    async def run_phase(self) -> None:
        dut = self.cdb_get("DUT")
        sink = GmiiSink(dut.gmii_tx_data, None, dut.gmii_tx_en, dut.clk, dut.rst)
        sink.log.setLevel("ERROR")
        while True:
            frame = await sink.recv()
            assert frame.check_fcs(), "a frame of the chip has a wrong check"
            payload = bytes(frame.get_payload())
            assert len(payload) >= 60, f"a frame of the chip has {len(payload)} bytes, fewer than 60"
            self.ap.write(FrameItem(payload))


def at_port(port: int) -> int:
    """The source that the host is with this port."""
    return int(HOST) | port << 32


class LineAgent(uvm_agent):
    """Both directions of the line. Needs DUT in the configuration database."""

    def build_phase(self) -> None:
        self.sequencer = uvm_sequencer("sequencer", self)
        self.driver = LineDriver("driver", self)
        self.monitor = LineMonitor("monitor", self)

    def connect_phase(self) -> None:
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)


class Predictor(uvm_component):
    """The model: it is told what the chip gets whole, and the answers that it gives are expected, in order."""

    def build_phase(self) -> None:
        held = {name: int(getattr(cocotb.top, name.upper()).value) for name in SETTINGS}
        self.settings = ServerSettings(**held, assemblies=0)
        self.model = ServerModel(self.settings)

    def connect_phase(self) -> None:
        self.scoreboard: Scoreboard = self.cdb_get("SCOREBOARD")

    def expect_answers(self, data: bytes, port: int) -> int:
        """The chip gets a datagram from this port of the host; how many answers will come."""
        repeated = self.model.counts["repeated"]
        answers = self.model.frame(data, at_port(port))
        for answer in answers:
            self.scoreboard.expect("udp", (answer.hex(), port))
            frame = net.decode(answer, Checks(), self.settings.part_bytes)
            COVERAGE.hit(f"answer.{NAMES[frame.op & 0x7F]}")
            COVERAGE.hit("several parts", frame.parts > 1)
        COVERAGE.hit("repeated", self.model.counts["repeated"] - repeated)
        return len(answers)


class Host(uvm_component):
    """What a machine does with frames that it gets: it answers ARP, and hands datagrams to the scoreboard."""

    def build_phase(self) -> None:
        self.frames = Listener("frames", self, self._frame)
        self.asked: list[bytes] = []  # ARP answers that are to be sent
        self.observing = False
        self.came = 0

    def connect_phase(self) -> None:
        self.scoreboard: Scoreboard = self.cdb_get("SCOREBOARD")

    def _frame(self, item: FrameItem) -> None:
        data, kind = item.data, item.data[12:14]
        if kind == b"\x08\x06":
            COVERAGE.hit("arp")
            operation, sender = struct.unpack(">H", data[20:22])[0], data[22:28]
            assert sender == CHIP_MAC
            if operation == 1 and data[38:42] == HOST.packed:
                body = struct.pack(">HHBBH", 1, 0x800, 6, 4, 2) + HOST_MAC + HOST.packed + CHIP_MAC + CHIP.packed
                self.asked.append(CHIP_MAC + HOST_MAC + b"\x08\x06" + body)
            return
        assert kind == b"\x08\x00" and data[:12] == HOST_MAC + CHIP_MAC and data[23] == 17
        assert data[26:34] == CHIP.packed + HOST.packed
        source, port, length, _ = struct.unpack(">HHHH", data[34:42])
        assert source == PORT
        self.came += 1
        if self.observing:
            self.scoreboard.observe("udp", (data[42 : 34 + length].hex(), port), clock_number())


class LineEnv(uvm_env):
    """The line, the host, the model and the scoreboard."""

    def build_phase(self) -> None:
        ConfigDB().set(None, "*", "DUT", cocotb.top)
        self.line = LineAgent("line", self)
        self.scoreboard = Scoreboard("scoreboard", self)
        ConfigDB().set(None, "*", "SCOREBOARD", self.scoreboard)
        self.predictor = Predictor("predictor", self)
        self.host = Host("host", self)

    def connect_phase(self) -> None:
        self.line.monitor.ap.connect(self.host.frames)

    def check_phase(self) -> None:
        assert self.scoreboard.compared["udp"] > COUNT // 3
        COVERAGE.check()
        self.logger.info(f"transcript {self.scoreboard.digest()} at clock {clock_number()}")


class Talk(uvm_sequence):
    """Until ARP is done, one HELLO again and again; then random traffic; then STAT of every client."""

    def __init__(self, env: LineEnv, rng: random.Random) -> None:
        super().__init__("talk")
        self.env, self.rng = env, rng

    async def body(self) -> None:
        rng, predictor, host = self.rng, self.env.predictor, self.env.host
        traffic = Simple(predictor.settings, Checks(), rng)
        traffic.secret, traffic.home = predictor.model.secret, lambda client: at_port(6000 + client)
        cocotb.start_soon(self._arp())
        begun = hello(predictor.settings, 0, 1, 1, traffic.secret, schema=5, source=at_port(6000), sequence=7)
        first = net.encode(begun, Checks())
        for _ in range(8):
            predictor.model.frame(first, at_port(6000))
            await self._send(first, 6000)
            await ClockCycles(cocotb.top.clk, 3000)
            if host.came:
                break
        assert host.came, "the chip does not answer"
        # What comes from now on is compared: the line is silent here.
        host.observing = True
        traffic.epochs[0] = 1
        for number in range(COUNT):
            for client, known in predictor.model.clients.items():
                if rng.random() < 0.1:  # what was damaged or has no credit comes again
                    traffic.next[client] = known.low
            mutated = rng.random() < 0.15
            data = traffic.mutated() if mutated else traffic.frame()
            if not 18 <= len(data) <= 1472:
                continue
            broken = rng.randrange(8 * HEADERS, 8 * (HEADERS + len(data))) if rng.random() < 0.1 else None
            COVERAGE.hit("damaged", broken is not None)
            COVERAGE.hit("mutated", mutated)
            # Mostly of the client that it says it is of.
            port = 6000 + client_of(data) % 1000 if rng.random() < 0.95 else 8000 + number
            if broken is None:
                predictor.expect_answers(data, port)
            await self._send(data, port, broken)
            if rng.random() < 0.3:
                await self._quiet()
        for client, known in predictor.model.clients.items():
            asked = Frame(net.STAT, client, known.epoch, 1, predictor.settings.instance)
            data = net.encode(asked, Checks())
            predictor.expect_answers(data, 6000 + client)
            await self._send(data, 6000 + client)
        await self._quiet()
        await ClockCycles(cocotb.top.clk, 1000)

    async def _send(self, data: bytes, port: int, broken: int | None = None) -> None:
        udp = struct.pack(">HHHH", port, PORT, 8 + len(data), 0) + data
        head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0) + HOST.packed + CHIP.packed
        total = sum(struct.unpack(">10H", head))
        total = (total & 0xFFFF) + (total >> 16)
        total = (total & 0xFFFF) + (total >> 16)
        head = head[:10] + struct.pack(">H", total ^ 0xFFFF) + head[12:]
        await One(FrameItem(CHIP_MAC + HOST_MAC + b"\x08\x00" + head + udp, broken)).start(self.env.line.sequencer)
        # No more waits in front of the server than has room there.
        while self.env.scoreboard.waiting > 5:
            await RisingEdge(cocotb.top.clk)

    async def _quiet(self) -> None:
        for _ in range(200):
            if not self.env.scoreboard.waiting:
                return
            await ClockCycles(cocotb.top.clk, 100)
        raise AssertionError(f"{self.env.scoreboard.waiting} answers do not come")

    async def _arp(self) -> None:
        while True:
            await RisingEdge(cocotb.top.clk)
            while self.env.host.asked:
                await One(FrameItem(self.env.host.asked.pop(0))).start(self.env.line.sequencer)


@uvm_entry()
class LineTest(uvm_test):
    """The chip at the line."""

    def build_phase(self) -> None:
        self.env = LineEnv("env", self)

    async def run_phase(self) -> None:
        self.raise_objection()
        dut = cocotb.top
        dut.mac_address.value = int.from_bytes(CHIP_MAC, "big")
        dut.ip_address.value = int(CHIP)
        dut.udp_port.value = PORT
        dut.gmii_rx_dv.value = 0
        await start(dut)
        cocotb.start_soon(self._nothing_is_dropped())
        await Talk(self.env, seeded("talk")).start()
        self.drop_objection()

    async def _nothing_is_dropped(self) -> None:
        # But what is damaged: each pulse is one of those.
        self.dropped = 0
        while True:
            await RisingEdge(cocotb.top.clk)
            self.dropped += int(cocotb.top.dropped.value)
            assert self.dropped <= COVERAGE.hits["damaged"], "a datagram was dropped that was not damaged"
