// products_tiles.hpp — products of bytes in AMX's tiles: two to four bytes a number, as many as the largest one needs.
//
// Sums of a pair of bytes are below 3 * 2^16 * PRODUCT_ROWS < 2^31.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rlcores::RLCORES_ISA {
namespace {

// 16 rows of 64 bytes, all of them.
struct TileConfig {
    std::uint8_t palette = 1, start = 0, reserved[14] = {};
    std::uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfig) == 64);

constexpr std::int64_t DEEP = 64, TILE = 1024;  // numbers of the sum in a tile; bytes of a tile
inline std::int64_t deep(std::int64_t n) { return (n + DEEP - 1) / DEEP; }
inline int bytes_of(const Side& side) {
    const int bytes = (width_of(side.most) + side.sign + 7) / 8;
    return bytes < 2 ? 2 : bytes;
}

template <int TO>
inline void zero_tile() {
    asm volatile("tilezero %%tmm%c0" ::"i"(TO));
}
template <int TO>
inline void load_tile(const std::byte* from, std::int64_t stride) {
    // Nothing here writes what is read, so no memory is named.
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(stride), "i"(TO));
}
template <int FROM>
inline void store_tile(std::int32_t* to) {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(std::int64_t{64}), "i"(FROM) : "memory");
}
template <int TO, int A, int B, bool A_SIGN, bool B_SIGN>
inline void multiply_tiles() {
    if constexpr (A_SIGN && B_SIGN)
        asm volatile("tdpbssd %%tmm%c0, %%tmm%c1, %%tmm%c2" ::"i"(B), "i"(A), "i"(TO));
    else if constexpr (A_SIGN)
        asm volatile("tdpbsud %%tmm%c0, %%tmm%c1, %%tmm%c2" ::"i"(B), "i"(A), "i"(TO));
    else if constexpr (B_SIGN)
        asm volatile("tdpbusd %%tmm%c0, %%tmm%c1, %%tmm%c2" ::"i"(B), "i"(A), "i"(TO));
    else
        asm volatile("tdpbuud %%tmm%c0, %%tmm%c1, %%tmm%c2" ::"i"(B), "i"(A), "i"(TO));
}
template <int COUNT, class Do>
inline void repeat(Do what) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (what.template operator()<I>(), ...); }
    (std::make_integer_sequence<int, COUNT>{});
}

struct Strip {
    const std::byte* left;  // its first byte; others `plane` behind each other
    std::int64_t row, plane;
    const std::byte* right;
    std::int64_t depth;  // tiles
};

// Sums of bytes i and j of the sides are those of 256^(i + j): a tile each. All bytes but a number's last are unsigned.
template <int A, bool A_SIGN, int B, bool B_SIGN>
void tile_sums(const Strip& of, std::int32_t* found) {
    constexpr int SUMS = A + B - 1, FREE = 8 - SUMS;
    repeat<SUMS>([]<int D>() { zero_tile<D>(); });
    const std::int64_t row = of.row, plane = of.plane;
    const std::byte *left = of.left, *right = of.right, *const end = left + of.depth * DEEP;
    for (; left != end; left += DEEP, right += B * TILE) {
        if constexpr (FREE > A) {
            repeat<A>([=]<int I>() { load_tile<SUMS + I>(left + I * plane, row); });
            repeat<B>([=]<int J>() {
                constexpr int AT = SUMS + A + J % (FREE - A);
                load_tile<AT>(right + J * TILE, 64);
                repeat<A>([&]<int I>() {
                    multiply_tiles<I + J, SUMS + I, AT, A_SIGN && I + 1 == A, B_SIGN && J + 1 == B>();
                });
            });
        } else {
            repeat<A>([=]<int I>() {
                load_tile<SUMS>(left + I * plane, row);
                repeat<B>([=]<int J>() {
                    constexpr int AT = SUMS + 1 + J % (FREE - 1);
                    load_tile<AT>(right + J * TILE, 64);
                    multiply_tiles<I + J, SUMS, AT, A_SIGN && I + 1 == A, B_SIGN && J + 1 == B>();
                });
            });
        }
    }
    repeat<SUMS>([=]<int D>() { store_tile<D>(found + D * UNIT * UNIT); });
}

// Doubles sums, from the uppermost bytes down, so that what is there is a whole number below 2^53 at any time.
template <int SUMS>
struct Sums {
    const std::int32_t* found;
    Doubles operator()(std::int64_t r, std::int64_t c) const {
        const auto at = [&](int d) {
            return __builtin_convertvector(load(found + (d * UNIT + r) * UNIT + c), Doubles);
        };
        Doubles sum = at(SUMS - 1);
        UNROLLED (d, SUMS - 1) sum = sum * 256.0 + at(SUMS - 2 - d);
        return sum;
    }
};

using TileSums = void (*)(const Strip&, std::int32_t*);

template <int A, bool A_SIGN, int B>
TileSums tile_sums_of(bool b_sign) {
    return b_sign ? tile_sums<A, A_SIGN, B, true> : tile_sums<A, A_SIGN, B, false>;
}
template <int A, bool A_SIGN>
TileSums tile_sums_of(const Side& right) {
    const int bytes = bytes_of(right);
    return bytes == 2   ? tile_sums_of<A, A_SIGN, 2>(right.sign)
           : bytes == 3 ? tile_sums_of<A, A_SIGN, 3>(right.sign)
                        : tile_sums_of<A, A_SIGN, 4>(right.sign);
}
TileSums tile_sums_of(const Side& left, const Side& right) {
    if (bytes_of(left) == 2) return left.sign ? tile_sums_of<2, true>(right) : tile_sums_of<2, false>(right);
    return left.sign ? tile_sums_of<3, true>(right) : tile_sums_of<3, false>(right);
}

template <int SUMS, class Each>
void blocks_of(const Product& p, TileSums sums_of, Each each) {
    const std::int64_t depth = deep(p.depth), row = depth * DEEP, plane = whole_units(p.rows) * row;
    const std::int64_t strip = depth * bytes_of(p.right) * TILE;
    // Two in turn: the sums of a block are looked at while the tiles make those of the next one.
    alignas(64) std::int32_t found[2][SUMS * UNIT * UNIT];
    std::int64_t last_r = -1, last_c = 0;
    int turn = 0;
    const auto look = [&](const std::int32_t* at) {
        if (last_r >= 0)
            each(Sums<SUMS>{at}, last_r, p.rows - last_r < UNIT ? p.rows - last_r : UNIT, last_c, last_c + UNIT);
    };
    for (std::int64_t c = 0; c < p.columns; c += UNIT) {
        const std::byte* right = p.right.data + c / UNIT * strip;
        for (std::int64_t r = 0; r < p.rows; r += UNIT, turn ^= 1) {
            sums_of({p.left.data + r * row, row, plane, right, depth}, found[turn]);
            look(found[turn ^ 1]);
            last_r = r, last_c = c;
        }
    }
    look(found[turn ^ 1]);
}

template <class Each>
void blocks(const Product& p, Each each) {
    const TileConfig config;
    asm volatile("ldtilecfg %0" ::"m"(config) : "memory");
    const TileSums sums_of = tile_sums_of(p.left, p.right);
    switch (bytes_of(p.left) + bytes_of(p.right) - 1) {
        case 3: blocks_of<3>(p, sums_of, each); break;
        case 4: blocks_of<4>(p, sums_of, each); break;
        case 5: blocks_of<5>(p, sums_of, each); break;
        default: blocks_of<6>(p, sums_of, each);
    }
    asm volatile("tilerelease");
}

// --- carried: bytes of weights 1, 256, 256^2, … whose sums need more than 8 bits each ---

// The digit to which the lower part of what is added to a sum goes, and how many bits below the uppermost digit's are
// looked at: more where numbers have more bytes, as then the result's lowest bit is further down.
constexpr int lower_digit(int top) { return top < 4 ? top - 2 : top - 3; }
constexpr int bits_below(int top) { return top < 4 ? 8 : 16; }

Digits digits_of(const Product& p) {
    const int top = bytes_of(p.left) + bytes_of(p.right) - 2;
    return {8 * top, 8 * lower_digit(top), bits_below(top)};
}
// A number below 0 may be one more than the bits of its magnitude say.
double sum_most(const Product& p) {
    return static_cast<double>(p.depth) * static_cast<double>(p.left.most + 1) * static_cast<double>(p.right.most + 1);
}
bool carries(const Product&) { return true; }

template <int SUMS>
inline Carried carried(const Sums<SUMS>& sums, std::int64_t r, Words upper, Words lower) {
    constexpr int TOP = SUMS - 1;
    const auto at = [&](int d) { return *reinterpret_cast<const Words*>(sums.found + (d * UNIT + r) * UNIT); };
    Words digits[TOP];
    UNROLLED (d, TOP) {
        digits[d] = at(d);
        if (d) digits[d] += digits[d - 1] >> 8;
        if (d == lower_digit(TOP)) digits[d] += lower;
    }
    Words below = digits[TOP - 1] & 255;
    if constexpr (bits_below(TOP) > 8) below = below << 8 | (digits[TOP - 2] & 255);
    return {at(TOP) + upper + (digits[TOP - 1] >> 8), below};
}

template <class Soon, class Each>
void carried_blocks(const Product& p, Soon, Each each) {
    blocks(p, each);
}

std::int64_t products_left_room(std::int64_t rows, std::int64_t depth, const Side& side) {
    return whole_units(rows) * deep(depth) * DEEP * bytes_of(side);
}
std::int64_t products_right_room(std::int64_t depth, std::int64_t columns, const Side& side) {
    return whole_units(columns) / UNIT * deep(depth) * TILE * bytes_of(side);
}

// What lies behind the depth meets zeros of the right side.
void products_left(Numbers from, const Side& to) {
    const int bytes = bytes_of(to);
    const std::int64_t row = deep(from.columns) * DEEP, plane = whole_units(from.rows) * row;
    for (int b = 0; b < bytes; ++b)
        for (std::int64_t r = 0; r < from.rows; ++r) {
            const std::int32_t* x = from.data + r * from.stride;
            auto* out = reinterpret_cast<std::int8_t*>(to.data) + b * plane + r * row;
            INDEPENDENT (k, from.columns) out[k] = static_cast<std::int8_t>(x[k] >> 8 * b);
        }
}

// A word has the same byte of four neighbours of the sum.
void products_right(Numbers from, const Side& to) {
    alignas(64) static constexpr std::int32_t NONE[UNIT] = {};
    const int bytes = bytes_of(to);
    const std::int64_t tiles = deep(from.rows), strip = tiles * bytes * TILE;
    for (std::int64_t k = 0; k < tiles * DEEP; k += 4) {
        const std::int32_t* x[4];
        std::int64_t step[4];
        for (int q = 0; q < 4; ++q) {
            const bool there = k + q < from.rows;
            x[q] = there ? from.data + (k + q) * from.stride : NONE, step[q] = there ? UNIT : 0;
        }
        std::byte* out = to.data + k / DEEP * bytes * TILE + k % DEEP * UNIT;
        for (std::int64_t c = 0; c < from.columns; c += UNIT, out += strip) {
            for (int b = 0; b < bytes; ++b) {
                auto* word = reinterpret_cast<std::uint32_t*>(out + b * TILE);
                const int drop = 8 * b;
                INDEPENDENT (i, UNIT) {
                    const auto byte = [&](int q) { return static_cast<std::uint32_t>(x[q][i]) >> drop & 255; };
                    word[i] = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
                }
            }
            for (int q = 0; q < 4; ++q) x[q] += step[q];
        }
    }
}

}  // namespace
}  // namespace rlcores::RLCORES_ISA
