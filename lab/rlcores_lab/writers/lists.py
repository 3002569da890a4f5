"""Lists of files for people without FuseSoC, rtl/*/gen/CORE.f: for any tool that takes -f, in the repository's root."""

from pathlib import Path

from rlcores.base import paths
from rlcores.eda import configs, sources


def outputs() -> dict[Path, str]:
    """Every core's list, from the root, and its text."""
    return {core.written(".f").relative_to(paths.root()): text(core) for core in configs.cores().values()}


def text(core: configs.Core) -> str:
    """Folders of includes and files of a core and of what it depends on, in order."""
    read = sources.of_core(core.vlnv)
    lines = [f"+incdir+{folder.relative_to(paths.root())}" for folder in read.folders]
    lines += [str(file.relative_to(paths.root())) for file in read.files]
    what = core.vlnv + (f", top {read.tops[0]}" if len(read.tops) == 1 else "")
    head = f"// {what}: written by `rlcores generate`. Paths count from the root of rlcores."
    return "\n".join([head, "// SPDX-License-Identifier: Apache-2.0", *lines, ""])
