import { createHash } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { CopyProblem, cutOff, damaged, notACopy } from './copy-problem.ts'

/** Size of the head of a copy; `tail -c +1025` prints the rest. */
export const headBytes = 1024

const formatName = 'everscan copy'
const formatVersion = 1
const checksum = Type.String({ pattern: '^[0-9a-f]{64}$' })

/**
 * The first line of a copy. Heads of every version have 1,024 bytes, begin with `format`, `version`
 * and `release`, and end with `headSha256`: the SHA-256 of the head with zeros instead of these 64
 * digits.
 */
export const CopyHead = Type.Object({
  format: Type.Literal(formatName),
  version: Type.Literal(formatVersion),
  /** The release of Everscan that made the copy, such as `0.1.0`. */
  release: Type.String(),
  /** ISO 8601, in UTC. */
  madeAt: Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` }),
  encrypted: Type.Boolean(),
  /** The number of bytes after the head. */
  payloadBytes: Type.Integer({ minimum: 1 }),
  payloadSha256: checksum,
  /** Distinguishes a damaged header from a wrong passphrase; present if the copy is encrypted. */
  ageHeaderSha256: Type.Optional(checksum),
  /** Absent in copies of earlier releases, like the next three. They tell a better copy. */
  installation: Type.Optional(Type.String()),
  /** See `HeldHits`. */
  hits: Type.Optional(Type.Integer({ minimum: 0 })),
  deletedHits: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Whether it lacks scans that were counted or acknowledged. */
  isPartial: Type.Optional(Type.Boolean()),
  /** A command line that unpacks the copy without Everscan. */
  unpack: Type.String(),
  headSha256: checksum,
})
export type CopyHead = Static<typeof CopyHead>

/** The fields of heads of every version. */
const AnyHead = Type.Object({
  format: Type.Literal(formatName),
  version: Type.Integer({ minimum: 1 }),
  release: Type.String(),
})

export type CopyFacts = Omit<CopyHead, 'format' | 'version' | 'unpack' | 'headSha256'>
/** Facts that distinguish a better copy from a worse one. */
export type CopyWorth = Pick<CopyHead, 'installation' | 'hits' | 'deletedHits' | 'isPartial'>

const noChecksum = '0'.repeat(64)
const start = `{"format":"${formatName}",`

/** Returns the head of 1,024 bytes. Throws an Error if `release` is too long or not ASCII. */
export function encodeHead(facts: CopyFacts): Buffer {
  const { release, ...others } = facts
  const unpack = `tail -c +${headBytes + 1} FILE | ${facts.encrypted ? 'age -d | ' : ''}zstd -d | tar x`
  const line = JSON.stringify({
    format: formatName,
    version: formatVersion,
    release,
    ...others,
    unpack,
    headSha256: noChecksum,
  })
  if (line.length >= headBytes || !/^[\x20-\x7e]*$/.test(line))
    throw new Error(`a copy cannot name the release "${release}": it must be short and ASCII`)
  const head = `${line.padEnd(headBytes - 1)}\n`
  return Buffer.from(head.replace(checksumField(noChecksum), checksumField(sha256(head))), 'latin1')
}

/** Parses the first 1,024 bytes of a file, or fewer if it is shorter. Throws a CopyProblem. */
export function decodeHead(bytes: Buffer, path: string): CopyHead {
  refuseOtherFiles(bytes, path)
  if (bytes.length < headBytes) throw cutOff(path, bytes.length, undefined)
  const head = parseHead(bytes.toString('latin1'))
  if (!Check(AnyHead, head)) throw damaged(path, 'its first line was changed')
  if (head.version > formatVersion)
    throw new CopyProblem(
      'later-release',
      `${path} was made by Everscan ${head.release} in version ${head.version} of the format, but this release reads only up to version ${formatVersion}. Upgrade Everscan, then try again.`,
    )
  if (!Check(CopyHead, head) || head.encrypted !== (head.ageHeaderSha256 !== undefined))
    throw damaged(path, 'its first line lacks fields, or has wrong ones')
  return head
}

/**
 * Refuses other kinds of files. Tolerates a few damaged bytes at the beginning, so that a damaged
 * copy is not mistaken for another kind of file.
 */
function refuseOtherFiles(bytes: Buffer, path: string): void {
  if (bytes.length === 0) throw notACopy(path, 'is empty')
  // The writer fills in the head at the very end.
  if (bytes.length === headBytes && bytes.every((byte) => byte === 0))
    throw new CopyProblem(
      'cut-off',
      `${path} was never finished: its first line is missing. Make the copy again, or use another copy.`,
    )
  const begin = bytes.toString('latin1', 0, start.length)
  const different = Array.from(begin).filter((character, index) => character !== start[index]).length
  if (different > Math.floor(begin.length / 6)) throw notACopy(path, 'is not an Everscan copy')
}

/** Returns undefined if the text is not JSON, or if its checksum does not match. */
function parseHead(text: string): unknown {
  try {
    const head = JSON.parse(text) as { headSha256?: unknown }
    const named = String(head.headSha256)
    return sha256(text.replace(checksumField(named), checksumField(noChecksum))) === named ? head : undefined
  } catch {
    return undefined
  }
}

function checksumField(value: string): string {
  return `"headSha256":"${value}"`
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex')
}
