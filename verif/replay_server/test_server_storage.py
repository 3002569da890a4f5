"""What outlives a replay server: after a loss of power at any time, with a full disk, with files that were changed."""

import contextlib
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from test_server_server import client

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.errors import CoreWarning, UserError
from rlcores.net import ReplayClient, ReplayServer
from rlcores.net.bank import _restored

S = ServerSettings(
    capacity=12, record_bytes=256, part_bytes=1392, sample_max=64, weights_max=2000, instance=3, clients=4
)
BLOCK = 512


def rows(first: int, count: int) -> np.ndarray:
    """Records that say which they are."""
    return np.repeat(np.arange(first, first + count, dtype=np.uint64)[:, None], S.record_bytes // 8, 1)


def work(folder: str) -> None:
    """In a process of its own: a server that snapshots often, and is killed."""
    server = ReplayServer(S, folder=folder, snapshot_bytes=4000)
    with ReplayClient(server.address) as client:
        for n in range(0, 60, 2):
            client.put(rows(n, 2), priorities=np.arange(n, n + 2) + 1)
            client.flush()
    os.kill(os.getpid(), 9)


@dataclass
class File:
    """What is on the disk for sure, and what may be there too, in blocks."""

    synced: bytes = b""
    later: list[tuple[str, int, bytes]] = field(default_factory=list)

    def now(self) -> bytes:
        return self.after(lambda: True)

    def after(self, chosen) -> bytes:
        """With the later versions of its blocks up to the first for which chosen() is false."""
        content, stopped = bytearray(self.synced), set()
        for what, at, data in self.later:
            if what == "cut":
                if not chosen():
                    break  # what comes later is of the shorter file
                del content[at:]
                continue
            for first in range(at // BLOCK * BLOCK, at + len(data), BLOCK):
                begin, end = max(first, at), min(first + BLOCK, at + len(data))
                if first in stopped or not chosen():
                    stopped.add(first)
                    continue
                content.extend(bytes(max(end - len(content), 0)))
                content[begin:end] = data[begin - at : end - at]
        return bytes(content)


class Disk:
    """Files and names as a disk has them, from a record of recorder.c."""

    def __init__(self) -> None:
        self.names: dict[str, File] = {}  # as the system shows them
        self.sure: dict[str, File] = {}  # on the disk
        self.later: list[dict[str, File]] = []  # what the names were since

    def file(self, name: str) -> File:
        if name not in self.names:
            self.names = self.names | {name: File()}
            self.later.append(self.names)
        return self.names[name]

    def do(self, line: str) -> str:
        what, *operands = line.split()
        if what == "names":
            self.sure, self.later = self.names, []
        elif what == "name":
            moved = dict(self.names)
            moved[operands[1]] = moved.pop(operands[0])
            self.names = moved
            self.later.append(moved)
        elif what == "sync":
            file = self.file(operands[0])
            file.synced, file.later = file.now(), []
        elif what == "cut":
            self.file(operands[0]).later.append(("cut", int(operands[1]), b""))
        elif what == "write":
            self.file(operands[0]).later.append(("write", int(operands[1]), bytes.fromhex(operands[2])))
        elif what == "map":  # its blocks, where they differ from what it held
            file, new = self.file(operands[0]), bytes.fromhex(operands[1] if len(operands) > 1 else "")
            old = file.now().ljust(len(new), b"\0")
            if len(file.now()) < len(new):
                file.synced = file.synced.ljust(len(new), b"\0")  # its room was reserved
            for at in range(0, len(new), BLOCK):
                if new[at : at + BLOCK] != old[at : at + BLOCK]:
                    file.later.append(("write", at, new[at : at + BLOCK]))
        return what

    def lost_power(self, rng: random.Random, share: float) -> dict[str, bytes]:
        """Some contents that the disk may have."""
        names = rng.choice([self.sure, *self.later])
        return {name: file.after(lambda: rng.random() < share) for name, file in names.items()}


def recorded(tmp_path: Path) -> list[str]:
    folder = tmp_path / "folder"
    folder.mkdir()
    library, log = tmp_path / "recorder.so", tmp_path / "log"
    source = Path(__file__).with_name("recorder.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", source, "-o", library, "-ldl"], check=True)
    env = os.environ | {"LD_PRELOAD": str(library), "RECORDED": str(folder), "RECORD": str(log)}
    env |= {"PYTHONPATH": str(Path(__file__).parent)}
    script = f"import test_server_storage; test_server_storage.work({str(folder)!r})"
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True)
    assert done.returncode == -9, done.stderr
    return log.read_text().splitlines()


def served(server: native.NativeServer) -> Iterator[tuple[int, int, bool, bytes]]:
    """Slot, priority, gone and record of draws."""

    ask = client(server, 3)
    text = b"".join(x.payload for x in ask(net.SAMPLE, 0, net.ASKED.pack(0, 0, 0), count=64))
    if not text:
        return
    for i in range(64):
        slot, tag, priority, _ = net.ENTRY.unpack_from(text, 16 + 16 * i)
        at = 16 + 16 * 64 + S.record_bytes * i
        yield slot, priority, bool(tag & net.GONE_BIT), text[at : at + S.record_bytes]


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("gcc") is None, reason="needs Linux and gcc")
def test_after_a_loss_of_power_no_record_is_served_under_anothers_priority(seed: int, tmp_path: Path) -> None:
    """Every prefix of what was written, and of what was not yet on the disk any blocks."""
    lines, rng = recorded(tmp_path), random.Random(seed)
    disk, least, began, snapshots, gone, checked = Disk(), 0, 0, 0, 0, 0
    for number, line in enumerate(lines):
        what = disk.do(line)
        if what == "map":
            continue
        snapshots += what == "name" and line.endswith("state")
        for share in {0.0, 1.0, rng.choice([0.1, 0.5, 0.9])}:
            files = disk.lost_power(rng, share)
            folder = Path(tempfile.mkdtemp(dir=tmp_path))
            for name, data in files.items():
                (folder / name).write_bytes(data)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", CoreWarning)
                server = _restored(S, None, folder, (folder / "settings.json").exists())
            began += 1
            size = int(server.counts["records"])
            tree = np.frombuffer(server.state()[80 + 16 :][: 4 * S.capacity], "<u4")
            inserted = int(tree.max())
            assert inserted >= least, f"line {number}: {inserted} of {least} records that a snapshot had"
            for slot, priority, lost, record in served(server):
                gone += lost
                checked += not lost
                which = np.frombuffer(record, np.uint64)
                assert lost or ((which == which[0]).all() and which[0] + 1 == priority and which[0] % 12 == slot), size
            if share == 0.0 and what == "sync" and line == "sync journal":
                least = max(least, inserted)
            server.engine.leave()
            shutil.rmtree(folder)
    assert snapshots >= 5 and began > 150 and checked > 5000 and gone, (snapshots, began, checked, gone)


def stored(folder: Path) -> None:
    with ReplayServer(S, folder=folder) as server, ReplayClient(server.address) as one:
        one.put(rows(0, 12), priorities=np.arange(12) + 1)
        one.put_weights(b"w" * 2000, 1)
        one.sample(20)


def test_a_record_whose_bit_flipped_is_gone_and_counted_and_never_served(seed: int, tmp_path: Path) -> None:
    stored(tmp_path)
    rng = random.Random(seed)
    data = bytearray((tmp_path / "records").read_bytes())
    slot = rng.randrange(12)
    data[slot * S.record_bytes + rng.randrange(S.record_bytes)] ^= 1 << rng.randrange(8)
    (tmp_path / "records").write_bytes(data)
    with ReplayServer(folder=tmp_path) as server, ReplayClient(server.address) as one:
        batch = one.sample(64, stratified=False)
        assert (batch.gone == (batch.slots == slot)).all()
        read = one.read([slot], [3])
        assert read.gone.all() and not read.records.any()
        assert server.damaged == int(batch.gone.sum()) + 1


@pytest.mark.parametrize("name", ["state", "journal", "records"])
def test_a_file_that_is_missing_is_said_and_is_no_empty_start(name: str, tmp_path: Path) -> None:
    stored(tmp_path)
    (tmp_path / name).unlink()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(UserError, match=rf"{name}' (is missing|has 0 bytes)"):
        ReplayServer(folder=tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_all_files_but_the_settings_missing_is_no_empty_start(tmp_path: Path) -> None:
    stored(tmp_path)
    for name in ("state", "journal", "records"):
        (tmp_path / name).unlink()
    with pytest.raises(UserError, match="records are missing"):
        ReplayServer(folder=tmp_path)


def test_a_forged_state_with_a_right_check_is_refused_or_serves_what_is_there(seed: int, tmp_path: Path) -> None:
    """In a process of its own: a number that is used before it is looked at would end it."""
    stored(tmp_path)
    script = f"import test_server_storage; print(test_server_storage.forge({str(tmp_path)!r}, {seed}, 3000))"
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    refused, taken = map(int, done.stdout.split())
    assert refused > 500 and taken > 50


def forge(folder: str, seed: int, count: int) -> str:
    """Start servers from a state with words changed, and use what they took."""
    rng, data = random.Random(seed), (Path(folder) / "state").read_bytes()
    crc = native.checks().crc32c
    refused = taken = 0
    extremes = (0, 1, 2, 11, 12, 13, 63, 64, 65, 255, 256, 1 << 18, (1 << 31) - 1, 1 << 31, (1 << 32) - 1)
    for _ in range(count):
        forged = bytearray(data[:-8])
        for _ in range(rng.choice([1, 1, 2, 5])):
            at = 4 * rng.randrange(len(forged) // 4)
            at = rng.choice([at, 4 * rng.randrange(20, 70), 4 * rng.randrange(16, 24)])
            struct.pack_into("<I", forged, at, rng.choice([*extremes, rng.getrandbits(32)]))
        if rng.random() < 0.1:
            forged = forged[: 8 * rng.randrange(len(forged) // 8)]
        forged += struct.pack("<Q", crc(bytes(forged)))
        server = native.NativeServer(S)
        try:
            server.restore(bytes(forged))
        except ValueError:
            refused += 1
            continue
        taken += 1
        with contextlib.suppress(AssertionError):  # another epoch or schema
            ask = client(server, 1, epoch=1)
            ask(net.SAMPLE, 0, net.ASKED.pack(32768, 0, 0), count=64, status=3)
            ask(net.PUT, 1, net.PRIORITY.pack(5, net.RAW) + bytes(256), count=1)
            ask(net.READ, 2, b"".join(net.PLACE.pack(slot, 3) for slot in range(14)), count=14)
            ask(net.PRIO, 2, net.UPDATE.pack(3, 3, 9, net.TD), count=1)
            ask(net.GET, 0, net.CHUNK.pack(0, 0, 0))
            ask(net.STAT)
        for sequence in range(40):  # a repetition of what the state says was drawn
            checks = native.checks()
            frame = net.Frame(net.SAMPLE, 0, 1, sequence, 3, 0, 20, parts=0, payload=net.ASKED.pack(13107, 0, 0))
            server.frame(net.encode(frame, checks))
        server.state()
    return f"{refused} {taken}"


def test_records_that_do_not_fit_on_the_disk_are_one_sentence_at_the_start(small_disk: Path) -> None:
    folder = small_disk / "server"
    with pytest.raises(UserError, match=r"^'.*server': the records need 51200000 bytes, and the disk has \d+ free$"):
        ReplayServer(ServerSettings(capacity=200_000, record_bytes=256), folder=folder)
    assert not folder.exists() and shutil.disk_usage(small_disk).used < 1 << 20
    fits = ServerSettings(capacity=20_000, record_bytes=256)
    with ReplayServer(fits, folder=folder) as server, ReplayClient(server.address) as one:
        one.put(np.zeros((100, 256), np.uint8))
        one.flush()
        assert one.stats()["size"] == 100


def test_a_server_that_was_killed_while_it_began_begins_again(tmp_path: Path) -> None:
    (tmp_path / "records.new").write_bytes(bytes(100))
    (tmp_path / "state").write_bytes(b"x")
    with ReplayServer(S, folder=tmp_path) as server:
        assert json.loads((tmp_path / "settings.json").read_text()) == asdict(replace(server.settings, bank=0))


@pytest.mark.parametrize("banks", [1, 2])
def test_a_server_that_was_killed_before_it_wrote_its_settings_begins_again(banks: int, tmp_path: Path) -> None:
    settings = ServerSettings(capacity=12, record_bytes=16, banks=banks)
    with ReplayServer(settings, folder=tmp_path) as server:
        drawn = server.settings.instance
    (tmp_path / "settings.json").unlink()
    if banks > 1:  # and before the second of them began
        shutil.rmtree(tmp_path / "bank1")
    with ReplayServer(settings, folder=tmp_path) as server, ReplayClient(server.address) as one:
        one.put(np.zeros((3, 16), np.uint8))
        one.flush()
        assert one.stats()["size"] == 3 and server.settings.instance == drawn
