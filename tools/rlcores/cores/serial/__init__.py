"""GAE array and sum tree behind a serial line, rlcores:system:serial."""
