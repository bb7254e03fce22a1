import { leadTexts } from '@everscan/contract/code-types/lead-texts.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { codesWords } from '../words/codes-words.ts'

/** Characters at the end that stay when there is no room: addresses of one host differ there. */
const endChars = 10
/** Shorter texts are cut at their end, as everything else. */
const splitFrom = 16

/** Returns where a code leads: the whole text, and a short form of it for the eye. */
export function leadOf({
  type,
  data,
}: Pick<QrCode, 'type' | 'data'>): { full: string; shown: string } | undefined {
  const [full] = leadTexts(type, data)
  if (full === undefined) return undefined
  return { full, shown: /^https?:\/\//i.test(full) ? placeOf(full) : full.replace(/\s+/gu, ' ') }
}

/** Shows where a code leads, shortened in the middle. The whole text shows on hover. */
export function Lead({ code }: { code: Pick<QrCode, 'type' | 'data'> }) {
  const lead = leadOf(code)
  if (lead === undefined) return null
  const characters = Array.from(lead.shown)
  const end = characters.length < splitFrom ? '' : characters.slice(-endChars).join('')
  return (
    <bdi title={lead.full} className="flex min-w-0">
      <span aria-hidden className="truncate whitespace-pre">
        {lead.shown.slice(0, lead.shown.length - end.length)}
      </span>
      <span aria-hidden className="shrink-0 whitespace-pre">
        {end}
      </span>
      <span className="sr-only">{codesWords.leadsTo(lead.full)}</span>
    </bdi>
  )
}

/** Returns an address as people say it: host and path, without what only programs need. */
function placeOf(address: string): string {
  const place = address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
  try {
    return decodeURI(place)
  } catch {
    return place
  }
}
