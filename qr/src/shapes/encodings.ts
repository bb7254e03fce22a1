import type { ErrorCorrection, Style } from '@everscan/contract/resources/styles.ts'
import { leastVersion } from './logos.ts'
import { createMatrix, type Matrix, type MatrixOptions } from '../content/matrix.ts'
import { encodePayload } from '../content/payload.ts'

/** A logo covers modules, so more of them must be spare. */
export function errorCorrectionOf(style: Style): ErrorCorrection {
  return style.errorCorrection ?? (style.logo === undefined ? 'M' : 'H')
}

/** How a code of this style is encoded when it gets the style; `kept` is what the code has already, of its first picture. */
export function encodingOf(
  text: string,
  style: Style,
  kept?: Pick<Matrix, 'version' | 'mask'>,
): MatrixOptions {
  const least = style.logo === undefined ? 1 : leastVersion(style.logo)
  const version = Math.max(least, kept?.version ?? 1)
  return { text, errorCorrection: errorCorrectionOf(style), version, mask: kept?.mask }
}

/** The version and mask to keep with a code of this style: with them its modules are the same for ever. */
export function pictureOf(
  shortUrl: string,
  style: Style,
  kept?: Pick<Matrix, 'version' | 'mask'>,
): Pick<Matrix, 'version' | 'mask'> {
  const { version, mask } = createMatrix(encodingOf(encodePayload(shortUrl), style, kept))
  return { version, mask }
}
