// English names of regions in geography databases for which ISO 3166-2 has only names in the local
// language: `code, name, other name; …` without the country.

/** Only countries whose regions ISO and English name differently. */
export const englishNames: Readonly<Record<string, string>> = {
  AT: '2 Carinthia; 3 Lower Austria; 4 Upper Austria; 6 Styria; 7 Tyrol; 9 Vienna',
  BE: 'BRU Brussels Capital, Brussels; VLG Flanders; WAL Wallonia',
  CH: 'BS Basel-City; BL Basel-Landschaft, Basel-Country; GE Geneva; GR Grisons; LU Lucerne; SG Saint Gall, St. Gallen; VD Vaud; VS Valais; NE Neuchatel; FR Fribourg; BE Bern; ZH Zurich; TI Ticino',
  CZ: '10 Prague, Hlavni mesto Praha; 20 Central Bohemia; 31 South Bohemian, Jihocesky; 32 Plzen; 41 Carlsbad, Karlovy Vary; 42 Usti nad Labem; 51 Liberec; 52 Hradec Kralove; 53 Pardubice; 63 Vysocina; 64 South Moravian; 71 Olomouc; 72 Zlin; 80 Moravian-Silesian',
  DE: 'BW Baden-Wurttemberg; BY Bavaria; BE State of Berlin; HB City state Bremen, Free Hanseatic City of Bremen; HH Free and Hanseatic City of Hamburg; HE Hesse; NI Lower Saxony; NW North Rhine-Westphalia; RP Rhineland-Palatinate; SN Saxony; ST Saxony-Anhalt; TH Thuringia',
  DK: '81 North Denmark; 82 Central Jutland, Central Denmark; 83 South Denmark, Southern Denmark; 84 Capital Region; 85 Zealand',
  ES: 'AN Andalusia; AR Aragon; AS Asturias; CN Canary Islands; CB Cantabria; CL Castille and Leon, Castile and Leon; CM Castille-La Mancha, Castilla-La Mancha; CT Catalonia; EX Extremadura; GA Galicia; IB Balearic Islands; RI La Rioja; MD Madrid; MC Murcia; NC Navarre; PV Basque Country; VC Valencia, Valencian Community; CE Ceuta; ML Melilla',
  FI: '02 South Karelia; 03 South Ostrobothnia, Southern Ostrobothnia; 04 South Savo, Southern Savonia; 05 Kainuu; 06 Kanta-Hame, Tavastia Proper; 07 Central Ostrobothnia; 08 Central Finland; 09 Kymenlaakso; 10 Lapland; 11 Pirkanmaa; 12 Ostrobothnia; 13 North Karelia; 14 North Ostrobothnia, Northern Ostrobothnia; 15 North Savo, Northern Savonia; 16 Paijat-Hame; 17 Satakunta; 18 Uusimaa; 19 Southwest Finland',
  FR: 'BFC Bourgogne, Burgundy; BRE Brittany; 20R Corsica; NAQ New Aquitaine; NOR Normandy; PAC Provence; ARA Rhone-Alpes; IDF Ile-de-France',
  GB: 'ENG England; NIR Northern Ireland; SCT Scotland; WLS Wales',
  GR: 'A East Macedonia and Thrace; B Central Macedonia; C West Macedonia; D Epirus; E Thessaly; F Ionian Islands; G West Greece; H Central Greece; I Attica; J Peloponnese; K North Aegean; L South Aegean; M Crete',
  ID: 'JB West Java; JT Central Java; JI East Java; JK Jakarta; BT Banten; YO Yogyakarta; SU North Sumatra; SB West Sumatra; SS South Sumatra; BA Bali',
  IT: '21 Piedmont; 23 Aosta Valley; 25 Lombardy; 32 Trentino-Alto Adige; 36 Friuli Venezia Giulia; 52 Tuscany; 57 The Marches; 62 Lazio; 75 Apulia; 77 Basilicate; 82 Sicily; 88 Sardinia',
  KR: '11 Seoul; 26 Busan; 27 Daegu; 28 Incheon; 29 Gwangju; 30 Daejeon; 31 Ulsan; 41 Gyeonggi-do; 42 Gangwon-do; 43 North Chungcheong; 44 South Chungcheong; 45 Jeollabuk-do, North Jeolla; 46 Jeollanam-do, South Jeolla; 47 Gyeongsangbuk-do, North Gyeongsang; 48 Gyeongsangnam-do, South Gyeongsang; 49 Jeju-do; 50 Sejong-si',
  NL: 'FR Friesland; NB North Brabant; NH North Holland; ZH South Holland',
  NO: '03 Oslo; 11 Rogaland; 15 More og Romsdal; 18 Nordland; 50 Trondelag',
  PL: '02 Lower Silesia; 04 Kujawsko-Pomorskie; 06 Lublin; 08 Lubusz; 10 Lodz Voivodeship; 12 Lesser Poland; 14 Mazovia; 16 Opole Voivodeship; 18 Subcarpathia, Subcarpathian; 20 Podlasie; 22 Pomerania; 24 Silesia; 26 Swietokrzyskie; 28 Warmia-Masuria; 30 Greater Poland; 32 West Pomerania',
  RU: 'MOW Moscow; MOS Moscow Oblast; SPE St.-Petersburg, Saint Petersburg; LEN Leningrad Oblast',
  UA: '30 Kyiv City; 32 Kyiv',
}
