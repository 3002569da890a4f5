// rlc_gae_group.sv — ROWS rows of the array with the BANKS stack memories they share.
// SPDX-License-Identifier: Apache-2.0
//
//   banks ──► xbar ──► rows ──► xbar ──► banks          dispatch says who takes from whom
//
// slot        of each memory of each bank: this clock's turn (while running) or the lane that push, arm, rearm and read mean
// *_at        with two stacks, every bank is there twice: which one is loaded, run, read; drop_at empties
// emptied     pulse: empties the stack that was read
// push        one bit a bank: push this record; push_full answers in the same clock
// wrote       one bit a row: it gives a result in this clock; saturated: a clock later, some code was saturated
// latency     that of a row and 4 clocks from the pop of a record to its result in memory
`default_nettype none
module rlc_gae_group #(
    parameter ROWS       = 1,                                          // rows of the group
    parameter BANKS      = 1,                                          // memories of the group
    parameter DEPTH      = 1024,                                       // records per lane, 2 to 4096
    parameter LOOKAHEAD  = 2,                                          // steps of look-ahead, 1 to 4
    parameter INTERLEAVE = 1,                                          // lanes that take turns on a row, 1 to 8
    parameter QBITS      = 8,                                          // bits of a reward or value code, 3 to 16
    parameter OUT_BITS   = 8,                                          // bits of a result code: QBITS, 16 or 24
    parameter STACKS     = 1,                                          // rollouts held at once
    parameter TRACE      = 0,                                          // 1: a coefficient a step in the place of its value
    parameter SLOT_WIDTH = (INTERLEAVE > 1) ? $clog2(INTERLEAVE) : 1,  // bits of a turn's number
    parameter WIDE       = (QBITS > 10) ? 1 : 0                        // follows from QBITS: longer sums
) (
    input  wire                        clk,
    input  wire                        rst,
    `include "rlc_gae_cfg.vh"

    input  wire                        clear,
    input  wire                        emptied,
    input  wire [STACKS-1:0]           load_at,
    input  wire [STACKS-1:0]           run_at,
    input  wire [STACKS-1:0]           read_at,
    input  wire [STACKS-1:0]           drop_at,
    input  wire [BANKS*STACKS*SLOT_WIDTH-1:0] slot,  // bank by bank
    input  wire [BANKS-1:0]            push,
    input  wire [BANKS*2-1:0]          push_kind,
    input  wire [BANKS*QBITS-1:0]      push_q_r,
    input  wire [BANKS*QBITS-1:0]      push_q_v,
    output wire [BANKS-1:0]            push_full,
    output reg                         loaded,
    output reg                         no_boot,

    input  wire                        arm,
    input  wire                        run,
    input  wire                        rearm,
    input  wire                        mark,
    input  wire                        undo,
    input  wire                        rewind,
    input  wire                        restore,
    input  wire [BANKS-1:0]            read,
    output wire                        idle,
    output wire [ROWS-1:0]             wrote,
    output reg                         saturated,

    output wire [BANKS*2-1:0]          o_kind,
    output wire [BANKS*OUT_BITS-1:0]   o_adv,
    output wire [BANKS*OUT_BITS-1:0]   o_rtg
);
    localparam TAG_WIDTH  = $clog2(DEPTH * INTERLEAVE);
    localparam BANK_WIDTH = (BANKS > 1) ? $clog2(BANKS) : 1;
    localparam ROW_TAG    = BANK_WIDTH + TAG_WIDTH;

    wire [BANKS-1:0]            exhausted, last, bank_pop, bank_loaded, bank_no_boot;
    wire [ROWS-1:0]             row_valid, row_valid_s1;
    wire [ROWS*BANK_WIDTH-1:0]  row_bank, row_bank_s1;
    wire [BANKS*2-1:0]          run_kind;
    wire [BANKS*QBITS-1:0]      o_q_r, o_q_v;
    wire [BANKS*TAG_WIDTH-1:0]  o_tag;

    wire [ROWS-1:0]             s_valid;
    wire [ROWS*2-1:0]           s_kind;
    wire [ROWS*QBITS-1:0]       s_q_r, s_q_v;
    wire [ROWS*ROW_TAG-1:0]     s_tag;
    wire [ROWS-1:0]             m_write, m_saturated;
    wire [ROWS*2-1:0]           m_kind;
    wire [ROWS*OUT_BITS-1:0]    m_adv, m_rtg;
    wire [ROWS*ROW_TAG-1:0]     m_tag;
    wire [BANKS-1:0]            wb_write;
    wire [BANKS*2-1:0]          wb_kind;
    wire [BANKS*OUT_BITS-1:0]   wb_adv, wb_rtg;
    wire [BANKS*TAG_WIDTH-1:0]  wb_tag;

    rlc_gae_dispatch #(.ROWS(ROWS), .BANKS(BANKS), .INTERLEAVE(INTERLEAVE)) u_dispatch (.*, .start(arm));
    rlc_delay #(.WIDTH(ROWS + ROWS*BANK_WIDTH), .CLOCKS(1)) u_beside (
        .clk(clk), .d({row_valid, row_bank}), .q({row_valid_s1, row_bank_s1})
    );

    genvar i, s;
    for (i = 0; i < BANKS; i = i + 1) begin : g_bank
        localparam TO_RUN  = 4 + 2 * QBITS + TAG_WIDTH;
        localparam TO_READ = 2 + 2 * OUT_BITS;
        wire [STACKS*3-1:0]       to_load;
        wire [STACKS*TO_RUN-1:0]  to_run;
        wire [STACKS*TO_READ-1:0] to_read;
        for (s = 0; s < STACKS; s = s + 1) begin : g_stack
            wire loads = (STACKS == 1) || load_at[s];
            wire runs  = (STACKS == 1) || run_at[s];
            wire reads = (STACKS == 1) || read_at[s];
            wire                  full, exhausted_here, last_here, loaded_here, no_boot_here;
            wire [1:0]            kind;
            wire [QBITS-1:0]      q_r, q_v;
            wire [TAG_WIDTH-1:0]  tag;
            wire [OUT_BITS-1:0]   adv, rtg;
            rlc_gae_bank #(
                .DEPTH(DEPTH), .INTERLEAVE(INTERLEAVE), .QBITS(QBITS), .OUT_BITS(OUT_BITS)
            ) u_bank (
                .clk(clk), .rst(rst), .clear(clear || (emptied && reads) || (STACKS > 1 && drop_at[s])),
                .slot(slot[(i*STACKS + s)*SLOT_WIDTH +: SLOT_WIDTH]),
                .push(push[i] && loads), .push_kind(push_kind[i*2 +: 2]),
                .push_q_r(push_q_r[i*QBITS +: QBITS]), .push_q_v(push_q_v[i*QBITS +: QBITS]), .push_full(full),
                .backwards((arm || run) && runs), .arm(arm && runs), .pop(bank_pop[i] && runs), .rearm(rearm && runs), .read(read[i] && reads),
                .mark(mark && loads), .rewind((rewind && reads) || (undo && loads)), .restore(restore && loads),
                .exhausted(exhausted_here), .last(last_here), .loaded(loaded_here), .no_boot(no_boot_here),
                .o_kind(kind), .o_q_r(q_r), .o_q_v(q_v), .o_tag(tag), .o_adv(adv), .o_rtg(rtg),
                .wb_write(wb_write[i] && runs), .wb_kind(wb_kind[i*2 +: 2]), .wb_adv(wb_adv[i*OUT_BITS +: OUT_BITS]),
                .wb_rtg(wb_rtg[i*OUT_BITS +: OUT_BITS]), .wb_tag(wb_tag[i*TAG_WIDTH +: TAG_WIDTH])
            );
            assign to_load[s*3 +: 3]             = {full, loaded_here, no_boot_here} & {3{loads}};
            assign to_run[s*TO_RUN +: TO_RUN]    = {exhausted_here, last_here, kind, q_r, q_v, tag} & {TO_RUN{runs}};
            assign to_read[s*TO_READ +: TO_READ] = {kind, adv, rtg} & {TO_READ{reads}};
        end
        // One stack answers each.
        reg [2:0]         loaded_one;
        reg [TO_RUN-1:0]  run_one;
        reg [TO_READ-1:0] read_one;
        integer n;
        always @* begin
            loaded_one = 3'd0;
            run_one    = {TO_RUN{1'b0}};
            read_one   = {TO_READ{1'b0}};
            for (n = 0; n < STACKS; n = n + 1) begin
                loaded_one = loaded_one | to_load[n*3 +: 3];
                run_one    = run_one | to_run[n*TO_RUN +: TO_RUN];
                read_one   = read_one | to_read[n*TO_READ +: TO_READ];
            end
        end
        assign {push_full[i], bank_loaded[i], bank_no_boot[i]} = loaded_one;
        assign {exhausted[i], last[i], run_kind[i*2 +: 2], o_q_r[i*QBITS +: QBITS], o_q_v[i*QBITS +: QBITS],
                o_tag[i*TAG_WIDTH +: TAG_WIDTH]} = run_one;
        assign {o_kind[i*2 +: 2], o_adv[i*OUT_BITS +: OUT_BITS], o_rtg[i*OUT_BITS +: OUT_BITS]} = read_one;
    end
    for (i = 0; i < ROWS; i = i + 1) begin : g_row
        rlc_gae_row #(
            .DEPTH(DEPTH), .QBITS(QBITS), .OUT_BITS(OUT_BITS),
            .LOOKAHEAD(LOOKAHEAD), .INTERLEAVE(INTERLEAVE), .TAG_WIDTH(ROW_TAG), .TRACE(TRACE)
        ) u_row (
            .*, .s_valid(s_valid[i]), .s_kind(s_kind[i*2 +: 2]), .s_q_r(s_q_r[i*QBITS +: QBITS]),
            .s_q_v(s_q_v[i*QBITS +: QBITS]), .s_tag(s_tag[i*ROW_TAG +: ROW_TAG]),
            .m_write(m_write[i]), .m_saturated(m_saturated[i]), .m_kind(m_kind[i*2 +: 2]),
            .m_adv(m_adv[i*OUT_BITS +: OUT_BITS]), .m_rtg(m_rtg[i*OUT_BITS +: OUT_BITS]),
            .m_tag(m_tag[i*ROW_TAG +: ROW_TAG])
        );
    end

    rlc_gae_xbar #(
        .ROWS(ROWS), .BANKS(BANKS), .QBITS(QBITS), .OUT_BITS(OUT_BITS), .TAG_WIDTH(TAG_WIDTH)
    ) u_xbar (.*, .o_kind(run_kind), .row_valid(row_valid_s1), .row_bank(row_bank_s1));

    always @(posedge clk) begin
        loaded    <= |bank_loaded;
        no_boot   <= |bank_no_boot;
        saturated <= |(m_write & m_saturated);
    end
    assign wrote     = m_write;
endmodule
`default_nettype wire
