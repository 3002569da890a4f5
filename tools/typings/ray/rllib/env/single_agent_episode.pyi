"""RLlib's episodes, as far as the drop-in calls them."""

from collections.abc import Mapping
from typing import Any

from gymnasium import Space

class SingleAgentEpisode:
    id_: str
    is_terminated: bool
    is_truncated: bool
    observation_space: Space[Any] | None
    action_space: Space[Any] | None
    extra_model_outputs: dict[str, Any]
    def __init__(
        self,
        id_: str | None = ...,
        *,
        observations: list[Any] | None = ...,
        observation_space: Space[Any] | None = ...,
        infos: list[Any] | None = ...,
        actions: list[Any] | None = ...,
        action_space: Space[Any] | None = ...,
        rewards: list[Any] | None = ...,
        terminated: bool = ...,
        truncated: bool = ...,
        extra_model_outputs: dict[str, Any] | None = ...,
        t_started: int | None = ...,
        len_lookback_buffer: int | str = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    def concat_episode(self, other: SingleAgentEpisode) -> None: ...
    def to_numpy(self) -> SingleAgentEpisode: ...
    def get_observations(self, indices: int | list[int] | slice | None = ...) -> Any: ...
    def get_infos(self, indices: int | list[int] | slice | None = ...) -> Any: ...
    def get_actions(self, indices: int | list[int] | slice | None = ...) -> Any: ...
    def get_rewards(self, indices: int | list[int] | slice | None = ...) -> Any: ...
    def get_extra_model_outputs(self, key: str, indices: int | list[int] | slice | None = ...) -> Any: ...
    def get_state(self) -> dict[str, Any]: ...
    @staticmethod
    def from_state(state: Mapping[str, Any]) -> SingleAgentEpisode: ...
