import { type LabelGrid, labelPages } from '@everscan/contract/resources/label-grids.ts'
import type { LabelCaptionPosition } from '@everscan/contract/resources/label-sheets.ts'
import { type CaptionRoom, lineHeight } from './label-captions.ts'
import type { Box } from '../shapes/shapes.ts'

// All coordinates are in millimetres from the top left corner of a label or a page, y down.

/** The layout of all labels of a sheet, so that codes and captions stand in rows and columns. */
export type LabelLook = {
  readonly position: LabelCaptionPosition
  /** Lines of the longest caption. 0 if there are no captions. */
  readonly captionLines: number
  /** Width of the pictures. By default they are as large as fits. */
  readonly codeMm?: number | undefined
}

/** The places of the picture and the caption on a label. */
export type LabelPlaces = { readonly code: Box; readonly caption: Box }

/** Printers sometimes feed a sheet a millimetre off, so nothing comes closer to a label's edge. */
const paddingShare = 0.05
const paddingMmMin = 1
const paddingMmMax = 3

/**
 * The size of letters as a share of the label, and its bounds. Readers need at least 5 points at
 * arm's length.
 */
const emShare = { below: 0.075, right: 0.105 } as const
const emMmMin = 1.8
const emMmUsual = 2.3
const emMmMax = 6

/**
 * The gap between picture and caption, in ems. Below a frame it is the only space; below a quiet
 * zone it adds a little.
 */
const gapEms = 0.6
/** The space that descenders need below the baseline. */
const descentEms = 0.22

/** Labels with at least this width to height have the caption on the right. */
const wideRatio = 1.5
/** The maximum share of a label's width for a picture with a caption beside it. */
const besideShareMax = 0.6

const linesMax = { below: 2, right: 4 } as const

/** Returns the default position of a caption. */
export function captionPositionFor({ labelWidthMm, labelHeightMm }: LabelGrid): LabelCaptionPosition {
  return labelWidthMm >= wideRatio * labelHeightMm ? 'right' : 'below'
}

/** Returns the room of a caption on the labels of a sheet. */
export function captionRoom(grid: LabelGrid, look: Pick<LabelLook, 'position' | 'codeMm'>): CaptionRoom {
  const { position } = look
  const { caption } = placeOnLabel(grid, { ...look, captionLines: 1 }, 1)
  return { widthMm: caption.width, linesMax: linesMax[position], emMm: emOf(grid, position), emMmMin }
}

/** Returns the maximum width of a picture on a label. `ratio` is the picture's width / height. */
export function codeMmMax(grid: LabelGrid, { position, captionLines }: LabelLook, ratio: number): number {
  const room = roomOf(grid)
  if (captionLines === 0) return Math.min(room.width, room.height * ratio)
  if (position === 'right') return Math.min(grid.labelWidthMm * besideShareMax, room.height * ratio)
  const height = room.height - captionHeight(captionLines, emOf(grid, position))
  return Math.max(0, Math.min(room.width, height * ratio))
}

/** Places a picture and its caption, one above the other in the middle, or side by side. */
export function placeOnLabel(grid: LabelGrid, look: LabelLook, ratio: number): LabelPlaces {
  const { position, captionLines, codeMm } = look
  const room = roomOf(grid)
  const width = codeMm ?? codeMmMax(grid, look, ratio)
  const height = width / ratio
  if (position === 'right' && captionLines > 0) {
    // All captions begin at the same x, whatever the picture beside them.
    const column = codeMm ?? Math.min(room.height, grid.labelWidthMm * besideShareMax)
    const x = room.x + column + room.x
    return {
      code: { x: room.x + (column - width) / 2, y: room.y + (room.height - height) / 2, width, height },
      caption: { x, y: room.y, width: Math.max(emMmMin, room.x + room.width - x), height: room.height },
    }
  }
  const below = captionLines === 0 ? 0 : captionHeight(captionLines, emOf(grid, position))
  const y = room.y + (room.height - height - below) / 2
  const gap = gapEms * emOf(grid, position)
  return {
    code: { x: room.x + (room.width - width) / 2, y, width, height },
    caption: { x: room.x, y: y + height + gap, width: room.width, height: Math.max(0, below - gap) },
  }
}

/** Returns the top left corners of the labels of a sheet, row by row. */
export function labelCorners(grid: LabelGrid): { x: number; y: number }[] {
  const { columns, rows, marginLeftMm, marginTopMm, labelWidthMm, labelHeightMm, gapXMm, gapYMm } = grid
  return Array.from({ length: columns * rows }, (_, at) => ({
    x: marginLeftMm + (at % columns) * (labelWidthMm + gapXMm),
    y: marginTopMm + Math.floor(at / columns) * (labelHeightMm + gapYMm),
  }))
}

/** A line from one point to another. */
export type CutMark = readonly [x1: number, y1: number, x2: number, y2: number]

const markMm = 4
const markGapMm = 0.8

/** Returns lines that extend the labels' edges into the page's margins, where there is space. */
export function cutMarks(grid: LabelGrid): CutMark[] {
  const page = labelPages[grid.page]
  const corners = labelCorners(grid)
  const edges = (along: 'x' | 'y', length: number) =>
    [...new Set(corners.flatMap((corner) => [corner[along], corner[along] + length]).map(rounded))].sort(
      (a, b) => a - b,
    )
  const xs = edges('x', grid.labelWidthMm)
  const ys = edges('y', grid.labelHeightMm)
  const across = outside(ys, page.heightMm)
  const aside = outside(xs, page.widthMm)
  return [
    ...xs.flatMap((x) => across.map(([from, to]): CutMark => [x, from, x, to])),
    ...ys.flatMap((y) => aside.map(([from, to]): CutMark => [from, y, to, y])),
  ]
}

/** Returns the start and end of the marks before the first and after the last edge. */
function outside(edges: readonly number[], pageMm: number): [number, number][] {
  const first = edges[0] ?? 0
  const last = edges.at(-1) ?? 0
  const marks: [number, number][] = [
    [Math.max(0, first - markGapMm - markMm), first - markGapMm],
    [last + markGapMm, Math.min(pageMm, last + markGapMm + markMm)],
  ]
  return marks.filter(([from, to]) => to > from)
}

const rounded = (mm: number) => Math.round(mm * 1000) / 1000

function roomOf({ labelWidthMm, labelHeightMm }: LabelGrid): Box {
  const share = paddingShare * Math.min(labelWidthMm, labelHeightMm)
  const padding = Math.min(paddingMmMax, Math.max(paddingMmMin, share))
  const width = labelWidthMm - 2 * padding
  return { x: padding, y: padding, width, height: labelHeightMm - 2 * padding }
}

function emOf({ labelHeightMm, labelWidthMm }: LabelGrid, position: LabelCaptionPosition): number {
  const em = emShare[position] * Math.min(labelHeightMm, labelWidthMm)
  return Math.min(emMmMax, Math.max(emMmUsual, em))
}

/**
 * Returns the height of a caption with its gap to the picture. Upper-case letters are three
 * quarters of an em high.
 */
function captionHeight(lines: number, em: number): number {
  return (gapEms + 0.73 + (lines - 1) * lineHeight + descentEms) * em
}
