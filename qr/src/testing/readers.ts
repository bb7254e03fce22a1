import { PDFiumLibrary } from '@hyzyla/pdfium'
import { decodeQR } from 'qr/decode.js'
import sharp, { type Sharp } from 'sharp'
import { readPng } from './pictures.ts'

// Independent readers and an independent rasterizer. Product code never imports this file.

/** The paper under a picture: its color, `#RRGGBB`, and its width around the picture. */
export type Paper = { readonly color: string; readonly aroundPx: number }

/** Readers of a picture on paper, each in its strict mode. Undefined if they find no text. */
export const readers = {
  zxing: async (picture: Sharp): Promise<string | undefined> =>
    (await readPng(await picture.png({ compressionLevel: 1 }).toBuffer()))[0],
  qr: async (picture: Sharp): Promise<string | undefined> => {
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
    try {
      return decodeQR({ width: info.width, height: info.height, data })
    } catch {
      return undefined
    }
  },
} as const

/** Returns a picture as it is seen: on its paper, without transparency. */
export async function layOnPaper(picture: Sharp, { color, aroundPx }: Paper): Promise<Sharp> {
  const around = { top: aroundPx, bottom: aroundPx, left: aroundPx, right: aroundPx }
  const { data, info } = await picture
    .flatten({ background: color })
    .extend({ ...around, background: color })
    .toColorspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
}

let pdfium: Promise<PDFiumLibrary> | undefined

/** Renders the page of a PDF with another program, `widthPx` wide. */
export async function rasterizePdf(pdf: Uint8Array, widthPx: number): Promise<Sharp> {
  const document = await (await (pdfium ??= PDFiumLibrary.init())).loadDocument(pdf)
  const page = document.getPage(0)
  const scale = widthPx / page.getOriginalSize().originalWidth
  const { data, width, height } = await page.render({ scale, render: 'bitmap' })
  // The bitmap belongs to the library's memory until the document is destroyed.
  const pixels = Buffer.from(data)
  document.destroy()
  return sharp(pixels, { raw: { width, height, channels: 4 } })
}
