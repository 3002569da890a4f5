"""Between the replay server in RTL and a MAC: the adapter for LiteEth, and LiteEth itself as FuseSoC makes it."""

import json
import socket
import struct
import subprocess
import sys
from pathlib import Path

import gmii
import namespaces
import numpy as np
import pytest

from rlcores.base import tools
from rlcores.eda import sim, sources

VLNV = "rlcores:net:verif"
ICARUS = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
LITEETH = pytest.mark.skipif(not tools.have_package("liteeth"), reason="LiteEth is not installed: rlcores[liteeth]")
SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("target", "parameters"),
    [
        pytest.param("liteeth_icarus", dict(BYTES=8, PORT_BYTES=4, DEPTH=64, FRAMES=4), marks=ICARUS),
        pytest.param("liteeth_icarus", dict(BYTES=8, PORT_BYTES=1, DEPTH=32, FRAMES=3), marks=[ICARUS, SLOW]),
        pytest.param("liteeth_icarus", dict(BYTES=64, PORT_BYTES=4, DEPTH=16, FRAMES=16), marks=[ICARUS, SLOW]),
        pytest.param("liteeth", dict(BYTES=8, PORT_BYTES=4, DEPTH=64, FRAMES=4), marks=SLOW),
        pytest.param("liteeth", dict(BYTES=16, PORT_BYTES=8, DEPTH=128, FRAMES=16), marks=SLOW),
        pytest.param("liteeth", dict(BYTES=8, PORT_BYTES=1, DEPTH=512, FRAMES=16), marks=SLOW),
    ],
)
def test_datagrams_come_whole_and_in_order_or_not_at_all(target, parameters, seed):
    assert len(sim.run(VLNV, target, parameters, seed=seed).tests) == 2


@LITEETH
def test_fusesoc_makes_a_mac_that_elaborates(tmp_path):
    for width in (8, 32):
        read = sources.of_core(f"rlcores:net:gmii{width}")
        made = next(path for path in read.files if path.name == "rlc_liteeth.v")
        assert "made by LiteEth" in made.read_text().splitlines()[0]
        command = ["verilator", "--lint-only", "-Wno-lint", "-Wno-style", "--top-module", "rlc_replay_server_gmii"]
        command += [
            f"-GPORT_BYTES={width // 8}",
            *(f"+incdir+{folder}" for folder in read.folders),
            *map(str, read.files),
        ]
        assert tools.run(command, cwd=tmp_path, env=tools.env()).returncode == 0


@LITEETH
def test_a_phy_that_is_not_there_is_one_sentence(tmp_path):
    (tmp_path / "asked.yml").write_text("vlnv: me:me:me:0\nparameters: {phy: carrier_pigeon}\n")
    script = Path(__file__).parents[2] / "rtl/replay_server/rlc_replay_server_liteeth.py"
    done = subprocess.run([sys.executable, script, "asked.yml"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "phy is 'carrier_pigeon', width 32; phy must be one of gmii, ecp5rgmii, width 8 or 32\n"


def checksum(data: bytes) -> int:
    """Of an IPv4 header."""
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


class Host:
    """The other end of the line, by hand: one machine that answers ARP."""

    mac, address = bytes.fromhex("020000000001"), socket.inet_aton(gmii.HOST)
    chip_mac, chip = bytes.fromhex(gmii.MAC.replace(":", "")), socket.inet_aton(gmii.ADDRESS)

    def __init__(self, line: socket.socket) -> None:
        self.line = line
        self.asked = 0  # ARP requests of the chip
        self.answers: set[tuple[bytes, int, int]] = set()

    def udp(self, data: bytes, port: int, *, to: int = gmii.PORT, ethernet: bytes | None = None) -> None:
        head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 28 + len(data), 0, 0, 64, 17, 0, self.address, self.chip)
        head = head[:10] + struct.pack(">H", checksum(head)) + head[12:]
        datagram = struct.pack(">HHHH", port, to, 8 + len(data), 0) + data
        self.line.send((ethernet or self.chip_mac) + self.mac + b"\x08\x00" + head + datagram)

    def take(self, seconds: float) -> tuple[bytes, int, int] | None:
        """The next datagram of the chip, and its ports. None: nothing came in time."""
        self.line.settimeout(seconds)
        while True:
            try:
                frame = self.line.recv(2048)
            except TimeoutError:
                return None
            kind = frame[12:14]
            if kind == b"\x08\x06":
                self._arp(frame)
            elif kind == b"\x08\x00" and frame[23] == 17:
                assert frame[:6] == self.mac and frame[6:12] == self.chip_mac
                assert frame[26:30] == self.chip and frame[30:34] == self.address
                assert checksum(frame[14:34]) == 0
                source, destination, length, _ = struct.unpack(">HHHH", frame[34:42])
                return frame[42 : 34 + length], source, destination

    def _arp(self, frame: bytes) -> None:
        operation, sender = struct.unpack(">H", frame[20:22])[0], frame[22:28]
        assert sender == self.chip_mac
        if operation == 1 and frame[38:42] == self.address:
            self.asked += 1
            body = struct.pack(">HHBBH6s4s6s4s", 1, 0x800, 6, 4, 2, self.mac, self.address, sender, self.chip)
            self.line.send(sender + self.mac + b"\x08\x06" + body)


def exchange(host: Host, data: bytes, port: int, tries: int = 8) -> tuple[bytes, int, int] | None:
    """Send until an answer comes that is not a second one to what was sent before."""
    for _ in range(tries):
        host.udp(data, port)
        while answer := host.take(2.0):
            if answer not in host.answers:
                host.answers.add(answer)
                return answer
    return None


@LITEETH
@pytest.mark.parametrize("width", [pytest.param(8, marks=SLOW), 32])
def test_datagrams_of_every_length_pass_liteeth_both_ways(width, seed):
    rng = np.random.default_rng(seed)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with ours, theirs, gmii.Chip(gmii.build(width), theirs.fileno()) as chip:
        host = Host(ours)
        lengths = [*range(gmii.SHORTEST, 60), 1447, 1448, 1471, 1472, *map(int, rng.integers(gmii.SHORTEST, 1473, 20))]
        for number, length in enumerate(lengths):
            data, port = rng.bytes(length), int(rng.integers(1, 65536))
            assert exchange(host, data, port) == (data, gmii.PORT, port), f"datagram {number} of {length} bytes"
        assert host.asked >= 1, "the chip answers without asking who has the address"
        host.udp(b"12345678", 99, to=gmii.PORT + 1)
        assert host.take(0.5) is None, "the chip answers at another port"
    assert chip.statistics["frames_out"] >= len(lengths)


@LITEETH
def test_what_the_line_damages_comes_back_at_most_shorter(seed):
    """LiteEth ends a datagram where its own length says, before it has seen the check of the line behind it."""
    rng, sent, right = np.random.default_rng(seed), {}, 0
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with ours, theirs, gmii.Chip(gmii.build(32), theirs.fileno(), seed=seed, damage=60) as chip:
        host = Host(ours)
        for number in range(120):
            sent[4000 + number] = rng.bytes(int(rng.integers(gmii.SHORTEST, 400)))
            host.udp(sent[4000 + number], 4000 + number)
            # One that was sent before may come late.
            while datagram := host.take(0.3):
                data, source, port = datagram
                assert source == gmii.PORT and sent[port].startswith(data)
                right += data == sent[port]
                if port == 4000 + number:
                    break
    assert chip.statistics["damaged"] > 10 and right > 60


@SLOW
@LITEETH
@pytest.mark.parametrize("width", [8, 32])
def test_linux_speaks_arp_and_udp_with_the_chip_on_a_tap_device(width, seed):
    gmii.build(width)
    with namespaces.pair() as (first, _):
        command = [*first.before, sys.executable, gmii.__file__, str(width), "200", str(seed)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr[-2000:]
    counts = json.loads(done.stdout)
    assert counts["back"] == counts["right"] == 200, counts
    assert counts["silent"], "the chip answers at another port"
    assert gmii.MAC in counts["neighbours"], counts


@SLOW
@LITEETH
def test_linux_and_our_client_use_the_replay_server_in_rtl_on_a_tap_device(seed):
    gmii.build_server()
    with namespaces.pair() as (first, _):
        command = [*first.before, sys.executable, gmii.__file__, "server", str(seed)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0, done.stderr[-2000:]
    counts = json.loads(done.stdout)
    assert counts["answers"] == 24 and counts["samples"] >= 12 and counts["frames_in"] > 60, counts


@SLOW
@LITEETH
@pytest.mark.skipif(not tools.have_package("cocotbext.eth"), reason="cocotbext-eth is not installed: the group dev")
def test_the_replay_server_behind_liteeth_answers_as_the_model_at_a_line_of_cocotbext_eth(simulator, seed):
    target = "line" if simulator == "verilator" else "line_icarus"
    parameters = dict(CAPACITY=16, LEAVES_LOG2=4, INSTANCE=1 + seed)
    outcome = sim.run("rlcores:net:gmii_server", target, parameters, seed=seed, env={"FRAMES": "400"})
    assert len(outcome.tests) == 1
