// fork.hpp — a lock that a child process finds free: before a fork all of them are taken, after it given back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

namespace rlcores {

class ForkableMutex {
public:
    ForkableMutex();
    ~ForkableMutex();
    ForkableMutex(const ForkableMutex&) = delete;
    ForkableMutex& operator=(const ForkableMutex&) = delete;

    std::mutex& get() { return mutex_; }

private:
    friend struct Forks;
    std::mutex mutex_;
    ForkableMutex *before_ = nullptr, *after_ = nullptr;  // the list of all
};

}  // namespace rlcores
