import { testSeed } from '@everscan/contract/testing/random.ts'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  cornerDotStyles,
  cornerSquareStyles,
  dotStyles,
  frameStyles,
  gradientTypes,
  type Style,
} from '@everscan/contract/resources/styles.ts'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

// Tools for the tests of this workspace. Product code never imports this file.

/** The printed seed. `SEED=…` repeats a random failure. */
export const seed = testSeed()

/** Halves the runs in `npm test`, whose seeds differ. `SOAK=1` runs twenty times as many. */
export const runs = (count: number) => ({
  seed,
  numRuns: process.env.SOAK === '1' ? count * 20 : Math.ceil(count / 2),
})

export const alphanumericText = (lengthMax: number) =>
  fc.stringMatching(/^[0-9A-Z $%*+\-./:]+$/, { maxLength: lengthMax })

export const shortCode = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{7}$/)

/** Short URLs of real installations: any host, some ports and prefixes, random and custom codes. */
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

/** Returns the texts of all QR codes that an independent decoder finds in its strict mode. */
export async function readPng(png: Uint8Array): Promise<string[]> {
  if (!prepared) {
    // Without the bytes the library downloads them from a CDN.
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

/**
 * Returns the texts that the strict reader finds in a picture of about this many pixels per module.
 * One in about 2,000 styled pictures falls between the reader's samples at one size and is read at
 * every other size, so the second attempt has one pixel per module more.
 */
export async function readNear(
  modulePx: number,
  draw: (modulePx: number) => Promise<Uint8Array>,
): Promise<string[]> {
  const texts = await readPng(await draw(modulePx))
  return texts.length > 0 ? texts : readPng(await draw(modulePx + 1))
}

/** Draws an SVG in its natural size, as a browser or a printer would. */
export const rasterize = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toBuffer()

/**
 * A logo of 48 × 32 pixels: opaque red on the left, half-transparent blue on the right. Golden
 * files contain its bytes.
 */
export const testLogo = {
  dataUri:
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAYAAABU1PscAAAACXBIWXMAAAPoAAAD6AG1e1JrAA' +
    'AAYUlEQVRYhe3YOQEAMQwDwSBxLRABF3gGES4+BFemm8IA/Eu7ujIvI/uel7EkUDpwjFBb4rhCcUbLIxufeJMSIeaaGr3k9D' +
    'A0xZEdlrKZ+qASgVUK2BpkbkOLAXeDTt/fInxnhmemiCt5+AAAAABJRU5ErkJggg==',
  widthPx: 48,
  heightPx: 32,
  rgba: Uint8Array.from({ length: 48 * 32 * 4 }, (_, at) => {
    const colors = (at >> 2) % 48 < 24 ? [200, 30, 40, 255] : [40, 60, 220, 128]
    return colors[at & 3] ?? 0
  }),
}

const darkColor = fc.constantFrom('#000000', '#1E3A8A', '#7F1D1D', '#064E3B', '#4C1D95', '#0f172a')
const lightColor = fc.constantFrom('#FFFFFF', '#FEF9C3', '#ecfeff', '#FFF7ED')

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })

/** Styles that a reader must be able to read, without gradient and logo. */
export const flatStyle: fc.Arbitrary<Style> = fc
  .record({
    foregroundColor: optional(darkColor),
    backgroundColor: optional(lightColor),
    cornerRadius: optional(fc.integer({ min: 0, max: 100 })),
    dotStyle: optional(fc.constantFrom(...dotStyles)),
    cornerSquareStyle: optional(fc.constantFrom(...cornerSquareStyles)),
    cornerDotStyle: optional(fc.constantFrom(...cornerDotStyles)),
    cornerSquareColor: optional(darkColor),
    cornerDotColor: optional(darkColor),
    margin: optional(fc.integer({ min: 3, max: 8 })),
    frame: optional(
      fc.record({
        style: fc.constantFrom(...frameStyles),
        text: fc.constantFrom(
          'Scan me',
          'Απόδειξη',
          'Меню на сегодня',
          'Voilà, a caption of 40 characters, n° 1',
        ),
        color: darkColor,
        textColor: lightColor,
      }),
    ),
  })
  .map(dropAbsent)

/** The same with gradients and logos of any shape, at the error correction level they need. */
export const anyStyle: fc.Arbitrary<Style> = fc
  .record({
    flat: flatStyle,
    gradient: optional(
      fc
        .record({
          type: fc.constantFrom(...gradientTypes),
          angle: fc.integer({ min: 0, max: 360 }),
          colors: fc.tuple(darkColor, darkColor),
        })
        .map(({ colors, ...gradient }) => ({ ...gradient, colors: [...colors] })),
    ),
    logo: optional(
      fc.record({
        dataUri: fc.constant(testLogo.dataUri),
        scale: fc.double({ min: 0.1, max: 0.2, noNaN: true }),
        margin: fc.constantFrom(0, 0.5, 1),
        round: fc.boolean(),
      }),
    ),
  })
  .map(({ flat, gradient, logo }) => dropAbsent({ ...flat, gradient, logo }))

function dropAbsent(style: { [K in keyof Style]: Style[K] | undefined }): Style {
  return Object.fromEntries(Object.entries(style).filter(([, value]) => value !== undefined))
}
