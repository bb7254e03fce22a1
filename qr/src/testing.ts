import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

// Tools for the tests of this workspace; no product code imports this file.

/** Printed, so that a random failure can be run again with `SEED=…`. */
export const seed = Number(process.env.SEED ?? Math.trunc(Math.random() * 2 ** 31))
console.log(`SEED=${seed}`)

/** Times as many runs with `SOAK=1`. */
export const runs = (count: number) => ({ seed, numRuns: process.env.SOAK === '1' ? count * 20 : count })

export const alphanumericText = (lengthMax: number) =>
  fc.stringMatching(/^[0-9A-Z $%*+\-./:]+$/, { maxLength: lengthMax })

export const shortCode = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{7}$/)

/** Short URLs as installations have them: any host, a port or a path prefix at times, random and chosen codes. */
export const shortUrl = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    host: fc.stringMatching(/^[a-z][a-z0-9]{0,12}(\.[a-z][a-z0-9]{1,8}){1,2}$/),
    port: fc.constantFrom('', '', ':3000', ':8443'),
    prefix: fc.constantFrom('', '', '/q', '/GO'),
    code: fc.oneof(shortCode, fc.stringMatching(/^[A-Za-z0-9-]{4,32}$/)),
  })
  .map(({ scheme, host, port, prefix, code }) => `${scheme}://${host}${port}${prefix}/${code}`)

let prepared = false

/** What an independent decoder, in its strict mode, reads in a PNG: the texts of all QR codes found. */
export async function readPng(png: Uint8Array): Promise<string[]> {
  if (!prepared) {
    // Without the bytes the library asks a CDN for them.
    const wasmPath = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
    const bytes = readFileSync(wasmPath)
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(bytes).buffer } })
    prepared = true
  }
  const results = await readBarcodes(png, {
    formats: ['QRCode'],
    tryHarder: false,
    tryInvert: false,
    tryRotate: false,
    tryDownscale: false,
    tryDenoise: false,
  })
  return results.map((result) => result.text)
}

/** Draws an SVG in its own size, as a browser or a printer would. */
export const rasterize = (svg: string): Promise<Buffer> => sharp(Buffer.from(svg)).png().toBuffer()
