"""Zhang's (2022) Figures 4.9 to 4.11 and 5.3, Meng et al.'s (2022) Figure 11: our times, and what the papers say."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from rlcores_lab import shown
from rlcores_lab.mapping import tables
from rlcores_lab.mapping.choose import DeviceMapping
from rlcores_lab.mapping.forward import Forward
from rlcores_lab.mapping.replay import Curve
from rlcores_lab.mapping.roofline import Point, Roof
from rlcores_lab.mapping.workloads import DEVICES, FPGA, GPU

_COLOURS = {"cpu": "tab:blue", "gpu": "tab:green", "fpga": "tab:red"}
_NAME = {"cpu": "CPU", "gpu": "GPU", "fpga": "FPGA"}


def steps(mappings: Sequence[DeviceMapping], how: Mapping[str, str], path: Path) -> None:
    """Figure 4.9: a training step over the batch. how: of each device's times."""
    names = list(dict.fromkeys(m.workload.title for m in mappings))
    with shown.picture(path, 4 * len(names), 3.6, dpi=100) as figure:
        for axis, name in zip(figure.subplots(1, len(names), squeeze=False)[0], names, strict=True):
            own = [m for m in mappings if m.workload.title == name]
            for device in DEVICES:
                at = [(m.batch, 1e3 * m.train[device]) for m in own if m.train.get(device)]
                if at:
                    label = f"{_NAME[device]} ({how[device]})"
                    axis.plot(*zip(*at, strict=True), "o-", color=_COLOURS[device], label=label)
            axis.set(xscale="log", yscale="log", title=name, xlabel="batch", ylabel="training step, ms")
            axis.legend(fontsize=8, frameon=False)


def replay(curves: Sequence[Curve], path: Path) -> None:
    """Figure 4.10: samples and updates over the batch; shaded, where the paper's FPGA stands against this GPU."""
    # Times of the paper's GPU by its FPGA: from 1 / 4.6 to 41 for samples, from 11 to 98 for updates.
    said = {"sample": (1 / 4.6, 41.0), "update": (11.0, 98.0)}
    titles = {"sample": "prefix sums (samples)", "update": "priority updates"}
    with shown.picture(path, 12, 4, dpi=100) as figure:
        for axis, (part, (low, high)) in zip(figure.subplots(1, 2), said.items(), strict=True):
            for n, curve in enumerate(curves):
                at = {b: 1e3 * s for b, s in getattr(curve, part).items()}
                blue = {"color": _COLOURS[curve.device], "alpha": 1 - 0.15 * n if curve.device == "cpu" else 1.0}
                axis.plot(list(at), list(at.values()), ".-", label=f"{curve.title}", **blue)
                if curve.device == GPU:
                    fast, slow = ([s / by for s in at.values()] for by in (high, low))
                    axis.fill_between(list(at), fast, slow, color=_COLOURS[FPGA], alpha=0.1, label="the paper's FPGA")
            axis.set(xscale="log", yscale="log", title=titles[part], xlabel="batch", ylabel="ms")
        figure.legend(*axis.get_legend_handles_labels(), loc="outside right upper", fontsize=8, frameon=False)


def forward(curves: Sequence[Forward], path: Path) -> None:
    """Figure 5.3: a forward pass of four layers of 1,024 over the batch."""
    with shown.picture(path, 6, 3.6, dpi=100) as figure:
        axis = figure.subplots()
        for curve in curves:
            times = [1e3 * s for s in curve.seconds.values()]
            label = f"{curve.title} ({curve.how})"
            axis.plot(list(curve.seconds), times, "o-", color=_COLOURS[curve.device], label=label)
        axis.set(xscale="log", yscale="log", xlabel="batch", ylabel="forward pass, ms")
        axis.legend(fontsize=8, frameon=False)


def pairs(mappings: Sequence[DeviceMapping], path: Path) -> None:
    """Figure 4.11: gradient steps a second of all pairs of devices; the line is the fastest learner alone."""
    names = list(dict.fromkeys(m.workload.title for m in mappings))
    with shown.picture(path, 5 * len(names), 3.8, dpi=100) as figure:
        for axis, name in zip(figure.subplots(1, len(names), squeeze=False)[0], names, strict=True):
            mine = [m for m in mappings if m.workload.title == name]
            known = sorted({(o.learner, o.rmm) for m in mine for o in m.options}, key=_place)
            for n, pair in enumerate(known):
                options = [{(o.learner, o.rmm): o for o in m.options}.get(pair) for m in mine]
                heights = [1 / o.seconds if o else 0 for o in options]
                places = np.arange(len(mine)) + (n - len(known) / 2 + 0.5) * 0.8 / len(known)
                axis.bar(places, heights, 0.8 / len(known), label="-".join(_NAME[d] for d in pair))
            ideal = [tables.optimum(m) for m in mine]
            axis.plot(range(len(mine)), ideal, "k_", markersize=22, label="fastest learner alone")
            axis.set(yscale="log", title=name, xlabel="batch", ylabel="gradient steps a second")
            axis.set_xticks(range(len(mine)), [f"{m.batch:,}" for m in mine])
            axis.legend(fontsize=6, frameon=False, ncols=2)


def rooflines(roofs: Sequence[Roof], points: Sequence[Point], path: Path) -> None:
    """A panel a device: its roofs, and what learner and RMM reach below them."""
    marks = {"learner": "o", "RMM": "s"}
    with shown.picture(path, 4.5 * len(roofs), 3.8, dpi=100) as figure:
        for axis, roof in zip(figure.subplots(1, len(roofs), squeeze=False)[0], roofs, strict=True):
            xs = np.logspace(-1, 5, 100)
            for (memory, rate), style in zip(roof.memories.items(), ("-", "--"), strict=False):
                label = f"{memory}, {rate / 1e9:,.0f} GB/s"
                axis.plot(xs, np.minimum(roof.peak, rate * xs) / 1e9, style, color="black", linewidth=1, label=label)
            for what, mark in marks.items():
                own = [p for p in points if (p.device, p.what) == (roof.device, what)]
                xy = [p.intensity for p in own], [p.reached / 1e9 for p in own]
                axis.plot(*xy, mark, color=_COLOURS[roof.device], alpha=0.8, label=what)
            axis.set(xscale="log", yscale="log", title=roof.title, xlabel="operations a byte", ylabel="Gop/s")
            axis.legend(fontsize=7, frameon=False)


def _place(pair: tuple[str, str]) -> tuple[int, int]:
    return DEVICES.index(pair[0]), DEVICES.index(pair[1])
