// rlc_ppo_minibatch_order.v — the order of an epoch's records, and the sums of each minibatch's advantages before it is trained.
// SPDX-License-Identifier: Apache-2.0
//
// seed, seed_load   the seed, of which the generator takes rlc_seed's stream 65: twelve words per epoch
// start        pulse: cfg_epochs epochs begin, each of `records` records, in minibatches of cfg_batch, which divides `records`
// rd_*         reads an advantage while rd_ready; it comes 2 clocks later
// m_*          numbers of records in their new order
// scale_valid  scale_* has what standardises the next minibatch, until scale_take. Then the sums of the one after it begin
// finished     all minibatches of all epochs were taken
// cfg_batch_bits, cfg_batch_log   as rlc_ppo_scale
// model        rlcores.cores.ppo.permute, rlcores.cores.ppo.standardise
// cost         10 DSP slices, 2 tables, a queue of BATCH numbers
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_check.vh"
module rlc_ppo_minibatch_order #(
    parameter BATCH     = 16,      // most records of a minibatch, 2..65535
    parameter ADDR_BITS = 10       // of the memory, 1..24
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [127:0]         seed,
    input  wire                 seed_load,
    input  wire [7:0]           cfg_epochs,
    input  wire [15:0]          cfg_batch,
    input  wire [4:0]           cfg_batch_bits,
    input  wire [20:0]          cfg_batch_log,
    input  wire                 start,
    input  wire [ADDR_BITS:0]   records,
    output wire                 rd_en,
    input  wire                 rd_ready,
    output wire [ADDR_BITS-1:0] rd_addr,
    input  wire signed [26:0]   rd_data,
    `RLC_STREAM_MASTER(m, ADDR_BITS),
    output wire                 scale_valid,
    input  wire                 scale_take,
    output wire signed [42:0]   scale_total,
    output wire [16:0]          scale_mantissa,
    output wire signed [6:0]    scale_exponent,
    output wire                 finished
);
    `RLC_CHECK(BATCH >= 2 && BATCH <= 65535, rlc_ppo_minibatch_order_illegal_BATCH_must_be_2_to_65535)

    localparam READ = 2;                         // clocks of the memory

    // Its generator. All zeros has no successor: there it is s0 = 1.
    wire [127:0] own, unused_state;
    wire [31:0]  key;
    wire         key_step;
    rlc_seed #(.STREAM(65)) u_seed (.seed(seed), .own(own));
    rlc_xoshiro128pp u_keys (
        .clk(clk), .rst(rst), .load(seed_load), .state({own[127:1], own[0] || own == 128'd0}), .step(key_step),
        .state_q(unused_state), .value(key)
    );

    // Epochs, one behind the other.
    reg  [7:0]           epochs_q;               // that have not begun
    wire                 permutes, number_valid, number_ready, number_last;
    wire [ADDR_BITS-1:0] number;
    wire                 begins = epochs_q != 8'd0 && !permutes;
    always @(posedge clk)
        if (rst)         epochs_q <= 8'd0;
        else if (start)  epochs_q <= cfg_epochs;
        else if (begins) epochs_q <= epochs_q - 8'd1;
    rlc_ppo_index_cipher #(.BITS(ADDR_BITS)) u_index_cipher (
        .clk(clk), .rst(rst), .start(begins), .length(records), .key_step(key_step), .key(key), .busy(permutes),
        .m_valid(number_valid), .m_ready(number_ready), .m_data(number), .m_last(number_last)
    );

    // Minibatches: while it sums, a number goes to the queue and its advantage to the sums.
    reg         sums_q, scaled_q;
    reg  [15:0] remaining_q;
    wire        room, scaled;
    wire        ends = remaining_q == 16'd1;
    assign number_ready = sums_q && room && rd_ready;
    assign rd_en        = number_valid && number_ready;
    assign rd_addr      = number;
    always @(posedge clk) begin
        if (rst) begin
            sums_q   <= 1'b0;
            scaled_q <= 1'b0;
        end else begin
            if (start || scale_take)  sums_q <= 1'b1;
            else if (rd_en && ends)   sums_q <= 1'b0;
            if (scaled)               scaled_q <= 1'b1;
            else if (scale_take)      scaled_q <= 1'b0;
        end
        if (start || scale_take) remaining_q <= cfg_batch;
        else if (rd_en)          remaining_q <= remaining_q - 16'd1;
    end
    assign scale_valid = scaled_q;
    assign finished    = epochs_q == 8'd0 && !permutes && sums_q && remaining_q == cfg_batch;

    rlc_fifo #(.WIDTH(ADDR_BITS), .DEPTH(BATCH), .STYLE((BATCH > 64) ? "block" : "distributed")) u_order (
        .clk(clk), .rst(rst), .s_valid(number_valid && sums_q && rd_ready), .s_ready(room), .s_data(number),
        `RLC_STREAM_JOIN(m, m), .count()
    );

    reg [READ:1] read_q, last_q;
    always @(posedge clk) begin
        read_q <= rst ? {READ{1'b0}} : {read_q[READ-1:1], rd_en};
        last_q <= {last_q[READ-1:1], ends};
    end
    rlc_ppo_scale u_scale (
        .clk(clk), .rst(rst), .cfg_count(cfg_batch), .cfg_bits(cfg_batch_bits), .cfg_log(cfg_batch_log),
        .s_valid(read_q[READ]), .s_data(rd_data), .s_last(last_q[READ]), .done(scaled),
        .total(scale_total), .mantissa(scale_mantissa), .exponent(scale_exponent)
    );
    wire unused = &{1'b0, unused_state, number_last};
endmodule
`default_nettype wire
