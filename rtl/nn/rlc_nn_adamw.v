// rlc_nn_adamw.v — the optimiser AdamW (Loshchilov and Hutter, 2019): Adam, and beside its step the weight shrinks by a
// part of itself.
// SPDX-License-Identifier: Apache-2.0
//
//   w' = w - R(w * mantissa / 2^(17 + exponent)) - Adam's step
//
// ports      rlc_nn_slot.vh
// state      Adam's
// settings   Adam's; decay, {exponent (6 bits), mantissa (18)}: learning rate * weight decay is mantissa / 2^(17 + exponent), and
//            the exponent at most 46
// latency    a clock more than Adam
// cost       Adam, and one DSP slice more a lane
`default_nettype none
`include "rlc_nn_optimisers.vh"
`include "rlc_nn_slot.vh"
module rlc_nn_adamw #(
    `RLC_NN_SLOT_PARAMETERS
) (
    `RLC_NN_SLOT_PORTS
);
    localparam DECAY = 6;               // clocks of rlc_nn_sgd_lane
    localparam ADD   = WEIGHT_WIDTH + 1;
    wire signed [17:0]     decay;
    wire [5:0]             decay_exp;
    assign {decay_exp, decay} = settings[`RLC_NN_DECAY];
    reg  [6:0]             shift_q;
    wire                   adam_fits, adam_soon;
    wire [LANES*ADD-1:0]   adam_add;
    wire [LANES-1:0]       adam_carry, adam_over;
    always @(posedge clk) shift_q <= 7'd17 + {1'b0, decay_exp};
    assign settings_fit = adam_fits && !shift_q[6];

    rlc_nn_adam #(`RLC_NN_SLOT_SAME_PARAMETERS, .W_LEAD(DECAY)) u_adam (
        `RLC_NN_SLOT_SAME_INPUTS, `RLC_NN_SLOT_SAME_OUTPUTS, .settings_fit(adam_fits), .m_soon(adam_soon), .m_w(),
        .m_add(adam_add), .m_carry(adam_carry), .m_over(adam_over)
    );

    // Both moves are there in the same clock; a clock later they are one. It fits: a step is less than half of the range, and
    // a decay at most the weight.
    reg              soon_q;
    reg  [LANES-1:0] carry_q, over_q;
    always @(posedge clk) begin
        soon_q  <= !rst && adam_soon;
        carry_q <= adam_carry;
        over_q  <= adam_over;
    end
    assign m_soon  = soon_q;
    assign m_carry = carry_q;
    assign m_over  = over_q;
    rlc_delay #(.WIDTH(LANES * WEIGHT_WIDTH), .CLOCKS(DECAY + 1)) u_w (.clk(clk), .d(w), .q(m_w));

    genvar k;
    for (k = 0; k < LANES; k = k + 1) begin : g_lane
        wire signed [WEIGHT_WIDTH-1:0] weight = w[k*WEIGHT_WIDTH +: WEIGHT_WIDTH];
        wire [15:0]                    bits   = dither[k*16 +: 16];
        wire [ADD-1:0]                 add;
        wire                           carry;
        reg  [ADD-1:0]                 add_q;
        // The bits that Adam's step takes, in another order.
        rlc_nn_sgd_lane #(.WEIGHT_WIDTH(WEIGHT_WIDTH), .GRAD_WIDTH(WEIGHT_WIDTH), .ROUND(ROUND)) u_decay (
            .clk(clk), .g(weight), .rate(decay), .shift(shift_q[5:0]), .dither({bits[7:0], bits[15:8]}), .add(add),
            .carry(carry)
        );
        always @(posedge clk) add_q <= adam_add[k*ADD +: ADD] + add + {{WEIGHT_WIDTH{1'b0}}, carry};
        assign m_add[k*ADD +: ADD] = add_q;
    end
    wire unused = &{1'b0, settings};
endmodule
`default_nettype wire
