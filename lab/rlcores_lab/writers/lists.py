"""Lists of files for people without FuseSoC: rtl/*/CORE.f, for any tool that takes -f, run in the repository's root."""

import os
from pathlib import Path

from rlcores.base import paths
from rlcores.engine import configs, sources


def outputs() -> dict[Path, str]:
    """Every core's list, from the root, and its text."""
    return {core.file.with_suffix(".f").relative_to(paths.root()): text(core) for core in configs.cores().values()}


def text(core: configs.Core) -> str:
    """Folders of includes and files of a core and of what it depends on, in order."""
    read = sources.of_core(core.vlnv)
    lines = [f"+incdir+{_from_root(folder)}" for folder in read.folders]
    lines += [_from_root(file) for file in read.files]
    what = core.vlnv + (f", top {read.tops[0]}" if len(read.tops) == 1 else "")
    head = f"// {what}: written by `rlcores docs`. Paths count from the root of rlcores."
    return "\n".join([head, *lines, ""])


def _from_root(path: Path) -> str:
    return Path(os.path.relpath(path, paths.root())).as_posix()
