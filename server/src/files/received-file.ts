/**
 * A file that is being received. `bytes` throws ApiError 413 if it is too large, and 400 if it
 * breaks off.
 */
export type ReceivedFile = { name: string; mediaType: string; bytes: AsyncIterable<Buffer> }
