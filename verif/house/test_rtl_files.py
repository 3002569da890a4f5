"""Every RTL file is in the library, exactly one core lists it, and says what its parameters are."""

import re
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


def test_every_source_file_says_its_licence_at_its_head() -> None:
    folders = [paths.root() / name for name in ("rtl", "verif", "constraints", "examples", "sw", "tools", "lab")]
    kinds = ["v", "vh", "sv", "svh", "vlt", "f", "rdl", "rdlh", "tcl", "xdc", "lpf", "cpp", "hpp", "h"]
    files = [f for folder in folders for kind in kinds for f in folder.rglob(f"*.{kind}") if "build" not in f.parts]
    assert {f.suffix[1:] for f in files} >= set(kinds) - {"svh"} and len(files) > 450
    missing = [f.name for f in files if "SPDX-License-Identifier: Apache-2.0" not in "".join(f.open().readlines()[:6])]
    assert not missing


def test_no_core_lists_a_file_that_is_not_there() -> None:
    missing = [str(f) for f in listed_files() if not f.exists()]
    assert not missing


def test_every_parameter_has_its_comment_at_its_declaration() -> None:
    files = {f.name: f.read_text() for f in (paths.root() / "rtl").rglob("*.*v")}
    own = {name: text for name, text in files.items() if "rlcores docs" not in text[:400]}
    found = {name: re.search(r"^module \w+ #\(\n(.*?)^\)", text, re.S | re.M) for name, text in own.items()}
    headers = {name: header[1].splitlines() for name, header in found.items() if header}
    assert len(headers) > 50
    bare = []
    for name, lines in headers.items():
        for above, line in zip(["", *lines], lines, strict=False):
            if re.match(r"\s*,?\s*parameter\b", line) and "//" not in line and not above.strip().startswith("//"):
                bare.append(f"{name}: {line.strip()}")
    assert not bare
