export type CopyProblemKind =
  | 'not-a-copy'
  | 'later-release'
  | 'damaged'
  | 'cut-off'
  | 'unreadable'
  | 'passphrase-missing'
  | 'passphrase-wrong'
  | 'passphrase-needless'

/** Why a file is unusable: `message` is a sentence for the operator, `kind` is for programs. */
export class CopyProblem extends Error {
  readonly kind: CopyProblemKind

  constructor(kind: CopyProblemKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'CopyProblem'
    this.kind = kind
  }
}

/** Returns the problem of a damaged copy. `what` follows a colon: `its checksum does not match`. */
export function damaged(path: string, what: string, cause?: unknown): CopyProblem {
  return new CopyProblem('damaged', `${path} is damaged: ${what}. Do not use it; use another copy.`, cause)
}

export function cutOff(path: string, bytes: number, expectedBytes: number | undefined): CopyProblem {
  const expected =
    expectedBytes === undefined ? 'less than its first line' : `${bytes} of ${expectedBytes} bytes`
  return new CopyProblem(
    'cut-off',
    `${path} is truncated: it has ${expected}. Fetch it again from its source, or use another copy.`,
  )
}

export function notACopy(path: string, what: string): CopyProblem {
  return new CopyProblem('not-a-copy', `${path} ${what}. Name a file that "./everscan backup" made.`)
}
