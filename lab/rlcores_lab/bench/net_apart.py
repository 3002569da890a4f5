"""dm-reverb for `rlcores bench net`, in an environment of its own, for it needs another NumPy than we."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from rlcores.errors import RunFailed
from rlcores_lab.bench import apart
from rlcores_lab.bench.apart.net_work import Measured, Work

# reverb says no bound of its own; TensorFlow 2.15 is what 0.14.0 was built with, and it needs NumPy below 2.
WANTED = ("dm-reverb==0.14.0", "tensorflow-cpu==2.15.1", "numpy<2", "setuptools<81")
PYTHONS = ((3, 11), (3, 10), (3, 9))  # that it has wheels for
FOLDER = "bench-reverb-0.14.0"


class NotThere(Exception):
    """A peer that cannot be had here; says why."""


def reverb(work: Work, sizes: list[int]) -> Iterator[tuple[int, Measured]]:
    """What dm-reverb does with records of these sizes, one after the other.

    The environment is made the first time: about 300 MB to load, and 1.2 GB. Raises NotThere where that is not
    possible, and RunFailed when the work fails.
    """
    python = environment()
    folder = Path(apart.__file__).parent
    kept = {name: x for name, x in os.environ.items() if name not in ("PYTHONHOME", "VIRTUAL_ENV")}
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            [python, "-c", "import net_reverb; net_reverb.main()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=said, text=True, env=kept | {"PYTHONPATH": str(folder), "TF_CPP_MIN_LOG_LEVEL": "3"},
        )  # fmt: skip
        try:
            process.stdin.write(json.dumps({"work": asdict(work), "sizes": sizes}))
            process.stdin.close()
            for line in process.stdout:
                one = json.loads(line)
                records, samples = ({int(n): x for n, x in one[what].items()} for what in ("records", "samples"))
                yield one["size"], Measured(records, tuple(one["push"]), {n: tuple(x) for n, x in samples.items()})
        finally:
            process.stdout.close()
            if process.wait() and sys.exc_info()[0] is None:
                said.seek(0)
                raise RunFailed(
                    f"the work at dm-reverb failed: {(said.read().splitlines() or ['it says nothing'])[-1]}"
                )


def environment() -> Path:
    """The Python that has dm-reverb, in the user's cache folder; made where it is not there. Raises NotThere."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rlcores"
    folder = home / FOLDER
    python, whole = folder / "bin" / "python", folder / "whole"
    if whole.exists():
        return python
    shutil.rmtree(folder, ignore_errors=True)
    home.mkdir(parents=True, exist_ok=True)
    uv = _uv()
    if uv is not None:
        _done([*uv, "venv", "--quiet", "--no-project", "--python", ".".join(map(str, PYTHONS[0])), folder])
        _done([*uv, "pip", "install", "--quiet", "--python", python, *WANTED])
    else:
        _done([_python(), "-m", "venv", folder])
        _done([python, "-m", "pip", "install", "--quiet", *WANTED])
    whole.touch()
    return python


def _uv() -> list[str] | None:
    uv = shutil.which("uv")
    if uv is not None:
        return [uv]
    return [sys.executable, "-m", "uv"] if importlib.util.find_spec("uv") else None


def _python() -> str:
    if sys.version_info[:2] in PYTHONS:
        return sys.executable
    for version in PYTHONS:
        if python := shutil.which(f"python{version[0]}.{version[1]}"):
            return python
    raise NotThere("it needs Python 3.9 to 3.11, or uv, which brings one")


def _done(command: list) -> None:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "it says nothing").splitlines()
        raise NotThere(f"`{' '.join(map(str, command[:4]))} …` fails: {said[-1]}")
