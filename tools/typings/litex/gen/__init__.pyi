"""LiteX's base of modules, as far as the wrapper for LiteX calls it. It has no types of its own."""

from typing import Any

class LiteXModule:
    specials: Any  # takes += of a special or of a list of them
