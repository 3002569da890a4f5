// isa.hpp — which instruction set the kernels run on.
// SPDX-License-Identifier: Apache-2.0
//
// A kernel is a member of one of the structures below, and is defined in kernels/*.cpp inside `namespace
// rlcores::RLCORES_ISA`. Each file is compiled once for each instruction set; kernels().learner.dense(...) calls the
// one in force. A kernel's file keeps to <cstdint>, simd.hpp and headers whose functions are `static`, so that no code
// for a newer processor is shared.
#pragma once

#include <span>
#include <string_view>

#include "rlcores/native/blocks_kernels.hpp"
#include "rlcores/native/env_kernels.hpp"
#include "rlcores/native/floats.hpp"
#include "rlcores/native/gae.hpp"
#include "rlcores/native/learner_kernels.hpp"
#include "rlcores/native/mlp_kernels.hpp"
#include "rlcores/native/optimisers.hpp"
#include "rlcores/native/pairs_kernels.hpp"
#include "rlcores/native/ppo_kernels.hpp"
#include "rlcores/native/products_kernels.hpp"
#include "rlcores/native/sumtree_kernels.hpp"

namespace rlcores {

struct Kernels {
    TreeKernels tree;
    TreeMathsKernels tree_maths;
    GaeKernels gae;
    LearnerKernels learner;
    PairKernels pairs;
    BlockKernels blocks;
    ProductKernels products;
    OptimiserKernels optimisers;
    MlpKernels mlp;
    FloatKernels floats;
    EnvKernels env;
    PpoKernels ppo;
};

struct Isa {
    std::string_view name;
    bool (*supported)();  // by this processor
    Kernels kernels;
};

// The instruction sets of this build, the best one last. The first runs on every processor that the build is for.
std::span<const Isa> isas();

namespace isa_state {
extern const Isa* now;  // written by choose_isa() only, before threads are busy
}

// The one in force, which is the best that is supported until another one is chosen.
inline const Isa& isa() { return *isa_state::now; }
inline const Kernels& kernels() { return isa_state::now->kernels; }
// Use this instruction set from now on. Returns false, and changes nothing, if there is none of that name, or the
// processor does not support it.
bool choose_isa(std::string_view name);

}  // namespace rlcores
