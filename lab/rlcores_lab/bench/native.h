// What the C++ driver of a Verilated core needs: ports of any width, and random numbers that repeat.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "verilated.h"

// Verilator gives a port the smallest of four integer types, or an array of 32-bit words above 64 bits.
template <class Port>
std::enable_if_t<std::is_integral_v<Port>, uint64_t> get(const Port& port) {
    return port;
}
template <std::size_t N>
uint64_t get(const VlWide<N>& port) {
    return port[0] | uint64_t{port[1]} << 32;
}

template <class Port>
std::enable_if_t<std::is_integral_v<Port>> put(Port& port, uint64_t value) {
    port = static_cast<Port>(value);
}
template <std::size_t N>
void put(VlWide<N>& port, uint64_t value) {
    for (std::size_t i = 0; i < N; ++i) port[i] = i == 0 ? uint32_t(value) : i == 1 ? uint32_t(value >> 32) : 0;
}

// Ports up to 256 bits, from WORDS words.
constexpr unsigned WORDS = 4;
template <class Port>
std::enable_if_t<std::is_integral_v<Port>> put_words(Port& port, const uint64_t* words) {
    port = static_cast<Port>(words[0]);
}
template <std::size_t N>
void put_words(VlWide<N>& port, const uint64_t* words) {
    for (std::size_t i = 0; i < N; ++i) port[i] = i < 2 * WORDS ? uint32_t(words[i / 2] >> 32 * (i % 2)) : 0;
}

inline uint64_t low_bits(unsigned width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

// Part number `lane` of `width` bits (at most 64) of a packed port.
template <class Port>
std::enable_if_t<std::is_integral_v<Port>, uint64_t> get_lane(const Port& port, unsigned lane, unsigned width) {
    return uint64_t{port} >> (lane * width) & low_bits(width);
}
template <std::size_t N>
uint64_t get_lane(const VlWide<N>& port, unsigned lane, unsigned width) {
    const unsigned low = lane * width, word = low / 32, shift = low % 32;
    unsigned __int128 bits = port[word];
    if (word + 1 < N) bits |= static_cast<unsigned __int128>(port[word + 1]) << 32;
    if (word + 2 < N) bits |= static_cast<unsigned __int128>(port[word + 2]) << 64;
    return static_cast<uint64_t>(bits >> shift) & low_bits(width);
}

template <class Port>
std::enable_if_t<std::is_integral_v<Port>> put_lane(Port& port, unsigned lane, unsigned width, uint64_t value) {
    const uint64_t mask = low_bits(width) << (lane * width);
    port = static_cast<Port>((uint64_t{port} & ~mask) | (value << (lane * width) & mask));
}
template <std::size_t N>
void put_lane(VlWide<N>& port, unsigned lane, unsigned width, uint64_t value) {
    for (unsigned done = 0; done < width;) {
        const unsigned low = lane * width + done, shift = low % 32;
        const unsigned count = width - done < 32 - shift ? width - done : 32 - shift;
        const uint32_t mask = static_cast<uint32_t>(low_bits(count)) << shift;
        uint32_t word = port[low / 32];
        word = (word & ~mask) | (static_cast<uint32_t>(value >> done) << shift & mask);
        port[low / 32] = word;
        done += count;
    }
}

// splitmix64 (Steele, Lea, Flood 2014): the choices of a driver, apart from any generator of a core.
class Random {
public:
    explicit Random(uint64_t seed = 0) : state_(seed) {}
    uint64_t next() {
        uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }
    uint64_t below(uint64_t bound) {
        return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
    }
    bool chance(uint64_t in_256) { return in_256 != 0 && (next() >> 56) < in_256; }
    // Rank r with a probability near 1/(r + 1): logarithms are uniform.
    uint64_t zipf(uint64_t bound) {
        const double u = static_cast<double>(next() >> 11) * 0x1p-53;
        const auto rank = static_cast<uint64_t>(std::exp(u * std::log(static_cast<double>(bound) + 1.0))) - 1;
        return rank < bound ? rank : bound - 1;
    }

private:
    uint64_t state_;
};
