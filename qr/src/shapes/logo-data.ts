import { deflateSync } from 'node:zlib'
import type { ColorSpace } from '@everscan/contract/resources/downloads.ts'
import type { Color } from './colors.ts'
import { inksOf } from './inks.ts'
import type { LogoPicture } from './logos.ts'
import { PictureError } from '../picture.ts'

/** A logo as PDF and PostScript embed it: compressed samples of 8 bits, line by line. */
export type LogoData = {
  readonly filter: 'FlateDecode' | 'DCTDecode'
  readonly colorSpace: 'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK'
  readonly samples: Buffer
  /** Opacity, one sample per pixel, compressed with zlib. Absent if the logo is opaque. */
  readonly alpha?: Buffer | undefined
}

/**
 * Returns the data of a logo: its pixels if the caller has them, else the JPEG unchanged. `over` is
 * the color that shows through in a format without transparency. Throws `PictureError` if there are
 * no pixels and the file is no JPEG, or a JPEG in CMYK, or if `colorSpace` needs pixels.
 */
export function readLogoData(
  picture: LogoPicture,
  { over, colorSpace }: { over?: Color | undefined; colorSpace?: ColorSpace | undefined } = {},
): LogoData {
  if (picture.rgba) {
    const pixels = readPixels(picture.rgba, over)
    const isCmyk = colorSpace === 'cmyk'
    return {
      filter: 'FlateDecode',
      colorSpace: isCmyk ? 'DeviceCMYK' : 'DeviceRGB',
      samples: deflateSync(isCmyk ? toInks(pixels.samples) : pixels.samples, { level: 9 }),
      alpha: pixels.alpha && deflateSync(pixels.alpha, { level: 9 }),
    }
  }
  if (colorSpace === 'cmyk') throw new PictureError('a logo in inks must be pixels')
  const samples = readJpeg(picture.dataUri)
  const components = samples && countComponents(samples)
  if (!samples || (components !== 1 && components !== 3)) {
    throw new PictureError('a logo in print must be pixels, or a JPEG in grey or RGB')
  }
  return { filter: 'DCTDecode', colorSpace: components === 1 ? 'DeviceGray' : 'DeviceRGB', samples }
}

/** `samples`: three bytes a pixel. `alpha`: one, absent if the logo is opaque. */
function readPixels(
  rgba: Uint8Array,
  over: Color | undefined,
): { samples: Buffer; alpha?: Buffer | undefined } {
  const count = Math.trunc(rgba.length / 4)
  const samples = Buffer.alloc(count * 3)
  const alpha = Buffer.alloc(count)
  const under = over && [over.red, over.green, over.blue]
  for (let at = 0; at < count; at++) {
    const opacity = rgba[at * 4 + 3] ?? 0
    alpha[at] = opacity
    for (let part = 0; part < 3; part++) {
      const above = rgba[at * 4 + part] ?? 0
      const beneath = under?.[part] ?? above
      samples[at * 3 + part] = Math.round((above * opacity + beneath * (255 - opacity)) / 255)
    }
  }
  const isOpaque = over !== undefined || alpha.every((opacity) => opacity === 255)
  return { samples, alpha: isOpaque ? undefined : alpha }
}

/** Converts pixels of three bytes to four: cyan, magenta, yellow, black. */
function toInks(rgb: Buffer): Buffer {
  const inks = Buffer.alloc((rgb.length / 3) * 4)
  for (let at = 0; at * 3 < rgb.length; at++) {
    const [red = 0, green = 0, blue = 0] = rgb.subarray(at * 3, at * 3 + 3)
    for (const [ink, share] of inksOf({ red, green, blue }).entries())
      inks[at * 4 + ink] = Math.round(share * 255)
  }
  return inks
}

function readJpeg(dataUri: string): Buffer | undefined {
  const [head, body] = dataUri.split(',', 2)
  return head === 'data:image/jpeg;base64' && body !== undefined ? Buffer.from(body, 'base64') : undefined
}

/** Returns the number of components of a JPEG, from its frame header (ITU-T T.81, B.2.2). */
function countComponents(jpeg: Buffer): number | undefined {
  let at = 2
  while (at + 9 < jpeg.length && jpeg[at] === 0xff) {
    const marker = jpeg[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return jpeg[at + 9]
    at += 2 + jpeg.readUInt16BE(at + 2)
  }
  return undefined
}
