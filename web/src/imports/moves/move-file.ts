import { jsonLinkTable } from '@everscan/contract/moves/json-links.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { decodeText, startsWith } from '../file-text.ts'
import { readCsvHead } from '../import-files.ts'

/** Beginning of an export: its columns and first links, or the reason why there are none. */
export type MoveFile =
  | { problem: 'tooLarge' | 'jsonTooLarge' | 'empty' | 'unreadable' | 'workbook' }
  | { problem: undefined; header: string[]; rows: string[][] }

/** A file that was chosen. `number` tells apart files that were chosen one after the other. */
export type ChosenMoveFile = { file: File; read: MoveFile & { problem: undefined }; number: number }

/** Enough for a few links, however long their texts are. */
const headBytes = 512 * 1024

/** Reads the beginning of an export as the service will; JSON as a whole, which is never large. */
export async function readMoveFile(file: File): Promise<MoveFile> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  if (startsWith(bytes, [0x50, 0x4b, 3, 4]) || startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    return { problem: 'workbook' }
  if (/^\s*[[{]/.test(decodeText(bytes))) return readJson(file)
  if (file.size > limits.moveBytesMax) return { problem: 'tooLarge' }
  const read = readCsvHead(bytes)
  if (read.problem !== undefined) return { problem: read.problem === 'empty' ? 'empty' : 'unreadable' }
  return tableOf(read)
}

async function readJson(file: File): Promise<MoveFile> {
  if (file.size > limits.moveJsonBytesMax) return { problem: 'jsonTooLarge' }
  try {
    const table = jsonLinkTable(JSON.parse(await file.text()))
    return table === undefined ? { problem: 'empty' } : tableOf(table)
  } catch {
    return { problem: 'unreadable' }
  }
}

function tableOf({ header, rows }: { header: string[]; rows: string[][] }): MoveFile {
  if (header.length === 0 || rows.length === 0) return { problem: 'empty' }
  const names = header.map((name) => Array.from(name.trim()).slice(0, limits.nameCharsMax).join(''))
  return { problem: undefined, header: names, rows: rows.slice(0, limits.movePreviewLinksMax) }
}
