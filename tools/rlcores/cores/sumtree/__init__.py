"""The sum tree, rlcores:sumtree:sumtree, its banks and its priority maths."""
