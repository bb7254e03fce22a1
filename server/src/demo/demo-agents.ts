import { scanHints } from '../journal/raw-scan.ts'

type Named = { userAgent: string; weight: number; hints: number }

/** A browser, and what the figures call it. */
export type DemoBrowser = Named & {
  deviceType: 'mobile' | 'tablet' | 'desktop'
  os: string
  browser: string
}

/** A program, and the class of its hits. */
export type DemoProgram = Named & { class: 'bot' | 'preview' | 'prefetch' }

const iphone = (rest: string, version = '18_6') =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`
const webkit = (system: string, rest: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`
const android = 'Linux; Android 10; K'
const windows = 'Windows NT 10.0; Win64; x64'
const mac = 'Macintosh; Intel Mac OS X 10_15_7'

const browserOf =
  (deviceType: DemoBrowser['deviceType']) =>
  (os: string, browser: string, weight: number, userAgent: string): DemoBrowser => ({
    deviceType,
    os,
    browser,
    weight,
    userAgent,
    hints: 0,
  })
const phone = browserOf('mobile')
const tablet = browserOf('tablet')
const desktop = browserOf('desktop')

/** People scan with phones; some open the link elsewhere. */
export const demoBrowsers: readonly DemoBrowser[] = [
  phone('iOS', 'Safari', 20, iphone('Version/26.0 Mobile/15E148 Safari/604.1')),
  phone('iOS', 'Safari', 12, iphone('Version/18.6 Mobile/15E148 Safari/604.1')),
  phone('iOS', 'Safari', 6, iphone('Version/17.5 Mobile/15E148 Safari/604.1', '17_5_1')),
  phone('iOS', 'Chrome', 5, iphone('CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1', '26_0')),
  phone('iOS', 'Firefox', 1, iphone('FxiOS/127.0 Mobile/15E148 Safari/605.1.15', '17_5')),
  phone('Android', 'Chrome', 18, webkit(android, 'Chrome/141.0.0.0 Mobile Safari/537.36')),
  phone('Android', 'Chrome', 7, webkit(android, 'Chrome/131.0.0.0 Mobile Safari/537.36')),
  phone(
    'Android',
    'Samsung Internet',
    9,
    webkit(android, 'SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36'),
  ),
  phone('Android', 'Firefox', 2, 'Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0'),
  phone('Android', 'Edge', 1, webkit(android, 'Chrome/126.0.0.0 Mobile Safari/537.36 EdgA/126.0.0.0')),
  phone('Android', 'Opera', 1, webkit(android, 'Chrome/124.0.0.0 Mobile Safari/537.36 OPR/83.0.0.0')),
  tablet(
    'iOS',
    'Safari',
    2,
    'Mozilla/5.0 (iPad; CPU OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  ),
  tablet('Android', 'Chrome', 1, webkit(android, 'Chrome/126.0.0.0 Safari/537.36')),
  desktop('Windows', 'Chrome', 3, webkit(windows, 'Chrome/141.0.0.0 Safari/537.36')),
  desktop('Windows', 'Edge', 1, webkit(windows, 'Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0')),
  desktop('macOS', 'Chrome', 1, webkit(mac, 'Chrome/141.0.0.0 Safari/537.36')),
  desktop(
    'macOS',
    'Safari',
    2,
    `Mozilla/5.0 (${mac}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`,
  ),
]

const program = (
  classOf: DemoProgram['class'],
  weight: number,
  userAgent: string,
  hints = 0,
): DemoProgram => ({ class: classOf, weight, userAgent, hints })

/** Crawlers, previews of links that people sent, and browsers that load a page in advance. */
export const demoPrograms: readonly DemoProgram[] = [
  program('bot', 6, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'),
  program('bot', 3, 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'),
  program('bot', 2, 'curl/8.5.0'),
  program('preview', 6, 'WhatsApp/2.23.20.0'),
  program('preview', 3, 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'),
  program('preview', 2, 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'),
  program('prefetch', 3, webkit(android, 'Chrome/141.0.0.0 Mobile Safari/537.36'), scanHints.prefetch),
]

/** A page from which a link was opened, as browsers name it and as the figures do. */
export type DemoReferrer = { host: string; referrer: string; weight: number }

export const demoReferrers: readonly DemoReferrer[] = [
  { host: 'l.instagram.com', referrer: 'instagram.com', weight: 5 },
  { host: 'm.facebook.com', referrer: 'facebook.com', weight: 2 },
  { host: 'www.google.com', referrer: 'google.com', weight: 2 },
  { host: 'out.reddit.com', referrer: 'reddit.com', weight: 1 },
  { host: 'blog.example.com', referrer: 'blog.example.com', weight: 1 },
]
