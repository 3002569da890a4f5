// rlc_replay_write_bench.v — rx and writer together, as rlc_replay_learner joins them; for tests.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_replay_write_bench #(
    parameter LANES       = 2,
    parameter WORDS       = 4,
    parameter DATA_WIDTH  = 64,
    parameter BEATS       = 4,
    parameter WRITES      = 4,
    parameter ADDR_WIDTH  = 34,
    parameter STRIDE_LOG2 = $clog2(BEATS * (DATA_WIDTH / 8))
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [ADDR_WIDTH-1:0] cfg_base,
    input  wire [1:0]            epoch,
    input  wire                  enable,
    input  wire                  packets,
    input  wire                  discard,
    output wire                  framing,
    output wire                  dropped,
    input  wire                  s_valid,
    output wire                  s_ready,
    input  wire [LANES*32-1:0]   s_data,
    input  wire                  s_last,
    output wire                  reserve_valid,
    input  wire                  reserve_ready,
    input  wire                  reserve_taken,
    input  wire [31:0]           sampled,
    input  wire                  slot_valid,
    input  wire [7:0]            slot_index,
    input  wire [3:0]            slot_generation,
    input  wire [31:0]           fetched,
    output wire                  commit_valid,
    input  wire                  commit_ready,
    output wire [7:0]            commit_index,
    output wire [3:0]            commit_generation,
    output wire [31:0]           commit_value,
    output wire                  commit_max,
    input  wire                  commit_done,
    output wire                  failed,
    output wire [ADDR_WIDTH-1:0] failed_addr,
    output wire                  busy,
    output wire [3:0]            awid,
    output wire [ADDR_WIDTH-1:0] awaddr,
    output wire [7:0]            awlen,
    output wire [2:0]            awsize,
    output wire [1:0]            awburst,
    output wire [3:0]            awcache,
    output wire [2:0]            awprot,
    output wire                  awvalid,
    input  wire                  awready,
    output wire [DATA_WIDTH-1:0] wdata,
    output wire [DATA_WIDTH/8-1:0] wstrb,
    output wire                  wlast,
    output wire                  wvalid,
    input  wire                  wready,
    input  wire [3:0]            bid,
    input  wire [1:0]            bresp,
    input  wire                  bvalid,
    output wire                  bready
);
    wire                  beat_valid, beat_ready, beat_last, whole;
    wire [DATA_WIDTH-1:0] beat_data;
    wire                  prio_valid, prio_ready;
    wire [31:0]           prio_data;
    rlc_replay_rx #(
        .LANES(LANES), .WORDS(WORDS), .DATA_WIDTH(DATA_WIDTH), .BEATS(BEATS), .PLACES(WRITES)
    ) u_rx (
        .clk(clk), .rst(rst), .enable(enable), .packets(packets), .discard(discard), .framing(framing),
        .dropped(dropped), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_last(s_last),
        .m_beat_valid(beat_valid), .m_beat_ready(beat_ready), .m_beat_data(beat_data), .m_beat_last(beat_last),
        .whole(whole), .m_prio_valid(prio_valid), .m_prio_ready(prio_ready), .m_prio_data(prio_data),
        .done_a(commit_done), .done_b(failed), .busy(busy)
    );
    rlc_replay_writer #(
        .DATA_WIDTH(DATA_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .ID_WIDTH(4), .BEATS(BEATS), .STRIDE_LOG2(STRIDE_LOG2),
        .INDEX_WIDTH(8), .TAG_WIDTH(4), .WRITES(WRITES)
    ) u_writer (
        .clk(clk), .rst(rst), .epoch(epoch), .cfg_base(cfg_base), .whole(whole),
        .s_beat_valid(beat_valid), .s_beat_ready(beat_ready), .s_beat_data(beat_data), .s_beat_last(beat_last),
        .s_prio_valid(prio_valid), .s_prio_ready(prio_ready), .s_prio_data(prio_data),
        .m_reserve_valid(reserve_valid), .m_reserve_ready(reserve_ready), .reserve_taken(reserve_taken),
        .sampled(sampled), .s_slot_valid(slot_valid), .s_slot_index(slot_index),
        .s_slot_generation(slot_generation), .fetched(fetched),
        .m_commit_valid(commit_valid), .m_commit_ready(commit_ready), .m_commit_index(commit_index),
        .m_commit_generation(commit_generation), .m_commit_value(commit_value), .m_commit_max(commit_max),
        .commit_done(commit_done), .failed(failed), .failed_addr(failed_addr),
        .m_axi_awid(awid), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen), .m_axi_awsize(awsize), .m_axi_awburst(awburst),
        .m_axi_awcache(awcache), .m_axi_awprot(awprot), .m_axi_awvalid(awvalid), .m_axi_awready(awready),
        .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast), .m_axi_wvalid(wvalid), .m_axi_wready(wready),
        .m_axi_bid(bid), .m_axi_bresp(bresp), .m_axi_bvalid(bvalid), .m_axi_bready(bready)
    );
endmodule
`default_nettype wire
