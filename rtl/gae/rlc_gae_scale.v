// rlc_gae_scale.v — computes the core's scales from its statistics, and the array's constants from the scales.
// SPDX-License-Identifier: Apache-2.0
//
// start        pulse, not while busy; done: pulse at the end. Registers and statistics stand still while busy.
// *_auto       which side's scales are computed; the other side's registers keep what software wrote
// clip         ufix(16,8); value_point: signed; gamma, gamma_lambda: ufix(32,31); s_v, m_v: WORD_FRAC fraction bits
// hw_*         writes words 17 to 25 of the register file, which must show them on s_v and m_v a clock later
// s_vn … b_loop  the array's constants, held from done to the next done
// flags        pulses. config_error: start was refused, done follows, nothing else happened.
// latency      at most 2017 + 36*LOOKAHEAD clocks, when both sides are computed
//
// Ten numbers, from n, S, Q = count, sum, sum of squares of rewards and of values (L = 2^(qbits-1)-1, p = shift,
// Fv = value_point, a ratio is rounded half up; cores/gae/scale.py is the same in integers):
//   mean      S*4 / n                                                                        of either side
//   mantissa  (L*n, normalised to 64 bits) / (clip*R, normalised to 48), where R has 32 bits of either side
//             and sigma = R * 2^(32-f) / n:  R = sqrt((n*Q - S*S) * 4^f * 2^-64)
//   shift     of the mantissa: 26 - f + (bits that L*n was shifted) - (bits that clip*R was)  of either side
//   s_v       sigma * 2^(p-Fv)          m_v = mean * L/clip * 2^(p-Fv)
//   s_vn      gamma*s_v                 m_vn = gamma*m_v              powers of gamma*lambda
//
// One register {a, b}, an operand m and one adder do it, a bit (of a root: two) a step:
//   MULTIPLY    a goes right into b, whose low bit adds m one step later: `steps` give (b*m) << (130 - steps),
//               and what a was at the start, halved as often
//   LESS_SQUARE b becomes b - m*m after 130 steps: the square is added to ~b, whose bits are its carries
//   DIVIDE      the top of b goes left into a, less m; or plus m, when the step before went below zero. Each step leaves
//               a bit of the quotient in b. n steps divide the upper n bits of b (and a, below m): a shift costs nothing.
//   ROOT        the same with two bits and the root so far, which is m
//   NORMALISE   b goes left until its top bit is set, NORMALISE2 by two bits until one of the upper two is
// A ratio has one bit more than its result, and that bit rounds. It is computed by magnitude; below zero an exact half
// rounds down, so that it goes up in its own sign.
`default_nettype none
`include "rlc_check.vh"
module rlc_gae_scale #(
    `include "rlc_gae_parameters.vh"
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                start,
    output wire                busy,
    output reg                 done,
    input  wire                reward_auto,
    input  wire                value_auto,
    input  wire [4:0]          qbits,
    input  wire [15:0]         clip,
    input  wire [4:0]          shift,
    input  wire [7:0]          value_point,
    input  wire [31:0]         gamma,
    input  wire [31:0]         gamma_lambda,
    input  wire [26+5*WIDE:0]  s_v,
    input  wire [33+13*WIDE:0] m_v,
    input  wire [25+6*WIDE:0]  reward_offset,
    input  wire [39:0]         n_r,
    input  wire [63:0]         sum_r,
    input  wire [87:0]         sqr_r,
    input  wire [39:0]         n_v,
    input  wire [63:0]         sum_v,
    input  wire [87:0]         sqr_v,
    output reg                 hw_we,
    output reg  [5:0]          hw_addr,
    output reg  [31:0]         hw_data,
    output reg  [26+5*WIDE:0]  s_vn,
    output reg  [35+13*WIDE:0] k_cut,
    output reg  [35+13*WIDE:0] k_keep,
    output reg  [17+9*WIDE:0]  b_step,
    output reg  [17+9*WIDE:0]  b_loop,
    output reg                 sigma_zero_r,
    output reg                 sigma_zero_v,
    output reg                 scale_sat,
    output reg                 config_error
);
    `include "rlc_gae_defs.vh"
    localparam M_WIDTH    = OFS_WIDTH - 1;
    localparam K_WIDTH    = SUM_WIDTH - 1;
    localparam O_WIDTH    = 26 + 6 * WIDE;
    localparam B_FRAC     = 17 + 9 * WIDE;       // fraction bits of the discounts
    localparam O_FRAC     = (WIDE != 0 && $clog2(DEPTH) > 2) ? $clog2(DEPTH) - 2 : 0;  // of the reward offset
    localparam OFFSET_LOG = ACC_WIDTH - 3 - $clog2(DEPTH) + O_FRAC;
    localparam signed [O_WIDTH-1:0] OFFSET_TOP =
        (OFFSET_LOG >= O_WIDTH - 1) ? {1'b0, {(O_WIDTH-1){1'b1}}} : {{(O_WIDTH-1){1'b0}}, 1'b1} << OFFSET_LOG;
    // A code times the value scale stays below half of a value's bits.
    localparam SCALE_ROOM = ACC_WIDTH - 3 + WORD_FRAC - QBITS;
    localparam SCALE_BITS = (SCALE_ROOM > SCL_WIDTH - 1) ? SCL_WIDTH - 1 : SCALE_ROOM;
    localparam signed [SCL_WIDTH-1:0] SCALE_TOP = {SCL_WIDTH{1'b1}} >> (SCL_WIDTH - SCALE_BITS);

    `RLC_CHECK(SHIFT_MAX >= 0, rlc_gae_scale_illegal_DEPTH_must_leave_a_SHIFT_of_0)

    // The program in its order; rewards leave out what has to do with S and M.
    localparam [4:0] IDLE = 0, CHECK = 1, PRODUCT = 2, SPREAD = 3, SPREAD_TOP = 4, SIGMA = 5, DEN = 6, DEN_TOP = 7,
                     NUM = 8, NUM_TOP = 9, MANTISSA = 10, PUT_MANTISSA = 11, PUT_SHIFT = 12, SCALE = 13, PUT_SCALE = 14,
                     MEAN = 15, PUT_MEAN = 16, OFFSET_NUM = 17, OFFSET = 18, PUT_LO = 19, PUT_HI = 20,
                     NEXT_SCALE = 21, NEXT_OFFSET = 22, POWER2 = 23, POWER3 = 24, POWER4 = 25, FINISH = 26,
                     LAST = NEXT_OFFSET + LOOKAHEAD - 1;
    // An operation: a step goes right; it adds to ~b; it takes two bits; a trial, of which the sign is a bit.
    localparam [3:0] MULTIPLY = 4'b1000, LESS_SQUARE = 4'b1100, DIVIDE = 4'b0001, ROOT = 4'b0011, NORMALISE = 4'b0000,
                     NORMALISE2 = 4'b0010;
    reg         [4:0]   state_q;
    reg         [7:0]   remaining_q;             // steps; NORMALISE ends before they do
    reg                 running_q;               // steps are left; NORMALISE may have found its bit before
    reg                 right_q, minus_q, twice_q, trial_q;
    wire                running;
    reg  signed [64:0]  a_q, m_q;
    reg         [127:0] b_q;
    reg         [31:0]  root_q;
    reg         [47:0]  kept_q;                  // the normalised denominator; a ratio, rounded
    reg         [7:0]   top_q;                   // 64 - f; 0 where sigma is
    reg  signed [7:0]   shift_q;
    reg         [7:0]   steps_q;                 // of the division for s_v or m_v
    reg                 value_q;                 // the side: 0 rewards, 1 values

    // What the operations read of the inputs. A sum goes by magnitude; it leaves bit by bit while it is squared.
    wire [39:0] n   = value_q ? n_v : n_r;
    wire [63:0] sum = value_q ? sum_v : sum_r;
    reg  [63:0] sum_q;
    reg  [15:0] limit_q;
    reg         negative_q, empty_q, config_ok_q;
    always @(posedge clk) begin
        sum_q       <= (minus_q && running) ? sum_q >> 1 : sum[63] ? -sum : sum;
        negative_q  <= sum[63];
        empty_q     <= n == 40'd0;
        limit_q     <= (16'd1 << (qbits - 5'd1)) - 16'd1;
        config_ok_q <= qbits >= 5'd3 && {27'd0, qbits} <= QBITS && clip != 16'd0 && {27'd0, shift} <= SHIFT_MAX
                    && !(gamma[31] && gamma[30:0] != 31'd0) && !(gamma_lambda[31] && gamma_lambda[30:0] != 31'd0)
                    && $signed(reward_offset) <= OFFSET_TOP && $signed(reward_offset) >= -OFFSET_TOP
                    && (value_auto || ($signed(s_v) <= SCALE_TOP && $signed(s_v) >= -SCALE_TOP));
    end
    wire [39:0]        divisor = {n[39:1], n[0] || empty_q};
    wire signed [64:0] scale   = $signed(s_v);
    wire signed [64:0] offset  = $signed(m_v);

    // Steps that leave twice the quotient: R has 32 bits on top of b, mean*L has 40. After 104 it is beyond any register.
    reg signed [9:0] wish_q;
    always @(posedge clk) begin
        wish_q  <= {5'd0, shift} - {{2{value_point[7]}}, value_point} + WORD_FRAC
                 + ((state_q == OFFSET_NUM) ? 10'sd47 : 10'sd1 + {2'd0, top_q});
        steps_q <= (wish_q < 10'sd0) ? 8'd0 : (wish_q > 10'sd104) ? 8'd104 : wish_q[7:0];
    end

    // What an operation takes: `take` a new {a, b}, `go_on` with b and a = 0. Half of what falls off goes into a.
    reg  [253:0] row;
    wire         is_op, keeps_b;
    wire [3:0]   op;
    wire [7:0]   steps;
    wire [46:0]  a_in;
    wire [127:0] b_in;
    wire [64:0]  m_in;
    localparam [46:0] HALF = 47'h1_0000_0000;
    function [253:0] take(input [3:0] what, input [7:0] many, input [174:0] ab, input [64:0] m);
        take = {2'b10, what, many, ab, m};
    endfunction
    function [253:0] go_on(input [3:0] what, input [7:0] many, input [64:0] m);
        go_on = {2'b11, what, many, 175'd0, m};
    endfunction
    always @(*)
        case (state_q)
            PRODUCT:        row = take(MULTIPLY, 130, value_q ? sqr_v : sqr_r, n);
            SPREAD:         row = go_on(LESS_SQUARE, 130, sum_q);
            SPREAD_TOP:     row = go_on(NORMALISE2, 64, 0);
            SIGMA:          row = go_on(ROOT, 32, 0);
            DEN:            row = take(MULTIPLY, 50, clip, root_q);            // 48 bits on top of b
            NUM:            row = take(MULTIPLY, 66, limit_q, n);              // 64 bits on top of b
            DEN_TOP, NUM_TOP: row = go_on(NORMALISE, 64, 0);
            MANTISSA:       row = take(DIVIDE, 17, {b_q[127:64], 111'd0}, kept_q);
            SCALE:          row = take(DIVIDE, steps_q, {root_q, 96'd0}, divisor);
            MEAN:           row = take(DIVIDE, 27, {sum_q, 104'd0}, divisor);  // 2^23 bounds it, so a < n
            OFFSET_NUM:     row = take(MULTIPLY, 42, limit_q, kept_q[25:0]);   // 40 bits on top of b
            OFFSET:         row = go_on(DIVIDE, steps_q, clip);
            NEXT_SCALE:     row = take(MULTIPLY, 33, {HALF, 96'd0, gamma}, scale);
            NEXT_OFFSET:    row = take(MULTIPLY, 33, {HALF, 96'd0, gamma}, offset);
            POWER2:         row = take(MULTIPLY, 33, {HALF, 96'd0, gamma_lambda}, gamma_lambda);
            POWER3, POWER4: row = take(MULTIPLY, 33, {HALF, 96'd0, a_q[31:0]}, gamma_lambda);
            default:        row = 254'd0;
        endcase
    assign {is_op, keeps_b, op, steps, a_in, b_in, m_in} = row;

    // Its steps. The addend is chosen a clock ahead; a trial waits for the sign of the one before.
    reg                fresh_q, second_q, settled_q, carry_q;
    reg  signed [64:0] x_q;
    wire               below   = a_q[64];
    wire               normal  = !right_q && !trial_q && (b_q[127] || (twice_q && b_q[126]));
    assign             running = running_q && !normal;
    wire               step    = running && (!trial_q || second_q);
    wire [64:0]        tried   = twice_q ? {m_q[62:0], below, 1'b1} : m_q;
    wire [64:0]        moved   = right_q ? {a_q[64], a_q[64:1]}
                               : twice_q ? {a_q[62:0], b_q[127:126]} : {a_q[63:0], b_q[127]};
    wire [64:0]        total   = moved + x_q + {64'd0, carry_q};
    wire               factor  = minus_q ? sum_q[0] : b_q[0];
    wire               finished = !is_op || settled_q;
    always @(posedge clk) begin
        second_q  <= running && trial_q && !second_q;
        settled_q <= is_op && !fresh_q && !running && !settled_q && !rst;
        fresh_q   <= finished;
        if (!running) begin
            x_q     <= 65'sd0;
            carry_q <= 1'b0;
        end else begin
            x_q     <= right_q ? m_q & {65{factor}} : trial_q ? tried ^ {65{!below}} : 65'sd0;
            carry_q <= (trial_q && !below) || (minus_q && !b_q[0]);
        end
        if (fresh_q && is_op) begin
            {right_q, minus_q, twice_q, trial_q} <= op;
            running_q   <= steps != 8'd0;
            remaining_q <= steps;
            a_q         <= {18'd0, a_in};
            if (!keeps_b) b_q <= b_in;
            m_q       <= m_in;
        end else if (step) begin
            running_q   <= remaining_q != 8'd1;
            remaining_q <= remaining_q - 8'd1;
            a_q         <= total;
            b_q         <= right_q ? {a_q[0] ^ minus_q, b_q[127:1]}
                       : twice_q ? {b_q[125:0], 2'b00} : {b_q[126:0], trial_q && !total[64]};
            if (twice_q) m_q <= {m_q[63:0], !total[64]};
        end
        if (rst) running_q <= 1'b0;
    end

    // A ratio, rounded; whether a bit of it went beyond its register.
    reg                inexact_q, beyond_q;
    wire               for_scale = state_q == SCALE || state_q == PUT_SCALE;
    wire               up        = b_q[0] && (inexact_q || !negative_q || for_scale);
    wire               overflow  = beyond_q || kept_q[for_scale ? SCALE_BITS : M_WIDTH - 1];
    wire [M_WIDTH-1:0] most      = for_scale ? SCALE_TOP : {M_WIDTH{1'b1}} >> 1;
    wire [63:0]        size      = overflow ? most : kept_q[M_WIDTH-1:0];
    wire [63:0]        result    = (negative_q && !for_scale) ? -size : size;
    always @(posedge clk) begin
        inexact_q <= a_q != 65'sd0 || b_q[127:88] != 40'd0;  // what is left of a dividend is on top of b
        beyond_q  <= !(fresh_q && is_op) && (beyond_q || (step && b_q[for_scale ? SCALE_BITS : M_WIDTH - 1]));
    end

    // The order, what an operation leaves behind, and the registers that are written.
    localparam [K_WIDTH-1:0] K_ROUND = {{(K_WIDTH-1){1'b0}}, 1'b1} << (WORD_FRAC - 1);
    wire                      zero     = top_q == 8'd0;
    wire                      tiny     = shift_q <= 8'sd0;  // more than the mantissa can say, and than any code
    wire        [16:0]        mantissa = zero ? 17'd0 : tiny ? 17'h1ffff : b_q[16:0];
    wire        [5:0]         side     = value_q ? 6'd20 : 6'd17;
    wire signed [K_WIDTH-1:0] added    = $signed(reward_offset);
    wire        [K_WIDTH-1:0] k_round  = (added <<< (WORD_FRAC - O_FRAC)) + K_ROUND;
    wire        [31:0]        power    = (LOOKAHEAD == 1) ? gamma_lambda : a_q[31:0];
    wire        [B_FRAC:0]    c_step   = gamma_lambda[31:31-B_FRAC] + {{B_FRAC{1'b0}}, gamma_lambda[30-B_FRAC]};
    wire        [B_FRAC:0]    c_loop   = power[31:31-B_FRAC] + {{B_FRAC{1'b0}}, power[30-B_FRAC]};
    assign busy = state_q != IDLE;
    always @(posedge clk) begin
        {done, config_error, sigma_zero_r, sigma_zero_v, scale_sat, hw_we} <= 6'd0;
        hw_addr <= side;
        hw_data <= result[31:0];
        if (rst) state_q <= IDLE;
        else if (finished) begin
            state_q <= (state_q == LAST) ? FINISH : state_q + 5'd1;
            case (state_q)
                IDLE: if (!start) state_q <= IDLE;
                CHECK: begin
                    value_q <= !reward_auto;
                    if (!reward_auto && !value_auto) state_q <= NEXT_SCALE;
                    if (!config_ok_q) {state_q, done, config_error} <= {IDLE, 2'b11};
                end
                SPREAD_TOP: begin
                    top_q   <= remaining_q;
                    shift_q <= remaining_q - 8'd38;
                    {sigma_zero_r, sigma_zero_v} <= {!value_q, value_q} & {2{remaining_q == 8'd0}};
                end
                SIGMA: root_q <= m_q[31:0];
                DEN_TOP: begin
                    kept_q  <= b_q[127:80];
                    shift_q <= shift_q + remaining_q;
                end
                NUM_TOP: shift_q <= shift_q - remaining_q;
                PUT_MANTISSA: {hw_we, hw_addr, hw_data} <= {1'b1, side + 6'd1, 15'd0, mantissa};
                PUT_SHIFT: begin
                    {hw_we, hw_addr, hw_data} <= {1'b1, side + 6'd2, 26'd0, (zero || tiny) ? 6'd1 : shift_q[5:0]};
                    if (!value_q) state_q <= MEAN;
                end
                SCALE, MEAN, OFFSET: kept_q <= b_q[48:1] + {47'd0, up};
                PUT_SCALE: {hw_we, hw_addr, scale_sat} <= {1'b1, 6'd23, overflow};
                PUT_MEAN: begin
                    hw_we   <= 1'b1;
                    value_q <= 1'b1;
                    if (!value_q) state_q <= value_auto ? PRODUCT : NEXT_SCALE;
                end
                PUT_LO: {hw_we, hw_addr, scale_sat} <= {1'b1, 6'd24, overflow};
                PUT_HI: {hw_we, hw_addr, hw_data} <= {1'b1, 6'd25, result[63:32]};
                NEXT_SCALE: s_vn <= a_q[SCL_WIDTH-1:0];
                NEXT_OFFSET: begin
                    k_cut  <= k_round;
                    k_keep <= k_round + {{(K_WIDTH-M_WIDTH){a_q[M_WIDTH-1]}}, a_q[M_WIDTH-1:0]};
                end
                FINISH: begin  // less 1, which is the sign bit of sfix(B_FRAC+1, B_FRAC)
                    b_step <= {!c_step[B_FRAC], c_step[B_FRAC-1:0]};
                    b_loop <= {!c_loop[B_FRAC], c_loop[B_FRAC-1:0]};
                    {state_q, done} <= {IDLE, 1'b1};
                end
                default: ;
            endcase
        end
    end
endmodule
`default_nettype wire
