// adamw.cpp — steps of AdamW: Adam's, and a weight loses a part of itself.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/optimisers/adam_step.hpp"

namespace rlcores::RLCORES_ISA {

namespace {

// The random bits are those of Adam's step, in another order.
struct Decay {
    template <class Added>
    static std::int32_t part(std::int32_t w, const Rates& by, Added added, std::int64_t i) {
        const std::int64_t a = added(i), turned = (a & 0xFF) << 8 | a >> 8;
        const std::int64_t up = by.dithered ? turned : a;
        return static_cast<std::int32_t>((((static_cast<std::int64_t>(w) * by.decay << 16) >> by.decay_shift) + up) >>
                                         16);
    }
};

}  // namespace

std::int64_t optimise_adamw(const Step& s) { return adam_step<Decay>(s); }

}  // namespace rlcores::RLCORES_ISA
