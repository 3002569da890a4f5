"""The files of a core and of what it depends on, as FuseSoC resolves them. Whoever reads RTL asks here."""

import contextlib
import io
import logging
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rlcores.base import paths, tools
from rlcores.eda import configs, slang
from rlcores.errors import UserError

if TYPE_CHECKING:
    from fusesoc.fusesoc import Fusesoc


@dataclass(frozen=True)
class Sources:
    """What a target of a core lists, dependencies first."""

    files: tuple[Path, ...]  # Verilog and SystemVerilog
    includes: tuple[Path, ...] = ()  # what these files include
    waivers: tuple[Path, ...] = ()  # for Verilator
    tops: tuple[str, ...] = ()

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where the includes are."""
        return tuple(dict.fromkeys(path.parent for path in self.includes))

    def design(self, top: str, parameters: Mapping[str, int | str] | None = None) -> slang.Design:
        """A module of these files, to elaborate."""
        return slang.Design(self.files, self.folders, top, parameters)


def fusesoc(libraries: Sequence[str] = (), **settings: object) -> "Fusesoc":
    """FuseSoC with the cores of rlcores and those below these folders. settings: attributes of its Config."""
    from fusesoc.config import Config
    from fusesoc.fusesoc import Fusesoc
    from fusesoc.librarymanager import Library

    logging.getLogger("fusesoc").setLevel(logging.ERROR)
    config = Config(str(paths.root() / "fusesoc.conf"))
    for name, value in settings.items():
        setattr(config, name, value)
    made = Fusesoc(config)
    for folder in libraries:
        made.add_library(Library(Path(folder).name, folder))
    return made


@cache
def of_core(vlnv: str, target: str = "default", libraries: tuple[str, ...] = ()) -> Sources:
    """The files of a core's target, and of the `default` targets of what it depends on.

    What FuseSoC generates for it is made anew for this process. libraries: further folders with .core files. Raises
    UserError when FuseSoC does not find the core, a dependency or the target, when a generator fails, and when two
    files have the same name.
    """
    tools.need_package("fusesoc")
    from fusesoc.coremanager import DependencyError
    from fusesoc.vlnv import Vlnv

    root = Vlnv(vlnv)
    flags = {"target": target, "tool": "verilator", "is_toplevel": True}
    listed: list[tuple[Path, dict]] = []
    try:
        cores = database(libraries).cm.get_depends(root, flags)
        cores[-1].get_flags(target)  # refuses a target that is not there
        for core in cores:
            top = (core.name.vendor, core.name.library, core.name.name) == (root.vendor, root.library, root.name)
            core_flags = {**flags, "is_toplevel": top, "target": target if top else "default"}
            for one in (core, *_generated(core, cores, core_flags)):
                listed += [(Path(one.files_root, file["name"]).resolve(), file) for file in one.get_files(core_flags)]
    except (DependencyError, SyntaxError, RuntimeError, KeyError) as error:
        what = f"core '{vlnv}'" + ("" if target == "default" else f" with target '{target}'")
        raise UserError(f"{what} was not found: {error}") from error
    sources = _sorted(listed, _tops(cores[-1], flags))
    names = [path.name for path in (*sources.files, *sources.includes)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UserError(f"core '{vlnv}' lists two files of the same name: {', '.join(twice)}")
    return sources


def _generated(core, cores: Sequence, flags: Mapping[str, object]) -> Iterator:
    """The cores that a core asks generators for; any of `cores` may have the generator."""
    from fusesoc.edalizer import Ttptttg

    for asked in core.get_ttptttg(flags):
        generators = {name: generator for one in cores for name, generator in one.get_generators(flags).items()}
        with tools.environment(tools.env()), contextlib.redirect_stdout(io.StringIO()):
            yield from Ttptttg(asked, core, generators, _scratch().name).generate()


@cache
def _scratch() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="rlcores-")


def of_edam(edam: Mapping, folder: Path) -> Sources:
    """The files of an edalize description, which count from this folder."""
    listed = [((folder / f["name"]).resolve(), f) for f in edam["files"]]
    return _sorted(listed, tuple(edam.get("toplevel", "").split()))


def design(edam: Mapping, folder: Path, top: str) -> slang.Design:
    """What an edalize description, whose files count from this folder, makes of a top."""
    made = of_edam(edam, folder).design(top, configs.edam_parameters(edam))
    return replace(made, defines=configs.edam_parameters(edam, "vlogdefine"))


def _sorted(listed: Sequence[tuple[Path, Mapping]], tops: tuple[str, ...]) -> Sources:
    kinds = [(path, f.get("file_type", ""), bool(f.get("is_include_file"))) for path, f in listed]
    verilog = [(path, include) for path, kind, include in kinds if kind.startswith(("verilog", "systemVerilog"))]
    return Sources(
        tuple(path for path, include in verilog if not include),
        tuple(path for path, include in verilog if include),
        tuple(path for path, kind, _ in kinds if kind == "vlt"),
        tops,
    )


def database(libraries: tuple[str, ...] = ()) -> "Fusesoc":
    """fusesoc(libraries), read once for each value of FUSESOC_CORES: that takes a second."""
    return _database(libraries, os.environ.get("FUSESOC_CORES"), paths.root())


@cache
def _database(libraries: tuple[str, ...], others: str | None, root: Path) -> "Fusesoc":
    return fusesoc(libraries)


def _tops(core, flags: Mapping[str, object]) -> tuple[str, ...]:
    try:
        return tuple(core.get_toplevel(flags).split())
    except SyntaxError:  # what is only there for others to depend on
        return ()
