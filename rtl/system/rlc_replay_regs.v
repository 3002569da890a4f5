// rlc_replay_regs.v — the loop's registers; the map, field by field, is replay_learner.rdl.
// SPDX-License-Identifier: Apache-2.0
//
// parameters   those of rlc_replay_learner, and what follows from them, shown to software in PARAM0..PARAM3
// reg_wr_*     one word a clock, never refused by the bus; what comes at the wrong moment or does not fit changes nothing
//              and raises CONFIG or HOST
// reg_rd_*     data one clock after the address
// cfg_*        stand still while busy; cfg_base and cfg_td_frac also while intake_busy
// start, stop  pulses; stop comes with an error of memory too, and a start in its clock starts nothing
// abort        pulse, whatever else is written; aborting: it is not over
// cfg_packets  TLAST of the experiences ends a packet of records, not each
// host_*       host_valid until host_ready, then host_waits until the answer stands at answer_*
// enough       FILLED is MIN_SIZE or more, and 1 or more
// ev_*         pulses that count, raise flags, or both
`default_nettype none
module rlc_replay_regs #(
    parameter DATA_WIDTH = 128,
    parameter ADDR_WIDTH = 34,
    parameter READS      = 16,
    parameter WRITES     = 8,
    parameter AHEAD_MAX  = 4,
    parameter BATCH_MAX  = 64,
    parameter WORDS      = 3,
    parameter BEATS      = 3,
    parameter STRIDE     = 64,
    parameter REACH_LOG2 = 18,    // of the bytes of 2^LEAVES_LOG2 records
    parameter LANES_0    = 4
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire                  reg_wr_en,
    input  wire [5:0]            reg_wr_addr,
    input  wire [31:0]           reg_wr_data,
    input  wire [5:0]            reg_rd_addr,
    output wire [31:0]           reg_rd_data,

    output wire                  start,
    output wire                  stop,
    output wire                  abort,
    input  wire                  aborting,
    output wire                  cfg_intake,
    output wire                  cfg_packets,
    output wire [15:0]           cfg_batch,
    output wire [31:0]           cfg_steps,
    output wire [3:0]            cfg_ahead,
    output wire [4:0]            cfg_td_frac,
    output wire [ADDR_WIDTH-1:0] cfg_base,
    output wire                  enough,

    output wire                  busy,
    input  wire                  running,
    input  wire                  working,      // something sampled is not updated, or an update not answered
    input  wire                  intake_busy,

    output wire                  host_valid,
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
    localparam [31:0] ID      = 32'h52504C4C; // "RPLL"
    localparam [31:0] VERSION = {16'd1, 16'd1};

    localparam [5:0] COMMAND         = 6'd6;
    localparam [5:0] STATUS          = 6'd7;
    localparam [5:0] FLAGS           = 6'd8;
    localparam [5:0] IRQ_ENABLE      = 6'd9;
    localparam [5:0] IRQ_STATUS      = 6'd10;
    localparam [5:0] CONTROL         = 6'd11;
    localparam [5:0] BATCH           = 6'd12;
    localparam [5:0] STEPS           = 6'd13;
    localparam [5:0] MIN_SIZE        = 6'd14;
    localparam [5:0] AHEAD           = 6'd15;
    localparam [5:0] TD_FRAC         = 6'd16;
    localparam [5:0] BASE_LOW        = 6'd17;
    localparam [5:0] BASE_HIGH       = 6'd18;
    localparam [5:0] ERROR_LOW       = 6'd19;
    localparam [5:0] ERROR_HIGH      = 6'd20;
    localparam [5:0] HOST_INDEX      = 6'd21;
    localparam [5:0] HOST_VALUE      = 6'd22;
    localparam [5:0] HOST_GENERATION = 6'd23;

    localparam FLAG_CONFIG      = 0;
    localparam FLAG_READ_ERROR  = 1;
    localparam FLAG_WRITE_ERROR = 2;
    localparam FLAG_EMPTY       = 3;
    localparam FLAG_HOST        = 4;
    localparam FLAG_BATCH       = 5;
    localparam FLAG_FRAME       = 6;

    localparam [2:0]  KIND_UPDATE = 3'd0;
    localparam [2:0]  KIND_INSERT = 3'd1;
    localparam [2:0]  KIND_READ   = 3'd4;
    localparam [31:0] DATA_32     = DATA_WIDTH;
    localparam [31:0] ADDR_32     = ADDR_WIDTH;
    localparam [31:0] READS_32    = READS;
    localparam [31:0] WRITES_32   = WRITES;
    localparam [31:0] AHEAD_32    = AHEAD_MAX;
    localparam [31:0] BATCH_32    = BATCH_MAX;
    localparam [31:0] WORDS_32    = WORDS;
    localparam [31:0] BEATS_32    = BEATS;
    localparam [31:0] STRIDE_32   = STRIDE;
    localparam [31:0] LANES_32    = LANES_0;

    // ---- whether a write comes at the right moment, and whether its value fits.
    reg         start_q;
    reg         abort_q;
    reg         host_valid_q;
    reg  [2:0]  host_kind_q;
    reg  [63:0] base_q;
    reg  [31:0] filled_q;
    wire        host_busy = host_valid_q || host_waits;
    wire        loop_busy = start_q || running || working || abort_q || aborting;
    wire        is_command = reg_wr_en && reg_wr_addr == COMMAND;
    wire        to_abort   = is_command && reg_wr_data[5];
    wire        to_start   = is_command && reg_wr_data[0] && !to_abort;
    wire        to_stop    = is_command && reg_wr_data[1];
    wire        to_host    = is_command && reg_wr_data[2] && !to_abort;
    wire        to_clear   = is_command && reg_wr_data[3];
    wire        to_restart = is_command && reg_wr_data[4] && !to_abort;
    wire        may_start  = !loop_busy && !host_busy && !to_stop && !to_host && !to_restart;
    wire        may_kind   = host_kind_q == KIND_UPDATE || host_kind_q == KIND_INSERT || host_kind_q == KIND_READ;
    wire        may_host   = !loop_busy && !host_busy && !to_start && may_kind;
    wire        may_restart = !loop_busy && !host_busy && !intake_busy && !to_host;
    // Address bits that the bus does not have, and those inside what the records take. The records fit unless all bits
    // between are ones and any inside is: then the last records would begin again at address 0.
    wire [63:0] limit      = (ADDR_WIDTH >= 64) ? 64'd0 : ~((64'd1 << ADDR_WIDTH) - 64'd1);
    wire [63:0] reach      = (64'd1 << REACH_LOG2) - 64'd1;
    wire [63:0] base_low   = {base_q[63:32], reg_wr_data};
    wire [63:0] base_high  = {reg_wr_data, base_q[31:0]};
    wire        low_wraps  = (base_low  | limit | reach) == 64'hFFFFFFFF_FFFFFFFF && (base_low  & reach) != 64'd0;
    wire        high_wraps = (base_high | limit | reach) == 64'hFFFFFFFF_FFFFFFFF && (base_high & reach) != 64'd0;
    // What is in memory stays where it is.
    wire        kept       = filled_q != 32'd0;
    reg         timely;
    reg         fits;
    always @* begin
        case (reg_wr_addr)
            BATCH, STEPS, MIN_SIZE, AHEAD:           timely = !loop_busy;
            TD_FRAC, BASE_LOW, BASE_HIGH:            timely = !loop_busy && !intake_busy;
            HOST_INDEX, HOST_VALUE, HOST_GENERATION: timely = !host_busy;
            default:                                 timely = 1'b1;
        endcase
        case (reg_wr_addr)
            BATCH:     fits = reg_wr_data != 32'd0 && reg_wr_data <= BATCH_32;
            AHEAD:     fits = reg_wr_data <= AHEAD_32;
            TD_FRAC:   fits = reg_wr_data <= 32'd20;
            BASE_LOW:  fits = (reg_wr_data & (STRIDE_32 - 32'd1)) == 32'd0 && (reg_wr_data & limit[31:0]) == 32'd0
                           && !low_wraps && !(kept && reg_wr_data != base_q[31:0]);
            BASE_HIGH: fits = (reg_wr_data & limit[63:32]) == 32'd0 && !high_wraps
                           && !(kept && reg_wr_data != base_q[63:32]);
            default:   fits = 1'b1;
        endcase
    end
    wire write   = reg_wr_en && timely && fits;
    wire refuses = (reg_wr_en && !(timely && fits)) || (to_start && !may_start) || (to_restart && !may_restart);

    // ---- commands leave one clock later, beside the registers that came with them.
    reg clear_q;
    reg restart_q;
    reg stop_q;
    always @(posedge clk) begin
        if (rst) begin
            start_q      <= 1'b0;
            stop_q       <= 1'b0;
            abort_q      <= 1'b0;
            clear_q      <= 1'b0;
            restart_q    <= 1'b0;
            host_valid_q <= 1'b0;
        end else begin
            start_q      <= to_start && may_start;
            stop_q       <= to_stop || read_failed || write_failed;
            abort_q      <= to_abort;
            clear_q      <= to_clear;
            restart_q    <= to_restart && may_restart;
            host_valid_q <= (to_host && may_host) || (host_valid_q && !host_ready);
        end
    end
    assign start      = start_q;
    assign stop       = stop_q;
    assign abort      = abort_q;
    assign host_valid = host_valid_q;

    reg        intake_q;
    reg        packets_q;
    reg        host_check_q;
    reg [2:0]  op_kind_q;     // of the operation under way: CONTROL may change meanwhile
    reg        op_check_q;
    reg [15:0] batch_q;
    reg [31:0] steps_q;
    reg [31:0] min_size_q;
    reg [7:0]  ahead_q;
    reg [4:0]  td_frac_q;
    reg [31:0] host_index_q;
    reg [31:0] host_value_q;
    reg [31:0] host_generation_q;
    always @(posedge clk) begin
        if (rst) begin
            intake_q          <= 1'b0;
            packets_q         <= 1'b0;
            host_kind_q       <= 3'd0;
            host_check_q      <= 1'b0;
            batch_q           <= 16'd1;
            steps_q           <= 32'd0;
            min_size_q        <= 32'd0;
            ahead_q           <= 8'd0;
            td_frac_q         <= 5'd16;
            base_q            <= 64'd0;
            host_index_q      <= 32'd0;
            host_value_q      <= 32'd0;
            host_generation_q <= 32'd0;
        end else if (write) begin
            case (reg_wr_addr)
                CONTROL: begin
                    intake_q     <= reg_wr_data[0];
                    packets_q    <= reg_wr_data[1];
                    host_kind_q  <= reg_wr_data[6:4];
                    host_check_q <= reg_wr_data[8];
                end
                BATCH:           batch_q           <= reg_wr_data[15:0];
                STEPS:           steps_q           <= reg_wr_data;
                MIN_SIZE:        min_size_q        <= reg_wr_data;
                AHEAD:           ahead_q           <= reg_wr_data[7:0];
                TD_FRAC:         td_frac_q         <= reg_wr_data[4:0];
                BASE_LOW:        base_q[31:0]      <= reg_wr_data;
                BASE_HIGH:       base_q[63:32]     <= reg_wr_data;
                HOST_INDEX:      host_index_q      <= reg_wr_data;
                HOST_VALUE:      host_value_q      <= reg_wr_data;
                HOST_GENERATION: host_generation_q <= reg_wr_data;
                default: ;
            endcase
            if (to_abort) intake_q <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (to_host && may_host) begin
            op_kind_q  <= host_kind_q;
            op_check_q <= host_check_q;
        end
    end
    assign cfg_intake      = intake_q;
    assign cfg_packets     = packets_q;
    assign cfg_batch       = batch_q;
    assign cfg_steps       = steps_q;
    assign cfg_ahead       = ahead_q[3:0];
    assign cfg_td_frac     = td_frac_q;
    assign cfg_base        = base_q[ADDR_WIDTH-1:0];
    assign host_kind       = op_kind_q;
    assign host_check      = op_check_q;
    assign host_index      = host_index_q;
    assign host_value      = host_value_q;
    assign host_generation = host_generation_q;

    // ---- state
    reg busy_q;
    reg stopping_q;
    always @(posedge clk) begin
        if (rst) begin
            busy_q     <= 1'b0;
            stopping_q <= 1'b0;
        end else begin
            busy_q     <= loop_busy;
            stopping_q <= loop_busy && (stopping_q || (stop_q && running));
        end
    end
    assign busy = loop_busy;

    // ---- flags and interrupts: set by events, cleared by writing ones.
    reg  [6:0] flags_q;
    reg  [1:0] irq_enable_q;
    reg  [1:0] irq_status_q;
    reg  [6:0] flag_event;
    always @* begin
        flag_event                   = 7'd0;
        flag_event[FLAG_CONFIG]      = refuses;
        flag_event[FLAG_READ_ERROR]  = read_failed;
        flag_event[FLAG_WRITE_ERROR] = write_failed;
        flag_event[FLAG_EMPTY]       = ev_empty;
        flag_event[FLAG_HOST]        = to_host && !may_host;
        flag_event[FLAG_BATCH]       = ev_mismatch && !aborting;
        flag_event[FLAG_FRAME]       = ev_framing;
    end
    wire [6:0] flags_clear = reg_wr_en && reg_wr_addr == FLAGS ? reg_wr_data[6:0] : 7'd0;
    wire [1:0] irq_clear   = reg_wr_en && reg_wr_addr == IRQ_STATUS ? reg_wr_data[1:0] : 2'd0;
    always @(posedge clk) begin
        if (rst) begin
            flags_q      <= 7'd0;
            irq_enable_q <= 2'd0;
            irq_status_q <= 2'd0;
        end else begin
            flags_q      <= (flags_q & ~flags_clear) | flag_event;
            irq_status_q <= (irq_status_q & ~irq_clear) | {read_failed || write_failed, busy_q && !loop_busy};
            if (reg_wr_en && reg_wr_addr == IRQ_ENABLE) irq_enable_q <= reg_wr_data[1:0];
        end
    end
    assign irq = (irq_status_q & irq_enable_q) != 2'd0;

    reg  [ADDR_WIDTH-1:0] error_q;
    wire [64:0]           error_65 = {{(65-ADDR_WIDTH){1'b0}}, error_q};
    always @(posedge clk) begin
        if (rst) error_q <= {ADDR_WIDTH{1'b0}};
        else if ((read_failed || write_failed) && !flags_q[FLAG_READ_ERROR] && !flags_q[FLAG_WRITE_ERROR])
            error_q <= read_failed ? read_failed_addr : write_failed_addr;
    end

    // ---- counters. An event in the clock of their clearing counts.
    localparam COUNTERS = 14;
    wire [COUNTERS-1:0] counted = {
        ev_dropped, loop_busy, stall_empty, stall_memory, stall_tree, stall_order, write_failed, read_failed, ev_void,
        ev_update_stale, ev_commit_stale, ev_commit, ev_reserve, ev_sample
    };
    reg [31:0] counter_q [0:COUNTERS-1];
    integer i;
    always @(posedge clk) begin
        for (i = 0; i < COUNTERS; i = i + 1) begin
            if (rst) counter_q[i] <= 32'd0;
            else counter_q[i] <= (clear_q ? 32'd0 : counter_q[i]) + {31'd0, counted[i]};
        end
    end
    reg [31:0] batches_q;
    reg        enough_q;
    always @(posedge clk) begin
        if (rst) begin
            filled_q  <= 32'd0;
            batches_q <= 32'd0;
            enough_q  <= 1'b0;
        end else begin
            // It is compared with MIN_SIZE, so it stays at its largest.
            filled_q  <= restart_q ? 32'd0 : filled_q + {31'd0, (ev_commit || ev_insert) && filled_q != 32'hFFFFFFFF};
            batches_q <= batches_q + {31'd0, ev_updated};
            enough_q  <= filled_q != 32'd0 && filled_q >= min_size_q;
        end
    end
    assign enough = enough_q;

    // ---- read
    reg [31:0] rd_data_q;
    always @(posedge clk) begin
        case (reg_rd_addr)
            6'd0:            rd_data_q <= ID;
            6'd1:            rd_data_q <= VERSION;
            6'd2:            rd_data_q <= {AHEAD_32[7:0], ADDR_32[7:0], DATA_32[15:0]};
            6'd3:            rd_data_q <= {WRITES_32[15:0], READS_32[15:0]};
            6'd4:            rd_data_q <= {WORDS_32[15:0], STRIDE_32[15:0]};
            6'd5:            rd_data_q <= {LANES_32[15:0], BEATS_32[15:0]};
            STATUS:          rd_data_q <= {26'd0, aborting, intake_busy, host_busy, stopping_q, running, loop_busy};
            FLAGS:           rd_data_q <= {25'd0, flags_q};
            IRQ_ENABLE:      rd_data_q <= {30'd0, irq_enable_q};
            IRQ_STATUS:      rd_data_q <= {30'd0, irq_status_q};
            CONTROL:         rd_data_q <= {23'd0, host_check_q, 1'b0, host_kind_q, 2'd0, packets_q, intake_q};
            BATCH:           rd_data_q <= {16'd0, batch_q};
            STEPS:           rd_data_q <= steps_q;
            MIN_SIZE:        rd_data_q <= min_size_q;
            AHEAD:           rd_data_q <= {24'd0, ahead_q};
            TD_FRAC:         rd_data_q <= {27'd0, td_frac_q};
            BASE_LOW:        rd_data_q <= base_q[31:0];
            BASE_HIGH:       rd_data_q <= base_q[63:32];
            ERROR_LOW:       rd_data_q <= error_65[31:0];
            ERROR_HIGH:      rd_data_q <= error_65[63:32];
            HOST_INDEX:      rd_data_q <= host_index_q;
            HOST_VALUE:      rd_data_q <= host_value_q;
            HOST_GENERATION: rd_data_q <= host_generation_q;
            6'd24:           rd_data_q <= {30'd0, answer_status};
            6'd25:           rd_data_q <= answer_index;
            6'd26:           rd_data_q <= answer_value;
            6'd27:           rd_data_q <= answer_generation;
            6'd28:           rd_data_q <= filled_q;
            6'd29:           rd_data_q <= batches_q;
            6'd30:           rd_data_q <= counter_q[0];
            6'd31:           rd_data_q <= counter_q[1];
            6'd32:           rd_data_q <= counter_q[2];
            6'd33:           rd_data_q <= counter_q[3];
            6'd34:           rd_data_q <= counter_q[4];
            6'd35:           rd_data_q <= counter_q[5];
            6'd36:           rd_data_q <= counter_q[6];
            6'd37:           rd_data_q <= counter_q[7];
            6'd38:           rd_data_q <= counter_q[8];
            6'd39:           rd_data_q <= counter_q[9];
            6'd40:           rd_data_q <= counter_q[10];
            6'd41:           rd_data_q <= counter_q[11];
            6'd42:           rd_data_q <= counter_q[12];
            6'd43:           rd_data_q <= counter_q[13];
            default:         rd_data_q <= 32'd0;
        endcase
    end
    assign reg_rd_data = rd_data_q;

    wire unused = &{1'b0, error_65[64], base_q, ahead_q[7:4], limit};
endmodule
`default_nettype wire
