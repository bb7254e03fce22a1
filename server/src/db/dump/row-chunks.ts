import type { RowChunk } from './catalogue-snapshot.ts'

const chunkBytes = 1024 ** 2
const lineFeed = 0x0a

/** Cuts bytes after whole lines, the last of which ends with a line feed. */
export async function* chunksOfBytes(pieces: AsyncIterable<Buffer>): AsyncGenerator<RowChunk> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const piece of pieces) {
    held.push(piece)
    heldBytes += piece.length
    const lineEnd = piece.lastIndexOf(lineFeed)
    if (heldBytes < chunkBytes || lineEnd < 0) continue
    const all = Buffer.concat(held)
    const end = heldBytes - piece.length + lineEnd + 1
    yield rowChunk(all.subarray(0, end))
    held = [all.subarray(end)]
    heldBytes -= end
  }
  if (heldBytes > 0) yield rowChunk(Buffer.concat(held))
}

/** Puts lines together; each has its line feed. They become bytes at once, as many texts that wait together are what memory is lost to. */
export function* chunksOfLines(lines: Iterable<string>): Generator<RowChunk> {
  let room = Buffer.of()
  let [rows, used] = [0, 0]
  for (const line of lines) {
    const needed = Buffer.byteLength(line)
    if (rows > 0 && used + needed > room.length) {
      yield { rows, bytes: room.subarray(0, used) }
      ;[rows, used] = [0, 0]
    }
    if (rows === 0) room = Buffer.allocUnsafe(Math.max(chunkBytes, needed))
    used += room.write(line, used)
    rows++
  }
  // A small table does not keep a whole MiB.
  if (rows > 0) yield { rows, bytes: Buffer.from(room.subarray(0, used)) }
}

/** JSON has line feeds between its lines only. */
function rowChunk(bytes: Buffer): RowChunk {
  let rows = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) rows++
  return { rows, bytes }
}
