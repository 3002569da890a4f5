"""What the RTL, the engine, the lists of files and the docs say of all environments, from their declarations.

outputs(): the parameters and numbers in rtl/env/env.yaml, rlc_env_physics.sv, and two headers of the engine. PARTS:
parts of other files, which parts.py puts there.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from rlcores.base import paths
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.words import ANSWER, NUMBERS
from rlcores.eda import declared
from rlcores_lab import shown
from rlcores_lab.cycles import env as cycles
from rlcores_lab.writers import native_headers

_ALL = list(ENVIRONMENTS.values())
_LEAVES = {physics.leaf: physics for physics in _ALL}


def outputs() -> dict[Path, str]:
    """The files, from the root, and their text. What was read of declarations before is read again."""
    from rlcores_lab.writers import parts

    declaration = Path("rtl/env/env.yaml")
    texts = {declaration: parts.refreshed(paths.root() / declaration)}
    context = {"environments": _ALL, "leaves": sorted(_LEAVES)}
    native = native_headers.FOLDER
    for folder, name in (
        (Path("rtl/env/gen"), "rlc_env_physics.sv"),
        (native, "env_table.hpp"),
        (native, "env_steps.hpp"),
    ):
        texts[folder / name] = shown.rendered(f"writers/{name}.j2", **context)
    declared.of.cache_clear()
    declared._read.cache_clear()
    return texts


def choices() -> str:
    """The line of parameter ENV in env.yaml."""
    names, more = ", ".join(ENVIRONMENTS), "a core has one; the table [below](#the-environments) describes them"
    return f'ENV:        {{choice: [{names}], default: 0, doc: the environment, more: "{more}"}}\n'


def numbers() -> str:
    """The lines in env.yaml of what follows from ENV."""
    columns = {
        "STATES": ([len(p.states) for p in _ALL], "numbers of a state"),
        "OBS": ([len(p.observations) for p in _ALL], "numbers of an observation"),
        "DRAWS": ([p.draws for p in _ALL], "random words of a reset"),
        "ACTIONS": ([p.actions for p in _ALL], '"discrete actions; 0: the action is a number"'),
        "COMPONENTS": ([p.components for p in _ALL], "numbers of an action, 1 for an index"),
        "LATENCY": ([p.latency for p in _ALL], "clocks of a step of the physics"),
        "RESET_LATENCY": ([p.reset_latency for p in _ALL], "clocks of a reset"),
    }
    return "".join(f'{n + ":":<14} {{value: "{chosen(values)}", doc: {doc}}}\n' for n, (values, doc) in columns.items())


def chosen(values: Sequence[int]) -> str:
    """A number of each environment as an expression of ENV; what most of them have stands at its end.

    >>> chosen([4, 2, 2, 3, 4, 2])
    '(ENV == 0 || ENV == 4) ? 4 : (ENV == 3) ? 3 : 2'
    """
    ((most, _),) = Counter(values).most_common(1)
    expression = ""
    for value in dict.fromkeys(v for v in values if v != most):
        where = " || ".join(f"ENV == {number}" for number, v in enumerate(values) if v == value)
        expression += f"({where}) ? {value} : "
    return f"{expression}{most}"


def streams() -> str:
    """The lines in env.yaml of the streams behind AXI."""
    each = {name: ", ".join(map(str, values)) for name, values in (
        ("s_axis", [p.components for p in _ALL]), ("m_axis", [len(p.observations) for p in _ALL]))}  # fmt: skip
    s_axis, m_axis = (
        f"beat(18 * of(ENV, {each['s_axis']}), 32)",
        f"beat({ANSWER.bits} + {NUMBERS} * of(ENV, {each['m_axis']}), 256)",
    )
    return f'streams: {{s_axis: "{s_axis}", m_axis: "{m_axis}"}}\n'


def leaves() -> str:
    """The files of the leaves in env.core, what a leaf is made of before it."""
    folder = paths.root() / "rtl" / "env"
    lines = []
    for leaf in _LEAVES:
        parts = sorted(folder.rglob(f"rlc_env_{leaf}_*.v"), key=lambda file: file.name)
        lines += [*(str(file.relative_to(folder)) for file in parts), f"rlc_env_{leaf}.v"]
    return "".join(f"- {name}\n" for name in lines)


def leaf_targets() -> str:
    """The targets of leaves.core: each leaf alone in both simulators."""
    return "".join(shown.rendered("writers/leaf_targets.j2", leaf=leaf, physics=p) for leaf, p in _LEAVES.items())


def table() -> str:
    """The table of docs/env.md."""
    rows = [("`ENV`", "Gymnasium", "state", "observation", "action", "reward", "`LATENCY`", "`PIPELINE`")]
    for number, p in enumerate(_ALL):
        steps = f"{p.gymnasium}, {p.time_limit} steps"
        rows.append((f"{number} `{p.name}`", steps, *p.said, p.latency, cycles.pipeline({"ENV": number})))
    return shown.markdown(rows)


PARTS: dict[str, Callable[[], str]] = {
    "choices": choices, "numbers": numbers, "streams": streams, "leaves": leaves, "leaf_targets": leaf_targets,
    "environments": table,
}  # fmt: skip
