import {
  type Drawing,
  type Layer,
  type LogoLayer,
  type PathLayer,
  pictureHeightPx,
} from '../drawing/drawing.ts'
import { parseColor } from '../shapes/colors.ts'
import type { GradientFill } from '../shapes/fills.ts'
import type { Matrix } from '../content/matrix.ts'
import { writeModules, writePathData } from '../shapes/path-data.ts'
import { isRectilinear } from '../shapes/paths.ts'
import { checkSize, completePictureOptions, pictureDefaults, type PictureOptions } from '../picture.ts'
import type { Box } from '../shapes/shapes.ts'

export type SvgOptions = PictureOptions & {
  /** The text for assistive technology, any text. By default there is no title. */
  readonly title?: string | undefined
}

export type WriteSvgOptions = {
  /** Width of the picture in pixels, 64 to 4096, by default 1024. The height follows. */
  readonly sizePx?: number | undefined
  /** The text for assistive technology, any text. By default there is no title. */
  readonly title?: string | undefined
}

/**
 * Draws a plain SVG of two elements, however many modules there are: a background and one path. At
 * most 3 KB up to version 4. Throws `PictureError` for options out of bounds.
 */
export function drawSvg(matrix: Matrix, options: SvgOptions = {}): string {
  const { sizePx, marginModules, foreground, background } = completePictureOptions(options)
  for (const color of [foreground, background]) parseColor(color)
  const sideModules = matrix.size + 2 * marginModules
  const box = { x: 0 - marginModules, y: 0 - marginModules, width: sideModules, height: sideModules }
  return (
    openSvg(box, { sizePx, heightPx: sizePx, isCrisp: true, title: options.title }) +
    writeBackground(box, background) +
    `<path fill="${escapeXml(foreground)}" d="${writeModules(matrix)}"/></svg>`
  )
}

/**
 * Writes a drawing as SVG: one element per layer, and one more for a gradient or a round logo. The
 * same drawing always gives the same text. Ids are hashes of what they name, so two pictures on one
 * page share an id only if it means the same in both. Throws `PictureError` for a size out of
 * bounds.
 */
export function writeSvg(
  drawing: Drawing,
  { sizePx = pictureDefaults.sizePx, title }: WriteSvgOptions = {},
): string {
  checkSize(sizePx)
  const { layers } = drawing
  const isCrisp = layers.every(
    (layer) => layer.kind === 'box' || (layer.kind === 'path' && isRectilinear(layer.path)),
  )
  const gradient = layers.flatMap((layer) =>
    layer.kind === 'path' && typeof layer.fill !== 'string' ? [layer.fill] : [],
  )[0]
  return (
    openSvg(drawing, { sizePx, heightPx: pictureHeightPx(drawing, sizePx), isCrisp, title }) +
    (gradient ? writeGradient(gradient) : '') +
    layers.map(writeLayer).join('') +
    '</svg>'
  )
}

function openSvg(
  { x, y, width, height }: Box,
  {
    sizePx,
    heightPx,
    isCrisp,
    title,
  }: { sizePx: number; heightPx: number; isCrisp: boolean; title: string | undefined },
): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${heightPx}"` +
    // The view box includes the margin, so the path is the same for every margin.
    ` viewBox="${x} ${y} ${width} ${height}"` +
    (isCrisp ? ' shape-rendering="crispEdges"' : '') +
    (title === undefined ? '>' : ` role="img"><title>${escapeXml(title)}</title>`)
  )
}

function writeLayer(layer: Layer): string {
  if (layer.kind === 'logo') return writeLogo(layer)
  if (layer.kind === 'path') return writePath(layer)
  return writeBackground(layer.box, layer.fill)
}

const writeBackground = ({ x, y, width, height }: Box, color: string) =>
  `<path fill="${escapeXml(color)}" d="M${x} ${y}h${width}v${height}H${x}z"/>`

function writePath({ path, fill }: PathLayer): string {
  const color = typeof fill === 'string' ? escapeXml(fill) : `url(#${gradientId(fill)})`
  return `<path fill="${color}" d="${writePathData(path)}"/>`
}

/** Paint servers work anywhere, so a `<defs>` around it is not needed. */
function writeGradient(gradient: GradientFill): string {
  const id = `id="${gradientId(gradient)}" gradientUnits="userSpaceOnUse"`
  const stops = gradient.colors
    .map((color, at) => `<stop${at === 0 ? '' : ` offset="${at}"`} stop-color="${escapeXml(color)}"/>`)
    .join('')
  if (gradient.type === 'radial') {
    const { centre, radius } = gradient
    const place = `cx="${short(centre.x)}" cy="${short(centre.y)}" r="${short(radius)}"`
    return `<radialGradient ${id} ${place}>${stops}</radialGradient>`
  }
  const { from, to } = gradient
  const place = `x1="${short(from.x)}" y1="${short(from.y)}" x2="${short(to.x)}" y2="${short(to.y)}"`
  return `<linearGradient ${id} ${place}>${stops}</linearGradient>`
}

const gradientId = (gradient: GradientFill) => hashId(JSON.stringify(gradient))

function writeLogo({ box, clip, picture }: LogoLayer): string {
  const id = clip && hashId(JSON.stringify(clip))
  const image =
    `<image ${writeBox(box)} preserveAspectRatio="none"` +
    (id ? ` clip-path="url(#${id})"` : '') +
    ` href="${escapeXml(picture.dataUri)}"/>`
  if (!clip) return image
  const circle = `<circle cx="${short(clip.x)}" cy="${short(clip.y)}" r="${short(clip.radius)}"/>`
  return `<clipPath id="${id}">${circle}</clipPath>${image}`
}

const writeBox = ({ x, y, width, height }: Box) =>
  `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`

const short = (value: number) => String(Math.round(value * 1000) / 1000)

/** Returns an id for a text: 32-bit FNV-1a. */
function hashId(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return `q${(hash >>> 0).toString(36)}`
}

const xmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Replaces characters that XML 1.0 forbids, even escaped, by U+FFFD: one of them makes the whole
 * file unreadable.
 */
function escapeXml(text: string): string {
  // Nearly all texts are colors.
  if (/^[\w# ]*$/.test(text)) return text
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replace(/[&<>"']/g, (character) => xmlEntities[character] ?? '')
}
