"""Every RTL file is in the library: exactly one core lists it."""

from collections import Counter
from pathlib import Path

from rlcores.base import paths
from rlcores.engine import configs


def listed_files() -> Counter:
    """How many .core files list each file, by resolved path."""
    count: Counter[Path] = Counter()
    for file in (paths.root() / "rtl").rglob("*.core"):
        # A core may have a file in several filesets, of which a target takes one.
        listed = set()
        for fileset in configs.read_core(file).get("filesets", {}).values():
            for entry in fileset.get("files", []):
                name = next(iter(entry)) if isinstance(entry, dict) else entry
                # A file may stand behind a flag: "tool_verilator? (prims.vlt)".
                listed.add((file.parent / name.split("?")[-1].strip(" ()")).resolve())
        count.update(listed)
    return count


def test_every_rtl_file_belongs_to_exactly_one_core() -> None:
    count = listed_files()
    files = [f for kind in ("*.v", "*.vh", "*.sv") for f in (paths.root() / "rtl").rglob(kind)]
    assert files
    wrong = {f.name: count[f.resolve()] for f in files if count[f.resolve()] != 1}
    assert not wrong, f"listed by so many cores instead of one: {wrong}"


def test_every_verilog_file_says_its_licence_below_its_title() -> None:
    folders = [paths.root() / name for name in ("rtl", "verif", "constraints", "examples")]
    files = [f for folder in folders for kind in ("*.v", "*.vh", "*.sv", "*.svh") for f in folder.rglob(kind)]
    assert len(files) > 200
    missing = [f.name for f in files if "// SPDX-License-Identifier: Apache-2.0" not in f.read_text().splitlines()[1:4]]
    assert not missing


def test_no_core_lists_a_file_that_is_not_there() -> None:
    missing = [str(f) for f in listed_files() if not f.exists()]
    assert not missing
