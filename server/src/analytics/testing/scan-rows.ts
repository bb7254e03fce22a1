import { ScanBlock } from '../insert/scan-block.ts'
import type { ScanRow } from '../insert/scan-row.ts'
import { pick } from '@everscan/contract/testing/random.ts'

/** The columns of rows of the first release, for rows that a statement generates. */
export const firstColumns = `organization_id, qr_code_id, time, writer, sequence, visitor, class, bot_reason, country, city, region,
  latitude, longitude, device_type, os, browser, referrer, language, batch_id`

/** Returns a batch of these rows, ready to insert. */
export function blockOf(batchId: string, rows: readonly ScanRow[]): ScanBlock {
  const block = new ScanBlock(batchId)
  for (const row of rows) block.add(row)
  return block
}

const places = [
  ['DE', 'Berlin'],
  ['DE', 'München'],
  ['DE', 'Unknown'],
  ['US', 'Berlin'],
  ['US', 'New York'],
  ['IT', "L'Aquila"],
  ['BR', 'São Paulo'],
  ['XX', 'Unknown'],
  ['ZZ', 'a\tb\\'],
] as const

/** Own data, a rule without a split, and two rules that both have an arm A. */
const answers = [
  ['', ''],
  ['', ''],
  ['rul_lunch', ''],
  ['rul_test', 'A'],
  ['rul_test', 'B'],
  ['rul_second', 'A'],
] as const

/**
 * Creates scans of two codes by some hundred visitors and two writers, with bots and with scans of
 * one writer at the same time.
 */
export function randomScans(
  random: () => number,
  options: { organizationId: string; rows: number; fromMs: number; toMs: number },
): ScanRow[] {
  const { organizationId, rows, fromMs, toMs } = options
  return Array.from({ length: rows }, (_, sequence) => {
    const [country, city] = pick(random, places)
    const [rule, arm] = pick(random, answers)
    const kind = pick(random, ['human', 'human', 'human', 'human', 'bot', 'preview', 'prefetch'] as const)
    // Some scans are at midnight, so that scans of a visitor are in the same millisecond.
    const exactMs = Math.floor(fromMs + random() * (toMs - fromMs))
    const timeMs = random() < 0.2 ? exactMs - (exactMs % 86_400_000) : exactMs
    return {
      organizationId,
      qrCodeId: random() < 0.7 ? 'qr_busy' : 'qr_quiet',
      shortCode: pick(random, ['', '7K3QX9A']),
      domain: pick(random, ['', '', 'go.example.com']),
      rule,
      arm,
      timeMs,
      writer: timeMs % 2 === 0 ? 'writer-a' : 'writer-b',
      sequence: random() < 0.5 ? sequence : BigInt(sequence) + 2n ** 53n,
      visitor: Math.floor(random() * 900)
        .toString(16)
        .padStart(32, '0'),
      class: kind,
      botReason: kind === 'human' ? '' : 'because',
      country,
      city,
      region: pick(random, ['', 'Bavaria']),
      latitude: pick(random, [null, 52.5]),
      longitude: pick(random, [null, -13.4]),
      deviceType: pick(random, ['mobile', 'mobile', 'desktop', 'tablet']),
      os: pick(random, ['iOS', 'Android', 'Windows']),
      browser: pick(random, ['Safari', 'Chrome', 'Samsung Internet']),
      referrer: pick(random, ['', '', 'example.org', 'news.example']),
      language: pick(random, ['', 'de', 'de-AT', 'de-DE', 'en-US', 'fil', 'zh-Hant-TW']),
    }
  })
}
