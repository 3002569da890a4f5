"""The GAE core on a rollout that a real environment has just produced."""
