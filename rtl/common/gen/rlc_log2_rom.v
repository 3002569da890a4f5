// rlc_log2_rom.v — table of rlc_log2: 512 words of 36 bits. Written by `rlcores generate` from its model; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       {node + 2 in 22 bits, step in 14}, of the segment addr; units of 2^-22
// latency    2 clocks, the second a plain register that a RAM block has inside
// cost       one RAMB18E2, or one DP16KD; "distributed": about 300 LUT
`default_nettype none
`include "rlc_check.vh"
module rlc_log2_rom #(
    parameter STYLE = "block"  // "block", "distributed" or "auto": the kind of memory asked of synthesis
) (
    input  wire        clk,
    input  wire [8:0]  addr,
    output wire [35:0] data
);
    `RLC_CHECK(STYLE == "block" || STYLE == "distributed" || STYLE == "auto",
               rlc_log2_rom_illegal_STYLE_must_be_block_or_distributed_or_auto)

    (* rom_style = STYLE, ram_style = STYLE *)
    reg [35:0] rom [0:511];
    reg [35:0] read_s1;
    reg [35:0] read_s2;

    always @(posedge clk) begin
        read_s1 <= rom[addr];
        read_s2 <= read_s1;
    end
    assign data = read_s2;

    initial begin
        rom[0] = 36'h00000ee1f; rom[1] = 36'h00b88ae09; rom[2] = 36'h0170aedf1; rom[3] = 36'h022872dda;
        rom[4] = 36'h02dfdadc4; rom[5] = 36'h0396eadac; rom[6] = 36'h044d9ad97; rom[7] = 36'h0503f6d80;
        rom[8] = 36'h05b9f6d69; rom[9] = 36'h066f9ad54; rom[10] = 36'h0724ead3d; rom[11] = 36'h07d9ded27;
        rom[12] = 36'h088e7ad10; rom[13] = 36'h0942bacfb; rom[14] = 36'h09f6a6ce6; rom[15] = 36'h0aaa3eccf;
        rom[16] = 36'h0b5d7acb9; rom[17] = 36'h0c105eca4; rom[18] = 36'h0cc2eec8f; rom[19] = 36'h0d752ac79;
        rom[20] = 36'h0e270ec63; rom[21] = 36'h0ed89ac4f; rom[22] = 36'h0f89d6c39; rom[23] = 36'h103abac23;
        rom[24] = 36'h10eb46c0f; rom[25] = 36'h119b82bfa; rom[26] = 36'h124b6abe5; rom[27] = 36'h12fafebd0;
        rom[28] = 36'h13aa3ebbc; rom[29] = 36'h14592eba6; rom[30] = 36'h1507c6b92; rom[31] = 36'h15b60eb7e;
        rom[32] = 36'h166406b69; rom[33] = 36'h1711aab55; rom[34] = 36'h17befeb40; rom[35] = 36'h186bfeb2d;
        rom[36] = 36'h1918b2b18; rom[37] = 36'h19c512b04; rom[38] = 36'h1a7122af0; rom[39] = 36'h1b1ce2adc;
        rom[40] = 36'h1bc852ac8; rom[41] = 36'h1c7372ab4; rom[42] = 36'h1d1e42aa1; rom[43] = 36'h1dc8c6a8d;
        rom[44] = 36'h1e72faa7a; rom[45] = 36'h1f1ce2a66; rom[46] = 36'h1fc67aa52; rom[47] = 36'h206fc2a3f;
        rom[48] = 36'h2118bea2c; rom[49] = 36'h21c16ea19; rom[50] = 36'h2269d2a06; rom[51] = 36'h2311ea9f2;
        rom[52] = 36'h23b9b29df; rom[53] = 36'h24612e9cd; rom[54] = 36'h2508629b9; rom[55] = 36'h25af469a7;
        rom[56] = 36'h2655e2994; rom[57] = 36'h26fc32981; rom[58] = 36'h27a23696f; rom[59] = 36'h2847f295c;
        rom[60] = 36'h28ed6294a; rom[61] = 36'h29928a937; rom[62] = 36'h2a3766925; rom[63] = 36'h2adbfa912;
        rom[64] = 36'h2b8042901; rom[65] = 36'h2c24468ee; rom[66] = 36'h2cc7fe8dc; rom[67] = 36'h2d6b6e8ca;
        rom[68] = 36'h2e0e968b7; rom[69] = 36'h2eb1728a7; rom[70] = 36'h2f540e894; rom[71] = 36'h2ff65e882;
        rom[72] = 36'h309866871; rom[73] = 36'h313a2a85f; rom[74] = 36'h31dba684d; rom[75] = 36'h327cda83c;
        rom[76] = 36'h331dca82a; rom[77] = 36'h33be72819; rom[78] = 36'h345ed6807; rom[79] = 36'h34fef27f6;
        rom[80] = 36'h359eca7e5; rom[81] = 36'h363e5e7d4; rom[82] = 36'h36ddae7c2; rom[83] = 36'h377cb67b1;
        rom[84] = 36'h381b7a7a1; rom[85] = 36'h38b9fe78f; rom[86] = 36'h39583a77f; rom[87] = 36'h39f63676d;
        rom[88] = 36'h3a93ea75d; rom[89] = 36'h3b315e74c; rom[90] = 36'h3bce8e73b; rom[91] = 36'h3c6b7a72b;
        rom[92] = 36'h3d082671a; rom[93] = 36'h3da48e70a; rom[94] = 36'h3e40b66f9; rom[95] = 36'h3edc9a6e8;
        rom[96] = 36'h3f783a6d9; rom[97] = 36'h40139e6c8; rom[98] = 36'h40aebe6b7; rom[99] = 36'h41499a6a8;
        rom[100] = 36'h41e43a697; rom[101] = 36'h427e96687; rom[102] = 36'h4318b2678; rom[103] = 36'h43b292667;
        rom[104] = 36'h444c2e657; rom[105] = 36'h44e58a647; rom[106] = 36'h457ea6638; rom[107] = 36'h461786628;
        rom[108] = 36'h46b026618; rom[109] = 36'h474886608; rom[110] = 36'h47e0a65f9; rom[111] = 36'h48788a5e9;
        rom[112] = 36'h49102e5d9; rom[113] = 36'h49a7925ca; rom[114] = 36'h4a3eba5bb; rom[115] = 36'h4ad5a65ab;
        rom[116] = 36'h4b6c5259c; rom[117] = 36'h4c02c258c; rom[118] = 36'h4c98f257e; rom[119] = 36'h4d2eea56e;
        rom[120] = 36'h4dc4a255f; rom[121] = 36'h4e5a1e550; rom[122] = 36'h4eef5e540; rom[123] = 36'h4f845e532;
        rom[124] = 36'h501926523; rom[125] = 36'h50adb2514; rom[126] = 36'h514202505; rom[127] = 36'h51d6164f6;
        rom[128] = 36'h5269ee4e8; rom[129] = 36'h52fd8e4d8; rom[130] = 36'h5390ee4ca; rom[131] = 36'h5424164bc;
        rom[132] = 36'h54b7064ad; rom[133] = 36'h5549ba49e; rom[134] = 36'h55dc32490; rom[135] = 36'h566e72481;
        rom[136] = 36'h570076473; rom[137] = 36'h579242465; rom[138] = 36'h5823d6456; rom[139] = 36'h58b52e448;
        rom[140] = 36'h59464e439; rom[141] = 36'h59d73242c; rom[142] = 36'h5a67e241d; rom[143] = 36'h5af856410;
        rom[144] = 36'h5b8896401; rom[145] = 36'h5c189a3f3; rom[146] = 36'h5ca8663e5; rom[147] = 36'h5d37fa3d8;
        rom[148] = 36'h5dc75a3c9; rom[149] = 36'h5e567e3bc; rom[150] = 36'h5ee56e3ad; rom[151] = 36'h5f74223a0;
        rom[152] = 36'h6002a2392; rom[153] = 36'h6090ea385; rom[154] = 36'h611efe377; rom[155] = 36'h61acda369;
        rom[156] = 36'h623a7e35c; rom[157] = 36'h62c7ee34e; rom[158] = 36'h635526341; rom[159] = 36'h63e22a333;
        rom[160] = 36'h646ef6326; rom[161] = 36'h64fb8e319; rom[162] = 36'h6587f230b; rom[163] = 36'h66141e2fe;
        rom[164] = 36'h66a0162f1; rom[165] = 36'h672bda2e3; rom[166] = 36'h67b7662d7; rom[167] = 36'h6842c22c9;
        rom[168] = 36'h68cde62bc; rom[169] = 36'h6958d62af; rom[170] = 36'h69e3922a2; rom[171] = 36'h6a6e1a295;
        rom[172] = 36'h6af86e288; rom[173] = 36'h6b828e27c; rom[174] = 36'h6c0c7e26e; rom[175] = 36'h6c9636262;
        rom[176] = 36'h6d1fbe255; rom[177] = 36'h6da912248; rom[178] = 36'h6e323223b; rom[179] = 36'h6ebb1e22f;
        rom[180] = 36'h6f43da222; rom[181] = 36'h6fcc62215; rom[182] = 36'h7054b6209; rom[183] = 36'h70dcda1fc;
        rom[184] = 36'h7164ca1f0; rom[185] = 36'h71ec8a1e4; rom[186] = 36'h72741a1d7; rom[187] = 36'h72fb761ca;
        rom[188] = 36'h73829e1bf; rom[189] = 36'h74099a1b2; rom[190] = 36'h7490621a5; rom[191] = 36'h7516f619a;
        rom[192] = 36'h759d5e18d; rom[193] = 36'h762392181; rom[194] = 36'h76a996175; rom[195] = 36'h772f6a169;
        rom[196] = 36'h77b50e15c; rom[197] = 36'h783a7e151; rom[198] = 36'h78bfc2145; rom[199] = 36'h7944d6138;
        rom[200] = 36'h79c9b612d; rom[201] = 36'h7a4e6a121; rom[202] = 36'h7ad2ee115; rom[203] = 36'h7b5742109;
        rom[204] = 36'h7bdb660fe; rom[205] = 36'h7c5f5e0f1; rom[206] = 36'h7ce3220e6; rom[207] = 36'h7d66ba0da;
        rom[208] = 36'h7dea220cf; rom[209] = 36'h7e6d5e0c2; rom[210] = 36'h7ef0660b8; rom[211] = 36'h7f73460ab;
        rom[212] = 36'h7ff5f20a0; rom[213] = 36'h807872095; rom[214] = 36'h80fac6089; rom[215] = 36'h817cea07e;
        rom[216] = 36'h81fee2072; rom[217] = 36'h8280aa067; rom[218] = 36'h83024605b; rom[219] = 36'h8383b2051;
        rom[220] = 36'h8404f6044; rom[221] = 36'h84860603a; rom[222] = 36'h8506ee02f; rom[223] = 36'h8587aa023;
        rom[224] = 36'h860836018; rom[225] = 36'h86889600d; rom[226] = 36'h8708ca001; rom[227] = 36'h8788cdff7;
        rom[228] = 36'h8808a9fec; rom[229] = 36'h888859fe0; rom[230] = 36'h8907d9fd6; rom[231] = 36'h898731fcb;
        rom[232] = 36'h8a065dfbf; rom[233] = 36'h8a8559fb5; rom[234] = 36'h8b042dfaa; rom[235] = 36'h8b82d5f9f;
        rom[236] = 36'h8c0151f95; rom[237] = 36'h8c7fa5f89; rom[238] = 36'h8cfdc9f7f; rom[239] = 36'h8d7bc5f74;
        rom[240] = 36'h8df995f69; rom[241] = 36'h8e7739f5f; rom[242] = 36'h8ef4b5f54; rom[243] = 36'h8f7205f49;
        rom[244] = 36'h8fef29f3f; rom[245] = 36'h906c25f34; rom[246] = 36'h90e8f5f2a; rom[247] = 36'h91659df1f;
        rom[248] = 36'h91e219f15; rom[249] = 36'h925e6df0a; rom[250] = 36'h92da95f00; rom[251] = 36'h935695ef6;
        rom[252] = 36'h93d26deeb; rom[253] = 36'h944e19ee1; rom[254] = 36'h94c99ded6; rom[255] = 36'h9544f5ecc;
        rom[256] = 36'h95c025ec2; rom[257] = 36'h963b2deb8; rom[258] = 36'h96b60dead; rom[259] = 36'h9730c1ea4;
        rom[260] = 36'h97ab51e99; rom[261] = 36'h9825b5e8f; rom[262] = 36'h989ff1e85; rom[263] = 36'h991a05e7a;
        rom[264] = 36'h9993ede71; rom[265] = 36'h9a0db1e67; rom[266] = 36'h9a874de5d; rom[267] = 36'h9b00c1e53;
        rom[268] = 36'h9b7a0de48; rom[269] = 36'h9bf32de3f; rom[270] = 36'h9c6c29e35; rom[271] = 36'h9ce4fde2c;
        rom[272] = 36'h9d5dade21; rom[273] = 36'h9dd631e17; rom[274] = 36'h9e4e8de0e; rom[275] = 36'h9ec6c5e04;
        rom[276] = 36'h9f3ed5dfa; rom[277] = 36'h9fb6bddf1; rom[278] = 36'ha02e81de6; rom[279] = 36'ha0a619dde;
        rom[280] = 36'ha11d91dd3; rom[281] = 36'ha194dddca; rom[282] = 36'ha20c05dc0; rom[283] = 36'ha28305db7;
        rom[284] = 36'ha2f9e1dad; rom[285] = 36'ha37095da3; rom[286] = 36'ha3e721d9b; rom[287] = 36'ha45d8dd90;
        rom[288] = 36'ha4d3cdd87; rom[289] = 36'ha549e9d7e; rom[290] = 36'ha5bfe1d74; rom[291] = 36'ha635b1d6b;
        rom[292] = 36'ha6ab5dd62; rom[293] = 36'ha720e5d58; rom[294] = 36'ha79645d4f; rom[295] = 36'ha80b81d46;
        rom[296] = 36'ha88099d3c; rom[297] = 36'ha8f589d33; rom[298] = 36'ha96a55d2a; rom[299] = 36'ha9defdd21;
        rom[300] = 36'haa5381d17; rom[301] = 36'haac7ddd0f; rom[302] = 36'hab3c19d05; rom[303] = 36'habb02dcfc;
        rom[304] = 36'hac241dcf3; rom[305] = 36'hac97e9cea; rom[306] = 36'had0b91ce1; rom[307] = 36'had7f15cd8;
        rom[308] = 36'hadf275ccf; rom[309] = 36'hae65b1cc5; rom[310] = 36'haed8c5cbd; rom[311] = 36'haf4bb9cb4;
        rom[312] = 36'hafbe89cac; rom[313] = 36'hb03139ca2; rom[314] = 36'hb0a3c1c99; rom[315] = 36'hb11625c91;
        rom[316] = 36'hb18869c87; rom[317] = 36'hb1fa85c7f; rom[318] = 36'hb26c81c76; rom[319] = 36'hb2de59c6e;
        rom[320] = 36'hb35011c64; rom[321] = 36'hb3c1a1c5c; rom[322] = 36'hb43311c53; rom[323] = 36'hb4a45dc4b;
        rom[324] = 36'hb51589c42; rom[325] = 36'hb58691c39; rom[326] = 36'hb5f775c30; rom[327] = 36'hb66835c28;
        rom[328] = 36'hb6d8d5c20; rom[329] = 36'hb74955c17; rom[330] = 36'hb7b9b1c0e; rom[331] = 36'hb829e9c06;
        rom[332] = 36'hb89a01bfd; rom[333] = 36'hb909f5bf5; rom[334] = 36'hb979c9bec; rom[335] = 36'hb9e979be4;
        rom[336] = 36'hba5909bdc; rom[337] = 36'hbac879bd3; rom[338] = 36'hbb37c5bcb; rom[339] = 36'hbba6f1bc2;
        rom[340] = 36'hbc15f9bba; rom[341] = 36'hbc84e1bb2; rom[342] = 36'hbcf3a9ba9; rom[343] = 36'hbd624dba1;
        rom[344] = 36'hbdd0d1b99; rom[345] = 36'hbe3f35b91; rom[346] = 36'hbead79b89; rom[347] = 36'hbf1b9db80;
        rom[348] = 36'hbf899db78; rom[349] = 36'hbff77db70; rom[350] = 36'hc0653db68; rom[351] = 36'hc0d2ddb5f;
        rom[352] = 36'hc14059b58; rom[353] = 36'hc1adb9b4f; rom[354] = 36'hc21af5b48; rom[355] = 36'hc28815b3f;
        rom[356] = 36'hc2f511b37; rom[357] = 36'hc361edb2f; rom[358] = 36'hc3cea9b28; rom[359] = 36'hc43b49b1f;
        rom[360] = 36'hc4a7c5b17; rom[361] = 36'hc51421b10; rom[362] = 36'hc58061b07; rom[363] = 36'hc5ec7db00;
        rom[364] = 36'hc6587daf8; rom[365] = 36'hc6c45daf0; rom[366] = 36'hc7301dae7; rom[367] = 36'hc79bb9ae1;
        rom[368] = 36'hc8073dad8; rom[369] = 36'hc8729dad1; rom[370] = 36'hc8dde1ac8; rom[371] = 36'hc94901ac1;
        rom[372] = 36'hc9b405aba; rom[373] = 36'hca1eedab1; rom[374] = 36'hca89b1aaa; rom[375] = 36'hcaf459aa2;
        rom[376] = 36'hcb5ee1a9b; rom[377] = 36'hcbc94da92; rom[378] = 36'hcc3395a8c; rom[379] = 36'hcc9dc5a83;
        rom[380] = 36'hcd07d1a7c; rom[381] = 36'hcd71c1a74; rom[382] = 36'hcddb91a6d; rom[383] = 36'hce4545a65;
        rom[384] = 36'hceaed9a5e; rom[385] = 36'hcf1851a56; rom[386] = 36'hcf81a9a4f; rom[387] = 36'hcfeae5a47;
        rom[388] = 36'hd05401a40; rom[389] = 36'hd0bd01a38; rom[390] = 36'hd125e1a31; rom[391] = 36'hd18ea5a29;
        rom[392] = 36'hd1f749a22; rom[393] = 36'hd25fd1a1b; rom[394] = 36'hd2c83da13; rom[395] = 36'hd33089a0c;
        rom[396] = 36'hd398b9a05; rom[397] = 36'hd400cd9fd; rom[398] = 36'hd468c19f6; rom[399] = 36'hd4d0999ee;
        rom[400] = 36'hd538519e8; rom[401] = 36'hd59ff19e0; rom[402] = 36'hd607719d9; rom[403] = 36'hd66ed59d1;
        rom[404] = 36'hd6d6199cb; rom[405] = 36'hd73d459c3; rom[406] = 36'hd7a4519bc; rom[407] = 36'hd80b419b5;
        rom[408] = 36'hd872159ad; rom[409] = 36'hd8d8c99a7; rom[410] = 36'hd93f6599f; rom[411] = 36'hd9a5e1999;
        rom[412] = 36'hda0c45991; rom[413] = 36'hda728998a; rom[414] = 36'hdad8b1983; rom[415] = 36'hdb3ebd97d;
        rom[416] = 36'hdba4b1975; rom[417] = 36'hdc0a8596e; rom[418] = 36'hdc703d967; rom[419] = 36'hdcd5d9960;
        rom[420] = 36'hdd3b59959; rom[421] = 36'hdda0bd952; rom[422] = 36'hde060594b; rom[423] = 36'hde6b31945;
        rom[424] = 36'hded04593d; rom[425] = 36'hdf3539937; rom[426] = 36'hdf9a1592f; rom[427] = 36'hdffed1929;
        rom[428] = 36'he06375922; rom[429] = 36'he0c7fd91b; rom[430] = 36'he12c69914; rom[431] = 36'he190b990e;
        rom[432] = 36'he1f4f1906; rom[433] = 36'he25909900; rom[434] = 36'he2bd098f9; rom[435] = 36'he320ed8f3;
        rom[436] = 36'he384b98eb; rom[437] = 36'he3e8658e5; rom[438] = 36'he44bf98df; rom[439] = 36'he4af758d7;
        rom[440] = 36'he512d18d1; rom[441] = 36'he576158ca; rom[442] = 36'he5d93d8c4; rom[443] = 36'he63c4d8bd;
        rom[444] = 36'he69f418b6; rom[445] = 36'he702198b0; rom[446] = 36'he764d98a9; rom[447] = 36'he7c77d8a2;
        rom[448] = 36'he82a0589c; rom[449] = 36'he88c75896; rom[450] = 36'he8eecd88e; rom[451] = 36'he95105889;
        rom[452] = 36'he9b329882; rom[453] = 36'hea153187b; rom[454] = 36'hea771d875; rom[455] = 36'head8f186e;
        rom[456] = 36'heb3aa9868; rom[457] = 36'heb9c49862; rom[458] = 36'hebfdd185b; rom[459] = 36'hec5f3d854;
        rom[460] = 36'hecc08d84e; rom[461] = 36'hed21c5848; rom[462] = 36'hed82e5842; rom[463] = 36'hede3ed83b;
        rom[464] = 36'hee44d9834; rom[465] = 36'heea5a982f; rom[466] = 36'hef0665828; rom[467] = 36'hef6705822;
        rom[468] = 36'hefc78d81b; rom[469] = 36'hf027f9815; rom[470] = 36'hf0884d80f; rom[471] = 36'hf0e889809;
        rom[472] = 36'hf148ad802; rom[473] = 36'hf1a8b57fc; rom[474] = 36'hf208a57f6; rom[475] = 36'hf2687d7f0;
        rom[476] = 36'hf2c83d7e9; rom[477] = 36'hf327e17e4; rom[478] = 36'hf387717dd; rom[479] = 36'hf3e6e57d7;
        rom[480] = 36'hf446417d1; rom[481] = 36'hf4a5857ca; rom[482] = 36'hf504ad7c5; rom[483] = 36'hf563c17be;
        rom[484] = 36'hf5c2b97b9; rom[485] = 36'hf6219d7b2; rom[486] = 36'hf680657ac; rom[487] = 36'hf6df157a6;
        rom[488] = 36'hf73dad7a0; rom[489] = 36'hf79c2d79a; rom[490] = 36'hf7fa95794; rom[491] = 36'hf858e578e;
        rom[492] = 36'hf8b71d788; rom[493] = 36'hf9153d782; rom[494] = 36'hf9734577c; rom[495] = 36'hf9d135776;
        rom[496] = 36'hfa2f0d771; rom[497] = 36'hfa8cd176a; rom[498] = 36'hfaea79764; rom[499] = 36'hfb480975e;
        rom[500] = 36'hfba581759; rom[501] = 36'hfc02e5752; rom[502] = 36'hfc602d74d; rom[503] = 36'hfcbd61747;
        rom[504] = 36'hfd1a7d740; rom[505] = 36'hfd777d73b; rom[506] = 36'hfdd469736; rom[507] = 36'hfe314172f;
        rom[508] = 36'hfe8dfd72a; rom[509] = 36'hfeeaa5723; rom[510] = 36'hff473171e; rom[511] = 36'hffa3a9718;
    end
endmodule
`default_nettype wire
