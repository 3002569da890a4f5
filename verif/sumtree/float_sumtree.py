"""A K-ary sum tree in float64, Algorithm 2 of Zhang et al. (2021) line by line. It says how far that is from exact.

Where the algorithm is wrong, and this class is wrong with it:

- It stops at the first child whose running sum is >= the target. A target equal to a prefix sum then belongs to the
  slot before it, and target 0 to slot 0 even when that slot has priority 0. With integers every prefix sum can be hit;
  the integer model takes the first sum > the target, and the two differ there only.
- It adds a rounded difference to each ancestor instead of summing the children. The rounding errors stay for ever, so
  after many updates a node is no longer the sum of its children. Integer priorities with a total below 2**53 are safe.
- Where no child's running sum reaches the target, which rounding makes possible, it walks past the last child. Here the
  walk ends at the last child and `overruns` counts it.
- Its update ends before the root. Here the root is updated too, because sampling needs the total.
"""

import numpy as np


class FloatSumTree:
    """A tree over `leaves` slots; every node has `fan_out` children. overruns: searches that fell off a node's end."""

    def __init__(self, leaves: int, fan_out: int = 16) -> None:
        """Raises ValueError when there is no slot or fan_out is below 2."""
        if leaves < 1 or fan_out < 2:
            raise ValueError(f"a tree of {leaves} leaves with {fan_out} children a node does not exist")
        self.fan_out = fan_out
        self.overruns = 0
        sizes = [leaves]
        while sizes[0] > 1:
            sizes.insert(0, -(-sizes[0] // fan_out))
        # Root first; a node's children are items fan_out * i onwards of the next level.
        self._levels = [np.zeros(1)] + [np.zeros(size * fan_out) for size in sizes[:-1]]
        self.leaves = leaves

    @property
    def total(self) -> float:
        """The root."""
        return float(self._levels[0][0])

    @property
    def leaf_sum(self) -> float:
        """What the root should be: the rounded sum of the leaves."""
        return float(self._levels[-1].sum())

    def update(self, index: int, priority: float) -> None:
        """UPDATEVALUE: add the difference to the leaf and to each of its ancestors."""
        difference = priority - self._levels[-1][index]
        for level in reversed(self._levels):
            level[index] += difference
            index //= self.fan_out

    def find(self, target: float) -> int:
        """GETPREFIXSUMIDX: the first slot whose prefix sum is >= target."""
        node = 0
        for level in self._levels[1:]:
            before = 0.0
            for child in range(node * self.fan_out, (node + 1) * self.fan_out):
                reached = before + level[child]
                if reached >= target:
                    break
                before = reached
            else:
                self.overruns += 1
            node = child
            target -= before
        return node
