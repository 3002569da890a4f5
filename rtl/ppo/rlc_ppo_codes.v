// rlc_ppo_codes.v — values, rewards and advantages of a rollout as codes of few bits: what HEPPO's records keep.
// SPDX-License-Identifier: Apache-2.0
//
//   code = sat(round(x / 2^step)); read back: code * 2^step. BITS bits for a value or a reward, WIDE for an advantage, which
//   overwrites its reward and the two bits beside it. The reward of a step that was cut off has the values' step
//
// first, next  rlc_ppo_steps'
// act_wr_*     a value, sfix(27,16)
// adv_wr_*     {the episode ended, reward}; with cut it was cut off; with of_advantage an advantage, without the first bit
// rd_*         the value; adv_rd_*: what adv_wr_* gave. of_advantage must be what was written there
// sat          how many numbers were saturated in this clock
// latency      writes take 4 clocks, reads 2, one of each per clock; data stay until the next ones
// order        no read of what was written less than 4 clocks before, and none while a step changes
// model        rlcores.cores.ppo.records
// equation     Taha and Abdelhadi, "HEPPO", 2025: quantised rewards and values; here with steps that need no multiplier
`default_nettype none
`include "rlc_check.vh"
module rlc_ppo_codes #(
    parameter RECORDS   = 64,      // that it holds, >= 2
    parameter BITS      = 8,       // of the code of a reward or a value, 3..10
    parameter STYLE     = "auto",  // of its memories: rlc_ram_1r1w
    parameter ADDR_BITS = $clog2(RECORDS) // derived, leave it alone
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 first,
    input  wire                 next,
    input  wire                 act_wr_en,
    input  wire [ADDR_BITS-1:0] act_wr_addr,
    input  wire [26:0]          act_wr_value,
    input  wire                 adv_wr_en,
    input  wire [ADDR_BITS-1:0] adv_wr_addr,
    input  wire [27:0]          adv_wr_data,
    input  wire                 adv_wr_cut,
    input  wire                 adv_wr_of_advantage,
    input  wire                 rd_en,
    input  wire [ADDR_BITS-1:0] rd_addr,
    output wire [26:0]          rd_value,
    input  wire                 adv_rd_en,
    input  wire [ADDR_BITS-1:0] adv_rd_addr,
    input  wire                 adv_rd_of_advantage,
    output wire [27:0]          adv_rd_data,
    output reg  [1:0]           sat
);
    `RLC_CHECK(BITS >= 3 && BITS <= 10, rlc_ppo_codes_illegal_BITS_must_be_3_to_10)

    localparam WIDE  = BITS + 2;   // of an advantage: it has the bits of {cut, ended}, too
    localparam NARROW = 3;         // clocks of rlc_shift_sat

    wire [4:0] step_reward, step_value, step_advantage;
    rlc_ppo_steps #(.BITS(BITS), .WIDE(WIDE)) u_steps (
        .clk(clk), .first(first), .next(next), .value_en(act_wr_en), .value(act_wr_value), .other_en(adv_wr_en),
        .of_value(adv_wr_cut && !adv_wr_of_advantage), .of_advantage(adv_wr_of_advantage), .other(adv_wr_data[26:0]),
        .step_reward(step_reward), .step_value(step_value), .step_advantage(step_advantage)
    );

    // Values in.
    reg  [NARROW:1]      value_en_q, other_en_q;
    wire                 value_en = value_en_q[NARROW];
    always @(posedge clk) begin
        value_en_q <= rst ? {NARROW{1'b0}} : {value_en_q[NARROW-1:1], act_wr_en};
        other_en_q <= rst ? {NARROW{1'b0}} : {other_en_q[NARROW-1:1], adv_wr_en};
    end
    wire [ADDR_BITS-1:0] value_addr;
    wire [BITS-1:0]      value_code, rd_code;
    wire                 value_limits;
    rlc_delay #(.WIDTH(ADDR_BITS), .CLOCKS(NARROW)) u_value_addr (.clk(clk), .d(act_wr_addr), .q(value_addr));
    rlc_shift_sat #(.WIN(27), .WOUT(BITS), .SHIFT_WIDTH(5)) u_value_code (
        .clk(clk), .s_data(act_wr_value), .shift(step_value), .m_data(value_code), .m_saturated(value_limits)
    );

    // Rewards and advantages in: the same divider, and for a reward two bits less. Two bits of a shift are wanted a clock late.
    wire [4:0]           step = adv_wr_of_advantage ? step_advantage : adv_wr_cut ? step_value : step_reward;
    reg  [1:0]           fine_q;
    wire                 other_en = other_en_q[NARROW];
    wire                 other_cut, other_ended, other_wide;
    wire [ADDR_BITS-1:0] other_addr;
    wire [WIDE-1:0]      wide_code, word;
    wire [BITS-1:0]      narrow_code;
    wire                 wide_limits, narrow_limits;
    always @(posedge clk) fine_q <= step[1:0];
    rlc_delay #(.WIDTH(3 + ADDR_BITS), .CLOCKS(NARROW)) u_other (
        .clk(clk), .d({adv_wr_cut, adv_wr_data[27], adv_wr_of_advantage, adv_wr_addr}),
        .q({other_cut, other_ended, other_wide, other_addr})
    );
    rlc_shift_sat #(.WIN(27), .WOUT(WIDE), .SHIFT_WIDTH(5)) u_other_code (
        .clk(clk), .s_data(adv_wr_data[26:0]), .shift({step[4:2], fine_q}), .m_data(wide_code), .m_saturated(wide_limits)
    );
    rlc_round_sat #(.WIN(WIDE), .FRAC(0), .WOUT(BITS)) u_narrow (
        .in_data(wide_code), .out_data(narrow_code), .saturated(narrow_limits)
    );
    assign word = other_wide ? wide_code : {other_cut, other_ended, narrow_code};
    always @(posedge clk)
        sat <= rst ? 2'd0
                   : {1'b0, value_en && value_limits} + {1'b0, other_en && (wide_limits || (narrow_limits && !other_wide))};

    rlc_ram_1r1w #(.WIDTH(BITS), .DEPTH(RECORDS), .STYLE(STYLE), .READ_ANY(1)) u_value (
        .clk(clk), .wr_en(value_en), .wr_addr(value_addr), .wr_data(value_code), .rd_en(rd_en), .rd_addr(rd_addr),
        .rd_data(rd_code)
    );
    wire [WIDE-1:0] rd_word;
    rlc_ram_1r1w #(.WIDTH(WIDE), .DEPTH(RECORDS), .STYLE(STYLE), .READ_ANY(1)) u_other_ram (
        .clk(clk), .wr_en(other_en), .wr_addr(other_addr), .wr_data(word), .rd_en(adv_rd_en), .rd_addr(adv_rd_addr),
        .rd_data(rd_word)
    );

    // Out, a clock behind the memories: one shifter each.
    reg                rd_q, adv_rd_q, wide_q, ended_q;
    reg  signed [26:0] value_q, other_q;
    wire signed [26:0] wide_rd   = wide_q ? {{(27-WIDE){rd_word[WIDE-1]}}, rd_word}
                                          : {{(27-BITS){rd_word[BITS-1]}}, rd_word[BITS-1:0]};
    wire        [4:0]  step_back = wide_q ? step_advantage : rd_word[WIDE-1] ? step_value : step_reward;
    wire signed [26:0] value_rd  = {{(27-BITS){rd_code[BITS-1]}}, rd_code};
    always @(posedge clk) begin
        rd_q     <= rd_en;
        adv_rd_q <= adv_rd_en;
        if (adv_rd_en) wide_q <= adv_rd_of_advantage;
        if (rd_q) value_q <= value_rd <<< step_value;
        if (adv_rd_q) begin
            other_q <= wide_rd <<< step_back;
            ended_q <= !wide_q && rd_word[WIDE-2];
        end
    end
    assign rd_value    = value_q;
    assign adv_rd_data = {ended_q, other_q};
endmodule
`default_nettype wire
