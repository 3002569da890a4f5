// priorities.hpp — TD errors of any size as priorities in a server's numbers, as the Python client makes them.
// SPDX-License-Identifier: Apache-2.0
//
// rlcores.cores.sumtree.maths.of_errors and the tables of rlcores.cores.common.log2exp2 are what this equals.
#pragma once

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "frames.hpp"

namespace rlcores::net {

class Priorities {
public:
    static constexpr std::int64_t least_fine = 50;  // the least whose rounding changes it by no more than 1 %

    explicit Priorities(const Told& told)
        : alpha_(told.alpha), scale_(told.scale), width_(told.priority_width), offset_(told.epsilon * 0x1p-20) {}

    // The priority of a finite TD error; `saturated` counts it where it is above the bits, and where it is below
    // least_fine.
    std::uint32_t of(double error, std::uint64_t& saturated) const {
        const double size = std::min(std::max(std::fabs(error) + offset_, DBL_MIN), DBL_MAX);
        // alpha has 15 fraction bits, log2 20, the scale 8, and the power of two that comes 26: rounded half up.
        const std::int64_t power = (alpha_ * log2(size) + scale_ * (std::int64_t{1} << 27) + 256) >> 9;
        const std::int64_t top = (std::int64_t{1} << width_) - 1;
        const bool nothing = alpha_ && offset_ == 0 && error == 0;
        const std::int64_t value = nothing ? 1 : std::max<std::int64_t>(exp2(power), 1);
        saturated = std::uint64_t{value > top} + std::uint64_t{value < least_fine};
        return static_cast<std::uint32_t>(std::min(value, top));
    }

private:
    static constexpr int segments = 512;
    using Nodes =
        std::array<std::int64_t, segments + 1>;  // 22 fraction bits; a chord lies half its largest distance off

    static std::int64_t log2(double x) {
        static const Nodes nodes = [] {
            Nodes found{};
            for (int i = 0; i <= segments; ++i) {
                const double m = i / double{segments},
                             lift = 1 / std::log(2.0) / ((1 + m) * (1 + m)) / segments / segments / 16;
                found[static_cast<std::size_t>(i)] = rounded(std::log2(1 + m) + lift);
            }
            found.front() = 1, found.back() = std::int64_t{1} << 22;
            return found;
        }();
        std::int64_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        const std::int64_t mantissa = (bits >> 26) & 0x3ffffff;
        const auto at = static_cast<std::size_t>(mantissa >> 17);
        const std::int64_t value = ((nodes[at] + 2) << 17) + (nodes[at + 1] - nodes[at]) * (mantissa & 0x1ffff);
        return ((bits >> 52) - 1023) * (1 << 20) + (value >> 19);
    }

    // 2^y, rounded half up; 2^width where it is more.
    std::int64_t exp2(std::int64_t y) const {
        static const Nodes nodes = [] {
            Nodes found{};
            for (int i = 0; i <= segments; ++i) {
                const double curve = std::exp2(i / double{segments}),
                             half = std::log(2.0) * std::log(2.0) / segments / segments / 16;
                found[static_cast<std::size_t>(i)] = rounded(curve - half * curve);
            }
            found.front() = std::int64_t{1} << 22, found.back() = std::int64_t{2} << 22;
            return found;
        }();
        const std::int64_t shift = width_ - 1 - (y >> 26);
        if (shift < 0) return std::int64_t{1} << width_;
        const auto at = static_cast<std::size_t>((y >> 17) & (segments - 1));
        const std::int64_t mantissa = (nodes[at] << 17) + (nodes[at + 1] - nodes[at]) * (y & 0x1ffff);
        return ((mantissa >> (39 - width_) >> std::min<std::int64_t>(shift, width_ + 1)) + 1) >> 1;
    }

    static std::int64_t rounded(double node) { return static_cast<std::int64_t>(std::floor(node * (1 << 22) + 0.5)); }

    std::int64_t alpha_, scale_, width_;
    double offset_;
};

}  // namespace rlcores::net
