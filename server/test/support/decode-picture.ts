import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes, type ReadResult } from 'zxing-wasm/reader'

let prepared: Promise<unknown> | undefined

/** Reads the QR codes in a PNG with a decoder that is not ours. */
export async function decodePicture(png: Uint8Array<ArrayBuffer>): Promise<ReadResult[]> {
  // Each time it is given its binary it compiles it.
  await (prepared ??= prepare())
  return readBarcodes(new Blob([png]), { formats: ['QRCode'], tryHarder: false })
}

function prepare(): Promise<unknown> {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  return prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer }, fireImmediately: true })
}
