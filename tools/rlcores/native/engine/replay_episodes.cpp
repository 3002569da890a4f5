// replay_episodes.cpp — the episodes of a replay buffer's steps.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/replay_episodes.hpp"

#include <algorithm>

namespace rlcores {

void follow(const ReplayRows& rows, const ReplayEpisodes& episodes, std::int64_t time) {
    std::int64_t &seen = episodes.numbers[0], &used = episodes.numbers[1], &freed = episodes.numbers[2];
    for (; seen < time; ++seen) {
        const std::int64_t row = seen % rows.rows * rows.columns, frame = seen % rows.ring * rows.columns;
        for (std::int64_t c = 0; c < rows.columns; ++c) {
            std::int32_t& id = episodes.id[row + c];
            std::int32_t& open = episodes.open[c];
            const std::int32_t old = id;
            if (rows.flags[row + c] & ReplayRows::none) {
                open = 0;
            } else {
                if (!open || rows.first[frame + c]) {
                    open = freed ? episodes.free[--freed] : static_cast<std::int32_t>(++used);
                    episodes.begin[open - 1] = seen + 1;
                    episodes.column[open - 1] = static_cast<std::int32_t>(c);
                }
                episodes.last[open - 1] = seen;
            }
            id = open;
            if (old && old != open && episodes.last[old - 1] + rows.rows <= seen) {
                episodes.begin[old - 1] = 0;
                episodes.free[freed++] = old;
            }
        }
    }
}

void bounds(const ReplayRows& rows, const ReplayEpisodes& episodes, std::int64_t time, const ReplayBounds& found) {
    const std::int64_t newest = (time - 1) % rows.rows, oldest = std::max<std::int64_t>(time - rows.rows, 0);
    const auto rows32 = static_cast<std::uint64_t>(rows.rows);
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < found.n; ++i) {
        if (i + ahead < found.n) {
            __builtin_prefetch(&episodes.id[found.slots[i + ahead]]);
            __builtin_prefetch(&rows.flags[found.slots[i + ahead]]);
        }
        const std::int64_t slot = found.slots[i], row = slot / rows.columns, column = slot - row * rows.columns;
        const std::int64_t younger = newest - row + (row > newest ? rows.rows : 0), step = time - 1 - younger;
        found.step[i] = found.begin[i] = found.last[i] = step;
        found.closed[i] = false;
        if (const std::int32_t id = episodes.id[slot]) {
            const std::int64_t last = episodes.last[id - 1];
            found.begin[i] = std::max(episodes.begin[id - 1] - 1, oldest);
            found.last[i] = last;
            const auto at =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(last) % rows32) * rows.columns + column;
            found.closed[i] = rows.flags[at] & ReplayRows::ended;
        }
    }
}

}  // namespace rlcores
