// enum_array.hpp — an array with one element for each value of an enumeration.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace rlcores {

// E: an enum class of 0, 1, …, whose last value, `number`, says how many there are before it.
template <class T, class E>
struct EnumArray : std::array<T, static_cast<std::size_t>(E::number)> {
    using std::array<T, static_cast<std::size_t>(E::number)>::operator[];
    T& operator[](E at) { return this->data()[static_cast<std::size_t>(at)]; }
    const T& operator[](E at) const { return this->data()[static_cast<std::size_t>(at)]; }
};

}  // namespace rlcores
