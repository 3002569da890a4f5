// sumtree.hpp — one bank of the sum tree core, the integers of cores/sumtree/model.py and model_driver.py.
// SPDX-License-Identifier: Apache-2.0
//
// threads    Every call takes effect at once, alone, in the order in which calls get the tree's lock. order() is the
//            place of this thread's last call in it. Priorities of TD errors are made before the lock is taken, weights
//            after it was given back.
// fork       A process forks with all trees free (fork.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "rlcores/native/draws.hpp"
#include "rlcores/native/enum_array.hpp"
#include "rlcores/native/fork.hpp"
#include "rlcores/native/memory.hpp"
#include "rlcores/native/sumtree_kernels.hpp"

namespace rlcores {

struct Shape {
    int leaves_log2;
    std::uint32_t capacity;
    int priority_width, draw_width, generation_width;
};

// Kinds and statuses, numbered as in the core.
enum class Kind : std::uint8_t { update, insert, reserve, commit, read, clear };
enum class Status : std::uint8_t { ok, stale, range, unknown };
enum class Ask : std::uint8_t { drawn, given, target, soft };
enum class SampleStatus : std::uint8_t { found, empty, miss };

// Answers, as NumPy holds them in model.OPERATION and model.SAMPLE.
#pragma pack(push, 1)
struct OperationAnswer {
    Kind kind;
    Status status;
    std::uint32_t index, generation;
    std::uint64_t priority;
};
struct SampleAnswer {
    SampleStatus status;
    std::uint32_t index;
    std::uint64_t priority, total;
    std::uint32_t generation, weight;
};
#pragma pack(pop)

// Operations in order. priority holds a TD error sfix(32,20) where td.
struct Operations {
    std::size_t count;
    const Kind* kind;
    const std::int64_t* index;
    const std::int64_t* priority;
    const std::int64_t* generation;
    const bool* check;
    const bool* use_max;
    const bool* td;
};

// Finite TD errors in floating point, of one type, and what is added to their size.
struct Errors {
    const float* floats;
    const double* doubles;
    double offset;
};

// Operations of one kind; index is not read of inserts, priority not with use_max or errors, generation not without
// check. priority holds a TD error sfix(32,20) where td.
struct Writes {
    std::size_t count;
    Kind kind;
    const std::int64_t* index;
    const std::int64_t* priority;
    const std::int64_t* generation;
    bool check, use_max, td;
    const Errors* errors = nullptr;
};

// How many were stale, and whether limited() has news.
struct Written {
    std::size_t stale;
    bool limited;
};

// What limits did to priorities of TD errors: too large for their bits; below least_fine, when they were written and
// when the scale moved; by how many bits it moved.
struct Limited {
    std::size_t above = 0, coarse = 0, lost = 0;
    std::int64_t moved = 0;
};

// Where a batch of draws goes; what is null is not wanted.
struct Columns {
    std::int64_t* index;
    std::int64_t* priority;
    std::int64_t* generation;
    std::int64_t* total;
    float* weight;
    double* probability;
};

struct Settings {
    std::uint32_t batch = 1;
    bool stratified = false, weights = false, follow = false;
    std::int64_t alpha = 19661, epsilon = 1, scale = 0, beta = 13107;
};

// Events: how often, since the beginning, modulo 2^32; and whether, since they were forgotten.
struct Events {
    enum class Count { updates, inserts, samples, stale, range, empty, miss, number };
    enum class Flag { saturated, stale, range, kind, empty, miss, number };
    EnumArray<std::uint32_t, Count> count{};
    EnumArray<bool, Flag> flag{};
};

class SumTree {
public:
    // Throws std::invalid_argument when the priorities are wider than 32 bits.
    explicit SumTree(const Shape& shape);

    // All that another tree needs to go on as this one would.
    struct State {
        static constexpr std::int64_t version = 1;                                // of the numbers' order and meaning
        static constexpr std::size_t next = 8, lap = 9, full = 10, largest = 11;  // places of numbers that others read
        State() = default;
        std::array<std::int64_t, 39> numbers;
        std::vector<std::int64_t> priorities;
    };
    State state() const;
    // Throws std::invalid_argument when it is none.
    explicit SumTree(const State& state);

    // For a tree that processes share: its nodes lie in memory of theirs, and each process takes the other numbers over
    // before a call and gives them back behind it. That one process is in a call at a time is up to them.
    struct Place {
        std::size_t bytes, leaves;  // of the nodes, and where in them the leaves begin, std::uint32_t each
    };
    Place place() const;
    static constexpr std::size_t shared = 35;
    void adopt(std::byte* memory);
    void load(std::span<const std::int64_t, shared> numbers);
    void store(std::span<std::int64_t, shared> numbers) const;

    void operations(const Operations& given, OperationAnswer* answers);
    // Says of each whether it was accepted, or which slot it took; what is null is not wanted. With `follow`, TD errors
    // that are larger than the tree's bits move the scale first, by whole bits, and all priorities with it.
    Written write(const Writes& given, bool* accepted, std::int64_t* index, std::int64_t* generation);
    void samples(const Ask* kind, const std::uint64_t* value, std::size_t n, SampleAnswer* answers);
    // n internal draws, in batches and strata as asked: where these were others, the first stratum is next. Returns
    // false, and nothing has changed, when the total is 0.
    bool draw(std::size_t n, std::uint32_t batch, bool stratified, const Columns& to);

    // Registers by name, all at once. False, and nothing has changed, when there is none of a name.
    bool configure(std::span<const std::pair<std::string_view, std::int64_t>> registers);
    Settings settings() const;
    void seed(std::uint64_t seed);
    void load_draws(const std::array<std::uint32_t, 4>& state);
    void restart();
    void clear();
    void clear_flags();
    // Since it was last asked.
    Limited limited();

    const Shape& shape() const { return shape_; }
    std::uint32_t size() const;
    std::uint32_t next() const;
    std::int64_t total() const;
    std::int64_t largest() const;
    std::uint32_t capacity() const;
    std::array<std::uint32_t, 4> draws() const;
    Events events() const;

    // How many calls were accepted before this thread's last one, on any tree of this process.
    static std::uint64_t order();

    // floor(u * total / 2^bits); u has as many bits.
    static std::int64_t scaled(std::uint64_t u, std::int64_t total, int bits) {
        return static_cast<std::int64_t>(static_cast<unsigned __int128>(u) * static_cast<std::uint64_t>(total) >> bits);
    }

private:
    friend class BankedTree;  // whose banks are trees; it takes their locks
    using Lock = std::unique_lock<std::mutex>;
    Lock lock() const;

    // Calls with everything that State::numbers holds.
    template <class Self, class Each>
    static void all(Self& self, Each&& each);
    void lay();  // the levels, from the beginning of the memory
    void clear_now();
    void restart_now();
    void move_scale(std::int64_t bits);
    std::uint32_t tag(std::uint32_t index) const { return (lap_ + (index < next_)) & mask_; }
    Tags tags() const { return {capacity_, next_, lap_, mask_}; }
    // Priorities as they are written, of what is no error in floating point. Returns whether one was too large.
    static bool values_of(const Operations& given, const Settings& now, int width, std::int64_t* value);
    static bool values_of(const Writes& given, const Settings& now, int width, std::int64_t* value);
    // With the lock held: operations first … last - 1, none of them a CLEAR; writes, and how many were stale.
    void carry(const Operations& given, const std::int64_t* value, std::size_t first, std::size_t last,
               OperationAnswer* answers, bool saturated);
    std::uint32_t carry(const Writes& given, const std::int64_t* value, bool* accepted, std::int64_t* index,
                        std::int64_t* generation, bool saturated);
    // The weights of batches; raw: room for n.
    static void weigh(const Settings& now, std::size_t n, const std::int64_t* priority, std::uint32_t* raw,
                      SampleAnswer* answers);
    static void weigh(const Settings& now, std::size_t n, const std::int64_t* priority, std::uint32_t* raw,
                      float* weight);
    template <class Say>
    bool take_all(const Writes& given, const std::int64_t* value, std::size_t first, std::size_t last, Say& say);
    template <class Given, class Say>
    void carry_out(const Given& given, const std::int64_t* value, std::size_t first, std::size_t last, Say&& say);

    const Shape shape_;
    const std::uint32_t mask_;
    Memory memory_;
    Lines lines_{};
    std::int64_t total_ = 0, largest_ = 0, cfg_initial_ = 1;
    std::uint32_t cfg_capacity_ = 0, capacity_ = 0, next_ = 0, lap_;
    bool full_ = false;
    Draws draws_;
    Settings settings_;
    Events events_;
    Limited limited_;
    mutable ForkableMutex mutex_;
};

}  // namespace rlcores
