"""The GAE array, rlcores:gae:gae."""
