import { PassThrough, pipeline, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of an archive: its name, and its pieces, which are read only when its turn comes. */
export type ZippedFile = { name: string; pieces: () => AsyncIterable<string | Uint8Array> }

/**
 * Creates a zip archive no faster than it is read, with one piece of one file in memory; a file is
 * asked for when the one before has been read. A failure destroys the stream, so that no reader
 * takes a part for the whole.
 */
export function zipStream(
  files: Iterable<ZippedFile> | AsyncIterable<ZippedFile>,
  modifiedAt: Date,
): Readable {
  const zip = new ZipFile()
  const out = new PassThrough()
  let current: Readable | undefined
  let goOn: (() => void) | undefined
  zip.on('error', (error: Error) => out.destroy(error))
  // At the end, or when the reader has left: nothing more is read.
  pipeline(zip.outputStream, out, () => {
    current?.destroy()
    goOn?.()
  })
  const addAll = async (): Promise<void> => {
    for await (const { name, pieces } of files) {
      if (out.destroyed) return
      await new Promise<void>((resolve) => {
        goOn = resolve
        zip.addReadStreamLazy(name, { mtime: modifiedAt }, (take) => {
          current = Readable.from(bytesOf(pieces()), { objectMode: false })
          // The library does not listen for errors of the streams that it requests.
          current.on('error', (error) => out.destroy(error))
          current.once('close', resolve)
          take(null, current)
        })
      })
    }
    zip.end()
  }
  addAll().catch((error: Error) => out.destroy(error))
  return out
}

async function* bytesOf(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces)
    if (piece.length > 0)
      yield typeof piece === 'string'
        ? Buffer.from(piece)
        : Buffer.from(piece.buffer, piece.byteOffset, piece.length)
}
