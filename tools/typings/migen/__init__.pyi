"""Migen, as far as the wrapper for LiteX calls it. It has no types of its own."""

from typing import Any

class Signal:
    def __init__(self, bits_sign: int = ...) -> None: ...

class ClockSignal:
    def __init__(self, cd: str = ...) -> None: ...

class ResetSignal:
    def __init__(self, cd: str = ...) -> None: ...

class Instance:
    class PreformattedParam(str): ...

    # io: p_ parameters, i_ inputs, o_ outputs
    def __init__(self, of: str, **io: Any) -> None: ...
