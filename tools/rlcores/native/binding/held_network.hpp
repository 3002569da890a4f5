// held_network.hpp — a network of the learner whose planes are an array of Python's.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "rlcores/native/learner.hpp"

namespace rlcores {

// Numbers (rows, columns) of our own Python's: anything else is our mistake.
using Codes = nb::ndarray<const learner::Whole, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline void check(const Codes& codes, learner::Whole rows, learner::Whole columns) {
    if (static_cast<learner::Whole>(codes.shape(0)) != rows || static_cast<learner::Whole>(codes.shape(1)) != columns ||
        !aligned<learner::Whole>(codes.data()))
        throw nb::value_error("the engine was given a batch of another shape");
}

// The settings of a loss as parameters of a function, and their names as its arguments.
#define RLCORES_PARAMETER(name) learner::Whole name,
#define RLCORES_NAME(name) name,

struct Held {
    nb::ndarray<learner::Whole, nb::ndim<2>, nb::c_contig, nb::device::cpu> planes;  // (4, size)
    learner::Network network;
    learner::ValueStep step;
    std::vector<learner::Whole> states, next_states, rewards, weights;
    std::vector<learner::Matrix> vectors, deltas, before;  // of its stages, where Python calls each by itself

    Held(decltype(planes) given, learner::Shape shape)
        : planes(std::move(given)), network(std::move(shape), planes.data()), step(network) {}
    Held(const Held&) = delete;

    std::size_t size() const { return static_cast<std::size_t>(network.size); }
};

}  // namespace rlcores
