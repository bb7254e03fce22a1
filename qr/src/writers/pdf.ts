import type { Drawing } from '../drawing/drawing.ts'
import { writeLayers } from './pdf-layers.ts'
import { PdfObjects, writeText } from './pdf-objects.ts'
import { measurePrint, printMatrix, type PrintOptions, writeNumber } from './print.ts'

/**
 * Writes a drawing as a PDF of one page of exactly the size of the picture, `widthMm` wide, in
 * vectors. Gradients are shadings, a logo is an image with its transparency. Black is black ink
 * alone. The file has no date and no id: the same drawing gives the same bytes with the same zlib.
 *
 * Throws `PictureError` for a width out of bounds, and for a logo that is neither pixels nor a JPEG
 * in grey or RGB.
 */
export function writePdf(drawing: Drawing, { widthMm, title }: PrintOptions): Buffer {
  const { widthPt, heightPt, scale } = measurePrint(drawing, widthMm)
  const matrix = printMatrix(drawing, scale)
  const objects = new PdfObjects()
  const pages = objects.reserve()
  const { content, resources } = writeLayers(objects, drawing, matrix)
  const page = objects.add(
    `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 ${writeNumber(widthPt, 4)} ${writeNumber(heightPt, 4)}]` +
      `/Resources${resources}` +
      `/Contents ${objects.addStream('', Buffer.from(`${matrix} cm\n${content}\n`))} 0 R>>`,
  )
  objects.set(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)
  const isTitled = title !== undefined
  const root = objects.add(
    `<</Type/Catalog/Pages ${pages} 0 R${isTitled ? '/ViewerPreferences<</DisplayDocTitle true>>' : ''}>>`,
  )
  const info = isTitled ? `/Info ${objects.add(`<</Title ${writeText(title)}>>`)} 0 R` : ''
  return objects.end(`/Root ${root} 0 R${info}`)
}
