import { type LabelGrid, labelPages } from '@everscan/contract/resources/label-grids.ts'
import type { LabelCaptionPosition } from '@everscan/contract/resources/label-sheets.ts'
import { type CaptionRoom, lineHeight } from './label-captions.ts'
import type { Box } from '../shapes/shapes.ts'

// Everything here is in millimetres from the top left corner of a label or a page, y down.

/** How labels are laid out: all of a sheet alike, so that codes and captions stand in rows and columns. */
export type LabelLook = {
  readonly position: LabelCaptionPosition
  /** Lines of the longest caption; 0: there are no captions. */
  readonly captionLines: number
  /** Width of the pictures; absent: as large as fits. */
  readonly codeMm?: number | undefined
}

/** Where the picture lies on a label, and its caption. */
export type LabelPlaces = { readonly code: Box; readonly caption: Box }

/** Printers feed a sheet a millimetre off at times, so nothing comes closer to a label's edge. */
const paddingShare = 0.05
const paddingMmLeast = 1
const paddingMmMost = 3

/** The size of letters as a share of the label, and its bounds: 5 points are the least that is read at arm's length. */
const emShare = { below: 0.075, right: 0.105 } as const
const emMmLeast = 1.8
const emMmUsual = 2.3
const emMmMost = 6

/** Between picture and caption, in ems: below a frame it is all there is, below a quiet zone a little more. */
const gapEms = 0.6
/** What letters need below their line. */
const descentEms = 0.22

/** From so much wider than high a label has its caption at the right. */
const wideRatio = 1.5
/** Of a label's width, what a picture takes at most beside its caption. */
const besideShareMost = 0.6

const linesMax = { below: 2, right: 4 } as const

/** Where a caption stands when nobody says it. */
export function captionPositionFor({ labelWidthMm, labelHeightMm }: LabelGrid): LabelCaptionPosition {
  return labelWidthMm >= wideRatio * labelHeightMm ? 'right' : 'below'
}

/** The room of a caption on the labels of a sheet. */
export function captionRoom(grid: LabelGrid, look: Pick<LabelLook, 'position' | 'codeMm'>): CaptionRoom {
  const { position } = look
  const { caption } = placeOnLabel(grid, { ...look, captionLines: 1 }, 1)
  return { widthMm: caption.width, linesMax: linesMax[position], emMm: emOf(grid, position), emMmLeast }
}

/** How wide a picture can be on the labels of a sheet; `ratio` is its width to its height. */
export function codeMmMost(grid: LabelGrid, { position, captionLines }: LabelLook, ratio: number): number {
  const room = roomOf(grid)
  if (captionLines === 0) return Math.min(room.width, room.height * ratio)
  if (position === 'right') return Math.min(grid.labelWidthMm * besideShareMost, room.height * ratio)
  const height = room.height - captionHeight(captionLines, emOf(grid, position))
  return Math.max(0, Math.min(room.width, height * ratio))
}

/** Places a picture and its caption: one above the other in the middle of the label, or beside each other. */
export function placeOnLabel(grid: LabelGrid, look: LabelLook, ratio: number): LabelPlaces {
  const { position, captionLines, codeMm } = look
  const room = roomOf(grid)
  const width = codeMm ?? codeMmMost(grid, look, ratio)
  const height = width / ratio
  if (position === 'right' && captionLines > 0) {
    // Captions begin at the same place, whatever the picture beside them.
    const column = codeMm ?? Math.min(room.height, grid.labelWidthMm * besideShareMost)
    const x = room.x + column + room.x
    return {
      code: { x: room.x + (column - width) / 2, y: room.y + (room.height - height) / 2, width, height },
      caption: { x, y: room.y, width: Math.max(emMmLeast, room.x + room.width - x), height: room.height },
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

/** The top left corners of the labels of a sheet, along the rows. */
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

/** Lines in the page's margins that go on where the labels' edges end; none where there is no margin for one. */
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

/** Where marks begin and end before the first and behind the last edge. */
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
  const padding = Math.min(paddingMmMost, Math.max(paddingMmLeast, share))
  const width = labelWidthMm - 2 * padding
  return { x: padding, y: padding, width, height: labelHeightMm - 2 * padding }
}

function emOf({ labelHeightMm, labelWidthMm }: LabelGrid, position: LabelCaptionPosition): number {
  const em = emShare[position] * Math.min(labelHeightMm, labelWidthMm)
  return Math.min(emMmMost, Math.max(emMmUsual, em))
}

/** With what is between it and the picture. Upper-case letters are three quarters of an em high. */
function captionHeight(lines: number, em: number): number {
  return (gapEms + 0.73 + (lines - 1) * lineHeight + descentEms) * em
}
