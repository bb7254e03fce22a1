import type { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { mergeStyle } from '@everscan/contract/resources/styles.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import type { NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import type { ProductContext } from '../product-context.ts'
import { acceptAccess, type HashOf } from './accept-access.ts'
import { acceptRules } from './accept-rules.ts'
import type { DomainLookup } from './code-domains.ts'
import { acceptData, checkShortCode } from './checks.ts'
import { pictureOf } from '@everscan/qr/shapes/encodings.ts'
import { shortUrlOf } from '../records/qr-code-records.ts'
import { acceptQrCodeStyle } from '../styles/qr-code-styles.ts'
import type { StyleLookup } from '../styles/style-lookup.ts'

/** The dependencies of a draft: those of a request have them. */
export type NewQrCodeContext = Pick<ProductContext, 'clock' | 'work'> & { config: { publicUrl: string } }

/**
 * Creates the draft of a code from a body that matches its schema. Throws ApiError 400 or 422 for
 * rules that the schema cannot express.
 */
export async function newQrCode(
  { styleId, access, domainId, ...body }: CreateQrCode,
  { config: { publicUrl }, clock, work }: NewQrCodeContext,
  {
    styleOf,
    domainOf,
    hashOf,
    origin,
  }: { styleOf: StyleLookup; domainOf: DomainLookup; hashOf: HashOf; origin: ChangeOrigin },
): Promise<NewQrCode> {
  acceptData(body.type, body.data, publicUrl)
  const domain = await domainOf(domainId)
  checkShortCode(body.shortCode, domain?.codes ?? 'canonical')
  const rules = acceptRules(body.rules ?? [], { type: body.type, rules: [] }, publicUrl)
  const none = { access: null, passwordHash: null }
  const accepted = await acceptAccess(access, none, { publicUrl, hashOf })
  const base = await styleOf(styleId)
  const { style, scannability } = await acceptQrCodeStyle(mergeStyle(base, body.style ?? {}), {
    shortCode: body.shortCode,
    domain: domain?.hostname,
    publicUrl,
    storedStyles: [base],
    work,
  })
  return {
    ...body,
    ...accepted,
    rules,
    domain,
    style,
    scannability,
    picture: (code) => pictureOf(shortUrlOf({ shortCode: code, domain: domain?.hostname }, publicUrl), style),
    origin,
    nowMs: clock(),
  }
}
