// rlc_nn_optimiser.v — the optimiser that OPTIMISER names, in the slot of rlc_nn_slot.vh. Written by `rlcores generate`.
// SPDX-License-Identifier: Apache-2.0
//
// ports  rlc_nn_slot.vh
`default_nettype none
`include "rlc_check.vh"
`include "rlc_nn_optimisers.vh"
`include "rlc_nn_slot.vh"
module rlc_nn_optimiser #(
    parameter OPTIMISER = 0, // 0 SGD, 1 SGD with momentum, 2 Adam, 3 AdamW
    `RLC_NN_SLOT_PARAMETERS
) (
    `RLC_NN_SLOT_PORTS
);
    `include "rlc_nn_state.vh"
    `RLC_CHECK(IS_SGD || IS_MOMENTUM || IS_ADAM || IS_ADAMW,
               rlc_nn_optimiser_illegal_OPTIMISER_must_be_0_to_3)
    `RLC_CHECK(BETA1_SHIFT >= 1 && BETA1_SHIFT <= 20 && BETA1_NUM >= 1 && BETA1_NUM <= (1 << BETA1_SHIFT)
               && BETA1_NUM < 16384 && BETA2_SHIFT >= 1 && BETA2_SHIFT <= 20 && BETA2_NUM >= 1
               && BETA2_NUM <= (1 << BETA2_SHIFT) && BETA2_NUM < 16384,
               rlc_nn_optimiser_illegal_BETA1_NUM_and_BETA2_NUM_must_be_1_to_16383_and_at_most_2_to_BETA1_SHIFT_and_BETA2_SHIFT_of_1_to_20)

    if (IS_SGD) begin : g_sgd
        rlc_nn_sgd #(`RLC_NN_SLOT_SAME_PARAMETERS) u_sgd (
            `RLC_NN_SLOT_SAME_INPUTS, `RLC_NN_SLOT_SAME_OUTPUTS, `RLC_NN_SLOT_SAME_STEP
        );
    end else if (IS_MOMENTUM) begin : g_momentum
        rlc_nn_momentum #(`RLC_NN_SLOT_SAME_PARAMETERS) u_momentum (
            `RLC_NN_SLOT_SAME_INPUTS, `RLC_NN_SLOT_SAME_OUTPUTS, `RLC_NN_SLOT_SAME_STEP
        );
    end else if (IS_ADAM) begin : g_adam
        rlc_nn_adam #(`RLC_NN_SLOT_SAME_PARAMETERS) u_adam (
            `RLC_NN_SLOT_SAME_INPUTS, `RLC_NN_SLOT_SAME_OUTPUTS, `RLC_NN_SLOT_SAME_STEP
        );
    end else if (IS_ADAMW) begin : g_adamw
        rlc_nn_adamw #(`RLC_NN_SLOT_SAME_PARAMETERS) u_adamw (
            `RLC_NN_SLOT_SAME_INPUTS, `RLC_NN_SLOT_SAME_OUTPUTS, `RLC_NN_SLOT_SAME_STEP
        );
    end
endmodule
`default_nettype wire
