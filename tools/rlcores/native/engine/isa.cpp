// isa.cpp — the instruction set of the kernels, chosen when the engine is loaded.
// SPDX-License-Identifier: Apache-2.0
#include "isa.hpp"

namespace rlcores {

Isa best_isa() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512vnni"))
        return Isa::avx512;
    if (avx2) return Isa::avx2;
#endif
    return Isa::portable;
}

namespace isa_state {
Isa now = best_isa();
}

bool choose_isa(Isa wanted) {
    if (wanted > best_isa()) return false;
    isa_state::now = wanted;
    return true;
}

}  // namespace rlcores
