/** The client left before its request was processed: nothing of it was done, and nobody reads an answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}
