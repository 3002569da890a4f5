"""An Icarus that has read its design and imported its bench, and forks for each mutant: both take longer than most
mutants live.

The simulator waits in an entry point of cocotb's, in front of the one that runs the tests. It ends with the process
that holds the other end of the pipe `lifeline`.
"""

import contextlib
import ctypes
import hashlib
import importlib
import json
import os
import resource
import select
import signal
import socket
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from rlcores_lab.mutation.schemata import VARIABLE

# cocotb's own, with ours in front of the last; none of the first needs to know the mutant.
_USERS = (
    "cocotb_tools._coverage:start_cocotb_library_coverage",
    "cocotb.logging:_configure",
    "cocotb._init:init_package_from_simulation",
    f"{__name__}:wait",
    "cocotb.regression:_run_regression",
)
_LISTENER, _LIFELINE = "RLC_SERVED_LISTENER", "RLC_SERVED_LIFELINE"
_DIGITS = 9
_PLUSARG = b"+mutant="
_LOOK = 0.003  # seconds


def run(
    command: Sequence[str], cwd: str, env: Mapping[str, str], mutant: int, log: Path, lifeline: int
) -> tuple[int, float]:
    """One run of a simulation: its exit status, and the processor's seconds that it took.

    The first run starts the simulator, whose environment is `env`. The run ends with the process that calls.
    """
    variables = {name: value for name, value in env.items() if name != VARIABLE}
    what = hashlib.sha256(json.dumps([command, cwd, sorted(variables.items())]).encode()).hexdigest()[:16]
    place = f"served-{what}"  # here, as the name of a socket may not be long
    with contextlib.closing(_connected(place, command, cwd, variables, lifeline)) as stream:
        limit = resource.getrlimit(resource.RLIMIT_CPU)[0]
        stream.sendall(json.dumps({"mutant": mutant, "log": str(log), "limit": limit}).encode() + b"\n")
        answer = stream.makefile().readline()
    used = json.loads(answer) if answer else {"code": 1, "cpu": 0.0}
    return used["code"], used["cpu"]


def _connected(place: str, command: Sequence[str], cwd: str, env: Mapping[str, str], lifeline: int) -> socket.socket:
    stream = socket.socket(socket.AF_UNIX)
    try:
        stream.connect(place)
    except OSError:  # not there yet, or not any more
        Path(place).unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(place)
            listener.listen(1)
            fds = listener.fileno(), lifeline
            variables = {**env, "PYGPI_USERS": ",".join(_USERS)}
            variables |= {_LISTENER: str(fds[0]), _LIFELINE: str(fds[1]), VARIABLE: "0"}
            subprocess.Popen(
                [*command, f"+mutant={0:0{_DIGITS}}"], cwd=cwd, env=variables, pass_fds=fds, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        stream.connect(place)
    return stream


def wait() -> None:
    """In the simulator: import the bench, and return in a process of its own for each run that is asked for."""
    for module in os.environ["COCOTB_TEST_MODULES"].split(","):
        importlib.import_module(module.strip())
    lifeline, listener = int(os.environ[_LIFELINE]), socket.socket(fileno=int(os.environ[_LISTENER]))
    while True:
        ready, _, _ = select.select([lifeline, listener], [], [])
        if lifeline in ready:
            os._exit(0)
        stream, _ = listener.accept()
        asked = json.loads(stream.makefile().readline())
        child = os.fork()
        if child == 0:
            listener.close()
            stream.close()
            _become(**asked)
            return
        _watch(stream, child)


def _become(mutant: int, log: str, limit: int) -> None:
    """Be the run of a mutant, for at most `limit` of the processor's seconds."""
    with open(log, "w") as file:
        for descriptor in (1, 2):
            os.dup2(file.fileno(), descriptor)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    # Plusargs are read where main() was given them.
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    start, end = int(fields[45]), int(fields[46])
    at = ctypes.string_at(start, end - start).index(_PLUSARG) + len(_PLUSARG)
    ctypes.memmove(start + at, f"{mutant:0{_DIGITS}}".encode(), _DIGITS)


def _watch(stream: socket.socket, child: int) -> None:
    """Until the run has ended, which it does when nobody waits for it any more."""
    with stream:
        while True:
            ended, status, used = os.wait4(child, os.WNOHANG)
            if ended:
                break
            if select.select([stream], [], [], _LOOK)[0]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(status)
        with contextlib.suppress(OSError):
            stream.sendall(json.dumps({"code": code, "cpu": used.ru_utime + used.ru_stime}).encode() + b"\n")
