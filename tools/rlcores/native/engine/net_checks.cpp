// net_checks.cpp — CRC32C and SipHash-2-4, as cores/net/checks.py has them.
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstring>

#include "net.hpp"
#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace rlcores {

static_assert(std::endian::native == std::endian::little, "frames lie in memory as they travel");

namespace {

struct Table {
    std::uint32_t row[256];
    constexpr Table() : row() {
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t x = i;
            for (int bit = 0; bit < 8; ++bit) x = x >> 1 ^ (x & 1 ? 0x82F63B78u : 0);
            row[i] = x;
        }
    }
};
constexpr Table table;

std::uint32_t by_table(std::uint32_t crc, const std::uint8_t* data, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) crc = crc >> 8 ^ table.row[(crc ^ data[i]) & 255];
    return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::uint32_t crc, const std::uint8_t* data,
                                                               std::size_t n) {
    std::uint64_t wide = crc;
    for (; n >= 8; data += 8, n -= 8) {
        std::uint64_t word;
        std::memcpy(&word, data, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = static_cast<std::uint32_t>(wide);
    for (; n; ++data, --n) crc = _mm_crc32_u8(crc, *data);
    return crc;
}
#endif

}  // namespace

std::uint32_t crc32c(const std::uint8_t* data, std::size_t n, std::uint32_t before) {
#if defined(__x86_64__)
    static const bool fast = __builtin_cpu_supports("sse4.2");
    if (fast) return ~by_instruction(~before, data, n);
#endif
    return ~by_table(~before, data, n);
}

std::uint64_t siphash(const NetKey& key, const std::uint8_t* data, std::size_t n) {
    std::uint64_t k[2];
    std::memcpy(k, key.data(), 16);
    std::uint64_t a = k[0] ^ 0x736F6D6570736575, b = k[1] ^ 0x646F72616E646F6D, c = k[0] ^ 0x6C7967656E657261,
                  d = k[1] ^ 0x7465646279746573;
    const auto rounds = [&](int count) {
        while (count--) {
            a += b, c += d;
            b = std::rotl(b, 13) ^ a, d = std::rotl(d, 16) ^ c;
            a = std::rotl(a, 32);
            c += b, a += d;
            b = std::rotl(b, 17) ^ c, d = std::rotl(d, 21) ^ a;
            c = std::rotl(c, 32);
        }
    };
    const auto take = [&](std::uint64_t word) { d ^= word, rounds(2), a ^= word; };
    std::size_t at = 0;
    for (; at + 8 <= n; at += 8) {
        std::uint64_t word;
        std::memcpy(&word, data + at, 8);
        take(word);
    }
    std::uint64_t last = static_cast<std::uint64_t>(n & 255) << 56;
    for (std::size_t i = 0; at + i < n; ++i) last |= static_cast<std::uint64_t>(data[at + i]) << 8 * i;
    take(last);
    c ^= 255;
    rounds(4);
    return a ^ b ^ c ^ d;
}

}  // namespace rlcores
