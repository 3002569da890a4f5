"""Parameters as Verilog: rtl/*/rlc_CORE_parameters.vh for headers of modules, rlc_CORE_pass.vh for their instances."""

from pathlib import Path

from rlcores.base import paths
from rlcores.engine import declared
from rlcores.engine.instances import wrapped

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
    known, own = declared.all_of(core), declared.fact(core, "parameters", {})
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
    return text + "/* verilator lint_restore */\n" + left_alone(core)


def left_alone(core: str) -> str:
    """A macro for the body of a top, which stops every tool where a derived parameter was given another value."""
    derived = declared.fact(core, "derived", {})
    if not derived:
        return ""
    macro = f"RLC_{core.upper()}_DERIVED"
    equal = " \\\n         && ".join(f"{name} == ({entry['value']})" for name, entry in derived.items())
    verb = "follow" if len(derived) > 1 else "follows"
    return "\n".join(
        [
            f"`ifndef {macro}",
            f"`define {macro}(top) \\",
            f"    if (!({equal})) begin : g_check_derived \\",
            f"        top``_illegal_{'_and_'.join(derived)}_{verb}_from_the_others u_stop (); \\",
            "    end",
            "`endif\n",
        ]
    )


def passed(core: str) -> str:
    """The same parameters handed on to an instance; what is derived follows by itself."""
    text = _HEAD.format(
        name=f"rlc_{core}_pass.vh", what="the parameters of a module handed on to an instance in it.", core=core
    )
    return "\n".join([text, *wrapped([f".{name}({name})" for name in declared.all_of(core)]), ""])
