"""Two network namespaces of Linux with a cable between them: a network in one machine that is not its loopback."""

import ctypes
import itertools
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import NamedTuple

from rlcores.errors import RunFailed

_CLONE_NEWNET = 0x40000000
_count = itertools.count()


class End(NamedTuple):
    """An end of the cable: its namespace, its device there, and its address."""

    name: str
    device: str
    address: str

    @property
    def before(self) -> list[str]:
        """The words before a command that runs there."""
        return ["ip", "netns", "exec", self.name]

    def enter(self) -> None:
        """Let this thread, and what it starts, live there."""
        with open(f"/run/netns/{self.name}") as file:
            if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), _CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "cannot enter a network namespace")


@contextmanager
def ends() -> Iterator[tuple[End, End]]:
    """Both ends, until all processes there are killed and they are deleted.

    Raises RunFailed where the system does not let us make them.
    """
    if os.geteuid() or not shutil.which("ip"):
        raise RunFailed("network namespaces need root and the command 'ip'")
    mark = f"{os.getpid() % 100000}x{next(_count)}"
    made = [End(f"rlc{mark}{end}", f"v{mark}{end}", f"10.213.77.{n}") for n, end in enumerate("ab", 1)]

    def ip(*words: str) -> None:
        done = subprocess.run(["ip", *words], capture_output=True, text=True)
        if done.returncode:
            raise RunFailed(f"network namespaces are refused by this system: {done.stderr.strip()}")

    with ExitStack() as last:
        for end in made:
            ip("netns", "add", end.name)
            last.callback(_delete, end.name)
        first, second = made
        veth = ["type", "veth", "peer", second.device, "netns", second.name]
        ip("link", "add", first.device, "netns", first.name, *veth)
        for end in made:
            ip("-n", end.name, "address", "add", f"{end.address}/30", "dev", end.device)
            for device in ("lo", end.device):
                ip("-n", end.name, "link", "set", device, "up")
        yield first, second


def _delete(name: str) -> None:
    """Kill what is left there, and delete the namespace."""
    listing = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True)
    for process in listing.stdout.split():
        with suppress(ProcessLookupError):
            os.kill(int(process), signal.SIGKILL)
    subprocess.run(["ip", "netns", "delete", name], check=False)
