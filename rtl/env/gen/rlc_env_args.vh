// rlc_env_args.vh — the parameters of a module handed on to an instance in it.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration env.yaml; do not edit.

    .ENV(ENV), .N_ENVS(N_ENVS), .TIME_LIMIT(TIME_LIMIT)
