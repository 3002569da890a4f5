// replay.cpp — batches from the rows of a replay buffer.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/replay.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <system_error>
#include <thread>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rlcores {

namespace {

constexpr std::size_t worth = std::size_t{1} << 19;   // bytes that are worth a thread of their own
constexpr std::size_t beyond = std::size_t{8} << 20;  // bytes of a batch that is gone from the caches before it is used
constexpr std::size_t ahead = 8;                      // transitions between asking for memory and using it

// A step of one environment: its row, its frame, and how many steps came behind it. No division while it moves.
struct At {
    const ReplayRows& rows;
    std::int64_t column, row, frame, younger;

    std::int64_t slot() const { return row * rows.columns + column; }
    std::int64_t place(std::int64_t at) const { return at * rows.columns + column; }
    std::int64_t next() const { return frame + 1 == rows.ring ? 0 : frame + 1; }
    std::int64_t before(std::int64_t at) const { return at ? at - 1 : rows.ring - 1; }
    void advance() {
        row = row + 1 == rows.rows ? 0 : row + 1;
        frame = next();
        --younger;
    }
};

struct Newest {
    std::int64_t row, frame;
};

Newest newest(const ReplayRows& rows, const ReplayBatch& batch) {
    return {(batch.time - 1) % rows.rows, (batch.time - 1) % rows.ring};
}

At find(const ReplayRows& rows, const Newest& newest, std::int64_t slot) {
    const auto small = static_cast<std::uint32_t>(slot), columns = static_cast<std::uint32_t>(rows.columns);
    const std::int64_t row = columns == 1 ? small : small / columns, column = slot - row * rows.columns;
    const std::int64_t younger = newest.row - row + (row > newest.row ? rows.rows : 0);
    const std::int64_t frame = newest.frame - younger + (younger > newest.frame ? rows.ring : 0);
    return {rows, column, row, frame, younger};
}

// Inlined, for a compiler drops calls of a function that does nothing but ask for memory.
[[gnu::always_inline]] inline void ask(const ReplayRows& rows, const Newest& newest, std::int64_t slot) {
    const At at = find(rows, newest, slot);
    __builtin_prefetch(&rows.reward[slot]);
    for (const ReplayFrames& seen : rows.observations) {
        __builtin_prefetch(seen.frames.at(at.place(at.frame)));
        __builtin_prefetch(seen.frames.at(at.place(at.next())));
    }
    for (const ReplayField& field : rows.others) __builtin_prefetch(field.at(slot));
}

// Most entries have a few bytes, for which a call would take longer than the copy.
void copy_entry(std::byte* to, const std::byte* from, std::size_t bytes) {
    switch (bytes) {
        case 1: std::memcpy(to, from, 1); break;
        case 4: std::memcpy(to, from, 4); break;
        case 8: std::memcpy(to, from, 8); break;
        case 16: std::memcpy(to, from, 16); break;
        default: std::memcpy(to, from, bytes);
    }
}

// To one place, or to two and read once.
template <bool twice>
void copy_entry(std::byte* to, std::byte* also, const std::byte* from, std::size_t bytes) {
    copy_entry(to, from, bytes);
    if constexpr (twice) copy_entry(also, from, bytes);
}

// Entries of a batch that no cache holds are written past the caches, which would read every line before they write it.
// All are at places of 16 bytes.
template <bool twice>
void stream_entry(std::byte* to, std::byte* also, const std::byte* from, std::size_t bytes) {
#if defined(__SSE2__)
    for (std::size_t i = 0; i < bytes; i += 16) {
        const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), some);
        if constexpr (twice) _mm_stream_si128(reinterpret_cast<__m128i*>(also + i), some);
    }
#else
    copy_entry<twice>(to, also, from, bytes);
#endif
}

template <bool twice>
void copy_frame(const ReplayBatch& batch, std::byte* to, std::byte* also, const std::byte* from, std::size_t bytes) {
    const auto places = reinterpret_cast<std::uintptr_t>(to) | (twice ? reinterpret_cast<std::uintptr_t>(also) : 0);
    if (batch.past_caches && bytes % 16 == 0 && bytes >= 1024 && places % 16 == 0)
        stream_entry<twice>(to, also, from, bytes);
    else
        copy_entry<twice>(to, also, from, bytes);
}

// Frames of a stack from `frame` back, as far as the episode goes: the last of them is found[count - 1].
void older(const At& at, const ReplayFrames& seen, std::int64_t frame, const std::byte** found, std::int64_t count) {
    for (std::int64_t k = count; k-- > 0;) {
        const std::int64_t place = at.place(frame);
        found[k] = seen.frames.at(place);
        if (k && !at.rows.first[place]) frame = at.before(frame);
    }
}

void transition(const ReplayRows& rows, const Newest& newest, const ReplayBatch& batch, std::size_t i) {
    const std::int64_t slot = batch.slots[i];
    const At at = find(rows, newest, slot);
    At last = at;
    double sum = rows.reward[slot], factor = 1;
    unsigned flags = rows.flags[slot];
    for (std::int64_t n = 1; n < batch.steps && !(flags & ReplayRows::ended) && last.younger; ++n) {
        last.advance();
        factor = factor * batch.gamma;
        sum = sum + factor * static_cast<double>(rows.reward[last.slot()]);
        flags = rows.flags[last.slot()];
    }
    batch.reward[i] = static_cast<float>(sum);
    batch.terminated[i] = flags & ReplayRows::terminated;
    batch.truncated[i] = flags & ReplayRows::cut;
    batch.discount[i] = flags & ReplayRows::terminated ? 0.0F : static_cast<float>(factor * batch.gamma);
    for (std::size_t k = 0; k < rows.observations.size(); ++k) {
        const ReplayFrames& seen = rows.observations[k];
        const auto stack = static_cast<std::size_t>(seen.stack);
        const std::size_t bytes = seen.frames.bytes, whole = bytes * stack;
        std::byte *to = batch.observations[k] + i * whole, *following = batch.following[k] + i * whole;
        const std::byte* newest_behind =
            flags & ReplayRows::kept ? seen.kept(rows.place[last.slot()]) : seen.frames.at(at.place(last.next()));
        if (stack == 1) {
            copy_frame<false>(batch, to, nullptr, seen.frames.at(at.place(at.frame)), bytes);
            copy_frame<false>(batch, following, nullptr, newest_behind, bytes);
            continue;
        }
        thread_local std::vector<const std::byte*> frames;
        if (frames.size() < 2 * stack) frames.resize(2 * stack);
        const std::byte **here = frames.data(), **behind = here + stack;
        older(at, seen, at.frame, here, seen.stack);
        older(at, seen, last.frame, behind, seen.stack - 1);
        behind[stack - 1] = newest_behind;
        // Most frames are in both stacks, this many places apart.
        const auto apart = static_cast<std::size_t>(at.younger - last.younger) + 1;
        for (std::size_t j = 0; j < stack; ++j) {
            if (j >= apart && behind[j - apart] == here[j]) {
                copy_frame<true>(batch, to + j * bytes, following + (j - apart) * bytes, here[j], bytes);
                behind[j - apart] = nullptr;
            } else {
                copy_frame<false>(batch, to + j * bytes, nullptr, here[j], bytes);
            }
        }
        for (std::size_t j = 0; j < stack; ++j)
            if (behind[j]) copy_frame<false>(batch, following + j * bytes, nullptr, behind[j], bytes);
    }
    for (std::size_t k = 0; k < rows.others.size(); ++k) {
        const ReplayField& field = rows.others[k];
        copy_entry(batch.others[k] + i * field.bytes, field.at(slot), field.bytes);
    }
}

void part(const ReplayRows& rows, const ReplayBatch& batch, std::size_t from, std::size_t to) {
    const Newest now = newest(rows, batch);
    for (std::size_t i = from; i < std::min(from + ahead, to); ++i) ask(rows, now, batch.slots[i]);
    for (std::size_t i = from; i < to; ++i) {
        if (i + ahead < to) ask(rows, now, batch.slots[i + ahead]);
        transition(rows, now, batch, i);
    }
#if defined(__SSE2__)
    if (batch.past_caches) _mm_sfence();
#endif
}

// Whether a step's frame is another than what its rows, or its own next one, hold.
template <class Held>
bool differs(const ReplayRows& rows, const ReplaySteps& steps, std::size_t given, Held held) {
    for (std::size_t i = 0; i < rows.observations.size(); ++i) {
        const std::size_t bytes = rows.observations[i].frames.bytes;
        if (std::memcmp(held(i), steps.observations[i] + given * bytes, bytes)) return true;
    }
    return false;
}

// A step of all environments. Only ends end an episode: a frame that differs from the one that was said to follow is
// kept beside it.
void put_one(const ReplayRows& rows, const ReplaySteps& steps, std::size_t k) {
    const std::int64_t time = steps.time + static_cast<std::int64_t>(k);
    const auto first_of = [&](std::int64_t step, std::int64_t size) { return step % size * rows.columns; };
    const std::int64_t row_now = first_of(time, rows.rows), row_before = time ? first_of(time - 1, rows.rows) : 0;
    const std::int64_t frame_now = first_of(time, rows.ring), frame_next = first_of(time + 1, rows.ring);
    for (std::int64_t c = 0; c < rows.columns; ++c) {
        const std::size_t given = k * static_cast<std::size_t>(rows.columns) + static_cast<std::size_t>(c);
        const std::int64_t now = frame_now + c, row = row_now + c, before = row_before + c;
        bool first = true;
        if (time) {
            const unsigned flags = steps.flags[given];
            const bool none = flags & ReplayRows::none;
            const bool moved = differs(rows, steps, given, [&](auto i) { return rows.observations[i].frames.at(now); });
            std::uint8_t& was = rows.flags[before];
            first = none || was & (ReplayRows::ended | ReplayRows::none);
            if (!(was & ReplayRows::none)) {
                if (none) {
                    if (!(was & ReplayRows::ended)) was |= ReplayRows::broken;
                } else if (was & ReplayRows::over) {
                    const auto next = [&](auto i) {
                        return steps.following[i] + given * rows.observations[i].frames.bytes;
                    };
                    rows.counts[6] += 1;
                    rows.counts[7] += !moved;
                    rows.counts[8] += !moved && !flags && steps.reward[given] == 0 && differs(rows, steps, given, next);
                } else if (!(was & ReplayRows::broken)) {
                    rows.counts[4] += 1;
                    rows.counts[5] += moved;
                }
                if (moved || none) {
                    const std::int64_t place = rows.counts[1] ? rows.free[--rows.counts[1]] : rows.counts[0]++;
                    for (const ReplayFrames& seen : rows.observations)
                        std::memcpy(seen.kept(place), seen.frames.at(now), seen.frames.bytes);
                    rows.place[before] = place;
                    was |= ReplayRows::kept;
                }
            }
        }
        rows.first[now] = first;
        for (std::size_t i = 0; i < rows.observations.size(); ++i) {
            const ReplayField& frames = rows.observations[i].frames;
            std::memcpy(frames.at(now), steps.observations[i] + given * frames.bytes, frames.bytes);
            std::memcpy(frames.at(frame_next + c), steps.following[i] + given * frames.bytes, frames.bytes);
        }
        for (std::size_t i = 0; i < rows.others.size(); ++i) {
            const ReplayField& field = rows.others[i];
            std::memcpy(field.at(row), steps.others[i] + given * field.bytes, field.bytes);
        }
        rows.reward[row] = steps.reward[given];
    }
    // Places are given back behind those that are taken, environment by environment, as the reference does.
    for (std::int64_t c = 0; c < rows.columns; ++c) {
        const std::int64_t row = row_now + c;
        const std::uint8_t was = rows.flags[row];
        const std::uint8_t now = steps.flags[k * static_cast<std::size_t>(rows.columns) + static_cast<std::size_t>(c)];
        if (was & ReplayRows::kept) rows.free[rows.counts[1]++] = rows.place[row];
        rows.counts[2] += !(now & ReplayRows::none);
        rows.counts[2] -= time >= rows.rows && !(was & ReplayRows::none);
        rows.flags[row] = now;
    }
}

template <class Bits>
bool finite_bits(const std::byte* data, std::size_t n, Bits exponent) {
    const auto* bits = reinterpret_cast<const Bits*>(data);
    Bits wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong |= static_cast<Bits>((bits[i] & exponent) == exponent);
    return !wrong;
}

}  // namespace

bool finite(const std::byte* data, std::size_t n, std::size_t bytes) {
    if (bytes == 2) return finite_bits<std::uint16_t>(data, n, 0x7c00);
    if (bytes == 4) return finite_bits<std::uint32_t>(data, n, 0x7f800000);
    if (bytes == 8) return finite_bits<std::uint64_t>(data, n, 0x7ff0000000000000);
    const auto* numbers = reinterpret_cast<const long double*>(data);
    return !bytes || std::all_of(numbers, numbers + n, [](long double x) { return std::isfinite(x); });
}

bool put(const ReplayRows& rows, const ReplaySteps& steps) {
    const std::int64_t before = rows.counts[5] + rows.counts[7];
    for (std::size_t k = 0; k < steps.n; ++k) put_one(rows, steps, k);
    rows.counts[3] = steps.time + static_cast<std::int64_t>(steps.n);
    return rows.counts[5] + rows.counts[7] != before;
}

void gather(const ReplayRows& rows, ReplayBatch& batch, unsigned threads) {
    std::size_t bytes = 0;
    for (const ReplayFrames& seen : rows.observations)
        bytes += 2 * seen.frames.bytes * static_cast<std::size_t>(seen.stack);
    for (const ReplayField& field : rows.others) bytes += field.bytes;
    batch.past_caches = batch.n * bytes >= beyond;
    const std::size_t count = std::clamp<std::size_t>(batch.n * bytes / worth, 1, std::max(threads, 1U));
    std::vector<std::thread> others;
    others.reserve(count);
    std::size_t k = 1;
    try {
        for (; k < count; ++k)
            others.emplace_back(part, std::cref(rows), std::cref(batch), batch.n * k / count,
                                batch.n * (k + 1) / count);
    } catch (const std::system_error&) {  // the system has no more threads
        part(rows, batch, batch.n * k / count, batch.n);
    }
    part(rows, batch, 0, batch.n / count);
    for (std::thread& other : others) other.join();
}

}  // namespace rlcores
