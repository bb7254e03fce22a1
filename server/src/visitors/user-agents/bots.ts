import { createIsbotFromList, isbot, list } from 'isbot'
import { scanHints } from '../../journal/raw-scan.ts'
import { bots, unfurlers, type NamedAgent } from './bot-names.ts'
import { cached } from '../string-cache.ts'

export type ScanClass = 'human' | 'bot' | 'preview' | 'prefetch'

/** The class of a hit. `botReason` is a short displayed name, empty for a human. */
export type Classification = { class: ScanClass; botReason: string }

/** No name appears further back, and the bound keeps regular expressions cheap. */
const charsMax = 512

const human: Classification = { class: 'human', botReason: '' }

/**
 * Classifies a hit by its user agent and the hints of the request. Hints come first: a browser that
 * declares a prefetch is trusted, whatever its user agent.
 */
export function classify(userAgent: string, hints: number): Classification {
  if ((hints & scanHints.prefetch) !== 0) return { class: 'prefetch', botReason: 'Prefetch' }
  if ((hints & scanHints.preview) !== 0) return { class: 'preview', botReason: 'Preview' }
  return classifyUserAgent(userAgent.slice(0, charsMax))
}

const classifyUserAgent = cached((userAgent): Classification => {
  if (userAgent.trim() === '') return { class: 'bot', botReason: 'No user agent' }
  const text = withoutModel(userAgent)
  const unfurler = nameOf(unfurlers, text)
  if (unfurler !== undefined) return { class: 'preview', botReason: unfurler }
  const bot = nameOf(bots, text)
  if (bot !== undefined) return { class: 'bot', botReason: bot }
  const suspect = phoneBrowser.test(text) || keyPhone.test(text) ? isbotOfPhone(text) : isbot(text)
  return suspect ? { class: 'bot', botReason: 'Crawler' } : human
})

/**
 * Removes what only looks like a bot on a phone: its model ("M bot 60", "Spider 8", "Expanse"), its
 * maker in the build ("CUBOT"), and the name of the app QRbot. A bot that poses as a phone adds its
 * own name elsewhere or a slash after it, or says so with "compatible", an address or a URL.
 */
function withoutModel(userAgent: string): string {
  const found = phoneModel.exec(userAgent)
  const [, system = '', model = ''] = found ?? []
  if (found === null || /compatible|https?:|www\.|@|\w*bot[\w.-]*\//i.test(model)) return userAgent
  return (system + userAgent.slice(system.length + model.length)).replace(/\bqr[-_ ]?bot\b/i, '')
}

/** The system of a phone, as browsers begin their user agents, and what stands behind it. */
const phoneModel =
  /^(Mozilla\/[45]\.0 \((?:Linux; (?:U; |arm(?:_64)?; )?Android|iPhone|iPad|iPod|compatible; MSIE [\d.]+; Windows (?:Phone|CE))[^;)]*)([^)]*)\)/

function nameOf(agents: readonly NamedAgent[], userAgent: string): string | undefined {
  return agents.find(([pattern]) => pattern.test(userAgent))?.[1]
}

/** The engine of a phone or tablet, to which in-app browsers add their own words. */
const phoneBrowser =
  /^Mozilla\/5\.0 \((?:iPhone|iPad|iPod|Linux; (?:U; |arm(?:_64)?; )?Android|Phone; OpenHarmony|SAMSUNG; )[^)]*\).*AppleWebKit\//

/** A phone with keys, by the standards for its applications. */
const keyPhone = /^(?!.*agent\b).*(?:\b(?:MIDP|CLDC)-\d|WAP[-_ ]Browser\b)/

/**
 * Words of isbot that in-app browsers on phones use too. A QR code is often opened by an app with a
 * name like "QRScanner" or "NewsBreak", so with a phone's own engine these words alone do not
 * indicate a bot.
 */
export const ambiguousOnPhones = [
  '(?:^|[^g])news(?!sapphire)',
  '(?<!cam)scan',
  ';\\s\\w+;$',
  '@[a-z][\\w-]+\\.',
  '\\(\\)',
  '\\.com\\b',
  '\\b\\w+/1\\.0;',
  '\\bbw/',
  '\\btime/',
  '\\|',
  'advisor',
  'agent\\b',
  'capture',
  'catch',
  'check\\b',
  'checker',
  'detect',
  'discovery',
  'download',
  'feed',
  'grab',
  'insight',
  'java(?!;)',
  'library',
  'mail\\.ru/',
  'measure',
  'node\\b',
  'proxy',
  'radar',
  'server',
  'sogou',
  'tools',
  'torrent',
  'url',
]

const isbotOfPhone = createIsbotFromList(list.filter((pattern) => !ambiguousOnPhones.includes(pattern)))
