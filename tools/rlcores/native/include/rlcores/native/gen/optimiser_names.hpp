// optimiser_names.hpp — the optimisers; kernels/optimisers has a file of each name. Written by `rlcores generate`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#define RLCORES_OPTIMISERS(X) X(sgd) X(momentum) X(adam) X(adamw)
