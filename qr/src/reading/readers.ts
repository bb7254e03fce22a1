import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { decodeQR } from 'qr/decode.js'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** Four bytes a pixel: red, green, blue, alpha. */
export type Pixels = {
  readonly data: Uint8ClampedArray<ArrayBuffer>
  readonly width: number
  readonly height: number
}

/** The independent decoders, the one that decides first. */
export const readerNames = ['zxing', 'qr/decode'] as const
export type ReaderName = (typeof readerNames)[number]

/** Each returns the text of a code in its strict mode, or undefined if it finds none. */
export const readers: Readonly<Record<ReaderName, (pixels: Pixels) => Promise<string | undefined>>> = {
  zxing: async (pixels) => {
    await (prepared ??= prepare())
    const image = { ...pixels, colorSpace: 'srgb' }
    const [found] = await readBarcodes(image as Parameters<typeof readBarcodes>[0], strict)
    return found?.text
  },
  'qr/decode': async (pixels) => {
    try {
      // Without further attempts, it has no limit of time: a busy machine reads the same.
      return decodeQR(pixels, { effort: 1 })
    } catch {
      return undefined
    }
  },
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
  const path = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  await prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(readFileSync(path)).buffer },
    fireImmediately: true,
  })
}
