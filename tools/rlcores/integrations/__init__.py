"""The cores with the interfaces of other people's libraries: torchrl, tianshou, Stable-Baselines3, CleanRL, RLlib.

Each module can be imported without its library; its classes then say what is missing when one is made.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rlcores.errors import RunFailed


def require_library(library: str, missing: Exception | None) -> None:
    """Raise RunFailed with one sentence when `library` could not be imported."""
    if missing is not None:
        raise RunFailed(f"this needs the package '{library}', which cannot be imported: {missing}") from missing


def seed_of(seed: int | None) -> int:
    """A seed of the core's draws: as given, or from NumPy's global generator, which the libraries' users seed."""
    return int(np.random.randint(2**63, dtype=np.int64)) if seed is None else seed


def long_batches(backend: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """options of a PrioritizedSampler, where they do not say with batches as long as can be."""
    extended = dict(options)
    if backend in ("native", "model"):
        extended.setdefault("batch_max", 32768)  # it costs memory in a core only
    return extended


def of_sampler(
    name: str, doc: str, where: str = "sampler", checked: Callable[[str, Any], Any] | None = None
) -> property:
    """An attribute of an object's rlcores.PrioritizedSampler as its own. checked: what is set, from name and value."""

    def put(self: Any, value: Any) -> None:
        setattr(getattr(self, where), name, checked(name, value) if checked else value)

    return property(lambda self: getattr(getattr(self, where), name), put, doc=doc)
