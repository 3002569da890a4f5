// rlc_gae_cfg.vh — ports: what the scale unit and the registers give the array, held while it runs. Included in the port
// lists of the array and of what it is made of; WIDE follows from QBITS.
// SPDX-License-Identifier: Apache-2.0

input  wire [3:0]                 cfg_shift,         // of the rewards, 0 to SHIFT_MAX
input  wire signed [26+5*WIDE:0]  cfg_value_scale,   // sfix(27,10), u per code; WIDE sfix(32,15)
input  wire signed [34+13*WIDE:0] cfg_value_offset,  // sfix(35,10), u, half a u included; WIDE sfix(48,15)
input  wire signed [26+5*WIDE:0]  cfg_next_scale,    // gamma * value_scale
input  wire signed [36+13*WIDE:0] cfg_add_cut,       // reward offset + 1/2, in u, sfix(37,10); WIDE sfix(50,15)
input  wire signed [36+13*WIDE:0] cfg_add_keep,      // the same + gamma * value_offset
input  wire signed [17+9*WIDE:0]  cfg_b_step,        // gamma*lambda - 1, sfix(18,17); WIDE sfix(27,26)
input  wire signed [17+9*WIDE:0]  cfg_b_loop,        // (gamma*lambda)^LOOKAHEAD - 1
input  wire [4:0]                 cfg_drop,          // low bits of u that a result code leaves out; WIDE only
