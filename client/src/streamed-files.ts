import { fileNameOf } from './file-names.ts'

/**
 * A file as it comes. `for await (const bytes of file.body)` reads it; leaving the loop ends the download. `body` rejects when it
 * breaks off, and what came until then is not the whole.
 */
export type StreamedFile = {
  body: AsyncGenerator<Uint8Array, void, undefined>
  /** Media type, like `text/csv; charset=utf-8`. */
  contentType: string
  /** What the service would call the file, like `Spring poster scans.csv`. */
  fileName: string
}

/** An answer as a file, with what it is called when the answer does not say. */
export function streamedFile(
  { body, headers }: Pick<StreamedFile, 'body'> & { headers: Headers },
  otherwise: Omit<StreamedFile, 'body'>,
): StreamedFile {
  return {
    body,
    contentType: headers.get('content-type') ?? otherwise.contentType,
    fileName: fileNameOf(headers.get('content-disposition')) ?? otherwise.fileName,
  }
}
