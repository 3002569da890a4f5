// env_constants.hpp — the constants of each environment's physics, from its model. Written by `rlcores generate`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace rlcores::env::acrobot {
inline constexpr std::int64_t PI = 3373259426;
inline constexpr std::int64_t G = 4287321408;
inline constexpr std::int64_t G3 = 6430982113;
inline constexpr std::int64_t TORQUE = 427228;
inline constexpr std::int64_t SIXTH = 44739243;
inline constexpr std::int64_t V1_END = 26843546;
inline constexpr std::int64_t V2_END = 60397978;
inline constexpr std::int64_t TO_RADIANS = 64340;
inline constexpr std::int64_t START_ANGLE = 66754;
inline constexpr std::int64_t START_SPEED = 53403;
}  // namespace rlcores::env::acrobot

namespace rlcores::env::cartpole {
inline constexpr std::int64_t P0 = 82709;
inline constexpr std::int64_t P1 = -19656;
inline constexpr std::int64_t Q0 = 39283235;
inline constexpr std::int64_t Q1 = -43974;
inline constexpr std::int64_t Q2 = 8154;
inline constexpr std::int64_t R0 = 83886;
inline constexpr std::int64_t R1 = -13950;
inline constexpr std::int64_t K0 = 95324;
inline constexpr std::int64_t K1 = -47489;
inline constexpr std::int64_t T = 24403223;
inline constexpr std::int64_t T_SHORT = 95325;
inline constexpr std::int64_t DT = 83886;
inline constexpr std::int64_t X_END = 644245094;
inline constexpr std::int64_t THETA_END = 224883961;
}  // namespace rlcores::env::cartpole

namespace rlcores::env::mountaincar {
inline constexpr std::int64_t POSITION_LOW = -644245094;
inline constexpr std::int64_t POSITION_HIGH = 322122547;
inline constexpr std::int64_t SPEED = 37580964;
inline constexpr std::int64_t TURNS = 125165;
inline constexpr std::int64_t GRAVITY = 83886;
inline constexpr std::int64_t FORCE = 1125899906843;
inline constexpr std::int64_t POWER = 51539608;
inline constexpr std::int64_t COST = 104858;
inline constexpr std::int64_t RESET_LOW = -322122547;
inline constexpr std::int64_t RESET_LENGTH = 104857;
inline constexpr std::int64_t GOAL = 268435456;
inline constexpr std::int64_t GOAL_CONTINUOUS = 241591910;
}  // namespace rlcores::env::mountaincar

namespace rlcores::env::pendulum {
inline constexpr std::int64_t PUSH = 78643;
inline constexpr std::int64_t TURN_RATE = 66754;
inline constexpr std::int64_t TURN2 = 40426;
inline constexpr std::int64_t COST_SPEED = 104858;
inline constexpr std::int64_t COST_TORQUE = 33554;
inline constexpr std::int64_t SPEED_END = 33554432;
inline constexpr std::int64_t TORQUE_END = 65536;
}  // namespace rlcores::env::pendulum

namespace rlcores::env::pmsm {
inline constexpr std::int64_t A_D = 72311;
inline constexpr std::int64_t A_Q = 89183;
inline constexpr std::int64_t R_D = 20405;
inline constexpr std::int64_t R_Q = 6291;
inline constexpr std::int64_t X_D = 68016;
inline constexpr std::int64_t X_Q = 103459;
inline constexpr std::int64_t FLUX_Q = 2580187286514;
inline constexpr std::int64_t FAILURE = -4194304;
inline constexpr std::int64_t ONE = 32768;
}  // namespace rlcores::env::pmsm

namespace rlcores::env::quadrotor {
inline constexpr std::int64_t ROLL = 74859;
inline constexpr std::int64_t YAW = 89330;
inline constexpr std::int64_t GYRO = 77681;
inline constexpr std::int64_t HALF_STEP = 83886;
inline constexpr std::int64_t LIFT = 102865;
inline constexpr std::int64_t HOVER = 53931045342;
inline constexpr std::int64_t FALL = 215724181370;
inline constexpr std::int64_t STEP = 83886;
inline constexpr std::int64_t ONE = 32768;
inline constexpr std::int64_t V_END = 33554432;
inline constexpr std::int64_t W_END = 62914560;
inline constexpr std::int64_t P_END = 402653184;
}  // namespace rlcores::env::quadrotor
