"""What an object is called where it is shown."""

_BACKENDS = {"Native": "native", "Model": "model", "Driver": "rtl"}


def backend_of(core: object) -> str:
    """The backend that an object of the library computes with; the name of the class where a user gave another one.

    >>> class SumTreeNativeDriver: ...
    >>> backend_of(SumTreeNativeDriver()), backend_of(3)
    ('native', 'int')
    """
    name = type(core).__name__
    return next((backend for part, backend in _BACKENDS.items() if part in name), name)
