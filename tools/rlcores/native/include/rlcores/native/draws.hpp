// draws.hpp — the generator of draws, xoshiro128++ seeded by splitmix64 (cores/common/draws.py).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rlcores/native/sumtree_kernels.hpp"
#include "rlcores/native/isa.hpp"

namespace rlcores {

class Draws {
public:
    // The n-th word of splitmix64 from a seed.
    static std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t number) {
        std::uint64_t z = seed + number * 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }

    explicit Draws(int width) : width_(width) { seed(0); }

    void seed(std::uint64_t seed) {
        const std::uint64_t first = splitmix64(seed, 1), second = splitmix64(seed, 2);
        load({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first >> 32),
              static_cast<std::uint32_t>(second), static_cast<std::uint32_t>(second >> 32)});
    }

    void load(const std::array<std::uint32_t, 4>& words) {
        state_ = words;
        if (!(words[0] | words[1] | words[2] | words[3])) state_[0] = 1;
    }

    const std::array<std::uint32_t, 4>& state() const { return state_; }

    // Calls with each number that another generator needs to go on as this one would.
    template <class Self, class Each>
    static void all(Self& self, Each&& each) {
        for (auto& word : self.state_) each(word);
        each(self.strata_), each(self.stratum_);
    }

    // The next draw is in the first of this many strata; 0 and 1: anywhere.
    void restart(std::uint32_t strata) {
        strata_ = strata ? strata : 1;
        stratum_ = 0;
    }

    void take(std::uint64_t* u, std::size_t n) {
        auto [s0, s1, s2, s3] = state_;
        for (std::size_t i = 0; i < n; ++i) {
            u[i] = (rotated(s0 + s3, 7) + s0) >> (32 - width_);
            const std::uint32_t x = s1 << 9;
            s2 ^= s0;
            s3 ^= s1;
            s1 ^= s2;
            s0 ^= s3;
            s2 ^= x;
            s3 = rotated(s3, 11);
        }
        state_ = {s0, s1, s2, s3};
        if (strata_ == 1) return;
        kernels().tree_maths.stratify(u, n, stratum_, strata_, width_);
        stratum_ = static_cast<std::uint32_t>((stratum_ + n) % strata_);
    }

private:
    static std::uint32_t rotated(std::uint32_t x, int by) { return x << by | x >> (32 - by); }

    int width_;
    std::array<std::uint32_t, 4> state_{};
    std::uint32_t strata_ = 1, stratum_ = 0;
};

}  // namespace rlcores
