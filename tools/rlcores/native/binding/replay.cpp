// replay.cpp — the rows of a replay buffer for Python; rlcores.replay.store is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

#include <algorithm>
#include <deque>

#include "arrays.hpp"
#include "released.hpp"

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
        rows_.counts = hold(counts, 3).as<std::int64_t>();
        for (nb::handle each : observations)
            rows_.observations.push_back({field(each, ring * columns),
                                          hold(each[3], rows * columns).as<std::byte>(),
                                          nb::cast<std::int64_t>(each[4])});
        for (nb::handle each : others) rows_.others.push_back(field(each, rows * columns));
    }
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    void put(std::int64_t time, nb::sequence observations, nb::sequence following, nb::sequence others,
             nb::handle reward, nb::handle flags) {
        const Array<std::uint8_t> all(flags);
        const auto columns = static_cast<std::size_t>(rows_.columns);
        const Array<float> rewards(reward, all.size());
        std::deque<View> views;
        const auto from = [&](nb::handle array, std::size_t bytes) {
            const View& view = views.emplace_back(array, false);
            if (view.bytes() != all.size() * bytes) throw nb::value_error("the store was given an array of another size");
            return view.as<const std::byte>();
        };
        ReplaySteps steps{time, all.size() / columns, {}, {}, {}, rewards.data(), all.data()};
        for (std::size_t k = 0; k < rows_.observations.size(); ++k) {
            steps.observations.push_back(from(observations[k], rows_.observations[k].frames.bytes));
            steps.following.push_back(from(following[k], rows_.observations[k].frames.bytes));
        }
        for (std::size_t k = 0; k < rows_.others.size(); ++k)
            steps.others.push_back(from(others[k], rows_.others[k].bytes));
        const Released released;
        rlcores::put(rows_, steps);
    }

    void gather(std::int64_t time, nb::handle slots, std::int64_t steps, double gamma, unsigned threads,
                nb::sequence observations, nb::sequence following, nb::sequence others, nb::handle reward,
                nb::handle discount, nb::handle terminated, nb::handle truncated) const {
        const Array<std::int64_t> asked(slots);
        const std::size_t n = asked.size();
        const std::uint64_t held = static_cast<std::uint64_t>(std::min(time, rows_.rows) * rows_.columns);
        for (std::size_t i = 0; i < n; ++i)
            if (static_cast<std::uint64_t>(asked[i]) >= held) throw nb::index_error("the store has no such slot");
        std::deque<View> views;
        const auto to = [&](nb::handle array, std::size_t bytes) {
            const View& view = views.emplace_back(array, true);
            if (view.bytes() != n * bytes) throw nb::value_error("the store was given an array of another size");
            return view.as<std::byte>();
        };
        ReplayBatch batch{time, asked.data(), n, steps, gamma, {}, {}, {}, nullptr, nullptr, nullptr, nullptr};
        for (std::size_t k = 0; k < rows_.observations.size(); ++k) {
            const std::size_t bytes = rows_.observations[k].frames.bytes * static_cast<std::size_t>(rows_.observations[k].stack);
            batch.observations.push_back(to(observations[k], bytes));
            batch.following.push_back(to(following[k], bytes));
        }
        for (std::size_t k = 0; k < rows_.others.size(); ++k)
            batch.others.push_back(to(others[k], rows_.others[k].bytes));
        const Array<float> rewards(reward, n, true), discounts(discount, n, true);
        const Array<bool> ends(terminated, n, true), cuts(truncated, n, true);
        batch.reward = rewards.data(), batch.discount = discounts.data();
        batch.terminated = ends.data(), batch.truncated = cuts.data();
        const Released released;
        rlcores::gather(rows_, batch, threads);
    }

private:
    // (array, offset, bytes): entries of `bytes` at an offset in each of the array's.
    ReplayField field(nb::handle where, std::int64_t count) {
        const View& view = hold(where[0], count);
        const std::size_t stride = view.bytes() / static_cast<std::size_t>(count), bytes = nb::cast<std::size_t>(where[2]);
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

    ReplayRows rows_{};
    std::deque<View> views_;
};

}  // namespace

void bind_replay(nb::module_& module) {
    nb::class_<Rows>(module, "ReplayRows")
        .def(nb::init<std::int64_t, std::int64_t, std::int64_t, nb::handle, nb::handle, nb::handle, nb::handle,
                      nb::handle, nb::handle, nb::sequence, nb::sequence>())
        .def("put", &Rows::put)
        .def("gather", &Rows::gather);
}

}  // namespace rlcores
