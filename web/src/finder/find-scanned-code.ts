import { canonicalShortCode, shortCodeInUrl } from '@everscan/contract/resources/short-codes.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { publicAddressQuery } from '../codes/public-address.ts'
import { api, queries } from '../session/api.ts'

/** The meaning of the content of a picture. */
export type ScannedCode =
  | { kind: 'code'; orgId: string; code: QrCode }
  /** A code of this installation that the user cannot see. */
  | { kind: 'hidden'; shortCode: string }
  | { kind: 'foreign'; content: string }

/**
 * Finds the code that the content of a picture leads to, in the organizations of the user in this
 * order. Only the short code leaves the browser.
 */
export async function findScannedCode(
  content: string,
  { orgIds, signal }: { orgIds: readonly string[]; signal: AbortSignal },
): Promise<ScannedCode> {
  const [first = ''] = orgIds
  const { url } = await queries.ensureQueryData(publicAddressQuery(first))
  const shortCode = shortCodeInUrl(content, url)
  if (shortCode === undefined) return { kind: 'foreign', content }
  for (const orgId of orgIds) {
    const { data } = await api.qrCodes.list(orgId, { q: shortCode, limit: 100 }, { signal })
    const code = data.find((one) => canonicalShortCode(one.shortCode) === canonicalShortCode(shortCode))
    if (code !== undefined) return { kind: 'code', orgId, code }
  }
  return { kind: 'hidden', shortCode }
}
