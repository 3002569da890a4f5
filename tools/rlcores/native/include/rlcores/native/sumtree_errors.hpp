// sumtree_errors.hpp — the priorities of a call's TD errors, made anew when the settings have changed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rlcores/native/sumtree.hpp"
#include "rlcores/native/isa.hpp"

namespace rlcores {

class ErrorPriorities {
public:
    // made: room for n of them.
    ErrorPriorities(const Errors& errors, std::size_t n, int width, std::int64_t* made)
        : errors_(errors), n_(n), width_(width), made_(made) {}

    Made found;

    void make(const Settings& now) {
        const ErrorMaths maths{now.alpha, now.scale, width_, errors_.offset};
        found = Made{};
        if (errors_.floats)
            kernels().tree_maths.priorities_of_floats(errors_.floats, made_, n_, maths, found);
        else
            kernels().tree_maths.priorities_of_doubles(errors_.doubles, made_, n_, maths, found);
    }

    // By how many bits the scale has to move for the largest one.
    std::int64_t beyond() const { return (found.power >> 26) - (width_ - 2); }

    // What is stale moves nothing: the largest of the others stands in its place. fresh(i) says which are not stale.
    template <class Fresh>
    void keep(Fresh fresh) {
        const auto error = [&](std::size_t i) {
            return errors_.floats ? double{errors_.floats[i]} : errors_.doubles[i];
        };
        double most = 0;
        for (std::size_t i = 0; i < n_; ++i)
            if (fresh(i)) most = std::max(most, std::abs(error(i)));
        std::vector<double> kept(n_);
        for (std::size_t i = 0; i < n_; ++i) kept[i] = fresh(i) ? error(i) : most;
        kept_.swap(kept);
        errors_ = {nullptr, kept_.data(), errors_.offset};
    }

private:
    Errors errors_;
    std::size_t n_;
    int width_;
    std::int64_t* made_;
    std::vector<double> kept_;
};

}  // namespace rlcores
