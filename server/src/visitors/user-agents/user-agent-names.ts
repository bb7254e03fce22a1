/** A pattern of the user agent and its displayed name; the first match applies. */
export type NamedPattern = readonly [pattern: RegExp, name: string]

/**
 * Apps with a built-in browser. They come before the browsers, because each also claims to be
 * Safari or Chrome, and for a printed code it matters more that it was opened inside Instagram.
 */
const apps: readonly NamedPattern[] = [
  [/\bBarcelona \d/, 'Threads'],
  [/\bInstagram\b/, 'Instagram'],
  [/\bFBAN\/Messenger|\bOrca-Android|MessengerForiOS|MessengerLite/, 'Messenger'],
  [/\bFB(?:AN|AV|_IAB|BV)\/|\[FB/, 'Facebook'],
  [/\bwxwork\//i, 'WeCom'],
  [/MicroMessenger/i, 'WeChat'],
  [/\baweme(?:_lite|\/|_|\b)/i, 'Douyin'],
  [/musical_ly|BytedanceWebview|\btrill_|ByteLocale|\bTikTok\b/i, 'TikTok'],
  [/Snapchat/i, 'Snapchat'],
  [/\bWhatsApp|\bWA4A\b|\bWAiOS\b/, 'WhatsApp'],
  [/LinkedInApp/i, 'LinkedIn'],
  [/\[Pinterest\/|\bPinterest for /i, 'Pinterest'],
  [/Twitter for (?:iPhone|iPad)|TwitterAndroid/i, 'X'],
  [/\bLine\/\d[\d.]*|\bLIFF\b/, 'LINE'],
  [/KAKAOTALK/i, 'KakaoTalk'],
  [/Telegram-(?:Android|iOS)|\bTelegram\//i, 'Telegram'],
  [/\bViber\b/i, 'Viber'],
  [/AlipayClient|AlipayDefined|\bAliApp\(AP\//i, 'Alipay'],
  [/\bAliApp\(TB\//i, 'Taobao'],
  [/DingTalk/i, 'DingTalk'],
  [/\bNAVER\(inapp/i, 'Naver'],
  [/\bZalo\b/i, 'Zalo'],
  [/\b__weibo__|\bWeibo\b/i, 'Weibo'],
  [/baiduboxapp/i, 'Baidu'],
  [/BingSapphire/i, 'Bing'],
  [/\bReddit\//, 'Reddit'],
  [/\bDiscord\//, 'Discord'],
  [/\bTeams(?:Mobile)?-?(?:Android|iOS)|TeamsMobile/i, 'Microsoft Teams'],
  [/\bGSA\//, 'Google App'],
  [/\bQQ\/\d/, 'QQ'],
  [/\bOutlook-(?:Android|iOS)|\b(?:Mac|Microsoft )?Outlook[/ ]\d/, 'Outlook'],
  [/\bAndroid-Gmail|\bGmail\//, 'Gmail'],
  [/\bSlack(?:_SSB)?\//, 'Slack'],
  [/\bVK(?:AndroidApp|iOSApp)|\bvkclient\b|\bVK\/\d/, 'VK'],
  [
    /\bQR[-_ ]?(?:bot|code|scan|reader)|qrcode|qr[-_.]?scanner|\bbarcode[-_ ]?(?:scan|reader)/i,
    'QR scanner app',
  ],
]

/**
 * Browsers with a more specific name than "Chrome" or "Safari", then those two, then engines
 * embedded in apps.
 */
const ownBrowsers: readonly NamedPattern[] = [
  [/\bIEMobile\b/, 'Internet Explorer'],
  [/SamsungBrowser/i, 'Samsung Internet'],
  [/\bEdg(?:A|iOS|W|e)?\//, 'Edge'],
  [/Opera Mini|\bOPiOS\//, 'Opera Mini'],
  [/\bOPR\/|\bOPT\/|\bOPX\/|\bOpera\b|\bOPRGX\//, 'Opera'],
  [/\bYa(?:Search)?Browser\/|\bYaApp_(?:Android|iOS)|YandexSearch/, 'Yandex Browser'],
  [/\bUC ?Browser|\bUCWEB|\bUBrowser\//i, 'UC Browser'],
  [/MiuiBrowser|XiaoMi\/Mi/i, 'Mi Browser'],
  [/HuaweiBrowser/i, 'Huawei Browser'],
  [/HonorBrowser/i, 'Honor Browser'],
  [/HeyTapBrowser|OppoBrowser|RealmeBrowser/i, 'HeyTap Browser'],
  [/VivoBrowser/i, 'vivo Browser'],
  [/\bMZBrowser\//, 'Meizu Browser'],
  [/Lite Browser\/|Mint Browser\//, 'Mi Browser'],
  [/\bM?QQBrowser|\bQQBrowserLite/i, 'QQ Browser'],
  [/\bSilk\//, 'Amazon Silk'],
  [/DuckDuckGo\/|\bDdg\//, 'DuckDuckGo'],
  [/\bBrave\/|\bBrave Chrome/, 'Brave'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bWhale\//, 'Whale'],
  [/\bEcosia\b/i, 'Ecosia'],
  [/\bFocus\/|\bKlar\//, 'Firefox Focus'],
  [/\bFxiOS\//, 'Firefox'],
  [/\bCriOS\//, 'Chrome'],
  [/\bPuffin\//, 'Puffin'],
  [/\bAlohaBrowser\/|\bAloha\//, 'Aloha'],
  [/\bPHX\/|PhoenixBrowser/, 'Phoenix'],
  [/OculusBrowser/, 'Meta Quest Browser'],
  [/\bSogouM|\bMetaSr|SogouMobileBrowser/i, 'Sogou'],
  [/\b(?:360SE|360EE|QihooBrowser|QIHU|360Browser)/i, '360 Browser'],
  [/\bcoc_coc_browser\/|coc_coc/i, 'Coc Coc'],
  [/\bQuark\//, 'Quark'],
  [/bidubrowser|baidubrowser/i, 'Baidu'],
  [/\bSznProhlizec\//, 'Seznam'],
  [/\bPaleMoon\//, 'Pale Moon'],
  [/\bSeaMonkey\//, 'SeaMonkey'],
  [/\bAvast\/|\bAVG\//, 'Avast'],
  [/\bEpiphany\//, 'GNOME Web'],
  [/\bKonqueror\//, 'Konqueror'],
  [/\bElectron\//, 'Electron'],
  [/HeadlessChrome/, 'Headless Chrome'],
  [/\bMSIE |\bTrident\//, 'Internet Explorer'],
  [/; wv\)|Version\/[14]\.\d Chrome\//, 'Android WebView'],
  [/Android.*Version\/[\d.]+.*Safari\/(?!.*Chrome)/, 'Android Browser'],
  [/\bChrom(?:e|ium)\//, 'Chrome'],
  [/\b(?:Firefox|Fennec|Iceweasel|LibreWolf|Waterfox)\//, 'Firefox'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/\((?:iPhone|iPad|iPod).*AppleWebKit\/(?!.*Safari\/)/, 'iOS WebView'],
  [/\((?:iPhone|iPad|iPod|Macintosh).*Safari\//, 'Safari'],
]

export const browsers: readonly NamedPattern[] = [...apps, ...ownBrowsers]

/** Names that say only which engine a page has: another header may name the browser or the app. */
export const commonBrowsers: ReadonlySet<string> = new Set([
  'Android Browser',
  'Android WebView',
  'Chrome',
  'iOS WebView',
  'Other',
  'Safari',
  'Unknown',
])

/**
 * Systems, most misleading first: Windows Phone claims to be an iPhone and Android, HarmonyOS
 * claims to be Android, and an iPad that requests desktop pages claims to be a Mac (only browsers
 * that add their own word reveal it).
 */
export const systems: readonly NamedPattern[] = [
  // Its names were Windows CE, Windows Mobile and Windows Phone.
  [/Windows (?:Phone|Mobile|CE)\b|\bIEMobile\b|\bWPDesktop\b|\bZuneWP7\b|\bwds \d/i, 'Windows Phone'],
  [/\b(?:Open)?Harmony(?:OS)?\b/, 'HarmonyOS'],
  [/\b(?:iPhone|iPad|iPod)|iPadOS\b/, 'iOS'],
  [/\bDarwin\/.*(?:x86_64|Mac)/, 'macOS'],
  [/Macintosh.*(?:\bMobile\/|CriOS\/|FxiOS\/|EdgiOS\/|OPiOS\/|\bOPT\/|GSA\/)/, 'iOS'],
  [/KAIOS\//, 'KaiOS'],
  [/\bTizen\b/, 'Tizen'],
  [/\bWeb0S\b|\bwebOS\b/, 'webOS'],
  [
    /\bAndroid\b|\bAdr \d|\bFBDV\/.*\bandroid|\bcom\.facebook\.katana\b|X11; Linux[^)]*\) .*(?:SamsungBrowser|\bSilk)\//,
    'Android',
  ],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bXbox\b/, 'Xbox'],
  [/\bPlayStation\b|\bPLAYSTATION\b/, 'PlayStation'],
  [/\bWindows(?: NT|\b)/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
]

/**
 * Displayed forms of my-ua-parser's names, for systems and browsers missing above; any other name
 * becomes "Other".
 */
export const parserNames: ReadonlyMap<string, string> = new Map([
  ...[
    'Chrome',
    'Firefox',
    'Safari',
    'Edge',
    'Opera',
    'Opera Mini',
    'Vivaldi',
    'Brave',
    'Puffin',
    'DuckDuckGo',
    'Naver',
    'Whale',
    'Maxthon',
    'Midori',
    'Falkon',
    'Sleipnir',
    'Konqueror',
    'Klarna',
    'Tesla',
    'Linux',
    'Windows',
    'Android',
    'Tizen',
    'KaiOS',
    'BlackBerry',
    'Symbian',
    'Sailfish',
    'MeeGo',
    'FreeBSD',
    'OpenBSD',
    'NetBSD',
    'Solaris',
    'Haiku',
    'Fuchsia',
    'watchOS',
    'webOS',
    'Chromecast',
    'Nintendo',
    'PlayStation',
    'Xbox',
    'iOS',
  ].map((name) => [name.toLowerCase(), name] as const),
  ['mobile safari', 'Safari'],
  ['chromium', 'Chrome'],
  ['chrome webview', 'Android WebView'],
  ['android browser', 'Android Browser'],
  ['ie', 'Internet Explorer'],
  ['mac os', 'macOS'],
  ['mac os x', 'macOS'],
  ['chromium os', 'ChromeOS'],
  ['cros', 'ChromeOS'],
  ['android-x86', 'Android'],
  ['windows phone', 'Windows Phone'],
  ['windows mobile', 'Windows Phone'],
  ['rim tablet os', 'BlackBerry'],
  ...[
    'ubuntu',
    'kubuntu',
    'xubuntu',
    'lubuntu',
    'debian',
    'fedora',
    'suse',
    'opensuse',
    'arch',
    'gentoo',
    'mint',
    'centos',
    'red hat',
    'redhat',
    'manjaro',
    'raspbian',
    'deepin',
    'mageia',
    'slackware',
    'mandriva',
    'elementary os',
    'gnu',
  ].map((name) => [name, 'Linux'] as const),
])

/** Television sets and sticks also run Android and Tizen, and count as desktops. */
export const television =
  /\b(?:Smart-?TV|SMART-TV|SmartHub|HbbTV|GoogleTV|Google TV|Android TV|AndroidTV|Apple ?TV|CrKey|BRAVIA|NetCast|Roku|VIERA|MiTV|MIBOX|MiBOX|Chromecast|AFT[A-Z]{1,4}|TV Safari|TV Build|SHIELD Android TV)\b|Web0S/i

/**
 * Model names that only tablets have. Most tablets omit "Mobile" from their user agent and need no
 * list; these do not always, least of all in apps. Most names contain "Pad" or "Tab"; Wi-Fi models
 * of Huawei and Honor end in W09 or W19, numbers of Xiaomi contain RP, Yandex marks every tablet
 * "apad".
 */
export const tabletModel = new RegExp(
  [
    String.raw`/apad\b`,
    String.raw`; [\w .+-]{0,24}(?:pad|tab|tablet)[\w .+-]{0,24}[;/)]`,
    String.raw`\b(?:SM-[TPX]\d{3}\w?|GT-P\d{4}|GT-N(?:51|80)\d\d)\b`,
    String.raw`\b(?:Lenovo (?:TB|YT)[-\w]*|TB-?\w{4,7}|YT-?[XJ]?\d{3}\w)\b`,
    String.raw`\b\d{4,5}RP\w{3}\b`,
    String.raw`\b[A-Z]{3,4}\d?-[AW][01]9\w*\b`,
    String.raw`\b(?:AGS|BAH|AGR|DBY|SCM|MRR|KOB|BTK)\w?-[AL]\w{2,4}\b`,
    String.raw`\b(?:KF[A-Z]{3,6}|OPD\d{4}|RMP\d{4}|PA2\d{3}|Nexus (?:7|9|10)|Pixel C|Nokia T\d\d|iPlay\w*)\b`,
  ].join('|'),
  'i',
)

/** Words of phones with keys, from the standards for their applications and pages. */
export const featurePhone =
  /\bMIDP\b|\bCLDC\b|\bWAP\d?(?:\b|_)|WAP[-_ ]?Browser|\bUP\.Browser|\bMAUI\b|_MAUI|\bBREW\b|\bJ2ME\b|Obigo|\bTeleca\b|\bNetFront\b|\bDolfin\//i

/** Folding phones omit "Mobile" while they are open, but are still phones. */
export const foldingPhone =
  /\bSM-F\d{3}|\bPixel (?:\d+ Pro )?Fold\b|\bTECNO A[DE]\d+\b|\b(?:V2178A|M2011J18C|CPH2499|CPH2671)\b/
