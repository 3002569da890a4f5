"""Pendulum: the integer model of rlc_env_pendulum, bit for bit.

Physics and constants are those of Gymnasium's Pendulum-v1 (gymnasium.envs.classic_control.pendulum): Euler steps of
0.05 s, a torque u clipped to +-2, speed clipped to +-8, the cost theta² + 0.1 theta_dot² + 0.001 u² of the state before
the step, 200 steps, no other end. With g = 10 and mass and length 1

  theta_dot' = clip(theta_dot + 0.75 sin(theta) + 0.15 u)
  theta'     = theta + 0.05 theta_dot'

The angle is kept in turns, so it wraps by itself; Gymnasium lets it grow, and only sees sine, cosine and what is left
without whole turns.
"""

import math

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.common.sincos import sincos_fixed
from rlcores.cores.env.physics import Area, Physics, Step, at_half_a_turn, within_a_turn, wrap

DT, MAX_SPEED, MAX_TORQUE = 0.05, 8.0, 2.0
TURN = 2 * math.pi  # radians

ANGLE, SPEED = 32, 22  # fraction bits of the state: turns, rad/s


def constants() -> dict[str, int]:
    """The numbers of rlc_env_pendulum.v by their names there."""
    real = {
        "PUSH": (3 * DT, 19), "TURN_RATE": (DT / TURN, 23), "TURN2": (TURN**2, 10), "COST_SPEED": (0.1, 20),
        "COST_TORQUE": (0.001, 25), "SPEED_END": (MAX_SPEED, SPEED), "TORQUE_END": (MAX_TORQUE, 15),
    }  # fmt: skip
    return {name: math.floor(x * 2.0**f + 0.5) for name, (x, f) in real.items()}


_C = constants()


class Pendulum(Physics):
    """Pendulum-v1. State: theta, theta_dot. Observation: cos(theta), sin(theta), theta_dot in rad/s."""

    name, gymnasium = "pendulum", "Pendulum-v1"
    states = (ANGLE, SPEED)
    observations = (16, 16, 13)
    draws, actions, time_limit = 2, 0, 200
    action_range = (-MAX_TORQUE, MAX_TORQUE)
    latency, reset_latency = 28, 10
    obs_range = ((-1.0, -1.0, -MAX_SPEED), (1.0, 1.0, MAX_SPEED))
    units = np.array([TURN, 1.0])
    live = (-math.pi, -8), (math.pi, 8)
    leaf, area = "pendulum", Area(lut=1581, ff=4484, dsp=19, bram36=3)
    said = (
        "θ in turns sfix(32,32), θ̇ in rad/s (27,22)", "cos θ sfix(18,16), sin θ (18,16), θ̇ (18,13)", "a torque, ±2",
        "−(θ² + 0.1·θ̇² + 0.001·u²) of the state before the step",
    )  # fmt: skip

    def step(self, state: np.ndarray, action: np.ndarray) -> Step:
        """As Physics.step. action: a torque, sfix(18,15). Of theta_dot 27 bits count."""
        state, action = np.asarray(state, np.int64), np.asarray(action, np.int64)
        theta, speed = wrap(state[..., 0], ANGLE), wrap(state[..., 1], 27)
        torque = np.clip(action, -_C["TORQUE_END"], _C["TORQUE_END"])
        angle = wrap(round_shift(theta, 6), 26)

        # The cost with 37 fraction bits, of the state before the step.
        angle2 = round_shift(angle * angle, 52 - 27)
        speed2 = round_shift(speed * speed, 44 - 17)
        torque2 = torque * torque >> 18
        cost = angle2 * _C["TURN2"] + speed2 * _C["COST_SPEED"] + torque2 * _C["COST_TORQUE"]
        reward = -round_shift(cost, 37 - 19)

        # The acceleration of a step with 34 fraction bits.
        push = (3 * sincos_fixed(angle)[0] << 7) + torque * _C["PUSH"]
        speed = np.clip(speed + round_shift(push, 34 - SPEED), -_C["SPEED_END"], _C["SPEED_END"])
        theta = wrap(theta + round_shift(speed * _C["TURN_RATE"], 45 - ANGLE), ANGLE)
        new = np.stack([theta, speed], axis=-1)
        never = np.zeros(reward.shape, bool)
        return Step(new, self._observe(new), reward, never, never)

    def reset(self, draw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As Physics.reset: theta uniform on the circle, theta_dot within +-1."""
        draw = np.asarray(draw, np.int64)
        state = np.stack([draw[..., 0] - (1 << 31), (draw[..., 1] >> 9) - (1 << SPEED)], axis=-1)
        return state, self._observe(state)

    def reference(self, states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As Physics.reference. Gymnasium's step is written in array operations, so that one pendulum may be many."""
        import gymnasium

        pendulum = gymnasium.make(self.gymnasium).unwrapped
        pendulum.reset(seed=0)
        pendulum.state = states.T
        _, reward, _, _, _ = pendulum.step(actions[None])
        theta, theta_dot = pendulum.state
        return np.stack([within_a_turn(theta), theta_dot], axis=-1), reward, np.zeros(len(states), bool)

    def jumps(self, reached: np.ndarray) -> np.ndarray:
        """As Physics.jumps."""
        return at_half_a_turn(reached[:, :1])

    def _observe(self, state: np.ndarray) -> np.ndarray:
        sine, cosine = sincos_fixed(round_shift(state[..., 0], 6))
        return np.stack([round_shift(cosine, 9), round_shift(sine, 9), round_shift(state[..., 1], 9)], axis=-1)
