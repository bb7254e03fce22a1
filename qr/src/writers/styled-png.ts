import { deflateSync } from 'node:zlib'
import type { Drawing } from '../drawing/drawing.ts'
import { checkSize, pictureDefaults } from '../picture.ts'
import { drawPixels, type Pixels } from '../drawing/pixels.ts'
import type { PngOptions } from './png.ts'
import { writePngFile } from './png-file.ts'

/**
 * Writes a flat drawing as PNG with a palette: 4 bits per pixel for up to 16 colors, else 8, and
 * transparent where the drawing is. The width is `sizePx`, by default 1024. A label makes the
 * picture taller than wide (`pictureHeightPx`).
 *
 * Throws `PictureError` for a size out of bounds or below one pixel per module, and `TypeError` for
 * a drawing with a gradient or a logo (`isFlat`), which have too many colors.
 */
export function writePng(
  drawing: Drawing,
  { sizePx = pictureDefaults.sizePx, pixelsPerMetre }: Pick<PngOptions, 'sizePx' | 'pixelsPerMetre'> = {},
): Buffer {
  checkSize(sizePx)
  const pixels = drawPixels(drawing, sizePx)
  const { widthPx, heightPx, palette } = pixels
  const bitsPerPixel = palette.length > 16 ? 8 : 4
  const scanlines = deflateSync(packLines(pixels, bitsPerPixel), { level: 6 })
  return writePngFile({ widthPx, heightPx, bitsPerPixel, palette, scanlines, pixelsPerMetre })
}

const filterUp = 2

/** A line equal to the line above is a filter byte and zeros. Other lines are unfiltered. */
function packLines({ widthPx, heightPx, indexes }: Pixels, bitsPerPixel: 4 | 8): Buffer {
  const lineBytes = 1 + Math.ceil((widthPx * bitsPerPixel) / 8)
  const lines = Buffer.alloc(lineBytes * heightPx)
  let above: Uint8Array | undefined
  for (let line = 0; line < heightPx; line++) {
    const row = indexes.subarray(line * widthPx, (line + 1) * widthPx)
    const at = line * lineBytes
    if (above && Buffer.compare(above, row) === 0) lines[at] = filterUp
    else if (bitsPerPixel === 8) lines.set(row, at + 1)
    else packHalves(lines, at + 1, row)
    above = row
  }
  return lines
}

/** Packs two pixels per byte, the left pixel in the high half. */
function packHalves(lines: Buffer, at: number, row: Uint8Array) {
  for (let x = 0; x < row.length; x += 2) {
    lines[at + (x >> 1)] = ((row[x] ?? 0) << 4) | (row[x + 1] ?? 0)
  }
}
