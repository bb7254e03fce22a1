import { problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import { type LabelGrid, labelGridProblems, labelGrids } from '@everscan/contract/resources/label-grids.ts'
import type { PrintLabelSheet } from '@everscan/contract/resources/label-sheets.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { CaptionFont } from '@everscan/qr/shapes/captions.ts'
import { pictureRatio } from '@everscan/qr/drawing/drawing.ts'
import { drawableCaption, fitCaption, type LabelCaption } from '@everscan/qr/labels/label-captions.ts'
import {
  captionPositionFor,
  captionRoom,
  codeMmMax,
  type LabelLook,
} from '@everscan/qr/labels/label-layout.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { ApiError } from '../../errors.ts'
import { qrCodeRecord } from '../records/qr-code-records.ts'
import { validationError } from '../../request-errors.ts'

/** A label before it is drawn: its code and its caption. */
export type PlannedLabel = { id: string; caption: LabelCaption }

export type LabelPlan = {
  labels: PlannedLabel[]
  /** The layout of all labels. */
  look: LabelLook
  /** The number of codes whose caption lacks characters. */
  captionsIncomplete: number
}

type PlanOptions = {
  items: readonly { id: string; path: string }[]
  grid: LabelGrid
  font: CaptionFont
  body: PrintLabelSheet
  publicUrl: string
}

/**
 * The sheet that a body requests. Throws ApiError 400 if there is none, if there are two, and if
 * the sheet does not fit its page.
 */
export function labelGridOf({ sheet, grid }: PrintLabelSheet): LabelGrid {
  if (sheet !== undefined && grid !== undefined)
    throw validationError([{ path: 'grid', ...problem('notTogetherWith', { fields: 'sheet' }) }])
  if (sheet !== undefined) return labelGrids[sheet]
  if (grid === undefined)
    throw validationError([{ path: 'sheet', ...problem('requiredUnless', { field: 'grid' }) }])
  const problems = labelGridProblems(grid)
  if (problems.length === 0) return grid
  throw validationError(problems.map((one) => ({ ...one, path: `grid.${one.path}` })))
}

/**
 * Throws ApiError 400 if the sheet does not have the first label, or for more than
 * `limits.labelsMax` labels.
 */
export function requireLabelCount(
  codes: number,
  { columns, rows }: LabelGrid,
  { startAt = 1, copies = 1 }: PrintLabelSheet,
): void {
  const problems: FieldProblem[] = []
  if (startAt > columns * rows)
    problems.push({ path: 'startAt', ...problem('startBeyondSheet', { max: columns * rows, got: startAt }) })
  if (codes * copies > limits.labelsMax) {
    const max = Math.floor(limits.labelsMax / codes)
    const found = problem('tooManyCopies', { max, codes, labels: limits.labelsMax, got: copies })
    problems.push({ path: 'copies', ...found })
  }
  if (problems.length > 0) throw validationError(problems)
}

/**
 * Plans every label before the first one is drawn: fits its caption and measures the resulting size
 * of its code. `rows` belong to the items, in their order. Throws ApiError 404 that names every
 * unknown id, and 400 for a `codeMm` that does not fit and for codes that would be too small to
 * read.
 */
export async function planLabels(
  rows: AsyncIterable<QrCodeRow | undefined>,
  options: PlanOptions,
): Promise<LabelPlan> {
  const { items, grid, font, body } = options
  const position = body.captionPosition ?? captionPositionFor(grid)
  const { codeMm } = body
  const room = captionRoom(grid, { position, codeMm })
  const unknown: FieldProblem[] = []
  const planned: (PlannedLabel & Measured)[] = []
  let captionsIncomplete = 0
  let at = 0
  for await (const row of rows) {
    const item = items[at++]
    if (item === undefined) break
    const { id, path } = item
    if (row === undefined) {
      unknown.push({ path, ...problem('noCodeWithId', { id: JSON.stringify(id) }) })
      continue
    }
    const { text, isComplete } = captionOf(row, options)
    if (!isComplete) captionsIncomplete++
    planned.push({ id, caption: fitCaption(font, text, room), ...measured(row, options.publicUrl), path })
  }
  if (unknown.length > 0) throw unknownIds(unknown)
  const captionLines = Math.max(...planned.map(({ caption }) => caption.lines.length))
  const look = { position, captionLines, codeMm }
  requireSizes(planned, grid, look)
  return { labels: planned.map(({ id, caption }) => ({ id, caption })), look, captionsIncomplete }
}

/** The caption of a code. A name without any drawable letter is replaced by the short URL. */
function captionOf(
  row: QrCodeRow,
  { body: { caption = 'name' }, font, publicUrl }: PlanOptions,
): { text: string; isComplete: boolean } {
  if (caption === 'none') return { text: '', isComplete: true }
  const { shortUrl } = qrCodeRecord(row, publicUrl)
  const address = drawableCaption(font, shortUrl.replace(/^https?:\/\//, ''))
  if (caption === 'shortUrl') return address
  const name = drawableCaption(font, row.name)
  return name.text === '' ? { ...address, isComplete: false } : name
}

/** Width of a picture relative to its height, and its minimum width. */
type Measured = { path: string; ratio: number; leastMm: number }

function measured(row: QrCodeRow, publicUrl: string): Omit<Measured, 'path'> {
  const { scannability } = qrCodeRecord(row, publicUrl)
  return {
    ratio: pictureRatio(17 + 4 * row.picture.version, row.style),
    leastMm: Math.max(limits.labelCodeMmMin, Math.ceil(scannability.minPrintMm * 5) / 10),
  }
}

function requireSizes(labels: readonly Measured[], grid: LabelGrid, look: LabelLook): void {
  const most = Math.min(...labels.map(({ ratio }) => codeMmMax(grid, look, ratio)))
  if (look.codeMm !== undefined && look.codeMm > most && most >= limits.labelCodeMmMin) {
    const found = problem('codeMmBeyondLabel', { max: tenths(most), got: look.codeMm })
    throw validationError([{ path: 'codeMm', ...found }])
  }
  const tooSmallFor = look.captionLines > 0 ? 'labelTooSmallWithCaption' : 'labelTooSmall'
  const tooSmall = labels.flatMap(({ path, ratio, leastMm }) => {
    const widthMm = Math.min(look.codeMm ?? Infinity, codeMmMax(grid, look, ratio))
    if (widthMm >= leastMm) return []
    const name = widthMm === look.codeMm ? 'codeMmTooSmall' : tooSmallFor
    return [{ path, ...problem(name, { got: tenths(widthMm), min: leastMm }) }]
  })
  if (tooSmall.length > 0) throw validationError(tooSmall)
}

const tenths = (mm: number) => Math.floor(mm * 10) / 10

function unknownIds(details: readonly FieldProblem[]): ApiError {
  const [first] = details
  const rest = details.length > 1 ? `; and ${details.length - 1} more` : ''
  const found =
    rest === '' && first !== undefined ? first : problem('severalProblems', { count: details.length })
  const message = `${first?.path}: ${first?.message}${rest}.`
  return new ApiError(404, 'NOT_FOUND', { ...found, message }, { details })
}
