import type { DeviceType } from './user-agents.ts'

/** A user agent as seen in the wild, and what a person who knows it would say. */
export type KnownDevice = readonly [userAgent: string, deviceType: DeviceType, os: string, browser: string]

const ios = (rest: string, version = '17_5_1') =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`
const ipad = (rest: string, version = '17_5_1') =>
  `Mozilla/5.0 (iPad; CPU OS ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`
const android = (device: string, rest: string) =>
  `Mozilla/5.0 (Linux; Android ${device}) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`
const windows = (rest: string) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`
const mac = (rest: string, engine = '537.36', version = '10_15_7') =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X ${version}) AppleWebKit/${engine} (KHTML, like Gecko) ${rest}`

export const phones: readonly KnownDevice[] = [
  [ios('Version/17.5 Mobile/15E148 Safari/604.1'), 'mobile', 'iOS', 'Safari'],
  [ios('Version/18.5 Mobile/15E148 Safari/604.1', '18_5'), 'mobile', 'iOS', 'Safari'],
  [ios('Version/26.0 Mobile/15E148 Safari/604.1', '18_6'), 'mobile', 'iOS', 'Safari'],
  [ios('Version/15.6 Mobile/15E148 Safari/604.1', '15_6'), 'mobile', 'iOS', 'Safari'],
  [ios('CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1'), 'mobile', 'iOS', 'Chrome'],
  [ios('CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1', '26_0'), 'mobile', 'iOS', 'Chrome'],
  [ios('FxiOS/127.0 Mobile/15E148 Safari/605.1.15', '17_5'), 'mobile', 'iOS', 'Firefox'],
  [ios('FxiOS/8.1.1 Mobile/15E148 Safari/605.1.15 Focus/8.1.1'), 'mobile', 'iOS', 'Firefox Focus'],
  [ios('Version/17.0 EdgiOS/126.0.2592.56 Mobile/15E148 Safari/604.1'), 'mobile', 'iOS', 'Edge'],
  [ios('Version/17.5 Mobile/15E148 Safari/604.1 OPT/4.7.1'), 'mobile', 'iOS', 'Opera'],
  [ios('OPiOS/16.0.15.124050 Mobile/15E148 Safari/9537.53'), 'mobile', 'iOS', 'Opera Mini'],
  [ios('Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15'), 'mobile', 'iOS', 'DuckDuckGo'],
  [ios('Version/17.5 Mobile/15E148 Safari/604.1 Ddg/17.5'), 'mobile', 'iOS', 'DuckDuckGo'],
  [ios('Brave/1.66 Version/17.5 Mobile/15E148 Safari/604.1'), 'mobile', 'iOS', 'Brave'],
  [ios('Version/17.5 YaBrowser/24.6.0.1 Mobile/15E148 Safari/605.1'), 'mobile', 'iOS', 'Yandex Browser'],
  [ios('Version/17.5 Mobile/15E148 Safari/604.1 (Ecosia ios@10.1.2.1900)'), 'mobile', 'iOS', 'Ecosia'],
  [ios('GSA/323.0.647062479 Mobile/15E148 Safari/604.1'), 'mobile', 'iOS', 'Google App'],
  [ios('Mobile/15E148'), 'mobile', 'iOS', 'iOS WebView'],
  [
    ios(
      'Mobile/15E148 Instagram 337.0.3.23.54 (iPhone14,5; iOS 17_5_1; en_US; en; scale=3.00; 1170x2532; 615937846) NW/3',
    ),
    'mobile',
    'iOS',
    'Instagram',
  ],
  [
    ios(
      'Mobile/15E148 Barcelona 337.0.0.25.95 (iPhone15,2; iOS 17_5_1; de_DE; de; scale=3.00; 1179x2556; 614000000)',
    ),
    'mobile',
    'iOS',
    'Threads',
  ],
  [
    ios(
      'Mobile/21F90 [FBAN/FBIOS;FBAV/467.1.0.37.107;FBBV/607692370;FBDV/iPhone14,7;FBMD/iPhone;FBSN/iOS;FBSV/17.5.1;FBSS/3;FBID/phone;FBLC/en_US;FBOP/5;FBRV/609780291;IABMV/1]',
    ),
    'mobile',
    'iOS',
    'Facebook',
  ],
  [
    ios(
      'Mobile/21F90 [FBAN/MessengerForiOS;FBAV/461.0.0.38.106;FBBV/609000000;FBDV/iPhone13,2;FBMD/iPhone;FBSN/iOS;FBSV/17.5.1;FBSS/3;FBCR/;FBID/phone;FBLC/de_DE;FBOP/5]',
    ),
    'mobile',
    'iOS',
    'Messenger',
  ],
  [
    ios('Mobile/15E148 MicroMessenger/8.0.49(0x1800312a) NetType/WIFI Language/zh_CN'),
    'mobile',
    'iOS',
    'WeChat',
  ],
  [
    ios(
      'Mobile/15E148 musical_ly_35.1.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en Region/US isDarkMode/1 WKWebView/1 RevealType/Dialog BytedanceWebview/d8a21c6',
    ),
    'mobile',
    'iOS',
    'TikTok',
  ],
  [ios('Mobile/15E148 Snapchat/12.93.0.41 (like Safari/8617.2.4.10.8, panda)'), 'mobile', 'iOS', 'Snapchat'],
  [ios('Mobile/15E148 [LinkedInApp]/9.29.7827'), 'mobile', 'iOS', 'LinkedIn'],
  [ios('Mobile/15E148 [Pinterest/iOS]'), 'mobile', 'iOS', 'Pinterest'],
  [ios('Mobile/15E148 Twitter for iPhone/10.44'), 'mobile', 'iOS', 'X'],
  [ios('Mobile/15E148 Safari Line/14.9.0'), 'mobile', 'iOS', 'LINE'],
  [ios('Mobile/15E148 KAKAOTALK 10.8.5'), 'mobile', 'iOS', 'KakaoTalk'],
  [ios('Mobile/15E148 NAVER(inapp; search; 2000; 12.7.1; 14PRO)'), 'mobile', 'iOS', 'Naver'],
  [
    ios('Mobile/15E148 AliApp(AP/10.6.20.6000) AlipayClient/10.6.20.6000 Language/zh-Hans'),
    'mobile',
    'iOS',
    'Alipay',
  ],
  [ios('Mobile/15E148 QQ/9.0.70.631 V1_IPH_SQ_9.0.70_1_APP_A Pixel/1170'), 'mobile', 'iOS', 'QQ'],
  [ios('Version/17.0 Mobile/15E148 Safari/604.1 BingSapphire/27.9.420625003'), 'mobile', 'iOS', 'Bing'],
  [ios('Mobile/15E148 QRScanner/3.2'), 'mobile', 'iOS', 'iOS WebView'],
  [android('10; K', 'Chrome/126.0.0.0 Mobile Safari/537.36'), 'mobile', 'Android', 'Chrome'],
  [android('10; K', 'Chrome/141.0.0.0 Mobile Safari/537.36'), 'mobile', 'Android', 'Chrome'],
  [android('14; Pixel 8 Pro', 'Chrome/125.0.6422.165 Mobile Safari/537.36'), 'mobile', 'Android', 'Chrome'],
  [android('13; 22101316G', 'Chrome/119.0.6045.193 Mobile Safari/537.36'), 'mobile', 'Android', 'Chrome'],
  [android('9; moto g(7) play', 'Chrome/117.0.0.0 Mobile Safari/537.36'), 'mobile', 'Android', 'Chrome'],
  [
    android('10; K', 'SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36'),
    'mobile',
    'Android',
    'Samsung Internet',
  ],
  [
    android('13; SAMSUNG SM-S911B', 'SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36'),
    'mobile',
    'Android',
    'Samsung Internet',
  ],
  [
    android('14; SAMSUNG SM-F946B', 'SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36'),
    'mobile',
    'Android',
    'Samsung Internet',
  ],
  [android('14; SM-F946B', 'Chrome/124.0.6367.82 Safari/537.36'), 'mobile', 'Android', 'Chrome'],
  ['Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0', 'mobile', 'Android', 'Firefox'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', 'mobile', 'Android', 'Firefox'],
  [android('10; K', 'Chrome/126.0.0.0 Mobile Safari/537.36 EdgA/126.0.0.0'), 'mobile', 'Android', 'Edge'],
  [android('10; K', 'Chrome/124.0.0.0 Mobile Safari/537.36 OPR/83.0.0.0'), 'mobile', 'Android', 'Opera'],
  [
    android('14; SM-A546B Build/UP1A.231005.007', 'Chrome/124.0.6367.179 Mobile Safari/537.36 OPX/2.4'),
    'mobile',
    'Android',
    'Opera',
  ],
  [
    'Opera/9.80 (Android; Opera Mini/82.0.2254/191.303; U; en) Presto/2.12.423 Version/12.16',
    'mobile',
    'Android',
    'Opera Mini',
  ],
  [
    android(
      '12; SM-A127F Build/SP1A.210812.016; wv',
      'Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36 OPR/81.0.2254.72431',
    ),
    'mobile',
    'Android',
    'Opera',
  ],
  [
    'Mozilla/5.0 (Linux; U; Android 13; en-US; CPH2365 Build/TP1A.220905.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.7.0.1319 Mobile Safari/537.36',
    'mobile',
    'Android',
    'UC Browser',
  ],
  [
    'Mozilla/5.0 (Linux; U; Android 14; en-us; 23117RA68G Build/UP1A.231005.007) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.15.0-gn',
    'mobile',
    'Android',
    'Mi Browser',
  ],
  [
    'Mozilla/5.0 (Linux; Android 12; HarmonyOS; NOH-AN00; HMSCore 6.13.0.302) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.5735.196 HuaweiBrowser/15.0.4.312 Mobile Safari/537.36',
    'mobile',
    'HarmonyOS',
    'Huawei Browser',
  ],
  [
    android(
      '10; VOG-L29; HMSCore 6.13.0.321',
      'Chrome/99.0.4844.88 HuaweiBrowser/14.0.3.300 Mobile Safari/537.36',
    ),
    'mobile',
    'Android',
    'Huawei Browser',
  ],
  [
    'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile HuaweiBrowser/5.0.4.300',
    'mobile',
    'HarmonyOS',
    'Huawei Browser',
  ],
  [
    'Mozilla/5.0 (Linux; U; Android 13; zh-cn; PGEM10 Build/TP1A.220905.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/115.0.5790.168 Mobile Safari/537.36 HeyTapBrowser/40.8.40.1',
    'mobile',
    'Android',
    'HeyTap Browser',
  ],
  [
    android('13; V2227A; wv', 'Version/4.0 Chrome/87.0.4280.141 Mobile Safari/537.36 VivoBrowser/18.8.0.0'),
    'mobile',
    'Android',
    'vivo Browser',
  ],
  [
    android('14; ANY-LX1', 'Chrome/116.0.0.0 Mobile Safari/537.36 HonorBrowser/1.0'),
    'mobile',
    'Android',
    'Honor Browser',
  ],
  [
    'Mozilla/5.0 (Linux; U; Android 12; zh-cn; M2102K1AC Build/SKQ1.220213.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/109.0.5414.86 MQQBrowser/14.9 Mobile Safari/537.36 COVC/046915',
    'mobile',
    'Android',
    'QQ Browser',
  ],
  [
    android('13; SM-G991B', 'Chrome/124.0.0.0 YaBrowser/24.4.3.78.00 SA/3 Mobile Safari/537.36'),
    'mobile',
    'Android',
    'Yandex Browser',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.6478.71 Mobile DuckDuckGo/5 Safari/537.36',
    'mobile',
    'Android',
    'DuckDuckGo',
  ],
  [android('10; K', 'Chrome/125.0.0.0 Mobile Safari/537.36 Vivaldi/6.7'), 'mobile', 'Android', 'Vivaldi'],
  [
    android('10; K', 'Chrome/124.0.0.0 Whale/1.0.0.0 Crosswalk/29.124.0.9 Mobile Safari/537.36'),
    'mobile',
    'Android',
    'Whale',
  ],
  [
    android('12; TECNO KI5k Build/SP1A.210812.016', 'Chrome/105.0.5195.136 Mobile Safari/537.36 PHX/12.9'),
    'mobile',
    'Android',
    'Phoenix',
  ],
  [
    android(
      '13; SM-A536B Build/TP1A.220624.014; wv',
      'Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36',
    ),
    'mobile',
    'Android',
    'Android WebView',
  ],
  [
    android(
      '14; SM-S918B Build/UP1A.231005.007; wv',
      'Version/4.0 Chrome/125.0.6422.165 Mobile Safari/537.36 Instagram 335.0.0.31.90 Android (34/14; 600dpi; 1440x3088; samsung; SM-S918B; dm3q; qcom; en_US; 609000000)',
    ),
    'mobile',
    'Android',
    'Instagram',
  ],
  [
    android(
      '13; SM-A326B Build/TP1A.220624.014; wv',
      'Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/469.0.0.47.85;IABMV/1;]',
    ),
    'mobile',
    'Android',
    'Facebook',
  ],
  [
    android(
      '13; M2101K6G Build/TKQ1.221013.002; wv',
      'Version/4.0 Chrome/125.0.6422.165 Mobile Safari/537.36 [FB_IAB/Orca-Android;FBAV/461.0.0.35.109;]',
    ),
    'mobile',
    'Android',
    'Messenger',
  ],
  [
    android(
      '12; V2046A Build/SP1A.210812.003; wv',
      'Version/4.0 Chrome/122.0.6261.120 Mobile Safari/537.36 XWEB/1220099 MMWEBSDK/20240404 MMWEBID/2247 MicroMessenger/8.0.49.2600(0x28003137) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64',
    ),
    'mobile',
    'Android',
    'WeChat',
  ],
  [
    android(
      '13; 2201117TY Build/TP1A.220624.014; wv',
      'Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36 trill_2023507030 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly app_version/35.7.3 ByteLocale/en ByteFullLocale/en Region/DE',
    ),
    'mobile',
    'Android',
    'TikTok',
  ],
  [
    android(
      '14; Pixel 7 Build/AP1A.240505.005; wv',
      'Version/4.0 Chrome/125.0.6422.165 Mobile Safari/537.36 Snapchat12.90.0.46 (Pixel 7; Android 14#11583682#34; gzip; )',
    ),
    'mobile',
    'Android',
    'Snapchat',
  ],
  [
    android(
      '14; SM-S901B Build/UP1A.231005.007; wv',
      'Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36 [LinkedInApp]',
    ),
    'mobile',
    'Android',
    'LinkedIn',
  ],
  [
    android(
      '13; SM-A525F Build/TP1A.220624.014; wv',
      'Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36 [Pinterest/Android]',
    ),
    'mobile',
    'Android',
    'Pinterest',
  ],
  [
    android(
      '14; SM-G996B Build/UP1A.231005.007; wv',
      'Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36 TwitterAndroid',
    ),
    'mobile',
    'Android',
    'X',
  ],
  [
    android(
      '13; SO-51C Build/65.1.A.4.8; wv',
      'Version/4.0 Chrome/124.0.6367.159 Mobile Safari/537.36 Line/14.8.0/IAB',
    ),
    'mobile',
    'Android',
    'LINE',
  ],
  [
    android(
      '14; SM-S921N Build/UP1A.231005.007; wv',
      'Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36;KAKAOTALK 2410850',
    ),
    'mobile',
    'Android',
    'KakaoTalk',
  ],
  [
    android(
      '14; SM-A556B Build/UP1A.231005.007; wv',
      'Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36 Telegram-Android/10.14.2 (Samsung SM-A556B; Android 14; SDK 34; HIGH)',
    ),
    'mobile',
    'Android',
    'Telegram',
  ],
  [
    android(
      '12; SM-A217F Build/SP1A.210812.016; wv',
      'Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36 Zalo android/24050555 ZaloTheme/light ZaloLanguage/vn',
    ),
    'mobile',
    'Android',
    'Zalo',
  ],
  [
    android(
      '13; 2109119DG Build/TKQ1.220829.002; wv',
      'Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36 GSA/15.24.32.28.arm64',
    ),
    'mobile',
    'Android',
    'Google App',
  ],
  [
    android(
      '12; SM-G781B Build/SP1A.210812.016; wv',
      'Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36 com.scanner.qrcode/4.1',
    ),
    'mobile',
    'Android',
    'Android WebView',
  ],
  [
    'Mozilla/5.0 (Linux; U; Android 4.1.2; de-de; GT-I8190 Build/JZO54K) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
    'mobile',
    'Android',
    'Android Browser',
  ],
  [
    'Instagram 300.0.0.29.110 Android (33/13; 420dpi; 1080x2194; Google/google; Pixel 6; oriole; oriole; en_US; 515111363)',
    'mobile',
    'Android',
    'Instagram',
  ],
  [
    'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
    'mobile',
    'KaiOS',
    'Firefox',
  ],
  [
    'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15254',
    'mobile',
    'Windows Phone',
    'Edge',
  ],
  [
    'Mozilla/5.0 (iPod touch; CPU iPhone OS 15_8 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.6.7 Mobile/15E148 Safari/604.1',
    'mobile',
    'iOS',
    'Safari',
  ],
]

export const tablets: readonly KnownDevice[] = [
  [ipad('Version/17.5 Mobile/15E148 Safari/604.1'), 'tablet', 'iOS', 'Safari'],
  [ipad('Version/12.1.2 Mobile/15E148 Safari/604.1', '12_5_7'), 'tablet', 'iOS', 'Safari'],
  [ipad('CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1'), 'tablet', 'iOS', 'Chrome'],
  [ipad('FxiOS/127.0 Mobile/15E148 Safari/605.1.15'), 'tablet', 'iOS', 'Firefox'],
  [
    ipad(
      'Mobile/21F90 [FBAN/FBIOS;FBAV/467.1.0.37.107;FBBV/607692370;FBDV/iPad13,1;FBMD/iPad;FBSN/iPadOS;FBSV/17.5.1;FBSS/2;FBID/tablet;FBLC/en_GB;FBOP/5]',
    ),
    'tablet',
    'iOS',
    'Facebook',
  ],
  [
    mac('CriOS/126.0.6478.54 Version/13.0.3 Safari/605.1.15', '605.1.15', '13_3_1'),
    'tablet',
    'iOS',
    'Chrome',
  ],
  [mac('FxiOS/127 Safari/605.1.15', '605.1.15', '10.15'), 'tablet', 'iOS', 'Firefox'],
  [mac('Version/17.0 EdgiOS/126.0.2592.56 Safari/605.1.15', '605.1.15'), 'tablet', 'iOS', 'Edge'],
  [mac('Mobile/15E148', '605.1.15', '10_15_6'), 'tablet', 'iOS', 'Other'],
  [android('10; K', 'Chrome/126.0.0.0 Safari/537.36'), 'tablet', 'Android', 'Chrome'],
  [android('13; SM-X710', 'Chrome/125.0.6422.165 Safari/537.36'), 'tablet', 'Android', 'Chrome'],
  [
    android('14; SAMSUNG SM-X200', 'SamsungBrowser/24.0 Chrome/117.0.0.0 Safari/537.36'),
    'tablet',
    'Android',
    'Samsung Internet',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Safari/537.36',
    'tablet',
    'Android',
    'Samsung Internet',
  ],
  ['Mozilla/5.0 (Android 13; Tablet; rv:127.0) Gecko/127.0 Firefox/127.0', 'tablet', 'Android', 'Firefox'],
  [android('12; Lenovo TB-X606F', 'Chrome/126.0.0.0 Safari/537.36'), 'tablet', 'Android', 'Chrome'],
  [android('13; 23043RP34G', 'Chrome/125.0.0.0 Safari/537.36'), 'tablet', 'Android', 'Chrome'],
  [
    'Mozilla/5.0 (Linux; U; Android 14; en-us; 24074RPD2G Build/UP1A.231005.007) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.15.0-gn',
    'tablet',
    'Android',
    'Mi Browser',
  ],
  [
    android(
      '10; HarmonyOS; BAH3-W59; HMSCore 6.13.0.302',
      'Chrome/114.0.5735.196 HuaweiBrowser/15.0.4.312 Safari/537.36',
    ).replace('Android 10', 'Android 10'),
    'tablet',
    'HarmonyOS',
    'Huawei Browser',
  ],
  [
    'Mozilla/5.0 (Tablet; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 HuaweiBrowser/5.0.4.300',
    'tablet',
    'HarmonyOS',
    'Huawei Browser',
  ],
  [
    android('9; KFMAWI', 'Silk/125.4.3 like Chrome/125.0.6422.163 Safari/537.36'),
    'tablet',
    'Android',
    'Amazon Silk',
  ],
  [
    android('11; KFTRWI Build/RS8327.3115N', 'Silk/126.1.62 like Chrome/126.0.6478.71 Mobile Safari/537.36'),
    'tablet',
    'Android',
    'Amazon Silk',
  ],
  [android('14; Pixel Tablet', 'Chrome/126.0.0.0 Safari/537.36'), 'tablet', 'Android', 'Chrome'],
  [
    android(
      '13; SM-T733 Build/TP1A.220624.014; wv',
      'Version/4.0 Chrome/126.0.6478.71 Safari/537.36 [FB_IAB/FB4A;FBAV/469.0.0.47.85;IABMV/1;]',
    ),
    'tablet',
    'Android',
    'Facebook',
  ],
  [
    'Instagram 330.0.0.40.92 Android (33/13; 320dpi; 1600x2428; samsung; SM-T870; gts7lwifi; qcom; de_DE; 590000000)',
    'tablet',
    'Android',
    'Instagram',
  ],
]

export const desktops: readonly KnownDevice[] = [
  [windows('Chrome/126.0.0.0 Safari/537.36'), 'desktop', 'Windows', 'Chrome'],
  [windows('Chrome/141.0.0.0 Safari/537.36'), 'desktop', 'Windows', 'Chrome'],
  [windows('Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0'), 'desktop', 'Windows', 'Edge'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0',
    'desktop',
    'Windows',
    'Firefox',
  ],
  [
    'Mozilla/5.0 (Windows NT 6.1; Win64; x64; rv:109.0) Gecko/20100101 Firefox/115.0',
    'desktop',
    'Windows',
    'Firefox',
  ],
  [windows('Chrome/125.0.0.0 Safari/537.36 OPR/111.0.0.0'), 'desktop', 'Windows', 'Opera'],
  [windows('Chrome/126.0.0.0 Safari/537.36 Vivaldi/6.8.3381.44'), 'desktop', 'Windows', 'Vivaldi'],
  [windows('Chrome/124.0.0.0 YaBrowser/24.6.0.0 Safari/537.36'), 'desktop', 'Windows', 'Yandex Browser'],
  [windows('Chrome/126.0.0.0 Safari/537.36 Whale/3.27.254.11'), 'desktop', 'Windows', 'Whale'],
  [windows('Chrome/120.0.0.0 Safari/537.36 coc_coc_browser/130.0.130'), 'desktop', 'Windows', 'Coc Coc'],
  [
    windows(
      'Chrome/122.0.0.0 Safari/537.36 NetType/WIFI MicroMessenger/7.0.20.1781(0x6700143B) WindowsWechat(0x63090a13) XWEB/9129 Flue',
    ),
    'desktop',
    'Windows',
    'WeChat',
  ],
  [windows('SamsungBrowser/26.0 Chrome/122.0.0.0 Safari/537.36'), 'desktop', 'Windows', 'Samsung Internet'],
  [
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    'desktop',
    'Windows',
    'Internet Explorer',
  ],
  [
    'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0; Touch)',
    'desktop',
    'Windows',
    'Internet Explorer',
  ],
  [windows('Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763'), 'desktop', 'Windows', 'Edge'],
  [mac('Version/17.5 Safari/605.1.15', '605.1.15'), 'desktop', 'macOS', 'Safari'],
  [mac('Version/26.0 Safari/605.1.15', '605.1.15'), 'desktop', 'macOS', 'Safari'],
  [mac('Chrome/126.0.0.0 Safari/537.36'), 'desktop', 'macOS', 'Chrome'],
  [mac('Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0'), 'desktop', 'macOS', 'Edge'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:127.0) Gecko/20100101 Firefox/127.0',
    'desktop',
    'macOS',
    'Firefox',
  ],
  [mac('Chrome/126.0.0.0 Safari/537.36 OPR/112.0.0.0'), 'desktop', 'macOS', 'Opera'],
  [mac('Version/17.5 Safari/605.1.15 Ddg/17.5', '605.1.15'), 'desktop', 'macOS', 'DuckDuckGo'],
  [mac('Slack/4.38.125 Chrome/124.0.6367.207 Electron/30.0.9 Safari/537.36'), 'desktop', 'macOS', 'Electron'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'desktop',
    'Linux',
    'Chrome',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'desktop', 'Linux', 'Firefox'],
  [
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0',
    'desktop',
    'Linux',
    'Firefox',
  ],
  [
    'Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0',
    'desktop',
    'Linux',
    'Firefox',
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'desktop',
    'ChromeOS',
    'Chrome',
  ],
  [
    'Mozilla/5.0 (X11; FreeBSD amd64; rv:126.0) Gecko/20100101 Firefox/126.0',
    'desktop',
    'FreeBSD',
    'Firefox',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.0 Safari/605.1.15 Epiphany/605.1.15',
    'desktop',
    'Linux',
    'GNOME Web',
  ],
  [
    'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/5.2 Chrome/94.0.4606.31 TV Safari/537.36',
    'desktop',
    'Tizen',
    'Samsung Internet',
  ],
  [
    'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.4606.128 Safari/537.36 WebAppManager',
    'desktop',
    'webOS',
    'Chrome',
  ],
  [
    'Mozilla/5.0 (PlayStation; PlayStation 5/8.20) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Safari/605.1.15',
    'desktop',
    'PlayStation',
    'Safari',
  ],
]
