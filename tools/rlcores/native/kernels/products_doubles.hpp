// products_doubles.hpp — products of doubles, by the dense kernel of the learner.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rlcores::RLCORES_ISA {
namespace {

template <class Each>
void blocks(const Product& p, Each each) {
    const std::int64_t stride = whole_units(p.columns);
    learner_kernels.dense(reinterpret_cast<const double*>(p.left.data), whole_units(p.depth), p.rows, p.depth,
                          reinterpret_cast<const double*>(p.right.data), stride, stride, p.scratch, stride);
    const double* sums = p.scratch;
    each([=](std::int64_t r, std::int64_t c) { return load(sums + r * stride + c); }, 0, p.rows, 0, stride);
}

std::int64_t products_left_room(std::int64_t rows, std::int64_t depth, const Side&) {
    return rows * whole_units(depth) * 8;
}
std::int64_t products_right_room(std::int64_t depth, std::int64_t columns, const Side&) {
    return depth * whole_units(columns) * 8;
}

void products_left(Numbers from, const Side& to) {
    const std::int64_t stride = whole_units(from.columns);
    for (std::int64_t r = 0; r < from.rows; ++r) {
        const std::int32_t* x = from.data + r * from.stride;
        double* out = reinterpret_cast<double*>(to.data) + r * stride;
        INDEPENDENT (k, stride) out[k] = x[k];
    }
}
void products_right(Numbers from, const Side& to) { products_left(from, to); }

}  // namespace
}  // namespace rlcores::RLCORES_ISA
