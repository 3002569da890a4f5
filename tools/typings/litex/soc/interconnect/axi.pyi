"""LiteX's interfaces of AXI, as far as the wrapper for LiteX calls them. They have no types of their own."""

class AXILiteInterface:
    def __init__(self, data_width: int = ..., address_width: int = ...) -> None: ...

class AXIStreamInterface:
    def __init__(self, data_width: int = ..., keep_width: int = ..., *, name: str | None = ...) -> None: ...
