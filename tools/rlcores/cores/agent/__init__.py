"""The agent core: acting, storing and learning at once, environments on the chip or outside."""
