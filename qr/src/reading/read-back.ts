import sharp, { type Sharp } from 'sharp'
import type { Drawing } from '../drawing/drawing.ts'
import { writeSvg } from '../writers/svg.ts'
import { type Pixels, type ReaderName, readerNames, readers } from './readers.ts'

/** The result of reading a picture back. */
export type Reading = {
  /** The results of each reader; the first reader decides. */
  readonly readers: readonly ReaderReading[]
  /**
   * The fewest pixels per module at which a camera's picture can be read, 3 to 1.5. Undefined if
   * the first reader missed a picture that it must read.
   */
  readonly minModulePx: number | undefined
}

export type ReaderReading = {
  readonly name: ReaderName
  /** The conditions in which the reader did not find the text. */
  readonly missed: readonly ReadingCondition[]
  /** The number of pictures that it was shown. */
  readonly of: number
}

export const readingConditions = [
  'full',
  'odd',
  'half',
  'small',
  'blurred',
  'grey',
  'worn',
  'paper',
  'red',
] as const
export type ReadingCondition = (typeof readingConditions)[number]

const fullModulePx = 8
/** Blur like a lens out of focus: a fifth of a module to each side. */
const blurModules = 0.2
/** The edges of modules fall between pixels. */
const oddModulePx = 5.4
const smallModulePx = 3
/** Decreasing resolutions, tried until the decoder fails. */
const modulePxTried = [2.5, 2, 1.75, 1.5] as const
/** The white paper that is seen around a picture. */
const whiteModules = 8
const white = '#FFFFFF'

export type ReadBackOptions = {
  /** The modules of paper around the picture that count as quiet zone. */
  readonly paperModules?: number
  /**
   * The same picture with a larger loss. It must be read too, so that similar pictures have a
   * margin of safety.
   */
  readonly worn?: Drawing | undefined
  /** Whether the picture has its own background, which is then also read on white paper. */
  readonly isOpaque?: boolean
}

/**
 * Draws a picture and shows it to two independent decoders, zxing in its strict mode and
 * qr/decode: at full size, between pixels, at half size, small, blurred, in grey, on white paper if
 * its background is another color, and in red light; then to zxing at decreasing sizes. They must
 * find `text`. Measured: 35 ms for version 2, 4 ms of them for the second decoder.
 */
export async function readBack(
  drawing: Drawing,
  text: string,
  { paperModules = 0, worn, isOpaque = true }: ReadBackOptions = {},
): Promise<Reading> {
  const around = { modules: paperModules, color: drawing.background }
  const full = await rasterize(drawing, fullModulePx, around)
  const scale = (factor: number): Sharp =>
    open(full).resize({ width: Math.max(1, Math.round(full.width * factor)), kernel: 'mitchell' })
  const rasterizeFull = (one: Drawing, paper = around) => rasterize(one, fullModulePx, paper)
  const isOnWhite = !isOpaque || drawing.background.toUpperCase() === white
  const pictures: Record<ReadingCondition, (() => Sharp | Promise<Sharp>) | undefined> = {
    full: () => open(full),
    odd: () => scale(oddModulePx / fullModulePx),
    half: () => scale(1 / 2),
    small: () => scale(smallModulePx / fullModulePx),
    blurred: () => open(full).blur(blurModules * fullModulePx),
    grey: () => open(full).recomb(evenPart([0.299, 0.587, 0.114])),
    worn: worn && (async () => open(await rasterizeFull(worn))),
    paper: isOnWhite
      ? undefined
      : async () => open(await rasterizeFull(drawing, { modules: whiteModules, color: white })),
    red: () => open(full).recomb(evenPart([1, 0, 0])),
  }
  const missed: Record<ReaderName, ReadingCondition[]> = { zxing: [], 'qr/decode': [] }
  let of = 0
  for (const condition of readingConditions) {
    const picture = await pictures[condition]?.()
    if (picture === undefined) continue
    of++
    const pixels = await pixelsOf(picture)
    for (const name of readerNames) if ((await readers[name](pixels)) !== text) missed[name].push(condition)
  }
  const results = readerNames.map((name) => ({ name, missed: missed[name], of }))
  if (missed.zxing.some((condition) => condition !== 'red'))
    return { readers: results, minModulePx: undefined }
  let minModulePx: number = smallModulePx
  for (const modulePx of modulePxTried) {
    if ((await readers.zxing(await pixelsOf(scale(modulePx / fullModulePx)))) !== text) break
    minModulePx = modulePx
  }
  return { readers: results, minModulePx }
}

/**
 * Makes a picture of one part, with these weights of red, green and blue. It keeps three channels:
 * decoders expect them.
 */
const evenPart = (weights: Weights): [Weights, Weights, Weights] => [weights, weights, weights]
type Weights = [red: number, green: number, blue: number]

type Raster = { readonly data: Buffer; readonly width: number; readonly height: number; readonly channels: 3 }

type Paper = { readonly modules: number; readonly color: string }

async function rasterize(drawing: Drawing, modulePx: number, paper: Paper): Promise<Raster> {
  const widthPx = Math.round(drawing.width * modulePx)
  const svg = Buffer.from(writeSvg(drawing, { sizePx: Math.min(4096, Math.max(64, widthPx)) }))
  const { data, info } = await sharp(svg)
    .resize({ width: widthPx })
    .flatten({ background: drawing.background })
    .extend({ ...evenly(paper.modules * modulePx), background: paper.color })
    .toColorspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}

const evenly = (px: number) => ({ top: px, bottom: px, left: px, right: px })

const open = ({ data, width, height, channels }: Raster): Sharp =>
  sharp(data, { raw: { width, height, channels } })

async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return { data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.length), width, height }
}
