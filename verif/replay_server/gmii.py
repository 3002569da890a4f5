"""A Verilated chip with LiteEth at a GMII line, and the host at the other end: a tap device of Linux, or by hand.

`python gmii.py WIDTH` in a network namespace of its own, as root: Linux does ARP, IP and UDP with the chip, whose
datagrams come back. What was seen is printed as JSON. `python gmii.py server SEED`: behind LiteEth stands the replay
server in RTL, and our client is given through Linux what the model gives it.
"""

import ctypes
import fcntl
import json
import os
import random
import socket
import struct
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import served

from rlcores.eda import library
from rlcores.net import ReplayServer, rtl

MAC, ADDRESS, HOST, PORT = "02:00:52:4c:43:01", "10.213.78.2", "10.213.78.1", 7878
# With a port of 32 bits LiteEth makes frames of 16 bytes of UDP too short; those of the protocol have 48 and more.
SHORTEST = 18
STATISTICS = ("clocks", "frames_in", "frames_out", "damaged", "dropped")


def build(width: int) -> Path:
    """The library of the chip whose LiteEth has a port of `width` bits, and that sends datagrams back."""
    driver = Path(__file__).with_suffix(".cpp")
    return library.build(f"rlcores:net:gmii{width}", "rlc_replay_server_gmii", {"PORT_BYTES": width // 8}, driver)


def build_server() -> Path:
    """The library of the chip with the replay server of served.S behind LiteEth."""
    names = ("instance", "seed", "alpha", "scale", "epsilon", "initial")
    fixed = {name.upper(): getattr(served.S, name) for name in names}
    values = rtl.parameters(served.S) | fixed | {"PORT_BYTES": 4, "ADDR_WIDTH": 16}
    driver = Path(__file__).with_suffix(".cpp")
    return library.build("rlcores:net:gmii_server", "rlc_replay_server_gmii_server", values, driver)


class Chip:
    """The chip runs in a thread, at a file whose reads and writes are Ethernet frames."""

    def __init__(self, built: Path, file: int, *, seed: int = 1, damage: int = 0) -> None:
        self._library = ctypes.CDLL(str(built))
        self._library.gmii_new.restype = ctypes.c_void_p
        self._library.gmii_error.restype = ctypes.c_char_p
        mac, address = int(MAC.replace(":", ""), 16), struct.unpack(">I", socket.inet_aton(ADDRESS))[0]
        arguments = ctypes.c_uint64(mac), ctypes.c_uint32(address), PORT, ctypes.c_uint64(seed), damage
        self._handle = ctypes.c_void_p(self._library.gmii_new(*arguments))
        os.set_blocking(file, False)
        self._read, self._stop = os.pipe()
        self._result = 0

        def work() -> None:
            self._result = self._library.gmii_serve(self._handle, file, self._read)

        self._thread = threading.Thread(target=work, daemon=True)
        self._thread.start()

    def __enter__(self) -> "Chip":
        return self

    def __exit__(self, *_: object) -> None:
        os.write(self._stop, b"x")
        self._thread.join()
        os.close(self._stop)
        os.close(self._read)
        counts = (ctypes.c_uint64 * len(STATISTICS))()
        self._library.gmii_statistics(self._handle, counts)
        self.statistics = dict(zip(STATISTICS, counts, strict=True))
        error = self._library.gmii_error(self._handle).decode()
        self._library.gmii_delete(self._handle)
        assert self._result == 0, error


def tap(name: str) -> int:
    """A tap device with the host's address, up."""
    file = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(file, 0x400454CA, struct.pack("16sH22x", name.encode(), 0x1002))  # TUNSETIFF; IFF_TAP | IFF_NO_PI
    for words in (["address", "add", f"{HOST}/24", "dev", name], ["link", "set", name, "up"]):
        subprocess.run(["ip", *words], check=True)
    return file


def with_linux(width: int, count: int, seed: int) -> dict:
    """Datagrams of many lengths go to the chip and come back. What was seen."""
    draw = random.Random(seed)
    with ExitStack() as last:
        file = tap("rlc0")
        last.callback(os.close, file)
        chip = last.enter_context(Chip(build(width), file))
        host = last.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        host.bind((HOST, 0))
        host.settimeout(2)
        back = right = 0
        before: set[bytes] = set()
        for number in range(count):
            length = draw.choice([18, 19, 20, 21, 48, 56, 1448, 1471, 1472, draw.randint(SHORTEST, 1472)])
            data = draw.randbytes(length)
            for _ in range(3):  # UDP may lose one: so does the first that waits for ARP
                host.sendto(data, (ADDRESS, PORT))
                try:
                    received = host.recvfrom(2048)
                    while received[0] in before:  # a second answer to what was sent again
                        received = host.recvfrom(2048)
                except TimeoutError:
                    continue
                back += 1
                right += received == (data, (ADDRESS, PORT))
                break
            before.add(data)
            print(f"datagram {number} of {length} bytes", file=sys.stderr)
        other = last.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        other.bind((HOST, 0))
        other.settimeout(0.5)
        other.sendto(b"another port", (ADDRESS, PORT + 1))
        try:
            other.recvfrom(2048)
            silent = False
        except (TimeoutError, ConnectionRefusedError):
            silent = True
        neighbours = subprocess.run(["ip", "neigh", "show", ADDRESS], capture_output=True, text=True).stdout
    return {"back": back, "right": right, "silent": silent, "neighbours": neighbours, **chip.statistics}


def with_our_client(seed: int) -> dict:
    """HELLO, PUT, SAMPLE, READ, PRIO and STAT through Linux, the line and LiteEth; raises where the model says else."""
    with ReplayServer(served.S, backend="model") as server:
        wanted = served.work(server.address, seed)
    with ExitStack() as last:
        file = tap("rlc0")
        last.callback(os.close, file)
        chip = last.enter_context(Chip(build_server(), file))
        served.compare(served.work(f"{ADDRESS}:{PORT}", seed), wanted)
    return {"answers": len(wanted[0]), **wanted[1], **chip.statistics}


if __name__ == "__main__":
    if sys.argv[1] == "server":
        print(json.dumps(with_our_client(int(sys.argv[2]))))
    else:
        print(json.dumps(with_linux(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
