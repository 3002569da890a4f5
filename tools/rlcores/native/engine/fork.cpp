// fork.cpp — all locks are held while the process forks.
// SPDX-License-Identifier: Apache-2.0
#include "fork.hpp"

#include <pthread.h>

namespace rlcores {

struct Forks {
    std::mutex list;
    ForkableMutex* first = nullptr;

    // Never destroyed: threads may still run when the process ends.
    static Forks& get() {
        static Forks* const forks = new Forks;
        return *forks;
    }

    Forks() { pthread_atfork(take, give, give); }

    static void take() {
        Forks& all = get();
        all.list.lock();
        for (ForkableMutex* one = all.first; one; one = one->after_) one->mutex_.lock();
    }

    static void give() {
        Forks& all = get();
        for (ForkableMutex* one = all.first; one; one = one->after_) one->mutex_.unlock();
        all.list.unlock();
    }

    void add(ForkableMutex& one) {
        const std::lock_guard<std::mutex> held(list);
        one.after_ = first;
        if (first) first->before_ = &one;
        first = &one;
    }

    void drop(ForkableMutex& one) {
        const std::lock_guard<std::mutex> held(list);
        (one.before_ ? one.before_->after_ : first) = one.after_;
        if (one.after_) one.after_->before_ = one.before_;
    }
};

ForkableMutex::ForkableMutex() { Forks::get().add(*this); }
ForkableMutex::~ForkableMutex() { Forks::get().drop(*this); }

}  // namespace rlcores
