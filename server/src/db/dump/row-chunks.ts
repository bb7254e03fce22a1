import type { RowChunk } from './catalogue-snapshot.ts'

const chunkBytes = 1024 ** 2
const lineFeed = 0x0a

/** Splits bytes after whole lines. The last line ends with a line feed. */
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

/**
 * Joins lines that each end with a line feed. Encodes each line immediately, because many pending
 * strings take the most memory.
 */
export function* chunksOfLines(lines: Iterable<string>): Generator<RowChunk> {
  let buffer = Buffer.of()
  let [rows, used] = [0, 0]
  for (const line of lines) {
    const needed = Buffer.byteLength(line)
    if (rows > 0 && used + needed > buffer.length) {
      yield { rows, bytes: buffer.subarray(0, used) }
      ;[rows, used] = [0, 0]
    }
    if (rows === 0) buffer = Buffer.allocUnsafe(Math.max(chunkBytes, needed))
    used += buffer.write(line, used)
    rows++
  }
  // A copy, so that a small table does not retain a whole MiB.
  if (rows > 0) yield { rows, bytes: Buffer.from(buffer.subarray(0, used)) }
}

/** JSON contains line feeds only between its lines. */
function rowChunk(bytes: Buffer): RowChunk {
  let rows = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) rows++
  return { rows, bytes }
}
