// arrays.hpp — arrays of Python's callers, as they lie in memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace rlcores {

namespace nb = nanobind;

// Whether a T may lie there. Vector code may fault where it does not.
template <class T>
bool aligned(const void* data) {
    return reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0;
}

// numpy.ndarray; the module knows it as long as it lives.
inline PyObject* ndarray = nullptr;

// A view of an object with the buffer protocol. Nothing is copied; the object stays while the view does.
class View {
public:
    View() = default;
    // Throws TypeError or BufferError as Python says it.
    View(nb::handle object, bool writable) {
        if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_ND | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0)))
            throw nb::python_error();
        held_ = true;
    }
    ~View() {
        if (held_) PyBuffer_Release(&buffer_);
    }
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    // Whether it can be looked at; what Python said if not is forgotten.
    bool tried(nb::handle object, bool writable) {
        held_ = !PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_ND | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0));
        if (!held_) PyErr_Clear();
        return held_;
    }
    // The same of what callers give: a NumPy array, and no kind of one that may mean something else (a masked array).
    bool taken(nb::handle object) {
        return reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())) == ndarray && tried(object, false);
    }
    // T in this many dimensions, in this machine's byte order, where a T may lie.
    template <class T>
    bool is(int dimensions = 1) const {
        if (!held_ || buffer_.ndim != dimensions || buffer_.itemsize != sizeof(T) || !buffer_.format) return false;
        if (!aligned<T>(buffer_.buf)) return false;
        const char* format = buffer_.format;
        if (*format == '@' || *format == '=') ++format;
        const char* codes = std::is_same_v<T, bool>       ? "?"
                            : std::is_floating_point_v<T> ? "fd"
                            : std::is_signed_v<T>         ? "bhilq"
                                                          : "BHILQ";
        return format[0] && !format[1] && std::strchr(codes, format[0]);
    }
    // Bytes of a number where it has floating ones; else 0.
    std::size_t floating() const {
        const char* format = held_ && buffer_.format ? buffer_.format : "";
        const std::size_t length = std::strlen(format);
        return length && std::strchr("efdg", format[length - 1]) ? static_cast<std::size_t>(buffer_.itemsize) : 0;
    }
    std::size_t size() const { return buffer_.itemsize ? bytes() / static_cast<std::size_t>(buffer_.itemsize) : 0; }
    int dimensions() const { return buffer_.ndim; }
    std::size_t length(int dimension) const { return static_cast<std::size_t>(buffer_.shape[dimension]); }
    std::size_t bytes() const { return static_cast<std::size_t>(buffer_.len); }
    void* data() const { return buffer_.buf; }
    template <class T>
    T* as() const {
        return static_cast<T*>(buffer_.buf);
    }

private:
    Py_buffer buffer_{};
    bool held_ = false;
};

// An array of n numbers of type T, for code that our own Python calls: anything else is our mistake.
template <class T>
class Array {
public:
    explicit Array(nb::handle object, bool writable = false) : view_(object, writable) {
        if (!view_.is<T>()) throw nb::type_error("the engine was given an array of another type or shape");
    }
    Array(nb::handle object, std::size_t n, bool writable = false) : Array(object, writable) {
        if (size() != n) throw nb::value_error("the engine was given arrays of different lengths");
    }
    std::size_t size() const { return view_.size(); }
    T* data() const { return view_.as<T>(); }
    T& operator[](std::size_t i) const { return data()[i]; }

private:
    View view_;
};

// An array that is written, or nothing where None was given.
template <class T>
class Wanted {
public:
    Wanted(nb::handle object, std::size_t n) {
        if (object.is_none()) return;
        if (!view_.tried(object, true) || !view_.is<T>() || view_.size() != n)
            throw nb::type_error("the engine was given an array of another type or length to write to");
        data_ = view_.as<T>();
    }
    T* data() const { return data_; }

private:
    View view_;
    T* data_ = nullptr;
};

}  // namespace rlcores
