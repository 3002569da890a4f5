"""Acrobot: the integer model of rlc_env_acrobot, bit for bit.

Physics and constants are those of Gymnasium's Acrobot-v1 (gymnasium.envs.classic_control.acrobot, after Sutton and
Barto, "Reinforcement Learning: An Introduction", with the equations of the book): one Runge-Kutta step of the fourth
order in 0.2 s, a torque of -1, 0 or 1 at the second joint, reward -1 a step and 0 at its end, terminated when the tip
is a link's length above the pivot, 500 steps.

Angles are in turns, so they wrap by themselves; speeds v in turns a step, accelerations a in turns a step². Then the
Runge-Kutta step has no constants but halves and a sixth:

  v_1 = v, v_2 = v + a_1/2, v_3 = v + a_2/2, v_4 = v + a_3         v' = v + (a_1 + 2 a_2 + 2 a_3 + a_4) / 6
  angles: t_2 = t + v/2, t_3 = t_2 + a_1/4, t_4 = t + v + a_2/2    t' = t + v + (a_1 + a_2 + a_3) / 6

The accelerations of both links solve a system of two equations; by Cramer's rule there is one division, by a function
of cos(theta2)² alone, for whose reciprocal there is a table. With c, s of theta2 and p = pi s:

  r_1 = p v2 (v2 + 2 v1) - 3 G sin(theta1) - G sin(theta1 + theta2)      G = g/2 · 0.2² / 2 pi
  r_2 = action · T - p v1² - G sin(theta1 + theta2)                      T = 0.2² / 2 pi
  a of link 1 = F (1.25 (r_1 - r_2) - c r_2 / 2)                         F = 1 / (2.8125 - c²/4)
  a of link 2 = F (3.5 r_2 - 1.25 r_1 + c (r_2 - r_1 / 2))
"""

import math
from typing import NamedTuple

import numpy as np

from rlcores.cores.common import rom
from rlcores.cores.common.fixed import round_shift
from rlcores.cores.common.sincos import sincos_fixed
from rlcores.cores.env.physics import Area, Physics, Step, at_half_a_turn, limit, within_a_turn, wrap

DT, GRAVITY = 0.2, 9.8
MAX_SPEED_1, MAX_SPEED_2 = 4 * math.pi, 9 * math.pi  # rad/s
START = 0.1  # a first state is uniform within +-START, in rad and rad/s

ANGLE = 26  # fraction bits of angles and speeds of the state, in turns and turns a step
TURN = 2 * math.pi  # radians
SPEED = TURN / DT  # rad/s of a turn a step

F_FRACTION = 27  # of F
F_BASE = 11 << 22  # F's table holds what is above this
NODE_FRACTION = 28
STEP_BITS, STEP_BASE = 12, 1 << 14  # a word of the table has what its step is above the base
REST_BITS = 16  # of cos(theta2)² inside a segment


class Stage(NamedTuple):
    """Formats of one of the four evaluations; what they must hold was searched over all states, and is clipped."""

    v: int  # fraction bits of the speeds, sfix(27,v)
    a: int  # of v1² and v2 (v2 + 2 v1): up to 35 bits
    r: int  # of r_1 and r_2
    r_bits: int  # their width
    n: int  # of the numerators and the accelerations


STAGES = (Stage(26, 26, 26, 31, 26), Stage(24, 26, 26, 31, 26), Stage(23, 26, 26, 33, 25), Stage(21, 22, 22, 34, 20))
V_BITS = 27


def constants() -> dict[str, int]:
    """The numbers of rlc_env_acrobot.v and rlc_env_acrobot_stage.v by their names there."""
    gravity = GRAVITY / 2 * DT**2 / TURN
    real = {
        "PI": (math.pi, 30), "G": (gravity, 37), "G3": (3 * gravity, 36), "TORQUE": (DT**2 / TURN, 26),
        "SIXTH": (1 / 6, 28), "V1_END": (MAX_SPEED_1 / SPEED, ANGLE), "V2_END": (MAX_SPEED_2 / SPEED, ANGLE),
        "TO_RADIANS": (SPEED, 11), "START_ANGLE": (START / TURN, 22), "START_SPEED": (START / SPEED, 24),
    }  # fmt: skip
    # The starts are rounded down: none is beyond Gymnasium's.
    return {name: math.floor(x * 2.0**f + (0 if name.startswith("START") else 0.5)) for name, (x, f) in real.items()}


_C = constants()


def nodes() -> np.ndarray:
    """Nodes of F - 11/32 at cos(theta2)² = i/512, i = 0..512, shape [513], int64 with 28 fraction bits.

    A chord lies above the curve; the nodes are lowered by half of its largest distance.
    """
    curve = 1 / (2.8125 - np.arange(rom.WORDS + 1) / rom.WORDS / 4)
    lowered = curve - curve**3 / 8 / rom.WORDS**2 / 16 - F_BASE * 2.0**-F_FRACTION
    return np.floor(lowered * 2**NODE_FRACTION + 0.5).astype(np.int64)


def words() -> np.ndarray:
    """Words of rlc_env_acrobot_rom, shape [512], int64 of 36 bits: {node, step - STEP_BASE}."""
    left, steps = nodes()[:-1], np.diff(nodes()) - STEP_BASE
    if steps.min() < 0 or steps.max() >> STEP_BITS or left.min() < 0 or left.max() >> (rom.WIDTH - STEP_BITS):
        raise ValueError("the numbers of Acrobot's table do not fit its words")
    return left << STEP_BITS | steps


_TABLE = words()
# What the table holds, and what a word of it has.
ROM = (
    "table of Acrobot's F",
    ("{node of F - 11/32 in 24 bits, step - 2^14 in 12}, of the segment addr of cos(theta2)²; units of 2^-28"),
)


def inverse(cosine: np.ndarray) -> np.ndarray:
    """F = 1 / (2.8125 - cosine²/4) with 27 fraction bits; cosine: sfix(27,25)."""
    square = round_shift(cosine * cosine, 25)
    segment = np.minimum(square >> REST_BITS, rom.WORDS - 1)
    row = _TABLE[segment]
    step = STEP_BASE + (row & ((1 << STEP_BITS) - 1))
    value = ((row >> STEP_BITS) << REST_BITS) + step * (square - (segment << REST_BITS))
    return F_BASE + round_shift(value, NODE_FRACTION + REST_BITS - F_FRACTION)


def accelerations(stage: Stage, theta1, theta2, v1, v2, action) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Accelerations of both links with stage.n fraction bits, and whether something was clipped.

    theta: units of 2**-26 turns. v: sfix(27, stage.v). action: 0, 1, 2.
    """
    sine, cosine = sincos_fixed(theta2)
    sine1, sine12 = sincos_fixed(theta1)[0], sincos_fixed(theta1 + theta2)[0]
    p = round_shift(sine * _C["PI"], 25 + 30 - 24)
    fall1, fall12 = round_shift(sine1 * _C["G3"], 25 + 36 - 28), round_shift(sine12 * _C["G"], 25 + 37 - 28)
    drop = 2 * stage.v - stage.a
    both, one = round_shift(v2 * (v2 + 2 * v1), drop), round_shift(v1 * v1, drop)
    drop = 24 + stage.a - stage.r
    spin, slow = round_shift(p * both, drop), round_shift(p * one, drop)
    weight1, weight12 = round_shift(fall1 + fall12, 28 - stage.r), round_shift(fall12, 28 - stage.r)
    r1, saturated1 = limit(spin - weight1, stage.r_bits)
    r2, saturated2 = limit((action - 1) * (_C["TORQUE"] >> 26 - stage.r) - slow - weight12, stage.r_bits)
    f, cr1, cr2 = inverse(cosine), round_shift(cosine * r1, 25), round_shift(cosine * r2, 25)
    n1 = round_shift(5 * (r1 - r2) - 2 * cr2, 2 + stage.r - stage.n)
    n2 = round_shift(14 * r2 - 5 * r1 + 4 * cr2 - 2 * cr1, 2 + stage.r - stage.n)
    return round_shift(f * n1, F_FRACTION), round_shift(f * n2, F_FRACTION), saturated1 | saturated2


class Acrobot(Physics):
    """Acrobot-v1. State: theta1, theta2, their speeds. Observation: cosine and sine of each, the speeds in rad/s."""

    name, gymnasium = "acrobot", "Acrobot-v1"
    states = (ANGLE, ANGLE, ANGLE, ANGLE)
    observations = (16, 16, 16, 16, 13, 12)
    draws, actions, time_limit = 4, 3, 500
    latency, reset_latency = 105, 12
    obs_range = (
        (-1.0, -1.0, -1.0, -1.0, -MAX_SPEED_1, -MAX_SPEED_2),
        (1.0, 1.0, 1.0, 1.0, MAX_SPEED_1, MAX_SPEED_2),
    )
    units = np.array([TURN, TURN, SPEED, SPEED])
    live = (-math.pi, -math.pi, -MAX_SPEED_1, -MAX_SPEED_2), (math.pi, math.pi, MAX_SPEED_1, MAX_SPEED_2)
    # The Runge-Kutta step multiplies an error by thousands where both joints are near their greatest speeds.
    error = 2.0**-12
    leaf, area = "acrobot", Area(lut=11498, ff=35692, dsp=167, bram36=19)
    said = (
        "θ₁, θ₂ in turns sfix(26,26), their speeds in turns per step (27,26)",
        "cos θ₁, sin θ₁, cos θ₂, sin θ₂ sfix(18,16), speeds in rad/s (18,13), (18,12)",
        "0, 1, 2 for a torque of −1, 0, 1", "−1, and 0 at the end",
    )  # fmt: skip

    def step(self, state: np.ndarray, action: np.ndarray) -> Step:
        """As Physics.step. action: 0, 1, 2 for a torque of -1, 0, 1. Of a state's elements 26 and 27 bits count."""
        state, action = np.asarray(state, np.int64), np.asarray(action, np.int64)
        t, v = wrap(state[..., :2], ANGLE), wrap(state[..., 2:], V_BITS)
        one, two, three, four = STAGES
        a1, saturated1 = self._accelerations(one, t, v, action)
        speed, over2 = limit(round_shift(2 * v + a1, 27 - two.v), V_BITS)
        a2, saturated2 = self._accelerations(two, round_shift(2 * t + v, 1), speed, action)
        speed, over3 = limit(round_shift(2 * v + a2, 27 - three.v), V_BITS)
        a3, saturated3 = self._accelerations(three, round_shift(4 * t + 2 * v + a1, 2), speed, action)
        a3 = a3 << 1
        speed, over4 = limit(round_shift(v + a3, 26 - four.v), V_BITS)
        a4, saturated4 = self._accelerations(four, round_shift(2 * t + 2 * v + a2, 1), speed, action)
        # Beyond 32 turns a step² the speed reaches its end whatever it was.
        whole, _ = limit(a1 + 2 * a2 + 2 * a3 + (a4 << 6), 32)
        t = wrap(t + v + round_shift((a1 + a2 + a3) * _C["SIXTH"], 28), ANGLE)
        end = np.array([_C["V1_END"], _C["V2_END"]])
        v = np.clip(v + round_shift(whole * _C["SIXTH"], 28), -end, end)
        terminated = -sincos_fixed(t[..., 0])[1] - sincos_fixed(t[..., 0] + t[..., 1])[1] > 1 << 25
        saturated = saturated1 | saturated2 | saturated3 | saturated4 | (over2 | over3 | over4).any(axis=-1)
        reward = np.where(terminated, 0, -1 << 19)
        return Step(np.concatenate([t, v], axis=-1), self._observe(t, v), reward, terminated, saturated)

    def reset(self, draw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As Physics.reset: each element uniform within +-0.1, of the top 18 bits of a draw."""
        odd = 2 * (np.asarray(draw, np.int64) >> 14) + 1 - (1 << 18)  # of +-2**18, and never 0
        t, v = round_shift(odd[..., :2] * _C["START_ANGLE"], 14), round_shift(odd[..., 2:] * _C["START_SPEED"], 16)
        return np.concatenate([t, v], axis=-1), self._observe(t, v)

    def reference(self, states: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As Physics.reference.

        Gymnasium's equations of motion take arrays; its Runge-Kutta step, which does not, is written again.
        """
        from gymnasium.envs.classic_control.acrobot import AcrobotEnv

        acrobot = AcrobotEnv()

        def derivative(y: np.ndarray) -> np.ndarray:
            return np.stack(np.broadcast_arrays(*acrobot._dsdt([*y, actions - 1.0])[:4]))

        y, dt = states.T, acrobot.dt
        k1 = derivative(y)
        k2 = derivative(y + dt / 2 * k1)
        k3 = derivative(y + dt / 2 * k2)
        k4 = derivative(y + dt * k3)
        theta1, theta2, speed1, speed2 = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        speed1 = np.clip(speed1, -acrobot.MAX_VEL_1, acrobot.MAX_VEL_1)
        speed2 = np.clip(speed2, -acrobot.MAX_VEL_2, acrobot.MAX_VEL_2)
        terminated = -np.cos(theta1) - np.cos(theta1 + theta2) > 1.0
        new = np.stack([within_a_turn(theta1), within_a_turn(theta2), speed1, speed2], axis=-1)
        return new, np.where(terminated, 0.0, -1.0), terminated

    def jumps(self, reached: np.ndarray) -> np.ndarray:
        """As Physics.jumps."""
        return at_half_a_turn(reached[:, :2])

    def _accelerations(self, stage, theta, speed, action) -> tuple[np.ndarray, np.ndarray]:
        first, second, saturated = accelerations(stage, *np.moveaxis(theta, -1, 0), *np.moveaxis(speed, -1, 0), action)
        return np.stack([first, second], axis=-1), saturated

    def _observe(self, t: np.ndarray, v: np.ndarray) -> np.ndarray:
        sine, cosine = sincos_fixed(t)
        seen = [cosine[..., 0], sine[..., 0], cosine[..., 1], sine[..., 1]]
        speeds = [round_shift(v[..., i] * _C["TO_RADIANS"], 24 + i) for i in (0, 1)]
        return np.stack([round_shift(x, 25 - 16) for x in seen] + speeds, axis=-1)
