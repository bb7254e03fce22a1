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
