import type { Frame, Style } from '@everscan/contract/resources/styles.ts'
import { type CaptionFont, pushCaption } from '../shapes/captions.ts'
import { parseColor } from '../shapes/colors.ts'
import { eyePlaces, hasPlainEyes, pushEyeBalls, pushEyeFrames } from '../shapes/eyes.ts'
import { type Fill, fillColors, placeGradient } from '../shapes/fills.ts'
import { hasCaption, layOutPicture, type Layout, outerRadius, pushFrame } from '../shapes/frames.ts'
import { cutOutLogo, type LogoPicture, type LogoPlace, placeLogo } from '../shapes/logos.ts'
import type { Matrix } from '../content/matrix.ts'
import { moduleLook, pushModules } from '../shapes/modules.ts'
import type { Path } from '../shapes/paths.ts'
import { checkMargin, pictureDefaults } from '../picture.ts'
import type { Box } from '../shapes/shapes.ts'

/**
 * A picture of a code, independent of its format: layers from back to front, in modules, y down. 0,
 * 0 is the top left corner of the code itself, so `x` and `y` are 0 or less, and the code's
 * paths don't change with the margin.
 */
export type Drawing = Box & {
  /** Modules along one side of the code. */
  readonly size: number
  /** The code with its quiet zone: the picture without its frame. */
  readonly quiet: Box
  readonly layers: readonly Layer[]
  /** The color of the frame and the radius of its outer corners. Absent without a frame. */
  readonly frame?: { readonly fill: string; readonly radius: number } | undefined
  /**
   * The color behind the picture, `#RRGGBB`. Transparent pictures have it too, for formats without
   * transparency.
   */
  readonly background: string
}

export type Layer = BoxLayer | PathLayer | LogoLayer
/** The background: the whole picture in one color. */
export type BoxLayer = { readonly kind: 'box'; readonly box: Box; readonly fill: string }
export type PathLayer = { readonly kind: 'path'; readonly path: Path; readonly fill: Fill }
export type LogoLayer = LogoPlace & { readonly kind: 'logo'; readonly picture: LogoPicture }

export type DrawingOptions = {
  /** Quiet zone in modules, 0 to 16. Overrides the style's own `margin`. */
  readonly marginModules?: number | undefined
  /** The style's logo, decoded as far as the format needs it. Required if the style has a logo. */
  readonly logo?: LogoPicture | undefined
  /** The result of `loadCaptionFont`. Required if the style has a caption (`hasCaption`). */
  readonly font?: CaptionFont | undefined
}

/**
 * Draws a code in a style: at most a background, a frame, modules, eye frames, eye balls, a logo
 * and a caption. Each is one layer, and paths of the same fill share a layer. Every field of
 * `Style` may be absent.
 *
 * Throws `PictureError` for a color that isn't `#RRGGBB` or a margin out of bounds, and `TypeError`
 * if a required logo or font is absent.
 */
export function drawCode(matrix: Matrix, style: Style = {}, options: DrawingOptions = {}): Drawing {
  const marginModules = options.marginModules ?? style.margin ?? pictureDefaults.marginModules
  checkMargin(marginModules)
  const { background } = styleColors(style)
  const layout = layOutPicture(matrix.size, marginModules, style.frame)
  const layers: Layer[] = []
  if (!style.transparent) layers.push({ kind: 'box', box: layout.picture, fill: background })
  const logo = drawLogo(matrix.size, style, options)
  const cutOut = style.logo && logo ? cutOutLogo(matrix, style.logo, logo) : matrix
  layers.push(...mergeParts([...frameParts(layout, style), ...moduleParts(cutOut, style)]))
  if (logo) layers.push(logo)
  if (style.frame && layout.label && hasCaption(style.frame)) {
    if (!options.font) throw new TypeError('a style with a caption needs a font')
    const path: number[] = []
    pushCaption(path, style.frame.text ?? '', { font: options.font, box: layout.label })
    layers.push({ kind: 'path', path, fill: style.frame.textColor ?? background })
  }
  for (const layer of layers) if (layer.kind !== 'logo') fillColors(layer.fill).forEach(parseColor)
  const frame = style.frame && { fill: frameFill(style.frame, style), radius: outerRadius(layout) }
  return { ...layout.picture, quiet: layout.quiet, size: matrix.size, layers, frame, background }
}

/** Returns the height of a picture `widthPx` wide, in whole pixels. A label makes it taller. */
export function pictureHeightPx({ width, height }: Box, widthPx: number): number {
  return Math.round((widthPx * height) / width)
}

/**
 * Returns width / height of a picture without drawing it: 1 without a label, less with one. `size`
 * is the number of modules along one side of the code.
 */
export function pictureRatio(size: number, style: Style, marginModules = style.margin): number {
  const { picture } = layOutPicture(size, marginModules ?? pictureDefaults.marginModules, style.frame)
  return picture.width / picture.height
}

/** Whether a style has only flat colors: no gradient and no logo, so that `writePng` draws it. */
export const isFlat = (style: Style): boolean => !style.gradient && !style.logo

/**
 * Whether `drawPng` and `drawSvg` can draw this style: squares of two colors, without gradient,
 * logo, frame or transparency.
 */
export function isPlain(style: Style): boolean {
  const { eyeFrames, eyeBalls, foreground } = styleColors(style)
  return (
    isFlat(style) &&
    !style.frame &&
    !style.transparent &&
    hasPlainEyes(style) &&
    isSameFill(eyeFrames, foreground) &&
    isSameFill(eyeBalls, foreground)
  )
}

function styleColors(style: Style) {
  const foreground = style.foregroundColor ?? pictureDefaults.foreground
  const eyeFrames = style.cornerSquareColor ?? foreground
  return {
    foreground,
    background: style.backgroundColor ?? pictureDefaults.background,
    eyeFrames,
    eyeBalls: style.cornerDotColor ?? eyeFrames,
  }
}

function drawLogo(size: number, style: Style, { logo }: DrawingOptions): LogoLayer | undefined {
  if (!style.logo) return undefined
  if (!logo) throw new TypeError('a style with a logo needs its picture')
  return { kind: 'logo', picture: logo, ...placeLogo(size, style.logo, logo) }
}

type Part = { readonly fill: Fill; readonly push: (path: number[]) => void }

function frameParts(layout: Layout, style: Style): Part[] {
  if (!style.frame) return []
  return [{ fill: frameFill(style.frame, style), push: (path) => pushFrame(path, layout) }]
}

function frameFill(frame: Frame, style: Style): string {
  return frame.color ?? styleColors(style).foreground
}

/** Returns modules, eye frames and eye balls, as one part if they look alike. */
function moduleParts(matrix: Matrix, style: Style): Part[] {
  const { size } = matrix
  const gradient = style.gradient && placeGradient(style.gradient, size)
  const fill: Fill = gradient ?? styleColors(style).foreground
  const framesFill = style.cornerSquareColor ?? fill
  const ballsFill = style.cornerDotColor ?? framesFill
  if (hasPlainEyes(style) && isSameFill(fill, framesFill) && isSameFill(fill, ballsFill)) {
    return [{ fill, push: (path) => pushModules(path, matrix, moduleLook(style)) }]
  }
  return [
    { fill, push: (path) => pushModules(path, withoutEyes(matrix), moduleLook(style)) },
    { fill: framesFill, push: (path) => pushEyeFrames(path, size, style) },
    { fill: ballsFill, push: (path) => pushEyeBalls(path, size, style) },
  ]
}

/** Merges parts of the same fill into one path. Parts don't overlap, so order doesn't matter. */
function mergeParts(parts: readonly Part[]): PathLayer[] {
  const layers: { kind: 'path'; path: number[]; fill: Fill }[] = []
  for (const { fill, push } of parts) {
    let layer = layers.find((one) => isSameFill(one.fill, fill))
    if (!layer) {
      layer = { kind: 'path', path: [], fill }
      layers.push(layer)
    }
    push(layer.path)
  }
  return layers
}

/** There is at most one gradient in a picture. */
function isSameFill(a: Fill, b: Fill): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a.toUpperCase() === b.toUpperCase()
  return a === b
}

function withoutEyes(matrix: Matrix): Matrix {
  const modules = matrix.modules.slice()
  for (const { x, y } of eyePlaces(matrix.size)) {
    for (let row = y; row < y + 7; row++) modules.fill(0, row * matrix.size + x, row * matrix.size + x + 7)
  }
  return { ...matrix, modules }
}
