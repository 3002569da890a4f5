"""CartPole: the integer model of rlc_env_cartpole, bit for bit.

Physics and constants are those of Gymnasium's CartPole-v1 (gymnasium.envs.classic_control.cartpole, after Barto, Sutton
and Anderson, "Neuronlike adaptive elements that can solve difficult learning control problems", 1983): Euler steps of
0.02 s, a force of 10 N, reward 1 a step, terminated beyond 2.4 m or 12 degrees, 500 steps.

A step starts within 12 degrees, for else the episode had ended. There with u = theta²

  0.02 · theta_acc = theta · P(u) - Q(u) · (±1 + e)            P = 0.02 · g · sin(theta)/theta / D
                                                               Q = 0.02 · F/M · cos(theta) / D
  0.02 · x_acc     = T · (±1 + e) - 0.02 · theta_acc · K(u)    T = 0.02 · F/M, K = m·l/M · cos(theta)
  e                = theta_dot² · theta · R(u)                 R = m·l/F · sin(theta)/theta
  D                = l · (4/3 - m/M · cos²(theta))

and P, Q, R and K are straight lines or parabolas in u. So there is neither a sine nor a division, and every product is
one of 18 × 18 bits.
"""

import math
from functools import cache

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.env.physics import STATE_WIDTH, Area, Physics, Step, limit, observe

TAU, GRAVITY, FORCE = 0.02, 9.8, 10.0
MASS, POLE_LENGTH = 1.1, 0.05  # of cart and pole; mass of the pole times half its length
HALF_LENGTH, POLE_SHARE = 0.5, 0.1 / 1.1
X_LIMIT, THETA_LIMIT = 2.4, 12 * 2 * math.pi / 360
START = 0.05  # a first state is uniform within +-START

# Fraction bits.
X, X_DOT, THETA, THETA_DOT = 28, 27, 30, 27  # of the state
U = 19  # of theta²


@cache
def constants() -> dict[str, int]:
    """The numbers of rlc_env_cartpole.v by their names there, each with the fraction bits that its comment says."""
    u = _nodes()
    theta = np.sqrt(u)
    sinc, cos = np.sin(theta) / theta, np.cos(theta)
    inertia = HALF_LENGTH * (4 / 3 - POLE_SHARE * cos**2)
    p = _fit(u, TAU * GRAVITY * sinc / inertia, 1)
    q = _fit(u, TAU * FORCE / MASS * cos / inertia, 2)
    r = _fit(u, POLE_LENGTH / FORCE * sinc, 1)
    k = _fit(u, POLE_LENGTH / MASS * cos, 1)
    push = TAU * FORCE / MASS
    real = {
        "P0": (p[0], 18), "P1": (p[1], 18), "Q0": (q[0], 27), "Q1": (q[1], 18), "Q2": (q[2], 18),
        "R0": (r[0], 24), "R1": (r[1], 24), "K0": (k[0], 21), "K1": (k[1], 21), "T": (push, 27), "T_SHORT": (push, 19),
        "DT": (TAU, 22), "X_END": (X_LIMIT, X), "THETA_END": (THETA_LIMIT, THETA),
    }  # fmt: skip
    # The ends are rounded down: beyond one is beyond Gymnasium's.
    return {name: math.floor(x * 2.0**f + (0 if name.endswith("END") else 0.5)) for name, (x, f) in real.items()}


def _nodes() -> np.ndarray:
    # Chebyshev's points of theta² up to the end: a polynomial through them is nearly the best there is.
    points = np.cos((np.arange(16) + 0.5) * np.pi / 16)
    return THETA_LIMIT**2 * (points + 1) / 2


def _fit(u: np.ndarray, values: np.ndarray, degree: int) -> np.ndarray:
    # The least squares at Chebyshev's points.
    return np.polynomial.Polynomial.fit(u, values, degree).convert().coef


class CartPole(Physics):
    """CartPole-v1. State and observation: x, x_dot, theta, theta_dot in metres, radians and seconds."""

    name, gymnasium = "cartpole", "CartPole-v1"
    states = (X, X_DOT, THETA, THETA_DOT)
    observations = (15, 14, 18, 14)
    draws, actions, time_limit = 4, 2, 500
    latency, reset_latency = 13, 4
    obs_range = (
        (-2 * X_LIMIT, -math.inf, -2 * THETA_LIMIT, -math.inf),
        (2 * X_LIMIT, math.inf, 2 * THETA_LIMIT, math.inf),
    )
    live = (-X_LIMIT, -8, -THETA_LIMIT, -8), (X_LIMIT, 8, THETA_LIMIT, 8)
    leaf, area = "cartpole", Area(lut=1708, ff=3251, dsp=15)
    said = (
        "x sfix(32,28), ẋ (32,27), θ (32,30), θ̇ (32,27)", "x sfix(18,15), ẋ (18,14), θ (18,18), θ̇ (18,14)",
        "0 left, 1 right", "1",
    )  # fmt: skip

    def step(self, state: np.ndarray, action: np.ndarray) -> Step:
        """As Physics.step. action: 0 pushes to the left, 1 to the right. |theta| must be within 12 degrees."""
        c = constants()
        state = np.asarray(state, np.int64)
        x, x_dot, theta, theta_dot = np.moveaxis(state, -1, 0)
        codes, _ = observe(state, _DROPS)
        _, vel, angle, spin = np.moveaxis(codes, -1, 0)  # sfix18: fractions 14, 18, 14
        right = np.asarray(action) != 0

        def signed(value):
            return np.where(right, value, -value)

        u = round_shift(angle * angle, 36 - U)
        spin2 = round_shift(spin * spin, 28 - 11)
        p = c["P0"] + round_shift(u * c["P1"], U)
        q1 = c["Q1"] + round_shift(u * c["Q2"], U)
        r = c["R0"] + round_shift(u * c["R1"], U)
        k = c["K0"] + round_shift(u * c["K1"], U)
        turn = round_shift(spin2 * angle, 29 - 13)
        q = c["Q0"] + round_shift(u * q1, U + 18 - 27)
        e = round_shift(turn * r, 37 - 20)
        # 0.02 · theta_acc with 38 fraction bits.
        fall = (angle * p << 2) - (signed(q) << 11) - round_shift(q, 27 - 18) * e
        short = round_shift(fall, 38 - 18)
        # 0.02 · x_acc with 39.
        push = (signed(c["T"]) << 12) + c["T_SHORT"] * e - k * short

        next_state = np.stack(
            [
                x + round_shift(vel * c["DT"], 36 - X),
                x_dot + round_shift(push, 39 - X_DOT),
                theta + round_shift(spin * c["DT"], 36 - THETA),
                theta_dot + round_shift(fall, 38 - THETA_DOT),
            ],
            axis=-1,
        )
        new, saturated = limit(next_state, STATE_WIDTH)
        obs, unseen = observe(new, _DROPS)
        terminated = (np.abs(new[..., 0]) > c["X_END"]) | (np.abs(new[..., 2]) > c["THETA_END"])
        reward = np.full(terminated.shape, 1 << 19, np.int64)
        return Step(new, obs, reward, terminated, saturated.any(axis=-1) | unseen)

    def reset(self, draw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As Physics.reset: each element uniform within +-0.05, of the top 18 bits of a draw."""
        odd = 2 * (np.asarray(draw, np.int64) >> 14) + 1 - (1 << 18)  # of +-2**18, and never 0
        tenth = odd * 13107  # 13107 / 2**17 = 0.1
        state = np.stack([tenth[..., i] >> 36 - f for i, f in enumerate(self.states)], axis=-1)
        return state, observe(state, _DROPS)[0]

    def reference(self, states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As Physics.reference."""
        import gymnasium

        envs = gymnasium.make_vec(
            self.gymnasium, num_envs=len(states), vectorization_mode="vector_entry_point"
        ).unwrapped
        envs.reset(seed=0)
        envs.state = states.T.copy()
        _, reward, terminated, _, _ = envs.step(actions)
        return envs.state.T, reward, terminated


_DROPS = tuple(state - obs for state, obs in zip(CartPole.states, CartPole.observations, strict=True))
