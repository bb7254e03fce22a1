import { limits } from '@everscan/contract/schema/limits.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { encodingOf } from '@everscan/qr/shapes/encodings.ts'
import { encodePayload } from '@everscan/qr/content/payload.ts'
import type { Picture } from '../../catalogue/rows/qr-code-row.ts'
import { shortUrlOf } from '../../records/qr-code-records.ts'
import { acceptStyle, type AcceptedStyle } from './acceptance.ts'

/** Stands for any random short code: all are as long, so their pictures are as large. */
const anyShortCode = '0'.repeat(limits.shortCodeCharsMade)

export type StyledCode = {
  /** Absent: a random one, which is not known yet. */
  shortCode?: string | undefined
  publicUrl: string
  /** The version and mask that the code has already. */
  picture?: Picture | undefined
  /** Styles that are kept already, of it or others. */
  kept?: readonly Style[] | undefined
}

/** The style of a code as it is kept, and what is known of its picture. Throws as `acceptStyle` does. */
export async function acceptQrCodeStyle(
  style: Style,
  { shortCode = anyShortCode, publicUrl, picture, kept }: StyledCode,
): Promise<AcceptedStyle> {
  const text = encodePayload(shortUrlOf(shortCode, publicUrl))
  return acceptStyle(style, {
    encode: (one) => encodingOf(text, one, picture),
    kept,
  })
}
