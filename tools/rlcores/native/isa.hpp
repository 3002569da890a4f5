// isa.hpp — which instruction set the kernels run on.
// SPDX-License-Identifier: Apache-2.0
//
// A kernel is declared with RLCORES_KERNEL and defined in kernels/*.cpp inside `namespace rlcores::RLCORES_ISA`. The
// file is compiled once for each instruction set; RLCORES_CALL(name)(...) calls the one in force. A kernel's file
// keeps to <cstdint> and headers whose functions are `static`, so that no code for a newer processor is shared.
#pragma once

namespace rlcores {

enum class Isa { portable, avx2, avx512 };

namespace isa_state {
extern Isa now;  // written by choose() only, before threads are busy
}

// The names in force, and the best one that this processor and this build have.
inline Isa isa() { return isa_state::now; }
Isa best_isa();
// Use this instruction set from now on. Returns false, and changes nothing, if the processor does not have it.
bool choose_isa(Isa wanted);

}  // namespace rlcores

#if defined(__x86_64__)
#define RLCORES_KERNEL(result, name, ...)            \
    namespace rlcores::portable {                    \
    result name(__VA_ARGS__);                        \
    }                                                \
    namespace rlcores::avx2 {                        \
    result name(__VA_ARGS__);                        \
    }                                                \
    namespace rlcores::avx512 {                      \
    result name(__VA_ARGS__);                        \
    }
#define RLCORES_CALL(name)                                                  \
    (::rlcores::isa() == ::rlcores::Isa::avx512 ? ::rlcores::avx512::name   \
     : ::rlcores::isa() == ::rlcores::Isa::avx2 ? ::rlcores::avx2::name     \
                                                : ::rlcores::portable::name)
#else
#define RLCORES_KERNEL(result, name, ...) \
    namespace rlcores::portable {         \
    result name(__VA_ARGS__);             \
    }
#define RLCORES_CALL(name) ::rlcores::portable::name
#endif
