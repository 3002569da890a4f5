// replay.cpp — the rows of a replay buffer for Python; rlcores.replay.store is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/replay.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <vector>

#include "arrays.hpp"
#include "rlcores/native/draws.hpp"
#include "released.hpp"
#include "rlcores/native/replay_episodes.hpp"
#include "rlcores/native/sumtree.hpp"
#include "rlcores/native/sumtree_banked.hpp"

namespace rlcores {

namespace {

// The arrays of a store, which stay while this does.
class Rows {
public:
    Rows(std::int64_t rows, std::int64_t columns, std::int64_t ring, nb::handle reward, nb::handle flags,
         nb::handle first, nb::handle place, nb::handle free, nb::handle counts, nb::sequence observations,
         nb::sequence others) {
        rows_.rows = rows, rows_.columns = columns, rows_.ring = ring;
        rows_.reward = numbers<float>(reward, rows * columns);
        rows_.flags = numbers<std::uint8_t>(flags, rows * columns);
        rows_.first = numbers<bool>(first, ring * columns);
        rows_.place = numbers<std::int64_t>(place, rows * columns);
        rows_.free = hold(free, rows * columns).as<std::int64_t>();
        rows_.counts = hold(counts, 9).as<std::int64_t>();
        for (nb::handle each : observations)
            rows_.observations.push_back({field(each, ring * columns), hold(each[3], rows * columns).as<std::byte>(),
                                          nb::cast<std::int64_t>(each[4])});
        for (nb::handle each : others) rows_.others.push_back(field(each, rows * columns));
    }
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    // -1, or -2 where continuity is worth a look. Else nothing was done, for this one of the arrays, in order, holds a
    // number that is not finite.
    int put(std::int64_t time, nb::sequence observations, nb::sequence following, nb::sequence others,
            nb::handle reward, nb::handle flags) {
        const Array<std::uint8_t> all(flags);
        const auto columns = static_cast<std::size_t>(rows_.columns);
        std::deque<View> views;
        const auto from = [&](nb::handle array, std::size_t bytes) {
            const View& view = views.emplace_back(array, false);
            if (view.bytes() != all.size() * bytes)
                throw nb::value_error("the store was given an array of another size");
            return view.as<const std::byte>();
        };
        ReplaySteps steps{time, all.size() / columns, {}, {}, {}, nullptr, all.data()};
        const auto take = [&](nb::sequence given, std::vector<const std::byte*>& to, auto bytes) {
            for (std::size_t k = 0; nb::handle each : given) to.push_back(from(each, bytes(k++)));
        };
        const auto seen = [&](std::size_t k) { return rows_.observations[k].frames.bytes; };
        take(observations, steps.observations, seen);
        take(following, steps.following, seen);
        take(others, steps.others, [&](std::size_t k) { return rows_.others[k].bytes; });
        steps.reward = reinterpret_cast<const float*>(from(reward, sizeof(float)));
        const Released released;
        for (std::size_t k = 0; k < views.size(); ++k)
            if (!finite(views[k].as<const std::byte>(), views[k].size(), views[k].floating()))
                return static_cast<int>(k);
        return rlcores::put(rows_, steps) ? -2 : -1;
    }

    const ReplayRows& rows() const { return rows_; }

    const std::uint64_t serial = made_++;  // no other rows of this process have it

private:
    // (array, offset, bytes): entries of `bytes` at an offset in each of the array's.
    ReplayField field(nb::handle where, std::int64_t count) {
        const View& view = hold(where[0], count);
        const std::size_t stride = view.bytes() / static_cast<std::size_t>(count),
                          bytes = nb::cast<std::size_t>(where[2]);
        const std::size_t offset = nb::cast<std::size_t>(where[1]);
        if (offset + bytes > stride) throw nb::value_error("the store has an array too narrow");
        return {view.as<std::byte>() + offset, stride, bytes};
    }
    template <class T>
    ReplayNumbers<T> numbers(nb::handle where, std::int64_t count) {
        const ReplayField found = field(where, count);
        if (found.bytes != sizeof(T)) throw nb::value_error("the store has an array of another type");
        return {found.data, found.stride};
    }
    const View& hold(nb::handle array, std::int64_t count) {
        const View& view = views_.emplace_back(array, true);
        if (view.bytes() % static_cast<std::size_t>(count)) throw nb::value_error("the store has an array too short");
        return view;
    }

    static inline std::atomic<std::uint64_t> made_{0};

    ReplayRows rows_{};
    std::deque<View> views_;
};

// The arrays of a batch, which stay while this does: made once, filled as often as wanted. It does not keep the rows.
class Room {
public:
    // generations and weights are None where nothing is drawn.
    Room(const Rows& rows, nb::handle slots, nb::sequence observations, nb::sequence following, nb::sequence others,
         nb::handle reward, nb::handle discount, nb::handle terminated, nb::handle truncated, nb::handle generations,
         nb::handle weights)
        : serial_(rows.serial),
          slots_(slots, !generations.is_none()),
          generations_(generations, slots_.size()),
          weights_(weights, slots_.size()),
          reward_(reward, slots_.size(), true),
          discount_(discount, slots_.size(), true),
          terminated_(terminated, slots_.size(), true),
          truncated_(truncated, slots_.size(), true),
          priorities_(generations.is_none() ? 0 : slots_.size()) {
        const std::size_t n = slots_.size();
        const auto to = [&](nb::handle array, std::size_t bytes) {
            const View& view = views_.emplace_back(array, true);
            if (view.bytes() != n * bytes) throw nb::value_error("the store was given an array of another size");
            return view.as<std::byte>();
        };
        const ReplayRows& of = rows.rows();
        batch_.slots = slots_.data(), batch_.n = n;
        for (std::size_t k = 0; k < of.observations.size(); ++k) {
            const std::size_t bytes =
                of.observations[k].frames.bytes * static_cast<std::size_t>(of.observations[k].stack);
            batch_.observations.push_back(to(observations[k], bytes));
            batch_.following.push_back(to(following[k], bytes));
        }
        for (std::size_t k = 0; k < of.others.size(); ++k) batch_.others.push_back(to(others[k], of.others[k].bytes));
        batch_.reward = reward_.data(), batch_.discount = discount_.data();
        batch_.terminated = terminated_.data(), batch_.truncated = truncated_.data();
    }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;

    bool of(const Rows& rows) const { return rows.serial == serial_; }

    // The transitions of the slots, as they are in the rows after `time` steps.
    void gather(const Rows& rows, std::int64_t time, std::int64_t steps, double gamma, unsigned threads) {
        fill(rows, time, steps, gamma, threads, [] { return true; });
    }

    // The same of slots that the tree draws. False, and nothing is changed, where it has nothing to draw.
    template <class Tree>
    bool sample(const Rows& rows, std::int64_t time, std::int64_t steps, double gamma, unsigned threads, Tree& tree,
                std::uint32_t batch, bool stratified) {
        if (!generations_.data() || !weights_.data()) throw nb::value_error("nothing can be drawn into these arrays");
        return fill(rows, time, steps, gamma, threads, [&] {
            return tree.draw(
                batch_.n, batch, stratified,
                {slots_.data(), priorities_.data(), generations_.data(), nullptr, weights_.data(), nullptr});
        });
    }

private:
    template <class Draw>
    bool fill(const Rows& from, std::int64_t time, std::int64_t steps, double gamma, unsigned threads, Draw draw) {
        if (!of(from)) throw nb::value_error("the arrays were made for another store");
        const ReplayRows& rows = from.rows();
        const std::uint64_t held = static_cast<std::uint64_t>(std::min(time, rows.rows) * rows.columns);
        bool beyond = false;
        {
            const Released released;
            if (!draw()) return false;
            for (std::size_t i = 0; i < batch_.n; ++i) beyond |= static_cast<std::uint64_t>(batch_.slots[i]) >= held;
            batch_.time = time, batch_.steps = steps, batch_.gamma = gamma;
            if (!beyond) rlcores::gather(rows, batch_, threads);
        }
        if (beyond) throw nb::index_error("the store has no such slot");
        return true;
    }

    const std::uint64_t serial_;
    const Array<std::int64_t> slots_;
    const Wanted<std::int64_t> generations_;
    const Wanted<float> weights_;
    const Array<float> reward_, discount_;
    const Array<bool> terminated_, truncated_;
    std::vector<std::int64_t> priorities_;
    std::deque<View> views_;
    ReplayBatch batch_{};
};

// The arrays of an index of episodes, which stay while this does.
class Episodes {
public:
    Episodes(const Rows& rows, nb::handle id, nb::handle begin, nb::handle last, nb::handle column, nb::handle free,
             nb::handle open, nb::handle numbers)
        : serial_(rows.serial),
          id_(id, slots(rows), true),
          begin_(begin, entries(rows), true),
          last_(last, entries(rows), true),
          column_(column, entries(rows), true),
          free_(free, entries(rows), true),
          open_(open, static_cast<std::size_t>(rows.rows().columns), true),
          numbers_(numbers, 3, true) {}
    Episodes(const Episodes&) = delete;
    Episodes& operator=(const Episodes&) = delete;

    void follow(const Rows& rows, std::int64_t time) {
        need(rows);
        const Released released;
        rlcores::follow(rows.rows(), all(), time);
    }

    void bounds(const Rows& rows, std::int64_t time, nb::handle slots_given, nb::handle step, nb::handle begin,
                nb::handle last, nb::handle closed) {
        need(rows);
        const Array<std::int64_t> of(slots_given);
        const std::size_t n = of.size();
        const Array<std::int64_t> own(step, n, true), from(begin, n, true), to(last, n, true);
        const Array<bool> shut(closed, n, true);
        const auto held = static_cast<std::uint64_t>(std::min(time, rows.rows().rows) * rows.rows().columns);
        for (std::size_t i = 0; i < n; ++i)
            if (static_cast<std::uint64_t>(of[i]) >= held) throw nb::index_error("the store has no such slot");
        const Released released;
        rlcores::bounds(rows.rows(), all(), time, {of.data(), n, own.data(), from.data(), to.data(), shut.data()});
    }

private:
    static std::size_t slots(const Rows& rows) {
        return static_cast<std::size_t>(rows.rows().rows * rows.rows().columns);
    }
    static std::size_t entries(const Rows& rows) { return slots(rows) + static_cast<std::size_t>(rows.rows().columns); }
    void need(const Rows& rows) const {
        if (rows.serial != serial_) throw nb::value_error("the arrays were made for another store");
    }
    ReplayEpisodes all() const {
        return {id_.data(), begin_.data(), last_.data(), column_.data(), free_.data(), open_.data(), numbers_.data()};
    }

    const std::uint64_t serial_;
    const Array<std::int32_t> id_;
    const Array<std::int64_t> begin_, last_;
    const Array<std::int32_t> column_, free_, open_;
    const Array<std::int64_t> numbers_;
};

// Words of the generator (cores/common/draws.py) from its state, uint64 (4,), which goes on.
void words(nb::handle state, nb::handle out) {
    const Array<std::uint64_t> held(state, 4, true), to(out, true);
    Draws draws(32);
    draws.load({static_cast<std::uint32_t>(held[0]), static_cast<std::uint32_t>(held[1]),
                static_cast<std::uint32_t>(held[2]), static_cast<std::uint32_t>(held[3])});
    draws.take(to.data(), to.size());
    for (std::size_t i = 0; i < 4; ++i) held[i] = draws.state()[i];
}

}  // namespace

void bind_replay(nb::module_& module) {
    nb::class_<Rows>(module, "ReplayRows")
        .def(nb::init<std::int64_t, std::int64_t, std::int64_t, nb::handle, nb::handle, nb::handle, nb::handle,
                      nb::handle, nb::handle, nb::sequence, nb::sequence>())
        .def("put", &Rows::put);
    module.def("words", &words);
    nb::class_<Episodes>(module, "ReplayEpisodes")
        .def(
            nb::init<const Rows&, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle>())
        .def("follow", &Episodes::follow)
        .def("bounds", &Episodes::bounds);
    nb::class_<Room>(module, "ReplayRoom")
        .def(nb::init<const Rows&, nb::handle, nb::sequence, nb::sequence, nb::sequence, nb::handle, nb::handle,
                      nb::handle, nb::handle, nb::handle, nb::handle>(),
             nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg().none(), nb::arg().none())
        .def("of", &Room::of)
        .def("gather", &Room::gather)
        .def("sample", &Room::sample<SumTree>)
        .def("sample", &Room::sample<BankedTree>);
}

}  // namespace rlcores
