// rlc_replay_regs.v — the loop's registers: what its commands do, and which writes are refused, around the map of
// replay_learner.rdl.
// SPDX-License-Identifier: Apache-2.0
//
// parameters   those of rlc_replay_learner, and what follows from them, shown to software in PARAM0..PARAM3
// reg_*        of rlc_axil_regs; what comes at the wrong moment or does not fit changes nothing and raises CONFIG or HOST
// cfg_*        stand still while busy; cfg_base and cfg_td_frac also while rx_busy
// start, stop  pulses; stop comes with an error of memory too, and a start in its clock starts nothing
// abort        pulse, whatever else is written; aborting: it is not over
// cfg_packets  TLAST of the experiences ends a packet of records, not each
// host_*       host_valid until host_ready, then host_waits until the answer stands at answer_*
// enough       FILLED is MIN_SIZE or more, and 1 or more
// ev_*         pulses that count, raise flags, or both
`default_nettype none
module rlc_replay_regs #(
    parameter DATA_WIDTH = 128,   // bits of a beat of the memory
    parameter ADDR_WIDTH = 34,    // bits of its addresses
    parameter READS      = 16,    // reads in flight at most
    parameter WRITES     = 8,     // experiences between reservation and commit at most
    parameter AHEAD_MAX  = 4,     // largest D
    parameter BATCH_MAX  = 64,    // longest batch
    parameter WORDS      = 3,     // words a record
    parameter BEATS      = 3,     // beats a record
    parameter STRIDE     = 64,    // bytes from one record to the next
    parameter REACH_LOG2 = 18,    // of the bytes of 2^LEAVES_LOG2 records
    parameter LANES_0    = 4,     // 32-bit elements a word
    parameter AHEAD_WIDTH = $clog2(AHEAD_MAX + 2) // derived, leave it alone
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire                  reg_wr_en,
    input  wire [5:0]            reg_wr_addr,
    input  wire [31:0]           reg_wr_data,
    output wire                  reg_wr_acts,
    input  wire [5:0]            reg_rd_addr,
    output wire [31:0]           reg_rd_data,

    output reg                   start,
    output reg                   stop,
    output wire                  abort,
    input  wire                  aborting,
    output wire                  cfg_rx_enable,
    output wire                  cfg_packets,
    output wire [15:0]           cfg_batch,
    output wire [31:0]           cfg_steps,
    output wire [AHEAD_WIDTH-1:0] cfg_ahead,
    output wire [4:0]            cfg_td_frac,
    output wire [ADDR_WIDTH-1:0] cfg_base,
    output reg                   enough,

    output wire                  busy,
    input  wire                  running,
    input  wire                  working,      // something sampled is not updated, or an update not answered
    input  wire                  rx_busy,

    output reg                   host_valid,
    input  wire                  host_ready,
    input  wire                  host_waits,
    output wire [2:0]            host_kind,
    output wire                  host_check,
    output wire [31:0]           host_index,
    output wire [31:0]           host_value,
    output wire [31:0]           host_generation,
    input  wire [1:0]            answer_status,
    input  wire [31:0]           answer_index,
    input  wire [31:0]           answer_value,
    input  wire [31:0]           answer_generation,

    input  wire                  ev_updated,
    input  wire                  ev_sample,
    input  wire                  ev_reserve,
    input  wire                  ev_commit,
    input  wire                  ev_commit_stale,
    input  wire                  ev_update_stale,
    input  wire                  ev_insert,
    input  wire                  ev_void,
    input  wire                  ev_empty,
    input  wire                  ev_mismatch,
    input  wire                  ev_framing,
    input  wire                  ev_dropped,
    input  wire                  read_failed,
    input  wire [ADDR_WIDTH-1:0] read_failed_addr,
    input  wire                  write_failed,
    input  wire [ADDR_WIDTH-1:0] write_failed_addr,
    input  wire                  stall_order,
    input  wire                  stall_tree,
    input  wire                  stall_memory,
    input  wire                  stall_empty,

    output wire                  irq
);
    localparam [2:0] KIND_UPDATE = 3'd0;
    localparam [2:0] KIND_INSERT = 3'd1;
    localparam [2:0] KIND_READ   = 3'd4;
    localparam [31:0] STRIDE_32  = STRIDE;

    // ---- what a command asks, and whether it may.
    wire [2:0]  kind;
    wire        check;
    wire [63:0] base;
    wire [31:0] filled;
    wire        command, untimely, misfit;
    wire        host_busy = host_valid || host_waits;
    wire        loop_busy = start || running || working || abort || aborting;
    wire        to_abort   = command && reg_wr_data[5];
    wire        to_start   = command && reg_wr_data[0] && !to_abort;
    wire        to_stop    = command && reg_wr_data[1];
    wire        to_host    = command && reg_wr_data[2] && !to_abort;
    wire        to_restart = command && reg_wr_data[4] && !to_abort;
    wire        may_start  = !loop_busy && !host_busy && !to_stop && !to_host && !to_restart;
    wire        may_kind   = kind == KIND_UPDATE || kind == KIND_INSERT || kind == KIND_READ;
    wire        may_host   = !loop_busy && !host_busy && !to_start && may_kind;
    wire        may_restart = !loop_busy && !host_busy && !rx_busy && !to_host;
    wire        failed     = read_failed || write_failed;

    // Address bits that the bus does not have, and those inside what the records take. The records fit unless all bits
    // between are ones and any inside is: then the last records would begin again at address 0.
    wire [63:0] limit      = (ADDR_WIDTH >= 64) ? 64'd0 : ~((64'd1 << ADDR_WIDTH) - 64'd1);
    wire [63:0] reach      = (64'd1 << REACH_LOG2) - 64'd1;
    wire [63:0] base_low   = {base[63:32], reg_wr_data};
    wire [63:0] base_high  = {reg_wr_data, base[31:0]};
    wire        low_wraps  = (base_low  | limit | reach) == 64'hFFFFFFFF_FFFFFFFF && (base_low  & reach) != 64'd0;
    wire        high_wraps = (base_high | limit | reach) == 64'hFFFFFFFF_FFFFFFFF && (base_high & reach) != 64'd0;
    // What is in memory stays where it is.
    wire        kept       = filled != 32'd0;
    wire        fits_low   = (reg_wr_data & (STRIDE_32 - 32'd1)) == 32'd0 && (reg_wr_data & limit[31:0]) == 32'd0
                          && !low_wraps && !(kept && reg_wr_data != base[31:0]);
    wire        fits_high  = (reg_wr_data & limit[63:32]) == 32'd0 && !high_wraps
                          && !(kept && reg_wr_data != base[63:32]);

    // ---- commands leave one clock later, beside the registers that came with them.
    reg       restart_q;
    reg [2:0] op_kind_q;      // of the operation under way: CONTROL may change meanwhile
    reg       op_check_q;
    reg       busy_q;
    reg       stopping_q;
    wire [31:0] min_size;
    always @(posedge clk) begin
        if (rst) begin
            start        <= 1'b0;
            stop         <= 1'b0;
            restart_q    <= 1'b0;
            host_valid   <= 1'b0;
            busy_q       <= 1'b0;
            stopping_q   <= 1'b0;
            enough       <= 1'b0;
        end else begin
            start        <= to_start && may_start;
            stop         <= to_stop || failed;
            restart_q    <= to_restart && may_restart;
            host_valid   <= (to_host && may_host) || (host_valid && !host_ready);
            busy_q       <= loop_busy;
            stopping_q   <= loop_busy && (stopping_q || (stop && running));
            enough       <= kept && filled >= min_size;
        end
    end
    always @(posedge clk) begin
        if (to_host && may_host) begin
            op_kind_q  <= kind;
            op_check_q <= check;
        end
    end
    assign host_kind  = op_kind_q;
    assign host_check = op_check_q;
    assign busy       = loop_busy;
    assign cfg_base   = base[ADDR_WIDTH-1:0];

    // The first error's address stays while its flag does.
    wire                  was_read, was_write;
    reg  [ADDR_WIDTH-1:0] error_q;
    wire [64:0]           error_65 = {{(65-ADDR_WIDTH){1'b0}}, error_q};
    always @(posedge clk) begin
        if (rst) error_q <= {ADDR_WIDTH{1'b0}};
        else if (failed && !was_read && !was_write) error_q <= read_failed ? read_failed_addr : write_failed_addr;
    end

    wire [7:0] ahead;
    wire [8:0] ahead_9 = {1'b0, ahead};    // D + 1 may have a bit more
    assign cfg_ahead = ahead_9[AHEAD_WIDTH-1:0];
    rlc_replay_learner_regs #(
        .DATA_WIDTH(DATA_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .READS(READS), .WRITES(WRITES), .AHEAD_MAX(AHEAD_MAX),
        .BATCH_MAX(BATCH_MAX), .WORDS(WORDS), .BEATS(BEATS), .STRIDE(STRIDE), .LANES_0(LANES_0)
    ) u_map (
        .clk(clk), .rst(rst),
        .wr_en(reg_wr_en), .wr_addr(reg_wr_addr), .wr_data(reg_wr_data), .wr_acts(reg_wr_acts),
        .rd_addr(reg_rd_addr), .rd_data(reg_rd_data), .untimely(untimely), .misfit(misfit),
        .may_loop(!loop_busy), .may_memory(!loop_busy && !rx_busy), .may_host(!host_busy),
        .fits_base_low(fits_low), .fits_base_high(fits_high),
        .wr_command(command), .do_command_abort(abort), .clr_control_rx_enable(to_abort),
        .cfg_control_rx_enable(cfg_rx_enable), .cfg_control_packets(cfg_packets),
        .cfg_control_host_kind(kind), .cfg_control_host_check(check),
        .cfg_batch(cfg_batch), .cfg_steps(cfg_steps), .cfg_min_size(min_size), .cfg_ahead(ahead),
        .cfg_td_frac(cfg_td_frac), .cfg_base_low(base[31:0]), .cfg_base_high(base[63:32]),
        .cfg_host_index(host_index), .cfg_host_value(host_value), .cfg_host_generation(host_generation),
        .hw_status_busy(loop_busy), .hw_status_running(running), .hw_status_stopping(stopping_q),
        .hw_status_host_busy(host_busy), .hw_status_rx_busy(rx_busy), .hw_status_aborting(aborting),
        .hw_error_low(error_65[31:0]), .hw_error_high(error_65[63:32]),
        .hw_answer_status(answer_status), .hw_answer_index(answer_index), .hw_answer_value(answer_value),
        .hw_answer_generation(answer_generation),
        .set_flags_config(untimely || misfit || (to_start && !may_start) || (to_restart && !may_restart)),
        .set_flags_read_error(read_failed), .set_flags_write_error(write_failed), .q_flags_read_error(was_read),
        .q_flags_write_error(was_write), .set_flags_empty(ev_empty), .set_flags_host(to_host && !may_host),
        .set_flags_batch(ev_mismatch && !aborting), .set_flags_frame(ev_framing),
        .set_irq_status_done(busy_q && !loop_busy), .set_irq_status_error(failed),
        .clr_filled(restart_q), .count_filled(ev_commit || ev_insert), .q_filled(filled),
        .count_batches(ev_updated), .count_sampled(ev_sample), .count_reserved(ev_reserve), .count_committed(ev_commit),
        .count_stale_commits(ev_commit_stale), .count_stale_updates(ev_update_stale), .count_voids(ev_void),
        .count_read_errors(read_failed), .count_write_errors(write_failed),
        .count_stall_order(stall_order), .count_stall_tree(stall_tree), .count_stall_memory(stall_memory),
        .count_stall_empty(stall_empty), .count_clocks(loop_busy), .count_dropped(ev_dropped), .irq(irq)
    );

    wire unused = &{1'b0, error_65[64], base, ahead_9, limit};
endmodule
`default_nettype wire
