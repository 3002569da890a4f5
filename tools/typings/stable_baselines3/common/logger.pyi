"""Stable-Baselines3's logger, as far as the drop-ins call it."""

from typing import Any

class Logger:
    def record(self, key: str, value: Any, exclude: str | tuple[str, ...] | None = ...) -> None: ...
