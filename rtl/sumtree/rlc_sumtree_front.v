// rlc_sumtree_front.v — operations on their way to the banks: which bank each goes to, and CLEAR, which goes to all.
// SPDX-License-Identifier: Apache-2.0
//
// cfg_capacity  slots, at least BANKS; taken at reset and by CLEAR
// cfg_private   quasi-static: inserts go to the bank of their own lane, instead of the bank of the next slot
// s_*           operations, one a lane: kind, slot (its low bits are the bank) and payload. CLEAR counts on lane 0 only
// m_*           the same one clock later with the bank, without the CLEARs of lane 0
// idle          the queues behind m_* are empty
// clear         one bit a bank: the bank is to take a CLEAR, with the payload clear_data, until clear_taken
// busy          a CLEAR waits or is handed out; s_ready is low
// capacity      in force
//
// A CLEAR waits until all operations before it are in their banks: those taken earlier, and in the same clock on other
// lanes. What comes after waits until every bank has taken it.
`default_nettype none
module rlc_sumtree_front #(
    parameter BANKS      = 8,             // 2, 4, 8 or 16; a lane for each
    parameter SLOT_WIDTH = 15,            // bits of a slot's number
    parameter WIDTH      = 60,            // payload bits
    parameter BANK_BITS  = $clog2(BANKS)  // derived, leave it alone
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire [SLOT_WIDTH:0]         cfg_capacity,
    input  wire                        cfg_private,
    input  wire [BANKS-1:0]            s_valid,
    output wire [BANKS-1:0]            s_ready,
    input  wire [BANKS*3-1:0]          s_kind,
    input  wire [BANKS*SLOT_WIDTH-1:0] s_slot,
    input  wire [BANKS*WIDTH-1:0]      s_data,
    output wire [BANKS-1:0]            m_valid,
    input  wire [BANKS-1:0]            m_ready,
    output wire [BANKS*BANK_BITS-1:0]  m_bank,
    output wire [BANKS*WIDTH-1:0]      m_data,
    input  wire                        idle,
    output reg  [BANKS-1:0]            clear,
    output reg  [WIDTH-1:0]            clear_data,
    input  wire [BANKS-1:0]            clear_taken,
    output reg                         busy,  // from a CLEAR until all banks have it
    output wire [SLOT_WIDTH:0]         capacity
);
    `include "rlc_sumtree_kinds.vh"

    reg              given_q;    // the banks were told
    wire [BANKS-1:0] room;
    wire [BANKS-1:0] offered = s_valid & {BANKS{!busy}};
    wire [BANKS-1:0] take    = offered & room;
    wire             clears  = s_kind[2:0] == OP_CLEAR;
    wire             done    = busy && given_q && clear == {BANKS{1'b0}};

    assign s_ready    = room & {BANKS{!busy}};

    always @(posedge clk) begin
        if (rst) begin
            busy    <= 1'b0;
            given_q <= 1'b0;
            clear   <= {BANKS{1'b0}};
        end else begin
            if (take[0] && clears) busy <= 1'b1;
            else if (done) busy <= 1'b0;
            if (busy && !given_q && idle && m_valid == {BANKS{1'b0}}) begin
                given_q <= 1'b1;
                clear   <= {BANKS{1'b1}};
            end else begin
                if (done) given_q <= 1'b0;
                clear <= clear & ~clear_taken;
            end
        end
        if (!busy) clear_data <= s_data[WIDTH-1:0];
    end

    // Banks.
    wire [BANKS-1:0]           inserts;
    wire [BANKS*BANK_BITS-1:0] dealt;
    rlc_sumtree_spread #(.BANKS(BANKS), .SLOT_WIDTH(SLOT_WIDTH)) u_spread (
        .clk(clk), .restart(rst || done), .cfg_capacity(cfg_capacity),
        .take(take & inserts), .bank(dealt), .capacity(capacity)
    );

    genvar l;
    for (l = 0; l < BANKS; l = l + 1) begin : g_lane
        localparam [31:0] OWN = l;
        wire [2:0] kind = s_kind[l*3 +: 3];
        assign inserts[l] = kind == OP_INSERT || kind == OP_RESERVE;
        wire [BANK_BITS-1:0] bank = !inserts[l]  ? s_slot[l*SLOT_WIDTH +: BANK_BITS]
                                  : cfg_private ? OWN[BANK_BITS-1:0] : dealt[l*BANK_BITS +: BANK_BITS];
        rlc_skid #(.WIDTH(BANK_BITS + WIDTH)) u_skid (
            .clk(clk), .rst(rst),
            .s_valid(offered[l] && !(l == 0 && clears)), .s_ready(room[l]),
            .s_data({bank, s_data[l*WIDTH +: WIDTH]}),
            .m_valid(m_valid[l]), .m_ready(m_ready[l]),
            .m_data({m_bank[l*BANK_BITS +: BANK_BITS], m_data[l*WIDTH +: WIDTH]})
        );
    end

    wire unused = &{1'b0, s_slot};
endmodule
`default_nettype wire
