// soc.v — a design of somebody else's: priorities come through a register slice into a sum tree of 64 leaves.
// SPDX-License-Identifier: Apache-2.0
//
// s_*        priorities, valid/ready; each takes the next slot of the tree
// t_*        targets, valid/ready: which slot holds the target-th unit of all priorities?
// m_*        the slot and its priority
// total      sum of the priorities
`default_nettype none
module soc (
    input  wire        clk,
    input  wire        rst,
    input  wire        s_valid,
    output wire        s_ready,
    input  wire [7:0]  s_priority,
    input  wire        t_valid,
    output wire        t_ready,
    input  wire [15:0] t_target,
    output wire        m_valid,
    input  wire        m_ready,
    output wire [5:0]  m_slot,
    output wire [7:0]  m_priority,
    output wire [13:0] total
);
    localparam [2:0] INSERT = 3'd1;  // rlc_sumtree_kinds.vh
    localparam [1:0] TARGET = 2'd2;

    wire       op_valid, op_ready;
    wire [7:0] op_priority;
    rlc_skid #(.WIDTH(8)) u_slice (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_priority),
        .m_valid(op_valid), .m_ready(op_ready), .m_data(op_priority)
    );

    wire       done_valid, busy, full, ev_stale, ev_range, ev_kind, ev_empty, ev_miss;
    wire [2:0] done_kind, sample_generation, done_generation;
    wire [1:0] done_status, sample_status;
    wire [5:0] done_index, next;
    wire [6:0] size, capacity;
    wire [7:0] done_priority, largest;
    wire [13:0] sample_total;
    rlc_sumtree #(
        .LEAVES_LOG2(6), .RADIX_LOG2(2), .CAPACITY(64), .PRIORITY_WIDTH(8), .DRAW_WIDTH(16), .GENERATION_WIDTH(3)
    ) u_tree (
        .clk(clk), .rst(rst),
        .cfg_capacity(7'd64), .cfg_initial(8'd1), .cfg_strata(16'd1), .cfg_restart(1'b0), .cfg_seed_valid(1'b0),
        .cfg_seed(128'd0),
        .s_op_valid(op_valid), .s_op_ready(op_ready), .s_op_kind(INSERT), .s_op_check(1'b0), .s_op_max(1'b0),
        .s_op_beyond(1'b0), .s_op_index(6'd0), .s_op_generation(3'd0), .s_op_priority(op_priority),
        .m_op_valid(done_valid), .m_op_ready(1'b1), .m_op_kind(done_kind), .m_op_status(done_status),
        .m_op_index(done_index), .m_op_generation(done_generation), .m_op_priority(done_priority),
        .s_sample_valid(t_valid), .s_sample_ready(t_ready), .s_sample_kind(TARGET), .s_sample_value(t_target),
        .m_sample_valid(m_valid), .m_sample_ready(m_ready), .m_sample_status(sample_status), .m_sample_index(m_slot),
        .m_sample_priority(m_priority), .m_sample_total(sample_total), .m_sample_generation(sample_generation),
        .busy(busy), .total(total), .size(size), .next(next), .full(full), .largest(largest), .capacity(capacity),
        .ev_stale(ev_stale), .ev_range(ev_range), .ev_kind(ev_kind), .ev_empty(ev_empty), .ev_miss(ev_miss)
    );

    wire unused = &{1'b0, done_valid, done_kind, done_status, done_index, done_generation, done_priority, sample_status,
                    sample_total, sample_generation, busy, size, next, full, largest, capacity, ev_stale, ev_range,
                    ev_kind, ev_empty, ev_miss};
endmodule
`default_nettype wire
