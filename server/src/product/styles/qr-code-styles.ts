import { limits } from '@everscan/contract/schema/limits.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { encodingOf } from '@everscan/qr/shapes/encodings.ts'
import { encodePayload } from '@everscan/qr/content/payload.ts'
import type { Picture } from '../../catalogue/rows/qr-code-row.ts'
import { shortUrlOf } from '../records/qr-code-records.ts'
import type { StyleWork } from './style-work.ts'
import { acceptStyle, type AcceptedStyle } from './acceptance.ts'

/**
 * Stands for any generated short code: all have the same length, so their pictures have the same
 * size.
 */
const anyShortCode = '0'.repeat(limits.shortCodeCharsGenerated)

export type StyledCode = {
  /** Absent for a generated short code that is not known yet. */
  shortCode?: string | undefined
  /** The host name of its own domain; empty or absent for PUBLIC_URL. */
  domain?: string | undefined
  publicUrl: string
  /** The version and mask that the code already has. */
  picture?: Picture | undefined
  /** Styles of this or other codes that are stored already. */
  storedStyles?: readonly Style[] | undefined
  work: StyleWork
}

/**
 * Returns the style of a code as it is stored, with what is known of its picture. Throws as
 * `acceptStyle` does.
 */
export async function acceptQrCodeStyle(
  style: Style,
  { shortCode = anyShortCode, domain, publicUrl, picture, storedStyles, work }: StyledCode,
): Promise<AcceptedStyle> {
  const text = encodePayload(shortUrlOf({ shortCode, domain }, publicUrl))
  return acceptStyle(style, {
    encode: (one) => encodingOf(text, one, picture),
    storedStyles,
    work,
  })
}
