import { jsonLinkTable } from '@everscan/contract/moves/json-links.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { decodeText, startsWith } from '../file-text.ts'
import { movesWords } from '../../words/moves-words.ts'
import type { ReadFile } from '../choose-file.tsx'
import { megabytes, readCsvHead } from '../import-files.ts'

const { problems } = movesWords.file

/** Enough for a few links, however long their texts are. */
const headBytes = 512 * 1024

/** Reads the beginning of an export as the service will; JSON as a whole, which is never large. */
export async function readMoveFile(file: File): Promise<ReadFile> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  if (startsWith(bytes, [0x50, 0x4b, 3, 4]) || startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    return { problem: problems.workbook }
  if (/^\s*[[{]/.test(decodeText(bytes))) return readJson(file)
  if (file.size > limits.moveBytesMax) return { problem: problems.tooLarge(megabytes(limits.moveBytesMax)) }
  const read = readCsvHead(bytes)
  return typeof read === 'string' ? { problem: problems[read] } : tableOf(read)
}

async function readJson(file: File): Promise<ReadFile> {
  if (file.size > limits.moveJsonBytesMax)
    return { problem: problems.jsonTooLarge(megabytes(limits.moveJsonBytesMax)) }
  try {
    const table = jsonLinkTable(JSON.parse(await file.text()))
    return table === undefined ? { problem: problems.empty } : tableOf(table)
  } catch {
    return { problem: problems.unreadable }
  }
}

function tableOf({ header, rows }: { header: string[]; rows: string[][] }): ReadFile {
  if (header.length === 0 || rows.length === 0) return { problem: problems.empty }
  const names = header.map((name) => Array.from(name.trim()).slice(0, limits.nameCharsMax).join(''))
  return { problem: undefined, header: names, rows: rows.slice(0, limits.movePreviewLinksMax) }
}
