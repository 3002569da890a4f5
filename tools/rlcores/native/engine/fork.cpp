// fork.cpp — all locks are held while the process forks.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/fork.hpp"

#include <pthread.h>

#include <thread>

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

namespace {

void pause_once() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace

std::unique_lock<std::mutex> ForkableMutex::lock() {
    static const bool alone = std::thread::hardware_concurrency() == 1;
    std::unique_lock<std::mutex> held(mutex_, std::try_to_lock);
    for (int turn = 0; turn < 256 && !held && !alone; ++turn) {
        for (int k = 0; k < 16; ++k) pause_once();
        (void)held.try_lock();
    }
    if (!held) held.lock();
    return held;
}

ForkableMutex::ForkableMutex() { Forks::get().add(*this); }
ForkableMutex::~ForkableMutex() { Forks::get().drop(*this); }

}  // namespace rlcores
