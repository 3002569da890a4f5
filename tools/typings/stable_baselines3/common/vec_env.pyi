"""Stable-Baselines3's environments, as far as the drop-ins call them."""

from collections.abc import Iterable
from typing import Any

class VecEnv:
    def env_method(
        self, method_name: str, *method_args: Any, indices: int | Iterable[int] | None = ..., **method_kwargs: Any
    ) -> list[Any]: ...

class VecNormalize(VecEnv): ...
