// The sum tree's meaning, one operation after the other, with nothing of its structure: a Fenwick tree of 64-bit sums
// instead of words of siblings, so that a mistake of the core is not repeated here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "native.h"

// Codes of the core's ports: kinds and statuses of operations, kinds and statuses of samples.
constexpr unsigned UPDATE = 0, INSERT = 1, RESERVE = 2, COMMIT = 3, READ = 4, CLEAR = 5;
constexpr unsigned OK = 0, STALE = 1, RANGE = 2, KIND = 3;
constexpr unsigned DRAW = 0, GIVEN = 1, TARGET = 2, SOFT = 3;
constexpr unsigned SAMPLE_OK = 0, SAMPLE_EMPTY = 1, SAMPLE_RANGE = 2;

struct Operation {
    unsigned kind = 0, check = 0, max = 0, beyond = 0;
    uint64_t index = 0, generation = 0, priority = 0;
};
struct Answer {
    unsigned kind = 0, status = 0;
    uint64_t index = 0, generation = 0, priority = 0;
    bool operator==(const Answer&) const = default;
};
struct Sample {
    unsigned kind = 0;
    uint64_t value = 0;
};
struct SampleAnswer {
    unsigned status = 0;
    uint64_t index = 0, generation = 0, priority = 0, total = 0;
    bool operator==(const SampleAnswer&) const = default;
};

// Prefix sums of 2^levels numbers, each in as many steps as there are levels.
class Fenwick {
public:
    explicit Fenwick(unsigned levels)
        : levels_(levels), sums_((std::size_t{1} << levels) + 1), leaf_(sums_.size() - 1) {}
    uint64_t leaf(uint64_t i) const { return leaf_[i]; }
    uint64_t total() const { return total_; }
    void set(uint64_t i, uint64_t value) {
        const uint64_t delta = value - leaf_[i];
        if (delta == 0) return;
        leaf_[i] = value;
        total_ += delta;
        for (uint64_t k = i + 1; k < sums_.size(); k += k & -k) sums_[k] += delta;
    }
    uint64_t before(uint64_t i) const {
        uint64_t sum = 0;
        for (uint64_t k = i; k != 0; k &= k - 1) sum += sums_[k];
        return sum;
    }
    // The least i with leaf[0] + ... + leaf[i] > target. target < total().
    uint64_t find(uint64_t target) const {
        uint64_t at = 0;
        for (uint64_t step = uint64_t{1} << levels_ >> 1; step != 0; step >>= 1)
            if (sums_[at + step] <= target) target -= sums_[at += step];
        return at;
    }
    void clear() {
        std::fill(sums_.begin(), sums_.end(), 0);
        std::fill(leaf_.begin(), leaf_.end(), 0);
        total_ = 0;
    }

private:
    unsigned levels_;
    std::vector<uint64_t> sums_;
    std::vector<uint32_t> leaf_;
    uint64_t total_ = 0;
};

// xoshiro128++ 1.0 (Blackman, Vigna) and the strata over its numbers.
class Draws {
public:
    explicit Draws(unsigned width) : width_(width) {}
    void seed(const std::array<uint32_t, 4>& state, uint64_t strata) {
        state_ = state;
        if ((state_[0] | state_[1] | state_[2] | state_[3]) == 0) state_[0] = 1;
        restart(strata);
    }
    void restart(uint64_t strata) {
        strata_ = strata;
        stratum_ = 0;
    }
    uint64_t next() {
        const uint64_t r = word() >> (32 - width_);
        if (strata_ <= 1) return r;
        const uint64_t u = ((stratum_ << width_) + r) / strata_;
        stratum_ = stratum_ + 1 == strata_ ? 0 : stratum_ + 1;
        return u;
    }

private:
    static uint32_t turn(uint32_t x, int by) { return x << by | x >> (32 - by); }
    uint32_t word() {
        auto& s = state_;
        const uint32_t result = turn(s[0] + s[3], 7) + s[0], shifted = s[1] << 9;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = turn(s[3], 11);
        return result;
    }
    unsigned width_;
    std::array<uint32_t, 4> state_{1, 0, 0, 0};
    uint64_t strata_ = 0, stratum_ = 0;
};

class Reference {
public:
    Reference(unsigned levels, unsigned draw_width, unsigned generation_width, uint64_t most)
        : tree(levels), draws(draw_width), draw_width_(draw_width), mask_(low_bits(generation_width)), most_(most) {}

    Fenwick tree;
    Draws draws;
    uint64_t largest = 0;

    uint64_t capacity() const { return capacity_; }
    uint64_t size() const { return full_ ? capacity_ : next_; }
    uint64_t generation(uint64_t i) const { return (lap_ + (i < next_)) & mask_; }
    bool tags() const { return mask_ != 0; }

    void reset(uint64_t capacity, uint64_t initial) {
        lap_ = next_ = 0;
        empty(capacity, initial);
    }
    // A CLEAR takes what the configuration inputs say at that time.
    Answer apply(const Operation& op, uint64_t capacity, uint64_t initial) {
        Answer answer{op.kind, OK, op.index, 0, 0};
        uint64_t value = op.max ? largest : op.priority;
        switch (op.kind) {
            case CLEAR:
                lap_ += 2;  // slots before next_ are a lap ahead, so one lap would bring their tags back
                empty(capacity, initial);
                answer.index = 0;
                return answer;
            case INSERT:
            case RESERVE:
                if (op.kind == RESERVE) value = 0;
                answer.index = next_;
                answer.priority = tree.leaf(next_);
                tree.set(next_, value);
                if (++next_ == capacity_) {
                    next_ = 0;
                    ++lap_;
                    full_ = true;
                }
                break;
            case UPDATE:
            case COMMIT:
            case READ:
                if (op.beyond || op.index >= capacity_) {
                    answer.status = RANGE;
                    return answer;
                }
                if (op.kind != READ && (op.check || op.kind == COMMIT) && tags() &&
                    op.generation != generation(op.index)) {
                    answer.status = STALE;
                    answer.generation = generation(op.index);
                    return answer;
                }
                answer.priority = tree.leaf(op.index);
                if (op.kind != READ) tree.set(op.index, value);
                break;
            default: answer.status = KIND; return answer;
        }
        if (op.kind != READ && op.kind != RESERVE && value > largest) largest = value;
        answer.generation = generation(answer.index);
        return answer;
    }
    SampleAnswer sample(const Sample& request) {
        const uint64_t total = tree.total();
        SampleAnswer answer{SAMPLE_OK, 0, 0, 0, total};
        const bool internal = request.kind == DRAW || request.kind == SOFT;
        const uint64_t draw = internal ? draws.next() : request.value & low_bits(draw_width_);
        if (total == 0) {
            answer.status = SAMPLE_EMPTY;
            return answer;
        }
        const bool given = request.kind == TARGET || (request.kind == SOFT && request.value < total);
        const uint64_t target =
            given ? request.value
                  : static_cast<uint64_t>((static_cast<unsigned __int128>(draw) * total) >> draw_width_);
        if (target >= total) {
            answer.status = SAMPLE_RANGE;
            return answer;
        }
        answer.index = tree.find(target);
        answer.priority = tree.leaf(answer.index);
        answer.generation = generation(answer.index);
        return answer;
    }

private:
    void empty(uint64_t capacity, uint64_t initial) {
        tree.clear();
        next_ = 0;
        full_ = false;
        capacity_ = capacity == 0 || capacity > most_ ? most_ : capacity;
        largest = initial;
    }
    unsigned draw_width_;
    uint64_t mask_, most_;
    uint64_t capacity_ = 1, next_ = 0, lap_ = 0;
    bool full_ = false;
};
