import { Readable } from 'node:stream'

/**
 * Pieces of text as the body of an answer, read no faster than the client takes them. Waits until there is something to send, so that
 * what fails before it is an error of its own; what fails later breaks the answer off.
 */
export async function streamOf(pieces: AsyncGenerator<string, void, undefined>): Promise<Readable> {
  const first = await pieces.next()
  return Readable.from(followed(first, pieces), { objectMode: false, highWaterMark: 1 })
}

async function* followed(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    if (first.done === true) return
    yield Buffer.from(first.value)
    for await (const piece of rest) yield Buffer.from(piece)
  } finally {
    await rest.return()
  }
}
