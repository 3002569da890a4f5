// net_bytes.hpp — numbers and bytes behind those that are there, as frames and states have them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace rlcores {

template <class T>
void put_number(std::vector<std::uint8_t>& to, T number) {
    to.resize(to.size() + sizeof(T));
    std::memcpy(to.data() + to.size() - sizeof(T), &number, sizeof(T));
}

// And zeros up to a multiple of 8.
inline void put_bytes(std::vector<std::uint8_t>& to, const void* data, std::size_t n) {
    const std::size_t at = to.size();
    to.resize((at + n + 7) / 8 * 8);
    if (n) std::memcpy(to.data() + at, data, n);
}

}  // namespace rlcores
