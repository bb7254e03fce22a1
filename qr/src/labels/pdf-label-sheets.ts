import { type LabelGrid, labelPages } from '@everscan/contract/resources/label-grids.ts'
import type { CaptionFont } from '../shapes/captions.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { type LabelCaption, pushLabelCaption } from './label-captions.ts'
import { cutMarks, labelCorners, type LabelLook, placeOnLabel } from './label-layout.ts'
import { pdfInks, writeLayers } from '../writers/pdf-layers.ts'
import { PdfObjects, writeText } from '../writers/pdf-objects.ts'
import { writeInk, writeNumber, writePrintPath } from '../writers/print.ts'

/** The content of one code's labels. */
export type Label = { readonly drawing: Drawing; readonly caption: LabelCaption }

export type LabelSheetOptions = {
  readonly grid: LabelGrid
  readonly look: LabelLook
  readonly font: CaptionFont
  /** Labels of each code, one after the other. */
  readonly copies: number
  /** The first free label of the first sheet, from 1. */
  readonly startAt: number
  readonly cutMarks: boolean
  /** Name of the document. */
  readonly title: string
}

const ptPerMm = 72 / 25.4
const hairlinePt = 0.25

/**
 * Writes labels as a PDF of sheets, in real millimetres and in vectors, one piece at a time. At
 * most one label and one page are in memory. A label is a form that its copies share, and a logo is
 * in the file once. The file tells viewers not to scale the page. The same labels give the same
 * bytes.
 */
export async function* writeLabelSheets(
  labels: AsyncIterable<Label> | Iterable<Label>,
  options: LabelSheetOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const { grid, copies, startAt, title } = options
  const objects = new PdfObjects()
  const pages = objects.reserve()
  const marks = options.cutMarks ? objects.addStream(...cutMarksForm(grid)) : undefined
  const corners = labelCorners(grid)
  const kids: number[] = []
  let placed: PlacedForm[] = []
  let place = startAt - 1
  for await (const label of labels) {
    const form = addLabel(objects, label, options)
    for (let copy = 0; copy < copies; copy++) {
      const corner = corners[place]
      if (corner) placed.push({ form, ...corner })
      place++
      if (place < corners.length) continue
      kids.push(addPage(objects, { grid, pages, marks, placed }))
      placed = []
      place = 0
    }
    yield objects.drain()
  }
  if (placed.length > 0) kids.push(addPage(objects, { grid, pages, marks, placed }))
  objects.set(
    pages,
    `<</Type/Pages/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]/Count ${kids.length}>>`,
  )
  const preferences = '/ViewerPreferences<</DisplayDocTitle true/PrintScaling/None>>'
  const root = objects.add(`<</Type/Catalog/Pages ${pages} 0 R${preferences}>>`)
  yield objects.end(`/Root ${root} 0 R/Info ${objects.add(`<</Title ${writeText(title)}>>`)} 0 R`)
}

/** The number of a form, and the place of its top left corner on the page. */
type PlacedForm = { readonly form: number; readonly x: number; readonly y: number }

type Page = {
  readonly grid: LabelGrid
  readonly pages: number
  readonly marks: number | undefined
  readonly placed: readonly PlacedForm[]
}

function addPage(objects: PdfObjects, { grid, pages, marks, placed }: Page): number {
  const { widthMm, heightMm } = labelPages[grid.page]
  const all = marks === undefined ? placed : [{ form: marks, x: 0, y: 0 }, ...placed]
  const scale = writeNumber(ptPerMm, 6)
  const content = all.map(({ form, x, y }) => {
    const place = [x, heightMm - y].map((mm) => writeNumber(mm * ptPerMm))
    return `q ${scale} 0 0 -${scale} ${place.join(' ')} cm /F${form} Do Q`
  })
  const forms = [...new Set(all.map(({ form }) => form))].map((form) => `/F${form} ${form} 0 R`)
  const box = [widthMm, heightMm].map((mm) => writeNumber(mm * ptPerMm, 4))
  return objects.add(
    `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 ${box.join(' ')}]/Resources<</XObject<<${forms.join('')}>>>>` +
      `/Contents ${objects.addStream('', Buffer.from(`${content.join('\n')}\n`))} 0 R>>`,
  )
}

/**
 * Adds a label as a form in millimetres from its top left corner, y down: the picture, and the
 * caption in black ink.
 */
function addLabel(
  objects: PdfObjects,
  { drawing, caption }: Label,
  { grid, look, font }: LabelSheetOptions,
): number {
  const { code, caption: box } = placeOnLabel(grid, look, drawing.width / drawing.height)
  const scale = code.width / drawing.width
  const matrix = [scale, 0, 0, scale, code.x - drawing.x * scale, code.y - drawing.y * scale]
    .map((value) => writeNumber(value, 6))
    .join(' ')
  const { content, resources } = writeLayers(objects, drawing.layers, { matrix })
  const path: number[] = []
  pushLabelCaption(path, caption, { font, box, position: look.position })
  const text = path.length === 0 ? '' : `${writeInk('#000000', pdfInks)}\n${writePrintPath(path)}\nf\n`
  const size = [grid.labelWidthMm, grid.labelHeightMm].map((mm) => writeNumber(mm)).join(' ')
  return objects.addStream(
    `/Type/XObject/Subtype/Form/BBox[0 0 ${size}]/Resources${resources}`,
    Buffer.from(`q ${matrix} cm\n${content}\nQ\n${text}`),
  )
}

function cutMarksForm(grid: LabelGrid): [dictionary: string, content: Buffer] {
  const { widthMm, heightMm } = labelPages[grid.page]
  const lines = cutMarks(grid).map((mark) => {
    const [x1, y1, x2, y2] = mark.map((mm) => writeNumber(mm))
    return `${x1} ${y1} m ${x2} ${y2} l S`
  })
  return [
    `/Type/XObject/Subtype/Form/BBox[0 0 ${writeNumber(widthMm)} ${writeNumber(heightMm)}]/Resources<<>>`,
    Buffer.from(`0 0 0 1 K ${writeNumber(hairlinePt / ptPerMm, 4)} w\n${lines.join('\n')}\n`),
  ]
}
