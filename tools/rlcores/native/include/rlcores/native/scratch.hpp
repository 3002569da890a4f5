// scratch.hpp — memory of a thread that its calls use again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace rlcores {

// Room for n numbers, until this thread asks for the same type and number again.
template <class T, int which>
T* scratch(std::size_t n) {
    thread_local std::vector<T> kept;
    if (kept.size() < n) kept.resize(n);
    return kept.data();
}

}  // namespace rlcores
