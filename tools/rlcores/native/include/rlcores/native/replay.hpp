// replay.hpp — the rows of a replay buffer: observations once, their stacks, their next ones and returns derived.
// SPDX-License-Identifier: Apache-2.0
//
// rlcores.replay.store says how the rows lie, and has the same in NumPy, as a reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rlcores {

// An array whose entries lie `stride` bytes apart.
struct ReplayField {
    std::byte* data;
    std::size_t stride, bytes;

    std::byte* at(std::int64_t i) const { return data + static_cast<std::size_t>(i) * stride; }
};

template <class T>
struct ReplayNumbers {
    std::byte* data;
    std::size_t stride;

    T& operator[](std::int64_t i) const { return *reinterpret_cast<T*>(data + static_cast<std::size_t>(i) * stride); }
};

struct ReplayFrames {
    ReplayField frames;  // (ring, columns)
    std::byte* apart;    // (rows * columns, bytes)
    std::int64_t stack;

    std::byte* kept(std::int64_t place) const { return apart + static_cast<std::size_t>(place) * frames.bytes; }
};

struct ReplayRows {
    // Bits of flags.
    static constexpr unsigned terminated = 1, over = 3, broken = 4, cut = 6, ended = 7, none = 8, kept = 16;

    std::int64_t rows, columns, ring;
    ReplayNumbers<float> reward;
    ReplayNumbers<std::uint8_t> flags;
    ReplayNumbers<bool> first;          // (ring, columns)
    ReplayNumbers<std::int64_t> place;  // (rows, columns): where in `apart` the next observation is, if `kept`
    std::int64_t* free;                 // places that were given back
    // Places in use or given back; given back; transitions that are not void; steps that came; continuity, 5 numbers:
    // steps that should go on from the one before; that do not start where it ended; that follow an end; that start
    // there all the same; and that then do nothing, as a step does that only resets its environment.
    std::int64_t* counts;
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
    bool past_caches;  // gather() says it
};

// Steps that come: an array a field of ReplayRows (steps, columns, …), in its order.
struct ReplaySteps {
    std::int64_t time;  // steps that came before
    std::size_t n;
    std::vector<const std::byte*> observations, following, others;
    const float* reward;
    const std::uint8_t* flags;
};

// Whether n floating numbers of `bytes` bytes are finite; what has 0 bytes is no such number.
bool finite(const std::byte* data, std::size_t n, std::size_t bytes);

// Whether continuity is worth a look: steps that do not go on, or that do so over an end.
bool put(const ReplayRows& rows, const ReplaySteps& steps);

// Fill a batch, by that many threads at most; their number changes nothing.
void gather(const ReplayRows& rows, ReplayBatch& batch, unsigned threads);

}  // namespace rlcores
