"""Replay over the network: the protocol's frames, and the server as an integer model and in the native engine."""
