// rlc_xoshiro128pp.v — pseudo-random words of 32 bits: the generator xoshiro128++ 1.0.
// SPDX-License-Identifier: Apache-2.0
//
// reference    Blackman, Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on Mathematical
//              Software 47 (2021): xoshiro128++. State 1, 2, 3, 4 gives 641, 1573767, 3222811527, ...
//
// state        {s3, s2, s1, s0}, loaded when load is high; not all zeros, a state that has no successor: this is the
//              caller's to prevent
// step         to the next state; load goes before
// state_q      the present state
// value        its word; changes the clock after load or step
// reset        the state of seed 0: s0 and s1 are the low and high half of the first word of splitmix64, s2 and s3
//              of the second
// throughput   one word a clock
// cost         160 flip-flops; one adder of 32 bits in front of a register, one behind it
`default_nettype none
module rlc_xoshiro128pp (
    input  wire         clk,
    input  wire         rst,
    input  wire         load,
    input  wire [127:0] state,
    input  wire         step,
    output wire [127:0] state_q,
    output wire [31:0]  value
);
    localparam [127:0] SEED_0 = 128'h6E789E6A_A1B965F4_E220A839_7B1DCDAF;

    reg  [31:0] s0_q;
    reg  [31:0] s1_q;
    reg  [31:0] s2_q;
    reg  [31:0] s3_q;
    reg  [31:0] sum_q;      // s0 + s3 of the present state, made a clock early: a word takes two adders in series

    // The next state. s2 and s3 of the middle are where both halves have met.
    wire [31:0] s2_mid = s2_q ^ s0_q;
    wire [31:0] s3_mid = s3_q ^ s1_q;
    wire [31:0] s0_d   = load ? state[31:0]   : s0_q ^ s3_mid;
    wire [31:0] s1_d   = load ? state[63:32]  : s1_q ^ s2_mid;
    wire [31:0] s2_d   = load ? state[95:64]  : s2_mid ^ {s1_q[22:0], 9'b0};
    wire [31:0] s3_d   = load ? state[127:96] : {s3_mid[20:0], s3_mid[31:21]};

    always @(posedge clk) begin
        if (rst) begin
            {s3_q, s2_q, s1_q, s0_q} <= SEED_0;
            sum_q                    <= SEED_0[31:0] + SEED_0[127:96];
        end else if (load || step) begin
            {s3_q, s2_q, s1_q, s0_q} <= {s3_d, s2_d, s1_d, s0_d};
            sum_q                    <= s0_d + s3_d;
        end
    end

    assign state_q = {s3_q, s2_q, s1_q, s0_q};
    assign value   = {sum_q[24:0], sum_q[31:25]} + s0_q;
endmodule
`default_nettype wire
