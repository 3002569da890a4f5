"""The PPO core with its environments under its C++ driver: weights in and out, iterations run, every clock noted.

ppo_drive.cpp clocks the Verilated ppo_with_env itself. Here it is set up as an integer learner is, runs iterations, and
is compared with that learner after each of them: actions, episodes, weights, moments.
"""

import ctypes
from dataclasses import dataclass

import numpy as np

from rlcores.cores.common.draws import state_of
from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.env.physics import REWARD_FRACTION, Physics
from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.policy.head import ACTION_WIDTH
from rlcores.cores.ppo.model import ACC_OVERFLOW, COUNTERS, Ppo, Rollout
from rlcores.cores.ppo.registers import planes, ports
from rlcores.cores.ppo.shape import PpoShape
from rlcores.cores.ppo.words import NETWORKS
from rlcores.eda import declared
from rlcores.errors import RunFailed
from rlcores_lab.bench.drive import NUMBER, POINTER, Drive, in_words, load

VLNV, TOP = "rlcores:system:ppo_with_env", "ppo_with_env"
# States of rlc_ppo_phase_fsm, in its order.
STATES = ("idle", "fill", "load", "collect", "answers", "gae", "train", "rest", "drop")
_EPISODES = 4096  # that may end in an iteration


class _Iteration(ctypes.Structure):
    _fields_ = (
        ("clocks", NUMBER),
        ("states", NUMBER * len(STATES)),
        *((name, NUMBER) for name in ("first", "minibatches", "actions", "episodes")),
    )


@dataclass(frozen=True)
class Iteration:
    """What the core did in an iteration.

    states: clocks of each of STATES. first: clocks from the last advantage to the begin of the first minibatch. begun,
    done: of each minibatch, clocks behind the iteration's begin. actions (T, N, words): what the environments got.
    episodes (E, 4): step, environment, return, length of those that ended.
    """

    clocks: int
    states: dict[str, int]
    first: int
    begun: np.ndarray
    done: np.ndarray
    actions: np.ndarray
    episodes: np.ndarray


class PpoDrive(Drive):
    """One instance of the Verilated core and its environments under the driver."""

    def __init__(self, shape: PpoShape, physics: Physics) -> None:
        """Raises RunFailed when it does not build."""
        self.shape, self.physics = shape, physics
        self._layouts = {name: WeightLayout(net) for name, net in shape.networks.items()}
        parameters = shape.parameters() | {"ENV": declared.of("env")["ENV"].choice.index(physics.name)}
        super().__init__(
            load(VLNV, TOP, parameters, "ppo_drive.cpp"),
            settings=(ctypes.c_char_p,),
            configure=(ctypes.c_int, POINTER),
            restart_rate=(None,),
            host=(NUMBER, ctypes.c_int, ctypes.c_int, ctypes.c_uint, POINTER, NUMBER),
            run=(NUMBER, ctypes.c_int, NUMBER, POINTER, POINTER, NUMBER, POINTER, NUMBER, POINTER, NUMBER, POINTER),
        )
        self.counters = np.zeros(COUNTERS, np.uint64)  # saturations, by the model's NAMES

    def begin(self, learner: Ppo, seed: int, todo: int = 0) -> None:
        """Become this learner, before its first update, with environments of that seed; todo: iterations of a run.

        Raises RunFailed when the core says that its fractions do not fit.
        """
        by_port = ports(learner.formats, learner.settings, self.shape.columns, todo)
        by_port["env_seed"] = sum(word << 32 * i for i, word in enumerate(state_of(seed)))
        by_port["env_time_limit"] = self.physics.time_limit
        self.settings = learner.settings
        names = self._call("settings").decode().split()
        if unknown := by_port.keys() - names:
            raise RunFailed(f"the driver knows no setting {', '.join(unknown)}")
        values = in_words([by_port[name] for name in names])
        if not self._call("configure", values.ctypes.data):
            raise RunFailed("the PPO core says that its fractions do not fit together")
        for name, plane, words in planes(learner, self._layouts):
            self._host(False, name, plane, words)
        self._call("restart_rate")
        self.counters[:] = 0

    def run(self, count: int, resume: bool = False) -> list[Iteration]:
        """`count` iterations, one behind the other: `todo` of begin(). Raises RunFailed when the core hangs."""
        s = self.settings
        batches, records = s.epochs * s.minibatches, s.envs * s.steps
        iterations, marks = (_Iteration * count)(), np.zeros((count, batches, 2), np.int64)
        actions, episodes = np.zeros(count * records, np.uint64), np.zeros((count * _EPISODES, 5), np.int64)
        arrays = marks.ctypes.data, batches, actions.ctypes.data, len(actions), episodes.ctypes.data, len(episodes)
        done = self._call("run", resume, count, iterations, *arrays, self.counters[1:].ctypes.data)
        if done != count:
            raise RunFailed(f"the PPO core has done {done} of {count} iterations and no more")
        if any(one.actions != records or one.minibatches != batches for one in iterations):
            raise RunFailed("the PPO core made too few actions or minibatches in an iteration")
        scale = np.array([1, 1, 2.0**-REWARD_FRACTION, 1])
        return [
            Iteration(
                int(one.clocks),
                dict(zip(STATES, map(int, one.states), strict=True)),
                int(one.first),
                *marks[i].T,
                actions[i * records :][:records].reshape(s.steps, s.envs),
                episodes[episodes[:, 0] == i][: one.episodes, 1:] * scale,
            )
            for i, one in enumerate(iterations)
        ]

    def differences(self, learner: Ppo) -> dict[str, int]:
        """Numbers of each network and plane that are not the learner's; empty when all are the same."""
        wrong_counts = {}
        for name, plane, words in planes(learner, self._layouts):
            mine = np.zeros(len(words), np.int64)
            self._host(True, name, plane, mine)
            if wrong := int((mine != words).sum()):
                wrong_counts[f"{name} plane {plane}"] = wrong
        return wrong_counts

    def counts_as(self, own: Ppo) -> bool:
        """Whether as many numbers were clipped as in the learner; sums too wide for a number are words in the core."""
        ours, counted = own.counters.copy(), self.counters.astype(np.int64)
        ours[ACC_OVERFLOW] = counted[ACC_OVERFLOW]
        return bool((ours == counted).all())

    def _host(self, read: bool, name: str, plane: int, words: np.ndarray) -> None:
        if not self._call("host", read, NETWORKS.index(name), plane, words.ctypes.data, len(words)):
            raise RunFailed(f"plane {plane} of the {name} does not {'come out' if read else 'go in'}")


def same(mine: Iteration, rollout: Rollout, episodes: np.ndarray) -> bool:
    """Whether an iteration of the core acted as the learner's rollout did, and ended the same episodes."""
    wanted = rollout.actions
    if wanted.ndim == 3:
        wanted = saturate(round_shift(wanted[:, :, 0], 1), ACTION_WIDTH) & (1 << ACTION_WIDTH) - 1
    return np.array_equal(mine.actions, wanted) and np.array_equal(mine.episodes, episodes)
