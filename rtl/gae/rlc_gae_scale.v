// rlc_gae_scale.v — computes the core's scales from its statistics, and the array's constants from the scales.
// SPDX-License-Identifier: Apache-2.0
//
// QBITS, DEPTH, LOOKAHEAD  those of the core
//
// start        pulse, not while busy; done: pulse at the end. Registers and statistics stand still while busy.
// *_auto       which side's scales are computed; the other side's registers keep what software wrote
// WIDE         follows from QBITS: longer s_v, m_v and constants
// clip         ufix(16,8); value_point: signed; gamma, gamma_lambda: ufix(32,31); s_v, m_v: 10 fraction bits (WIDE 15)
// hw_*         writes words 17 to 25 of the register file, which must show them on s_v and m_v a clock later
// s_vn … b_loop  the array's constants, held from done to the next done
// flags        pulses. config_error: start was refused, done follows, nothing else happened.
// latency      at most 2512 + 68*LOOKAHEAD clocks, when both sides are computed: about two a bit of each operation
//
// With n, S, Q = count, sum, sum of squares, MF = 2 and L = 2^(qbits-1)-1:
//   mean  = S*2^MF / n                  sigma = R * 2^-f / n, where R = sqrt((n*Q - S*S) * 4^f) has 32 bits
//   inv   = 1 / (clip*sigma/L) = mant * 2^(MF-shift): L*n and clip*R are normalised to 64 and 48 bits and divided
//   s_v   = sigma * 2^(p-Fv)            m_v = mean * L/clip * 2^(p-Fv)
// Every quotient is taken twice as large, floored, and halved; a dropped 1 rounds up. A negative one is computed
// by magnitude, where an exact half rounds down, because it goes up in its own sign.
`default_nettype none
module rlc_gae_scale #(
    parameter QBITS     = 8,
    parameter DEPTH     = 16,
    parameter LOOKAHEAD = 2,
    parameter WIDE      = (QBITS > 10) ? 1 : 0
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               start,
    output wire               busy,
    output wire               done,
    input  wire               reward_auto,
    input  wire               value_auto,
    input  wire [4:0]         qbits,
    input  wire [15:0]        clip,
    input  wire [4:0]         shift,
    input  wire [7:0]         value_point,
    input  wire [31:0]        gamma,
    input  wire [31:0]        gamma_lambda,
    input  wire [26+5*WIDE:0]  s_v,
    input  wire [33+13*WIDE:0] m_v,
    input  wire [25+6*WIDE:0]  reward_offset,
    input  wire [39:0]        n_r,
    input  wire [63:0]        sum_r,
    input  wire [87:0]        sqr_r,
    input  wire [39:0]        n_v,
    input  wire [63:0]        sum_v,
    input  wire [87:0]        sqr_v,
    output wire               hw_we,
    output wire [5:0]         hw_addr,
    output wire [31:0]        hw_data,
    output wire [26+5*WIDE:0]  s_vn,
    output wire [35+13*WIDE:0] k_cut,
    output wire [35+13*WIDE:0] k_keep,
    output wire [17+9*WIDE:0]  b_step,
    output wire [17+9*WIDE:0]  b_loop,
    output wire               sigma_zero_r,
    output wire               sigma_zero_v,
    output wire               scale_sat,
    output wire               config_error
);
    // Formats, as rlc_gae_defs.vh and gae_scale.py have them.
    localparam FRAC       = 10 + 5 * WIDE;       // fraction bits of s_v and m_v
    localparam S_WIDTH    = 27 + 5 * WIDE;
    localparam M_WIDTH    = 34 + 13 * WIDE;
    localparam O_WIDTH    = 26 + 6 * WIDE;
    localparam K_WIDTH    = 36 + 13 * WIDE;
    localparam B_FRAC     = 17 + 9 * WIDE;       // fraction bits of the discounts
    localparam O_FRAC     = (WIDE != 0 && $clog2(DEPTH) > 2) ? $clog2(DEPTH) - 2 : 0;  // of the reward offset
    localparam SHIFT_ROOM = 25 + 8 * WIDE - $clog2(DEPTH) - QBITS;
    localparam SHIFT_MAX  = (SHIFT_ROOM > 15) ? 15 : SHIFT_ROOM;  // as rlc_gae_defs.vh: the rows have four shift bits
    localparam OFFSET_LOG = 24 + 8 * WIDE - $clog2(DEPTH) + O_FRAC;
    localparam signed [O_WIDTH-1:0] OFFSET_TOP =
        (OFFSET_LOG >= O_WIDTH - 1) ? {1'b0, {(O_WIDTH-1){1'b1}}} : {{(O_WIDTH-1){1'b0}}, 1'b1} << OFFSET_LOG;
    localparam [1:0]  POWERS     = (LOOKAHEAD == 4) ? 2'd3 : (LOOKAHEAD == 3) ? 2'd2 : (LOOKAHEAD == 2) ? 2'd1 : 2'd0;
    // A code times the value scale stays below half of a value's bits.
    localparam SCALE_ROOM = 34 + 13 * WIDE - QBITS;
    localparam SCALE_BITS = (SCALE_ROOM > S_WIDTH - 1) ? S_WIDTH - 1 : SCALE_ROOM;
    localparam SIZE_BITS  = M_WIDTH - 1;         // of the longest quotient

    if (!(QBITS >= 3 && QBITS <= 16)) begin : g_check_qbits
        rlc_gae_scale_illegal_QBITS_must_be_3_to_16 u_stop ();
    end
    if (!(LOOKAHEAD >= 1 && LOOKAHEAD <= 4)) begin : g_check_lookahead
        rlc_gae_scale_illegal_LOOKAHEAD_must_be_1_to_4 u_stop ();
    end
    if (!(DEPTH >= 2 && SHIFT_MAX >= 0)) begin : g_check_depth
        rlc_gae_scale_illegal_DEPTH_must_be_at_least_2_and_leave_a_SHIFT_of_0 u_stop ();
    end

    // Words of the register file.
    localparam [5:0] REWARD_MEAN     = 6'd17;
    localparam [5:0] VALUE_MEAN      = 6'd20;
    localparam [5:0] VALUE_SCALE     = 6'd23;
    localparam [5:0] VALUE_OFFSET_LO = 6'd24;
    localparam [5:0] VALUE_OFFSET_HI = 6'd25;

    // Operations of rlc_gae_arith.
    localparam [2:0] MULTIPLY   = 3'd0;
    localparam [2:0] DIVIDE     = 3'd1;
    localparam [2:0] ROOT       = 3'd2;
    localparam [2:0] NORMALISE1 = 3'd3;
    localparam [2:0] NORMALISE2 = 3'd4;
    localparam [2:0] SUBTRACT   = 3'd5;

    // The program, in its order. PUT_* write a register; the rest are operations of rlc_gae_arith.
    localparam [4:0] IDLE        = 5'd0;
    localparam [4:0] SQUARE      = 5'd1;   // S*S
    localparam [4:0] PRODUCT     = 5'd2;   // n*Q
    localparam [4:0] SPREAD      = 5'd3;   // n*Q - S*S
    localparam [4:0] SPREAD_TOP  = 5'd4;   // normalised: its shift is f
    localparam [4:0] SIGMA       = 5'd5;   // R
    localparam [4:0] MEAN        = 5'd6;
    localparam [4:0] PUT_MEAN    = 5'd7;
    localparam [4:0] DEN         = 5'd8;   // clip*R
    localparam [4:0] DEN_TOP     = 5'd9;
    localparam [4:0] NUM         = 5'd10;  // L*n
    localparam [4:0] NUM_TOP     = 5'd11;
    localparam [4:0] MANT        = 5'd12;
    localparam [4:0] PUT_MANT    = 5'd13;
    localparam [4:0] PUT_SHIFT   = 5'd14;
    localparam [4:0] SCALE_NUM   = 5'd15;  // R, shifted
    localparam [4:0] SCALE_DIV   = 5'd16;
    localparam [4:0] PUT_SCALE   = 5'd17;
    localparam [4:0] OFFSET_MUL  = 5'd18;  // |mean|*L
    localparam [4:0] OFFSET_NUM  = 5'd19;  // shifted
    localparam [4:0] OFFSET_DIV  = 5'd20;
    localparam [4:0] PUT_LO      = 5'd21;
    localparam [4:0] PUT_HI      = 5'd22;
    localparam [4:0] NEXT_SCALE  = 5'd23;  // gamma*s_v
    localparam [4:0] NEXT_OFFSET = 5'd24;  // gamma*m_v
    localparam [4:0] POWER       = 5'd25;  // one more factor gamma*lambda
    localparam [4:0] FINISH      = 5'd26;
    localparam [4:0] PREPARE     = 5'd27;  // the side's sums come to the operands
    localparam [4:0] CHECK       = 5'd28;
    localparam [4:0] DECIDE      = 5'd29;  // the check of the configuration has come through its registers

    reg  [4:0]  state_q;
    reg         issued_q;
    reg         settled_q;   // the operation is over, and what is registered of its result is that of its end
    reg         value_q;     // the side: 0 rewards, 1 values
    reg         zero_q;      // its sigma is 0
    reg  [5:0]  top_q;       // 32 + f
    reg  [7:0]  shift_q;     // of the mantissa, signed, before it is limited
    reg  [31:0] root_q;
    reg  [25:0] mean_q;      // by magnitude; its sign is that of the sum
    reg  [SIZE_BITS-1:0] size_q;  // the last quotient, rounded and limited
    reg         far_q;       // it was limited
    reg  [31:0] power_q;
    reg  [1:0]  powers_q;

    wire         arith_busy;
    wire [152:0] value;
    wire [31:0]  root;
    wire [47:0]  saved_top;
    wire         sticky, normal;
    wire [5:0]   shifts;

    // Signed inputs by magnitude; registered, as is everything below that would lengthen a path into the operands.
    wire [39:0] n   = value_q ? n_v : n_r;
    wire [63:0] sum = value_q ? sum_v : sum_r;
    reg  [63:0] sum_size_q;
    reg         negative_q;
    reg         empty_q;
    reg  [S_WIDTH-1:0] s_v_size_q;
    reg  [M_WIDTH-1:0] m_v_size_q;
    reg  [15:0] limit_q;
    always @(posedge clk) begin
        sum_size_q <= sum[63] ? -sum : sum;
        negative_q <= sum[63];
        empty_q    <= n == 40'd0;
        s_v_size_q <= s_v[S_WIDTH-1] ? -s_v : s_v;
        m_v_size_q <= m_v[M_WIDTH-1] ? -m_v : m_v;
        limit_q    <= (16'd1 << (qbits - 5'd1)) - 16'd1;
    end

    reg config_ok_q;
    always @(posedge clk)
        config_ok_q <= qbits >= 5'd3 && {27'd0, qbits} <= QBITS && clip != 16'd0 && {27'd0, shift} <= SHIFT_MAX
                    && !(gamma[31] && gamma[30:0] != 31'd0) && !(gamma_lambda[31] && gamma_lambda[30:0] != 31'd0)
                    && $signed(reward_offset) <= OFFSET_TOP && $signed(reward_offset) >= -OFFSET_TOP
                    && (value_auto || !(|s_v_size_q[S_WIDTH-1:SCALE_BITS]));

    // Right shift that leaves the doubled numerator of s_v or m_v above bit 72 at its place. Below 22 (m_v of a wide core:
    // 9) the quotient does not fit the register anyway; from 127 on nothing is left.
    localparam [6:0]        OFFSET_LEAST = (WIDE != 0) ? 7'd9 : 7'd22;
    localparam signed [9:0] OFFSET_WISH  = 65 - FRAC;
    reg  signed [9:0] offset_wish_q;
    reg  signed [9:0] scale_wish_q;
    reg  [6:0]        offset_right_q;
    reg  [6:0]        scale_right_q;
    always @(posedge clk) begin
        offset_wish_q  <= OFFSET_WISH - {5'd0, shift} + {{2{value_point[7]}}, value_point};
        scale_wish_q   <= offset_wish_q + {4'd0, top_q} - 10'sd26;
        offset_right_q <= (offset_wish_q < $signed({3'd0, OFFSET_LEAST})) ? OFFSET_LEAST : (offset_wish_q > 10'sd127) ? 7'd127 : offset_wish_q[6:0];
        scale_right_q  <= (scale_wish_q < 10'sd22) ? 7'd22 : (scale_wish_q > 10'sd127) ? 7'd127 : scale_wish_q[6:0];
    end

    // What each operation takes.
    reg         is_op;
    reg  [2:0]  op;
    reg  [6:0]  steps;
    reg         load_ab;
    reg         load_m;
    reg  [46:0] a_in;
    reg  [87:0] b_in;
    reg  [63:0] m_in;
    wire [46:0] half_up   = {16'd0, 31'h40000000};
    wire [46:0] half_down = {16'd0, 31'h3fffffff};
    always @(*) begin
        is_op   = 1'b1;
        op      = MULTIPLY;
        steps   = 7'd16;
        load_ab = 1'b1;
        load_m  = 1'b1;
        a_in    = 47'd0;
        b_in    = {72'd0, limit_q};
        m_in    = {24'd0, n};
        case (state_q)
            SQUARE: begin
                steps = 7'd64;
                b_in  = {24'd0, sum_size_q};
                m_in  = sum_size_q;
            end
            PRODUCT: begin
                steps = 7'd88;
                b_in  = value_q ? sqr_v : sqr_r;
            end
            SPREAD: begin
                op      = SUBTRACT;
                steps   = 7'd3;
                load_ab = 1'b0;
            end
            SPREAD_TOP: begin
                op      = NORMALISE2;
                steps   = 7'd64;
                load_ab = 1'b0;
            end
            SIGMA: begin
                op    = ROOT;
                steps = 7'd32;
                b_in  = {value[127:64], 24'd0};
                m_in  = 64'd0;
            end
            MEAN: begin  // 8|S| / n; its upper part is below n, because no number exceeds 2^23
                op    = DIVIDE;
                steps = 7'd27;
                a_in  = {7'd0, sum_size_q[63:24]};
                b_in  = {sum_size_q[23:0], 64'd0};
            end
            DEN: begin
                b_in = {72'd0, clip};
                m_in = {32'd0, root_q};
            end
            DEN_TOP, NUM_TOP: begin
                op      = NORMALISE1;
                steps   = 7'd64;
                load_ab = 1'b0;
            end
            MANT: begin
                op    = DIVIDE;
                steps = 7'd17;
                a_in  = value[127:81];
                b_in  = {value[80:0], 7'd0};
                m_in  = {16'd0, saved_top};
            end
            SCALE_NUM: begin
                steps = scale_right_q;
                a_in  = {31'd0, root_q[31:16]};
                b_in  = {root_q[15:0], 72'd0};
                m_in  = 64'd0;
            end
            SCALE_DIV: begin
                op      = DIVIDE;
                steps   = 7'd88;
                load_ab = 1'b0;
            end
            OFFSET_MUL: m_in = {38'd0, mean_q};
            OFFSET_NUM: begin
                steps   = offset_right_q;
                load_ab = 1'b0;
                m_in    = 64'd0;
            end
            OFFSET_DIV: begin
                op      = DIVIDE;
                steps   = 7'd88;
                load_ab = 1'b0;
                m_in    = {48'd0, clip};
            end
            NEXT_SCALE: begin
                steps = 7'd32;
                a_in  = s_v[S_WIDTH-1] ? half_down : half_up;
                b_in  = {56'd0, gamma};
                m_in  = {{(64-S_WIDTH){1'b0}}, s_v_size_q};
            end
            NEXT_OFFSET: begin
                steps = 7'd32;
                a_in  = m_v[M_WIDTH-1] ? half_down : half_up;
                b_in  = {56'd0, gamma};
                m_in  = {{(64-M_WIDTH){1'b0}}, m_v_size_q};
            end
            POWER: begin
                steps = 7'd32;
                a_in  = half_up;
                b_in  = {56'd0, power_q};
                m_in  = {32'd0, gamma_lambda};
            end
            NUM: ;
            default: is_op = 1'b0;
        endcase
    end

    // Operation, start and operands are registered, for the clock.
    reg        start_q;
    reg [2:0]  op_q;
    reg [6:0]  steps_q;
    reg        load_ab_q;
    reg        load_m_q;
    reg [46:0] a_q;
    reg [87:0] b_q;
    reg [63:0] m_q;
    always @(posedge clk) begin
        start_q   <= is_op && !start_q && !issued_q && !rst;
        op_q      <= op;
        steps_q   <= steps;
        load_ab_q <= load_ab;
        load_m_q  <= load_m;
        a_q       <= a_in;
        b_q       <= b_in;
        m_q       <= m_in;
    end

    wire finished = is_op ? settled_q : state_q != IDLE;
    wire save     = finished && (state_q == SQUARE || state_q == DEN_TOP);
    rlc_gae_arith u_arith (
        .clk(clk), .rst(rst), .start(start_q), .op(op_q), .steps(steps_q), .load_ab(load_ab_q), .load_m(load_m_q),
        .a_in(a_q), .b_in(b_q), .m_in(m_q), .save(save), .busy(arith_busy), .value(value), .root(root),
        .saved_top(saved_top), .sticky(sticky), .normal(normal), .shifts(shifts)
    );

    // Order of the program.
    reg [4:0] state_d;
    always @(*)
        case (state_q)
            IDLE:      state_d = start ? CHECK : IDLE;
            DECIDE:    state_d = !config_ok_q ? IDLE : (reward_auto || value_auto) ? PREPARE : NEXT_SCALE;
            PREPARE:   state_d = SQUARE;
            PUT_SHIFT: state_d = value_q ? SCALE_NUM : value_auto ? PREPARE : NEXT_SCALE;
            NEXT_OFFSET, POWER: state_d = (powers_q == 2'd0) ? FINISH : POWER;
            FINISH:    state_d = IDLE;
            default:   state_d = state_q + 5'd1;
        endcase

    always @(posedge clk)
        if (rst) begin
            state_q   <= IDLE;
            issued_q  <= 1'b0;
            settled_q <= 1'b0;
        end else begin
            issued_q  <= (start_q || issued_q) && !finished;
            settled_q <= issued_q && !arith_busy && !finished;
            if (finished || state_q == IDLE) state_q <= state_d;
        end
    assign busy = state_q != IDLE;

    // Quotients, rounded: what they are doubled for falls off. Registered first: is there a remainder, does it fit.
    reg  inexact_q;
    reg  above_scale_q;
    reg  above_offset_q;
    reg  ones_scale_q;
    reg  ones_offset_q;
    reg  beyond_q;    // the numerator of m_v has more bits than a division takes, so its quotient is beyond any limit
    always @(posedge clk) begin
        inexact_q      <= sticky;
        above_scale_q  <= |value[87:SCALE_BITS+1];
        above_offset_q <= |value[87:SIZE_BITS+1];
        ones_scale_q   <= &value[SCALE_BITS:1];
        ones_offset_q  <= &value[SIZE_BITS:1];
    end
    wire        scale_now = state_q == SCALE_DIV;
    wire        up        = value[0] && (inexact_q || !negative_q || scale_now);
    wire [SIZE_BITS-1:0] rounded  = value[SIZE_BITS:1] + {{(SIZE_BITS-1){1'b0}}, up};
    wire        far_offset = above_offset_q || (ones_offset_q && up) || beyond_q;
    wire        far        = scale_now ? above_scale_q || (ones_scale_q && up) : far_offset;
    wire [SIZE_BITS-1:0] farthest = scale_now ? {SIZE_BITS{1'b1}} >> (SIZE_BITS - SCALE_BITS) : {SIZE_BITS{1'b1}};

    // Results that a later operation needs.
    always @(posedge clk) begin
        if (state_q == DECIDE) begin
            value_q  <= !reward_auto;
            power_q  <= gamma_lambda;
            powers_q <= POWERS;
        end
        if (finished)
            case (state_q)
                SPREAD_TOP: begin
                    zero_q  <= !normal;
                    top_q   <= shifts;
                    shift_q <= 8'd42 - {2'd0, shifts};
                end
                SIGMA:     root_q  <= root;
                MEAN:      mean_q  <= empty_q ? 26'd0 : rounded[25:0];
                OFFSET_NUM: beyond_q <= (WIDE != 0) && (|value[127:88]);
                SCALE_DIV, OFFSET_DIV: begin
                    size_q <= far ? farthest : rounded;
                    far_q  <= far;
                end
                DEN_TOP:   shift_q <= shift_q - {2'd0, shifts};
                NUM_TOP:   shift_q <= shift_q + {2'd0, shifts};
                PUT_SHIFT: value_q <= 1'b1;
                NEXT_OFFSET: if (powers_q != 2'd0) powers_q <= powers_q - 2'd1;
                POWER: begin
                    power_q <= value[118:87];
                    if (powers_q != 2'd0) powers_q <= powers_q - 2'd1;
                end
                default: ;
            endcase
    end

    // Registers to write.
    localparam PUT_BITS = S_WIDTH - 1;
    wire        tiny       = shift_q[7] || shift_q == 8'd0;  // more than the mantissa can say, and than any code
    wire [26:0] mean       = negative_q ? -{1'b0, mean_q} : {1'b0, mean_q};
    wire [M_WIDTH-1:0] offset = negative_q ? -{1'b0, size_q} : {1'b0, size_q};

    reg         we_q;
    reg  [5:0]  addr_q;
    reg  [31:0] data_q;
    wire [5:0]  side = value_q ? VALUE_MEAN : REWARD_MEAN;
    always @(posedge clk) begin
        we_q <= 1'b0;
        case (state_q)
            PUT_MEAN: begin
                we_q   <= !rst;
                addr_q <= side;
                data_q <= {{5{mean[26]}}, mean};
            end
            PUT_MANT: begin
                we_q   <= !rst;
                addr_q <= side + 6'd1;
                data_q <= {15'd0, zero_q ? 17'd0 : tiny ? 17'h1ffff : value[16:0]};
            end
            PUT_SHIFT: begin
                we_q   <= !rst;
                addr_q <= side + 6'd2;
                data_q <= {26'd0, (zero_q || tiny) ? 6'd1 : shift_q[5:0]};
            end
            PUT_SCALE: begin
                we_q   <= !rst;
                addr_q <= VALUE_SCALE;
                data_q <= {{(32-PUT_BITS){1'b0}}, zero_q ? {PUT_BITS{1'b0}} : size_q[PUT_BITS-1:0]};
            end
            PUT_LO: begin
                we_q   <= !rst;
                addr_q <= VALUE_OFFSET_LO;
                data_q <= offset[31:0];
            end
            PUT_HI: begin
                we_q   <= !rst;
                addr_q <= VALUE_OFFSET_HI;
                data_q <= {{(64-M_WIDTH){offset[M_WIDTH-1]}}, offset[M_WIDTH-1:32]};
            end
            default: ;
        endcase
    end
    assign hw_we   = we_q;
    assign hw_addr = addr_q;
    assign hw_data = data_q;

    // The array's constants.
    reg  [S_WIDTH-1:0] s_vn_q;
    reg  [K_WIDTH-1:0] k_cut_q;
    reg  [K_WIDTH-1:0] k_keep_q;
    reg  [B_FRAC:0]    b_step_q;
    reg  [B_FRAC:0]    b_loop_q;
    localparam [K_WIDTH-1:0] HALF = {{(K_WIDTH-1){1'b0}}, 1'b1} << (FRAC - 1);
    wire [S_WIDTH-1:0] s_vn_size = value[87 +: S_WIDTH];
    // Less 1 where it is negative.
    wire [K_WIDTH-1:0] m_vn      = {{(K_WIDTH-M_WIDTH){1'b0}}, value[87 +: M_WIDTH]} ^ {K_WIDTH{m_v[M_WIDTH-1]}};
    wire [K_WIDTH-1:0] offset_k  = {{(K_WIDTH-O_WIDTH){reward_offset[O_WIDTH-1]}}, reward_offset};
    wire [K_WIDTH-1:0] k_cut_d   = (offset_k << (FRAC - O_FRAC)) + HALF;
    wire [B_FRAC:0]    c_step    = gamma_lambda[31:31-B_FRAC] + {{B_FRAC{1'b0}}, gamma_lambda[30-B_FRAC]};
    wire [B_FRAC:0]    c_loop    = power_q[31:31-B_FRAC] + {{B_FRAC{1'b0}}, power_q[30-B_FRAC]};
    always @(posedge clk)
        if (finished)
            case (state_q)
                NEXT_SCALE: s_vn_q <= s_v[S_WIDTH-1] ? -s_vn_size : s_vn_size;
                NEXT_OFFSET: begin
                    k_cut_q  <= k_cut_d;
                    k_keep_q <= k_cut_d + m_vn + {{(K_WIDTH-1){1'b0}}, m_v[M_WIDTH-1]};
                end
                FINISH: begin  // less 1, which is the sign bit of sfix(B_FRAC+1, B_FRAC)
                    b_step_q <= {!c_step[B_FRAC], c_step[B_FRAC-1:0]};
                    b_loop_q <= {!c_loop[B_FRAC], c_loop[B_FRAC-1:0]};
                end
                default: ;
            endcase
    assign s_vn   = s_vn_q;
    assign k_cut  = k_cut_q;
    assign k_keep = k_keep_q;
    assign b_step = b_step_q;
    assign b_loop = b_loop_q;

    // Pulses.
    reg done_q, zero_r_q, zero_v_q, sat_q, config_q;
    always @(posedge clk)
        if (rst) begin
            done_q   <= 1'b0;
            zero_r_q <= 1'b0;
            zero_v_q <= 1'b0;
            sat_q    <= 1'b0;
            config_q <= 1'b0;
        end else begin
            config_q <= state_q == DECIDE && !config_ok_q;
            done_q   <= state_q == FINISH || (state_q == DECIDE && !config_ok_q);
            zero_r_q <= finished && state_q == SPREAD_TOP && !normal && !value_q;
            zero_v_q <= finished && state_q == SPREAD_TOP && !normal && value_q;
            sat_q    <= (state_q == PUT_SCALE && far_q && !zero_q) || (state_q == PUT_LO && far_q);
        end
    assign done         = done_q;
    assign config_error = config_q;
    assign sigma_zero_r = zero_r_q;
    assign sigma_zero_v = zero_v_q;
    assign scale_sat    = sat_q;
endmodule
`default_nettype wire
