/** The client left before its request was processed. Nothing was written. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}
