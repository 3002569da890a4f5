// stress.cpp — threads insert, update and sample on one tree; a plain list of priorities repeats it in the order
// reported. SPDX-License-Identifier: Apache-2.0
//
// rlcores_stress OPERATIONS SEED: prints how many operations were the same, or what was not, and then fails.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "rlcores/native/sumtree.hpp"

using namespace rlcores;

namespace {

constexpr std::uint32_t capacity = 1000, row_words = 16;
constexpr int width = 18, tag_bits = 16, inserters = 3;

struct Call {
    std::uint64_t order;
    bool draws, checked;
    Kind kind;
    bool stratified;
    std::vector<std::int64_t> index, priority,
        generation;  // what was asked, and of draws and inserts what was answered
    std::vector<char> accepted;
};

[[noreturn]] void fail(const char* what, std::uint64_t order) {
    std::printf("%s, in the call accepted after %llu others\n", what, static_cast<unsigned long long>(order));
    std::exit(1);
}

// The tree as a list, one operation after the other.
struct Reference {
    std::vector<std::int64_t> priority = std::vector<std::int64_t>(capacity);
    std::uint32_t next = 0, lap = 0;
    std::int64_t total = 0, largest = 1;
    Draws draws{32};
    std::uint32_t strata = 0;

    std::int64_t tag(std::int64_t slot) const { return (lap + (slot < next)) & ((1 << tag_bits) - 1); }

    void set(std::int64_t slot, std::int64_t to) {
        total += to - priority[static_cast<std::size_t>(slot)];
        priority[static_cast<std::size_t>(slot)] = to;
    }

    void repeat(const Call& call) {
        const std::size_t n = call.index.size();
        if (call.draws) return drawn(call);
        for (std::size_t i = 0; i < n; ++i) {
            if (call.kind == Kind::insert || call.kind == Kind::reserve) {
                const std::uint32_t slot = next;
                set(slot, call.kind == Kind::reserve ? 0 : call.priority.empty() ? largest : call.priority[i]);
                if (++next == capacity) next = 0, ++lap;
                if (call.index[i] != slot || call.generation[i] != tag(slot))
                    fail("another slot or tag was taken", call.order);
            } else {
                const bool right = !call.checked || call.generation[i] == tag(call.index[i]);
                if (right != static_cast<bool>(call.accepted[i]))
                    fail("a write was not taken as it should", call.order);
                if (right) set(call.index[i], call.priority[i]);
            }
            if (!call.priority.empty() && call.kind != Kind::reserve && (call.kind == Kind::insert || call.accepted[i]))
                largest = std::max(largest, call.priority[i]);
        }
    }

    void drawn(const Call& call) {
        const std::size_t n = call.index.size();
        const std::uint32_t wanted = call.stratified ? static_cast<std::uint32_t>(n) : 0;
        if (wanted != strata) draws.restart(strata = wanted);
        std::vector<std::uint64_t> u(n);
        draws.take(u.data(), n);
        std::vector<std::int64_t> sums(capacity);
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < capacity; ++i) sums[i] = sum += priority[i];
        for (std::size_t i = 0; i < n; ++i) {
            const auto target = static_cast<std::int64_t>(
                static_cast<unsigned __int128>(u[i]) * static_cast<std::uint64_t>(total) >> 32);
            const std::int64_t slot = std::upper_bound(sums.begin(), sums.end(), target) - sums.begin();
            if (call.index[i] != slot || call.priority[i] != priority[static_cast<std::size_t>(slot)] ||
                call.generation[i] != tag(slot))
                fail("another slot was drawn", call.order);
        }
    }
};

struct Shared {
    SumTree tree{{10, capacity, width, 32, tag_bits}};
    std::vector<std::atomic<std::uint64_t>> rows = std::vector<std::atomic<std::uint64_t>>(capacity * row_words);
    std::atomic<std::size_t> whole{0};
};

void keep(std::vector<Call>& log, Call call) {
    call.order = SumTree::order();
    log.push_back(std::move(call));
}

void write(Shared& shared, std::vector<Call>& log, Call call) {
    call.accepted.resize(call.index.size());
    shared.tree.write({call.index.size(), call.kind, call.index.data(), call.priority.data(), call.generation.data(),
                       call.checked, false, false},
                      reinterpret_cast<bool*>(call.accepted.data()), nullptr, nullptr);
    keep(log, std::move(call));
}

// Lazy writing: slots are reserved, their rows written outside of any lock, then they may be sampled.
void inserting(Shared& shared, std::vector<Call>& log, std::size_t operations, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto numbers = [&](std::size_t n, std::uint64_t end) {
        std::vector<std::int64_t> found(n);
        for (auto& x : found) x = static_cast<std::int64_t>(random() % end);
        return found;
    };
    for (std::size_t done = 0; done < operations;) {
        const std::size_t n = 1 + random() % 100;
        Call taken{0,     false,
                   false, random() % 4 ? Kind::reserve : Kind::insert,
                   false, std::vector<std::int64_t>(n),
                   {},    std::vector<std::int64_t>(n),
                   {}};
        shared.tree.write({n, taken.kind, nullptr, nullptr, nullptr, false, true, false}, nullptr, taken.index.data(),
                          taken.generation.data());
        const auto slots = taken.index, tags = taken.generation;
        const bool lazily = taken.kind == Kind::reserve;
        keep(log, std::move(taken));
        if (lazily) {
            for (std::size_t i = 0; i < n; ++i)
                for (std::uint32_t word = 0; word < row_words; ++word)
                    shared.rows[static_cast<std::size_t>(slots[i]) * row_words + word].store(
                        static_cast<std::uint64_t>(tags[i]), std::memory_order_relaxed);
            write(shared, log, {0, false, true, Kind::commit, false, slots, numbers(n, 1u << width), tags, {}});
        }
        write(shared, log, {0, false, true, Kind::update, false, slots, numbers(n, 1u << width), tags, {}});
        write(shared, log,
              {0, false, false, Kind::update, false, numbers(n, capacity), numbers(n, 1u << width), {}, {}});
        done += 4 * n;
    }
}

void sampling(Shared& shared, std::vector<Call>& log, std::size_t operations, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::size_t done = 0; done < operations;) {
        const std::size_t n = random() % 2 ? 64 : 1 + random() % 300;
        Call call{0,
                  true,
                  false,
                  Kind::update,
                  random() % 2 != 0,
                  std::vector<std::int64_t>(n),
                  std::vector<std::int64_t>(n),
                  std::vector<std::int64_t>(n),
                  {}};
        if (!shared.tree.draw(
                n, call.stratified ? static_cast<std::uint32_t>(n) : 1, call.stratified,
                {call.index.data(), call.priority.data(), call.generation.data(), nullptr, nullptr, nullptr}))
            continue;
        for (const std::int64_t priority : call.priority)
            if (priority < 1) fail("a slot of priority 0 was drawn", SumTree::order());
        keep(log, std::move(call));
        done += n;
    }
}

}  // namespace

int main(int count, char** given) {
    const std::size_t operations = count > 1 ? std::strtoull(given[1], nullptr, 10) : 1'000'000;
    const std::uint64_t seed = count > 2 ? std::strtoull(given[2], nullptr, 10) : 1;
    Shared shared;
    Reference reference;
    std::vector<std::int64_t> slot(capacity), tag(capacity);
    Call first{0, false, false, Kind::insert, false, slot, {}, tag, {}};
    shared.tree.write({capacity, Kind::insert, nullptr, nullptr, nullptr, false, true, false}, nullptr,
                      first.index.data(), first.generation.data());
    reference.repeat(first);
    std::size_t done = 0, swapped = 0;
    for (std::uint64_t round = 0; done < operations; ++round) {
        std::vector<std::vector<Call>> logs(inserters + 1);
        std::vector<std::thread> threads;
        for (int i = 0; i <= inserters; ++i)
            threads.emplace_back(i < inserters ? inserting : sampling, std::ref(shared),
                                 std::ref(logs[static_cast<std::size_t>(i)]), 50'000,
                                 seed * 1'000'003 + round * 17 + static_cast<std::uint64_t>(i));
        for (auto& thread : threads) thread.join();
        std::vector<std::pair<const Call*, std::size_t>> all;
        for (std::size_t i = 0; i < logs.size(); ++i)
            for (const Call& call : logs[i]) all.emplace_back(&call, i);
        std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.first->order < b.first->order; });
        for (std::size_t i = 0; i < all.size(); ++i) {
            swapped += i && all[i].second != all[i - 1].second;
            reference.repeat(*all[i].first);
            done += all[i].first->index.size();
        }
        if (reference.total != shared.tree.total() || reference.largest != shared.tree.largest())
            fail("the total or the largest priority is another", SumTree::order());
    }
    std::printf("%zu operations are the same; another thread had its turn %zu times\n", done, swapped);
    return swapped < done / 100'000;
}
