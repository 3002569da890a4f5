// sumtree_banked.hpp — a sum tree in banks, each with a lock of its own: calls on different banks go on side by side.
// SPDX-License-Identifier: Apache-2.0
//
// Slot s is slot s / S of bank s % S. Slots, tags, priorities and the generator of draws are those of one tree; prefix
// sums run over the slots of bank 0, then of bank 1, and so on (cores/sumtree/interleaved.py).
//
// threads    A call goes from bank to bank and holds one lock at a time, so each of its parts takes effect at once, and
//            another call may come in between. Inserts take turns with each other. What sets registers, clears, moves
//            the scale, or asks by kinds is alone: it waits for all banks. A draw chooses banks by totals that it read
//            together, and draws inside a bank by the bank's present one.
// lost       Nothing: a part that finds that another call was alone since its numbers were made makes them again.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "rlcores/native/fork.hpp"
#include "rlcores/native/sumtree.hpp"

namespace rlcores {

class BankedTree {
public:
    static constexpr std::uint32_t most = 16;

    // shape: of all banks together. Throws std::invalid_argument when the number of banks is none of 1, 2, 4, 8, 16, or
    // a bank would have no slot.
    BankedTree(const Shape& shape, std::uint32_t banks);

    // As SumTree's.
    void operations(const Operations& given, OperationAnswer* answers);
    Written write(const Writes& given, bool* accepted, std::int64_t* index, std::int64_t* generation);
    void samples(const Ask* kind, const std::uint64_t* value, std::size_t n, SampleAnswer* answers);
    bool draw(std::size_t n, std::uint32_t batch, bool stratified, const Columns& to);
    bool configure(std::span<const std::pair<std::string_view, std::int64_t>> registers);
    Settings settings() const;
    void seed(std::uint64_t seed);
    void load_draws(const std::array<std::uint32_t, 4>& state);
    void restart();
    void clear();
    void clear_flags();
    Limited limited();
    const Shape& shape() const { return shape_; }
    std::uint32_t size() const;
    std::uint32_t next() const;
    std::int64_t total() const;
    std::int64_t largest() const { return largest_.load(); }
    std::uint32_t capacity() const { return capacity_.load(); }
    std::array<std::uint32_t, 4> draws() const;
    Events events() const;
    // Of this thread's last bank: there is an order in each bank, and none of the calls.
    static std::uint64_t order() { return SumTree::order(); }

private:
    using Lock = std::unique_lock<std::mutex>;
    class Alone;
    struct Parts;
    struct Values;

    static std::vector<std::unique_ptr<SumTree>> trees_of(const Shape& shape, std::uint32_t banks);
    void part(Parts& parts, std::size_t n, const std::int64_t* index) const;
    bool make(const Writes& given, Values& values) const;
    void gather(const Writes& given, const Parts& parts, Values& values) const;
    void carry(std::uint32_t bank, const Writes& given, const Parts& parts, Values& values);
    void enlarge(const Writes& given, Values& values);
    void write_alone(const Writes& given, const Parts& parts, Values& values, std::uint32_t pending);
    void operations_alone(const Operations& given, const std::int64_t* value, std::size_t first, std::size_t last,
                          OperationAnswer* answers);
    SampleAnswer found(Ask kind, std::uint64_t value, std::uint64_t draw);
    std::uint32_t bank_of(std::int64_t slot) const { return static_cast<std::uint32_t>(slot) & (banks_ - 1); }
    std::uint32_t share(std::uint32_t capacity, std::uint32_t bank) const {
        return (capacity - bank + banks_ - 1) >> shift_;
    }
    void changed(std::uint32_t bank);
    void clear_now();
    void restart_now() { draws_.restart(stratified_ ? batch_ : 0); }

    const Shape shape_;
    const std::uint32_t banks_;
    const int shift_;
    // Locks are taken downwards in this list, and made upwards: at a fork the newest one is taken first (fork.cpp).
    mutable ForkableMutex registers_, drawing_;
    std::vector<std::unique_ptr<SumTree>> trees_;
    mutable ForkableMutex turn_;  // of inserts
    // What a bank's calls leave for all others to see, on a line of memory of its own.
    struct alignas(64) Total {
        std::atomic<std::int64_t> now{0};
    };
    std::array<Total, most> totals_;
    alignas(64) std::atomic<std::int64_t> largest_{0};
    std::atomic<std::uint64_t> epoch_{0};  // how many calls were alone
    std::atomic<std::uint32_t> capacity_{0};
    std::uint32_t next_ = 0, cfg_capacity_ = 0, lap_ = 0;  // with turn_, as full_
    bool full_ = false;
    Settings settings_;  // with registers_, as limited_; its batch and stratified are not used
    Limited limited_;
    Draws draws_;  // with drawing_, as the next two
    std::uint32_t batch_ = 1;
    bool stratified_ = false;
};

}  // namespace rlcores
