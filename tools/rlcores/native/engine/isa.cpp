// isa.cpp — the instruction sets of the kernels; one is chosen when the engine is loaded.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/isa.hpp"

#if defined(__x86_64__) || defined(_M_X64)
#define RLCORES_ISAS(X) X(portable) X(avx2) X(avx512)
#if defined(RLCORES_AMX)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#elif defined(__aarch64__)
#define RLCORES_ISAS(X) X(portable) X(neon)
#else
#define RLCORES_ISAS(X) X(portable)
#endif

// What the files of kernels/ define in the namespace of each instruction set.
#define RLCORES_ISA_TABLES(isa)                       \
    namespace rlcores::isa {                          \
    extern const TreeKernels tree_kernels;            \
    extern const TreeMathsKernels tree_maths_kernels; \
    extern const GaeKernels gae_kernels;              \
    extern const LearnerKernels learner_kernels;      \
    extern const PairKernels pairs_kernels;           \
    extern const BlockKernels blocks_kernels;         \
    extern const ProductKernels products_kernels;     \
    extern const MlpKernels mlp_kernels;              \
    extern const FloatKernels floats_kernels;         \
    extern const EnvKernels env_kernels;              \
    extern const PpoKernels ppo_kernels;              \
    RLCORES_OPTIMISERS(RLCORES_OPTIMISER)             \
    }
#define RLCORES_OPTIMISER(name) std::int64_t optimise_##name(const learner::Step&);
RLCORES_ISAS(RLCORES_ISA_TABLES)
#undef RLCORES_OPTIMISER
#if defined(RLCORES_AMX)
namespace rlcores::amx {
extern const ProductKernels products_kernels;
}
#endif

namespace rlcores {

namespace {

namespace supported {
bool portable() { return true; }
[[maybe_unused]] bool neon() { return true; }  // every processor of aarch64 has it
#if defined(__x86_64__)
bool avx2() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}
bool avx512() {
    return avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vnni");
}
#if defined(RLCORES_AMX)
// Linux lends the tiles to a process that asks for them, and says no where processor or kernel have none.
bool amx() {
    constexpr long REQUEST = 0x1023, TILES = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
    static const bool lent = [] {
        std::uint32_t a, b, c, d;
        if (!avx512() || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
        return (d >> 24 & 3) == 3 && syscall(SYS_arch_prctl, REQUEST, TILES) == 0;  // AMX-TILE and AMX-INT8
    }();
    return lent;
}
#endif
#endif
}  // namespace supported

const Isa* best() {
    const Isa* found = &isas().front();
    for (const Isa& isa : isas())
        if (isa.supported()) found = &isa;
    return found;
}

#if defined(RLCORES_AMX)
// All of AVX-512's but the products.
Isa with_tiles(Isa one) {
    one.name = "amx", one.supported = supported::amx, one.kernels.products = amx::products_kernels;
    return one;
}
#endif

}  // namespace

std::span<const Isa> isas() {
#define RLCORES_OPTIMISER(name) optimise_##name,
#define RLCORES_TABLES(isa)                                  \
    [] {                                                     \
        using namespace isa;                                 \
        return Isa{#isa,                                     \
                   supported::isa,                           \
                   {tree_kernels,                            \
                    tree_maths_kernels,                      \
                    gae_kernels,                             \
                    learner_kernels,                         \
                    pairs_kernels,                           \
                    blocks_kernels,                          \
                    products_kernels,                        \
                    {RLCORES_OPTIMISERS(RLCORES_OPTIMISER)}, \
                    mlp_kernels,                             \
                    floats_kernels,                          \
                    env_kernels,                             \
                    ppo_kernels}};                           \
    }()
#define RLCORES_ENTRY(isa) RLCORES_TABLES(isa),
    static const Isa found[] = {
        RLCORES_ISAS(RLCORES_ENTRY)
#if defined(RLCORES_AMX)
            with_tiles(RLCORES_TABLES(avx512)),
#endif
    };
#undef RLCORES_TABLES
#undef RLCORES_ENTRY
#undef RLCORES_OPTIMISER
    return found;
}

namespace isa_state {
const Isa* now = best();
}

bool choose_isa(std::string_view name) {
    for (const Isa& isa : isas())
        if (isa.name == name && isa.supported()) return isa_state::now = &isa, true;
    return false;
}

}  // namespace rlcores
