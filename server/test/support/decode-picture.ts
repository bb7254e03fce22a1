import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes, type ReadResult } from 'zxing-wasm/reader'

let prepared: Promise<unknown> | undefined

/** Decodes the QR codes in a PNG with a third-party decoder. */
export async function decodePicture(png: Uint8Array<ArrayBuffer>): Promise<ReadResult[]> {
  // The decoder compiles its binary each time that it receives it, so this happens only once.
  await (prepared ??= prepare())
  return readBarcodes(new Blob([png]), { formats: ['QRCode'], tryHarder: false })
}

function prepare(): Promise<unknown> {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  return prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer }, fireImmediately: true })
}
