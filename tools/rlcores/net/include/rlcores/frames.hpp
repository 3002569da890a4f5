// frames.hpp — frames of the protocol and their checks; docs/net.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>
#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace rlcores::net {

namespace detail {

struct CrcTable {
    std::uint32_t row[256];
    constexpr CrcTable() : row() {
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t x = i;
            for (int bit = 0; bit < 8; ++bit) x = x >> 1 ^ (x & 1 ? 0x82F63B78u : 0);
            row[i] = x;
        }
    }
};
inline constexpr CrcTable crc_table;

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) inline std::uint32_t crc_by_instruction(std::uint32_t crc, const std::uint8_t* data,
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

constexpr std::uint64_t rotated(std::uint64_t x, int by) { return x << by | x >> (64 - by); }

}  // namespace detail

// CRC32C of bytes; before: that of the bytes before them.
inline std::uint32_t crc32c(const std::uint8_t* data, std::size_t n, std::uint32_t before = 0) {
    std::uint32_t crc = ~before;
#if defined(__x86_64__)
    static const bool fast = __builtin_cpu_supports("sse4.2");
    if (fast) return ~detail::crc_by_instruction(crc, data, n);
#endif
    for (std::size_t i = 0; i < n; ++i) crc = crc >> 8 ^ detail::crc_table.row[(crc ^ data[i]) & 255];
    return ~crc;
}

using Key = std::array<std::uint8_t, 16>;

// SipHash-2-4 of bytes.
inline std::uint64_t siphash(const Key& key, const std::uint8_t* data, std::size_t n) {
    using detail::rotated;
    std::uint64_t k[2];
    std::memcpy(k, key.data(), 16);
    std::uint64_t a = k[0] ^ 0x736F6D6570736575, b = k[1] ^ 0x646F72616E646F6D, c = k[0] ^ 0x6C7967656E657261,
                  d = k[1] ^ 0x7465646279746573;
    const auto rounds = [&](int count) {
        while (count--) {
            a += b, c += d;
            b = rotated(b, 13) ^ a, d = rotated(d, 16) ^ c;
            a = rotated(a, 32);
            c += b, a += d;
            b = rotated(b, 17) ^ c, d = rotated(d, 21) ^ a;
            c = rotated(c, 32);
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

#pragma pack(push, 1)
// What a frame begins with.
struct Header {
    std::uint32_t magic;
    std::uint8_t version, op;
    std::uint16_t status;
    std::uint32_t client, epoch;
    std::uint64_t sequence;
    std::uint32_t instance, length;
    std::uint16_t count, part, parts;
    std::uint8_t behind, credit;
};
// The answer of HELLO.
struct Told {
    std::uint64_t schema;
    std::uint32_t capacity, record_bytes, part_bytes, clients, sample_max, weights_max, epoch;
    std::uint16_t kept, assemblies, priority_width, generation_width, alpha;
    std::int16_t scale;
    std::uint32_t epsilon;
    std::uint16_t other_banks, bank;
};
// The head of a chunk of weights; in GET the offset comes in place of `total`.
struct Chunk {
    std::uint64_t version;
    std::uint32_t total, offset;
};
// A record that is read.
struct Place {
    std::uint32_t slot, generation;
};
// A new priority.
struct Update {
    std::uint32_t slot, generation, word, kind;
};
#pragma pack(pop)
static_assert(sizeof(Header) == 40 && sizeof(Told) == 56 && sizeof(Chunk) == 16 && sizeof(Place) == 8 &&
              sizeof(Update) == 16);

// Numbers and names of the protocol.
struct Protocol {
    using Code = std::uint8_t;  // what a frame asks for
    static constexpr Code hello = 0, put = 1, sample = 2, read_slots = 3, prio = 4, weights = 5, get = 6, stat = 7;
    static constexpr Code answer = 0x80;  // the bit of an answer
    enum class Status : std::uint16_t {
        ok,
        empty,
        gone,
        stale,
        refused,
        wait,
        part,
        old,
        epoch,
        instance,
        schema,
        none,
        cookie,
        address
    };
    static constexpr std::uint32_t raw_kind = 0, td_kind = 1, largest_kind = 2;    // of a priority
    static constexpr std::uint16_t stratified = 1, weighted = 2, given_draws = 4;  // flags of SAMPLE
    static constexpr std::uint32_t magic = 0x4E434C52, gone_bit = 1u << 31;
    static constexpr std::size_t stat_bytes = 8 * 25;  // of the answer of STAT
    static constexpr unsigned version = 2, window = 64, kept_batches = 4, assemblies = 4, most_parts = 64;

    // The epoch behind one; behind the last comes the first, so there is always one.
    static constexpr std::uint32_t following(std::uint32_t epoch) { return epoch == 0xFFFFFFFF ? 1 : epoch + 1; }
    static constexpr bool is_sequenced(std::uint8_t op) {
        return op == put || op == sample || op == prio || op == weights;
    }
    // Bytes of the text that SAMPLE and READ answer.
    static constexpr std::size_t text_bytes(std::size_t count, std::size_t record_bytes) {
        return 16 + count * (16 + record_bytes);
    }
    static constexpr std::size_t parts_of(std::size_t bytes, std::size_t part_bytes) {
        return bytes ? (bytes + part_bytes - 1) / part_bytes : 1;
    }
};

template <class T>
T number(const std::uint8_t* at) {
    T found;
    std::memcpy(&found, at, sizeof(T));
    return found;
}

// Frames, one behind the other, as they travel.
struct Out {
    std::vector<std::uint8_t> bytes;
    std::vector<std::size_t> ends;
    void clear() { bytes.clear(), ends.clear(); }

    // Room for a frame; where its payload goes. The header's length is that of the payload.
    std::uint8_t* begin(Header h, std::size_t length, bool keyed) {
        const std::size_t at = bytes.size();
        bytes.resize(at + sizeof h + length + (keyed ? 16 : 8));
        h.magic = Protocol::magic, h.version = Protocol::version, h.length = static_cast<std::uint32_t>(length);
        std::memcpy(bytes.data() + at, &h, sizeof h);
        return bytes.data() + at + sizeof h;
    }
    // The checks of the frame that began last.
    void seal(const std::optional<Key>& key) {
        const std::size_t at = ends.empty() ? 0 : ends.back();
        std::uint8_t* const data = bytes.data() + at;
        std::size_t n = bytes.size() - at - (key ? 16 : 8);
        if (key) {
            const std::uint64_t mac = siphash(*key, data, n);
            std::memcpy(data + n, &mac, 8);
            n += 8;
        }
        const std::uint64_t check = crc32c(data, n);
        std::memcpy(data + n, &check, 8);
        ends.push_back(bytes.size());
    }
};

}  // namespace rlcores::net
