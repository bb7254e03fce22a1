import type { ErrorCorrection, Style } from '@everscan/contract/resources/styles.ts'
import { minVersion } from './logos.ts'
import { createMatrix, type Matrix, type MatrixOptions } from '../content/matrix.ts'
import { encodePayload } from '../content/payload.ts'

/** Returns the error correction of a style. A logo covers modules, so it needs a higher level. */
export function errorCorrectionOf(style: Style): ErrorCorrection {
  return style.errorCorrection ?? (style.logo === undefined ? 'M' : 'H')
}

/**
 * Returns the matrix options of a code that gets this style. `stored` is the version and mask of
 * the code's first picture.
 */
export function encodingOf(
  text: string,
  style: Style,
  stored?: Pick<Matrix, 'version' | 'mask'>,
): MatrixOptions {
  const least = style.logo === undefined ? 1 : minVersion(style.logo)
  const version = Math.max(least, stored?.version ?? 1)
  return { text, errorCorrection: errorCorrectionOf(style), version, mask: stored?.mask }
}

/** Returns the version and mask to store with a code. With them its modules never change. */
export function pictureOf(
  shortUrl: string,
  style: Style,
  stored?: Pick<Matrix, 'version' | 'mask'>,
): Pick<Matrix, 'version' | 'mask'> {
  const { version, mask } = createMatrix(encodingOf(encodePayload(shortUrl), style, stored))
  return { version, mask }
}
