// floats.cpp — floating-point functions for Python; rlcores.native.floats is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/floats.hpp"
#include "rlcores/native/isa.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "released.hpp"

namespace nb = nanobind;

namespace rlcores {

namespace {

template <class T>
using Left = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Right = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Found = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T, class Kernel>
void product(const Left<T>& a, const Right<T>& b, const Found<T>& out, Kernel kernel) {
    if (a.shape(1) != b.shape(0) || a.shape(0) != out.shape(0) || b.shape(1) != out.shape(1))
        throw nb::value_error("the engine was given matrices of different sizes");
    const Released released;
    kernel(a.data(), a.stride(0), a.stride(1), b.data(), out.data(), static_cast<std::int64_t>(a.shape(0)),
           static_cast<std::int64_t>(a.shape(1)), static_cast<std::int64_t>(b.shape(1)));
}

using Doubles = nb::ndarray<double, nb::c_contig, nb::device::cpu>;

}  // namespace

void bind_floats(nb::module_& module) {
    const auto a = nb::arg().noconvert();
    module.def(
        "floats_product",
        [](const Left<float>& x, const Right<float>& y, const Found<float>& out) {
            product(x, y, out, kernels().floats.product32);
        },
        a, a, a);
    module.def(
        "floats_product",
        [](const Left<double>& x, const Right<double>& y, const Found<double>& out) {
            product(x, y, out, kernels().floats.product64);
        },
        a, a, a);
    module.def(
        "floats_exp",
        [](const Doubles& x) {
            const Released released;
            kernels().floats.exp(x.data(), static_cast<std::int64_t>(x.size()));
        },
        a);
    module.def(
        "floats_log",
        [](const Doubles& x) {
            const Released released;
            kernels().floats.log(x.data(), static_cast<std::int64_t>(x.size()));
        },
        a);
    module.def(
        "floats_normal",
        [](const Doubles& x) {
            const Released released;
            kernels().floats.normal(x.data(), static_cast<std::int64_t>(x.size()));
        },
        a);
}

}  // namespace rlcores
