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
        own_.reset(static_cast<std::byte*>(std::aligned_alloc(unit, bytes_)));
        data_ = own_.get();
        if (!data_) throw std::bad_alloc();
#if defined(__linux__)
        if (unit == page) madvise(data_, bytes_, MADV_HUGEPAGE);
#endif
        clear();
    }

    // Somebody else's memory from now on, as it is; it begins on a line, and outlives this.
    void borrow(std::byte* data, std::size_t bytes) {
        own_.reset();
        data_ = data;
        bytes_ = bytes;
    }

    std::byte* data() const { return data_; }
    void clear() { std::memset(data_, 0, bytes_); }

private:
    struct Free {
        void operator()(std::byte* data) const { std::free(data); }
    };
    std::size_t bytes_;
    std::unique_ptr<std::byte, Free> own_;
    std::byte* data_;
};

}  // namespace rlcores
