// gae.cpp — loops over rollouts: time outside, lanes inside, so that neighbours in memory are computed side by side.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/simd.hpp"
#include "rlcores/native/gae.hpp"

namespace rlcores::RLCORES_ISA {
using namespace rlcores::gae;

namespace {

constexpr std::int64_t BLOCK = 64;  // lanes whose state stays in the first cache

// No two arrays of a kernel overlap but element by element.
#define EACH_LANE(n)    \
    RLCORES_INDEPENDENT \
    for (std::int64_t n = 0; n < width; ++n)

inline double rounded(double x) { return (x + ROUND) - ROUND; }
inline double floor_of(double x) {
    const double near = rounded(x);
    return near > x ? near - 1.0 : near;
}
inline std::int64_t least_of(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
template <class T>
inline T size_of(T x) {
    return x < 0 ? -x : x;
}

template <class T>
bool take(const T* x, double* out, std::int64_t rows, std::int64_t stride, std::int64_t low, std::int64_t high,
          double* least, double* most) {
    T down[BLOCK], up[BLOCK], wrong[BLOCK];
    bool all = true;
    T lowest = x[low], highest = x[low];
    for (std::int64_t n0 = low; n0 < high; n0 += BLOCK) {
        const std::int64_t width = least_of(BLOCK, high - n0);
        EACH_LANE (n) down[n] = up[n] = x[n0 + n], wrong[n] = 0;
        for (std::int64_t t = 0; t < rows; ++t) {
            const T* row = x + t * stride + n0;
            double* to = out + t * stride + n0;
            EACH_LANE (n) {
                const T one = row[n];
                to[n] = one;
                down[n] = one < down[n] ? one : down[n];
                up[n] = one > up[n] ? one : up[n];
                wrong[n] += one - one;  // NaN for ever after a number that is not finite
            }
        }
        EACH_LANE (n) {
            all = all && wrong[n] == 0;
            lowest = down[n] < lowest ? down[n] : lowest;
            highest = up[n] > highest ? up[n] : highest;
        }
    }
    *least = lowest, *most = highest;
    return all;
}

template <class T>
int plain(const T* rewards, const T* values, Lanes at, const std::uint8_t* terminated, const std::uint8_t* truncated,
          const T* bootstrap, const T* final_values, T gamma, T discount, T* advantages, T* returns) {
    T v_next[BLOCK], a_next[BLOCK], wrong[BLOCK], lost[BLOCK];
    int found = 0;
    for (std::int64_t n0 = at.low; n0 < at.high; n0 += BLOCK) {
        const std::int64_t width = least_of(BLOCK, at.high - n0);
        EACH_LANE (n) {
            v_next[n] = bootstrap[n0 + n];
            a_next[n] = 0, lost[n] = 0;
            wrong[n] = v_next[n] - v_next[n];
        }
        for (std::int64_t t = at.steps - 1; t >= 0; --t) {
            const std::int64_t from = t * at.stride + n0;
            const T *r = rewards + from, *v = values + from;
            const std::uint8_t *stop = terminated + from, *cut = truncated + from;
            T *a = advantages + from, *g = returns + from;
            if (final_values) {
                const T* last = final_values + from;
                EACH_LANE (n) v_next[n] = cut[n] ? last[n] : v_next[n];
            }
            EACH_LANE (n) {
                const T next = stop[n] ? T(0) : v_next[n], after = (stop[n] | cut[n]) ? T(0) : a_next[n];
                const T one = r[n] + gamma * next - v[n] + discount * after;
                a_next[n] = one;
                v_next[n] = v[n];
                a[n] = one;
                g[n] = one + v[n];
                wrong[n] += (r[n] - r[n]) + (v[n] - v[n]) + (next - next);
                lost[n] += (one - one) + (g[n] - g[n]);
            }
        }
        EACH_LANE (n) {
            if (!(lost[n] == 0) && !found) found = 2;
            if (!(wrong[n] == 0)) found = 1;
        }
    }
    return found;
}

bool gae_take32(const float* x, double* out, std::int64_t rows, std::int64_t stride, std::int64_t low,
                std::int64_t high, double* least, double* most) {
    return take(x, out, rows, stride, low, high, least, most);
}
bool gae_take64(const double* x, double* out, std::int64_t rows, std::int64_t stride, std::int64_t low,
                std::int64_t high, double* least, double* most) {
    return take(x, out, rows, stride, low, high, least, most);
}

void gae_unit(double* x, Lanes at, double unit, double shift) {
    for (std::int64_t t = 0; t < at.steps; ++t)
        for (std::int64_t n = at.low; n < at.high; ++n) x[t * at.stride + n] = x[t * at.stride + n] / unit - shift;
}

void gae_sum(const double* rows, const double* boots, Lanes at, Ends ends, Power power, double base, bool square,
             double* sums) {
    for (std::int64_t n = at.low; n < at.high; ++n) sums[n] = -0.0;
    for (std::int64_t n0 = at.low; n0 < at.high; n0 += BLOCK) {
        const std::int64_t width = least_of(BLOCK, at.high - n0);
        double sum[BLOCK];
        EACH_LANE (n) sum[n] = -0.0;
        for (std::int64_t t = 0; t < at.steps; ++t) {
            const double* row = rows + t * at.stride + n0;
            EACH_LANE (n) {
                const double x = row[n] * power.a * power.b - base;
                sum[n] += square ? x * x : x;
            }
            if (!boots || t + 1 >= at.steps || ends.boot_row[t] < 0) continue;
            row = boots + ends.boot_row[t] * at.stride + n0;
            const std::uint8_t* cut = ends.truncated + t * at.stride + n0;
            EACH_LANE (n) {
                const double x = row[n] * power.a * power.b - base;
                sum[n] += cut[n] ? (square ? x * x : x) : 0.0;
            }
        }
        EACH_LANE (n) sums[n0 + n] = sum[n];
    }
}

void gae_centre(const double* x, double* out, Lanes at, Power power, double centre, double mantissa) {
    for (std::int64_t t = 0; t < at.steps; ++t) {
        const double* row = x + t * at.stride;
        double* to = out + t * at.stride;
        for (std::int64_t n = at.low; n < at.high; ++n) to[n] = (row[n] * power.a * power.b - centre) / mantissa;
    }
}

double gae_spread(const double* rewards, const double* values, const double* boots, Lanes at, Ends ends, double gamma) {
    const double steps = static_cast<double>(at.steps);
    double least = __DBL_MAX__;
    for (std::int64_t n0 = at.low; n0 < at.high; n0 += BLOCK) {
        const std::int64_t width = least_of(BLOCK, at.high - n0);
        double first[BLOCK], sum[BLOCK], squares[BLOCK], most[BLOCK];
        EACH_LANE (n) first[n] = 0, sum[n] = -0.0, squares[n] = -0.0, most[n] = 0;
        for (std::int64_t t = 0; t < at.steps; ++t) {
            const std::int64_t from = t * at.stride + n0;
            const double *r = rewards + from, *v = values + from, *next = v + at.stride;
            const std::uint8_t *stop = ends.terminated + from, *cut = ends.truncated + from;
            const bool booted = t + 1 < at.steps && ends.boot_row[t] >= 0;
            const double* boot = booted ? boots + ends.boot_row[t] * at.stride + n0 : next;
            EACH_LANE (n) {
                const double following = cut[n] ? boot[n] : next[n];
                const double one = r[n] + gamma * (stop[n] ? 0.0 : following) - v[n];
                first[n] = t ? first[n] : one;
                sum[n] += one - first[n];
                squares[n] += (one - first[n]) * (one - first[n]);
                const double size = size_of(r[n]) > size_of(v[n]) ? size_of(r[n]) : size_of(v[n]);
                most[n] = size > most[n] ? size : most[n];
            }
        }
        for (std::int64_t n = 0; n < width; ++n) {
            const double variance = (squares[n] - sum[n] * sum[n] / steps) / steps;
            const double rounding = most[n] * 0x1p-22;
            const double square = variance > rounding * rounding ? variance : first[n] * first[n];
            const double seen = square > rounding * rounding ? square : 0;
            least = seen < least ? seen : least;
        }
    }
    return least;
}

double gae_errors(const double* rewards, const double* values, const double* boots, Lanes at, Ends ends, double gamma,
                  double* errors, double* sums) {
    double largest = 0;
    for (std::int64_t n0 = at.low; n0 < at.high; n0 += BLOCK) {
        const std::int64_t width = least_of(BLOCK, at.high - n0);
        double sum[BLOCK], most[BLOCK];
        EACH_LANE (n) sum[n] = -0.0, most[n] = 0;
        for (std::int64_t t = 0; t < at.steps; ++t) {
            const std::int64_t from = t * at.stride + n0;
            const double *r = rewards + from, *v = values + from, *next = v + at.stride;
            const std::uint8_t *stop = ends.terminated + from, *cut = ends.truncated + from;
            double* e = errors + from;
            const bool booted = t + 1 < at.steps && ends.boot_row[t] >= 0;
            const double* boot = booted ? boots + ends.boot_row[t] * at.stride + n0 : next;
            EACH_LANE (n) {
                const double following = cut[n] ? boot[n] : next[n];
                const double one = r[n] + gamma * (stop[n] ? 0.0 : following) - v[n];
                e[n] = one;
                sum[n] += one;
                most[n] = size_of(one) > most[n] ? size_of(one) : most[n];
            }
        }
        EACH_LANE (n) {
            sums[n0 + n] = sum[n];
            largest = most[n] > largest ? most[n] : largest;
        }
    }
    return largest;
}

void gae_exact(const double* x, Lanes at, Power point, std::int64_t* total, unsigned __int128* squares) {
    *total = 0, *squares = 0;
    constexpr std::int64_t SOME = 1 << 16;  // squares of 46 bits that fit 63
    for (std::int64_t n0 = at.low; n0 < at.high; n0 += BLOCK) {
        const std::int64_t width = least_of(BLOCK, at.high - n0);
        for (std::int64_t t0 = 0; t0 < at.steps; t0 += SOME) {
            std::int64_t sum[BLOCK], square[BLOCK];
            EACH_LANE (n) sum[n] = square[n] = 0;
            for (std::int64_t t = t0; t < least_of(t0 + SOME, at.steps); ++t) {
                const double* row = x + t * at.stride + n0;
                EACH_LANE (n) {
                    const std::int32_t raw = static_cast<std::int32_t>(rounded(row[n] * point.a * point.b));
                    sum[n] += raw;
                    square[n] += static_cast<std::int64_t>(raw) * raw;
                }
            }
            EACH_LANE (n) *total += sum[n], *squares += static_cast<std::uint64_t>(square[n]);
        }
    }
}

std::int64_t gae_quantise(const double* x, std::int32_t* codes, Lanes at, Quantiser by) {
    std::int64_t clipped = 0;
    for (std::int64_t t = 0; t < at.steps; ++t) {
        const double* row = x + t * at.stride;
        std::int32_t* to = codes + t * at.stride;
        std::int32_t limited = 0;
        for (std::int64_t n = at.low; n < at.high; ++n) {
            const double wide = floor_of(rounded(row[n] * by.point.a * by.point.b) * by.step + 0.5);
            double code = wide > by.limit ? by.limit : wide;
            code = code < -by.limit ? -by.limit : code;
            limited += code != wide;
            to[n] = static_cast<std::int32_t>(code);
        }
        clipped += limited;
    }
    return clipped;
}

Peak gae_array(const std::int32_t* rewards, const std::int32_t* values, const std::int32_t* boots, Lanes at, Ends ends,
               std::int64_t first, std::int64_t last, const Registers& given, std::int64_t* state,
               std::int32_t* advantages) {
    const Registers by = given;
    const std::int64_t k = by.lookahead, half = std::int64_t{1} << (by.fraction - 1);
    const std::int64_t kept = std::int64_t{1} << (by.coefficient - 1);
    const std::int64_t dropped = by.drop ? std::int64_t{1} << (by.drop - 1) : 0;
    const std::int64_t high = (std::int64_t{1} << (by.out_bits - 1)) - 1, low = -high - 1;
    // Of the records popped 1, 2, … k before: D_j, whether no end is among their j records, and A; and the last code.
    std::int64_t *d = state, *g = d + k * BLOCK, *a = g + k * BLOCK, *code = a + k * BLOCK;
    std::int64_t sums[BLOCK], bits[BLOCK], most[BLOCK];
    Peak peak{0, 0, 0};
    for (std::int64_t n0 = at.low; n0 < at.high; n0 += BLOCK) {
        const std::int64_t width = least_of(BLOCK, at.high - n0);
        for (std::int64_t i = 0; i < 3 * k * BLOCK; ++i) state[i] = 0;
        EACH_LANE (n) sums[n] = bits[n] = most[n] = 0;
        {
            const std::int64_t from = (last - 1) * at.stride + n0;
            const bool booted = last < at.steps && ends.boot_row[last - 1] >= 0;
            const std::int32_t* next = values + from + at.stride;
            const std::int32_t* boot = booted ? boots + ends.boot_row[last - 1] * at.stride + n0 : next;
            EACH_LANE (n) code[n] = ends.truncated[from + n] ? boot[n] : next[n];
        }
        for (std::int64_t t = last - 1; t >= first; --t) {
            const std::int64_t from = t * at.stride + n0;
            const std::uint8_t *stop = ends.terminated + from, *cut = ends.truncated + from;
            if (t + 1 < last && ends.boot_row[t] >= 0) {
                const std::int32_t* boot = boots + ends.boot_row[t] * at.stride + n0;
                for (std::int64_t j = 0; j < k; ++j)
                    EACH_LANE (n) {
                        d[j * BLOCK + n] = cut[n] ? 0 : d[j * BLOCK + n];
                        g[j * BLOCK + n] = cut[n] ? 0 : g[j * BLOCK + n];
                    }
                for (std::int64_t j = k - 1; j > 0; --j)
                    EACH_LANE (n) a[j * BLOCK + n] = cut[n] ? a[(j - 1) * BLOCK + n] : a[j * BLOCK + n];
                EACH_LANE (n) {
                    a[n] = cut[n] ? 0 : a[n];
                    code[n] = cut[n] ? boot[n] : code[n];
                }
            }
            const std::int32_t *r = rewards + from, *v = values + from;
            std::int32_t* out = advantages + from;
            // D_k first, because D_j needs D_(j-1) of the record before.
            std::int64_t delta[BLOCK];
            EACH_LANE (n) {
                const std::int64_t keep = stop[n] ? 0 : -1;
                const std::int64_t value = (v[n] * by.value_scale + by.value_offset + half) >> by.fraction;
                const std::int64_t next = (code[n] * by.s_vn & keep) + (keep ? by.k_keep : by.k_cut);
                const std::int64_t reward = static_cast<std::int64_t>(r[n]) << by.shift;
                delta[n] = (next + ((reward - value) << by.fraction)) >> by.fraction;
                bits[n] |= value ^ (value >> 63);
                code[n] = v[n];
            }
            for (std::int64_t j = k - 1; j > 0; --j)
                EACH_LANE (n) {
                    const std::int64_t keep = stop[n] ? 0 : -1, before = d[(j - 1) * BLOCK + n];
                    d[j * BLOCK + n] = delta[n] + ((before + ((before * by.b_step + kept) >> by.coefficient)) & keep);
                    g[j * BLOCK + n] = g[(j - 1) * BLOCK + n] & keep;
                }
            EACH_LANE (n) {
                d[n] = delta[n];
                g[n] = stop[n] ? 0 : -1;
            }
            const std::int64_t *deep = d + (k - 1) * BLOCK, *goes = g + (k - 1) * BLOCK, *ago = a + (k - 1) * BLOCK;
            EACH_LANE (n) {
                const std::int64_t back = ago[n];
                const std::int64_t sum = deep[n] + ((back + ((back * by.b_loop + kept) >> by.coefficient)) & goes[n]);
                sums[n] |= sum ^ (sum >> 63);
                std::int64_t found = (sum + dropped) >> by.drop;
                found = found > high ? high : found;
                found = found < low ? low : found;
                most[n] = size_of(found) > most[n] ? size_of(found) : most[n];
                out[n] = static_cast<std::int32_t>(found);
                delta[n] = sum;
            }
            for (std::int64_t j = k - 1; j > 0; --j)
                EACH_LANE (n) a[j * BLOCK + n] = a[(j - 1) * BLOCK + n];
            EACH_LANE (n) a[n] = delta[n];
        }
        EACH_LANE (n) {
            peak.sum |= sums[n];
            peak.value |= bits[n];
            peak.code = most[n] > peak.code ? most[n] : peak.code;
        }
    }
    return peak;
}

void gae_lost(const double* rewards, const std::int32_t* reward_codes, double reward_step, const double* values,
              const std::int32_t* value_codes, const double* boots, const std::int32_t* boot_codes, double value_step,
              Lanes at, Ends ends, double* reward_sums, double* value_sums) {
    for (std::int64_t n0 = at.low; n0 < at.high; n0 += BLOCK) {
        const std::int64_t width = least_of(BLOCK, at.high - n0);
        double r[BLOCK], v[BLOCK];
        EACH_LANE (n) r[n] = v[n] = -0.0;
        for (std::int64_t t = 0; t <= at.steps; ++t) {
            const std::int64_t from = t * at.stride + n0;
            const double* value = values + from;
            const std::int32_t* value_code = value_codes + from;
            EACH_LANE (n) v[n] += value[n] - value_code[n] * value_step;
            if (t == at.steps) break;
            const double* reward = rewards + from;
            const std::int32_t* reward_code = reward_codes + from;
            EACH_LANE (n) r[n] += reward[n] - reward_code[n] * reward_step;
            if (t + 1 >= at.steps || ends.boot_row[t] < 0) continue;
            const std::int64_t behind = ends.boot_row[t] * at.stride + n0;
            const std::uint8_t* cut = ends.truncated + from;
            EACH_LANE (n) v[n] += cut[n] ? boots[behind + n] - boot_codes[behind + n] * value_step : 0.0;
        }
        EACH_LANE (n) reward_sums[n0 + n] = r[n], value_sums[n0 + n] = v[n];
    }
}

void gae_outcome(const double* rewards, const std::int32_t* reward_codes, const double* values,
                 const std::int32_t* value_codes, const std::int32_t* codes, const double* given, Lanes at, Ends ends,
                 std::int64_t first, std::int64_t last, const double* ahead, const Outcome& outcome, double* found,
                 std::int32_t* place, double* advantages, double* returns) {
    const Outcome by = outcome;
    const auto to_stops = static_cast<std::int32_t>(at.steps + 1);
    for (std::int64_t n0 = at.low; n0 < at.high; n0 += BLOCK) {
        const std::int64_t width = least_of(BLOCK, at.high - n0);
        double joined[BLOCK];  // the advantage that the piece behind this one begins with, until an episode ends
        double next[BLOCK];
        std::int32_t to_end[BLOCK];  // steps to an end, and a table further where that is a termination
        EACH_LANE (n) joined[n] = found[n0 + n], to_end[n] = place[n0 + n];
        for (std::int64_t t = last - 1; t >= first; --t) {
            const std::int64_t from = t * at.stride + n0;
            const std::uint8_t *stop = ends.terminated + from, *cut = ends.truncated + from;
            const bool window = t + 1 == at.steps;
            EACH_LANE (n) {
                const std::int32_t begun = 1 + (stop[n] ? to_stops : 0);
                to_end[n] = window || (stop[n] | cut[n]) ? begun : to_end[n] + 1;
                next[n] = codes[from + n] * by.result_step;
            }
            if (ahead) {
                const double power = ahead[last - t];
                EACH_LANE (n) {
                    joined[n] = (stop[n] | cut[n]) ? 0.0 : joined[n];
                    next[n] += power * joined[n];
                }
            }
            EACH_LANE (n) {
                const double lost = rewards[from + n] - reward_codes[from + n] * by.reward_step;
                const double lost_value = values[from + n] - value_codes[from + n] * by.value_step;
                const double own = by.clip ? 0.0 : (lost - by.lost) - (lost_value - by.lost_value);
                const double rest = own + by.constants[to_end[n]];
                const double one = (next[n] + rest) * by.mantissa * by.unit.a * by.unit.b;
                advantages[from + n] = one;
                returns[from + n] = one + given[from + n];
            }
        }
        EACH_LANE (n) found[n0 + n] = next[n], place[n0 + n] = to_end[n];
    }
}

void gae_seen(const std::int32_t* codes, Lanes at, double step, double constant, double mantissa, Power unit,
              double* out) {
    for (std::int64_t t = 0; t < at.steps; ++t)
        for (std::int64_t n = at.low; n < at.high; ++n) {
            const std::int64_t i = t * at.stride + n;
            out[i] = (codes[i] * step + constant) * mantissa * unit.a * unit.b;
        }
}

int gae_plain32(const float* rewards, const float* values, Lanes at, const std::uint8_t* terminated,
                const std::uint8_t* truncated, const float* bootstrap, const float* final_values, float gamma,
                float discount, float* advantages, float* returns) {
    return plain(rewards, values, at, terminated, truncated, bootstrap, final_values, gamma, discount, advantages,
                 returns);
}
int gae_plain64(const double* rewards, const double* values, Lanes at, const std::uint8_t* terminated,
                const std::uint8_t* truncated, const double* bootstrap, const double* final_values, double gamma,
                double discount, double* advantages, double* returns) {
    return plain(rewards, values, at, terminated, truncated, bootstrap, final_values, gamma, discount, advantages,
                 returns);
}

}  // namespace

extern const GaeKernels gae_kernels;
const GaeKernels gae_kernels = {.take32 = gae_take32,
                                .take64 = gae_take64,
                                .unit = gae_unit,
                                .sum = gae_sum,
                                .centre = gae_centre,
                                .errors = gae_errors,
                                .spread = gae_spread,
                                .exact = gae_exact,
                                .quantise = gae_quantise,
                                .array = gae_array,
                                .lost = gae_lost,
                                .outcome = gae_outcome,
                                .seen = gae_seen,
                                .plain32 = gae_plain32,
                                .plain64 = gae_plain64};

}  // namespace rlcores::RLCORES_ISA
