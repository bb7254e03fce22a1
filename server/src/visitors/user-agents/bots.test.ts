import assert from 'node:assert/strict'
import { test } from 'node:test'
import { list } from 'isbot'
import { scanHints } from '../../journal/raw-scan.ts'
import { ambiguousOnPhones, classify } from './bots.ts'

const previews: readonly (readonly [userAgent: string, botReason: string])[] = [
  ['WhatsApp/2.24.11.79 A', 'WhatsApp'],
  ['WhatsApp/2.23.20.0 i', 'WhatsApp'],
  ['WhatsApp/2.2413.1 W', 'WhatsApp'],
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'Slack'],
  ['Slack-ImgProxy (+https://api.slack.com/robots)', 'Slack'],
  ['TelegramBot (like TwitterBot)', 'Telegram'],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'Facebook'],
  ['facebookexternalhit/1.1', 'Facebook'],
  ['facebookcatalog/1.0', 'Facebook'],
  ['meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)', 'Meta'],
  ['Twitterbot/1.0', 'X'],
  ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', 'Discord'],
  ['LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)', 'LinkedIn'],
  [
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    'Skype and Teams',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'iMessage',
  ],
  ['facebookexternalhit/1.1;line-poker/1.0', 'LINE'],
  ['facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984', 'KakaoTalk'],
  ['Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots', 'Snapchat'],
  ['Pinterest/0.2 (+https://www.pinterest.com/bot.html)', 'Pinterest'],
  ['Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)', 'Reddit'],
  ['Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)', 'VK'],
  [
    'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
    'Bing preview',
  ],
  ['Iframely/1.3.1 (+https://iframely.com/docs/about) Atlassian', 'Iframely'],
  ['Mastodon/4.2.9 (http.rb/5.1.1; +https://mastodon.social/) Bot', 'Fediverse'],
  ['Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)', 'Bluesky'],
  ['Synapse (bot; +https://github.com/matrix-org/synapse)', 'Matrix'],
  ['Mattermost-Bot/1.1', 'Mattermost'],
  [
    'Mozilla/5.0 (compatible; Yahoo Link Preview; https://help.yahoo.com/kb/mail/yahoo-link-preview-SLN23615.html)',
    'Yahoo',
  ],
]

for (const [userAgent, botReason] of previews) {
  test(`a link unfurler is a preview: ${botReason}: ${userAgent}`, () => {
    assert.deepEqual(classify(userAgent, 0), { class: 'preview', botReason })
  })
}

const machines: readonly (readonly [userAgent: string, botReason: string])[] = [
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Google'],
  [
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.6422.141 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Google',
  ],
  [
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.6422.141 Mobile Safari/537.36 (compatible; GoogleOther)',
    'Google',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 7_0 like Mac OS X) AppleWebKit/537.51.1 (KHTML, like Gecko) Version/7.0 Mobile/11A465 Safari/9537.53 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'Bing',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
    'Apple',
  ],
  ['Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)', 'Yandex'],
  [
    'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; https://zhanzhang.toutiao.com/)',
    'ByteDance',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'OpenAI',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    'Anthropic',
  ],
  ['Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', 'Ahrefs'],
  ['Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)', 'Semrush'],
  ['Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)', 'UptimeRobot'],
  ['Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)', 'Pingdom'],
  ['kube-probe/1.29', 'Kubernetes'],
  ['Blackbox Exporter/0.25.0', 'Prometheus'],
  ['Uptime-Kuma/1.23.13', 'Uptime Kuma'],
  ['ELB-HealthChecker/2.0', 'Amazon Web Services'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36',
    'Headless browser',
  ],
  [
    'Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse',
    'Page speed test',
  ],
  ['Mozilla/5.0 (compatible; CensysInspect/1.1; +https://about.censys.io/)', 'Security scanner'],
  ['curl/8.5.0', 'curl'],
  ['Wget/1.21.4', 'Wget'],
  ['python-requests/2.32.3', 'Python'],
  ['Go-http-client/1.1', 'Go'],
  ['axios/1.7.2', 'Node.js'],
  ['okhttp/4.12.0', 'Java'],
  ['PostmanRuntime/7.39.0', 'API tool'],
  ['Dalvik/2.1.0 (Linux; U; Android 13; SM-A536B Build/TP1A.220624.014)', 'Java'],
  ['SomeNewCrawler/1.0 (+https://example.com/crawler)', 'Crawler'],
  ['Mozilla/5.0 (compatible; UnheardOfSpider/0.1)', 'Crawler'],
  ['', 'No user agent'],
  ['   ', 'No user agent'],
]

for (const [userAgent, botReason] of machines) {
  test(`a machine is a bot: ${botReason}: ${userAgent}`, () => {
    assert.deepEqual(classify(userAgent, 0), { class: 'bot', botReason })
  })
}

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const phone =
  'Mozilla/5.0 (Linux; Android 14; SM-A556B Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36'

for (const words of [
  'QRScanner/3.2',
  'QR-Code-Scan/1.0',
  'NewsBreak/24.2',
  'com.qrscanner.com',
  'TripAdvisor/52',
  'Download Manager/3',
  'app|qr',
  'UrlLauncher/1.0;',
  'mail.ru/14',
]) {
  test(`an app that opens pages on a phone is human: ${words}`, () => {
    assert.equal(classify(`${iphone} ${words}`, 0).class, 'human')
    assert.equal(classify(`${phone} ${words}`, 0).class, 'human')
  })
}

const models = ['M bot 60', 'M_bot_tab_1150 Build/N9F27F', 'Spider 8', 'XBot_Senior Build/O11019', 'Expanse']
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36'

for (const userAgent of [
  ...models.map((model) => `Mozilla/5.0 (Linux; Android 13; ${model}) ${chrome}`),
  'Mozilla/5.0 (Linux; U; Android 4.2.2; it-it; S308 Build/CUBOT) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
  `Mozilla/5.0 (Linux; Android 6.0; AURII Virtuoso Build/MRA58K; wv) ${chrome}`,
  `Mozilla/5.0 (Linux; arm_64; Android 13; Discovery Pro) ${chrome}`,
  `${iphone} QRbot/3.2`,
  'Mozilla/5.0 (compatible; MSIE 9.0; Windows Phone OS 7.5; Trident/5.0; IEMobile/9.0; HTC; Radar 4G)',
  'SonyEricssonU100i/R1x Browser/NetFront/3.5 Profile/MIDP-2.1 Configuration/CLDC-1.1 JavaPlatform/JP-8.5',
])
  test(`a phone whose model looks like a bot is human: ${userAgent}`, () => {
    assert.equal(classify(userAgent, 0).class, 'human')
  })

for (const inside of [
  '; compatible; Bytespider',
  '; Storebot-Google/1.0',
  '; Pixel 2; +http://example.com/bot',
  '; bot@example.com',
])
  test(`a bot that names itself beside the system of a phone is a bot: ${inside}`, () => {
    assert.equal(classify(`Mozilla/5.0 (Linux; Android 13${inside}) ${chrome}`, 0).class, 'bot')
  })

test('the hints of the request take precedence over the user agent', () => {
  assert.deepEqual(classify(iphone, scanHints.prefetch), { class: 'prefetch', botReason: 'Prefetch' })
  assert.deepEqual(classify(iphone, scanHints.preview), { class: 'preview', botReason: 'Preview' })
  assert.equal(classify('curl/8', scanHints.prefetch + scanHints.preview).class, 'prefetch')
})

test('each word that is ignored on phones is a pattern of the installed isbot', () => {
  assert.deepEqual(
    ambiguousOnPhones.filter((pattern) => !list.includes(pattern)),
    [],
  )
})

test('100 KB of any text is classified', () => {
  assert.equal(classify('a'.repeat(100_000), 0).class, 'bot')
  assert.equal(classify(`${phone} ${'x'.repeat(100_000)}`, 0).class, 'human')
})
