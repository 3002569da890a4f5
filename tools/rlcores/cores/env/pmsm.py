"""Current control of a permanent-magnet synchronous motor: the integer model of rlc_env_pmsm, bit for bit.

The motor in rotor coordinates (P. C. Krause et al., "Analysis of electric machinery and drive systems", 3rd edition,
Wiley 2013, chapter 4) with the data of gym-electric-motor's default one (A. Traue et al., IEEE Transactions on Neural
Networks and Learning Systems 33(3), 2022): R = 18 mOhm, L_d = 0.37 mH, L_q = 1.2 mH, psi = 66 mVs. An Euler step of
0.1 ms, the period of the inverter, is

    i_d' = i_d + T/L_d (u_d - R i_d + w L_q i_q)
    i_q' = i_q + T/L_q (u_q - R i_q - w (L_d i_d + psi))

Currents are in units of 240 A. An action is (u_d, u_q) in units of 122.5 V, each clipped to +-1: with 300 V at the
inverter, every such vector is within the circle that it reaches at any angle. The load holds the electrical speed w, in
units of 800 rad/s. Speed and reference currents change with the episode, 20 ms long. A step gives
1 - (|i_d' - i_d*| + |i_q' - i_q*|) / 2. An episode ends beyond 240 A, with -8.
"""

import math

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.env.physics import OBS_WIDTH, Area, Physics, Step, limit, wrap

RESISTANCE, L_D, L_Q, FLUX = 0.018, 0.37e-3, 1.2e-3, 0.066  # ohm, henry, volt seconds
PERIOD = 1e-4  # seconds
CURRENT, VOLTAGE, SPEED = 240.0, 300 / math.sqrt(6), 800.0  # units: ampere, volt, rad/s electrical
FAILURE = -8.0

CODE, W, SEEN = 25, 17, 16  # fraction bits of currents, of the speed, and of currents and references as they are seen
SUM = 43  # in which a change of a current is summed up


def constants() -> dict[str, int]:
    """The numbers of rlc_env_pmsm.v by their names there."""
    real = {
        "A_D": (PERIOD * VOLTAGE / (L_D * CURRENT), 19), "A_Q": (PERIOD * VOLTAGE / (L_Q * CURRENT), 21),
        "R_D": (PERIOD * RESISTANCE / L_D, 22), "R_Q": (PERIOD * RESISTANCE / L_Q, 22),
        "X_D": (PERIOD * SPEED * L_Q / L_D, 18), "X_Q": (PERIOD * SPEED * L_D / L_Q, 22),
        "FLUX_Q": (PERIOD * SPEED * FLUX / (L_Q * CURRENT), 47), "FAILURE": (FAILURE, 19), "ONE": (1.0, 15),
    }  # fmt: skip
    return {name: math.floor(x * 2.0**f + 0.5) for name, (x, f) in real.items()}


_C = constants()


class Pmsm(Physics):
    """A drive's currents. State and observation: i_d, i_q, speed, and the references of both currents."""

    name, gymnasium = "pmsm", "rlcores/PmsmCurrent-v0"
    states = (CODE, CODE, W, SEEN, SEEN)
    observations = (SEEN, SEEN, W, SEEN, SEEN)
    draws, actions, components, time_limit = 3, 0, 2, 200
    action_range = (-1.0, 1.0)
    latency, reset_latency = 11, 1
    obs_range = ((-2.0, -2.0, -1.0, -0.5, -0.5), (2.0, 2.0, 1.0, 0.5, 0.5))
    live = (-1.0, -1.0, -1.0, -0.5, -0.5), (1.0, 1.0, 1 - 2.0**-W, 0.5 - 2.0**-SEEN, 0.5 - 2.0**-SEEN)
    leaf, area = "pmsm", Area(lut=448, ff=1757, dsp=10)
    said = (
        "i_d, i_q sfix(27,25) of 240 A, speed (18,17) of 800 rad/s, i_d*, i_q* (18,16)",
        "the state; currents sfix(18,16)", "voltages u_d, u_q, ±1 of 122.5 V",
        "1 − (abs(i_d − i_d*) + abs(i_q − i_q*))/2, and −8 beyond 240 A",
    )  # fmt: skip

    def step(self, state: np.ndarray, action: np.ndarray) -> Step:
        """As Physics.step. Of the currents 27 bits count, of the others 18."""
        state, action = np.asarray(state, np.int64), np.asarray(action, np.int64)
        i_d, i_q = (wrap(state[..., k], 27) for k in (0, 1))
        speed, goal_d, goal_q = (wrap(state[..., k], OBS_WIDTH) for k in (2, 3, 4))
        u_d, u_q = np.moveaxis(np.clip(action, -_C["ONE"], _C["ONE"]), -1, 0)
        # What turns into the other axis, per unit of the speed: 26 fraction bits.
        flux_d = round_shift(i_q * _C["X_D"], CODE + 18 - 26)
        flux_q = round_shift(i_d * _C["X_Q"] + _C["FLUX_Q"], CODE + 22 - 26)
        change_d = (u_d << 9) * _C["A_D"] - round_shift(i_d, 4) * _C["R_D"] + flux_d * speed
        change_q = (u_q << 7) * _C["A_Q"] - round_shift(i_q, 4) * _C["R_Q"] - flux_q * speed
        i_d, over_d = limit(i_d + round_shift(change_d, SUM - CODE), 27)
        i_q, over_q = limit(i_q + round_shift(change_q, SUM - CODE), 27)
        seen_d, beyond_d = limit(round_shift(i_d, CODE - SEEN), OBS_WIDTH, symmetric=True)
        seen_q, beyond_q = limit(round_shift(i_q, CODE - SEEN), OBS_WIDTH, symmetric=True)
        terminated = seen_d * seen_d + seen_q * seen_q > 1 << 2 * SEEN
        missed = np.abs(seen_d - goal_d) + np.abs(seen_q - goal_q)
        reward = np.where(terminated, _C["FAILURE"], (1 << 19) - (missed << 2))
        held = [np.maximum(x, -(1 << 17) + 1) for x in (speed, goal_d, goal_q)]
        new = np.stack([i_d, i_q, speed, goal_d, goal_q], axis=-1)
        obs = np.stack([seen_d, seen_q, *held], axis=-1)
        return Step(new, obs, reward, terminated, over_d | over_q | beyond_d | beyond_q)

    def reset(self, draw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As Physics.reset: currents and their references uniform in [-0.5, 0.5), the speed in [-1, 1)."""
        draw = np.asarray(draw, np.int64)
        goal_d, goal_q, i_d, i_q = (wrap(draw[..., k] >> low, 16) for k in (1, 2) for low in (16, 0))
        speed = wrap(draw[..., 0] >> 14, OBS_WIDTH)
        obs = np.stack([i_d, i_q, np.maximum(speed, -(1 << 17) + 1), goal_d, goal_q], axis=-1)
        return np.stack([i_d << CODE - SEEN, i_q << CODE - SEEN, speed, goal_d, goal_q], axis=-1), obs

    def reference(self, states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As Physics.reference; actions (n, 2). The equations at this file's head, in ampere and volt."""
        i_d, i_q, w, goal_d, goal_q = states.T * np.array([CURRENT, CURRENT, SPEED, CURRENT, CURRENT])[:, None]
        u_d, u_q = np.clip(actions.T, -1, 1) * VOLTAGE
        new_d = i_d + PERIOD / L_D * (u_d - RESISTANCE * i_d + w * L_Q * i_q)
        new_q = i_q + PERIOD / L_Q * (u_q - RESISTANCE * i_q - w * (L_D * i_d + FLUX))
        terminated = new_d**2 + new_q**2 > CURRENT**2
        reward = 1 - (np.abs(new_d - goal_d) + np.abs(new_q - goal_q)) / (2 * CURRENT)
        new = np.column_stack([new_d / CURRENT, new_q / CURRENT, states[:, 2:]])
        return new, np.where(terminated, FAILURE, reward), terminated
