import { constants } from 'node:zlib'
import { Type, type Static } from 'typebox'

/** A file of the tar archive inside a copy. */
export type CopyEntry = { name: string; bytes: Buffer }

export const entryBytesMax = 16 * 1024 ** 2
/** This many entries of 16 MiB are 1 TiB, and their manifest is smaller than 16 MiB. */
export const entriesMax = 65_536
export const manifestName = 'manifest.json'

/** Log2 of the compression window: a reader needs 4 MiB of memory. */
const windowLog = 22
/** The checksum in the frame is for people who unpack a copy by hand. */
export const zstdWriteParams = {
  [constants.ZSTD_c_compressionLevel]: 3,
  [constants.ZSTD_c_windowLog]: windowLog,
  [constants.ZSTD_c_checksumFlag]: 1,
}
export const zstdReadParams = { [constants.ZSTD_d_windowLogMax]: windowLog }

/**
 * The last entry of a copy: the facts that its writer adds, and the fields below. `madeAt` and
 * `release` repeat the head, which encryption does not protect.
 */
export const Manifest = Type.Object({
  madeAt: Type.String(),
  release: Type.String(),
  /** Every other entry, in the order of the archive. */
  entries: Type.Array(
    Type.Object({ name: Type.String(), bytes: Type.Integer({ minimum: 0 }), sha256: Type.String() }),
  ),
})
export type Manifest = Static<typeof Manifest> & Record<string, unknown>
export type ListedEntry = Manifest['entries'][number]

/**
 * Whether a name is valid: at most 100 characters, in parts of letters, digits, `_`, `-` and `.`,
 * with `/` between them; no part begins with a dot. Such names stay inside the folder that tar
 * unpacks into, and fit into the oldest format of tar headers.
 */
export function isEntryName(name: string): boolean {
  return name.length <= 100 && /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(name)
}
