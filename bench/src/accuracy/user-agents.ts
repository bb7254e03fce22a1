import { parse } from 'bowser'
import crawlers from 'crawler-user-agents'
import { UAParser } from 'ua-parser-js'
import { oldPhonesAndApps } from '@everscan/server/visitors/user-agents/testing/known-apps.ts'
import { desktops, tablets } from '@everscan/server/visitors/user-agents/testing/known-computers.ts'
import { phones } from '@everscan/server/visitors/user-agents/testing/known-phones.ts'
import { classify } from '@everscan/server/visitors/user-agents/bots.ts'
import { deviceOf } from '@everscan/server/visitors/user-agents/user-agents.ts'
import { rounded } from '../figures.ts'
import { readRealBrowsers } from './real-browsers.ts'

type Read = { deviceType: string; os: string; browser: string; isBot: boolean }
/** The facts of a user agent that its corpus knows. */
type Truth = Partial<Omit<Read, 'isBot'>> & { isBot: boolean }
/** By corpus, then by library: shares from 0 to 100, and microseconds for a new string. */
export type Scores = Record<string, Record<string, Record<string, number>>>
type Known = { userAgent: string; truth: Truth }

/** Ours, and two other libraries with names and types in our words. */
const readers: Readonly<Record<string, (userAgent: string) => Read>> = {
  everscan: (userAgent) => ({
    ...deviceOf(userAgent),
    isBot: classify(userAgent, 0).class !== 'human',
  }),
  uaParserJs: (userAgent) => {
    const { device, os, browser } = new UAParser(userAgent).getResult()
    const deviceType = device.type ?? 'desktop'
    // It has no bots.
    return { deviceType, os: sameName(os.name), browser: sameName(browser.name), isBot: false }
  },
  bowser: (userAgent) => {
    const { platform, os, browser } = parse(userAgent)
    const isBot = platform.type === 'bot'
    const deviceType = platform.type ?? 'desktop'
    return { deviceType, os: sameName(os.name), browser: sameName(browser.name), isBot }
  },
}

/** Names of the other libraries that mean one of ours. All other names are compared as they are. */
const names: Readonly<Record<string, string>> = {
  'mac os': 'macos',
  'chromium os': 'chromeos',
  'chrome os': 'chromeos',
  'windows mobile': 'windows phone',
  ie: 'internet explorer',
  chromium: 'chrome',
  'mobile chrome': 'chrome',
  'mobile safari': 'safari',
  'mobile firefox': 'firefox',
  'microsoft edge': 'edge',
  'chrome webview': 'android webview',
  'chrome headless': 'headless chrome',
  'samsung browser': 'samsung internet',
  'samsung internet for android': 'samsung internet',
  'opera touch': 'opera',
  'opera gx': 'opera',
  'opera mobi': 'opera',
  gsa: 'google app',
  'google search': 'google app',
  yandex: 'yandex browser',
  ucbrowser: 'uc browser',
  'miui browser': 'mi browser',
  silk: 'amazon silk',
  'huawei browser': 'huawei browser',
  qqbrowser: 'qq browser',
  twitter: 'x',
  kakaotalk: 'kakaotalk',
  'oculus browser': 'meta quest browser',
  webos: 'webos',
  ubuntu: 'linux',
  fedora: 'linux',
}

function sameName(name: string | undefined): string {
  const text = (name ?? 'Unknown').toLowerCase()
  return names[text] ?? text
}

/**
 * Compares what is read from user agents with two other libraries, in the same run: shares of 100.
 * `browsers` are unique strings of the package user-agents (real traffic, with the platform that
 * the browser's script interface names), `labelled` the strings of our tests, `bots` the package
 * crawler-user-agents. `quick` changes nothing: the run takes seconds.
 */
export async function benchUserAgents(): Promise<Scores> {
  const corpora = { browsers: realBrowsers(), labelled: labelled(), bots: bots() }
  return Object.fromEntries(
    Object.entries(corpora).map(([name, corpus]) => [
      name,
      Object.fromEntries(Object.keys(readers).map((one) => [one, scoreOf(one, corpus)])),
    ]),
  )
}

const measures = ['mobile', 'tablet', 'desktop', 'os', 'browser', 'bots'] as const

/** Returns the shares that a library reads right, and its time for a string that it never saw. */
function scoreOf(library: string, corpus: readonly Known[]): Record<string, number> {
  const read = readers[library] as (userAgent: string) => Read
  const counts = new Map<string, { right: number; all: number }>()
  const count = (measure: string, isRight: boolean): void => {
    const sums = counts.get(measure) ?? { right: 0, all: 0 }
    counts.set(measure, { right: sums.right + Number(isRight), all: sums.all + 1 })
  }
  for (const { userAgent } of corpus) read(`${userAgent} warm`)
  const fromMs = performance.now()
  const answers = corpus.map(({ userAgent }) => read(userAgent))
  const micros = ((performance.now() - fromMs) * 1_000) / corpus.length
  for (const [at, { truth }] of corpus.entries()) {
    const { deviceType, os, browser, isBot } = answers[at] as Read
    count('bots', isBot === truth.isBot)
    if (truth.deviceType !== undefined) count(truth.deviceType, deviceType === truth.deviceType)
    if (truth.os !== undefined) count('os', os.toLowerCase() === truth.os.toLowerCase())
    if (truth.browser !== undefined) count('browser', browser.toLowerCase() === truth.browser.toLowerCase())
  }
  const shares = measures.flatMap((measure) => {
    const sums = counts.get(measure)
    return sums === undefined ? [] : [[measure, rounded((sums.right / sums.all) * 100)]]
  })
  return { strings: corpus.length, ...Object.fromEntries(shares), microseconds: rounded(micros) }
}

/** A system that no string is labelled with: others give names to strings that name no system. */
const unknown = new Set(['Unknown', 'Other'])

function labelled(): Known[] {
  return [...phones, ...oldPhonesAndApps, ...tablets, ...desktops].map(
    ([userAgent, deviceType, os, browser]) => ({
      userAgent,
      truth: {
        deviceType,
        ...(!unknown.has(os) && { os }),
        ...(!unknown.has(browser) && { browser }),
        isBot: false,
      },
    }),
  )
}

function bots(): Known[] {
  return crawlers.flatMap(({ instances }) =>
    instances.map((userAgent) => ({ userAgent, truth: { isBot: true } })),
  )
}

function realBrowsers(): Known[] {
  const unique = new Map(readRealBrowsers().map((browser) => [browser.userAgent, browser]))
  return [...unique.values()].map(({ userAgent, platform, deviceCategory }) => {
    const os = systemOf(platform)
    // The package guesses the category from the user agent. No desktop with Android has been seen.
    const deviceType = os === 'Android' && deviceCategory === 'desktop' ? 'tablet' : deviceCategory
    return { userAgent, truth: { deviceType, ...(os !== undefined && { os }), isBot: false } }
  })
}

/** `navigator.platform`: what the browser's scripts see, apart from the user agent. */
function systemOf(platform: string): string | undefined {
  if (/^(?:iPhone|iPad|iPod)/.test(platform)) return 'iOS'
  if (platform === 'Win32') return 'Windows'
  if (/^Linux (?:arm|aarch64)/.test(platform)) return 'Android'
  return platform === 'MacIntel' ? 'macOS' : undefined
}
