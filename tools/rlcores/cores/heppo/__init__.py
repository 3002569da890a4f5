"""The GAE array between two clocks, rlcores:system:heppo."""
