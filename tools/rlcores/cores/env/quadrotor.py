"""A quadrotor that hovers: the integer model of rlc_env_quadrotor, bit for bit.

A rigid body with four rotors on a cross, as in R. Mahony, V. Kumar, P. Corke, "Multirotor aerial vehicles", IEEE
Robotics & Automation Magazine 19(3), 2012, with the data of AscTec's Hummingbird: 0.5 kg, arms of 0.17 m, inertia
J = 3.65e-3 kg m² about x and y, J_z = 7.03e-3 kg m², a rotor's torque 0.02442 m times its thrust. Rotors 1 to 4 are at
+x, +y, -x, -y; 1 and 3 turn one way. Each carries a quarter of the weight, F0, and the action a_k, clipped to +-1,
changes that by a quarter: F_k = F0 (1 + a_k/4). A step of 20 ms is

    w' = w + T J⁻¹ (torque - w x J w)             each clipped to +-15 rad/s
    q~ = q + T/2 q (0, w')                        a quaternion, body to world
    q' = q~ (3 - q~.q~) / 2                       Newton's step to norm 1
    v' = v + T (F/m z(q) - g)                     each clipped to +-8 m/s; z: the body's axis
    p' = p + T v'

A step gives 1 - |p'|²/2 - |w'|²/64. An episode ends where a coordinate of p' is beyond +-1.5 m or the axis leans more
than 60 degrees; else after 10 s.
"""

import math

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.env.physics import OBS_WIDTH, STATE_WIDTH, Area, Physics, Step, limit, wrap

MASS, ARM, INERTIA, INERTIA_Z, DRAG, GRAVITY = 0.5, 0.17, 3.65e-3, 7.03e-3, 0.02442, 9.81
PERIOD = 0.02
THRUST = MASS * GRAVITY / 4  # of each rotor while it hovers
AUTHORITY = 0.25  # by which part of it an action changes it
POSITION_END, SPEED_END, RATE_END = 1.5, 8.0, 15.0

P, V, Q, W = 28, 22, 25, 22  # fraction bits of the state
P_SEEN, V_SEEN, Q_SEEN, W_SEEN = 16, 13, 16, 13  # as they are seen
BITS = 27  # of a number of a state, but for positions
H = 19  # fraction bits of half a step's angle


def constants() -> dict[str, int]:
    """The numbers of rlc_env_quadrotor.v by their names there."""
    turn = PERIOD * AUTHORITY * THRUST
    real = {
        "ROLL": (turn * ARM / INERTIA, 18), "YAW": (turn * DRAG / INERTIA_Z, 22),
        "GYRO": (PERIOD * (INERTIA_Z - INERTIA) / INERTIA, 22), "HALF_STEP": (PERIOD / 2, 23),
        "LIFT": (2 * PERIOD * GRAVITY * AUTHORITY / 4, 22), "HOVER": (2 * PERIOD * GRAVITY, 37),
        "FALL": (PERIOD * GRAVITY, 40), "STEP": (PERIOD, 22), "ONE": (1.0, 15),
        "V_END": (SPEED_END, V), "W_END": (RATE_END, W), "P_END": (POSITION_END, P),
    }  # fmt: skip
    return {name: math.floor(x * 2.0**f + 0.5) for name, (x, f) in real.items()}


_C = constants()


class Quadrotor(Physics):
    """Hovering. State and observation: position, speed, quaternion (w, x, y, z), rates about the body's axes."""

    name, gymnasium = "quadrotor", "rlcores/Quadrotor-v0"
    states = (P, P, P, V, V, V, Q, Q, Q, Q, W, W, W)
    observations = (*(P_SEEN,) * 3, *(V_SEEN,) * 3, *(Q_SEEN,) * 4, *(W_SEEN,) * 3)
    draws, actions, components, time_limit = 4, 0, 4, 500
    action_range = (-1.0, 1.0)
    latency, reset_latency = 32, 1
    obs_range = tuple(
        tuple(sign * x for x in (*(2.0,) * 3, *(SPEED_END,) * 3, *(2.0,) * 4, *(RATE_END,) * 3)) for sign in (-1, 1)
    )
    live = tuple(
        tuple(sign * x for x in (*(POSITION_END,) * 3, *(SPEED_END,) * 3, *(1.0,) * 4, *(RATE_END,) * 3))
        for sign in (-1, 1)
    )
    leaf, area = "quadrotor", Area(lut=2338, ff=17550, dsp=55)
    said = (
        "position sfix(32,28), speed (27,22), quaternion (27,25), rates (27,22)",
        "the state: sfix(18,16), (18,13), (18,16), (18,13)", "four thrusts, ±1 for ±25 % of a quarter of the weight",
        "1 − p²/2 − ω²/64",
    )  # fmt: skip

    def step(self, state: np.ndarray, action: np.ndarray) -> Step:
        """As Physics.step. Of speeds, quaternion and rates 27 bits count."""
        state, action = np.asarray(state, np.int64), np.asarray(action, np.int64)
        p = [state[..., k] for k in (0, 1, 2)]
        v, q, w = ([wrap(state[..., k], BITS) for k in numbers] for numbers in ((3, 4, 5), (6, 7, 8, 9), (10, 11, 12)))
        f1, f2, f3, f4 = np.moveaxis(np.clip(action, -_C["ONE"], _C["ONE"]), -1, 0)

        # Rates of turning.
        x, y, z = (_narrow(one, W - W_SEEN)[0] for one in w)
        gyro = [round_shift(y * z, 9), round_shift(x * z, 9)]
        changes = [
            round_shift(((f2 - f4) << 6) * _C["ROLL"] - gyro[0] * _C["GYRO"], 39 - W),
            round_shift(((f3 - f1) << 6) * _C["ROLL"] + gyro[1] * _C["GYRO"], 39 - W),
            round_shift((f1 - f2 + f3 - f4) * _C["YAW"], 37 - W),
        ]
        w = [np.clip(one + change, -_C["W_END"], _C["W_END"]) for one, change in zip(w, changes, strict=True)]

        # The attitude.
        hx, hy, hz = (round_shift(one * _C["HALF_STEP"], W + 23 - H) for one in w)
        q0, q1, q2, q3 = q
        turns = [
            -q1 * hx - q2 * hy - q3 * hz, q0 * hx + q2 * hz - q3 * hy,
            q0 * hy + q3 * hx - q1 * hz, q0 * hz + q1 * hy - q2 * hx,
        ]  # fmt: skip
        turned = [limit(one + round_shift(turn, H), BITS) for one, turn in zip(q, turns, strict=True)]
        saturated = np.any([over for _, over in turned], axis=0)
        size = sum(round_shift(one * one, Q) for one, _ in turned)
        part, far = limit(round_shift((1 << Q) - size, 6), OBS_WIDTH, symmetric=True)
        new_q = [one + round_shift(one * part, 20) for one, _ in turned]

        # The body's axis before the step, half of it, and the thrust along it, twice.
        q0, q1, q2, q3 = (_narrow(one, Q - Q_SEEN)[0] for one in q)
        axis = q1 * q3 + q0 * q2, q2 * q3 - q0 * q1, (1 << 31) - q1 * q1 - q2 * q2
        lift = round_shift((f1 + f2 + f3 + f4) * _C["LIFT"] + _C["HOVER"], 37 - 18)
        pulls = [round_shift(one, 10) * lift for one in axis]
        pulls[2] = pulls[2] - _C["FALL"]
        v = [
            np.clip(one + round_shift(pull, 40 - V), -_C["V_END"], _C["V_END"])
            for one, pull in zip(v, pulls, strict=True)
        ]
        moved = [
            limit(one + round_shift(speed * _C["STEP"], V + 22 - P), STATE_WIDTH)
            for one, speed in zip(p, v, strict=True)
        ]
        p = [one for one, _ in moved]

        drops = (P - P_SEEN,) * 3, (V - V_SEEN,) * 3, (Q - Q_SEEN,) * 4, (W - W_SEEN,) * 3
        seen = [
            _narrow(one, drop)
            for ones, each in zip((p, v, new_q, w), drops, strict=True)
            for one, drop in zip(ones, each, strict=True)
        ]
        codes = [one for one, _ in seen]
        saturated = saturated | far | np.any([over for _, over in (*moved, *seen)], axis=0)
        leans = codes[7] * codes[7] + codes[8] * codes[8] > 1 << 30
        away = np.any([(one > _C["P_END"]) | (one < -_C["P_END"]) for one in p], axis=0)
        cost = sum(one * one for one in codes[:3]) + 2 * sum(one * one for one in codes[10:])
        reward = (1 << 19) - round_shift(cost, 14)
        new = np.stack([*p, *v, *new_q, *w], axis=-1)
        return Step(new, np.stack(codes, axis=-1), reward, leans | away, saturated)

    def reset(self, draw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As Physics.reset: positions and speeds within +-0.5, x and y of the quaternion within +-0.125."""
        draw = np.asarray(draw, np.int64)
        numbers = [wrap(draw[..., k] >> low, 16) for k in range(4) for low in (16, 0)]
        p, v, (x, y) = numbers[:3], numbers[3:6], numbers[6:]
        none, one = np.zeros_like(x), np.full_like(x, 1 << Q)
        state = [*(a << 12 for a in p), *(a << 6 for a in v), one, x << 7, y << 7, none, none, none, none]
        drops = (P - P_SEEN,) * 3 + (V - V_SEEN,) * 3 + (Q - Q_SEEN,) * 4 + (W - W_SEEN,) * 3
        obs = [round_shift(a, drop) for a, drop in zip(state, drops, strict=True)]
        return np.stack(state, axis=-1), np.stack(obs, axis=-1)

    def random_states(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """As Physics.random_states; a quaternion's norm is within 3 % of 1, and most lean by less than 60 degrees."""
        states = super().random_states(count, rng)
        q = rng.normal(size=(count, 4)) * (1, 0.35, 0.35, 1)
        q *= rng.uniform(0.97, 1.03, (count, 1)) / np.linalg.norm(q, axis=1, keepdims=True)
        states[:, 6:10] = np.round(q * 2.0**Q)
        return states

    def reference(self, states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As Physics.reference; actions (n, 4). The equations at this file's head."""
        p, v, q, w = states[:, :3], states[:, 3:6], states[:, 6:10], states[:, 10:]
        thrusts = THRUST * (1 + AUTHORITY * np.clip(actions, -1, 1))
        f1, f2, f3, f4 = thrusts.T
        inertia = np.array([INERTIA, INERTIA, INERTIA_Z])
        torque = np.column_stack([ARM * (f2 - f4), ARM * (f3 - f1), DRAG * (f1 - f2 + f3 - f4)])
        w = np.clip(w + PERIOD * (torque - np.cross(w, inertia * w)) / inertia, -RATE_END, RATE_END)
        a, (b, c, d) = q[:, :1], q.T[1:]
        x, y, z = w.T
        turned = np.column_stack([-b * x - c * y - d * z, c * z - d * y, d * x - b * z, b * y - c * x])
        turned[:, 1:] += a * w
        turned = q + PERIOD / 2 * turned
        new_q = turned * (3 - (turned**2).sum(axis=1, keepdims=True)) / 2
        axis = np.column_stack([2 * (b * d + a[:, 0] * c), 2 * (c * d - a[:, 0] * b), 1 - 2 * (b**2 + c**2)])
        pull = axis * thrusts.sum(axis=1, keepdims=True) / MASS - np.array([0, 0, GRAVITY])
        v = np.clip(v + PERIOD * pull, -SPEED_END, SPEED_END)
        p = p + PERIOD * v
        terminated = (np.abs(p) > POSITION_END).any(axis=1) | (1 - 2 * (new_q[:, 1:3] ** 2).sum(axis=1) < 0.5)
        reward = 1 - (p**2).sum(axis=1) / 2 - (w**2).sum(axis=1) / 64
        return np.column_stack([p, v, new_q, w]), reward, terminated


def _narrow(x: np.ndarray, drop: int) -> tuple[np.ndarray, np.ndarray]:
    """x with `drop` fraction bits fewer in 18 bits, and whether it was clipped."""
    return limit(round_shift(x, drop), OBS_WIDTH, symmetric=True)
