// rlc_env_acrobot_rom.v — table of Acrobot's F: 512 words of 36 bits. Written by `rlcores generate` from its model; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       {node of F - 11/32 in 24 bits, step - 2^14 in 12}, of the segment addr of cos(theta2)²; units of 2^-28
// latency    2 clocks, the second a plain register that a RAM block has inside
// cost       one RAMB18E2, or one DP16KD; "distributed": about 300 LUT
`default_nettype none
`include "rlc_check.vh"
module rlc_env_acrobot_rom #(
    parameter STYLE = "block"  // "block", "distributed" or "auto": the kind of memory asked of synthesis
) (
    input  wire        clk,
    input  wire [8:0]  addr,
    output wire [35:0] data
);
    `RLC_CHECK(STYLE == "block" || STYLE == "distributed" || STYLE == "auto",
               rlc_env_acrobot_rom_illegal_STYLE_must_be_block_or_distributed_or_auto)

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
        rom[0] = 36'h305b050bd; rom[1] = 36'h309bc20c3; rom[2] = 36'h30dc850c9; rom[3] = 36'h311d4e0ce;
        rom[4] = 36'h315e1c0d4; rom[5] = 36'h319ef00da; rom[6] = 36'h31dfca0df; rom[7] = 36'h3220a90e5;
        rom[8] = 36'h32618e0ec; rom[9] = 36'h32a27a0f0; rom[10] = 36'h32e36a0f7; rom[11] = 36'h3324610fd;
        rom[12] = 36'h33655e102; rom[13] = 36'h33a660108; rom[14] = 36'h33e76810e; rom[15] = 36'h342876113;
        rom[16] = 36'h34698911a; rom[17] = 36'h34aaa311f; rom[18] = 36'h34ebc2125; rom[19] = 36'h352ce712b;
        rom[20] = 36'h356e12131; rom[21] = 36'h35af43136; rom[22] = 36'h35f07913c; rom[23] = 36'h3631b5142;
        rom[24] = 36'h3672f7148; rom[25] = 36'h36b43f14e; rom[26] = 36'h36f58d154; rom[27] = 36'h3736e1159;
        rom[28] = 36'h37783a160; rom[29] = 36'h37b99a165; rom[30] = 36'h37faff16b; rom[31] = 36'h383c6a170;
        rom[32] = 36'h387dda177; rom[33] = 36'h38bf5117d; rom[34] = 36'h3900ce182; rom[35] = 36'h394250188;
        rom[36] = 36'h3983d818e; rom[37] = 36'h39c566194; rom[38] = 36'h3a06fa19a; rom[39] = 36'h3a48941a0;
        rom[40] = 36'h3a8a341a5; rom[41] = 36'h3acbd91ac; rom[42] = 36'h3b0d851b1; rom[43] = 36'h3b4f361b8;
        rom[44] = 36'h3b90ee1bd; rom[45] = 36'h3bd2ab1c3; rom[46] = 36'h3c146e1c9; rom[47] = 36'h3c56371ce;
        rom[48] = 36'h3c98051d5; rom[49] = 36'h3cd9da1db; rom[50] = 36'h3d1bb51e0; rom[51] = 36'h3d5d951e7;
        rom[52] = 36'h3d9f7c1ec; rom[53] = 36'h3de1681f2; rom[54] = 36'h3e235a1f8; rom[55] = 36'h3e65521fe;
        rom[56] = 36'h3ea750204; rom[57] = 36'h3ee95420a; rom[58] = 36'h3f2b5e210; rom[59] = 36'h3f6d6e216;
        rom[60] = 36'h3faf8421c; rom[61] = 36'h3ff1a0221; rom[62] = 36'h4033c1228; rom[63] = 36'h4075e922e;
        rom[64] = 36'h40b817233; rom[65] = 36'h40fa4a23a; rom[66] = 36'h413c8423f; rom[67] = 36'h417ec3245;
        rom[68] = 36'h41c10824c; rom[69] = 36'h420354251; rom[70] = 36'h4245a5257; rom[71] = 36'h4287fc25e;
        rom[72] = 36'h42ca5a263; rom[73] = 36'h430cbd269; rom[74] = 36'h434f2626f; rom[75] = 36'h439195275;
        rom[76] = 36'h43d40a27c; rom[77] = 36'h441686281; rom[78] = 36'h445907287; rom[79] = 36'h449b8e28d;
        rom[80] = 36'h44de1b293; rom[81] = 36'h4520ae299; rom[82] = 36'h45634729f; rom[83] = 36'h45a5e62a6;
        rom[84] = 36'h45e88c2ab; rom[85] = 36'h462b372b1; rom[86] = 36'h466de82b7; rom[87] = 36'h46b09f2bd;
        rom[88] = 36'h46f35c2c4; rom[89] = 36'h4736202c9; rom[90] = 36'h4778e92cf; rom[91] = 36'h47bbb82d6;
        rom[92] = 36'h47fe8e2db; rom[93] = 36'h4841692e1; rom[94] = 36'h48844a2e8; rom[95] = 36'h48c7322ed;
        rom[96] = 36'h490a1f2f4; rom[97] = 36'h494d132fa; rom[98] = 36'h49900d2ff; rom[99] = 36'h49d30c306;
        rom[100] = 36'h4a161230c; rom[101] = 36'h4a591e312; rom[102] = 36'h4a9c30318; rom[103] = 36'h4adf4831e;
        rom[104] = 36'h4b2266324; rom[105] = 36'h4b658a32a; rom[106] = 36'h4ba8b4330; rom[107] = 36'h4bebe4337;
        rom[108] = 36'h4c2f1b33c; rom[109] = 36'h4c7257343; rom[110] = 36'h4cb59a348; rom[111] = 36'h4cf8e234f;
        rom[112] = 36'h4d3c31355; rom[113] = 36'h4d7f8635b; rom[114] = 36'h4dc2e1361; rom[115] = 36'h4e0642367;
        rom[116] = 36'h4e49a936d; rom[117] = 36'h4e8d16374; rom[118] = 36'h4ed08a379; rom[119] = 36'h4f1403380;
        rom[120] = 36'h4f5783385; rom[121] = 36'h4f9b0838c; rom[122] = 36'h4fde94392; rom[123] = 36'h502226399;
        rom[124] = 36'h5065bf39e; rom[125] = 36'h50a95d3a4; rom[126] = 36'h50ed013ab; rom[127] = 36'h5130ac3b1;
        rom[128] = 36'h51745d3b7; rom[129] = 36'h51b8143bd; rom[130] = 36'h51fbd13c3; rom[131] = 36'h523f943c9;
        rom[132] = 36'h52835d3d0; rom[133] = 36'h52c72d3d6; rom[134] = 36'h530b033dc; rom[135] = 36'h534edf3e2;
        rom[136] = 36'h5392c13e8; rom[137] = 36'h53d6a93ee; rom[138] = 36'h541a973f5; rom[139] = 36'h545e8c3fb;
        rom[140] = 36'h54a287401; rom[141] = 36'h54e688407; rom[142] = 36'h552a8f40d; rom[143] = 36'h556e9c414;
        rom[144] = 36'h55b2b041a; rom[145] = 36'h55f6ca420; rom[146] = 36'h563aea426; rom[147] = 36'h567f1042d;
        rom[148] = 36'h56c33d432; rom[149] = 36'h57076f439; rom[150] = 36'h574ba8440; rom[151] = 36'h578fe8445;
        rom[152] = 36'h57d42d44c; rom[153] = 36'h581879451; rom[154] = 36'h585cca458; rom[155] = 36'h58a12245f;
        rom[156] = 36'h58e581464; rom[157] = 36'h5929e546b; rom[158] = 36'h596e50471; rom[159] = 36'h59b2c1478;
        rom[160] = 36'h59f73947d; rom[161] = 36'h5a3bb6484; rom[162] = 36'h5a803a48a; rom[163] = 36'h5ac4c4491;
        rom[164] = 36'h5b0955496; rom[165] = 36'h5b4deb49d; rom[166] = 36'h5b92884a4; rom[167] = 36'h5bd72c4a9;
        rom[168] = 36'h5c1bd54b0; rom[169] = 36'h5c60854b6; rom[170] = 36'h5ca53b4bc; rom[171] = 36'h5ce9f74c3;
        rom[172] = 36'h5d2eba4c9; rom[173] = 36'h5d73834cf; rom[174] = 36'h5db8524d6; rom[175] = 36'h5dfd284dc;
        rom[176] = 36'h5e42044e2; rom[177] = 36'h5e86e64e9; rom[178] = 36'h5ecbcf4ef; rom[179] = 36'h5f10be4f5;
        rom[180] = 36'h5f55b34fb; rom[181] = 36'h5f9aae502; rom[182] = 36'h5fdfb0509; rom[183] = 36'h6024b950e;
        rom[184] = 36'h6069c7515; rom[185] = 36'h60aedc51b; rom[186] = 36'h60f3f7522; rom[187] = 36'h613919528;
        rom[188] = 36'h617e4152e; rom[189] = 36'h61c36f535; rom[190] = 36'h6208a453b; rom[191] = 36'h624ddf541;
        rom[192] = 36'h629320548; rom[193] = 36'h62d86854e; rom[194] = 36'h631db6554; rom[195] = 36'h63630a55b;
        rom[196] = 36'h63a865561; rom[197] = 36'h63edc6568; rom[198] = 36'h64332e56e; rom[199] = 36'h64789c575;
        rom[200] = 36'h64be1157a; rom[201] = 36'h65038b582; rom[202] = 36'h65490d587; rom[203] = 36'h658e9458e;
        rom[204] = 36'h65d422595; rom[205] = 36'h6619b759b; rom[206] = 36'h665f525a1; rom[207] = 36'h66a4f35a8;
        rom[208] = 36'h66ea9b5ae; rom[209] = 36'h6730495b4; rom[210] = 36'h6775fd5bb; rom[211] = 36'h67bbb85c2;
        rom[212] = 36'h68017a5c7; rom[213] = 36'h6847415cf; rom[214] = 36'h688d105d4; rom[215] = 36'h68d2e45dc;
        rom[216] = 36'h6918c05e1; rom[217] = 36'h695ea15e8; rom[218] = 36'h69a4895ef; rom[219] = 36'h69ea785f5;
        rom[220] = 36'h6a306d5fc; rom[221] = 36'h6a7669601; rom[222] = 36'h6abc6a609; rom[223] = 36'h6b027360f;
        rom[224] = 36'h6b4882615; rom[225] = 36'h6b8e9761c; rom[226] = 36'h6bd4b3622; rom[227] = 36'h6c1ad5629;
        rom[228] = 36'h6c60fe630; rom[229] = 36'h6ca72e635; rom[230] = 36'h6ced6363d; rom[231] = 36'h6d33a0643;
        rom[232] = 36'h6d79e3649; rom[233] = 36'h6dc02c650; rom[234] = 36'h6e067c656; rom[235] = 36'h6e4cd265d;
        rom[236] = 36'h6e932f664; rom[237] = 36'h6ed99366a; rom[238] = 36'h6f1ffd670; rom[239] = 36'h6f666d677;
        rom[240] = 36'h6face467e; rom[241] = 36'h6ff362684; rom[242] = 36'h7039e668a; rom[243] = 36'h708070692;
        rom[244] = 36'h70c702697; rom[245] = 36'h710d9969f; rom[246] = 36'h7154386a5; rom[247] = 36'h719add6ab;
        rom[248] = 36'h71e1886b2; rom[249] = 36'h72283a6b8; rom[250] = 36'h726ef26c0; rom[251] = 36'h72b5b26c5;
        rom[252] = 36'h72fc776cd; rom[253] = 36'h7343446d2; rom[254] = 36'h738a166da; rom[255] = 36'h73d0f06e0;
        rom[256] = 36'h7417d06e7; rom[257] = 36'h745eb76ed; rom[258] = 36'h74a5a46f4; rom[259] = 36'h74ec986fa;
        rom[260] = 36'h753392701; rom[261] = 36'h757a93708; rom[262] = 36'h75c19b70e; rom[263] = 36'h7608a9715;
        rom[264] = 36'h764fbe71c; rom[265] = 36'h7696da722; rom[266] = 36'h76ddfc728; rom[267] = 36'h772524730;
        rom[268] = 36'h776c54736; rom[269] = 36'h77b38a73d; rom[270] = 36'h77fac7743; rom[271] = 36'h78420a74a;
        rom[272] = 36'h788954751; rom[273] = 36'h78d0a5757; rom[274] = 36'h7917fc75e; rom[275] = 36'h795f5a764;
        rom[276] = 36'h79a6be76c; rom[277] = 36'h79ee2a772; rom[278] = 36'h7a359c778; rom[279] = 36'h7a7d14780;
        rom[280] = 36'h7ac494786; rom[281] = 36'h7b0c1a78c; rom[282] = 36'h7b53a6794; rom[283] = 36'h7b9b3a79a;
        rom[284] = 36'h7be2d47a0; rom[285] = 36'h7c2a747a8; rom[286] = 36'h7c721c7ae; rom[287] = 36'h7cb9ca7b5;
        rom[288] = 36'h7d017f7bb; rom[289] = 36'h7d493a7c3; rom[290] = 36'h7d90fd7c9; rom[291] = 36'h7dd8c67cf;
        rom[292] = 36'h7e20957d7; rom[293] = 36'h7e686c7dd; rom[294] = 36'h7eb0497e4; rom[295] = 36'h7ef82d7eb;
        rom[296] = 36'h7f40187f1; rom[297] = 36'h7f88097f8; rom[298] = 36'h7fd0017ff; rom[299] = 36'h801800806;
        rom[300] = 36'h80600680c; rom[301] = 36'h80a812813; rom[302] = 36'h80f02581a; rom[303] = 36'h81383f821;
        rom[304] = 36'h818060827; rom[305] = 36'h81c88782e; rom[306] = 36'h8210b5835; rom[307] = 36'h8258ea83c;
        rom[308] = 36'h82a126843; rom[309] = 36'h82e969849; rom[310] = 36'h8331b2850; rom[311] = 36'h837a02857;
        rom[312] = 36'h83c25985e; rom[313] = 36'h840ab7864; rom[314] = 36'h84531b86c; rom[315] = 36'h849b87872;
        rom[316] = 36'h84e3f9879; rom[317] = 36'h852c72880; rom[318] = 36'h8574f2886; rom[319] = 36'h85bd7888e;
        rom[320] = 36'h860606894; rom[321] = 36'h864e9a89b; rom[322] = 36'h8697358a2; rom[323] = 36'h86dfd78a9;
        rom[324] = 36'h8728808af; rom[325] = 36'h87712f8b7; rom[326] = 36'h87b9e68bd; rom[327] = 36'h8802a38c4;
        rom[328] = 36'h884b678cb; rom[329] = 36'h8894328d2; rom[330] = 36'h88dd048d9; rom[331] = 36'h8925dd8e0;
        rom[332] = 36'h896ebd8e6; rom[333] = 36'h89b7a38ee; rom[334] = 36'h8a00918f4; rom[335] = 36'h8a49858fb;
        rom[336] = 36'h8a9280902; rom[337] = 36'h8adb82909; rom[338] = 36'h8b248b910; rom[339] = 36'h8b6d9b917;
        rom[340] = 36'h8bb6b291d; rom[341] = 36'h8bffcf925; rom[342] = 36'h8c48f492b; rom[343] = 36'h8c921f933;
        rom[344] = 36'h8cdb52939; rom[345] = 36'h8d248b940; rom[346] = 36'h8d6dcb947; rom[347] = 36'h8db71294e;
        rom[348] = 36'h8e0060955; rom[349] = 36'h8e49b595c; rom[350] = 36'h8e9311963; rom[351] = 36'h8edc7496a;
        rom[352] = 36'h8f25de971; rom[353] = 36'h8f6f4f978; rom[354] = 36'h8fb8c797f; rom[355] = 36'h900246985;
        rom[356] = 36'h904bcb98d; rom[357] = 36'h909558994; rom[358] = 36'h90deec99a; rom[359] = 36'h9128869a2;
        rom[360] = 36'h9172289a8; rom[361] = 36'h91bbd09b0; rom[362] = 36'h9205809b6; rom[363] = 36'h924f369be;
        rom[364] = 36'h9298f49c5; rom[365] = 36'h92e2b99cb; rom[366] = 36'h932c849d3; rom[367] = 36'h9376579d9;
        rom[368] = 36'h93c0309e1; rom[369] = 36'h940a119e7; rom[370] = 36'h9453f89ef; rom[371] = 36'h949de79f6;
        rom[372] = 36'h94e7dd9fc; rom[373] = 36'h9531d9a04; rom[374] = 36'h957bdda0b; rom[375] = 36'h95c5e8a11;
        rom[376] = 36'h960ff9a19; rom[377] = 36'h965a12a20; rom[378] = 36'h96a432a27; rom[379] = 36'h96ee59a2e;
        rom[380] = 36'h973887a35; rom[381] = 36'h9782bca3c; rom[382] = 36'h97ccf8a43; rom[383] = 36'h98173ba4b;
        rom[384] = 36'h986186a51; rom[385] = 36'h98abd7a58; rom[386] = 36'h98f62fa60; rom[387] = 36'h99408fa66;
        rom[388] = 36'h998af5a6e; rom[389] = 36'h99d563a75; rom[390] = 36'h9a1fd8a7c; rom[391] = 36'h9a6a54a83;
        rom[392] = 36'h9ab4d7a8a; rom[393] = 36'h9aff61a91; rom[394] = 36'h9b49f2a98; rom[395] = 36'h9b948aaa0;
        rom[396] = 36'h9bdf2aaa6; rom[397] = 36'h9c29d0aae; rom[398] = 36'h9c747eab5; rom[399] = 36'h9cbf33abc;
        rom[400] = 36'h9d09efac3; rom[401] = 36'h9d54b2aca; rom[402] = 36'h9d9f7cad1; rom[403] = 36'h9dea4dad9;
        rom[404] = 36'h9e3526ae0; rom[405] = 36'h9e8006ae7; rom[406] = 36'h9ecaedaee; rom[407] = 36'h9f15dbaf5;
        rom[408] = 36'h9f60d0afc; rom[409] = 36'h9fabccb04; rom[410] = 36'h9ff6d0b0a; rom[411] = 36'ha041dab12;
        rom[412] = 36'ha08cecb19; rom[413] = 36'ha0d805b21; rom[414] = 36'ha12326b27; rom[415] = 36'ha16e4db2f;
        rom[416] = 36'ha1b97cb36; rom[417] = 36'ha204b2b3d; rom[418] = 36'ha24fefb44; rom[419] = 36'ha29b33b4b;
        rom[420] = 36'ha2e67eb53; rom[421] = 36'ha331d1b5a; rom[422] = 36'ha37d2bb61; rom[423] = 36'ha3c88cb69;
        rom[424] = 36'ha413f5b6f; rom[425] = 36'ha45f64b77; rom[426] = 36'ha4aadbb7f; rom[427] = 36'ha4f65ab85;
        rom[428] = 36'ha541dfb8d; rom[429] = 36'ha58d6cb93; rom[430] = 36'ha5d8ffb9c; rom[431] = 36'ha6249bba2;
        rom[432] = 36'ha6703dbaa; rom[433] = 36'ha6bbe7bb1; rom[434] = 36'ha70798bb8; rom[435] = 36'ha75350bc0;
        rom[436] = 36'ha79f10bc6; rom[437] = 36'ha7ead6bce; rom[438] = 36'ha836a4bd6; rom[439] = 36'ha8827abdd;
        rom[440] = 36'ha8ce57be4; rom[441] = 36'ha91a3bbeb; rom[442] = 36'ha96626bf2; rom[443] = 36'ha9b218bfa;
        rom[444] = 36'ha9fe12c02; rom[445] = 36'haa4a14c08; rom[446] = 36'haa961cc10; rom[447] = 36'haae22cc17;
        rom[448] = 36'hab2e43c1f; rom[449] = 36'hab7a62c26; rom[450] = 36'habc688c2d; rom[451] = 36'hac12b5c35;
        rom[452] = 36'hac5eeac3c; rom[453] = 36'hacab26c43; rom[454] = 36'hacf769c4b; rom[455] = 36'had43b4c52;
        rom[456] = 36'had9006c59; rom[457] = 36'haddc5fc61; rom[458] = 36'hae28c0c68; rom[459] = 36'hae7528c70;
        rom[460] = 36'haec198c77; rom[461] = 36'haf0e0fc7e; rom[462] = 36'haf5a8dc86; rom[463] = 36'hafa713c8d;
        rom[464] = 36'haff3a0c94; rom[465] = 36'hb04034c9c; rom[466] = 36'hb08cd0ca3; rom[467] = 36'hb0d973cab;
        rom[468] = 36'hb1261ecb2; rom[469] = 36'hb172d0cba; rom[470] = 36'hb1bf8acc1; rom[471] = 36'hb20c4bcc8;
        rom[472] = 36'hb25913cd0; rom[473] = 36'hb2a5e3cd7; rom[474] = 36'hb2f2bacdf; rom[475] = 36'hb33f99ce6;
        rom[476] = 36'hb38c7fcee; rom[477] = 36'hb3d96dcf5; rom[478] = 36'hb42662cfd; rom[479] = 36'hb4735fd04;
        rom[480] = 36'hb4c063d0b; rom[481] = 36'hb50d6ed13; rom[482] = 36'hb55a81d1b; rom[483] = 36'hb5a79cd22;
        rom[484] = 36'hb5f4bed29; rom[485] = 36'hb641e7d31; rom[486] = 36'hb68f18d39; rom[487] = 36'hb6dc51d3f;
        rom[488] = 36'hb72990d48; rom[489] = 36'hb776d8d4f; rom[490] = 36'hb7c427d56; rom[491] = 36'hb8117dd5e;
        rom[492] = 36'hb85edbd66; rom[493] = 36'hb8ac41d6d; rom[494] = 36'hb8f9aed74; rom[495] = 36'hb94722d7c;
        rom[496] = 36'hb9949ed84; rom[497] = 36'hb9e222d8b; rom[498] = 36'hba2fadd93; rom[499] = 36'hba7d40d9a;
        rom[500] = 36'hbacadada2; rom[501] = 36'hbb187cda9; rom[502] = 36'hbb6625db1; rom[503] = 36'hbbb3d6db9;
        rom[504] = 36'hbc018fdc0; rom[505] = 36'hbc4f4fdc7; rom[506] = 36'hbc9d16dcf; rom[507] = 36'hbceae5dd7;
        rom[508] = 36'hbd38bcddf; rom[509] = 36'hbd869bde6; rom[510] = 36'hbdd481ded; rom[511] = 36'hbe226edf5;
    end
endmodule
`default_nettype wire
