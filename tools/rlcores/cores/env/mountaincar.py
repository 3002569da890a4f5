"""MountainCar and MountainCarContinuous: the integer model of rlc_env_mountaincar, bit for bit.

Physics, constants and the order of operations are those of Gymnasium's MountainCar-v0 and MountainCarContinuous-v0
(gymnasium.envs.classic_control.mountain_car and .continuous_mountain_car, after A. Moore, "Efficient memory-based
learning for robot control", PhD thesis, University of Cambridge, 1990):

    velocity += force - 0.0025 cos(3 position)      clipped to +-0.07
    position += velocity                            clipped to -1.2 ... 0.6
    velocity  = 0 where the position is at -1.2 and the velocity points there

force is 0.001 times -1, 0 or 1, or 0.0015 times the action within +-1. An episode starts at rest, uniform between -0.6
and -0.4, and ends at the goal, at 0.5 or 0.45, with a velocity of 0 or more. A step costs 1, or a tenth of the action's
square, of the action as it was given; the continuous car gets 100 at the goal.
"""

import math
from typing import ClassVar

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.common.sincos import FRACTION as COS_FRACTION
from rlcores.cores.common.sincos import sincos_fixed
from rlcores.cores.env.physics import ACTION_FRACTION, REWARD_FRACTION, Area, Physics, Step, observe

FRACTION = 29  # of a position, |x| < 2 in 31 bits, and of a velocity, |v| < 1/8 in 27
SUM = 50  # in which a velocity is summed up
ANGLE_DROP = 4  # low bits of a position that its angle leaves out
TURN_DROP = 17  # low bits of an angle in turns, whose product has 43
SQUARE_DROP = 9  # low bits of an action's square that its cost leaves out
DRAW_DROP = 6  # low bits of a draw that nobody reads
RESET_DROP = 16  # low bits of a draw's part of 0.2, whose product has 45


def _code(x: float, fraction: int) -> int:
    return round(x * 2**fraction)


POSITION_LOW, POSITION_HIGH = _code(-1.2, FRACTION), _code(0.6, FRACTION)
SPEED = _code(0.07, FRACTION)
TURNS = _code(3 / (2 * math.pi), 18)
GRAVITY = _code(0.0025, SUM - COS_FRACTION)
FORCE = _code(0.001, SUM)
POWER = _code(0.0015, SUM - ACTION_FRACTION)
ONE = 1 << ACTION_FRACTION
COST = _code(0.1, 20)
COST_DROP = 2 * ACTION_FRACTION - SQUARE_DROP + 20 - REWARD_FRACTION
RESET_LOW = _code(-0.6, FRACTION)
RESET_LENGTH = math.floor(0.2 * 2**19)  # so that no episode starts beyond -0.4
GOAL, GOAL_CONTINUOUS = _code(0.5, FRACTION), _code(0.45, FRACTION)


def constants() -> dict[str, int]:
    """The numbers of rlc_env_mountaincar.v by their names there."""
    names = (
        "POSITION_LOW POSITION_HIGH SPEED TURNS GRAVITY FORCE POWER COST RESET_LOW RESET_LENGTH GOAL GOAL_CONTINUOUS"
    )
    return {name: globals()[name] for name in names.split()}


class MountainCar(Physics):
    """MountainCar-v0. State and observation: position and velocity, as Gymnasium's. Actions: left, none, right."""

    name, gymnasium = "mountaincar", "MountainCar-v0"
    states = (FRACTION, FRACTION)
    observations = (16, 20)
    draws, actions, time_limit = 1, 3, 200
    latency, reset_latency = 17, 4
    obs_range = ((-1.2, -0.07), (0.6, 0.07))
    live = (-1.2, -0.07), (0.5, 0.07)
    leaf, area = "mountaincar", Area(lut=702, ff=1601, dsp=6, bram36=1)
    leaf_parameters: ClassVar = {"CONTINUOUS": 0}
    said = (
        "position sfix(32,29), velocity (32,29)", "position sfix(18,16), velocity (18,20)",
        "0 left, 1 none, 2 right", "−1",
    )  # fmt: skip
    goal = GOAL

    def step(self, state: np.ndarray, action: np.ndarray) -> Step:
        """As Physics.step. Nothing is ever clipped but by the physics."""
        position, velocity = np.moveaxis(np.asarray(state, np.int64), -1, 0)
        action = np.asarray(action, np.int64)
        _, cosine = sincos_fixed(round_shift((position >> ANGLE_DROP) * TURNS, TURN_DROP))
        total = (velocity << SUM - FRACTION) + self._force(action) - cosine * GRAVITY
        velocity = np.clip(round_shift(total, SUM - FRACTION), -SPEED, SPEED)
        position = np.clip(position + velocity, POSITION_LOW, POSITION_HIGH)
        velocity = np.where((position == POSITION_LOW) & (velocity < 0), 0, velocity)
        terminated = (position >= self.goal) & (velocity >= 0)
        new = np.stack([position, velocity], axis=-1)
        none = np.zeros(terminated.shape, bool)
        return Step(new, observe(new, _DROPS)[0], self._reward(action, terminated), terminated, none)

    def reset(self, draw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As Physics.reset: at rest, the position uniform in [-0.6, -0.4) by the top 26 bits of the draw."""
        part = (np.asarray(draw, np.int64)[..., 0] >> DRAW_DROP) * RESET_LENGTH
        position = RESET_LOW + (part >> RESET_DROP)
        state = np.stack([position, np.zeros_like(position)], axis=-1)
        return state, observe(state, _DROPS)[0]

    def reference(self, states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As Physics.reference. Gymnasium has no vector of cars: one is put into each state."""
        import gymnasium

        car = gymnasium.make(self.gymnasium).unwrapped
        car.reset(seed=0)
        env_actions = actions.tolist() if self.actions else actions[:, None]
        next_states, rewards, terminated = [], [], []
        for state, action in zip(states, env_actions, strict=True):
            car.state = state
            _, reward, end, _, _ = car.step(action)
            next_states.append(tuple(car.state))
            rewards.append(reward)
            terminated.append(end)
        return np.array(next_states, float), np.array(rewards, float), np.array(terminated)

    def jumps(self, reached: np.ndarray) -> np.ndarray:
        """As Physics.jumps: at the wall."""
        return reached[:, 0] < -1.2 + 1e-6

    def _force(self, action: np.ndarray) -> np.ndarray:
        return (action - 1) * FORCE

    def _reward(self, action: np.ndarray, terminated: np.ndarray) -> np.ndarray:
        return np.full(terminated.shape, -1 << REWARD_FRACTION, np.int64)


class MountainCarContinuous(MountainCar):
    """MountainCarContinuous-v0. The action is the force, of which what is beyond +-1 has no effect and is paid for."""

    name, gymnasium = "mountaincar_continuous", "MountainCarContinuous-v0"
    actions, action_range, paid, time_limit = 0, (-1.0, 1.0), True, 999
    live = (-1.2, -0.07), (0.45, 0.07)
    leaf_parameters: ClassVar = {"CONTINUOUS": 1}
    area = Area(lut=724, ff=1633, dsp=9, bram36=1)
    said = (*MountainCar.said[:2], "a force, ±1", "−action²/10, and 100 at the goal")
    goal = GOAL_CONTINUOUS

    def _force(self, action: np.ndarray) -> np.ndarray:
        return np.clip(action, -ONE, ONE) * POWER

    def _reward(self, action: np.ndarray, terminated: np.ndarray) -> np.ndarray:
        cost = round_shift(round_shift(action * action, SQUARE_DROP) * COST, COST_DROP)
        return terminated * (100 << REWARD_FRACTION) - cost


_DROPS = tuple(FRACTION - fraction for fraction in MountainCar.observations)
