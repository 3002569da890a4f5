"""Figures of the papers from our kept results, each beside what the paper says: `rlcores papers --pictures DIR`.

The papers print few numbers. What they print is drawn in black; a claim in words is written where it belongs. Figures
of other commands (`rlcores map`, `rlcores study`) are drawn by these.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from rlcores.base import files, paths
from rlcores_lab import results, shown
from rlcores_lab.qor.baseline import Baseline
from rlcores_lab.study import heppo_table
from rlcores_lab.study.heppo import Run
from rlcores_lab.study.profile import PPO

Known = Callable[[str], float]
# Table I of Taha and Abdelhadi (2025), column CPU-GPU, in the order of profile.PPO; communication takes the rest.
_GPU = (9.92, 46.58, 5.73, 5.00, 24.79, 0.17, 5.21, 1.77)


def write(folder: Path) -> list[Path]:
    """All pictures into a folder. Raises RunFailed when a kept result is missing."""
    figures = results.known(Baseline())
    drawn = []
    for name, draw in PICTURES.items():
        drawn.append(folder / f"papers_{name}.png")
        draw(lambda key: float(figures[key][0]), drawn[-1])
    return drawn


def _shares(known: Known, path: Path) -> None:
    """Taha and Abdelhadi (2025), Table I and Figure 1."""
    bars = {
        "the paper, CPU-GPU": _GPU,
        "the paper, CPU": [p.paper or 0.0 for p in PPO],
        "ours, PyTorch": [known(f"all.humanoid.ppo.torch.{p.name}") for p in PPO],
        "ours, NumPy": [known(f"all.humanoid.ppo.numpy.{p.name}") for p in PPO],
    }
    with shown.picture(path, 8, 3, dpi=100) as figure:
        axis = figure.subplots()
        left = np.zeros(len(bars))
        for phase, widths in zip(PPO, zip(*bars.values(), strict=True), strict=True):
            axis.barh(list(bars), widths, left=left, label=phase.title, hatch="//" if phase.name[:3] == "gae" else None)
            left += widths
        axis.set(xlabel="% of an iteration of PPO, Humanoid")
        figure.legend(loc="outside right center", fontsize=8, frameon=False)


def _lookahead(known: Known, path: Path) -> None:
    """Taha and Abdelhadi (2025), Figure 11: resources of a row against k."""
    ks = np.arange(1, 5)
    with shown.picture(path, 9, 3, dpi=100) as figure:
        for axis, (part, title) in zip(
            figure.subplots(1, 3), (("dsp", "DSP"), ("lut", "LUT"), ("ff", "FF")), strict=True
        ):
            own = np.array([known(f"shapes.all.lookahead{k}.{part}_per_row") for k in ks])
            axis.plot(ks, own, "o-", color="tab:red", label="ours, a row")
            # Through the first two points of ours, which is where the paper's curve cannot be told from a line.
            step = (own[1] - own[0]) / 3
            axis.plot(ks, own[0] + step * (ks**2 - 1), "k--", label="the paper: with the square of k")
            axis.set(title=title, xlabel="look-ahead k", xticks=ks)
        axis.legend(fontsize=8, frameon=False)


def _fanout(known: Known, path: Path) -> None:
    """Zhang et al. (2021), Figure 9, on the chip."""
    ks = [2, 4, 8, 16, 32, 64]
    with shown.picture(path, 6, 3, dpi=100) as figure:
        axis = figure.subplots()
        axis.plot(ks, [known(f"shapes.all.fanout{k}.clocks") for k in ks], "o-", color="tab:red", label="ours")
        axis.axvline(16, color="black", linestyle="--", label="the paper: the best on their CPU")
        axis.set(xlabel="fan-out K", ylabel="clocks of a sample", xscale="log")
        axis.set_xticks(ks, [str(k) for k in ks])
        axis.minorticks_off()
        axis.legend(fontsize=8, frameon=False)


def _replay(known: Known, path: Path) -> None:
    """Meng et al. (2022), Figure 8: a sample and an update."""
    peers = {
        "U200 at 200 MHz": "sumtree.u200.{}_ns",
        "C++ tree, one core": "sumtree.u200.cpp.{}_ns",
        "native engine": "native.all.{}_ns",
        "tianshou": "native.all.tianshou.{}_ns",
        "torchrl": "native.all.torchrl.{}_ns",
    }
    said = {"sample": 7.4, "update": 125.0}  # times a CPU, at most
    with shown.picture(path, 9, 3, dpi=100) as figure:
        for axis, (what, times) in zip(figure.subplots(1, 2, sharey=True), said.items(), strict=True):
            own = [known(name.format(what)) for name in peers.values()]
            axis.barh(list(peers), own, color=["tab:red", *["tab:blue"] * (len(peers) - 1)])
            axis.axvline(own[0] * times, color="black", linestyle="--", label=f"the paper's CPU: up to {times:g} times")
            axis.set(xscale="log", xlabel=f"ns per {what}, batch 256")
            axis.invert_yaxis()
            axis.legend(fontsize=8, frameon=False)


def _bits(known: Known, path: Path) -> None:
    """Taha and Abdelhadi (2025), Figures 8 and 9: bits of a code."""
    kept = files.read_json(paths.clone() / "docs" / "heppo_study.json", "runs of the study", dict)["runs"]
    own = [x for x in heppo_table.bits_lines([Run(**r) for r in kept]) if x.environment == "Pendulum-v1"]
    with shown.picture(path, 6, 3.2, dpi=100) as figure:
        axis = figure.subplots()
        axis.errorbar(
            [x.bits for x in own], [x.final for x in own], [x.deviation for x in own], fmt="o-", color="tab:red"
        )
        for bits, text in {3: "near the baseline", 5: "the worst", 7: "poor", 9: "8 to 10 stable"}.items():
            axis.text(bits, axis.get_ylim()[0], text, ha="center", va="bottom", fontsize=8)
        axis.set(xlabel="bits of a code; below, what the paper says", ylabel="return, Pendulum, ours")


PICTURES = {
    "profile": _shares,
    "bits": _bits,
    "lookahead": _lookahead,
    "fanout": _fanout,
    "replay": _replay,
}
