"""The cores with the interfaces of other people's libraries: torchrl, Stable-Baselines3, CleanRL.

Each module can be imported without its library; its classes then say what is missing when one is made.
"""

from rlcores.errors import RunFailed


def need(library: str, missing: Exception | None) -> None:
    """Raise RunFailed with one sentence when `library` could not be imported."""
    if missing is not None:
        raise RunFailed(f"this needs the package '{library}', which cannot be imported: {missing}") from missing
