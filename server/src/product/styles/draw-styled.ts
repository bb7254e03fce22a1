import type { Style } from '@everscan/contract/resources/styles.ts'
import { createMatrix, type MatrixOptions } from '@everscan/qr/content/matrix.ts'
import { type Drawing, drawCode } from '@everscan/qr/drawing/drawing.ts'
import { loadCaptionFont } from '@everscan/qr/shapes/captions.ts'
import { hasCaption } from '@everscan/qr/shapes/frames.ts'
import { decodeLogo } from '@everscan/qr/shapes/logo-intake.ts'
import type { LogoPicture } from '@everscan/qr/shapes/logos.ts'

/** Draws a code in a style, with the font and the logo that the style needs. */
export async function drawStyled(
  code: MatrixOptions,
  style: Style,
  { marginModules, logo }: { marginModules?: number | undefined; logo?: LogoPicture | undefined } = {},
): Promise<Drawing> {
  const font = hasCaption(style.frame) ? await loadCaptionFont() : undefined
  return drawCode(createMatrix(code), style, {
    font,
    marginModules,
    logo: logo ?? (style.logo && (await decodeLogo(style.logo.dataUri))),
  })
}
