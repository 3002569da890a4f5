// rlc_gae_regs.v — registers of the GAE core; the map, field by field, is gae.rdl.
// SPDX-License-Identifier: Apache-2.0
//
// parameters   those of rlc_gae, shown to software in PARAM0..PARAM2; QBITS is also a reset value
// WIDE         follows from QBITS: longer scales and offsets, and the register OUT_DROP
// reg_wr_*     one word a clock, never refused; words 10 to 26, 49 and COMMAND are ignored while busy (flag BUSY)
// reg_rd_*     data one clock after the address
// hw_*         the scale unit writes words 17 to 25; it only does so while busy, so it never meets software
// command      valid for one clock; busy must be high from the next clock until done, or the command is over
// abort        pulse, at any time; never in the clock of command_valid
// done         pulse at the end of a command
// flag_set     pulses, one a flag; a flag set and cleared in the same clock stays set
// out of range QBITS, SHIFT or OUT_DROP above 31, CLIP above 16 bits, INV_SHIFT above 63: the write is ignored
//              and raises CONFIG. Bits above any other field are ignored and read as 0.
`default_nettype none
module rlc_gae_regs #(
    parameter ROWS       = 4,
    parameter LANES      = 8,
    parameter DEPTH      = 16,
    parameter LOOKAHEAD  = 2,
    parameter INTERLEAVE = 1,
    parameter SPAN       = 4,
    parameter QBITS      = 8,
    parameter OUT_BITS   = 8,
    parameter BEAT       = 2,
    parameter WIDE       = (QBITS > 10) ? 1 : 0
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        reg_wr_en,
    input  wire [5:0]  reg_wr_addr,
    input  wire [31:0] reg_wr_data,
    input  wire [5:0]  reg_rd_addr,
    output wire [31:0] reg_rd_data,

    input  wire        hw_we,
    input  wire [5:0]  hw_addr,
    input  wire [31:0] hw_data,

    output wire        command_valid,
    output wire [2:0]  command,
    output wire        abort,
    output wire        cfg_reward_auto,
    output wire        cfg_value_auto,
    output wire        cfg_order_previous,
    output wire [4:0]  cfg_qbits,
    output wire [15:0] cfg_clip,
    output wire [4:0]  cfg_shift,
    output wire [7:0]  cfg_value_point,
    output wire [31:0] cfg_gamma,
    output wire [31:0] cfg_gamma_lambda,
    output wire [26:0] cfg_reward_mean,
    output wire [16:0] cfg_reward_inv,
    output wire [5:0]  cfg_reward_inv_shift,
    output wire [26:0] cfg_value_mean,
    output wire [16:0] cfg_value_inv,
    output wire [5:0]  cfg_value_inv_shift,
    output wire [26+5*WIDE:0]  cfg_value_scale,
    output wire [33+13*WIDE:0] cfg_value_offset,
    output wire [25+6*WIDE:0]  cfg_reward_offset,
    output wire [4:0]  cfg_drop,

    input  wire        busy,
    input  wire        aborting,
    input  wire        left,
    input  wire [3:0]  state,
    input  wire        loaded,
    input  wire        computed,
    input  wire        done,
    input  wire [15:0] flag_set,

    input  wire [31:0] count_cycles,
    input  wire [31:0] count_elements,
    input  wire [31:0] count_stalls,
    input  wire [31:0] count_loaded,
    input  wire [31:0] count_refused,
    input  wire [31:0] count_clipped_rewards,
    input  wire [31:0] count_clipped_values,
    input  wire [31:0] count_saturated,
    input  wire [39:0] reward_count,
    input  wire [63:0] reward_sum,
    input  wire [87:0] reward_sqr,
    input  wire [39:0] value_count,
    input  wire [63:0] value_sum,
    input  wire [87:0] value_sqr,

    output wire        irq
);
    localparam [31:0] ID      = 32'h52474145; // "RGAE"
    localparam [31:0] VERSION = 32'h00010001;

    // Words that something other than the read multiplexer speaks of.
    localparam [5:0] COMMAND          = 6'd5;
    localparam [5:0] FLAGS            = 6'd7;
    localparam [5:0] IRQ_ENABLE       = 6'd8;
    localparam [5:0] IRQ_STATUS       = 6'd9;
    localparam [5:0] CONTROL          = 6'd10;
    localparam [5:0] QBITS_REG        = 6'd11;
    localparam [5:0] CLIP             = 6'd12;
    localparam [5:0] SHIFT            = 6'd13;
    localparam [5:0] VALUE_POINT      = 6'd14;
    localparam [5:0] GAMMA            = 6'd15;
    localparam [5:0] GAMMA_LAMBDA     = 6'd16;
    localparam [5:0] REWARD_MEAN      = 6'd17;
    localparam [5:0] REWARD_INV       = 6'd18;
    localparam [5:0] REWARD_INV_SHIFT = 6'd19;
    localparam [5:0] VALUE_MEAN       = 6'd20;
    localparam [5:0] VALUE_INV        = 6'd21;
    localparam [5:0] VALUE_INV_SHIFT  = 6'd22;
    localparam [5:0] VALUE_SCALE      = 6'd23;
    localparam [5:0] VALUE_OFFSET_LO  = 6'd24;
    localparam [5:0] VALUE_OFFSET_HI  = 6'd25;
    localparam [5:0] REWARD_OFFSET    = 6'd26;
    localparam [5:0] OUT_DROP         = 6'd49;

    localparam FLAG_BUSY        = 3;
    localparam FLAG_CONFIG      = 6;
    localparam FLAG_BAD_COMMAND = 14;

    localparam [15:0] LANES_16    = LANES;
    localparam [15:0] ROWS_16     = ROWS;
    localparam [7:0]  BEAT_8      = BEAT;
    localparam [3:0]  INTERLEAVE_4 = INTERLEAVE;
    localparam [3:0]  LOOKAHEAD_4 = LOOKAHEAD;
    localparam [15:0] DEPTH_16    = DEPTH;
    localparam [15:0] SPAN_16     = SPAN;
    localparam [4:0]  OUT_BITS_5  = OUT_BITS;
    localparam [4:0]  QBITS_5     = QBITS;

    localparam S_WIDTH = 27 + 5 * WIDE;
    localparam M_WIDTH = 34 + 13 * WIDE;
    localparam O_WIDTH = 26 + 6 * WIDE;

    // A command counts as running from the clock in which it is handed over.
    reg        command_valid_q;
    reg        abort_q;
    reg  [2:0] command_q;
    wire       busy_now = busy || command_valid_q;

    wire command_write = reg_wr_en && reg_wr_addr == COMMAND;
    wire command_known = reg_wr_data[31:3] == 29'd0 && reg_wr_data[2:0] != 3'd0;
    wire abort_write   = command_write && reg_wr_data[31:3] == 29'd1;
    wire config_addr   = (reg_wr_addr >= CONTROL && reg_wr_addr <= REWARD_OFFSET) || reg_wr_addr == OUT_DROP;
    wire config_write  = reg_wr_en && config_addr && !busy_now;

    reg config_fits;
    always @(*) begin
        case (reg_wr_addr)
            QBITS_REG:        config_fits = reg_wr_data[31:5] == 27'd0;
            CLIP:             config_fits = reg_wr_data[31:16] == 16'd0;
            SHIFT:            config_fits = reg_wr_data[31:5] == 27'd0;
            REWARD_INV_SHIFT,
            VALUE_INV_SHIFT:  config_fits = reg_wr_data[31:6] == 26'd0;
            OUT_DROP:         config_fits = WIDE == 0 || reg_wr_data[31:5] == 27'd0;
            default:          config_fits = 1'b1;
        endcase
    end

    always @(posedge clk) begin
        if (rst) begin
            command_valid_q <= 1'b0;
            abort_q         <= 1'b0;
        end else begin
            command_valid_q <= command_write && command_known && !busy_now;
            abort_q         <= abort_write;
        end
    end
    always @(posedge clk) begin
        if (command_write) command_q <= reg_wr_data[2:0];
    end

    assign command_valid = command_valid_q;
    assign command       = command_q;
    assign abort         = abort_q;

    // Configuration: software between commands, the scale unit during one.
    reg  [2:0]  control_q;
    reg  [4:0]  qbits_q;
    reg  [15:0] clip_q;
    reg  [4:0]  shift_q;
    reg  [7:0]  value_point_q;
    reg  [31:0] gamma_q;
    reg  [31:0] gamma_lambda_q;
    reg  [26:0] reward_mean_q;
    reg  [16:0] reward_inv_q;
    reg  [5:0]  reward_inv_shift_q;
    reg  [26:0] value_mean_q;
    reg  [16:0] value_inv_q;
    reg  [5:0]  value_inv_shift_q;
    reg  [S_WIDTH-1:0] value_scale_q;
    reg  [M_WIDTH-1:0] value_offset_q;
    reg  [O_WIDTH-1:0] reward_offset_q;

    always @(posedge clk) begin
        if (rst) begin
            control_q       <= 3'b011;
            qbits_q         <= QBITS_5;
            clip_q          <= 16'd1024;
            shift_q         <= 5'd0;
            value_point_q   <= 8'd0;
            gamma_q         <= 32'd0;
            gamma_lambda_q  <= 32'd0;
            reward_offset_q <= {O_WIDTH{1'b0}};
        end else if (config_write && config_fits) begin
            case (reg_wr_addr)
                CONTROL:       control_q       <= reg_wr_data[2:0];
                QBITS_REG:     qbits_q         <= reg_wr_data[4:0];
                CLIP:          clip_q          <= reg_wr_data[15:0];
                SHIFT:         shift_q         <= reg_wr_data[4:0];
                VALUE_POINT:   value_point_q   <= reg_wr_data[7:0];
                GAMMA:         gamma_q         <= reg_wr_data;
                GAMMA_LAMBDA:  gamma_lambda_q  <= reg_wr_data;
                REWARD_OFFSET: reward_offset_q <= reg_wr_data[O_WIDTH-1:0];
                default: ;
            endcase
        end
    end

    wire        scale_we   = hw_we || (config_write && config_fits);
    wire [5:0]  scale_addr = hw_we ? hw_addr : reg_wr_addr;
    wire [31:0] scale_data = hw_we ? hw_data : reg_wr_data;
    always @(posedge clk) begin
        if (rst) begin
            reward_mean_q      <= 27'd0;
            reward_inv_q       <= 17'd0;
            reward_inv_shift_q <= 6'd1;
            value_mean_q       <= 27'd0;
            value_inv_q        <= 17'd0;
            value_inv_shift_q  <= 6'd1;
            value_scale_q      <= {S_WIDTH{1'b0}};
            value_offset_q     <= {M_WIDTH{1'b0}};
        end else if (scale_we) begin
            case (scale_addr)
                REWARD_MEAN:      reward_mean_q         <= scale_data[26:0];
                REWARD_INV:       reward_inv_q          <= scale_data[16:0];
                REWARD_INV_SHIFT: reward_inv_shift_q    <= scale_data[5:0];
                VALUE_MEAN:       value_mean_q          <= scale_data[26:0];
                VALUE_INV:        value_inv_q           <= scale_data[16:0];
                VALUE_INV_SHIFT:  value_inv_shift_q     <= scale_data[5:0];
                VALUE_SCALE:      value_scale_q         <= scale_data[S_WIDTH-1:0];
                VALUE_OFFSET_LO:  value_offset_q[31:0]  <= scale_data;
                VALUE_OFFSET_HI:  value_offset_q[M_WIDTH-1:32] <= scale_data[M_WIDTH-33:0];
                default: ;
            endcase
        end
    end

    // A narrow core leaves out a fixed number of bits, which no register says.
    localparam [31:0] DROP_RESET = (WIDE != 0) ? 36 - OUT_BITS : 0;
    generate
        if (WIDE != 0) begin : g_drop
            reg [4:0] drop_q;
            always @(posedge clk)
                if (rst) drop_q <= DROP_RESET[4:0];
                else if (config_write && config_fits && reg_wr_addr == OUT_DROP) drop_q <= reg_wr_data[4:0];
            assign cfg_drop = drop_q;
        end else begin : g_drop
            assign cfg_drop = DROP_RESET[4:0];
        end
    endgenerate

    assign cfg_reward_auto      = control_q[0];
    assign cfg_value_auto       = control_q[1];
    assign cfg_order_previous   = control_q[2];
    assign cfg_qbits            = qbits_q;
    assign cfg_clip             = clip_q;
    assign cfg_shift            = shift_q;
    assign cfg_value_point      = value_point_q;
    assign cfg_gamma            = gamma_q;
    assign cfg_gamma_lambda     = gamma_lambda_q;
    assign cfg_reward_mean      = reward_mean_q;
    assign cfg_reward_inv       = reward_inv_q;
    assign cfg_reward_inv_shift = reward_inv_shift_q;
    assign cfg_value_mean       = value_mean_q;
    assign cfg_value_inv        = value_inv_q;
    assign cfg_value_inv_shift  = value_inv_shift_q;
    assign cfg_value_scale      = value_scale_q;
    assign cfg_value_offset     = value_offset_q;
    assign cfg_reward_offset    = reward_offset_q;

    // Flags and interrupts: set by events, cleared by writing ones.
    reg  [15:0] flags_q;
    reg  [1:0]  irq_enable_q;
    reg  [1:0]  irq_status_q;
    reg  [15:0] flag_event;
    always @(*) begin
        flag_event = flag_set;
        if (reg_wr_en && (config_addr || (command_write && !abort_write)) && busy_now) flag_event[FLAG_BUSY] = 1'b1;
        if (config_write && !config_fits) flag_event[FLAG_CONFIG] = 1'b1;
        if (command_write && !command_known && !abort_write && !busy_now) flag_event[FLAG_BAD_COMMAND] = 1'b1;
    end

    wire [15:0] flags_clear = reg_wr_en && reg_wr_addr == FLAGS ? reg_wr_data[15:0] : 16'd0;
    wire [1:0]  irq_clear   = reg_wr_en && reg_wr_addr == IRQ_STATUS ? reg_wr_data[1:0] : 2'd0;
    always @(posedge clk) begin
        if (rst) begin
            flags_q      <= 16'd0;
            irq_enable_q <= 2'd0;
            irq_status_q <= 2'd0;
        end else begin
            flags_q      <= (flags_q & ~flags_clear) | flag_event;
            irq_status_q <= (irq_status_q & ~irq_clear) | {flag_event != 16'd0, done};
            if (reg_wr_en && reg_wr_addr == IRQ_ENABLE) irq_enable_q <= reg_wr_data[1:0];
        end
    end

    assign irq = (irq_status_q & irq_enable_q) != 2'd0;

    wire [31:0] value_scale_word   = value_scale_q;
    wire [31:0] reward_offset_word = reward_offset_q;
    reg [31:0] rd_data_q;
    always @(posedge clk) begin
        case (reg_rd_addr)
            6'd0:    rd_data_q <= ID;
            6'd1:    rd_data_q <= VERSION;
            6'd2:    rd_data_q <= {LANES_16, ROWS_16};
            6'd3:    rd_data_q <= {BEAT_8, INTERLEAVE_4, LOOKAHEAD_4, DEPTH_16};
            6'd4:    rd_data_q <= {SPAN_16, 3'd0, OUT_BITS_5, 3'd0, QBITS_5};
            6'd6:    rd_data_q <= {23'd0, left, state, aborting, computed, loaded, busy_now};
            FLAGS:            rd_data_q <= {16'd0, flags_q};
            IRQ_ENABLE:       rd_data_q <= {30'd0, irq_enable_q};
            IRQ_STATUS:       rd_data_q <= {30'd0, irq_status_q};
            CONTROL:          rd_data_q <= {29'd0, control_q};
            QBITS_REG:        rd_data_q <= {27'd0, qbits_q};
            CLIP:             rd_data_q <= {16'd0, clip_q};
            SHIFT:            rd_data_q <= {27'd0, shift_q};
            VALUE_POINT:      rd_data_q <= {24'd0, value_point_q};
            GAMMA:            rd_data_q <= gamma_q;
            GAMMA_LAMBDA:     rd_data_q <= gamma_lambda_q;
            REWARD_MEAN:      rd_data_q <= {5'd0, reward_mean_q};
            REWARD_INV:       rd_data_q <= {15'd0, reward_inv_q};
            REWARD_INV_SHIFT: rd_data_q <= {26'd0, reward_inv_shift_q};
            VALUE_MEAN:       rd_data_q <= {5'd0, value_mean_q};
            VALUE_INV:        rd_data_q <= {15'd0, value_inv_q};
            VALUE_INV_SHIFT:  rd_data_q <= {26'd0, value_inv_shift_q};
            VALUE_SCALE:      rd_data_q <= value_scale_word;
            VALUE_OFFSET_LO:  rd_data_q <= value_offset_q[31:0];
            VALUE_OFFSET_HI:  rd_data_q <= {{(64-M_WIDTH){1'b0}}, value_offset_q[M_WIDTH-1:32]};
            REWARD_OFFSET:    rd_data_q <= reward_offset_word;
            6'd27:   rd_data_q <= count_cycles;
            6'd28:   rd_data_q <= count_elements;
            6'd29:   rd_data_q <= count_stalls;
            6'd30:   rd_data_q <= count_loaded;
            6'd31:   rd_data_q <= count_refused;
            6'd32:   rd_data_q <= count_clipped_rewards;
            6'd33:   rd_data_q <= count_clipped_values;
            6'd34:   rd_data_q <= count_saturated;
            6'd35:   rd_data_q <= reward_count[31:0];
            6'd36:   rd_data_q <= {24'd0, reward_count[39:32]};
            6'd37:   rd_data_q <= reward_sum[31:0];
            6'd38:   rd_data_q <= reward_sum[63:32];
            6'd39:   rd_data_q <= reward_sqr[31:0];
            6'd40:   rd_data_q <= reward_sqr[63:32];
            6'd41:   rd_data_q <= {8'd0, reward_sqr[87:64]};
            6'd42:   rd_data_q <= value_count[31:0];
            6'd43:   rd_data_q <= {24'd0, value_count[39:32]};
            6'd44:   rd_data_q <= value_sum[31:0];
            6'd45:   rd_data_q <= value_sum[63:32];
            6'd46:   rd_data_q <= value_sqr[31:0];
            6'd47:   rd_data_q <= value_sqr[63:32];
            6'd48:   rd_data_q <= {8'd0, value_sqr[87:64]};
            OUT_DROP: rd_data_q <= {27'd0, cfg_drop};
            default: rd_data_q <= 32'd0;
        endcase
    end
    assign reg_rd_data = rd_data_q;
endmodule
`default_nettype wire
