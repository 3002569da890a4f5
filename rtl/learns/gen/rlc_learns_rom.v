// rlc_learns_rom.v — first weights of the chip that learns by itself: 419 of 27 bits, the actor's, then the critic's.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration tools/rlcores/train/learns.yaml; do not edit.
//
// latency    2 clocks, the second a plain register that a RAM block has inside
`default_nettype none
module rlc_learns_rom #(
    parameter WORDS = 419,             // derived; leave it alone
    parameter ADDRESS = $clog2(WORDS)  // derived; leave it alone
) (
    input  wire               clk,
    input  wire [ADDRESS-1:0] addr,
    output wire [26:0]        data
);
    (* rom_style = "block", ram_style = "block" *)
    reg [26:0] rom [0:WORDS-1];
    reg [26:0] read_s1;
    reg [26:0] read_s2;

    always @(posedge clk) begin
        read_s1 <= rom[addr];
        read_s2 <= read_s1;
    end
    assign data = read_s2;

    initial begin
        rom[0] = 27'h011aed7; rom[1] = 27'h7ed367f; rom[2] = 27'h7fadac9; rom[3] = 27'h00f179d;
        rom[4] = 27'h7e3273e; rom[5] = 27'h7e6f01f; rom[6] = 27'h00f64f7; rom[7] = 27'h7e9efb2;
        rom[8] = 27'h7e34cda; rom[9] = 27'h7efd139; rom[10] = 27'h7e816a0; rom[11] = 27'h00659dc;
        rom[12] = 27'h01d9d18; rom[13] = 27'h0125773; rom[14] = 27'h7e32398; rom[15] = 27'h7fedbb0;
        rom[16] = 27'h7fae5dd; rom[17] = 27'h00166f1; rom[18] = 27'h018a1fd; rom[19] = 27'h00a563b;
        rom[20] = 27'h7ff1609; rom[21] = 27'h01789e8; rom[22] = 27'h004c88c; rom[23] = 27'h016d8af;
        rom[24] = 27'h0008f0f; rom[25] = 27'h0004896; rom[26] = 27'h01d389e; rom[27] = 27'h7fe8692;
        rom[28] = 27'h00fbc2f; rom[29] = 27'h0199e05; rom[30] = 27'h7fd8726; rom[31] = 27'h00f6beb;
        rom[32] = 27'h00054f8; rom[33] = 27'h0057efd; rom[34] = 27'h000ec79; rom[35] = 27'h00ce92a;
        rom[36] = 27'h012dcd0; rom[37] = 27'h000ace1; rom[38] = 27'h7e54bc1; rom[39] = 27'h005ffa8;
        rom[40] = 27'h7f8f0a0; rom[41] = 27'h7f97a6d; rom[42] = 27'h0145518; rom[43] = 27'h0043b82;
        rom[44] = 27'h7ef41ab; rom[45] = 27'h00428ce; rom[46] = 27'h7f00769; rom[47] = 27'h7e81560;
        rom[48] = 27'h7e79f86; rom[49] = 27'h01dfd46; rom[50] = 27'h7f0e0ca; rom[51] = 27'h7fbb7d8;
        rom[52] = 27'h0061bbf; rom[53] = 27'h7e7bfee; rom[54] = 27'h7e1e0a1; rom[55] = 27'h0093fd1;
        rom[56] = 27'h7fb228d; rom[57] = 27'h7f80544; rom[58] = 27'h7fa74cf; rom[59] = 27'h0155eb4;
        rom[60] = 27'h7e86e26; rom[61] = 27'h01ec780; rom[62] = 27'h0072956; rom[63] = 27'h7e525e6;
        rom[64] = 27'h7e89e9c; rom[65] = 27'h0099659; rom[66] = 27'h7f73a2d; rom[67] = 27'h01bff74;
        rom[68] = 27'h7eaf4da; rom[69] = 27'h7f97008; rom[70] = 27'h0116b5b; rom[71] = 27'h01d2122;
        rom[72] = 27'h00a58aa; rom[73] = 27'h7e67e6b; rom[74] = 27'h7ede915; rom[75] = 27'h7e6dd8a;
        rom[76] = 27'h0072e68; rom[77] = 27'h7fc1f32; rom[78] = 27'h7e16311; rom[79] = 27'h7ef5bf3;
        rom[80] = 27'h7f67e76; rom[81] = 27'h008b588; rom[82] = 27'h7e69e07; rom[83] = 27'h018e73b;
        rom[84] = 27'h7efa5f9; rom[85] = 27'h014414e; rom[86] = 27'h7fe7d77; rom[87] = 27'h7eba35f;
        rom[88] = 27'h7e3ecf6; rom[89] = 27'h7ed770f; rom[90] = 27'h7f3fdb9; rom[91] = 27'h0095d7f;
        rom[92] = 27'h01f7324; rom[93] = 27'h0153f27; rom[94] = 27'h01a43bd; rom[95] = 27'h7eee25f;
        rom[96] = 27'h7f3cfb6; rom[97] = 27'h7fe0fdc; rom[98] = 27'h01f1a24; rom[99] = 27'h01199da;
        rom[100] = 27'h7f27afa; rom[101] = 27'h0155d1d; rom[102] = 27'h7e93382; rom[103] = 27'h0171def;
        rom[104] = 27'h7e6cb1b; rom[105] = 27'h000eccc; rom[106] = 27'h7f175c2; rom[107] = 27'h00fe0da;
        rom[108] = 27'h00336a7; rom[109] = 27'h7f78562; rom[110] = 27'h7f89c12; rom[111] = 27'h7f6d073;
        rom[112] = 27'h7ed1b2a; rom[113] = 27'h7faf1f2; rom[114] = 27'h002d685; rom[115] = 27'h7f029ac;
        rom[116] = 27'h7fe27d4; rom[117] = 27'h00a3a66; rom[118] = 27'h00dd9cf; rom[119] = 27'h7ea2cc3;
        rom[120] = 27'h019f1d2; rom[121] = 27'h7e8d5ef; rom[122] = 27'h7f6af2e; rom[123] = 27'h7f8e415;
        rom[124] = 27'h017496c; rom[125] = 27'h01ca4af; rom[126] = 27'h013175d; rom[127] = 27'h7f3b3c1;
        rom[128] = 27'h0062748; rom[129] = 27'h7e96c24; rom[130] = 27'h0057e02; rom[131] = 27'h7efb55c;
        rom[132] = 27'h0155c70; rom[133] = 27'h7e2ade4; rom[134] = 27'h7fcfba2; rom[135] = 27'h7fe49f8;
        rom[136] = 27'h013f7af; rom[137] = 27'h015773f; rom[138] = 27'h0009bcd; rom[139] = 27'h7f88079;
        rom[140] = 27'h7f5c8c9; rom[141] = 27'h0144aa5; rom[142] = 27'h7e08710; rom[143] = 27'h01fa1ab;
        rom[144] = 27'h01fe227; rom[145] = 27'h01e445c; rom[146] = 27'h00677d9; rom[147] = 27'h01be452;
        rom[148] = 27'h0173f2b; rom[149] = 27'h0102b5a; rom[150] = 27'h0077c87; rom[151] = 27'h7e38374;
        rom[152] = 27'h01ba79a; rom[153] = 27'h01f1e54; rom[154] = 27'h011bab9; rom[155] = 27'h007e29e;
        rom[156] = 27'h7f5a57e; rom[157] = 27'h013b74d; rom[158] = 27'h7f7870c; rom[159] = 27'h01dbdb3;
        rom[160] = 27'h0009ded; rom[161] = 27'h00092da; rom[162] = 27'h00037cd; rom[163] = 27'h7ff8863;
        rom[164] = 27'h7ff6613; rom[165] = 27'h0001ff5; rom[166] = 27'h000a35e; rom[167] = 27'h000090f;
        rom[168] = 27'h7ff9e7b; rom[169] = 27'h7ffb2d5; rom[170] = 27'h0005f83; rom[171] = 27'h7ff7e74;
        rom[172] = 27'h00046e7; rom[173] = 27'h7ff8eee; rom[174] = 27'h7ffad1a; rom[175] = 27'h000104b;
        rom[176] = 27'h7ffb873; rom[177] = 27'h7ffca9a; rom[178] = 27'h7ffad94; rom[179] = 27'h7fff87f;
        rom[180] = 27'h0009573; rom[181] = 27'h0003186; rom[182] = 27'h0003831; rom[183] = 27'h00029eb;
        rom[184] = 27'h0003006; rom[185] = 27'h7ff65b2; rom[186] = 27'h0000718; rom[187] = 27'h7ff69ce;
        rom[188] = 27'h0002e93; rom[189] = 27'h0001af7; rom[190] = 27'h7ffd542; rom[191] = 27'h0003d02;
        rom[192] = 27'h000942b; rom[193] = 27'h7ffce27; rom[194] = 27'h0007433; rom[195] = 27'h0008c62;
        rom[196] = 27'h7ff9a54; rom[197] = 27'h7ffd65c; rom[198] = 27'h7ff90d1; rom[199] = 27'h000032c;
        rom[200] = 27'h7ff859c; rom[201] = 27'h7ffa8d8; rom[202] = 27'h000712d; rom[203] = 27'h7ffce39;
        rom[204] = 27'h7ff99b5; rom[205] = 27'h7ffb972; rom[206] = 27'h7ff6f20; rom[207] = 27'h7ffef75;
        rom[208] = 27'h7ffeb96; rom[209] = 27'h00030a4; rom[210] = 27'h7fffe91; rom[211] = 27'h000a298;
        rom[212] = 27'h7fff176; rom[213] = 27'h7ffb2b8; rom[214] = 27'h00033e5; rom[215] = 27'h000457f;
        rom[216] = 27'h0002756; rom[217] = 27'h7ffd81a; rom[218] = 27'h0007cfb; rom[219] = 27'h7ffa7e5;
        rom[220] = 27'h7ff6085; rom[221] = 27'h7ff614b; rom[222] = 27'h00063b7; rom[223] = 27'h7ffa0e7;
        rom[224] = 27'h7ff6ba3; rom[225] = 27'h00031a6; rom[226] = 27'h004665a; rom[227] = 27'h7efc5bf;
        rom[228] = 27'h01d9dd2; rom[229] = 27'h00b457a; rom[230] = 27'h7e749c6; rom[231] = 27'h0185294;
        rom[232] = 27'h016359f; rom[233] = 27'h7e48a99; rom[234] = 27'h7f3d0bb; rom[235] = 27'h0166a7e;
        rom[236] = 27'h017421a; rom[237] = 27'h00a1d88; rom[238] = 27'h0122c80; rom[239] = 27'h01d8d37;
        rom[240] = 27'h7f905ce; rom[241] = 27'h0196a36; rom[242] = 27'h7e29cb8; rom[243] = 27'h7e330b5;
        rom[244] = 27'h7ecd10b; rom[245] = 27'h01d095a; rom[246] = 27'h005c65f; rom[247] = 27'h7ebd7c9;
        rom[248] = 27'h01b5693; rom[249] = 27'h7fb69b8; rom[250] = 27'h001b7d9; rom[251] = 27'h7f9b30a;
        rom[252] = 27'h7eb1d7f; rom[253] = 27'h004a8d3; rom[254] = 27'h7f4c475; rom[255] = 27'h7fbea6a;
        rom[256] = 27'h012c001; rom[257] = 27'h01d4bc5; rom[258] = 27'h01179b9; rom[259] = 27'h7f9ef32;
        rom[260] = 27'h0045a0b; rom[261] = 27'h7f8042a; rom[262] = 27'h008e312; rom[263] = 27'h01bd4ca;
        rom[264] = 27'h7fa9874; rom[265] = 27'h7fb7c34; rom[266] = 27'h7eada44; rom[267] = 27'h7f84c26;
        rom[268] = 27'h7f1ec2e; rom[269] = 27'h7e69cc0; rom[270] = 27'h7f1af1e; rom[271] = 27'h7efda6a;
        rom[272] = 27'h01692c0; rom[273] = 27'h0181d44; rom[274] = 27'h7e6ca42; rom[275] = 27'h0095461;
        rom[276] = 27'h0094814; rom[277] = 27'h01f81b5; rom[278] = 27'h7ef32c9; rom[279] = 27'h0105292;
        rom[280] = 27'h7f70a0b; rom[281] = 27'h01e1b77; rom[282] = 27'h7f81442; rom[283] = 27'h7e531b2;
        rom[284] = 27'h00297ae; rom[285] = 27'h7edff5f; rom[286] = 27'h00a3b86; rom[287] = 27'h00adf41;
        rom[288] = 27'h7e76252; rom[289] = 27'h0004762; rom[290] = 27'h00f6105; rom[291] = 27'h7fbc111;
        rom[292] = 27'h7e27ca2; rom[293] = 27'h007d088; rom[294] = 27'h7f82396; rom[295] = 27'h7ed2f78;
        rom[296] = 27'h7fcbd41; rom[297] = 27'h7eb587e; rom[298] = 27'h011f9df; rom[299] = 27'h7fd136a;
        rom[300] = 27'h7ffef49; rom[301] = 27'h01c9fe6; rom[302] = 27'h016f265; rom[303] = 27'h011aa3f;
        rom[304] = 27'h0196764; rom[305] = 27'h7e79c17; rom[306] = 27'h7f9e3b6; rom[307] = 27'h01ce270;
        rom[308] = 27'h0110ad8; rom[309] = 27'h01204f9; rom[310] = 27'h7ebee68; rom[311] = 27'h013b156;
        rom[312] = 27'h7e7e4be; rom[313] = 27'h002d674; rom[314] = 27'h7f5ea31; rom[315] = 27'h7ffcfcc;
        rom[316] = 27'h7ee84b7; rom[317] = 27'h0198408; rom[318] = 27'h7e6bbcd; rom[319] = 27'h7e4b2fc;
        rom[320] = 27'h7e76550; rom[321] = 27'h7ead92b; rom[322] = 27'h0069a15; rom[323] = 27'h7f2cc2f;
        rom[324] = 27'h0128c16; rom[325] = 27'h7e7a117; rom[326] = 27'h01f04e1; rom[327] = 27'h001c8ad;
        rom[328] = 27'h7f68625; rom[329] = 27'h7ede815; rom[330] = 27'h01836c8; rom[331] = 27'h01cda30;
        rom[332] = 27'h7f6c51e; rom[333] = 27'h7e66735; rom[334] = 27'h00547d9; rom[335] = 27'h00c0e66;
        rom[336] = 27'h7f14e48; rom[337] = 27'h00066c2; rom[338] = 27'h000d884; rom[339] = 27'h7fd158a;
        rom[340] = 27'h7ed7e91; rom[341] = 27'h00c459e; rom[342] = 27'h005e8de; rom[343] = 27'h7e9f0e9;
        rom[344] = 27'h0182a13; rom[345] = 27'h7e52fe2; rom[346] = 27'h7e8d122; rom[347] = 27'h00cad53;
        rom[348] = 27'h7fa77cc; rom[349] = 27'h7e8b101; rom[350] = 27'h012fa87; rom[351] = 27'h7f909b2;
        rom[352] = 27'h7e1fd5d; rom[353] = 27'h0004124; rom[354] = 27'h007add5; rom[355] = 27'h0189909;
        rom[356] = 27'h00b4829; rom[357] = 27'h7eac51d; rom[358] = 27'h7e8d06c; rom[359] = 27'h00ff6e2;
        rom[360] = 27'h002c72c; rom[361] = 27'h0024ca0; rom[362] = 27'h7e4bb9f; rom[363] = 27'h7f68f45;
        rom[364] = 27'h7e9f5ed; rom[365] = 27'h007aae6; rom[366] = 27'h7e3d725; rom[367] = 27'h7fe90e9;
        rom[368] = 27'h7ee4e71; rom[369] = 27'h7f28c65; rom[370] = 27'h7f56c07; rom[371] = 27'h01aa05f;
        rom[372] = 27'h7f4b3f8; rom[373] = 27'h019f11c; rom[374] = 27'h0093d23; rom[375] = 27'h7edd495;
        rom[376] = 27'h007f97c; rom[377] = 27'h017fcd4; rom[378] = 27'h00382a4; rom[379] = 27'h0105c1f;
        rom[380] = 27'h01c61e8; rom[381] = 27'h7ef9b4d; rom[382] = 27'h7e8444e; rom[383] = 27'h7f81ef8;
        rom[384] = 27'h7ffb22b; rom[385] = 27'h7f29819; rom[386] = 27'h0053348; rom[387] = 27'h000d3c4;
        rom[388] = 27'h003b5a8; rom[389] = 27'h7f8a488; rom[390] = 27'h7fe632f; rom[391] = 27'h000db9e;
        rom[392] = 27'h0023e06; rom[393] = 27'h7fceb5b; rom[394] = 27'h7f56191; rom[395] = 27'h7ff15a8;
        rom[396] = 27'h0066aaf; rom[397] = 27'h00343aa; rom[398] = 27'h003a87c; rom[399] = 27'h7f675a2;
        rom[400] = 27'h003a8bf; rom[401] = 27'h7fddda5; rom[402] = 27'h00093ff; rom[403] = 27'h7fda9e1;
        rom[404] = 27'h0031132; rom[405] = 27'h00a79c0; rom[406] = 27'h005f6a4; rom[407] = 27'h0044e0c;
        rom[408] = 27'h001ad94; rom[409] = 27'h7fe0098; rom[410] = 27'h0095597; rom[411] = 27'h7fe459f;
        rom[412] = 27'h7fe1e05; rom[413] = 27'h7f765ac; rom[414] = 27'h7fcdd30; rom[415] = 27'h005992b;
        rom[416] = 27'h7fb88eb; rom[417] = 27'h7f562d8; rom[418] = 27'h7f773db;
    end
endmodule
`default_nettype wire
