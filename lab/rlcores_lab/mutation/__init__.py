"""Break the RTL at random and see whether the core's tests notice: what `rlcores mutate` does."""
