"""The environment core as a vector environment of Gymnasium."""

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from rlcores.base.arguments import check_backend, check_int, choice
from rlcores.base.arrays import plain
from rlcores.base.attributes import Guarded
from rlcores.base.naming import backend_of
from rlcores.buses.bus import StreamsBus
from rlcores.cores.common.fixed import limits
from rlcores.cores.env.driver import EnvDriver, Environments
from rlcores.cores.env.environments import ENVIRONMENTS, named
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.native import Answers, NativeEnvs
from rlcores.cores.env.physics import ACTION_FRACTION, ACTION_WIDTH, REWARD_FRACTION, Physics
from rlcores.errors import UserError, WarningCounter
from rlcores.integrations import require_library

if TYPE_CHECKING:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as _OfGymnasium
    from gymnasium.vector.utils import batch_space

    _VectorEnv = _OfGymnasium[np.ndarray, np.ndarray, np.ndarray]
    _MISSING: ImportError | None
else:
    try:
        import gymnasium
        from gymnasium import spaces
        from gymnasium.vector import AutoresetMode
        from gymnasium.vector import VectorEnv as _VectorEnv
        from gymnasium.vector.utils import batch_space

        import rlcores.cores.env.plants  # noqa: F401 - registers the library's own

        _MISSING = None
    except ImportError as error:
        _VectorEnv = object
        _MISSING = error

BACKENDS = ("native", "model", "rtl")
_MODES = ("SameStep", "NextStep")
_MOST = 4096  # environments of a core


class VectorEnv(Guarded, _VectorEnv):
    """N environments of one core behind Gymnasium's interface.

    Spaces, rewards, ends and infos are those of gymnasium.make_vec; observations are the core's 18 bits as float32.
    Where an episode ended, infos["final_obs"] has its last observation (AutoresetMode.SAME_STEP), or the observation is
    its last one and the next step only resets that environment (NEXT_STEP, which Gymnasium's wrappers of observations
    need). A number that the core had to limit gives a
    CoreWarning. They can be pickled and copied, but for those on a core: a copy goes on as the original would.

    >>> envs = VectorEnv("CartPole-v1", num_envs=2)
    >>> obs, infos = envs.reset(seed=1)
    >>> obs, rewards, terminated, truncated, infos = envs.step(np.array([0, 1]))
    >>> rewards
    array([1., 1.])
    """

    def __init__(
        self,
        env: str,
        num_envs: int = 1,
        *,
        backend: str | StreamsBus = "native",
        max_episode_steps: int | None = None,
        autoreset_mode: "str | AutoresetMode" = "SameStep",
    ) -> None:
        """env: Gymnasium's name, or ours. num_envs: 1 to 4096.

        backend: "native" (the engine in C++), "model" (the same integers in NumPy), "rtl" (the Verilated core), or a
        bus to a core. max_episode_steps: 1 to 65535; default: Gymnasium's. autoreset_mode: AutoresetMode.SAME_STEP or
        NEXT_STEP, or their values; a core itself has SAME_STEP only. Raises UserError for what is none of these, also
        where a bus' core was built for another environment or number.
        """
        require_library("gymnasium", _MISSING)
        self.core: Environments = _core(
            named(env), check_int("num_envs", num_envs, 1, _MOST), backend, max_episode_steps
        )
        physics = self.core.physics
        self.num_envs, self.render_mode = self.core.n_envs, None
        self.spec = gymnasium.spec(physics.gymnasium)
        mode = choice("autoreset_mode", getattr(autoreset_mode, "value", autoreset_mode), _MODES)
        if mode == "NextStep" and isinstance(self.core, EnvDriver):
            raise UserError("a core resets its environments in the same step; NextStep needs backend native or model")
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode(mode)}
        self._resets = np.zeros(self.num_envs, bool)  # the next step only resets these, to the observations:
        self._firsts = np.zeros((0,), np.float32)
        low, high = (np.array(end, np.float32) for end in physics.obs_range)
        self.single_observation_space = spaces.Box(low, high, dtype=np.float32)
        self.single_action_space: spaces.Space[Any]
        if physics.actions:
            self.single_action_space = spaces.Discrete(physics.actions)
        else:
            self.single_action_space = spaces.Box(*physics.action_range, (physics.components,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._tally, self._saturated, self._begun = WarningCounter(), 0, False

    def __repr__(self) -> str:
        name = self.core.physics.gymnasium
        return f"VectorEnv({name}, {self.num_envs:,} environments, {backend_of(self.core)})"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Restart all episodes. Returns observations float32 (N, …) and infos.

        seed: 64 bits, unsigned; without one it is drawn from `np_random`. options: none are known. Raises UserError.
        """
        self._open()
        if options:
            raise UserError(f"the core's environments know no option of a reset; given: {', '.join(map(str, options))}")
        if seed is not None:
            seed = check_int("seed", seed, 0, 2**64 - 1)
            super().reset(seed=seed)
        else:
            seed = int(self.np_random.integers(2**63))
        obs = self._numbers(self.core.start(seed)["obs"])
        self._begun = True
        self._resets[:] = False
        return obs, {}

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Every environment's step: observations, rewards float64 (N,), terminated, truncated, infos.

        Raises UserError before reset(), after close(), and for actions that are not of the action space.
        """
        self._open()
        if not self._begun:
            raise UserError("there is no episode before reset()")
        codes = self._codes(actions)
        infos: dict[str, Any] = {}
        if self.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP:
            obs, rewards, terminated, truncated = self._next_step(codes)
        else:
            obs, final, rewards, terminated, truncated = self._answers(codes)
            for i in np.flatnonzero(terminated | truncated).tolist():
                infos = self._add_info(infos, {"final_obs": final[i], "final_info": {}}, i)
        saturated = self.core.saturated
        self._tally.add("saturated", saturated - self._saturated, "the core clipped a number of a state or observation")
        self._saturated = saturated
        return obs, rewards, terminated, truncated, infos

    def _next_step(self, codes: np.ndarray) -> tuple[np.ndarray, ...]:
        """Of the core's steps: those behind an end only show the first observation, and the environment stays there."""
        resets = self._resets
        core = self.core
        assert isinstance(core, NativeEnvs | EnvModel)  # the constructor refuses a core
        before = core.save() if resets.any() else None
        kept = np.where(resets.reshape(-1, *(1,) * (codes.ndim - 1)), 0, codes)
        firsts, obs, rewards, terminated, truncated = self._answers(kept)
        if before is not None:
            now = core.save()
            for name in ("state", "elapsed"):
                now[name][resets] = before[name][resets]
            core.load(now)
            obs[resets], rewards[resets] = self._firsts[resets], 0
            terminated[resets] = truncated[resets] = False
        self._firsts, self._resets = firsts, terminated | truncated
        return obs, rewards, terminated, truncated

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy. Raises UserError when the environments run on a core."""
        if isinstance(self.core, EnvDriver):
            raise UserError("environments on a core cannot be pickled or copied")
        return vars(self).copy()

    def __copy__(self) -> "VectorEnv":
        return copy.deepcopy(self)

    def _open(self) -> None:
        if self.closed:
            raise UserError("the environments are closed; make new ones")

    def _answers(self, codes: np.ndarray) -> Answers:
        if isinstance(self.core, NativeEnvs):
            return self.core.answers(codes)
        records = self.core.step(codes)
        obs, final = self._numbers(records["obs"]), self._numbers(records["final"])
        ends = records["terminated"].copy(), records["truncated"].copy()
        return Answers(obs, final, records["reward"] * 2.0**-REWARD_FRACTION, *ends)

    def _numbers(self, obs: np.ndarray) -> np.ndarray:
        return np.asarray(self.core.physics.numbers(obs), np.float32)

    def _codes(self, actions: np.ndarray) -> np.ndarray:
        shape = (self.num_envs,) if self.core.physics.actions else (self.num_envs, self.core.physics.components)
        array = plain("actions", actions)
        if array.shape != shape:
            raise UserError(f"actions have the shape {array.shape}; it must be {shape}")
        count = self.core.physics.actions
        if not count:
            if array.dtype.kind not in "iuf" or not np.isfinite(array).all():
                raise UserError("an action is not a finite number")
            least, most = (end * 2.0**-ACTION_FRACTION for end in limits(ACTION_WIDTH))
            numbers = (array[:, 0] if self.core.physics.components == 1 else array).astype(float)
            codes: np.ndarray = np.floor(np.clip(numbers, least, most) * 2.0**ACTION_FRACTION + 0.5).astype(np.int64)
            if self.core.physics.paid:
                beyond = int(np.count_nonzero((numbers < least) | (numbers > most)))
                saturated = f"an action was clipped to {least:g} to {most:g}, and so was its cost"
                self._tally.add("action", beyond, saturated)
            return codes
        if not np.issubdtype(array.dtype, np.integer) or (array < 0).any() or (array >= count).any():
            raise UserError(f"actions must be whole numbers, 0 to {count - 1}")
        return array


def _core(physics: Physics, num_envs: int, backend: str | StreamsBus, limit: int | None) -> Environments:
    if limit is not None:
        limit = check_int("max_episode_steps", limit, 1, 65535)
    check_backend(backend, BACKENDS, "read", "a bus")
    if not isinstance(backend, str):
        core = EnvDriver(backend, physics.time_limit if limit is None else limit)
        if (core.physics, core.n_envs) != (physics, num_envs):
            raise UserError(
                f"the core has {core.n_envs} environments '{core.physics.name}', not {num_envs} of '{physics.name}'"
            )
        return core
    if backend != "rtl":
        made = NativeEnvs if backend == "native" else EnvModel
        return made(physics, num_envs, limit)
    steps = physics.time_limit if limit is None else limit
    number = list(ENVIRONMENTS).index(physics.name)
    return EnvDriver.verilated({"ENV": number, "N_ENVS": num_envs, "TIME_LIMIT": steps})
