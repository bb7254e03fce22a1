import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { Drawing } from '../drawing/drawing.ts'
import { writeSvg } from '../writers/svg.ts'

/** The result of reading a picture back. */
export type Reading = {
  /** The conditions under which the decoder failed. Empty if the picture scans. */
  readonly failed: readonly ReadingCondition[]
  /**
   * The fewest pixels per module at which a camera's picture can be read, 3 to 1.5. Undefined if a
   * condition failed.
   */
  readonly minModulePx: number | undefined
}

export const readingConditions = ['full', 'odd', 'half', 'small', 'blurred', 'grey', 'worn'] as const
export type ReadingCondition = (typeof readingConditions)[number]

const fullModulePx = 8
/** Blur like a lens out of focus: a fifth of a module to each side. */
const blurModules = 0.2
/** The edges of modules fall between pixels. */
const oddModulePx = 5.4
const smallModulePx = 3
/** Decreasing resolutions, tried until the decoder fails. */
const modulePxTried = [2.5, 2, 1.75, 1.5] as const

export type ReadBackOptions = {
  /** The modules of paper around the picture that count as quiet zone. */
  readonly paperModules?: number
  /**
   * The same picture with a larger loss. It must be read too, so that similar pictures have a
   * margin of safety.
   */
  readonly worn?: Drawing | undefined
}

/**
 * Draws a picture and reads it with an independent decoder in its strict mode: at full size,
 * between pixels, at half size, small, blurred, and in grey, then at decreasing sizes. The decoder
 * must find `text`. Measured: 25 ms for version 2.
 */
export async function readBack(
  drawing: Drawing,
  text: string,
  { paperModules = 0, worn }: ReadBackOptions = {},
): Promise<Reading> {
  const full = await rasterize(drawing, fullModulePx, paperModules)
  const scale = (factor: number): Sharp =>
    open(full).resize({ width: Math.max(1, Math.round(full.width * factor)), kernel: 'mitchell' })
  const wornFull = worn && (await rasterize(worn, fullModulePx, paperModules))
  const pictures: Record<ReadingCondition, () => Sharp> = {
    full: () => open(full),
    odd: () => scale(oddModulePx / fullModulePx),
    half: () => scale(1 / 2),
    small: () => scale(smallModulePx / fullModulePx),
    blurred: () => open(full).blur(blurModules * fullModulePx),
    grey: () => open(full).greyscale(),
    worn: () => open(wornFull ?? full),
  }
  const failed: ReadingCondition[] = []
  for (const condition of readingConditions) {
    if (condition === 'worn' && worn === undefined) continue
    if ((await readText(pictures[condition]())) !== text) failed.push(condition)
  }
  if (failed.length > 0) return { failed, minModulePx: undefined }
  let minModulePx: number = smallModulePx
  for (const modulePx of modulePxTried) {
    if ((await readText(scale(modulePx / fullModulePx))) !== text) break
    minModulePx = modulePx
  }
  return { failed, minModulePx }
}

type Raster = { readonly data: Buffer; readonly width: number; readonly height: number; readonly channels: 3 }

async function rasterize(drawing: Drawing, modulePx: number, paperModules: number): Promise<Raster> {
  const widthPx = Math.round(drawing.width * modulePx)
  const svg = Buffer.from(writeSvg(drawing, { sizePx: Math.min(4096, Math.max(64, widthPx)) }))
  const { data, info } = await sharp(svg)
    .resize({ width: widthPx })
    .flatten({ background: drawing.background })
    .extend({ ...evenly(paperModules * modulePx), background: drawing.background })
    .toColorspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}

const evenly = (px: number) => ({ top: px, bottom: px, left: px, right: px })

const open = ({ data, width, height, channels }: Raster): Sharp =>
  sharp(data, { raw: { width, height, channels } })

async function readText(picture: Sharp): Promise<string | undefined> {
  const { data, info } = await picture
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  await (prepared ??= prepare())
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length)
  const image = { data: pixels, width: info.width, height: info.height, colorSpace: 'srgb' }
  const [found] = await readBarcodes(image as Parameters<typeof readBarcodes>[0], strict)
  return found?.text
}

/** Disables everything that helps a reader: phones differ in what they try. */
const strict = {
  formats: ['QRCode' as const],
  tryHarder: false,
  tryInvert: false,
  tryRotate: false,
  tryDownscale: false,
  tryDenoise: false,
  maxNumberOfSymbols: 1,
}

let prepared: Promise<unknown> | undefined

async function prepare(): Promise<void> {
  // Without the bytes the library downloads them from a CDN.
  const path = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
  await prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(readFileSync(path)).buffer },
    fireImmediately: true,
  })
}
