"""The cores that exist, and the named parameter sets of configs.yaml."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rlcores.base import files, paths
from rlcores.base.naming import nearest
from rlcores.eda import declared
from rlcores.errors import RunFailed, UserError


@dataclass(frozen=True)
class Core:
    """One FuseSoC core under rtl/."""

    name: str  # what the command line calls it: its folder under rtl/, or its file
    vlnv: str  # vendor:library:name, as FuseSoC calls it
    file: Path  # its .core file
    description: str
    targets: tuple[str, ...]

    def written(self, suffix: str) -> Path:
        """Where `rlcores generate` puts what other tools than FuseSoC read of the core: `.f`, `.component.xml`."""
        return self.file.parent / "gen" / f"{self.file.stem}{suffix}"


@dataclass(frozen=True)
class Config:
    """One entry of configs.yaml."""

    core: str
    name: str
    parameters: dict[str, int | str]  # Verilog parameters of the core's top
    doc: str
    sim: bool  # whether the regression simulates it


def read_core(path: Path) -> dict:
    """The content of a .core file, without the `CAPI=2:` line that is not YAML's business."""
    content = files.read_yaml(path, "a FuseSoC core")
    if not isinstance(content.get("name"), str) or not isinstance(content.get("targets", {}), dict):
        raise UserError(f"'{path}' is not a FuseSoC core: it has no name, or no targets by name")
    return content


@cache
def cores() -> dict[str, Core]:
    """Every core under rtl/, by name.

    A folder's only core, or the one named like the folder, takes the folder's name; further ones are named like their
    file.
    """
    by_name: dict[str, Core] = {}
    for folder in sorted(p for p in (paths.root() / "rtl").glob("*") if p.is_dir()):
        there = sorted(folder.glob("*.core"))
        for file in there:
            alone = len(there) == 1
            name = folder.name if alone or file.stem == folder.name else file.stem
            by_name[name] = _core(name, file)
    return by_name


@cache
def systems() -> dict[str, Core]:
    """The depend-only cores of cores/ (systems, boards, 'everything'), by file name."""
    by_name = {}
    for file in sorted((paths.root() / "cores").glob("*.core")):
        by_name[file.stem] = _core(file.stem, file)
    return by_name


def _core(name: str, file: Path) -> Core:
    content = read_core(file)
    vlnv = ":".join(content["name"].split(":")[:3])
    return Core(name, vlnv, file, content.get("description", ""), tuple(content.get("targets", {})))


def core(name: str) -> Core:
    """The core of that name ('gae') or VLNV ('rlcores:gae:gae').

    Raises UserError, listing the cores, when there is none.
    """
    for item in cores().values():
        if name in (item.name, item.vlnv):
            return item
    hint = nearest(name, cores())
    raise UserError(f"there is no core '{name}'{hint}; cores: {', '.join(cores()) or 'none'}")


@cache
def _entries() -> dict[str, dict[str, dict]]:
    path = paths.root() / "configs.yaml"
    content = files.read_yaml(path, "a list of configurations")
    for core, entries in content.items():
        for name, entry in (entries if isinstance(entries, dict) else {None: None}).items():
            parameters = entry.get("parameters") if isinstance(entry, dict) else None
            if not isinstance(parameters, dict) or not all(isinstance(key, str) for key in parameters):
                where = f"{core}: {name}" if name is not None else f"{core}"
                raise UserError(f"'{path}' is not a list of configurations: '{where}' has no parameters by name")
    return content


def names(core_name: str) -> list[str]:
    """The configurations of a core, in the order of configs.yaml. Empty when it has none."""
    return list(_entries().get(core_name, {}))


def get(core_name: str, name: str) -> Config:
    """The configuration `name` of a core, with its documentation.

    Raises UserError, listing the core's configurations, when there is none of that name, and where a parameter of it is
    not declared or may not have its value.
    """
    entries = _entries().get(core_name, {})
    if name not in entries:
        allowed = ", ".join(entries) or "none"
        hint = nearest(name, entries)
        raise UserError(f"core '{core_name}' has no configuration '{name}'{hint}; configurations: {allowed}")
    entry = entries[name]
    parameters = declared.encoded(core_name, entry["parameters"], f"configs.yaml, {core_name} {name}")
    return Config(core_name, name, parameters, entry.get("doc", ""), bool(entry.get("sim", True)))


@contextmanager
def for_flows() -> Iterator[None]:
    """What edalize's flows may raise, with our sentence: a RuntimeError."""
    try:
        yield
    except (UserError, RunFailed) as error:
        raise RuntimeError(str(error)) from error


def apply(edam: dict) -> None:
    """Give a FuseSoC target the parameters of the configuration that its flow option `config` names.

    `config` is a name of the core's own configurations, or CORE.NAME. What was given on the command line stays. Raises
    UserError as get(), and for the beginning of a parameter's name, which FuseSoC takes for the whole name.
    """
    for word in sys.argv:
        short = word.removeprefix("--").partition("=")[0]
        whole = [name for name in edam.get("parameters", {}) if name.startswith(short) and short.isupper()]
        if word.startswith("--") and whole and short not in whole:
            raise UserError(f"there is no parameter '{short}'; did you mean '{whole[0]}'")
    core_name, dot, name = str(edam.get("flow_options", {}).pop("config", "")).rpartition(".")
    if not name:
        return
    if not dot:
        own = [c.name for c in cores().values() if edam["name"].startswith(c.vlnv.replace(":", "_") + "_")]
        if not own:
            raise UserError(f"'{edam['name']}' is no core with configurations: give '--config CORE.{name}'")
        core_name = max(own, key=len)  # ppo_env's name begins as ppo's
    parameters = edam.setdefault("parameters", {})
    for key, value in load(core(core_name).name, name).items():
        entry = parameters.setdefault(key, {"datatype": type(value).__name__, "paramtype": "vlogparam"})
        if entry.get("default") is None:
            entry["default"] = value


def edam_parameters(edam: Mapping, kind: str = "vlogparam") -> dict[str, int | str]:
    """The Verilog parameters that a FuseSoC target was given, or its macros, kind 'vlogdefine'."""
    defaults = {k: v.get("default") for k, v in edam.get("parameters", {}).items() if v["paramtype"] == kind}
    return {key: value for key, value in defaults.items() if value is not None}


# The flow option that our flows have for apply().
OPTION = {"config": {"type": "str", "desc": "Configuration of configs.yaml; parameters given beside it win"}}


def load(core_name: str, name: str) -> dict[str, int | str]:
    """The Verilog parameters of a configuration: {"ROWS": 4, …}. Raises UserError as get()."""
    return get(core_name, name).parameters


def simulated(core_name: str) -> list[Config]:
    """The configurations of a core that the regression simulates."""
    return [c for c in (get(core_name, n) for n in names(core_name)) if c.sim]
