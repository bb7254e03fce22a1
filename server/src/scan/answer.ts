import { redirectingTypes, type ScanTarget } from '../db/scans/scan-lookup.ts'
import { prepareIds } from '../journal/raw-scan.ts'
import { fieldsOf, textOf, webAddress, type Fields } from '../pages/fields.ts'
import { noticePage } from '../pages/notice-pages.ts'
import { pageColors } from '../pages/page-colors.ts'
import type { PageCode } from '../pages/page-content.ts'
import { createContactFile } from '../pages/vcard-page.ts'
import type { Brands } from './brands.ts'
import type { PageReplies } from './page-replies.ts'
import { prepareHead } from './prepared-head.ts'
import type { Reply, ScanAnswer, ScanVisitor } from './scan-answer.ts'

export type AnswerParts = {
  pages: PageReplies
  brands: Brands
}

/** Of `ScanAnswer.weight`: what a redirect takes, about. */
const charsPerWeight = 500
/** Of a page besides its record: colours and what renders it. */
const pageWeight = 4
/** A page of this weight is rendered in about a millisecond. */
const weightOfOneStep = 50

/** The answer to a scan; `undefined` is a code that was never assigned. Source: decisions, "What a scan gets". */
export function prepareAnswer(target: ScanTarget | undefined, parts: AnswerParts): ScanAnswer {
  if (target === undefined) return unknownAnswer
  if (target.status !== 'ACTIVE') return goneAnswer
  const { organizationId, qrCodeId, canonicalCode, type } = target
  const data = fieldsOf(target.data)
  const ids = { organizationId, qrCodeId, shortCode: canonicalCode, domain: '', rule: '', arm: '' }
  const recorded = { qrCodeId, ids: prepareIds(ids) }
  const url = textOf(data, 'url')
  if (redirectingTypes.has(type) || (type === 'MENU' && url !== ''))
    return { recorded, reply: redirectReply(url) ?? badLinkReply }
  const code: PageCode = {
    type,
    name: target.name,
    data,
    colors: pageColors(target.style),
    brand: parts.brands.share(organizationId, target.brand),
    contactPath: `/${target.shortCode}.vcf`,
  }
  const weight = pageWeight + Math.ceil(JSON.stringify(data).length / charsPerWeight)
  const page = parts.pages.add(code, { inSteps: weight > weightOfOneStep })
  return {
    recorded,
    reply: type === 'APP' ? appReply(data, page) : page,
    ...(type === 'VCARD' && { contactFile: () => createContactFile(data) }),
    brand: parts.brands.stamp(organizationId),
    weight,
  }
}

const unknownAnswer: ScanAnswer = { reply: ({ language }) => noticePage('unknown', language) }
const goneAnswer: ScanAnswer = { isGone: true, reply: ({ language }) => noticePage('gone', language) }
// Only data that was written past the interface can be unsafe; a page is better than an open redirect.
const badLinkReply = ({ language }: ScanVisitor): Reply => noticePage('badLink', language)

function redirectReply(url: string): Reply | undefined {
  const location = webAddress(url)
  if (location === undefined) return undefined
  const headers = ['Location', location, 'Cache-Control', 'private, no-store', 'Content-Length', '0']
  return { head: prepareHead(302, headers) }
}

/** To the store of the device, else to the fallback, else the page with both stores. */
function appReply(data: Fields, page: ReturnType<PageReplies['add']>): ScanAnswer['reply'] {
  const redirect = (field: string) => redirectReply(textOf(data, field))
  const fallback = redirect('fallbackUrl')
  const replies = {
    ios: redirect('iosUrl') ?? fallback,
    android: redirect('androidUrl') ?? fallback,
    other: fallback,
  }
  return (visitor) => replies[visitor.system] ?? page(visitor)
}
