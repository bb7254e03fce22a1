import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import type { MatrixOptions } from '@everscan/qr/content/matrix.ts'
import type { ReaderReading } from '@everscan/qr/reading/read-back.ts'

/** A code in a style. */
export type StyledMatrix = { code: MatrixOptions; style: Style }

export type StyleReading = {
  /** The results of each decoder. The first one decides. */
  readers: readonly ReaderReading[]
  print: Pick<Scannability, 'minPrintMm' | 'minPrintReason' | 'minPrintDetails'>
}

/** Work that takes much processor time. Its input and its result are plain data. */
export type StyleJobs = {
  /** Draws a code and shows its picture to the decoders. */
  readStyle: (styled: StyledMatrix) => Promise<StyleReading>
  /** Decodes an untrusted logo and encodes it again. Throws `PictureError`. */
  readLogo: (dataUri: string) => Promise<{ dataUri: string }>
}

export type StyleJobName = keyof StyleJobs

/** Runs a job and throws what it throws. */
export type RunStyleJob = <Name extends StyleJobName>(
  name: Name,
  input: Parameters<StyleJobs[Name]>[0],
) => ReturnType<StyleJobs[Name]>

/** The means of a request to check styles. */
export type StyleWork = {
  run: RunStyleJob
  /**
   * Whether to search for the nearest change that would be accepted: up to 25 more pictures. Not in
   * batches, which would multiply them.
   */
  suggests: boolean
}

/** The request for which style work is done. */
export type StyleClient = {
  /** Shares the thread with the other holders: an organization, or a user outside any. */
  holder: string
  /** Aborted when the client leaves. */
  signal: AbortSignal
}

/** Distributes the work among the callers. */
export type StyleWorkers = { for: (client: StyleClient) => RunStyleJob }
