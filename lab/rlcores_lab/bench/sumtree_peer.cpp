// A K-ary sum tree on a CPU, as good as we can write it: the peer of the sum tree core, after Algorithm 2 of Zhang et
// al. (2021). SPDX-License-Identifier: Apache-2.0
//
// K = 16 floats are one cache line and one AVX-512 register. A node holds its children's sums, so an update adds one
// number a level, and a sample adds up one line a level. (Running sums in the node would save a sample the additions,
// but cost an update five times more than it saves.) A batch of samples goes through the tree level by level, so that
// its cache misses and its chains of additions overlap; the next line is asked for as soon as it is known.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace {

constexpr unsigned LOG = 4, K = 1u << LOG;
constexpr std::size_t GROUP = 64;  // samples that are in flight together

struct Free {
    void operator()(void* p) const { std::free(p); }
};
using Lines = std::unique_ptr<float[], Free>;

// Large pages where the system has them: random places in small pages miss the TLB every time.
Lines lines(std::size_t floats) {
    const std::size_t page = std::size_t{1} << 21, align = floats * sizeof(float) < page ? 64 : page;
    const std::size_t bytes = (floats * sizeof(float) + align - 1) / align * align;
    auto* p = static_cast<float*>(std::aligned_alloc(align, bytes));
#if defined(__linux__)
    if (align == page) madvise(p, bytes, MADV_HUGEPAGE);
#endif
    std::fill_n(p, bytes / sizeof(float), 0.0f);
    return Lines(p);
}

#if defined(__AVX512F__)
// A register moved up by N floats, zeros below.
template <int N>
__m512 up(__m512 x) {
    return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(x), _mm512_setzero_si512(), 16 - N));
}
#endif

// The child whose running sum is the first above the target, the last child at most; the target becomes the one in it.
inline unsigned choose(const float* line, float& target) {
#if defined(__AVX512F__)
    __m512 sums = _mm512_load_ps(line);
    sums = _mm512_add_ps(sums, up<1>(sums));
    sums = _mm512_add_ps(sums, up<2>(sums));
    sums = _mm512_add_ps(sums, up<4>(sums));
    sums = _mm512_add_ps(sums, up<8>(sums));
    const unsigned below = _mm512_cmp_ps_mask(sums, _mm512_set1_ps(target), _CMP_LE_OQ) & 0x7FFFu;
    const auto child = static_cast<unsigned>(__builtin_popcount(below));
    target -= _mm512_cvtss_f32(_mm512_permutexvar_ps(_mm512_set1_epi32(static_cast<int>(child)), up<1>(sums)));
    return child;
#else
    float sums[K + 1] = {};
    for (unsigned k = 0; k < K; ++k) sums[k + 1] = sums[k] + line[k];
    unsigned child = 0;
    for (unsigned k = 1; k < K; ++k) child += sums[k] <= target;
    target -= sums[child];
    return child;
#endif
}

class Tree {
public:
    explicit Tree(std::size_t leaves) : leaves_(leaves) {
        do {
            leaves = (leaves + K - 1) / K;
            level_.insert(level_.begin(), lines(leaves * K));
        } while (leaves > 1);
    }

    // Of equal indices in a batch the last one counts.
    void update(const uint32_t* index, const float* priority, std::size_t count) {
        float* leaf = level_.back().get();
        for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(leaf + index[i], 1);
        for (std::size_t i = 0; i < count; ++i) {
            uint32_t at = index[i];
            const float delta = priority[i] - leaf[at];
            leaf[at] = priority[i];
            for (std::size_t h = level_.size() - 1; h-- > 0;) level_[h][at >>= LOG] += delta;
        }
    }

    // u in [0, 1). Sums are rounded, so an answer may lie beyond the last leaf: it is pulled back.
    void sample(const float* u, uint32_t* index, float* priority, std::size_t count) const {
        float sum = 0.0f;
        for (unsigned k = 0; k < K; ++k) sum += level_[0][k];
        for (std::size_t first = 0; first < count; first += GROUP) {
            const std::size_t size = std::min(GROUP, count - first);
            float target[GROUP];
            uint32_t node[GROUP] = {};
            for (std::size_t i = 0; i < size; ++i) target[i] = u[first + i] * sum;
            for (std::size_t h = 0; h < level_.size(); ++h) {
                const float* sums = level_[h].get();
                const float* next = level_[std::min(h + 1, level_.size() - 1)].get();
                for (std::size_t i = 0; i < size; ++i) {
                    node[i] = node[i] << LOG | choose(sums + (std::size_t{node[i]} << LOG), target[i]);
                    if (h + 1 < level_.size()) __builtin_prefetch(next + (std::size_t{node[i]} << LOG));
                }
            }
            for (std::size_t i = 0; i < size; ++i) {
                const auto found = std::min(node[i], static_cast<uint32_t>(leaves_ - 1));
                index[first + i] = found;
                priority[first + i] = level_.back()[found];
            }
        }
    }

private:
    std::size_t leaves_;
    std::vector<Lines> level_;  // root first
};

}  // namespace

// `count` items in batches, so that the cost of a call from Python is not in a batch.
#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void* tree_new(std::size_t leaves) { return new Tree(leaves); }
EXPORT void tree_delete(void* tree) { delete static_cast<Tree*>(tree); }
EXPORT void tree_update(void* tree, const uint32_t* index, const float* priority, std::size_t count,
                        std::size_t batch) {
    for (std::size_t i = 0; i < count; i += batch)
        static_cast<Tree*>(tree)->update(index + i, priority + i, std::min(batch, count - i));
}
EXPORT void tree_sample(void* tree, const float* u, uint32_t* index, float* priority, std::size_t count,
                        std::size_t batch) {
    for (std::size_t i = 0; i < count; i += batch)
        static_cast<Tree*>(tree)->sample(u + i, index + i, priority + i, std::min(batch, count - i));
}
