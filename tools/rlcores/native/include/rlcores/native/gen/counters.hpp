// counters.hpp — what the counters of the cores count, in their order. Written by `rlcores generate` from
// cores/learner/words.py and
// cores/policy/stages.py and
// cores/ppo/words.py; do not edit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace rlcores::learner {

// Where each kind of stage begins; of layers, layer 1.
constexpr std::int64_t STAGE_IN = 0;
constexpr std::int64_t STAGE_FW0 = 1;
constexpr std::int64_t STAGE_TFW0 = 5;
constexpr std::int64_t STAGE_BW0 = 9;
constexpr std::int64_t STAGE_WA0 = 13;
constexpr std::int64_t STAGE_WU0 = 17;
constexpr std::int64_t STAGE_ACC_OVERFLOW0 = 21;
constexpr std::int64_t STAGE_TD = 22;
constexpr std::int64_t STAGE_DELTA = 23;
constexpr std::int64_t STAGE_NONE = 24;
constexpr std::int64_t STAGE_FW1 = 33;
constexpr std::int64_t STAGE_TFW1 = 37;
constexpr std::int64_t STAGE_BW1 = 41;
constexpr std::int64_t STAGE_WA1 = 45;
constexpr std::int64_t STAGE_WU1 = 49;
constexpr std::int64_t STAGE_ACC_OVERFLOW1 = 53;
constexpr std::int64_t STAGE_TAIL = 54;
constexpr std::int64_t STAGE_PASS_FW = 55;
constexpr std::int64_t STAGE_PASS_BW = 59;
constexpr std::int64_t STAGE_END = 63;
constexpr std::int64_t COUNTERS = 64;

}  // namespace rlcores::learner

namespace rlcores::policy {

// Where each kind of stage begins; of layers, layer 1.
constexpr std::int64_t STAGE_DROPPED = 0;
constexpr std::int64_t STAGE_SATURATED = 1;
constexpr std::int64_t STAGE_HEAD_SATURATED = 5;
constexpr std::int64_t STAGE_ACC_OVERFLOW = 6;
constexpr std::int64_t STAGE_TAKEN = 7;
constexpr std::int64_t COUNTERS = 8;

}  // namespace rlcores::policy

namespace rlcores::ppo {

// Where each kind of stage begins; of layers, layer 1.
constexpr std::int64_t STAGE_NONE = 0;
constexpr std::int64_t STAGE_FW1 = 1;
constexpr std::int64_t STAGE_FW0 = 5;
constexpr std::int64_t STAGE_BW1 = 9;
constexpr std::int64_t STAGE_BW0 = 13;
constexpr std::int64_t STAGE_GRAD1 = 17;
constexpr std::int64_t STAGE_GRAD0 = 21;
constexpr std::int64_t STAGE_WEIGHT1 = 25;
constexpr std::int64_t STAGE_WEIGHT0 = 29;
constexpr std::int64_t STAGE_ACC_OVERFLOW = 33;
constexpr std::int64_t STAGE_ACT = 34;
constexpr std::int64_t STAGE_RECORD = 35;
constexpr std::int64_t STAGE_GAE = 36;
constexpr std::int64_t STAGE_STANDARD = 37;
constexpr std::int64_t STAGE_POLICY = 38;
constexpr std::int64_t STAGE_VALUE = 39;
constexpr std::int64_t STAGE_DEVIATION = 40;
constexpr std::int64_t COUNTERS = 41;

}  // namespace rlcores::ppo
