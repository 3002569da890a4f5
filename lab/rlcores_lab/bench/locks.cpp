// locks.cpp — threads that insert, sample and update one replay, with a lock of one of four kinds.
// SPDX-License-Identifier: Apache-2.0
//
// rlcores_locks KIND THREADS SECONDS BANKS SEED, KIND of global, tree, banks, none: prints iterations and seconds. Then
// it looks at what is left: sums, counts and rows. Fails with a sentence when anything is lost.
//
//   global  one lock of the same kind around each whole call, copies of rows included
//   tree    the engine's sum tree: a lock around what is done to the tree, rows outside of it (lazy writing)
//   banks   the engine's sum tree in banks, each with a lock
//   none    a replay for each thread, and nobody shares anything. As many of them as there are processors have all
//   slots
//           together, so that what the processors work on at one time is as large as a shared one
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "rlcores/native/sumtree.hpp"
#include "rlcores/native/sumtree_banked.hpp"

using namespace rlcores;

namespace {

#ifdef RLCORES_LOCKS_SMALL
constexpr int leaves_log2 = 12;
#else
constexpr int leaves_log2 = 20;
#endif
constexpr std::uint32_t slots = 1u << leaves_log2;
constexpr int width = 31 < 52 - leaves_log2 ? 31 : 52 - leaves_log2, tag_bits = 16;
constexpr std::size_t row_bytes = 64, batch = 256, pushed = 16;

[[noreturn]] void fail(const char* what) {
    std::printf("%s\n", what);
    std::exit(1);
}

// A replay: a tree and rows. Rows are words that threads may read while another one writes, as a buffer's are.
template <class Tree>
struct Replay {
    Tree tree;
    std::uint32_t capacity;
    std::vector<std::atomic<std::uint64_t>> rows;
    ForkableMutex whole;
    std::atomic<std::uint64_t> inserts{0}, updates{0}, samples{0};

    template <class... Given>
    Replay(std::uint32_t size, const Given&... given)
        : tree(given...), capacity(size), rows(std::size_t{size} * row_bytes / 8) {
        std::vector<std::int64_t> index(size), tag(size);
        tree.configure(std::vector<std::pair<std::string_view, std::int64_t>>{{"alpha", 19661},
                                                                              {"scale", (width - 8) * 256},
                                                                              {"initial", 1 << (width - 9)},
                                                                              {"follow", 0},
                                                                              {"weights", 1}});
        tree.clear();
        tree.seed(size);
        tree.write({size, rlcores::Kind::insert, nullptr, nullptr, nullptr, false, true, false}, nullptr, index.data(),
                   tag.data());
        inserts += size;
    }
};

// One thread: reserve, write rows, commit; sample, read rows; update. Returns its iterations.
template <class Tree>
std::uint64_t work(Replay<Tree>& replay, bool global, std::uint64_t seed, std::chrono::steady_clock::time_point end) {
    std::mt19937_64 random(seed);
    std::vector<std::int64_t> index(batch), priority(batch), tag(batch);
    std::vector<float> weight(batch), error(batch);
    std::vector<std::uint64_t> row(batch * row_bytes / 8);
    const auto accepted = std::make_unique<bool[]>(batch);
    const Errors errors{error.data(), nullptr, 1e-6};
    const auto in = [&] { return global ? replay.whole.lock() : std::unique_lock<std::mutex>(); };
    std::uint64_t done = 0;
    for (; std::chrono::steady_clock::now() < end; ++done) {
        for (float& x : error) x = static_cast<float>(random() >> 40) * 0x1p-24f;
        {
            const auto held = in();
            replay.tree.write({pushed, rlcores::Kind::reserve, nullptr, nullptr, nullptr, false, false, false}, nullptr,
                              index.data(), tag.data());
            for (std::size_t i = 0; i < pushed; ++i)
                for (std::size_t w = 0; w < row_bytes / 8; ++w)
                    replay.rows[static_cast<std::size_t>(index[i]) * (row_bytes / 8) + w].store(
                        static_cast<std::uint64_t>(tag[i]), std::memory_order_relaxed);
            replay.updates += pushed - replay.tree
                                           .write({pushed, rlcores::Kind::commit, index.data(), nullptr, tag.data(),
                                                   true, true, false},
                                                  accepted.get(), nullptr, nullptr)
                                           .stale;
            replay.inserts += pushed;
        }
        {
            const auto held = in();
            if (!replay.tree.draw(batch, batch, true,
                                  {index.data(), priority.data(), tag.data(), nullptr, weight.data(), nullptr}))
                fail("nothing was drawn from a full tree");
            for (std::size_t i = 0; i < batch; ++i) {
                if (index[i] < 0 || index[i] >= replay.capacity || priority[i] < 1)
                    fail("a slot was drawn that cannot be");
                for (std::size_t w = 0; w < row_bytes / 8; ++w)
                    row[i * (row_bytes / 8) + w] =
                        replay.rows[static_cast<std::size_t>(index[i]) * (row_bytes / 8) + w].load(
                            std::memory_order_relaxed);
            }
            replay.samples += batch;
        }
        {
            const auto held = in();
            replay.updates += batch - replay.tree
                                          .write({batch, rlcores::Kind::update, index.data(), nullptr, tag.data(), true,
                                                  false, false, &errors},
                                                 accepted.get(), nullptr, nullptr)
                                          .stale;
        }
    }
    return done;
}

// What must be so when all threads have ended.
template <class Tree>
void check(Replay<Tree>& replay) {
    const std::size_t n = replay.capacity;
    std::vector<rlcores::Kind> kind(n, rlcores::Kind::read);
    std::vector<std::int64_t> index(n), none(n);
    const auto no = std::make_unique<bool[]>(n);
    for (std::size_t i = 0; i < n; ++i) index[i] = static_cast<std::int64_t>(i);
    std::vector<OperationAnswer> answers(n);
    replay.tree.operations({n, kind.data(), index.data(), none.data(), none.data(), no.get(), no.get(), no.get()},
                           answers.data());
    std::int64_t sum = 0, largest = 0;
    for (const OperationAnswer& one : answers) {
        sum += static_cast<std::int64_t>(one.priority);
        largest = std::max(largest, static_cast<std::int64_t>(one.priority));
    }
    if (sum != replay.tree.total()) fail("the total is not the sum of the priorities");
    if (largest > replay.tree.largest()) fail("the largest priority is not the largest one");
    const Events events = replay.tree.events();
    if (events.count[Events::inserts] != static_cast<std::uint32_t>(replay.inserts)) fail("an insert is lost");
    if (events.count[Events::updates] != static_cast<std::uint32_t>(replay.updates)) fail("an update is lost");
    if (events.count[Events::samples] != static_cast<std::uint32_t>(replay.samples)) fail("a sample is lost");
    // The nodes above the leaves: the last target of each slot, and the first of the next.
    std::vector<rlcores::Ask> kinds;
    std::vector<std::uint64_t> targets;
    for (std::uint64_t k = 0; k < 4096; ++k) {
        kinds.push_back(rlcores::Ask::target);
        targets.push_back(static_cast<std::uint64_t>(static_cast<unsigned __int128>(sum) * k / 4096));
    }
    std::vector<SampleAnswer> found(targets.size());
    replay.tree.samples(kinds.data(), targets.data(), targets.size(), found.data());
    for (const SampleAnswer& one : found)
        if (one.status != rlcores::SampleStatus::found || one.priority != answers[one.index].priority)
            fail("a target finds a wrong slot");
}

template <class Tree>
void run(std::vector<std::unique_ptr<Replay<Tree>>> replays, bool global, unsigned count, double seconds,
         std::uint64_t seed) {
    std::vector<std::thread> threads;
    std::vector<std::uint64_t> done(count);
    const auto begun = std::chrono::steady_clock::now();
    const auto end =
        begun + std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
    for (unsigned i = 0; i < count; ++i)
        threads.emplace_back([&, i] { done[i] = work(*replays[i % replays.size()], global, seed * 64 + i, end); });
    for (auto& thread : threads) thread.join();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    for (const auto& replay : replays) check(*replay);
    std::uint64_t all = 0;
    for (const std::uint64_t one : done) all += one;
    std::printf("%llu %.9f\n", static_cast<unsigned long long>(all), took.count());
}

}  // namespace

int main(int count, char** given) {
    if (count != 6) fail("rlcores_locks KIND THREADS SECONDS BANKS SEED");
    const std::string kind = given[1];
    const auto threads = static_cast<unsigned>(std::strtoul(given[2], nullptr, 10));
    const double seconds = std::strtod(given[3], nullptr);
    const auto banks = static_cast<std::uint32_t>(std::strtoul(given[4], nullptr, 10));
    const std::uint64_t seed = std::strtoull(given[5], nullptr, 10);
    const Shape shape{leaves_log2, slots, width, 32, tag_bits};
    if (kind == "banks") {
        std::vector<std::unique_ptr<Replay<BankedTree>>> one;
        one.push_back(std::make_unique<Replay<BankedTree>>(slots, shape, banks));
        run(std::move(one), false, threads, seconds, seed);
        return 0;
    }
    std::vector<std::unique_ptr<Replay<SumTree>>> own;
    for (unsigned i = 0; i < (kind == "none" ? threads : 1u); ++i) {
        Shape part = shape;
        if (kind == "none") part.capacity = slots / std::clamp(std::thread::hardware_concurrency(), 1u, threads);
        while ((1u << (part.leaves_log2 - 1)) >= part.capacity) --part.leaves_log2;
        own.push_back(std::make_unique<Replay<SumTree>>(part.capacity, part));
    }
    run(std::move(own), kind == "global", threads, seconds, seed);
    return 0;
}
