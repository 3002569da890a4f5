// replay.hpp — the rows of a replay buffer: observations once, their stacks, their next ones and returns derived.
// SPDX-License-Identifier: Apache-2.0
//
// rlcores.replay.store says how the rows lie, and has the same in NumPy, as a reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rlcores {

struct ReplayFrames {
    const std::byte *frames, *apart;  // (ring, columns, bytes), (rows * columns, bytes)
    std::size_t bytes;                // of a frame
    std::int64_t stack;
};

struct ReplayField {
    const std::byte* data;  // (rows, columns, bytes)
    std::size_t bytes;
};

struct ReplayRows {
    static constexpr unsigned terminated = 1, ended = 7, cut = 6, kept = 16;  // bits of flags

    std::int64_t rows, columns, ring;
    const float* reward;
    const std::uint8_t* flags;
    const bool* first;             // (ring, columns)
    const std::int64_t* place;     // (rows, columns): where in `apart` the next observation is, if `kept`
    std::vector<ReplayFrames> observations;
    std::vector<ReplayField> others;
};

// What a batch is made of, and where it goes: an array a field of ReplayRows, in its order.
struct ReplayBatch {
    std::int64_t time;  // steps that came
    const std::int64_t* slots;
    std::size_t n;
    std::int64_t steps;  // of a return, at most
    double gamma;
    std::vector<std::byte*> observations, following, others;
    float *reward, *discount;
    bool *terminated, *truncated;
};

// Fill a batch, by that many threads at most; their number changes nothing.
void gather(const ReplayRows& rows, const ReplayBatch& batch, unsigned threads);

}  // namespace rlcores
