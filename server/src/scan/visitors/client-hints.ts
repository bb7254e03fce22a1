import type { IncomingHttpHeaders } from 'node:http'
import { scanHints } from '../../journal/raw-scan.ts'

/**
 * Browsers by their brand in `Sec-CH-UA`. Brave and others have Chrome's user agent, so only the
 * brand tells them apart. The first match applies: each also names Chromium.
 */
const brands: readonly (readonly [brand: string, name: string])[] = [
  ['Brave', 'Brave'],
  ['DuckDuckGo', 'DuckDuckGo'],
  ['Microsoft Edge', 'Edge'],
  ['Opera', 'Opera'],
  ['Opera GX', 'Opera'],
  ['OperaMobile', 'Opera'],
  ['Samsung Internet', 'Samsung Internet'],
  ['YaBrowser', 'Yandex Browser'],
  ['Yandex', 'Yandex Browser'],
  ['Vivaldi', 'Vivaldi'],
  ['Whale', 'Whale'],
  ['HuaweiBrowser', 'Huawei Browser'],
  ['Miui Browser', 'Mi Browser'],
  ['Avast Secure Browser', 'Avast'],
  ['AVG Secure Browser', 'Avast'],
  ['CocCoc', 'Coc Coc'],
  ['Android WebView', 'Android WebView'],
]

/**
 * Android apps by their package, which the built-in browser of an app sends in `X-Requested-With`.
 * Most of them have the user agent of any WebView.
 */
const packages: Readonly<Record<string, readonly string[]>> = {
  Alipay: ['com.eg.android.AlipayGphone'],
  Bing: ['com.microsoft.bing'],
  DingTalk: ['com.alibaba.android.rimet'],
  Discord: ['com.discord'],
  Douyin: ['com.ss.android.ugc.aweme'],
  DuckDuckGo: ['com.duckduckgo.mobile.android'],
  Facebook: ['com.facebook.katana', 'com.facebook.lite'],
  Gmail: ['com.google.android.gm'],
  'Google App': ['com.google.android.googlequicksearchbox'],
  Instagram: ['com.instagram.android', 'com.instagram.lite'],
  KakaoTalk: ['com.kakao.talk'],
  LINE: ['jp.naver.line.android'],
  LinkedIn: ['com.linkedin.android'],
  Messenger: ['com.facebook.orca', 'com.facebook.mlite'],
  'Microsoft Teams': ['com.microsoft.teams'],
  Naver: ['com.nhn.android.search'],
  Outlook: ['com.microsoft.office.outlook'],
  Pinterest: ['com.pinterest'],
  'QR scanner app': [
    'com.gamma.scan',
    'com.google.zxing.client.android',
    'com.kaspersky.qrscanner',
    'com.teacapps.barcodescanner',
    'com.teacapps.barcodescanner.pro',
    'com.trendmicro.qrscan',
    'me.scan.android.client',
    'net.qrbot',
    'tw.com.quickmark',
    'tw.mobileapp.qrcode.banner',
  ],
  QQ: ['com.tencent.mobileqq'],
  Reddit: ['com.reddit.frontpage'],
  Slack: ['com.Slack'],
  Snapchat: ['com.snapchat.android'],
  Taobao: ['com.taobao.taobao'],
  Telegram: ['org.telegram.messenger', 'org.telegram.messenger.web', 'org.thunderdog.challegram'],
  Threads: ['com.instagram.barcelona'],
  TikTok: ['com.zhiliaoapp.musically', 'com.zhiliaoapp.musically.go', 'com.ss.android.ugc.trill'],
  Viber: ['com.viber.voip'],
  VK: ['com.vkontakte.android'],
  WeChat: ['com.tencent.mm'],
  WeCom: ['com.tencent.wework'],
  Weibo: ['com.sina.weibo'],
  WhatsApp: ['com.whatsapp', 'com.whatsapp.w4b'],
  X: ['com.twitter.android'],
  Zalo: ['com.zing.zalo'],
}

const packageNames = new Map(
  Object.entries(packages).flatMap(([name, ids]) => ids.map((id) => [id, name] as const)),
)

/** Every name that `appOf` returns. */
export const hintedApps: ReadonlySet<string> = new Set([
  ...Object.keys(packages),
  ...brands.map(([, name]) => name),
])

/**
 * Returns the browser or app that headers other than the user agent name, of a closed list; empty
 * if they name none. A scan without these headers costs two look-ups.
 */
export function appOf(headers: IncomingHttpHeaders): string {
  const sender = headers['x-requested-with']
  const app = sender === undefined ? undefined : packageNames.get(String(sender))
  if (app !== undefined) return app
  const brand = headers['sec-ch-ua']
  return brand === undefined ? '' : brandOf(String(brand))
}

/**
 * Returns the flags of `scanHints` for the device that client hints describe. Browsers send system
 * and `Mobile` with each request over HTTPS, form factors only on request. Source: User-Agent
 * Client Hints, W3C Community Group.
 */
export function deviceHintsOf(headers: IncomingHttpHeaders): number {
  const system = headers['sec-ch-ua-platform']
  if (system === undefined) return 0
  const factors = headers['sec-ch-ua-form-factors']
  return (
    (system === '"Android"' ? scanHints.android : 0) |
    (headers['sec-ch-ua-mobile'] === '?1' ? scanHints.phone : 0) |
    (factors !== undefined && factors.includes('"Tablet"') ? scanHints.tablet : 0)
  )
}

/** Browsers of one version send the same text, so few texts are behind nearly all scans. */
const known = new Map<string, string>()
const knownMax = 1_000
const brandCharsMax = 300

function brandOf(header: string): string {
  const found = known.get(header)
  if (found !== undefined) return found
  if (header.length > brandCharsMax) return ''
  const name = brands.find(([brand]) => header.includes(`"${brand}"`))?.[1] ?? ''
  if (known.size >= knownMax) known.clear()
  known.set(header, name)
  return name
}
