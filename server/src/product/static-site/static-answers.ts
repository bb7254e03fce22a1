import { stateOf } from '@everscan/contract/access/access.ts'
import { isPageType, redirectOf } from '@everscan/contract/code-types/code-types.ts'
import { webAddress } from '@everscan/contract/code-types/destinations.ts'
import { closedPage, type Closing } from '@everscan/pages/access-pages.ts'
import { landingPage } from '@everscan/pages/landing-page.ts'
import type { Language } from '@everscan/pages/languages/languages.ts'
import { noticePage } from '@everscan/pages/notice-pages.ts'
import { pageColors } from '@everscan/pages/page-colors.ts'
import type { Brand } from '@everscan/pages/page-content.ts'
import { createContactFile } from '@everscan/pages/vcard-page.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'

/** The answer that a code has from a server that knows nothing of visitors. */
export type StaticAnswer =
  | { kind: 'redirect'; address: string }
  | { kind: 'page'; status: number; text: string; contact?: string }
  | { kind: 'gone' }

export type StaticOptions = { brand: Brand; language: Language; nowMs: number }

/**
 * Returns the answer of a code without rules and visitors: its own content, or what stands for it
 * while it is closed. A password cannot be asked for, and a limit cannot be counted, so a code that
 * has one is closed.
 */
export function staticAnswer(code: QrCodeRow, { brand, language, nowMs }: StaticOptions): StaticAnswer {
  const { type, name, data, access, status } = code
  if (status !== 'ACTIVE') return { kind: 'gone' }
  const colors = pageColors(code.style)
  const closing = closingOf(code, nowMs)
  if (closing !== undefined) {
    const { url, message } = access?.closed ?? {}
    const address = url === undefined ? undefined : webAddress(url)
    if (address !== undefined) return { kind: 'redirect', address }
    return { kind: 'page', ...closedPage({ name, colors, brand }, { closing, message, language }) }
  }
  const url = redirectOf(type, data, 'other')
  const address = url === undefined ? undefined : webAddress(url)
  if (address !== undefined) return { kind: 'redirect', address }
  if (!isPageType(type)) return { kind: 'page', ...noticePage('badLink', language) }
  const contactPath = `/${code.shortCode}.vcf`
  const page = landingPage(
    { type, name, data, colors, brand, contactPath },
    { language, locale: language, system: 'other' },
  )
  const contact = type === 'VCARD' ? { contact: createContactFile(data).text } : {}
  return { kind: 'page', status: page.status, text: page.text, ...contact }
}

/** Why a code is closed to everybody here. Undefined: it is open. */
function closingOf({ access, hasPassword }: QrCodeRow, nowMs: number): Closing | undefined {
  const state = stateOf({ status: 'ACTIVE', access, scanCount: 0 }, nowMs)
  if (state === 'SCHEDULED' || state === 'ENDED') return state
  if (access?.scanLimit !== undefined) return 'FULL'
  return hasPassword ? 'SCHEDULED' : undefined
}
