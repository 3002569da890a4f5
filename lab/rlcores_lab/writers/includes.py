"""Parameters as Verilog: rtl/*/rlc_CORE_parameters.vh for headers of modules, rlc_CORE_pass.vh for their instances."""

from pathlib import Path

from rlcores.base import paths
from rlcores.engine import declared
from rlcores_lab.writers.instances import wrapped

_HEAD = """// {name} — {what}
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores docs` from the declaration {core}.yaml; do not edit.
"""
_UNUSED = """
// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
"""


def outputs() -> dict[Path, str]:
    """The files that some module includes, from the root, and their text."""
    rtl = paths.root() / "rtl"
    text = "".join(file.read_text() for kind in ("*.v", "*.sv") for file in sorted(rtl.rglob(kind)))
    found = {}
    for core in declared.cores():
        for name, written in ((f"rlc_{core}_parameters.vh", parameters), (f"rlc_{core}_pass.vh", passed)):
            if f'`include "{name}"' in text:
                found[declared.folder(core).relative_to(paths.root()) / name] = written(core)
    return found


def parameters(core: str) -> str:
    """The parameters' declarations, own ones first, because defaults of others may follow from them; derived last."""
    known, own = declared.all_of(core), declared.own(core)
    values = {name: f'"{p.default}"' if p.listed else str(p.default) for name, p in known.items()}
    values |= {name: str(value) for name, value in declared.fact(core, "defaults", {}).items()}
    lines = []
    for name in [*own, *(name for name in known if name not in own)]:
        p = known[name]
        kind = "[1023:0] " if p.listed else ""
        doc = p.doc if p.listed else f"{p.doc} ({p.range})"
        lines.append((f"{kind}{name}", values[name], doc))
    for name, entry in declared.fact(core, "derived", {}).items():
        lines.append((name, entry["value"], f"derived, leave it alone: {entry['doc']}"))
    width, size = max(len(name) for name, _, _ in lines), max(len(value) for _, value, _ in lines) + 1
    text = _HEAD.format(name=f"rlc_{core}_parameters.vh", what="parameters, included in a module's header.", core=core)
    text += _UNUSED
    for n, (name, value, doc) in enumerate(lines):
        text += f"parameter {name:{width}} = {value + (',' if n < len(lines) - 1 else ''):{size}} // {doc}\n"
    return text + "/* verilator lint_restore */\n" + legal(core)


def legal(core: str) -> str:
    """A macro for the body of a module, which stops every tool where one of the core's own parameters is out of range.

    Also where a derived one was given another value. Digits and lists are checked where they are taken apart.
    """
    checks = [check for name, p in declared.own(core).items() if (check := _limits(name, p))]
    derived = declared.fact(core, "derived", {})
    if derived:
        equal = " && ".join(f"{name} == ({entry['value']})" for name, entry in derived.items())
        verb = "follow" if len(derived) > 1 else "follows"
        checks.append((equal, f"{'_and_'.join(derived)}_{verb}_from_the_others"))
    macro = f"RLC_{core.upper()}_LEGAL"
    lines = [f"    `RLC_CHECK({holds}, \\\n               top``_illegal_{words})" for holds, words in checks]
    return "\n".join(
        ['`include "rlc_check.vh"', f"`ifndef {macro}", f"`define {macro}(top) \\", " \\\n".join(lines), "`endif\n"]
    )


def _limits(name: str, p: declared.Parameter) -> tuple[str, str] | None:
    """What holds for a legal value, as Verilog and as words of a check's name; None of digits and lists."""
    if p.listed or p.digits:
        return None
    some = p.one_of or (0, 1) * (p.choice == (False, True))
    if some:
        return " || ".join(f"{name} == {n}" for n in some), f"{name}_must_be_{'_or_'.join(map(str, some))}"
    least, most = (0, len(p.choice) - 1) if p.choice else (p.least, p.most)
    if most is None:
        return f"{name} >= {least}", f"{name}_must_be_at_least_{least}"
    return f"{name} >= {least} && {name} <= {most}", f"{name}_must_be_{least}_to_{most}"


def passed(core: str) -> str:
    """The same parameters handed on to an instance; what is derived follows by itself."""
    text = _HEAD.format(
        name=f"rlc_{core}_pass.vh", what="the parameters of a module handed on to an instance in it.", core=core
    )
    return "\n".join([text, *wrapped([f".{name}({name})" for name in declared.all_of(core)]), ""])
