// The bundle of the server: see scripts/bundle/bundle-server.mjs.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ownRoot = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Returns the address of the bundle's entry; undefined if there is none, or if a file that it was
 * made of is newer, has another size or is gone.
 */
export function currentBundle(root = ownRoot) {
  const bundle = readBundle(root, () => true)
  return bundle?.addressOf('main.mjs')
}

/** Returns the addresses of packages in the bundle by their names; none if these may be others. */
export function bundledPackages(root = ownRoot) {
  const bundle = readBundle(root, (path) => path === 'package-lock.json')
  return new Map(Object.entries(bundle?.packages ?? {}).map(([name, file]) => [name, bundle.addressOf(file)]))
}

/** Undefined if there is no bundle, or if a file has changed for which `matters` is true. */
function readBundle(root, matters) {
  const bundles = join(root, 'server', 'dist', 'bundle')
  try {
    const index = join(bundles, 'index.json')
    const { mtimeMs } = statSync(index)
    const { folder, sizes, packages } = JSON.parse(readFileSync(index, 'utf8'))
    for (const [path, size] of Object.entries(sizes)) {
      if (!matters(path)) continue
      const source = statSync(join(root, path))
      if (source.mtimeMs > mtimeMs || source.size !== size) return undefined
    }
    return { packages, addressOf: (file) => pathToFileURL(join(bundles, folder, file)).href }
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
