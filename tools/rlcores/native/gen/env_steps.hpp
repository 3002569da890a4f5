// env_steps.hpp — the kernels of all environments. Written by `rlcores generate`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "environments/acrobot.hpp"
#include "environments/cartpole.hpp"
#include "environments/mountaincar.hpp"
#include "environments/pendulum.hpp"
#include "environments/pmsm.hpp"
#include "environments/quadrotor.hpp"
