"""Pictures of the GAE core: what it is made of, and what it computes, step by step."""

import numpy as np

from rlcores import advantages
from rlcores_lab.pictures.drawing import Drawing

GAMMA, LAMBDA = 0.9, 0.9
REWARDS, VALUES, LAST = (1.0, 0.0, 0.0, 2.0), (2.0, 1.5, 1.0, 1.5), 1.0  # four steps, V of the state behind them


def core() -> Drawing:
    """Units and streams."""
    d = Drawing(600, 410, "Elements are measured, quantised and kept in stacks; rows read them backwards in time")
    d.text(20, 40, "elements: reward, value, kind", anchor="start")
    d.box(20, 66, 120, 46, "quantiser", "LOAD")
    d.box(330, 66, 120, 46, "statistics", "MEASURE")
    d.box(330, 160, 120, 46, "scale unit", "SCALE")
    d.arrow((80, 46), (80, 66))
    d.arrow((236, 35), (390, 35), (390, 66))
    d.arrow((390, 112), (390, 160), words="mean, σ")
    d.arrow((450, 183), (560, 183), words="scales")
    d.text(505, 200, "to all units", "small")
    d.frame(20, 136, 270, 130, "array")
    d.box(40, 160, 100, 40, "stacks", kind="core")
    d.box(40, 216, 100, 40, "crossbar")
    d.box(175, 188, 95, 40, "rows", "START", kind="core")
    d.arrow((80, 112), (80, 160))
    d.arrow((70, 200), (70, 216))
    d.arrow((140, 245), (222, 245), (222, 228))
    d.arrow((200, 188), (200, 174), (140, 174), words="results in place", at=(212, 168))
    d.arrow((40, 180), (10, 180), (10, 286), (60, 286), words="READ", at=(35, 281))
    d.text(66, 291, "advantages, rewards-to-go", anchor="start")
    d.frame(20, 312, 560, 84, "a row, one record per clock")
    steps = (("record", ""), ("reward", "q << p"), ("value", "q·S + M"), ("δ, A", "look-ahead"), ("quantiser", "codes"))
    for n, (words, below) in enumerate(steps):
        d.box(34 + n * 110, 340, 92, 44, words, below, "core" if n == 3 else "box")
        if n:
            d.arrow((16 + n * 110, 362), (34 + n * 110, 362))
    return d


def overlap() -> Drawing:
    """Rollouts on their way: what the input, the array and the output do at the same time."""
    d = Drawing(440, 168, "While the elements of a rollout come in, the one before it runs and is sent")
    d.text(12, 24, "H: the host between two passes", "small", "start")
    loads = (
        (0, 34, "H", "box"),
        (34, 130, "LOAD k + 1", "core"),
        (164, 34, "H", "box"),
        (198, 156, "LOAD k + 2", "core"),
    )
    rows = (
        ("input", loads),
        ("array", ((0, 70, "run k", "core"), (164, 70, "run k + 1", "core"))),
        ("output", ((70, 94, "READ k", "core"), (234, 94, "READ k + 1", "core"))),
    )
    for n, (name, items) in enumerate(rows):
        y = 40 + 40 * n
        d.text(12, y + 19, name, "small", "start")
        for x, wide, words, kind in items:
            d.box(74 + x, y, wide, 30, kind=kind)
            d.text(74 + x + wide / 2, y + 19, words, "small")
    return d


def steps() -> Drawing:
    """The recurrence on four steps, with the numbers that `advantages` gives."""
    rewards, values = np.array(REWARDS)[:, None], np.array(VALUES)[:, None]
    ends = np.zeros_like(rewards, bool)
    results = advantages(rewards, values, ends, ends, [LAST], gamma=GAMMA, gae_lambda=LAMBDA)[0].ravel()
    ahead = [*VALUES[1:], LAST]
    deltas = [r + GAMMA * v1 - v for r, v, v1 in zip(REWARDS, VALUES, ahead, strict=True)]
    d = Drawing(
        600, 300, "GAE on four steps: the error of each step, and the advantages from the last step to the first"
    )
    d.text(20, 28, f"GAE runs backwards in time; γ = {GAMMA:g}, λ = {LAMBDA:g}", "title", "start")
    left, wide = 150, 88
    rows = (
        ("reward r", [f"{x:g}" for x in REWARDS]),
        ("value v", [f"{x:g}" for x in VALUES]),
        ("δ = r + γ·v′ − v", [f"{x:.2f}" for x in deltas]),
        ("A = δ + γλ·A′", [f"{x:.2f}" for x in results]),
    )
    for n in range(4):
        d.text(left + (n + 0.5) * wide, 56, f"step {n}", "small")
    d.text(left + 4.5 * wide, 56, "behind", "small")
    for line, (words, cells) in enumerate(rows):
        y = 66 + 46 * line
        d.text(left - 10, y + 23, words, anchor="end")
        d.row(left, y, wide, 36, cells, range(4) if line == 3 else ())
    d.box(left + 4 * wide, 112, wide, 36, f"{LAST:g}")
    d.box(left + 4 * wide, 204, wide, 36, "0")
    for n in range(4):
        right = left + (n + 1.5) * wide
        d.arrow((right, 240), (right, 262), (right - wide, 262), (right - wide, 242), kind="way")
    d.text(left + 2.5 * wide, 284, "each A needs only the one after it: one result per clock", "small")
    return d
