"""The Verilog files of a core, as its .core file lists them."""

from dataclasses import dataclass
from pathlib import Path

from rlcores.base import paths
from rlcores.errors import UserError


@dataclass(frozen=True)
class Sources:
    """Files to read, dependencies first, and the folders of their includes."""

    files: tuple[Path, ...]
    includes: tuple[Path, ...]  # files that others include


def of_core(vlnv: str, target: str = "default") -> Sources:
    """The Verilog of a core and of what it depends on.

    Raises UserError when FuseSoC does not find the core, one of its dependencies, or the target.
    """
    import logging

    from fusesoc.config import Config
    from fusesoc.coremanager import DependencyError
    from fusesoc.fusesoc import Fusesoc
    from fusesoc.vlnv import Vlnv

    logging.getLogger("fusesoc").setLevel(logging.ERROR)
    fusesoc = Fusesoc(Config(str(paths.root() / "fusesoc.conf")))
    flags = {"target": target, "tool": "yosys"}
    try:
        cores = fusesoc.cm.get_depends(Vlnv(vlnv), {**flags, "is_toplevel": True})
        own = Vlnv(vlnv)
        listed = []
        for core in cores:
            top = (core.name.vendor, core.name.library, core.name.name) == (own.vendor, own.library, own.name)
            for file in core.get_files({**flags, "is_toplevel": top, "target": target if top else "default"}):
                listed.append((Path(core.files_root, file["name"]).resolve(), file))
    except (DependencyError, SyntaxError, RuntimeError, KeyError) as error:
        raise UserError(f"core '{vlnv}' with target '{target}' was not found: {error}") from error
    verilog = [(path, f) for path, f in listed if f.get("file_type", "").startswith(("verilog", "systemVerilog"))]
    includes = tuple(path for path, f in verilog if f.get("is_include_file"))
    files = tuple(path for path, f in verilog if not f.get("is_include_file"))
    names = [path.name for path in (*files, *includes)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UserError(f"core '{vlnv}' lists two files of the same name: {', '.join(twice)}")
    return Sources(files, includes)
