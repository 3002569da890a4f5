"""Parameters as Verilog, in gen/: rlc_CORE_parameters.vh of headers of modules, rlc_CORE_args.vh of their instances."""

from pathlib import Path

from rlcores.base import paths
from rlcores.eda import declared
from rlcores_lab import shown
from rlcores_lab.writers.instances import wrapped


def outputs() -> dict[Path, str]:
    """The files that some module includes, from the root, and their text."""
    rtl = paths.root() / "rtl"
    text = "".join(file.read_text() for kind in ("*.v", "*.sv") for file in sorted(rtl.rglob(kind)))
    texts = {}
    for core in declared.cores():
        for name, written in ((f"rlc_{core}_parameters.vh", parameters), (f"rlc_{core}_args.vh", passed)):
            if f'`include "{name}"' in text:
                texts[declared.folder(core).relative_to(paths.root()) / "gen" / name] = written(core)
    return texts


def parameters(core: str) -> str:
    """The parameters' declarations, own ones first, because defaults of others may follow from them; derived last."""
    known, own = declared.all_of(core), declared.own(core)
    values = {name: f'"{p.default}"' if p.listed else str(p.default) for name, p in known.items()}
    other = declared.defaults(core)
    values |= {name: f'"{value}"' if known[name].listed else str(value) for name, value in other.items()}
    lines = []
    for name in [*own, *(name for name in known if name not in own)]:
        p = known[name]
        kind = "[1023:0] " if p.listed else ""
        doc = p.doc if p.listed and not p.choice else f"{p.doc} ({p.range})"
        lines.append((f"{kind}{name}", values[name], doc))
    for name, entry in declared.derived(core).items():
        lines.append((name, entry["value"], f"derived, leave it alone: {entry['doc']}"))
    return shown.rendered("writers/parameters.vh.j2", core=core, lines=lines, checks=_checks(core))


def _checks(core: str) -> list[tuple[str, str]]:
    """What holds for legal values of a core's own parameters, and words of each check's name.

    Also that a derived one was not given another value. Digits and other lists are checked where they are taken apart.
    """
    checks = [check for name, p in declared.own(core).items() if (check := _limits(name, p))]
    derived = declared.derived(core)
    if derived:
        equal = " && ".join(f"{name} == ({entry['value']})" for name, entry in derived.items())
        verb = "follow" if len(derived) > 1 else "follows"
        checks.append((equal, f"{'_and_'.join(derived)}_{verb}_from_the_others"))
    return checks


def _limits(name: str, p: declared.Parameter) -> tuple[str, str] | None:
    """What holds for a legal value, as Verilog and as words of a check's name; None of digits and most lists."""
    if p.numbers:
        least, most = p.numbers
        return f"all_in({name}, {least}, {most})", f"{name}_must_be_numbers_of_{least}_to_{most}"
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
    lines = wrapped([f".{name}({name})" for name in declared.all_of(core)])
    return shown.rendered("writers/args.vh.j2", core=core, lines=lines)
