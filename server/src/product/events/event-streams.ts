import type { Readable } from 'node:stream'
import type { PlaceHolder } from '../../catalogue/organizations/callers.ts'

export type OpenStream = PlaceHolder & {
  /** Only events of these kinds and of these codes; all by default. */
  events?: readonly string[] | undefined
  qrCodeIds?: readonly string[] | undefined
  lastEventId?: string | undefined
}

export type EventStreams = {
  /**
   * Opens a stream of server-sent events, which ends when its reader leaves. Throws ApiError 429 if
   * too many streams are open: see FairShare.
   */
  open: (options: OpenStream) => Promise<Readable>
  /** Ends all streams in order. */
  close: () => void
  stats: () => { readers: number }
}
