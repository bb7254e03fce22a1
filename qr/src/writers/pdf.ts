import type { Drawing } from '../drawing/drawing.ts'
import { cropMarkLines, layersWithBleed, markLinePt } from './bleed.ts'
import { writeLayers } from './pdf-layers.ts'
import { PdfObjects, writeText } from './pdf-objects.ts'
import { measurePrint, type PrintMeasures, printMatrix, type PrintOptions, writeNumber } from './print.ts'
import { srgbProfile } from './srgb-profile.ts'

/**
 * Writes a drawing as a PDF of one page of exactly the size of the picture, `widthMm` wide, in
 * vectors. With a bleed or crop marks the page is larger, and its TrimBox is the picture. Gradients
 * are shadings, a logo is an image with its transparency. Black is black ink alone, unless
 * `colorSpace` is `rgb`: then all colors are RGB, and the output intent is sRGB. The file has no
 * date and no id: the same drawing gives the same bytes with the same zlib.
 *
 * Throws `PictureError` for a width out of bounds, and for a logo that is neither pixels nor a JPEG
 * in grey or RGB.
 */
export function writePdf(drawing: Drawing, options: PrintOptions): Buffer {
  const { title, colorSpace } = options
  const measures = measurePrint(drawing, options)
  const matrix = printMatrix(drawing, measures)
  const objects = new PdfObjects()
  const pages = objects.reserve()
  const layers = layersWithBleed(drawing, measures)
  const { content, resources } = writeLayers(objects, layers, { matrix, colorSpace })
  const marks = writeMarks(measures, colorSpace === 'rgb')
  const picture = `${matrix} cm\n${content}\n`
  const drawn = Buffer.from(marks === '' ? picture : `q\n${picture}Q\n${marks}`)
  const page = objects.add(
    `<</Type/Page/Parent ${pages} 0 R${writeBoxes(measures)}` +
      `/Resources${resources}` +
      `/Contents ${objects.addStream('', drawn)} 0 R>>`,
  )
  objects.set(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`)
  const isTitled = title !== undefined
  const intent = colorSpace === 'rgb' ? `/OutputIntents[${addSrgbIntent(objects)} 0 R]` : ''
  const root = objects.add(
    `<</Type/Catalog/Pages ${pages} 0 R${isTitled ? '/ViewerPreferences<</DisplayDocTitle true>>' : ''}${intent}>>`,
  )
  const info = isTitled ? `/Info ${objects.add(`<</Title ${writeText(title)}>>`)} 0 R` : ''
  return objects.end(`/Root ${root} 0 R${info}`)
}

/** ISO 32000-1, 14.11.2. The boxes beside the page's own are needed only if they differ from it. */
function writeBoxes({ widthPt, heightPt, bleedPt, aroundPt }: PrintMeasures): string {
  const box = (inset: number): string => {
    const far = 2 * aroundPt - inset
    return `[${[inset, inset, widthPt + far, heightPt + far].map((value) => writeNumber(value, 4)).join(' ')}]`
  }
  const page = `/MediaBox${box(0)}`
  return aroundPt === 0 ? page : `${page}/BleedBox${box(aroundPt - bleedPt)}/TrimBox${box(aroundPt)}`
}

/** Crop marks are on all four plates. */
function writeMarks(measures: PrintMeasures, isRgb: boolean): string {
  const lines = cropMarkLines(measures).map((line) => {
    const [x1, y1, x2, y2] = line.map((value) => writeNumber(value))
    return `${x1} ${y1} m ${x2} ${y2} l S\n`
  })
  return lines.length === 0 ? '' : `${isRgb ? '0 0 0 RG' : '1 1 1 1 K'} ${markLinePt} w\n${lines.join('')}`
}

/** ISO 32000-1, 14.11.5: RGB in this file is sRGB. */
function addSrgbIntent(objects: PdfObjects): number {
  const profile = objects.addStream('/N 3/Alternate/DeviceRGB', srgbProfile())
  return objects.add(
    '<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB IEC61966-2.1)' +
      `/RegistryName(http://www.color.org)/Info(sRGB IEC61966-2.1)/DestOutputProfile ${profile} 0 R>>`,
  )
}
