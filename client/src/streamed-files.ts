import { fileNameOf } from './file-names.ts'

/**
 * A file as a stream. `for await (const bytes of file.body)` reads it, and leaving the loop ends
 * the download. If the stream breaks off, `body` rejects and the data so far is incomplete.
 */
export type StreamedFile = {
  body: AsyncGenerator<Uint8Array, void, undefined>
  /** Media type, like `text/csv; charset=utf-8`. */
  contentType: string
  /** The file name that the service suggests, like `Spring poster scans.csv`. */
  fileName: string
}

/** Returns a response as a file, with defaults for missing headers. */
export function streamedFile(
  { body, headers }: Pick<StreamedFile, 'body'> & { headers: Headers },
  defaults: Omit<StreamedFile, 'body'>,
): StreamedFile {
  return {
    body,
    contentType: headers.get('content-type') ?? defaults.contentType,
    fileName: fileNameOf(headers.get('content-disposition')) ?? defaults.fileName,
  }
}

/** Returns all bytes of a file. Rejects if the download breaks off. */
export async function readAll({ body }: Pick<StreamedFile, 'body'>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    pieces.push(piece)
    length += piece.length
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** Returns a file as a web stream, such as for `Response`. Cancelling it ends the download. */
export function toReadableStream({ body }: Pick<StreamedFile, 'body'>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await body.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await body.return()
    },
  })
}
