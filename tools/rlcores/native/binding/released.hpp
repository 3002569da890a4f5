// released.hpp — Python's lock given back while the engine works.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Python.h>

#include <cstddef>  // says which C++ library this is
#if defined(__GLIBCXX__)
#include <cxxabi.h>
#include <unistd.h>
#endif

namespace rlcores {

// Where the interpreter has ended meanwhile, Python before 3.14 ends the thread that asks for its lock by unwinding,
// which C++ code may not let pass: the process would be aborted. Such a thread sleeps here until the process is gone.
class Released {
public:
    Released() : Released(true) {}
    // Only where `really`: giving it back costs something too.
    explicit Released(bool really) : state_(really ? PyEval_SaveThread() : nullptr) {}
    ~Released() {
        if (!state_) return;
#if defined(__GLIBCXX__)
        try {
            PyEval_RestoreThread(state_);
        } catch (abi::__forced_unwind&) {
            for (;;) pause();
        }
#else
        PyEval_RestoreThread(state_);
#endif
    }
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;

private:
    PyThreadState* state_;
};

}  // namespace rlcores
