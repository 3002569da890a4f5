// rlc_nn_slot.vh — what every optimiser has at its ports, said once: the slot of rlc_nn_optimiser.
// SPDX-License-Identifier: Apache-2.0
//
// A group of LANES weights goes through an optimiser every clock, without a stall. Its gradients come in; the optimiser asks
// for the weights when it wants them, and gives back the weights with what is added to each. Its state, a few numbers a
// weight, is its own.
//
// LANES          weights of a group; GROUPS: groups of a layer; STYLE: memory of the state, RLC_STYLE
// WORD           bits of a number at the host's port, at least those of each number of the state
// WEIGHT_WIDTH   bits of a weight, 19..27, WEIGHT_FRAC of them fraction; GRAD_WIDTH: bits of a gradient, 19..27
// ROUND          of the step: 0 nearest, 1 floor, 2 stochastic
// SQUARES        1: squares of the gradients are wanted
// BETA1_*, BETA2_*   Adam: 1 - beta = NUM / 2^SHIFT
//
// restart        the next group is group `first`
// settings       rlc_nn_optimisers.vh takes them apart; they stand still while anything is inside. grad_frac: fraction
//                bits of a gradient
// settings_fit   they can be used together
// s_soon         a group of gradients that moves its weights comes in `RLC_NN_SOON clocks
// s_grad         gradients; s_over: which of them were saturated before; s_counted: these are to be counted
// s_tag          goes beside a gradient, and comes out, as m_tag, beside its square
// m_squares      with SQUARES, the squares of round(gradient / 2^(GRAD_WIDTH-18))
// m_grad_over    which gradients that are to be counted were saturated, here or before
// dither_next    a group wants its random bits in the next clock, 16 a lane at dither
// w_soon         a group wants its weights at w in `RLC_NN_READ clocks
// m_soon         a group comes out in `RLC_NN_READ clocks: m_w, the old weights; m_add + m_carry, what moves each; m_over, which
//                of these moves were saturated
// host_*         while nothing is inside: number host_word of the state. host_load writes the next group from host_data,
//                host_fetch brings the next one to host_q in `RLC_NN_READ clocks, a number in WORD bits, with a sign if
//                host_sign; zeros where the optimiser has no such number
`ifndef RLC_NN_SLOT_VH
`define RLC_NN_SLOT_VH

`define RLC_NN_SOON 3
`define RLC_NN_READ 2

`define RLC_NN_SLOT_PARAMETERS \
    parameter LANES        = 4, \
    parameter GROUPS       = 16, \
    parameter STYLE        = 0, \
    parameter WORD         = 48, \
    parameter WEIGHT_WIDTH = 27, \
    parameter WEIGHT_FRAC  = 22, \
    parameter GRAD_WIDTH   = 27, \
    parameter ROUND        = 0, \
    parameter SQUARES      = 0, \
    parameter BETA1_NUM    = 205, \
    parameter BETA1_SHIFT  = 11, \
    parameter BETA2_NUM    = 131, \
    parameter BETA2_SHIFT  = 17

`define RLC_NN_SLOT_PORTS \
    input  wire                              clk, \
    input  wire                              rst, \
    input  wire                              restart, \
    input  wire [15:0]                       first, \
    input  wire `RLC_NN_SETTINGS             settings, \
    input  wire [5:0]                        grad_frac, \
    output wire                              settings_fit, \
    input  wire                              s_soon, \
    input  wire [LANES*GRAD_WIDTH-1:0]       s_grad, \
    input  wire [LANES-1:0]                  s_over, \
    input  wire                              s_counted, \
    input  wire [1:0]                        s_tag, \
    output wire [1:0]                        m_tag, \
    output wire [LANES*34-1:0]               m_squares, \
    output wire [LANES-1:0]                  m_grad_over, \
    output wire                              dither_next, \
    input  wire [LANES*16-1:0]               dither, \
    output wire                              w_soon, \
    input  wire [LANES*WEIGHT_WIDTH-1:0]     w, \
    output wire                              m_soon, \
    output wire [LANES*WEIGHT_WIDTH-1:0]     m_w, \
    output wire [LANES*(WEIGHT_WIDTH+1)-1:0] m_add, \
    output wire [LANES-1:0]                  m_carry, \
    output wire [LANES-1:0]                  m_over, \
    input  wire                              host_word, \
    input  wire                              host_load, \
    input  wire [LANES*WORD-1:0]             host_data, \
    input  wire                              host_fetch, \
    output wire [LANES*WORD-1:0]             host_q, \
    output wire                              host_sign

// An instance that has the same names around it.
`define RLC_NN_SLOT_SAME_PARAMETERS \
    .LANES(LANES), .GROUPS(GROUPS), .STYLE(STYLE), .WORD(WORD), .WEIGHT_WIDTH(WEIGHT_WIDTH), .WEIGHT_FRAC(WEIGHT_FRAC), \
    .GRAD_WIDTH(GRAD_WIDTH), .ROUND(ROUND), .SQUARES(SQUARES), .BETA1_NUM(BETA1_NUM), .BETA1_SHIFT(BETA1_SHIFT), \
    .BETA2_NUM(BETA2_NUM), .BETA2_SHIFT(BETA2_SHIFT)

`define RLC_NN_SLOT_SAME_INPUTS \
    .clk(clk), .rst(rst), .restart(restart), .first(first), .settings(settings), .grad_frac(grad_frac), .s_soon(s_soon), \
    .s_grad(s_grad), .s_over(s_over), .s_counted(s_counted), .s_tag(s_tag), .dither(dither), .w(w), \
    .host_word(host_word), .host_load(host_load), .host_data(host_data), .host_fetch(host_fetch)

`define RLC_NN_SLOT_SAME_OUTPUTS \
    .m_tag(m_tag), .m_squares(m_squares), .m_grad_over(m_grad_over), .dither_next(dither_next), .w_soon(w_soon), \
    .host_q(host_q), .host_sign(host_sign)

`define RLC_NN_SLOT_SAME_STEP \
    .settings_fit(settings_fit), .m_soon(m_soon), .m_w(m_w), .m_add(m_add), .m_carry(m_carry), .m_over(m_over)

`endif
