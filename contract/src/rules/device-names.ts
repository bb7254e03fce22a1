import type { Static } from 'typebox'
import { oneOf } from '../schema/common.ts'

export const deviceTypes = ['mobile', 'desktop', 'tablet'] as const

export const DeviceType = oneOf(deviceTypes, { description: 'Type of device.' })
export type DeviceType = Static<typeof DeviceType>

// The names of systems and browsers in analytics, which rules can name. A test compares them with
// the names that ingest gives.

/** Operating systems. `Other` is one that none of the names stands for. */
export const osNames: ReadonlySet<string> = new Set(
  (
    'iOS, Android, HarmonyOS, KaiOS, Windows Phone, BlackBerry, Symbian, Sailfish, MeeGo, ' +
    'Windows, macOS, ChromeOS, Linux, FreeBSD, OpenBSD, NetBSD, Solaris, Haiku, Fuchsia, ' +
    'watchOS, Tizen, webOS, Chromecast, Xbox, PlayStation, Nintendo, Other'
  ).split(', '),
)

/** Browsers, and apps with a built-in browser. `Other` is one that none of the names stands for. */
export const browserNames: ReadonlySet<string> = new Set(
  (
    'Chrome, Safari, Firefox, Edge, Samsung Internet, Opera, Opera Mini, Internet Explorer, ' +
    'Android WebView, Android Browser, iOS WebView, Firefox Focus, DuckDuckGo, Brave, Vivaldi, ' +
    'Threads, Instagram, Messenger, Facebook, WeCom, WeChat, Douyin, TikTok, Snapchat, LinkedIn, ' +
    'Pinterest, X, LINE, KakaoTalk, Telegram, Viber, Alipay, Taobao, DingTalk, Naver, Zalo, ' +
    'Weibo, WhatsApp, Outlook, Gmail, Slack, VK, QR scanner app, Baidu, Bing, Reddit, Discord, Microsoft Teams, Google App, QQ, Yandex Browser, ' +
    'UC Browser, Mi Browser, Huawei Browser, Honor Browser, HeyTap Browser, vivo Browser, ' +
    'Meizu Browser, QQ Browser, Amazon Silk, Whale, Ecosia, Puffin, Aloha, Phoenix, ' +
    'Meta Quest Browser, Sogou, 360 Browser, Coc Coc, Quark, Seznam, Pale Moon, SeaMonkey, ' +
    'Avast, GNOME Web, Konqueror, Electron, Headless Chrome, Maxthon, Midori, Falkon, Sleipnir, ' +
    'Klarna, Tesla, Other'
  ).split(', '),
)
