// rlc_nn_log_rom.v — log2 over an octave: 256 words of 10 bits. Written by `rlcores generate` from its model; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       1024 * log2 of the middle of segment addr of the octave
// latency    1 clock, one a clock, no reset
// cost       about 45 LUT: too small for a memory block
`default_nettype none
module rlc_nn_log_rom (
    input  wire       clk,
    input  wire [7:0] addr,
    output wire [9:0] data
);
    // Two tools, two words for a table in LUTs.
`ifdef YOSYS
    (* rom_style = "logic" *)
`else
    (* rom_style = "distributed" *)
`endif
    reg [9:0] rom [0:255];
    reg [9:0] data_q;

    always @(posedge clk) data_q <= rom[addr];
    assign data = data_q;

    initial begin
        rom[0] = 10'h003; rom[1] = 10'h009; rom[2] = 10'h00e; rom[3] = 10'h014; rom[4] = 10'h01a; rom[5] = 10'h01f;
        rom[6] = 10'h025; rom[7] = 10'h02b; rom[8] = 10'h030; rom[9] = 10'h036; rom[10] = 10'h03b; rom[11] = 10'h041;
        rom[12] = 10'h046; rom[13] = 10'h04c; rom[14] = 10'h051; rom[15] = 10'h057; rom[16] = 10'h05c; rom[17] = 10'h062;
        rom[18] = 10'h067; rom[19] = 10'h06c; rom[20] = 10'h072; rom[21] = 10'h077; rom[22] = 10'h07c; rom[23] = 10'h082;
        rom[24] = 10'h087; rom[25] = 10'h08c; rom[26] = 10'h092; rom[27] = 10'h097; rom[28] = 10'h09c; rom[29] = 10'h0a1;
        rom[30] = 10'h0a6; rom[31] = 10'h0ab; rom[32] = 10'h0b1; rom[33] = 10'h0b6; rom[34] = 10'h0bb; rom[35] = 10'h0c0;
        rom[36] = 10'h0c5; rom[37] = 10'h0ca; rom[38] = 10'h0cf; rom[39] = 10'h0d4; rom[40] = 10'h0d9; rom[41] = 10'h0de;
        rom[42] = 10'h0e3; rom[43] = 10'h0e8; rom[44] = 10'h0ed; rom[45] = 10'h0f2; rom[46] = 10'h0f7; rom[47] = 10'h0fb;
        rom[48] = 10'h100; rom[49] = 10'h105; rom[50] = 10'h10a; rom[51] = 10'h10f; rom[52] = 10'h114; rom[53] = 10'h118;
        rom[54] = 10'h11d; rom[55] = 10'h122; rom[56] = 10'h127; rom[57] = 10'h12b; rom[58] = 10'h130; rom[59] = 10'h135;
        rom[60] = 10'h139; rom[61] = 10'h13e; rom[62] = 10'h143; rom[63] = 10'h147; rom[64] = 10'h14c; rom[65] = 10'h151;
        rom[66] = 10'h155; rom[67] = 10'h15a; rom[68] = 10'h15e; rom[69] = 10'h163; rom[70] = 10'h167; rom[71] = 10'h16c;
        rom[72] = 10'h170; rom[73] = 10'h175; rom[74] = 10'h179; rom[75] = 10'h17e; rom[76] = 10'h182; rom[77] = 10'h187;
        rom[78] = 10'h18b; rom[79] = 10'h190; rom[80] = 10'h194; rom[81] = 10'h198; rom[82] = 10'h19d; rom[83] = 10'h1a1;
        rom[84] = 10'h1a5; rom[85] = 10'h1aa; rom[86] = 10'h1ae; rom[87] = 10'h1b2; rom[88] = 10'h1b7; rom[89] = 10'h1bb;
        rom[90] = 10'h1bf; rom[91] = 10'h1c3; rom[92] = 10'h1c8; rom[93] = 10'h1cc; rom[94] = 10'h1d0; rom[95] = 10'h1d4;
        rom[96] = 10'h1d9; rom[97] = 10'h1dd; rom[98] = 10'h1e1; rom[99] = 10'h1e5; rom[100] = 10'h1e9;
        rom[101] = 10'h1ed; rom[102] = 10'h1f1; rom[103] = 10'h1f6; rom[104] = 10'h1fa; rom[105] = 10'h1fe;
        rom[106] = 10'h202; rom[107] = 10'h206; rom[108] = 10'h20a; rom[109] = 10'h20e; rom[110] = 10'h212;
        rom[111] = 10'h216; rom[112] = 10'h21a; rom[113] = 10'h21e; rom[114] = 10'h222; rom[115] = 10'h226;
        rom[116] = 10'h22a; rom[117] = 10'h22e; rom[118] = 10'h232; rom[119] = 10'h236; rom[120] = 10'h23a;
        rom[121] = 10'h23e; rom[122] = 10'h242; rom[123] = 10'h246; rom[124] = 10'h249; rom[125] = 10'h24d;
        rom[126] = 10'h251; rom[127] = 10'h255; rom[128] = 10'h259; rom[129] = 10'h25d; rom[130] = 10'h261;
        rom[131] = 10'h264; rom[132] = 10'h268; rom[133] = 10'h26c; rom[134] = 10'h270; rom[135] = 10'h274;
        rom[136] = 10'h277; rom[137] = 10'h27b; rom[138] = 10'h27f; rom[139] = 10'h283; rom[140] = 10'h286;
        rom[141] = 10'h28a; rom[142] = 10'h28e; rom[143] = 10'h291; rom[144] = 10'h295; rom[145] = 10'h299;
        rom[146] = 10'h29d; rom[147] = 10'h2a0; rom[148] = 10'h2a4; rom[149] = 10'h2a7; rom[150] = 10'h2ab;
        rom[151] = 10'h2af; rom[152] = 10'h2b2; rom[153] = 10'h2b6; rom[154] = 10'h2ba; rom[155] = 10'h2bd;
        rom[156] = 10'h2c1; rom[157] = 10'h2c4; rom[158] = 10'h2c8; rom[159] = 10'h2cb; rom[160] = 10'h2cf;
        rom[161] = 10'h2d3; rom[162] = 10'h2d6; rom[163] = 10'h2da; rom[164] = 10'h2dd; rom[165] = 10'h2e1;
        rom[166] = 10'h2e4; rom[167] = 10'h2e8; rom[168] = 10'h2eb; rom[169] = 10'h2ef; rom[170] = 10'h2f2;
        rom[171] = 10'h2f6; rom[172] = 10'h2f9; rom[173] = 10'h2fc; rom[174] = 10'h300; rom[175] = 10'h303;
        rom[176] = 10'h307; rom[177] = 10'h30a; rom[178] = 10'h30e; rom[179] = 10'h311; rom[180] = 10'h314;
        rom[181] = 10'h318; rom[182] = 10'h31b; rom[183] = 10'h31e; rom[184] = 10'h322; rom[185] = 10'h325;
        rom[186] = 10'h328; rom[187] = 10'h32c; rom[188] = 10'h32f; rom[189] = 10'h332; rom[190] = 10'h336;
        rom[191] = 10'h339; rom[192] = 10'h33c; rom[193] = 10'h340; rom[194] = 10'h343; rom[195] = 10'h346;
        rom[196] = 10'h349; rom[197] = 10'h34d; rom[198] = 10'h350; rom[199] = 10'h353; rom[200] = 10'h356;
        rom[201] = 10'h35a; rom[202] = 10'h35d; rom[203] = 10'h360; rom[204] = 10'h363; rom[205] = 10'h367;
        rom[206] = 10'h36a; rom[207] = 10'h36d; rom[208] = 10'h370; rom[209] = 10'h373; rom[210] = 10'h377;
        rom[211] = 10'h37a; rom[212] = 10'h37d; rom[213] = 10'h380; rom[214] = 10'h383; rom[215] = 10'h386;
        rom[216] = 10'h389; rom[217] = 10'h38d; rom[218] = 10'h390; rom[219] = 10'h393; rom[220] = 10'h396;
        rom[221] = 10'h399; rom[222] = 10'h39c; rom[223] = 10'h39f; rom[224] = 10'h3a2; rom[225] = 10'h3a5;
        rom[226] = 10'h3a8; rom[227] = 10'h3ab; rom[228] = 10'h3ae; rom[229] = 10'h3b1; rom[230] = 10'h3b5;
        rom[231] = 10'h3b8; rom[232] = 10'h3bb; rom[233] = 10'h3be; rom[234] = 10'h3c1; rom[235] = 10'h3c4;
        rom[236] = 10'h3c7; rom[237] = 10'h3ca; rom[238] = 10'h3cd; rom[239] = 10'h3d0; rom[240] = 10'h3d3;
        rom[241] = 10'h3d6; rom[242] = 10'h3d9; rom[243] = 10'h3db; rom[244] = 10'h3de; rom[245] = 10'h3e1;
        rom[246] = 10'h3e4; rom[247] = 10'h3e7; rom[248] = 10'h3ea; rom[249] = 10'h3ed; rom[250] = 10'h3f0;
        rom[251] = 10'h3f3; rom[252] = 10'h3f6; rom[253] = 10'h3f9; rom[254] = 10'h3fc; rom[255] = 10'h3ff;
    end
endmodule
`default_nettype wire
