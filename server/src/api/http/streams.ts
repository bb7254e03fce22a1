import { Readable } from 'node:stream'

/**
 * Pieces as the body of an answer, read no faster than the client takes them. Waits until there is something to send, so that
 * what fails before it is an error of its own; what fails later breaks the answer off.
 */
export async function streamOf(pieces: AsyncGenerator<Uint8Array, void, undefined>): Promise<Readable> {
  const first = await pieces.next()
  return Readable.from(followed(first, pieces), { objectMode: false, highWaterMark: 1 })
}

async function* followed(
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
