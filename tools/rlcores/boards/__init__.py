"""Boards: which bus reaches the cores of each."""
