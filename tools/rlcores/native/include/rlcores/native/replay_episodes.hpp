// replay_episodes.hpp — which steps of a replay buffer are of one episode: an entry of a table for each episode.
// SPDX-License-Identifier: Apache-2.0
//
// rlcores.replay.episodes says what the arrays hold, and has the same in NumPy, as a reference.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rlcores/native/replay.hpp"

namespace rlcores {

struct ReplayEpisodes {
    std::int32_t* id;       // (rows, columns): 1 + the entry of a step's episode, 0 where there is no transition
    std::int64_t* begin;    // of an entry: 1 + its first step of the run, 0 where the entry is free
    std::int64_t* last;     // of an entry: its last step so far
    std::int32_t* column;   // of an entry: its environment
    std::int32_t* free;     // entries that were given back
    std::int32_t* open;     // (columns): 1 + the entry of the newest step, 0 where it is no transition
    std::int64_t* numbers;  // steps that were looked at; entries in use or given back; given back
};

// What is known of the episodes of slots, an entry each.
struct ReplayBounds {
    const std::int64_t* slots;
    std::size_t n;
    std::int64_t *step, *begin, *last;  // steps of the run: the slot's own, the first held, the last so far
    bool* closed;                       // the episode goes no further
};

// Look at the steps that came since the last call.
void follow(const ReplayRows& rows, const ReplayEpisodes& episodes, std::int64_t time);

// Every slot holds a row.
void bounds(const ReplayRows& rows, const ReplayEpisodes& episodes, std::int64_t time, const ReplayBounds& found);

}  // namespace rlcores
