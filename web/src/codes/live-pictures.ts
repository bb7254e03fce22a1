import type { Style } from '@everscan/contract/resources/styles.ts'
import { loadCaptionFont } from '@everscan/qr/shapes/captions.ts'
import { drawCode, type DrawingOptions } from '@everscan/qr/drawing/drawing.ts'
import { encodingOf, errorCorrectionOf } from '@everscan/qr/shapes/encodings.ts'
import { hasCaption } from '@everscan/qr/shapes/frames.ts'
import type { LogoPicture } from '@everscan/qr/shapes/logos.ts'
import { createMatrix, type Matrix } from '@everscan/qr/content/matrix.ts'
import { encodePayload } from '@everscan/qr/content/payload.ts'
import { writeSvg } from '@everscan/qr/writers/svg.ts'

/** Of a code's first picture, which every later one keeps. */
export type KeptPattern = Pick<Matrix, 'version' | 'mask'>

export type PictureWanted = { shortUrl: string; style: Style; kept?: KeptPattern | undefined }

/** The picture of a short URL as the service will draw it, as SVG. Rejects when the logo cannot be shown. */
export async function drawLivePicture({ shortUrl, style, kept }: PictureWanted): Promise<string> {
  const matrix = createMatrix(encodingOf(encodePayload(shortUrl), style, kept))
  return writeSvg(drawCode(matrix, style, await partsOf(style)))
}

export const svgAddress = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`

/** How many versions larger a code may be than its text needs: a logo asks for a few. */
const largerMax = 6
const masks = [0, 1, 2, 3, 4, 5, 6, 7] as const

/**
 * The pattern that the service keeps of a code, which is not in its record: the one whose picture is the service's, to the
 * letter. Undefined: none is, as after an update of the service while this page was open.
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

/** The size of a logo; the last one is remembered, as every stroke of a slider asks. */
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
