// counters.hpp — what the counters of the cores count, in their order. Written by `rlcores generate` from
// cores/policy/stages.py and
// cores/ppo/words.py; do not edit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

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
constexpr std::int64_t STAGE_FWA = 1;
constexpr std::int64_t STAGE_FW = 5;
constexpr std::int64_t STAGE_BWA = 9;
constexpr std::int64_t STAGE_BW = 13;
constexpr std::int64_t STAGE_GRADA = 17;
constexpr std::int64_t STAGE_GRAD = 21;
constexpr std::int64_t STAGE_WEIGHTA = 25;
constexpr std::int64_t STAGE_WEIGHT = 29;
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
