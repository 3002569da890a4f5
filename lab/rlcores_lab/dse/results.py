"""What an exploration leaves behind: figures, entries for configs.yaml, a folder with tables and pictures."""

import json
import re
from pathlib import Path

import yaml

from rlcores.base.report import Figure, document
from rlcores.eda import declared
from rlcores.eda.synth.area import RESOURCES
from rlcores.errors import UserError
from rlcores_lab.dse import pictures, trees
from rlcores_lab.dse.arrays import TensorDesign
from rlcores_lab.dse.explore import Learning, Rollouts, Tensors
from rlcores_lab.dse.learner import Design
from rlcores_lab.dse.rollouts import Array
from rlcores_lab.dse.trees import Tree

_UNITS = {"lut": "LUT", "ff": "FF", "dsp": "DSP48E2", "bram36": "RAMB36", "uram": "URAM"}
_PICTURES: dict[type, dict] = {
    Learning: {"heat.png": pictures.heat_map, "roofline.png": pictures.roofline},
    Rollouts: {"rows.png": pictures.rows_map},
    Tensors: {"arrays.png": pictures.arrays_map},
}
_DATA_WIDTH = 512  # of a DDR4 port


def name(exploration: Learning | Rollouts | Tensors) -> str:
    """What the configuration is called: 'cartpole_dqn_64_u200'."""
    request = exploration.request
    environment = re.sub(r"[^a-z0-9]+", "_", re.sub(r"-v\d+$", "", request.environment.split("/")[-1]).lower())
    return f"{environment}_{request.algo}_{request.batch}_{request.board}"


def configurations(exploration: Learning | Rollouts | Tensors) -> dict[str, dict[str, dict]]:
    """Entries for configs.yaml: core -> name -> doc, sim, parameters."""
    key = name(exploration)
    request = exploration.request
    what = f"{request.algo} on {request.environment}, batch {request.batch}, for {request.board}; found by rlcores dse"
    if isinstance(exploration, Rollouts):
        parameters = dict(exploration.best.parameters)
        return {"gae": {key: _entry(f"{what}: {exploration.best.run:,} clocks a run", parameters)}}
    if isinstance(exploration, Tensors):
        text = f"{what}: {exploration.best.period:,} clocks per step"
        return {"tensor": {key: _entry(text, exploration.best.parameters)}}
    learner = exploration.best.parameters
    text = f"{what}: {exploration.best.period:,} clocks per step"
    tree = exploration.trees[0]
    entries = {"learner": {key: _entry(text, learner)}}
    if tree.banks > 1:
        whole = tree.parameters | {"CAPACITY": request.capacity or 1 << 20, "BANKS": tree.banks, "QUEUE": trees.QUEUE}
        return entries | {"sumtree_banks": {key: _entry(what, whole)}}
    together = learner | tree.parameters | {
        "DATA_WIDTH": _DATA_WIDTH, "ADDR_WIDTH": 34, "READS": 32, "WRITES": 32, "AHEAD_MAX": 4,
    }  # fmt: skip
    return entries | {"sumtree": {key: _entry(what, tree.parameters)}, "replay_learner": {key: _entry(text, together)}}


def _entry(doc: str, parameters: dict) -> dict:
    return {"doc": doc, "sim": False, "parameters": parameters}


def figures(exploration: Learning | Rollouts | Tensors) -> list[Figure]:
    """The chosen design in numbers; all come from models."""

    def those(prefix: str, counts: dict[str, float]) -> list[Figure]:
        return [
            Figure(f"{prefix}.{r}", round(counts[r], 1) if r == "bram36" else round(counts[r]), _UNITS[r], "model")
            for r in RESOURCES
        ]

    if isinstance(exploration, Rollouts):
        best = exploration.best
        return [
            Figure("dse.run_clocks", best.run, "clocks a rollout", "model"),
            Figure("dse.pass_clocks", best.passes, "clocks a rollout", "model"),
            *those("dse.gae", best.counts),
        ]
    best, clock = exploration.best, exploration.board.clock
    tensor = isinstance(exploration, Tensors)
    result = [
        Figure("dse.clocks", best.period, "clocks a gradient step", "model"),
        Figure("dse.steps_per_second", round(1e6 * clock.mhz / best.period), f"1/s at {clock}", "model"),
        *those("dse.tensor" if tensor else "dse.learner", best.counts),
    ]
    if tensor:
        return result
    result += those("dse.tree", exploration.trees[0].counts)
    for label, design in (("paper", exploration.paper), ("within", exploration.within)):
        if design is not None:
            result.append(Figure(f"dse.{label}.clocks", design.period, "clocks a gradient step", "model"))
            result += those(f"dse.{label}", design.counts)
    return result


def whole(exploration: Learning | Rollouts | Tensors, top: int) -> dict:
    """The JSON form of everything."""

    def entry(of: Design | Array | Tree | TensorDesign, **first: object) -> dict:
        return first | {r: round(of.counts[r], 1) for r in RESOURCES} | {"parameters": of.parameters}

    def learner(d: Design) -> dict:
        return entry(d, clocks=d.period, columns=d.shape.columns, unit_macs=d.macs, turn=d.turn, slr=list(d.dies))

    extra: dict[str, object] = {"configurations": configurations(exploration)}
    if isinstance(exploration, Rollouts):
        extra["designs"] = [entry(a, clocks=a.clocks, run=a.run) for a in exploration.arrays[:top]]
    elif isinstance(exploration, Tensors):
        extra["designs"] = [entry(d, clocks=d.period, multipliers=d.multipliers) for d in exploration.designs[:top]]
    else:
        extra["designs"] = [learner(d) for d in exploration.designs[:top]]
        extra |= {name: d and learner(d) for name, d in (("within", exploration.within), ("paper", exploration.paper))}
        extra["trees"] = [
            entry(t, levels=t.levels, banks=t.banks, latency=t.latency, clocks=t.clocks)
            for t in exploration.trees[:top]
        ]
    core = {Rollouts: "gae", Tensors: "tensor"}.get(type(exploration), "learner")
    return document("dse", core, name(exploration), exploration.request.board, figures(exploration), **extra)


def yaml_text(exploration: Learning | Rollouts | Tensors) -> str:
    """The entries as text that goes into configs.yaml, each under the core's key."""
    written = configurations(exploration)
    for core, entries in written.items():
        for entry in entries.values():
            entry["parameters"] = declared.decoded(core, entry["parameters"])
    return yaml.safe_dump(written, sort_keys=False, default_flow_style=None, width=float("inf"))


def write(exploration: Learning | Rollouts | Tensors, folder: Path, top: int) -> list[Path]:
    """Write report.json, configs.yaml and the pictures into the folder. Raises UserError when it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        paths = [folder / "report.json", folder / "configs.yaml"]
        paths[0].write_text(json.dumps(whole(exploration, top), indent=2) + "\n")
        paths[1].write_text(yaml_text(exploration))
        for file, draw in _PICTURES[type(exploration)].items():
            draw(exploration, folder / file)
            paths.append(folder / file)
    except OSError as error:
        raise UserError(f"cannot write '{folder}': {error.strerror}") from error
    return paths
