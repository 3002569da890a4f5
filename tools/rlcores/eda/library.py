"""A core and the C++ around it as a shared library: Verilator's model, built once for each content and found again.

The content is that of the sources, the C++, the parameters and the tools. Libraries stand under build/ of a checkout or
in the user's cache folder.
"""

import contextlib
import fcntl
import hashlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console

from rlcores.base import files, forks, paths, tools
from rlcores.eda import slang
from rlcores.eda import sources as listed
from rlcores.errors import RunFailed

# Nothing may leak between two loaded models.
_COMPILE = ["-fPIC", "-fvisibility=hidden"]
_GCC = ["-fno-gnu-unique"]  # clang++ has no such symbols
# C++ that is optimised in one piece, in bytes: every further file costs the compiler a second or two of headers.
_WHOLE = 16_000_000
# Verilator's own default is -Os; -O2 takes half as long again to build, and the models are no quicker.
_USUAL = "-O1"
# Instances of a module can share code only when nothing is optimised across its ports.
_SHARE = ["-fno-gate", "-fno-dfg", "-Wno-UNOPTFLAT", "--output-split-cfuncs", "3000"]


def build(
    vlnv: str,
    top: str,
    parameters: Mapping[str, int | str] | None,
    driver: Path,
    headers: Sequence[Path] = (),
    *,
    written: Mapping[str, str] | None = None,
    defines: Sequence[str] = (),
    libraries: Sequence[Path] = (),
    shared: Sequence[str] = (),
) -> Path:
    """The library of module `top` of a core with `driver`, a C++ file that includes "Vtop.h", the model.

    parameters: Verilog parameters of the top. headers: what the driver includes from its folder. written: further
    headers, name and text. defines: macros, NAME=VALUE. libraries: folders with further .core files. shared: modules
    whose many instances share their code; without it, code grows with every instance. Raises UserError when the core
    does not exist or a parameter is illegal, RunFailed when it does not build.
    """
    parameters, written = dict(parameters or {}), dict(written or {})
    optimise = tools.optimisation() or _USUAL
    options = tools.model_options(optimise)
    compile_flags = _COMPILE if "CXX=clang++" in options else [*_COMPILE, *_GCC]
    read = listed.of_core(vlnv, libraries=tuple(str(path) for path in libraries))
    what = [top, sorted(parameters.items()), written, list(defines), compile_flags, optimise, sorted(shared), _SHARE]
    digest = hashlib.sha256(json.dumps([*what, importlib.metadata.version("verilator")]).encode())
    for path in (driver, *headers, *read.files, *read.includes):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    folder = home() / f"{top}-{driver.stem}-{digest.hexdigest()[:16]}"
    library = folder / "libtop.so"
    if library.exists():
        return library
    slang.check(read.design(top, parameters))
    tools.require_commands("g++", "make", "perl", "verilator")
    with _alone(folder, top):
        if not library.exists():
            begun = time.monotonic()
            _say(f"building {top} with Verilator, once for these sources and parameters: one to several minutes")
            for name, text in written.items():
                files.replace(folder / name, text)
            # Relative, so that a cache of compilations knows Verilator's own files again in every folder.
            flags = [*compile_flags, "-I..", f"-I{driver.parent}", *(f"-D{define}" for define in defines)]
            verilate = ["-CFLAGS", " ".join(flags)]
            if shared:
                marks = "".join(f'no_inline -module "{module}"\n' for module in shared)
                files.replace(folder / "shared.vlt", f"`verilator_config\n{marks}")
                verilate += [str(folder / "shared.vlt"), *_SHARE]
            verilate += [f"-G{name}={slang.literal(value)}" for name, value in parameters.items()]
            verilate += [f"+incdir+{path}" for path in read.folders]
            _compile(folder, top, [*verilate, *map(str, (*read.files, driver))], options)
            _say(f"{top} is built, after {time.monotonic() - begun:.0f} s; the next run starts at once")
    return library


def _compile(folder: Path, top: str, arguments: Sequence[str], options: Sequence[str]) -> None:
    work = folder / "obj"
    shutil.rmtree(work, ignore_errors=True)
    verilate = ["verilator", "--cc", "--exe", "-O3", "--prefix", "Vtop", "--top-module", top]
    verilate += ["-Wno-lint", "-Wno-style", "--x-assign", "fast", "--x-initial", "fast", "--output-split", "20000"]
    verilate += ["-LDFLAGS", "-shared -Wl,-Bsymbolic", "--Mdir", str(work), "-o", "libtop.so", *arguments]
    # The wheel is not configured for precompiled headers: without the last two, several files do not build.
    make = ["make", "-C", str(work), "-f", "Vtop.mk", "-j", "2", *options]
    make += ["VK_PCH_I_FAST=", "VK_PCH_I_SLOW="]
    log = folder / "log.txt"
    with log.open("w") as stream:
        done = tools.run(verilate, cwd=folder, env=tools.env(), stdout=stream, stderr=subprocess.STDOUT)
        if done.returncode == 0:
            if "OPT_FAST=-O0" in options or sum(path.stat().st_size for path in work.glob("*.cpp")) < _WHOLE:
                make.append("VM_PARALLEL_BUILDS=0")
            done = tools.run(make, cwd=folder, env=tools.env(), stdout=stream, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-30:])
        raise RunFailed(
            f"{top} does not build with {tools.version('verilator')}, {tools.version('g++')} and"
            f" {Path(arguments[-1]).name}; the end of {log}:\n{tail}"
        )
    # Only a finished library carries the name that the next run looks for.
    os.replace(work / "libtop.so", folder / "libtop.so")
    shutil.rmtree(work, ignore_errors=True)


@contextlib.contextmanager
def _alone(folder: Path, top: str) -> Iterator[None]:
    """Inside, this process alone builds in the folder; another one may have built there before."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        forks.leave_in_child(lock, lambda file: file.close())
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say(f"waiting for another process that builds {top}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _say(text: str) -> None:
    Console(stderr=True, highlight=False, soft_wrap=True).print(f"rlcores: {text}")


def home() -> Path:
    """Where finished libraries are kept: build/ of a checkout, else the user's cache folder."""
    if paths.root().name != "data":
        return paths.build() / "verilated"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rlcores" / "verilated"
