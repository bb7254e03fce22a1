import type { System } from '@everscan/contract/code-types/code-type.ts'
import {
  isPageType,
  isQrCodeType,
  redirectOf,
  type QrCodeType,
} from '@everscan/contract/code-types/code-types.ts'
import { webAddress } from '@everscan/contract/code-types/destinations.ts'
import { partsOfCodeKey } from '@everscan/contract/resources/short-codes.ts'
import type { Fields } from '@everscan/contract/schema/fields.ts'
import type { ScanTarget } from '../db/scans/scan-lookup.ts'
import { prepareIds } from '../journal/raw-scan.ts'
import { pageColors } from '@everscan/pages/page-colors.ts'
import type { PageCode } from '@everscan/pages/page-content.ts'
import { createContactFile } from '@everscan/pages/vcard-page.ts'
import type { Brands } from './brands.ts'
import type { PageReplies } from './page-replies.ts'
import { prepareHead } from './internals/prepared-head.ts'
import type { Reply, ScanAnswer, ScanVisitor } from './scan-answer.ts'
import type { SiteHeaders } from './site-headers.ts'
import { sentContactFile, sentNotice } from '../files/sent-pages.ts'

export type AnswerParts = {
  pages: PageReplies
  brands: Brands
  siteHeaders: SiteHeaders
}

/** The approximate number of characters of a redirect, which is the unit of `ScanAnswer.weight`. */
const charsPerWeight = 500
/** The weight of a page besides its record: colors and its renderer. */
const pageWeight = 4
/** A page of this weight is rendered in about a millisecond. */
const weightOfOneStep = 50

/** Content of a code, with the rule and arm that it belongs to; empty for the code's own. */
export type RecordedContent = { data: Fields; rule: string; arm: string }

/** Prepares the answer that shows one content of an active code. */
export function contentAnswer(
  target: ScanTarget,
  { data, rule, arm }: RecordedContent,
  parts: AnswerParts,
): ScanAnswer {
  const { organizationId, qrCodeId, type } = target
  const { domain, canonicalCode } = partsOfCodeKey(target.codeKey)
  const ids = { organizationId, qrCodeId, shortCode: canonicalCode, domain, rule, arm }
  const recorded = { organizationId, qrCodeId, ids: prepareIds(ids) }
  // A later release may have written a type that this one does not know.
  if (!isQrCodeType(type)) return { recorded, reply: badLinkReply }
  const addresses = addressesOf(type, data)
  const { ios, android, other } = addresses
  if (!isPageType(type) || (other !== undefined && ios === other && android === other))
    return { recorded, reply: redirectReply(other, parts) ?? badLinkReply }
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
    reply: pageOrRedirect(addresses, page, parts),
    ...(type === 'VCARD' && { contactFile: () => sentContactFile(createContactFile(data)) }),
    brand: parts.brands.stamp(organizationId),
    weight,
  }
}

// Only data that bypassed the API can be unsafe. A page is better than an open redirect.
const badLinkReply = ({ language }: ScanVisitor): Reply => sentNotice('badLink', language)

/** Returns the redirect to an address, or undefined if it is none of the web. */
export function redirectReply(
  url: string | undefined,
  { siteHeaders }: Pick<AnswerParts, 'siteHeaders'>,
): Reply | undefined {
  const location = url === undefined ? undefined : webAddress(url)
  if (location === undefined) return undefined
  const headers = ['Location', location, 'Cache-Control', 'private, no-store', 'Content-Length', '0']
  return { head: prepareHead(302, [...headers, ...siteHeaders]) }
}

/** The address to which each system is redirected; undefined: it gets the page. */
type Addresses = Readonly<Record<System, string | undefined>>

function addressesOf(type: QrCodeType, data: Fields): Addresses {
  const to = (system: System) => redirectOf(type, data, system)
  return { ios: to('ios'), android: to('android'), other: to('other') }
}

/** Returns the page, except for systems that are redirected. */
function pageOrRedirect(
  addresses: Addresses,
  page: ReturnType<PageReplies['add']>,
  parts: AnswerParts,
): ScanAnswer['reply'] {
  if (Object.values(addresses).every((address) => address === undefined)) return page
  const { ios, android, other } = addresses
  const otherReply = redirectReply(other, parts)
  const replies = {
    ios: ios === other ? otherReply : redirectReply(ios, parts),
    android: android === other ? otherReply : redirectReply(android, parts),
    other: otherReply,
  }
  return (visitor) => replies[visitor.system] ?? page(visitor)
}
