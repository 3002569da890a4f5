"""Replay buffers: transitions in named arrays, drawn uniformly or by the sum tree."""
