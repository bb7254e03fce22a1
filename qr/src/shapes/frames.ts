import type { Frame, Style } from '@everscan/contract/resources/styles.ts'
import { type Box, evenRadii, pushBox } from './shapes.ts'

/**
 * The layout of a picture, in modules. 0, 0 is the code's top left corner, so margin and frame have
 * negative coordinates.
 */
export type Layout = {
  /** The whole picture. */
  readonly picture: Box
  /** The code with its quiet zone. */
  readonly quiet: Box
  /** The bar that holds the caption, without the border beside it. */
  readonly label?: Box | undefined
}

/** Thickness of a border and height of a label's bar, as shares of the width of the quiet zone. */
const borderShare = 1 / 30
const labelShare = 1 / 5.5

/** Radius of the quiet zone's corners, as a share of its width. */
const cornerShare = 0.055

/**
 * Lays out a picture of a code of `size` modules. Border and label are whole modules, so that their
 * straight edges fall on whole pixels like those of the modules. A label without text is a border.
 */
export function layOutPicture(size: number, marginModules: number, frame?: Frame): Layout {
  const span = size + 2 * marginModules
  const quiet = { x: -marginModules, y: -marginModules, width: span, height: span }
  if (!frame) return { picture: quiet, quiet }
  const border = Math.max(1, Math.round(span * borderShare))
  const bar = hasCaption(frame) ? Math.max(4, Math.round(span * labelShare)) : border
  const above = frame.style === 'label-above' ? bar : border
  const below = frame.style === 'label-below' ? bar : border
  const picture = {
    x: quiet.x - border,
    y: quiet.y - above,
    width: span + 2 * border,
    height: span + above + below,
  }
  if (!hasCaption(frame)) return { picture, quiet }
  const y = frame.style === 'label-above' ? picture.y : quiet.y + span
  return { picture, quiet, label: { x: quiet.x, y, width: span, height: bar } }
}

/** The quiet zone that ISO/IEC 18004 requires, in modules. */
export const quietModules = 4

/**
 * Whether the frame is in the quiet zone of the code, where no paper can make up for a narrow
 * margin.
 */
export function isFrameTooClose({ frame, margin }: Style): boolean {
  return frame !== undefined && (margin ?? quietModules) < quietModules
}

/** Whether a frame shows its text. */
export function hasCaption(frame: Frame | undefined): boolean {
  return frame !== undefined && frame.style !== 'border' && (frame.text ?? '').trim() !== ''
}

/** Appends a frame around the quiet zone. Its inner and outer corners have the same centres. */
export function pushFrame(path: number[], layout: Layout) {
  const { picture, quiet } = layout
  pushBox(path, picture, { radii: evenRadii(outerRadius(layout)), turn: 'filled' })
  pushBox(path, quiet, { radii: evenRadii(quiet.width * cornerShare), turn: 'hole' })
}

/** Returns the radius of the outer corners of a frame, in modules. */
export function outerRadius({ picture, quiet }: Layout): number {
  return quiet.width * cornerShare + quiet.x - picture.x
}
