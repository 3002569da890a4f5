"""The page docs/results.md with its picture, and README's ten figures: sentences of *.md.in with the figures in force.

In braces stands what is filled in. A figure is 'gae.paper64.clocks', by core, configuration and name: of the baseline
of `rlcores qor`, or of measured/*.json, which commands wrote by `--json`; a form such as ':.2f' may follow. Further:
'gae.tiny.lut%zcu106', a share of a board; 'row gae.tiny.lut', that of one row of the array; 'clock u200', a board's
clock; 'ns u200 CLOCKS' and 'us u200 CLOCKS', a time at it, with '/N' of one of N things; 'ratio u200 CLOCKS US', how
often that goes into the microseconds of a peer; 'share u200', the replay learner's gradient steps per clock as a
share of the learner's, both counted in the RTL; 'seeds TASK', in how many the integers learn it; 'robots ID', returns
of HEPPO's experiments on a robot, 'robots 3-4-5', those of experiment 5 with these bits, 'robots values', what is
said of the critic's values there; and 'commits', where the
line's figures were accepted. A line with @name stands for each environment. CLOCKS is a figure's name or a number. What
is not in braces was measured at the commit that the line says.
"""

import re
from pathlib import Path

from rlcores.base import files, paths
from rlcores.cores.env import environments
from rlcores.eda import boards, declared
from rlcores.errors import RunFailed
from rlcores_lab import shown
from rlcores_lab.area.estimate import measure
from rlcores_lab.bench import native_picture
from rlcores_lab.dse import clocks
from rlcores_lab.qor.baseline import Baseline
from rlcores_lab.study import robots, robots_table, table
from rlcores_lab.study.learning import Run

PAGE, PICTURE = Path("docs") / "results.md", Path("docs") / "native.svg"
_HERE = Path(__file__).resolve().parent
_BRACES = re.compile(r"\{([^{}]+)\}")
_LOOP = ("replay_learner", "learner")
_BETWEEN = re.compile(r"(?<!\\)\|")  # cells
_NAME = re.compile(r"[a-z]\w*\.\w+\.[\w.]+")


def outputs() -> dict[Path, str]:
    """The files, from the root, and their text."""
    page = hinted(filled(each_environment(files.read_text(_HERE / "results.md.in", "a page with braces"))))
    native = files.read_json(_HERE / "measured" / "native.json", "figures of a command")
    return {PAGE: page, PICTURE: native_picture.svg(native["figures"])}


def hinted(page: str) -> str:
    """A page whose tables end in a column of commits, with these as hints on the commands."""
    lines = []
    for line in page.splitlines(keepends=True):
        if line in ("| what | figure | command | commit |\n", "|---|---|---|---|\n"):
            line = line.rpartition("|")[0].rpartition("|")[0] + "|\n"
        elif line.startswith("| ") and len(cells := _BETWEEN.split(line.strip().strip("|"))) == 4:
            *rest, command, commit = (cell.strip() for cell in cells)
            command = shown.hinted(command, f"at {commit}") if commit and command else command
            line = f"| {' | '.join([*rest, command])} |\n"
        lines.append(line)
    return "".join(lines)


def each_environment(text: str) -> str:
    """A text whose lines with @name stand once for each environment that was measured."""
    lines = []
    for line in text.splitlines(keepends=True):
        for physics in environments.ENVIRONMENTS.values() if "@name" in line else ():
            if (_HERE / "measured" / f"env_{physics.name}.json").is_file():
                whose = "the equations'" if physics.gymnasium.startswith("rlcores/") else "Gymnasium's"
                values = {"@name": physics.name, "@gymnasium": physics.gymnasium, "@whose": whose}
                lines.append(re.sub("@[a-z]+", lambda at, values=values: values[at[0]], line))
        if "@name" not in line:
            lines.append(line)
    return "".join(lines)


def ten() -> str:
    """README's ten figures."""
    return filled(files.read_text(_HERE / "figures.md.in", "a table with braces"))


def known(baseline: Baseline) -> dict[str, tuple[float, str]]:
    """Every figure by its name, and the commit at which it was accepted or measured."""
    figures = {name: (value, baseline.history(name)[-1][0].split()[1]) for name, value in baseline.figures().items()}
    for file in sorted((_HERE / "measured").glob("*.json")):
        d = files.read_json(file, "figures of a command")
        for f in d["figures"]:
            figures[f"{d['core']}.{d['config'] or 'all'}.{f['name'].partition('.')[2]}"] = f["value"], d["commit"]
    return figures


def filled(text: str, baseline: Baseline | None = None) -> str:
    """Fill the braces of a text. Raises RunFailed for a name that has no value."""
    figures = known(baseline or Baseline())

    def number(name: str) -> float:
        if name not in figures and not name.isdigit():
            raise RunFailed(f"neither the baseline of `rlcores qor` nor measured/*.json has a figure '{name}'")
        return figures[name][0] if name in figures else float(name)

    def one(words: str, line: str) -> str:
        if words == "commits":
            names = [n for other in _BRACES.findall(line) for n in _NAME.findall(other) if not other.startswith("row")]
            return ", ".join(dict.fromkeys(figures[n][1] for n in names))
        what, _, rest = words.partition(" ")
        name, _, after = rest.partition(" ")
        if what == "clock":
            return str(boards.of(name).clock)
        if what in ("ns", "us", "ratio"):
            took, _, last = after.partition(" ")
            mhz = boards.of(name).clock.mhz
            if what == "ratio":
                return f"{float(last) * mhz / number(took):.2g}"
            each = number(took) / float(last.removeprefix("/") or 1) / mhz
            return f"{1e3 * each:.2g} ns" if what == "ns" else f"{each:.3g} µs"
        if what == "row":
            return f"{_row(*rest.split('.')):.3g}"
        if what == "share":
            own, alone = ({e["config"]: e["clocks"] for e in clocks.read() if e["core"] == core} for core in _LOOP)
            return f"{100 * alone[rest] / own[rest]:.1f} %"
        if what == "seeds":
            return _seeds(rest)
        if what == "robots":
            runs = robots.kept()
            if name == "values":
                return robots_table.reading(runs)
            bits = [int(x) for x in name.split("-")] if name[0].isdigit() else []
            sentence = robots_table.bits_sentence(runs, bits) if bits else robots_table.sentence(runs, name)
            return sentence or f"{'Hopper-v5' if bits else name}: no run yet"
        words, _, form = words.partition(":")
        figure, _, board = words.partition("%")
        if board:
            return f"{100 * number(figure) / boards.of(board).resources[figure.rpartition('.')[2]]:.0f} %"
        return f"{number(figure):{form}}" if form else shown.number(number(figure))

    return "".join(
        _BRACES.sub(lambda match, line=line: one(match[1], line), line) for line in text.splitlines(keepends=True)
    )


def _row(core: str, config: str, resource: str) -> float:
    """A row's share of the array that yosys counted in a configuration."""
    array = declared.fact(core, "synth")["array"]
    for m in measure.table():
        if (m.core, m.config, m.module) == (core, config, array["module"]):
            return m.counts[resource] / m.parameters[array["per"]]
    raise RunFailed(f"measurements.json has no array of {core} {config}")


def _seeds(task: str) -> str:
    """In how many seeds of the learning study the integers learn a task."""
    kept = files.read_json(paths.root() / "docs" / "learner_study.json", "runs of the learning study", list)
    runs = [Run(**entry) for entry in kept]
    own = next(x for x in table.lines(runs) if (x.task, x.arithmetic) == (task, "integer"))
    return f"{own.learned} of {own.seeds}"
