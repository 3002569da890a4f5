// rlc_nn_log_rom.v — 256 words of 10 bits: log2 over an octave. Written by `python -m rlcores.cores.learner.tables log`; do not edit.
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
        rom[0] = 10'd3; rom[1] = 10'd9; rom[2] = 10'd14; rom[3] = 10'd20; rom[4] = 10'd26;
        rom[5] = 10'd31; rom[6] = 10'd37; rom[7] = 10'd43; rom[8] = 10'd48; rom[9] = 10'd54;
        rom[10] = 10'd59; rom[11] = 10'd65; rom[12] = 10'd70; rom[13] = 10'd76; rom[14] = 10'd81;
        rom[15] = 10'd87; rom[16] = 10'd92; rom[17] = 10'd98; rom[18] = 10'd103; rom[19] = 10'd108;
        rom[20] = 10'd114; rom[21] = 10'd119; rom[22] = 10'd124; rom[23] = 10'd130; rom[24] = 10'd135;
        rom[25] = 10'd140; rom[26] = 10'd146; rom[27] = 10'd151; rom[28] = 10'd156; rom[29] = 10'd161;
        rom[30] = 10'd166; rom[31] = 10'd171; rom[32] = 10'd177; rom[33] = 10'd182; rom[34] = 10'd187;
        rom[35] = 10'd192; rom[36] = 10'd197; rom[37] = 10'd202; rom[38] = 10'd207; rom[39] = 10'd212;
        rom[40] = 10'd217; rom[41] = 10'd222; rom[42] = 10'd227; rom[43] = 10'd232; rom[44] = 10'd237;
        rom[45] = 10'd242; rom[46] = 10'd247; rom[47] = 10'd251; rom[48] = 10'd256; rom[49] = 10'd261;
        rom[50] = 10'd266; rom[51] = 10'd271; rom[52] = 10'd276; rom[53] = 10'd280; rom[54] = 10'd285;
        rom[55] = 10'd290; rom[56] = 10'd295; rom[57] = 10'd299; rom[58] = 10'd304; rom[59] = 10'd309;
        rom[60] = 10'd313; rom[61] = 10'd318; rom[62] = 10'd323; rom[63] = 10'd327; rom[64] = 10'd332;
        rom[65] = 10'd337; rom[66] = 10'd341; rom[67] = 10'd346; rom[68] = 10'd350; rom[69] = 10'd355;
        rom[70] = 10'd359; rom[71] = 10'd364; rom[72] = 10'd368; rom[73] = 10'd373; rom[74] = 10'd377;
        rom[75] = 10'd382; rom[76] = 10'd386; rom[77] = 10'd391; rom[78] = 10'd395; rom[79] = 10'd400;
        rom[80] = 10'd404; rom[81] = 10'd408; rom[82] = 10'd413; rom[83] = 10'd417; rom[84] = 10'd421;
        rom[85] = 10'd426; rom[86] = 10'd430; rom[87] = 10'd434; rom[88] = 10'd439; rom[89] = 10'd443;
        rom[90] = 10'd447; rom[91] = 10'd451; rom[92] = 10'd456; rom[93] = 10'd460; rom[94] = 10'd464;
        rom[95] = 10'd468; rom[96] = 10'd473; rom[97] = 10'd477; rom[98] = 10'd481; rom[99] = 10'd485;
        rom[100] = 10'd489; rom[101] = 10'd493; rom[102] = 10'd497; rom[103] = 10'd502; rom[104] = 10'd506;
        rom[105] = 10'd510; rom[106] = 10'd514; rom[107] = 10'd518; rom[108] = 10'd522; rom[109] = 10'd526;
        rom[110] = 10'd530; rom[111] = 10'd534; rom[112] = 10'd538; rom[113] = 10'd542; rom[114] = 10'd546;
        rom[115] = 10'd550; rom[116] = 10'd554; rom[117] = 10'd558; rom[118] = 10'd562; rom[119] = 10'd566;
        rom[120] = 10'd570; rom[121] = 10'd574; rom[122] = 10'd578; rom[123] = 10'd582; rom[124] = 10'd585;
        rom[125] = 10'd589; rom[126] = 10'd593; rom[127] = 10'd597; rom[128] = 10'd601; rom[129] = 10'd605;
        rom[130] = 10'd609; rom[131] = 10'd612; rom[132] = 10'd616; rom[133] = 10'd620; rom[134] = 10'd624;
        rom[135] = 10'd628; rom[136] = 10'd631; rom[137] = 10'd635; rom[138] = 10'd639; rom[139] = 10'd643;
        rom[140] = 10'd646; rom[141] = 10'd650; rom[142] = 10'd654; rom[143] = 10'd657; rom[144] = 10'd661;
        rom[145] = 10'd665; rom[146] = 10'd669; rom[147] = 10'd672; rom[148] = 10'd676; rom[149] = 10'd679;
        rom[150] = 10'd683; rom[151] = 10'd687; rom[152] = 10'd690; rom[153] = 10'd694; rom[154] = 10'd698;
        rom[155] = 10'd701; rom[156] = 10'd705; rom[157] = 10'd708; rom[158] = 10'd712; rom[159] = 10'd715;
        rom[160] = 10'd719; rom[161] = 10'd723; rom[162] = 10'd726; rom[163] = 10'd730; rom[164] = 10'd733;
        rom[165] = 10'd737; rom[166] = 10'd740; rom[167] = 10'd744; rom[168] = 10'd747; rom[169] = 10'd751;
        rom[170] = 10'd754; rom[171] = 10'd758; rom[172] = 10'd761; rom[173] = 10'd764; rom[174] = 10'd768;
        rom[175] = 10'd771; rom[176] = 10'd775; rom[177] = 10'd778; rom[178] = 10'd782; rom[179] = 10'd785;
        rom[180] = 10'd788; rom[181] = 10'd792; rom[182] = 10'd795; rom[183] = 10'd798; rom[184] = 10'd802;
        rom[185] = 10'd805; rom[186] = 10'd808; rom[187] = 10'd812; rom[188] = 10'd815; rom[189] = 10'd818;
        rom[190] = 10'd822; rom[191] = 10'd825; rom[192] = 10'd828; rom[193] = 10'd832; rom[194] = 10'd835;
        rom[195] = 10'd838; rom[196] = 10'd841; rom[197] = 10'd845; rom[198] = 10'd848; rom[199] = 10'd851;
        rom[200] = 10'd854; rom[201] = 10'd858; rom[202] = 10'd861; rom[203] = 10'd864; rom[204] = 10'd867;
        rom[205] = 10'd871; rom[206] = 10'd874; rom[207] = 10'd877; rom[208] = 10'd880; rom[209] = 10'd883;
        rom[210] = 10'd887; rom[211] = 10'd890; rom[212] = 10'd893; rom[213] = 10'd896; rom[214] = 10'd899;
        rom[215] = 10'd902; rom[216] = 10'd905; rom[217] = 10'd909; rom[218] = 10'd912; rom[219] = 10'd915;
        rom[220] = 10'd918; rom[221] = 10'd921; rom[222] = 10'd924; rom[223] = 10'd927; rom[224] = 10'd930;
        rom[225] = 10'd933; rom[226] = 10'd936; rom[227] = 10'd939; rom[228] = 10'd942; rom[229] = 10'd945;
        rom[230] = 10'd949; rom[231] = 10'd952; rom[232] = 10'd955; rom[233] = 10'd958; rom[234] = 10'd961;
        rom[235] = 10'd964; rom[236] = 10'd967; rom[237] = 10'd970; rom[238] = 10'd973; rom[239] = 10'd976;
        rom[240] = 10'd979; rom[241] = 10'd982; rom[242] = 10'd985; rom[243] = 10'd987; rom[244] = 10'd990;
        rom[245] = 10'd993; rom[246] = 10'd996; rom[247] = 10'd999; rom[248] = 10'd1002; rom[249] = 10'd1005;
        rom[250] = 10'd1008; rom[251] = 10'd1011; rom[252] = 10'd1014; rom[253] = 10'd1017; rom[254] = 10'd1020;
        rom[255] = 10'd1023;
    end
endmodule
`default_nettype wire
