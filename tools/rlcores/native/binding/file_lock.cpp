// file_lock.cpp — a lock of a file and of this process's threads for Python; rlcores.replay.folder is its only caller.
// SPDX-License-Identifier: Apache-2.0
//
// In Python an exception of a signal (Ctrl-C) could come between two lines of __enter__ or __exit__, and the lock would
// be held for ever. Here it comes before, behind, or while the lock is waited for, which is then not held.
#include <nanobind/nanobind.h>
#include <sys/file.h>

#include <cerrno>
#include <utility>

#include "released.hpp"

namespace rlcores {

namespace nb = nanobind;

namespace {

class FileLock {
public:
    // threads: a threading.RLock; file: an open file, or one that will be closed, which is not locked any more.
    FileLock(nb::object threads, nb::object file, bool shared)
        : acquire_(threads.attr("acquire")),
          release_(threads.attr("release")),
          file_(std::move(file)),
          kind_(shared ? LOCK_SH : LOCK_EX) {}

    // How often this thread has the lock now.
    int enter() {
        acquire_();
        if (!depth_ && !closed()) {
            const int file = nb::cast<int>(file_.attr("fileno")());
            while (locked(file, kind_)) {
                const int why = errno;
                if (why == EINTR && !PyErr_CheckSignals()) continue;
                if (why != EINTR) {
                    errno = why;
                    PyErr_SetFromErrno(PyExc_OSError);
                }
                nb::python_error error;
                release_();
                throw error;
            }
        }
        return ++depth_;
    }

    void leave() {
        if (!--depth_ && !closed()) flock(nb::cast<int>(file_.attr("fileno")()), LOCK_UN);
        release_();
    }

private:
    bool closed() const { return nb::cast<bool>(file_.attr("closed")); }

    static int locked(int file, int kind) {
        if (!flock(file, kind | LOCK_NB)) return 0;
        if (errno != EWOULDBLOCK) return -1;
        int failed, why;
        {
            const Released released;
            failed = flock(file, kind);
            why = errno;
        }
        errno = why;
        return failed;
    }

    nb::object acquire_, release_, file_;
    int kind_, depth_ = 0;
};

}  // namespace

void bind_file_lock(nb::module_& module) {
    nb::class_<FileLock>(module, "FileLock")
        .def(nb::init<nb::object, nb::object, bool>())
        .def("__enter__", &FileLock::enter)
        .def(
            "__exit__", [](FileLock& lock, nb::handle, nb::handle, nb::handle) { lock.leave(); }, nb::arg().none(),
            nb::arg().none(), nb::arg().none());
}

}  // namespace rlcores
