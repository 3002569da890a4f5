// rlc_ppo_feed.v — records of a minibatch, in their shuffled order and with standardised advantages, to the networks.
// SPDX-License-Identifier: Apache-2.0
//
// enable       level: minibatches may begin
// scale_*, s_* from rlc_ppo_minibatch_order: the scale that standardises a minibatch, and the numbers of its records. begun: pulse with
//              scale_take
// adv_rd_*     reads an advantage, which comes 2 clocks later; rd_* reads the rest of its record 12 clocks after that
// m_*          samples; m_last with the minibatch's last one
// busy         records are inside
// sat          a standardised advantage was saturated
// throughput   one record per clock
// model        rlcores.cores.ppo.standardise
`default_nettype none
`include "rlc_axi.vh"
module rlc_ppo_feed #(
    parameter OBS_BITS  = 72,      // of an observation
    parameter RAW_BITS  = 8,       // of an action
    parameter ADDR_BITS = 10       // of the memory
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [15:0]          cfg_batch,
    input  wire [4:0]           cfg_batch_bits,
    input  wire                 enable,
    input  wire                 scale_valid,
    output wire                 scale_take,
    input  wire signed [42:0]   scale_total,
    input  wire [16:0]          scale_mantissa,
    input  wire signed [6:0]    scale_exponent,
    `RLC_STREAM_SLAVE(s, ADDR_BITS),
    output wire                 adv_rd_en,
    output wire [ADDR_BITS-1:0] adv_rd_addr,
    input  wire signed [26:0]   adv_rd_data,
    output wire                 rd_en,
    output wire [ADDR_BITS-1:0] rd_addr,
    input  wire [OBS_BITS-1:0]  rd_obs,
    input  wire [RAW_BITS-1:0]  rd_raw,
    input  wire [26:0]          rd_log,
    input  wire [26:0]          rd_value,
    output wire                 m_valid,
    input  wire                 m_ready,
    output wire [OBS_BITS-1:0]  m_obs,
    output wire [RAW_BITS-1:0]  m_raw,
    output wire [26:0]          m_log,
    output wire [26:0]          m_before,
    output wire [26:0]          m_advantage,
    output wire [17:0]          m_scaled,
    output wire                 m_last,
    output wire                 busy,
    output wire                 sat
);
    localparam READ   = 2;                       // clocks of the memory
    localparam SCALE  = 12;                      // clocks of rlc_ppo_standardise
    localparam STAGES = READ + SCALE;
    localparam PLACES = 32;                      // records on their way: enough for one per clock

    // A minibatch begins when nothing of the one before is in the pipeline, whose settings change.
    reg                 reads_q;
    reg [15:0]          remaining_q;
    reg signed [42:0]   total_q;
    reg [16:0]          mantissa_q;
    reg signed [6:0]    exponent_q;
    reg [STAGES:1]      valid_q, last_q;
    wire                room, out_pop;
    wire                ends   = remaining_q == 16'd1;
    wire                issue  = reads_q && s_valid && room;
    assign scale_take = enable && scale_valid && !reads_q && valid_q == {STAGES{1'b0}};
    assign s_ready    = reads_q && room;
    always @(posedge clk) begin
        if (rst) reads_q <= 1'b0;
        else     reads_q <= scale_take || (reads_q && !(issue && ends));
        if (scale_take) begin
            remaining_q <= cfg_batch;
            total_q     <= scale_total;
            mantissa_q  <= scale_mantissa;
            exponent_q  <= scale_exponent;
        end else if (issue) remaining_q <= remaining_q - 16'd1;
        valid_q <= rst ? {STAGES{1'b0}} : {valid_q[STAGES-1:1], issue};
        last_q  <= {last_q[STAGES-1:1], ends};
    end
    rlc_credit #(.PLACES(PLACES)) u_credit (.clk(clk), .rst(rst), .take(issue), .give(out_pop), .room(room));

    // Its advantage, standardised; the rest meets it at the end.
    wire [26:0] advantage;
    wire        scaled_valid;
    wire [17:0] scaled;
    wire        scaled_limits;
    assign adv_rd_en   = issue;
    assign adv_rd_addr = s_data;
    assign rd_en       = valid_q[SCALE];
    rlc_delay_ram #(.WIDTH(ADDR_BITS), .CLOCKS(SCALE)) u_addr (.clk(clk), .rst(rst), .d(s_data), .q(rd_addr));
    rlc_delay_ram #(.WIDTH(27), .CLOCKS(SCALE)) u_advantage (.clk(clk), .rst(rst), .d(adv_rd_data), .q(advantage));
    rlc_ppo_standardise u_standardise (
        .clk(clk), .rst(rst), .cfg_count(cfg_batch), .cfg_bits(cfg_batch_bits), .total(total_q), .mantissa(mantissa_q),
        .exponent(exponent_q), .s_valid(valid_q[READ]), .s_data(adv_rd_data), .m_valid(scaled_valid), .m_data(scaled),
        .m_saturated(scaled_limits)
    );
    assign sat = scaled_valid && scaled_limits;

    rlc_queue #(.WIDTH(OBS_BITS + RAW_BITS + 100), .DEPTH(PLACES)) u_out (
        .clk(clk), .rst(rst), .s_valid(scaled_valid),
        .s_data({rd_obs, rd_raw, rd_log, rd_value, advantage, scaled, last_q[STAGES]}),
        .m_valid(m_valid), .m_ready(m_ready), .m_data({m_obs, m_raw, m_log, m_before, m_advantage, m_scaled, m_last})
    );
    assign out_pop = m_valid && m_ready;
    assign busy    = reads_q || m_valid || valid_q != {STAGES{1'b0}};
endmodule
`default_nettype wire
