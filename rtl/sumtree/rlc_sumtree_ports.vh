// rlc_sumtree_ports.vh — the ports of rlc_sumtree, of rlc_sumtree_tagged and of N banks, said once, as macros.
// SPDX-License-Identifier: Apache-2.0
//
// IN, OUT            kinds of port, or `wire`
// BIT_IN, BIT_OUT    the same for single bits, with the range of the banks where there are several
// N, TOTAL           lanes side by side; bits of the total of an answer
// END                stands between two: `RLC_COMMA or ;
`ifndef RLC_SUMTREE_PORTS_VH
`define RLC_SUMTREE_PORTS_VH
`include "rlc_axi.vh"

`define RLC_SUMTREE_CFG(IN, END) \
    IN [INDEX_WIDTH:0]      cfg_capacity END \
    IN [PRIORITY_WIDTH-1:0] cfg_initial END \
    IN [15:0]               cfg_strata END \
    IN                      cfg_restart END \
    IN                      cfg_seed_valid END \
    IN [127:0]              cfg_seed

`define RLC_SUMTREE_REQUESTS(IN, BIT_IN, BIT_OUT, N, END) \
    BIT_IN                        s_op_valid END \
    BIT_OUT                       s_op_ready END \
    IN [(N)*3-1:0]                s_op_kind END \
    BIT_IN                        s_op_check END \
    BIT_IN                        s_op_max END \
    BIT_IN                        s_op_beyond END \
    IN [(N)*INDEX_WIDTH-1:0]      s_op_index END \
    IN [(N)*GENERATION_BITS-1:0]  s_op_generation END \
    IN [(N)*PRIORITY_WIDTH-1:0]   s_op_priority END \
    BIT_IN                        s_sample_valid END \
    BIT_OUT                       s_sample_ready END \
    IN [(N)*2-1:0]                s_sample_kind END \
    IN [(N)*VALUE_WIDTH-1:0]      s_sample_value

`define RLC_SUMTREE_ANSWERS(OUT, BIT_IN, BIT_OUT, N, TOTAL, END) \
    BIT_OUT                       m_op_valid END \
    BIT_IN                        m_op_ready END \
    OUT [(N)*3-1:0]               m_op_kind END \
    OUT [(N)*2-1:0]               m_op_status END \
    OUT [(N)*INDEX_WIDTH-1:0]     m_op_index END \
    OUT [(N)*GENERATION_BITS-1:0] m_op_generation END \
    OUT [(N)*PRIORITY_WIDTH-1:0]  m_op_priority END \
    BIT_OUT                       m_sample_valid END \
    BIT_IN                        m_sample_ready END \
    OUT [(N)*2-1:0]               m_sample_status END \
    OUT [(N)*INDEX_WIDTH-1:0]     m_sample_index END \
    OUT [(N)*PRIORITY_WIDTH-1:0]  m_sample_priority END \
    OUT [(N)*(TOTAL)-1:0]         m_sample_total END \
    OUT [(N)*GENERATION_BITS-1:0] m_sample_generation

`define RLC_SUMTREE_STATE(OUT, BIT_OUT, END) \
    OUT                      busy END \
    OUT [SUM_WIDTH-1:0]      total END \
    OUT [INDEX_WIDTH:0]      size END \
    OUT [PRIORITY_WIDTH-1:0] largest END \
    OUT [INDEX_WIDTH:0]      capacity END \
    BIT_OUT                  ev_stale END \
    BIT_OUT                  ev_range END \
    BIT_OUT                  ev_kind END \
    BIT_OUT                  ev_empty END \
    BIT_OUT                  ev_miss

`endif
