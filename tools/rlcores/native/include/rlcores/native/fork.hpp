// fork.hpp — a lock that a child process finds free: before a fork all of them are taken, after it given back.
//
// wait       A thread that finds it taken looks again for some tens of microseconds before it sleeps: the lock is held
// for
//            less, and to be woken takes longer. Where there is one processor it sleeps at once.
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
    std::unique_lock<std::mutex> lock();

private:
    friend struct Forks;
    std::mutex mutex_;
    ForkableMutex *before_ = nullptr, *after_ = nullptr;  // the list of all
};

}  // namespace rlcores
