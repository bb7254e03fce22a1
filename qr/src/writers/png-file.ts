import { crc32 } from 'node:zlib'
import type { Color } from '../shapes/colors.ts'

/** A color of a palette. Transparent colors have an `alpha` below 255. */
export type PaletteColor = Color & { readonly alpha?: number | undefined }

export type PngFile = {
  readonly widthPx: number
  readonly heightPx: number
  readonly bitsPerPixel: 1 | 4 | 8
  readonly palette: readonly PaletteColor[]
  /** A filter byte and the packed pixels of each line, compressed with zlib. */
  readonly scanlines: Buffer
  readonly pixelsPerMetre?: number | undefined
}

/** Writes a PNG with a palette: only the required chunks in standard order, no dates or names. */
export function writePngFile(file: PngFile): Buffer {
  const { palette, pixelsPerMetre } = file
  const alphas = palette.map(({ alpha = 255 }) => alpha)
  const lastTransparent = alphas.findLastIndex((alpha) => alpha < 255)
  return Buffer.concat([
    signature,
    writeChunk('IHDR', writeHeader(file)),
    ...(pixelsPerMetre === undefined ? [] : [writeChunk('pHYs', writeDensity(pixelsPerMetre))]),
    writeChunk('PLTE', Buffer.from(palette.flatMap(({ red, green, blue }) => [red, green, blue]))),
    ...(lastTransparent < 0 ? [] : [writeChunk('tRNS', Buffer.from(alphas.slice(0, lastTransparent + 1)))]),
    writeChunk('IDAT', file.scanlines),
    writeChunk('IEND', Buffer.alloc(0)),
  ])
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** PNG (third edition), 5.3: length, type, data, and the CRC of type and data. */
function writeChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.allocUnsafe(data.length + 12)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8)
  return chunk
}

function writeHeader({ widthPx, heightPx, bitsPerPixel }: PngFile): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(widthPx, 0)
  header.writeUInt32BE(heightPx, 4)
  header[8] = bitsPerPixel
  header[9] = 3 // palette
  return header
}

/** 11.3.4.3: equal density on both axes, in pixels per metre. */
function writeDensity(pixelsPerMetre: number): Buffer {
  const density = Buffer.alloc(9)
  density.writeUInt32BE(Math.round(pixelsPerMetre), 0)
  density.writeUInt32BE(Math.round(pixelsPerMetre), 4)
  density[8] = 1
  return density
}
