import { PassThrough, pipeline, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of an archive: its name there, and its pieces, which are asked for when it is their turn. */
export type ZippedFile = { name: string; pieces: () => AsyncIterable<string | Uint8Array> }

/**
 * A zip archive, made no faster than it is read, with one piece of one file in memory. What fails on the way destroys the stream, so that
 * nobody takes a part for the whole.
 */
export function zipStream(files: readonly ZippedFile[], modifiedAt: Date): Readable {
  const zip = new ZipFile()
  const out = new PassThrough()
  let current: Readable | undefined
  zip.on('error', (error: Error) => out.destroy(error))
  // At the end, and when the reader has left: nothing more is asked for.
  pipeline(zip.outputStream, out, () => current?.destroy())
  for (const { name, pieces } of files)
    zip.addReadStreamLazy(name, { mtime: modifiedAt }, (take) => {
      current = Readable.from(bytesOf(pieces()), { objectMode: false })
      // The library listens to none of those that it is handed when it asks.
      current.on('error', (error) => out.destroy(error))
      take(null, current)
    })
  zip.end()
  return out
}

async function* bytesOf(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces)
    if (piece.length > 0)
      yield typeof piece === 'string'
        ? Buffer.from(piece)
        : Buffer.from(piece.buffer, piece.byteOffset, piece.length)
}
