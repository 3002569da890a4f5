// memory.hpp — zeroed memory that begins on a line, in large pages where there is much of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace rlcores {

class Memory {
public:
    explicit Memory(std::size_t bytes) {
        constexpr std::size_t line = 64, page = std::size_t{2} << 20;
        const std::size_t unit = bytes < page ? line : page;
        bytes_ = (bytes + unit - 1) / unit * unit;
        data_.reset(static_cast<std::byte*>(std::aligned_alloc(unit, bytes_)));
        if (!data_) throw std::bad_alloc();
#if defined(__linux__)
        if (unit == page) madvise(data_.get(), bytes_, MADV_HUGEPAGE);
#endif
        clear();
    }

    std::byte* data() const { return data_.get(); }
    void clear() { std::memset(data_.get(), 0, bytes_); }

private:
    struct Free {
        void operator()(std::byte* data) const { std::free(data); }
    };
    std::size_t bytes_;
    std::unique_ptr<std::byte, Free> data_;
};

}  // namespace rlcores
