"""What builds, simulates, proves and synthesises a core: one resolver of file lists, and a cache of what was made."""
