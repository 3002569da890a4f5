"""What `rlcores generate` writes from declarations, register maps and tops: a module each kind, templates beside.

Each module's outputs() are its files, paths from the root, and their text.
"""
