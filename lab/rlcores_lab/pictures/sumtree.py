"""Pictures of the sum tree: what the core is made of, and one sample and one update, step by step."""

import numpy as np

from rlcores import SumTree
from rlcores_lab.pictures.drawing import Drawing

PRIORITIES, TARGET, UPDATED, PRIORITY = (3, 1, 4, 2, 5, 0, 2, 3), 9, 2, 1


def core() -> Drawing:
    """Units and streams."""
    d = Drawing(600, 300, "Operations and samples go down the levels of the tree, one of each per clock")
    d.text(16, 24, "s_op", anchor="start")
    d.box(50, 42, 90, 40, "slots", "ring, tags")
    d.arrow((32, 30), (32, 62), (50, 62))
    d.text(16, 190, "s_sample", anchor="start")
    d.box(50, 206, 90, 40, "draw", "u or target")
    d.arrow((32, 196), (32, 226), (50, 226))
    d.frame(164, 14, 326, 258, "tree: one pipeline, root to leaves")
    for n, words in enumerate(("total", "level", "level", "leaves")):
        x = 176 + n * 78
        d.box(x, 42, 64, 40, "head" if not n else "sum", "delta" if not n else "+ delta", "core")
        d.box(x, 118, 64, 40, "memory", words)
        d.box(x, 206, 64, 40, "u·total" if not n else "search", "" if not n else "K children", "core")
        d.arrow((x + 32, 82), (x + 32, 118))
        d.arrow((x + 32, 158), (x + 32, 206))
        if n:
            d.arrow((x - 14, 62), (x, 62))
            d.arrow((x - 14, 226), (x, 226))
    d.arrow((140, 62), (176, 62))
    d.arrow((140, 226), (176, 226))
    d.arrow((95, 82), (95, 118), words="answers: m_op", at=(80, 134))
    d.arrow((474, 226), (516, 226))
    d.text(520, 222, "m_sample", anchor="start")
    d.text(520, 238, "slot, tag", "small", "start")
    d.text(350, 290, "an update before a sample in the same clock: one order at every level", "small")
    return d


def banks() -> Drawing:
    """Two of S banks, with the queues in front of them."""
    d = Drawing(440, 344, "Operations and samples find their bank and wait in its queue; answers leave at the banks")
    front = d.box(12, 50, 190, 56, "operations", "INSERT, UPDATE, CLEAR")
    draws = d.box(220, 50, 190, 56, "samples", "t = ⌊u·T/2^U⌋, and its bank")
    d.box(12, 150, 398, 40, "a queue per bank")
    for box, words in ((front, "S lanes"), (draws, "S lanes")):
        x = box.top[0]
        for n in (-20, 0, 20):
            d.arrow((x + n, 18), (x + n, 50))
        d.text(x + 28, 30, words, "small", "start")
        d.arrow(box.bottom, (x, 150))
    for n, words in enumerate(("bank 0", "bank 1", "bank S − 1")):
        x = 12 + 138 * n
        bank = d.box(x, 226, 122, 48, words, "sum tree", "core")
        d.arrow((x + 61, 190), bank.top)
        d.arrow(bank.bottom, (x + 61, 310))
    d.arrow((410, 250), (430, 250), (430, 78), (410, 78))
    d.text(424, 208, "totals", "small", "end")
    d.text(220, 330, "m_op and m_sample of each bank, with the request's tag", "small")
    return d


def steps() -> Drawing:
    """A sample at a target, and an update, on a tree of two children a node."""
    tree = SumTree(len(PRIORITIES))
    tree.insert(PRIORITIES)
    slot = int(tree.sample_at([TARGET]).indices[0])
    d = Drawing(
        600,
        640,
        "A sample goes down the tree and leaves out what lies before its target; an update adds its difference",
    )
    d.text(20, 28, f"sample: the slot whose prefix sum is the first above t = {TARGET}", "title", "start")
    left = [TARGET]
    path = []
    levels = _levels(PRIORITIES)
    node = 0
    for level in levels[1:]:
        first = level[2 * node]
        node = 2 * node + int(left[-1] >= first)
        left.append(left[-1] - (first if node % 2 else 0))
        path.append(node)
    assert node == slot
    _tree(d, 46, levels, [0, *path])
    notes = [f"t = {left[0]} of {levels[0][0]}"]
    for level, (before, now, place) in enumerate(zip(left, left[1:], path, strict=False)):
        first = levels[level + 1][place - place % 2]
        notes.append(f"{before} < {first}: left" if place % 2 == 0 else f"{before} ≥ {first}: right, t = {now}")
    for n, words in enumerate(notes):
        d.text(20, 68 + 64 * n, words, "warm", "start")
    d.text(
        380, 320, f"slot {slot}, priority {PRIORITIES[slot]}, drawn {PRIORITIES[slot]} times in {levels[0][0]}", "small"
    )
    tree.update([UPDATED], [PRIORITY])
    after = np.array(PRIORITIES)
    after[UPDATED] = PRIORITY
    change = PRIORITY - PRIORITIES[UPDATED]
    levels = _levels(tuple(after))
    assert tree.total == levels[0][0]
    d.text(20, 360, f"update: slot {UPDATED} gets priority {PRIORITY}; {change:+d} at each level", "title", "start")
    _tree(d, 378, levels, [UPDATED >> n for n in (3, 2, 1, 0)])
    return d


def _levels(leaves: tuple[int, ...]) -> list[list[int]]:
    """Sums of each level, from the root."""
    levels = [[int(x) for x in leaves]]
    while len(levels[0]) > 1:
        below = levels[0]
        levels.insert(0, [a + b for a, b in zip(below[::2], below[1::2], strict=True)])
    return levels


def _tree(d: Drawing, y: float, levels: list[list[int]], hits: list[int]) -> None:
    right, wide = 580.0, 400.0
    places = [[right - wide + (n + 0.5) * wide / len(level) for n in range(len(level))] for level in levels]
    for depth, (level, xs) in enumerate(zip(levels, places, strict=True)):
        top = y + 64 * depth
        for n, x in enumerate(xs):
            if depth:
                over, on_way = places[depth - 1][n // 2], hits[depth] == n
                d.arrow((over, top - 28), (x, top), kind="way" if on_way else "flow")
        for n, (x, value) in enumerate(zip(xs, level, strict=True)):
            d.box(x - 22, top, 44, 36, str(value), kind="hit" if hits[depth] == n else "box")
    for n, x in enumerate(places[-1]):
        d.text(x, y + 64 * len(levels) - 12, f"slot {n}", "small")
