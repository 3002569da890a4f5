"""What `rlcores docs` writes from declarations, register maps and tops: a module a kind of file, templates beside it.

Each module's outputs() are its files, paths from the root, and their text.
"""
