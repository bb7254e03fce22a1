/** The status of a request whose client left. Nobody reads it: it is for the log and figures. */
export const clientGoneStatus = 499

/** The client left before its request was processed. Nothing was written. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}
