// replay.cpp — batches from the rows of a replay buffer.
// SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

namespace rlcores {

namespace {

constexpr std::size_t worth = std::size_t{1} << 19;  // bytes that are worth a thread of their own
constexpr std::size_t ahead = 16;                    // transitions between asking for memory and using it

struct At {
    const ReplayRows& rows;
    std::int64_t column;

    std::int64_t row(std::int64_t step) const { return step % rows.rows * rows.columns + column; }
    std::int64_t frame(std::int64_t step) const { return step % rows.ring * rows.columns + column; }
};

std::int64_t step_of(const ReplayRows& rows, const ReplayBatch& batch, std::int64_t row) {
    return batch.time - 1 - (batch.time - 1 - row) % rows.rows;
}

void ask(const ReplayRows& rows, const ReplayBatch& batch, std::int64_t slot) {
    const std::int64_t column = slot % rows.columns;
    const At at{rows, column};
    const std::int64_t step = step_of(rows, batch, slot / rows.columns);
    __builtin_prefetch(rows.flags + slot);
    __builtin_prefetch(rows.reward + slot);
    for (const ReplayFrames& seen : rows.observations) {
        __builtin_prefetch(seen.frames + at.frame(step) * static_cast<std::int64_t>(seen.bytes));
        __builtin_prefetch(seen.frames + at.frame(step + 1) * static_cast<std::int64_t>(seen.bytes));
    }
    for (const ReplayField& field : rows.others)
        __builtin_prefetch(field.data + slot * static_cast<std::int64_t>(field.bytes));
}

// Frames of a stack, the newest last and already there: from `step` back, as far as the episode goes.
void older(const At& at, const ReplayFrames& seen, std::int64_t step, std::byte* to, std::int64_t count) {
    for (std::int64_t k = count; k-- > 0;) {
        const std::int64_t frame = at.frame(step);
        std::memcpy(to + static_cast<std::size_t>(k) * seen.bytes,
                    seen.frames + static_cast<std::size_t>(frame) * seen.bytes, seen.bytes);
        if (k && !at.rows.first[frame]) --step;
    }
}

void transition(const ReplayRows& rows, const ReplayBatch& batch, std::size_t i) {
    const std::int64_t slot = batch.slots[i];
    const At at{rows, slot % rows.columns};
    const std::int64_t step = step_of(rows, batch, slot / rows.columns);
    std::int64_t last = step;
    double sum = rows.reward[slot], factor = 1;
    unsigned flags = rows.flags[slot];
    for (std::int64_t n = 1; n < batch.steps && !(flags & ReplayRows::ended) && last + 1 < batch.time; ++n) {
        ++last;
        factor = factor * batch.gamma;
        sum = sum + factor * static_cast<double>(rows.reward[at.row(last)]);
        flags = rows.flags[at.row(last)];
    }
    batch.reward[i] = static_cast<float>(sum);
    batch.terminated[i] = flags & ReplayRows::terminated;
    batch.truncated[i] = flags & ReplayRows::cut;
    batch.discount[i] = flags & ReplayRows::terminated ? 0.0F : static_cast<float>(factor * batch.gamma);
    for (std::size_t k = 0; k < rows.observations.size(); ++k) {
        const ReplayFrames& seen = rows.observations[k];
        const std::size_t whole = seen.bytes * static_cast<std::size_t>(seen.stack);
        older(at, seen, step, batch.observations[k] + i * whole, seen.stack);
        std::byte* to = batch.following[k] + i * whole;
        const std::byte* newest =
            flags & ReplayRows::kept
                ? seen.apart + static_cast<std::size_t>(rows.place[at.row(last)]) * seen.bytes
                : seen.frames + static_cast<std::size_t>(at.frame(last + 1)) * seen.bytes;
        std::memcpy(to + whole - seen.bytes, newest, seen.bytes);
        older(at, seen, last, to, seen.stack - 1);
    }
    for (std::size_t k = 0; k < rows.others.size(); ++k) {
        const ReplayField& field = rows.others[k];
        std::memcpy(batch.others[k] + i * field.bytes, field.data + static_cast<std::size_t>(slot) * field.bytes,
                    field.bytes);
    }
}

void part(const ReplayRows& rows, const ReplayBatch& batch, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(from + ahead, to); ++i) ask(rows, batch, batch.slots[i]);
    for (std::size_t i = from; i < to; ++i) {
        if (i + ahead < to) ask(rows, batch, batch.slots[i + ahead]);
        transition(rows, batch, i);
    }
}

// A step of all environments. What differs from the frame that was said to follow is the beginning of something else.
void put_one(const ReplayRows& rows, const ReplaySteps& steps, std::size_t k) {
    const std::int64_t time = steps.time + static_cast<std::int64_t>(k);
    const auto columns = static_cast<std::size_t>(rows.columns);
    for (std::size_t c = 0; c < columns; ++c) {
        const At at{rows, static_cast<std::int64_t>(c)};
        const std::size_t given = k * columns + c;
        const auto now = static_cast<std::size_t>(at.frame(time)), row = static_cast<std::size_t>(at.row(time));
        bool first = true;
        if (time) {
            bool moved = steps.flags[given] & ReplayRows::none;
            for (std::size_t i = 0; i < rows.observations.size(); ++i) {
                const ReplayFrames& seen = rows.observations[i];
                moved = moved || std::memcmp(seen.frames + now * seen.bytes,
                                             steps.observations[i] + given * seen.bytes, seen.bytes);
            }
            std::uint8_t& was = rows.flags[at.row(time - 1)];
            first = moved || was & (ReplayRows::ended | ReplayRows::none);
            if (moved && !(was & ReplayRows::none)) {
                if (!(was & ReplayRows::ended)) was |= ReplayRows::broken;
                const std::int64_t place = rows.counts[1] ? rows.free[--rows.counts[1]] : rows.counts[0]++;
                for (const ReplayFrames& seen : rows.observations)
                    std::memcpy(seen.apart + static_cast<std::size_t>(place) * seen.bytes,
                                seen.frames + now * seen.bytes, seen.bytes);
                rows.place[at.row(time - 1)] = place;
                was |= ReplayRows::kept;
            }
        }
        rows.first[now] = first;
        for (std::size_t i = 0; i < rows.observations.size(); ++i) {
            const ReplayFrames& seen = rows.observations[i];
            std::memcpy(seen.frames + now * seen.bytes, steps.observations[i] + given * seen.bytes, seen.bytes);
            std::memcpy(seen.frames + static_cast<std::size_t>(at.frame(time + 1)) * seen.bytes,
                        steps.following[i] + given * seen.bytes, seen.bytes);
        }
        for (std::size_t i = 0; i < rows.others.size(); ++i) {
            const ReplayField& field = rows.others[i];
            std::memcpy(field.data + row * field.bytes, steps.others[i] + given * field.bytes, field.bytes);
        }
        rows.reward[row] = steps.reward[given];
    }
    // Places are given back behind those that are taken, environment by environment, as the reference does.
    for (std::size_t c = 0; c < columns; ++c) {
        const std::int64_t row = At{rows, static_cast<std::int64_t>(c)}.row(time);
        if (rows.flags[row] & ReplayRows::kept) rows.free[rows.counts[1]++] = rows.place[row];
        rows.flags[row] = steps.flags[k * columns + c];
    }
}

}  // namespace

void put(const ReplayRows& rows, const ReplaySteps& steps) {
    for (std::size_t k = 0; k < steps.n; ++k) put_one(rows, steps, k);
}

void gather(const ReplayRows& rows, const ReplayBatch& batch, unsigned threads) {
    std::size_t bytes = 0;
    for (const ReplayFrames& seen : rows.observations) bytes += 2 * seen.bytes * static_cast<std::size_t>(seen.stack);
    for (const ReplayField& field : rows.others) bytes += field.bytes;
    const std::size_t count = std::clamp<std::size_t>(batch.n * bytes / worth, 1, std::max(threads, 1U));
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < count; ++k)
        others.emplace_back(part, std::cref(rows), std::cref(batch), batch.n * k / count, batch.n * (k + 1) / count);
    part(rows, batch, 0, batch.n / count);
    for (std::thread& other : others) other.join();
}

}  // namespace rlcores
