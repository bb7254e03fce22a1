import { createIsbotFromList, isbot, list } from 'isbot'
import { scanHints } from '../../journal/raw-scan.ts'
import { bots, unfurlers, type NamedAgent } from './bot-names.ts'
import { cached } from '../string-cache.ts'

export type ScanClass = 'human' | 'bot' | 'preview' | 'prefetch'

/** Why a hit is not a person's scan: `botReason` is a short name for people to read, empty for a human. */
export type Classification = { class: ScanClass; botReason: string }

/** No name stands further back, and regular expressions stay cheap. */
const charsMax = 512

const human: Classification = { class: 'human', botReason: '' }

/**
 * Decides from the user agent and the request's own hints what a hit is. The hints come first: a browser that says it
 * only prefetches is believed, whatever else it is.
 */
export function classify(userAgent: string, hints: number): Classification {
  if ((hints & scanHints.prefetch) !== 0) return { class: 'prefetch', botReason: 'Prefetch' }
  if ((hints & scanHints.preview) !== 0) return { class: 'preview', botReason: 'Preview' }
  return classifyUserAgent(userAgent.slice(0, charsMax))
}

const classifyUserAgent = cached((userAgent): Classification => {
  if (userAgent.trim() === '') return { class: 'bot', botReason: 'No user agent' }
  const unfurler = nameOf(unfurlers, userAgent)
  if (unfurler !== undefined) return { class: 'preview', botReason: unfurler }
  const bot = nameOf(bots, userAgent)
  if (bot !== undefined) return { class: 'bot', botReason: bot }
  const suspect = phoneBrowser.test(userAgent) ? isbotOfPhone(userAgent) : isbot(userAgent)
  return suspect ? { class: 'bot', botReason: 'Crawler' } : human
})

function nameOf(agents: readonly NamedAgent[], userAgent: string): string | undefined {
  return agents.find(([pattern]) => pattern.test(userAgent))?.[1]
}

/** A phone's or tablet's engine, which in-app browsers add their own words to. */
const phoneBrowser =
  /^Mozilla\/5\.0 \((?:iPhone|iPad|iPod|Linux; (?:U; )?Android|Phone; OpenHarmony)[^)]*\).*AppleWebKit\//

/**
 * Words of isbot that the in-app browsers of phones use too. A QR code is often opened by an app that calls itself
 * "QRScanner" or "NewsBreak", so on a phone's own engine these words alone are no sign of a machine.
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
