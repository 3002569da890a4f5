// env_steps.hpp — the kernels of all environments. Written by `rlcores generate`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rlcores/native/environments/acrobot.hpp"
#include "rlcores/native/environments/cartpole.hpp"
#include "rlcores/native/environments/mountaincar.hpp"
#include "rlcores/native/environments/pendulum.hpp"
#include "rlcores/native/environments/pmsm.hpp"
#include "rlcores/native/environments/quadrotor.hpp"
