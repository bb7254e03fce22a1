import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import jsQR from 'jsqr'
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

/** Reads with jsQR, which is no longer maintained, but part of many apps. */
export async function readWithJsQr(picture: Sharp): Promise<string | undefined> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length)
  return jsQR.default(pixels, info.width, info.height, { inversionAttempts: 'dontInvert' })?.data
}

/** Whether the program `zbarimg` is installed. */
export const hasZbar = (): boolean => spawnSync('zbarimg', ['--version']).status === 0

/** Reads pictures with the program `zbarimg`, all in one process. */
export async function readWithZbar(pictures: readonly Sharp[]): Promise<(string | undefined)[]> {
  const dir = mkdtempSync(join(tmpdir(), 'zbar-'))
  try {
    const paths = pictures.map((_, at) => join(dir, `${at}.png`))
    for (const [at, path] of paths.entries()) await pictures[at]?.png({ compressionLevel: 1 }).toFile(path)
    const xml = zbarXml(paths)
    return paths.map((path) => {
      const from = xml.indexOf(`href='${path}'`)
      const source = from === -1 ? '' : xml.slice(from, xml.indexOf('</source>', from))
      return /<!\[CDATA\[(.*?)\]\]>/s.exec(source)?.[1]
    })
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** A picture without a code makes its exit status 4. */
function zbarXml(paths: readonly string[]): string {
  const args = ['-q', '--xml', '-Sdisable', '-Sqrcode.enable', ...paths]
  try {
    return execFileSync('zbarimg', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? ''
  }
}

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
