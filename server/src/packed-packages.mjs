import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

/** The folder of packages that are one file each. npm would empty one in `node_modules`. */
export const packedDir = new URL('server/dist/packed/', root)

/** Identifies the versions of all packages. */
export function lockfileHash() {
  return createHash('sha256')
    .update(readFileSync(new URL('package-lock.json', root)))
    .digest('hex')
}
