"""The pictures of an exploration: a heat map like Meng et al.'s (2022) Figure 7, and rooflines like its Figure 11."""

from pathlib import Path

import numpy as np

from rlcores.cores.learner.shape import LearnerShape
from rlcores_lab import shown
from rlcores_lab.dse.explore import Learning, Rollouts, Tensors

_WEIGHT_BYTES = 27 / 8
_RECORD_BYTES = 4  # an element of an experience in DRAM
_DDR4_GBS = 19.2  # of one channel of DDR4-2400


def cells(exploration: Learning) -> dict[tuple[int, int], tuple[int, bool]]:
    """(DP, multipliers of the largest unit of a column) -> (fewest clocks, whether it fits)."""
    best: dict[tuple[int, int], tuple[int, bool]] = {}
    for design in (*exploration.designs, *exploration.others):
        at = (design.shape.columns, design.macs)
        entry = (design.period, design.fits)
        if at not in best or (not entry[1], entry[0]) < (not best[at][1], best[at][0]):
            best[at] = entry
    return best


def heat_map(exploration: Learning, path: Path) -> None:
    """Clocks of a step over DP and multipliers of a unit, against the slowest design; what does not fit is hatched."""
    from matplotlib.patches import Rectangle

    best = cells(exploration)
    columns = sorted({dp for dp, _ in best})
    # Powers of the square root of two, as the multipliers that occur are many.
    top = max(macs for _, macs in best)
    edges = [1.0]
    while edges[-1] <= top:
        edges.append(2 ** (len(edges) / 2) - 1e-6)
    table = np.full((len(columns), len(edges) - 1), np.nan)
    fits = np.zeros(table.shape, bool)
    slowest = max(clocks for clocks, _ in best.values())
    for (dp, macs), (clocks, fit) in best.items():
        row, col = columns.index(dp), int(np.searchsorted(edges, macs, side="right")) - 1
        here = table[row, col]
        if np.isnan(here) or (not fit, clocks / slowest) < (not fits[row, col], here):
            table[row, col], fits[row, col] = clocks / slowest, fit
    with shown.picture(path, 9, 1.6 + 0.45 * len(columns)) as figure:
        axis = figure.subplots()
        image = axis.imshow(np.log10(table), aspect="auto", cmap="viridis_r")
        for row, col in zip(*np.nonzero(~np.isnan(table)), strict=True):
            if not fits[row, col]:
                hatched = {"fill": False, "hatch": "////", "edgecolor": "white", "linewidth": 0}
                axis.add_patch(Rectangle((col - 0.5, row - 0.5), 1, 1, **hatched))
        best_at = (exploration.best.shape.columns, exploration.best.macs)
        col = int(np.searchsorted(edges, best_at[1], side="right")) - 1
        axis.plot(col, columns.index(best_at[0]), marker="*", markersize=16, color="red", markeredgecolor="white")
        axis.set_yticks(range(len(columns)), [str(n) for n in columns])
        axis.set_xticks(range(0, table.shape[1], 2), [f"{edges[k]:.0f}" for k in range(0, table.shape[1], 2)])
        axis.set(xlabel="multipliers of the largest unit, in one column (f)", ylabel="columns (DP)")
        bar = figure.colorbar(image, ax=axis)
        bar.set_label("log10 of clocks per step / slowest")
        request = exploration.request
        what = f"{request.algo} on {request.environment}, batch {request.batch}, {request.board}"
        axis.set_title(f"{what}: star {exploration.best.period:,} clocks, hatched does not fit", fontsize=9)


def intensity(shape: LearnerShape) -> tuple[float, float]:
    """Multiply-adds of a record, and bytes of it in DRAM."""
    work = 0
    nets = [shape.value] + ([shape.actor] if shape.actor else [])
    for net in nets:
        sizes = [a * b for a, b in zip(net.sizes, net.sizes[1:], strict=False)]
        # Forward, target forward, gradient; backward but for the first layer; a critic once more for its actor.
        work += 3 * sum(sizes) + sum(sizes[1:])
    if shape.actor is not None:
        own = [a * b for a, b in zip(shape.value.sizes, shape.value.sizes[1:], strict=False)]
        work += 2 * sum(own)
    return float(work), float(_RECORD_BYTES * shape.record_beats * shape.value.lanes[0])


def roofline(exploration: Learning, path: Path) -> None:
    """What the multipliers could do, what the memories feed, and what the designs reach, at the board's clock."""
    mhz = exploration.board.clock.mhz
    with shown.picture(path, 7, 4.5) as figure:
        axis = figure.subplots()
        named = [("chosen", exploration.best, "red"), ("paper's DP and multipliers", exploration.paper, "black")]
        xs = np.logspace(-2, 4, 100)
        for label, design, colour in named:
            if design is None:
                continue
            peak = 2 * design.shape.mac_count * mhz / 1e3  # Gop/s
            # A weight memory feeds all columns.
            on_chip = design.shape.mac_count / design.shape.columns * _WEIGHT_BYTES * mhz / 1e3  # GB/s
            label_text = f"{label}: on-chip memories, {on_chip:,.0f} GB/s"
            axis.plot(xs, np.minimum(peak, on_chip * xs), color=colour, linewidth=1, label=label_text)
            work, size = intensity(design.shape)
            reached = 2 * work * exploration.request.batch / design.period * mhz / 1e3
            axis.plot(2 * work / size, reached, "o", color=colour)
            own = 2 * design.shape.columns / _WEIGHT_BYTES
            axis.plot(own, reached, "o", color=colour, fillstyle="none")
        peak = 2 * exploration.best.shape.mac_count * mhz / 1e3
        fed = np.minimum(peak, _DDR4_GBS * xs)
        axis.plot(xs, fed, color="tab:blue", linestyle=":", label=f"experiences from DRAM, {_DDR4_GBS} GB/s")
        axis.set(xscale="log", yscale="log", xlabel="operations a byte", ylabel="Gop/s")
        what = f"at {exploration.board.clock}; filled: by bytes from DRAM, hollow: by bytes of weights read"
        axis.set_title(what, fontsize=9)
        axis.legend(fontsize=7, frameon=False)


def rows_map(exploration: Rollouts, path: Path) -> None:
    """Clocks of a run over rows and interleave, with two-step look-ahead or the least that fills the loop."""
    best: dict[tuple[int, int], tuple[int, bool]] = {}
    for array in (*exploration.others, *exploration.arrays):
        at = (array.parameters["INTERLEAVE"], array.parameters["ROWS"])
        if at not in best or array.run < best[at][0]:
            best[at] = (array.run, array.fits)
    turns, rows = sorted({t for t, _ in best}), sorted({r for _, r in best})
    with shown.picture(path, 8, 1.8 + 0.5 * len(turns)) as figure:
        axis = figure.subplots()
        table = np.full((len(turns), len(rows)), np.nan)
        for (turn, row), (clocks, fits) in best.items():
            at = turns.index(turn), rows.index(row)
            table[at] = np.log10(clocks)
            axis.text(at[1], at[0], f"{clocks:,}" if fits else "×", ha="center", va="center", fontsize=7, color="white")
        axis.imshow(table, aspect="auto", cmap="viridis_r")
        axis.set_yticks(range(len(turns)), [str(t) for t in turns])
        axis.set_xticks(range(len(rows)), [str(r) for r in rows])
        axis.set(
            xlabel="rows",
            ylabel="interleave",
            title=f"clocks of a run, {exploration.envs} × {exploration.steps}; × does not fit",
        )


def arrays_map(exploration: Tensors, path: Path) -> None:
    """Clocks of a step over the multipliers of the array, beside arrays whose multipliers are as busy as the best's."""
    with shown.picture(path, 7, 4.5) as figure:
        axis = figure.subplots()
        for label, designs, mark in (("fits", exploration.designs, "o"), ("does not fit", exploration.others, "x")):
            axis.plot([d.multipliers for d in designs], [d.period for d in designs], mark, label=label)
        best = exploration.best
        axis.plot(best.multipliers, best.period, marker="*", markersize=16, color="red", markeredgecolor="white")
        every = np.array(sorted({d.multipliers for d in (*exploration.designs, *exploration.others)}))
        least = min(d.period * d.multipliers for d in (*exploration.designs, *exploration.others))
        axis.plot(every, least / every, color="grey", linewidth=1, label="as busy as the best")
        axis.set(xscale="log", yscale="log", xlabel="multipliers of the array", ylabel="clocks per step")
        request = exploration.request
        what = f"{request.algo} on {request.environment}, batch {request.batch}, {request.board}"
        axis.set_title(f"{what}: star {best.period:,} clocks", fontsize=9)
        axis.legend(fontsize=7, frameon=False)
