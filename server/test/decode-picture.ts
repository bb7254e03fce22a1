import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes, type ReadResult } from 'zxing-wasm/reader'

/** Reads the QR codes in a PNG with a decoder that is not ours. */
export async function decodePicture(png: Uint8Array<ArrayBuffer>): Promise<ReadResult[]> {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  await prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer }, fireImmediately: true })
  return readBarcodes(new Blob([png]), { formats: ['QRCode'], tryHarder: false })
}
