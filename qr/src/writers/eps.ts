import type { ColorSpace } from '@everscan/contract/resources/downloads.ts'
import { parseColor } from '../shapes/colors.ts'
import type { Drawing, Layer, LogoLayer } from '../drawing/drawing.ts'
import type { GradientFill } from '../shapes/fills.ts'
import { readLogoData } from '../shapes/logo-data.ts'
import { cropMarkLines, layersWithBleed, markLinePt } from './bleed.ts'
import {
  measurePrint,
  type PrintMeasures,
  printMatrix,
  type PrintOptions,
  writeInk,
  writeNumber,
  writePrintPath,
  writeShade,
} from './print.ts'
import { pushCircle } from '../shapes/shapes.ts'

/**
 * Writes a drawing as Encapsulated PostScript, `widthMm` wide, in vectors and 7-bit ASCII. Bleed
 * and crop marks are outside this width. Black is black ink alone, unless `colorSpace` is `rgb`.
 * Gradients and logos require Level 3, everything else Level 2. PostScript has no transparency: a
 * transparent picture has no background, and half-transparent pixels of a logo are blended with the
 * background color.
 *
 * Throws `PictureError` for a width out of bounds, and for a logo that is neither pixels nor a JPEG
 * in grey or RGB.
 */
export function writeEps(drawing: Drawing, options: PrintOptions): string {
  const { title, colorSpace } = options
  const measures = measurePrint(drawing, options)
  const widthPt = measures.widthPt + 2 * measures.aroundPt
  const heightPt = measures.heightPt + 2 * measures.aroundPt
  const isFlat = drawing.layers.every((layer) => layer.kind !== 'logo' && typeof layer.fill === 'string')
  return [
    '%!PS-Adobe-3.0 EPSF-3.0',
    `%%BoundingBox: 0 0 ${Math.ceil(widthPt - 1e-6)} ${Math.ceil(heightPt - 1e-6)}`,
    `%%HiResBoundingBox: 0 0 ${writeNumber(widthPt, 4)} ${writeNumber(heightPt, 4)}`,
    ...(title === undefined ? [] : [`%%Title: (${escapeText(title)})`]),
    `%%LanguageLevel: ${isFlat ? 2 : 3}`,
    '%%DocumentData: Clean7Bit',
    '%%EndComments',
    '%%BeginProlog',
    // A separate dictionary, because the embedding document may use the same short names.
    '8 dict begin',
    '/m{moveto}bind def/l{lineto}bind def/c{curveto}bind def/h{closepath}bind def/f{fill}bind def',
    '/k{setcmykcolor}bind def/rg{setrgbcolor}bind def',
    '%%EndProlog',
    'gsave',
    `[${printMatrix(drawing, measures)}] concat`,
    ...layersWithBleed(drawing, measures).map((layer) =>
      writeLayer(layer, { background: drawing.background, colorSpace }),
    ),
    'grestore',
    ...writeMarks(measures, colorSpace === 'rgb'),
    'end',
    'showpage',
    '%%EOF',
    '',
  ].join('\n')
}

const inks = { cmyk: 'k', rgb: 'rg' } as const

type Colors = { readonly background: string; readonly colorSpace?: ColorSpace | undefined }

function writeLayer(layer: Layer, colors: Colors): string {
  const { colorSpace } = colors
  if (layer.kind === 'logo') return writeLogo(layer, colors)
  if (layer.kind === 'path') {
    const fill =
      typeof layer.fill === 'string'
        ? writeInk(layer.fill, inks, colorSpace)
        : writePattern(layer.fill, colorSpace)
    return `${fill}\n${writePrintPath(layer.path)}\nf`
  }
  const { x, y, width, height } = layer.box
  return `${writeInk(layer.fill, inks, colorSpace)}\n${[x, y, width, height].join(' ')} rectfill`
}

/** PostScript Language Reference, 4.9.3: a shading pattern, in the coordinates at its creation. */
function writePattern(gradient: GradientFill, colorSpace?: ColorSpace): string {
  const [from, to] = gradient.colors
  const [first, last] = [writeShade(from, colorSpace), writeShade(to, colorSpace)]
  const coordinates =
    gradient.type === 'linear'
      ? [gradient.from.x, gradient.from.y, gradient.to.x, gradient.to.y]
      : [gradient.centre.x, gradient.centre.y, 0, gradient.centre.x, gradient.centre.y, gradient.radius]
  return [
    `<</PatternType 2/Shading<</ShadingType ${gradient.type === 'linear' ? 2 : 3}/ColorSpace/${first.space}`,
    `/Coords[${coordinates.map((value) => writeNumber(value)).join(' ')}]/Extend[true true]`,
    `/Function<</FunctionType 2/Domain[0 1]/C0[${first.parts}]/C1[${last.parts}]/N 1>>>>>>`,
    'matrix makepattern setpattern',
  ].join('\n')
}

function writeLogo({ box, clip, picture }: LogoLayer, { background, colorSpace }: Colors): string {
  const data = readLogoData(picture, { over: parseColor(background), colorSpace })
  const circle: number[] = []
  if (clip) pushCircle(circle, clip, clip.radius)
  const place = [box.x, box.y].map((value) => writeNumber(value)).join(' ')
  const size = [box.width, box.height].map((value) => writeNumber(value)).join(' ')
  const decode = Array.from({ length: partsOf[data.colorSpace] }, () => '0 1').join(' ')
  const { widthPx, heightPx } = picture
  return [
    'gsave',
    ...(clip ? [`${writePrintPath(circle)} clip newpath`] : []),
    `${place} translate ${size} scale`,
    `/${data.colorSpace} setcolorspace`,
    `<</ImageType 1/Width ${widthPx}/Height ${heightPx}/BitsPerComponent 8/Decode[${decode}]/Interpolate true`,
    `/ImageMatrix[${widthPx} 0 0 ${heightPx} 0 0]`,
    `/DataSource currentfile/ASCII85Decode filter/${data.filter} filter>>image`,
    encodeAscii85(data.samples),
    'grestore',
  ].join('\n')
}

const partsOf = { DeviceGray: 1, DeviceRGB: 3, DeviceCMYK: 4 } as const

/** Crop marks are on all four plates. */
function writeMarks(measures: PrintMeasures, isRgb: boolean): string[] {
  const lines = cropMarkLines(measures).map((line) => {
    const [x1, y1, x2, y2] = line.map((value) => writeNumber(value))
    return `newpath ${x1} ${y1} moveto ${x2} ${y2} lineto stroke`
  })
  if (lines.length === 0) return []
  return [`${isRgb ? '0 0 0 rg' : '1 1 1 1 k'} ${markLinePt} setlinewidth`, ...lines]
}

/** PostScript Language Reference, 3.13.3: five digits for four bytes, z for four zeros, ~> ends. */
function encodeAscii85(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const count = Math.min(4, bytes.length - at)
    const group = Buffer.alloc(4)
    bytes.copy(group, 0, at, at + count)
    text += encodeGroup(group.readUInt32BE(0), count)
  }
  // A line must not begin with %: some spoolers read such a line as a structure comment.
  return `${text.replace(/.{120}/g, '$&\n').replace(/\n(%+)/g, '$1\n')}~>`
}

function encodeGroup(value: number, count: number): string {
  if (value === 0 && count === 4) return 'z'
  let digits = ''
  let rest = value
  for (let at = 0; at < 5; at++) {
    digits = String.fromCharCode(33 + (rest % 85)) + digits
    rest = Math.trunc(rest / 85)
  }
  return digits.slice(0, count + 1)
}

/** Returns a line of escaped ASCII. Structure comments have at most 255 characters. */
function escapeText(text: string): string {
  return text
    .slice(0, 200)
    .replace(/[^\x20-\x7e]/gu, '?')
    .replace(/[\\()]/g, '\\$&')
}
