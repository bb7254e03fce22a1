import { Readable } from 'node:stream'

/**
 * Makes pieces the body of a response and reads them no faster than the client does. Waits for the
 * first piece, so that an earlier failure becomes an error response; a later one breaks the
 * response off.
 */
export async function streamOf(pieces: AsyncGenerator<Uint8Array, void, undefined>): Promise<Readable> {
  const first = await pieces.next()
  return Readable.from(prepend(first, pieces), { objectMode: false, highWaterMark: 1 })
}

async function* prepend(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (first.done === true) return
    yield first.value
    yield* rest
  } finally {
    await rest.return()
  }
}
