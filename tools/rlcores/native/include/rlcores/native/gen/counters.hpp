// counters.hpp — what the counters of the cores count, in their order. Written by `rlcores generate` from
// cores/policy/stages.py and
// cores/ppo/words.py; do not edit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace rlcores::policy {

// Where each kind of stage begins; of layers, layer 1.
enum Stage : std::int64_t {
    STAGE_DROPPED = 0,
    STAGE_SATURATED = 1,
    STAGE_HEAD_SATURATED = 5,
    STAGE_ACC_OVERFLOW = 6,
    STAGE_TAKEN = 7,
};
constexpr std::int64_t COUNTERS = 8;

}  // namespace rlcores::policy

namespace rlcores::ppo {

// Where each kind of stage begins; of layers, layer 1.
enum Stage : std::int64_t {
    STAGE_NONE = 0,
    STAGE_FWA = 1,
    STAGE_FW = 5,
    STAGE_BWA = 9,
    STAGE_BW = 13,
    STAGE_GRADA = 17,
    STAGE_GRAD = 21,
    STAGE_WEIGHTA = 25,
    STAGE_WEIGHT = 29,
    STAGE_ACC_OVERFLOW = 33,
    STAGE_ACT = 34,
    STAGE_RECORD = 35,
    STAGE_GAE = 36,
    STAGE_STANDARD = 37,
    STAGE_POLICY = 38,
    STAGE_VALUE = 39,
    STAGE_DEVIATION = 40,
};
constexpr std::int64_t COUNTERS = 41;

}  // namespace rlcores::ppo
