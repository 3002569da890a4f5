"""The sum tree core in RLlib's prioritised replay buffer of episodes."""

import copy
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rlcores.base.arguments import check_int
from rlcores.base.arrays import plain
from rlcores.base.attributes import Guarded
from rlcores.base.naming import count_of, described
from rlcores.cores.sumtree.driver import Driver
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.errors import UserError
from rlcores.integrations import long_batches, require_library

try:
    from ray.rllib.core import DEFAULT_AGENT_ID, DEFAULT_MODULE_ID
    from ray.rllib.env.single_agent_episode import SingleAgentEpisode
    from ray.rllib.utils.replay_buffers.episode_replay_buffer import EpisodeReplayBuffer
    from ray.rllib.utils.replay_buffers.prioritized_episode_buffer import PrioritizedEpisodeReplayBuffer as _Original

    _MISSING = None
except (ImportError, OSError) as error:
    if TYPE_CHECKING:
        raise  # a type checker has tools/typings
    else:
        EpisodeReplayBuffer = _Original = object
        _MISSING = error

_FLOOR = 1e-12  # of a priority, as RLlib


class PrioritizedEpisodeReplayBuffer(Guarded, _Original):
    """RLlib's class of the same name, with the sum tree core in the place of its segment trees.

    capacity                  steps of episodes, first in, first out; RLlib keeps and evicts whole episodes
    batch_size_B, batch_length_T, alpha, metrics_num_episodes_for_smoothing: as of RLlib's. batch_length_T is 1
    backend, sampler_options, seed: as of rlcores.PrioritizedSampler

    RLlib's configuration wants its name as text: `config.training(replay_buffer_config={"type":
    "rlcores.integrations.rllib.PrioritizedEpisodeReplayBuffer", "capacity": 50_000, "alpha": 0.6, "beta": 0.4})`.

    A step within n of the end of what is known of its episode is returned with a smaller n, which RLlib's learners take
    from the batch; RLlib's own buffer never returns it. Weights are divided by the largest of the batch, RLlib's by the
    largest that the whole buffer could have. A batch is drawn by strata. A priority for a step that was overwritten is
    dropped, and sampler.stale counts it. Raises RunFailed where RLlib is missing.
    """

    def __init__(
        self,
        capacity: int = 10_000,
        *,
        batch_size_B: int = 16,
        batch_length_T: int = 1,
        alpha: float = 1.0,
        metrics_num_episodes_for_smoothing: int = 100,
        backend: str | Driver = "native",
        sampler_options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        **others: Any,
    ) -> None:
        """An empty buffer. others: of RLlib's configuration, such as beta, which its sample() is given."""
        require_library("ray[rllib]", _MISSING)
        if batch_length_T != 1:
            raise UserError(f"batch_length_T is {batch_length_T}; this buffer samples single steps, so it must be 1")
        capacity = check_int("capacity", capacity, 1, 1 << 24)
        # Not RLlib's prioritised one, which would make segment trees.
        EpisodeReplayBuffer.__init__(
            self,
            capacity=capacity,
            batch_size_B=batch_size_B,
            batch_length_T=batch_length_T,
            metrics_num_episodes_for_smoothing=metrics_num_episodes_for_smoothing,
        )
        self._alpha = alpha
        self.sampler = PrioritizedSampler(
            capacity,
            alpha=alpha,
            priority_epsilon=_FLOOR,
            seed=seed,
            backend=backend,
            **long_batches(backend, sampler_options or {}),
        )
        self.rng = np.random.default_rng(self.sampler.seed)
        self._owner: dict[int, SingleAgentEpisode] = {}  # the episode of the step in each slot
        self._at = np.zeros(capacity, np.int64)  # and its number there
        self._held: dict[str, SingleAgentEpisode] = {}  # episodes by their ID, oldest first
        self._steps: dict[str, int] = {}  # of each, how many are in slots
        self._last = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def __repr__(self) -> str:
        fill = f"{len(self):,} of {self.capacity:,} steps"
        return described(
            self, fill, count_of(len(self._held), "episodes"), self.sampler.tree.backend, f"alpha {self._alpha:g}"
        )

    def __len__(self) -> int:
        return len(self.sampler)

    def get_num_timesteps(self, module_id: str | None = None) -> int:
        """Steps held."""
        return len(self)

    def get_num_episodes(self, module_id: str | None = None) -> int:
        """Episodes of which a step is held."""
        return len(self._held)

    # --- in ---

    def add(
        self, episodes: "SingleAgentEpisode | Iterable[SingleAgentEpisode] | None", weight: float | None = None
    ) -> None:
        """Keep the steps of an episode, of a piece of one, or of several; a later piece goes on where the last ended.

        weight: their |TD error|; by default the largest so far.
        """
        pieces = [episodes] if isinstance(episodes, SingleAgentEpisode) else episodes or ()
        steps = gone = evicted = begun = 0
        for piece in pieces:
            count = len(piece)
            if not count:
                continue
            mine = self._held.get(piece.id_)
            first = 0 if mine is None else len(mine)
            if mine is None:
                mine = self._held[piece.id_] = copy.deepcopy(piece)
                self._steps[piece.id_] = 0
                begun += 1
            else:
                mine.concat_episode(copy.deepcopy(piece))
            for begin in range(first, first + count, self.capacity):
                lost, ended = self._place(mine, np.arange(begin, min(first + count, begin + self.capacity)), weight)
                gone, evicted = gone + lost, evicted + ended
            steps += count
        self._num_timesteps_added += steps
        self._num_episodes_evicted += evicted
        _count(
            self._update_add_metrics,
            {"episodes_added": begun, "episodes_evicted": evicted},
            {"steps_added": steps, "steps_evicted": gone},
        )

    def _place(self, mine: "SingleAgentEpisode", numbers: np.ndarray, weight: float | None) -> tuple[int, int]:
        """Put steps of an episode into slots; how many steps and episodes went for them."""
        if weight is None:
            slots = self.sampler.add(len(numbers)).indices
        else:
            slots = self.sampler.add(td_errors=np.full(len(numbers), abs(weight))).indices
        self._steps[mine.id_] += len(numbers)
        lost = ended = 0
        for slot in map(int, slots):
            before = self._owner.get(slot)
            self._owner[slot] = mine
            if before is not None:
                lost += 1
                self._steps[before.id_] -= 1
                if not self._steps[before.id_]:
                    del self._held[before.id_], self._steps[before.id_]
                    ended += 1
        self._at[slots] = numbers
        return lost, ended

    # --- out ---

    def sample(
        self,
        num_items: int | None = None,
        *,
        batch_size_B: int | None = None,
        batch_length_T: int | None = None,
        n_step: int | tuple[int, int] | None = None,
        beta: float = 0.0,
        gamma: float = 0.99,
        include_infos: bool = False,
        include_extra_model_outputs: bool = False,
        to_numpy: bool = False,
        **others: Any,
    ) -> "list[SingleAgentEpisode]":
        """Episodes of one step each, as RLlib's: with "weights" and "n_step" among their extra model outputs.

        n_step: a number, or a range (a, b) from which each step has its own of a to b - 1. Raises UserError when the
        buffer is empty, and for sequences.
        """
        if num_items is not None and batch_size_B is not None:
            raise UserError("num_items and batch_size_B are two names of one number; give one of them")
        if (batch_length_T or self.batch_length_T) != 1:
            raise UserError(f"batch_length_T is {batch_length_T}; this buffer samples single steps, so it must be 1")
        count = num_items or batch_size_B or self.batch_size_B
        drawn = self.sampler.sample(count, beta=beta)
        self._last = drawn.indices, drawn.generations
        spans = self.rng.integers(*n_step, count) if isinstance(n_step, tuple) else np.full(count, n_step or 1)
        owners = [self._owner[slot] for slot in drawn.indices.tolist()]
        at = self._at[drawn.indices]
        steps = np.minimum(spans, [len(owner) - first for owner, first in zip(owners, at.tolist(), strict=True)])
        pieces: list[SingleAgentEpisode] = []
        for owner, first, weight, n in zip(owners, at.tolist(), drawn.weights.tolist(), steps.tolist(), strict=True):
            one = _one(owner, first, weight, n, gamma, include_infos, include_extra_model_outputs)
            if to_numpy:
                one.to_numpy()
            pieces.append(one)
        self.sampled_timesteps += count
        _count(
            self._update_sample_metrics,
            {"episodes_per_sample": len(set(map(id, owners)))},
            {"steps_sampled": count, "steps_per_sample": len(np.unique(drawn.indices))},
            sampled_n_step=float(steps.mean()),
            num_resamples=0,
        )
        return pieces

    def update_priorities(self, priorities: Any, module_id: str | None = None) -> None:
        """|TD errors| of the last sample, in its order. Raises UserError when they are not as many, or not finite."""
        errors = np.abs(np.asarray(plain("priorities", priorities), np.float64)).reshape(-1)
        if len(errors) != len(self._last[0]):
            raise UserError(f"there are {len(errors)} priorities for a last sample of {len(self._last[0])} steps")
        if len(errors):
            self.sampler.update(self._last[0], errors, self._last[1])

    # --- state ---

    def get_state(self) -> dict[str, Any]:
        """All that set_state() needs."""
        numbers = {identity: number for number, identity in enumerate(self._held)}
        owner = np.full(self.capacity, -1, np.int64)
        for slot, one in self._owner.items():
            owner[slot] = numbers[one.id_]
        return {
            "episodes": [copy.deepcopy(episode.get_state()) for episode in self._held.values()],
            "owner": owner,
            "at": self._at.copy(),
            "sampler": self.sampler.state_dict(),
            "rng": self.rng.bit_generator.state,
            "last": self._last,
            **{name: getattr(self, name) for name in _COUNTED},
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on as the buffer that gave the state would. Raises UserError, nothing changed: it is of another size."""
        steps = len(state["owner"])
        if steps != self.capacity:
            raise UserError(f"the state is that of a buffer of {steps} steps; this one has {self.capacity}")
        self.sampler.load_state_dict(state["sampler"])
        episodes = [SingleAgentEpisode.from_state(one) for one in state["episodes"]]
        self._held = {one.id_: one for one in episodes}
        self._owner = {slot: episodes[number] for slot, number in enumerate(state["owner"].tolist()) if number >= 0}
        self._at[:] = state["at"]
        counts = np.bincount(state["owner"][state["owner"] >= 0], minlength=len(episodes)).tolist()
        self._steps = {one.id_: count for one, count in zip(episodes, counts, strict=True)}
        self.rng.bit_generator.state = state["rng"]
        indices, generations = state["last"]
        self._last = np.asarray(indices), np.asarray(generations)
        for name in _COUNTED:
            setattr(self, name, state[name])


def _one(
    episode: "SingleAgentEpisode", at: int, weight: float, n: int, gamma: float, infos: bool, outputs: bool
) -> "SingleAgentEpisode":
    """n steps of an episode as an episode of one step."""
    ends, over = (at, at + n), at + n == len(episode)
    names = episode.extra_model_outputs if outputs else ()
    more = {name: [episode.get_extra_model_outputs(name, at)] for name in names}
    return SingleAgentEpisode(
        observations=[episode.get_observations(i) for i in ends],
        observation_space=episode.observation_space,
        infos=[episode.get_infos(i) for i in ends] if infos else None,
        actions=[episode.get_actions(at)],
        action_space=episode.action_space,
        rewards=[sum(gamma**k * reward for k, reward in enumerate(episode.get_rewards(slice(*ends))))],
        terminated=over and episode.is_terminated,
        truncated=over and episode.is_truncated,
        extra_model_outputs={"weights": [weight], "n_step": [n], **more},
        len_lookback_buffer=0,
        t_started=at,
    )


_COUNTED = ("_num_timesteps_added", "_num_episodes_evicted", "sampled_timesteps")


def _count(update: Any, episodes: Mapping[str, int], steps: Mapping[str, int], **others: float) -> None:
    """Tell RLlib's metrics, which want each number of the environment, of its one agent, and of its one module."""
    told: dict[str, Any] = dict(others)
    told |= {f"num_{name}": value for name, value in episodes.items()}
    told |= {f"num_env_{name}": value for name, value in steps.items()}
    each = dict(others) | {f"num_{name}": value for name, value in (*episodes.items(), *steps.items())}
    for name, value in each.items():
        told |= {f"agent_to_{name}": {DEFAULT_AGENT_ID: value}, f"module_to_{name}": {DEFAULT_MODULE_ID: value}}
    update(**told)
