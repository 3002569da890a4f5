"""Two network namespaces with a cable between them, where the system lets us make them."""

import itertools
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

_count = itertools.count()


def _end(name: str) -> None:
    """Kill what a test that failed has left there, and delete the namespace."""
    found = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True)
    for process in found.stdout.split():
        with suppress(ProcessLookupError):
            os.kill(int(process), signal.SIGKILL)
    subprocess.run(["ip", "netns", "delete", name], check=False)


@contextmanager
def pair() -> Iterator[tuple[list[str], list[str], str]]:
    """The words before a command that runs in the first, in the second, and the first one's address."""
    if os.geteuid() or not shutil.which("ip"):
        pytest.skip("needs root and `ip`, for network namespaces")
    mark = f"{os.getpid() % 100000}x{next(_count)}"
    names = [f"rlc{mark}{end}" for end in "ab"]

    def ip(*words: str) -> None:
        done = subprocess.run(["ip", *words], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"needs network namespaces, which this system refuses: {done.stderr.strip()}")

    with ExitStack() as last:
        for name in names:
            ip("netns", "add", name)
            last.callback(_end, name)
        ip("link", "add", f"v{mark}a", "netns", names[0], "type", "veth", "peer", f"v{mark}b", "netns", names[1])
        for number, (name, end) in enumerate(zip(names, "ab", strict=True), 1):
            ip("-n", name, "address", "add", f"10.213.77.{number}/30", "dev", f"v{mark}{end}")
            for device in ("lo", f"v{mark}{end}"):
                ip("-n", name, "link", "set", device, "up")
        first, second = (["ip", "netns", "exec", name] for name in names)
        yield first, second, "10.213.77.1"
