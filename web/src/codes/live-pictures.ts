import type { Style } from '@everscan/contract/resources/styles.ts'
import { loadCaptionFont } from '@everscan/qr/shapes/captions.ts'
import { drawCode, type DrawingOptions } from '@everscan/qr/drawing/drawing.ts'
import { encodingOf, errorCorrectionOf } from '@everscan/qr/shapes/encodings.ts'
import { hasCaption } from '@everscan/qr/shapes/frames.ts'
import type { LogoPicture } from '@everscan/qr/shapes/logos.ts'
import { createMatrix, type Matrix } from '@everscan/qr/content/matrix.ts'
import { encodePayload } from '@everscan/qr/content/payload.ts'
import { writeSvg } from '@everscan/qr/writers/svg.ts'

/** Version and mask of a code's first picture, which every later picture keeps. */
export type KeptPattern = Pick<Matrix, 'version' | 'mask'>

export type PictureWanted = { shortUrl: string; style: Style; kept?: KeptPattern | undefined }

/**
 * Draws the picture of a short URL as the service will, as SVG. Rejects if the logo cannot be
 * shown.
 */
export async function drawLivePicture({ shortUrl, style, kept }: PictureWanted): Promise<string> {
  const matrix = createMatrix(encodingOf(encodePayload(shortUrl), style, kept))
  return writeSvg(drawCode(matrix, style, await partsOf(style)))
}

export const svgAddress = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`

/**
 * Maximum number of versions by which a code is larger than its text needs. A logo requires a few.
 */
const largerMax = 6
const masks = [0, 1, 2, 3, 4, 5, 6, 7] as const

/**
 * Finds the pattern that the service keeps for a code, which is not in the code's record. Tries
 * patterns until the picture equals that of the service exactly. Undefined if none does, as after
 * an update of the service while this page was open.
 */
export async function findKeptPattern(
  svg: string,
  { shortUrl, style, title }: { shortUrl: string; style: Style; title: string },
): Promise<KeptPattern | undefined> {
  const parts = await partsOf(style)
  const code = { text: encodePayload(shortUrl), errorCorrection: errorCorrectionOf(style) }
  const least = createMatrix(code).version
  for (let version = least; version <= least + largerMax; version++)
    for (const mask of masks) {
      const drawing = drawCode(createMatrix({ ...code, version, mask }), style, parts)
      if (writeSvg(drawing, { title }) === svg) return { version, mask }
      if (!svg.includes(` viewBox="${drawing.x} ${drawing.y} ${drawing.width} ${drawing.height}"`)) break
    }
  return undefined
}

async function partsOf(style: Style): Promise<DrawingOptions> {
  return {
    font: hasCaption(style.frame) ? await loadCaptionFont() : undefined,
    logo: style.logo && (await readLogo(style.logo.dataUri)),
  }
}

let lastLogo: { dataUri: string; picture: Promise<LogoPicture> } | undefined

/**
 * Returns a logo with its size. The last one is remembered, because every move of a slider requests
 * it.
 */
function readLogo(dataUri: string): Promise<LogoPicture> {
  if (lastLogo?.dataUri !== dataUri) lastLogo = { dataUri, picture: measure(dataUri) }
  return lastLogo.picture
}

async function measure(dataUri: string): Promise<LogoPicture> {
  const image = new Image()
  image.src = dataUri
  await image.decode()
  return { dataUri, widthPx: image.naturalWidth, heightPx: image.naturalHeight }
}
