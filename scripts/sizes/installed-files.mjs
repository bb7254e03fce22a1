// Files of an installation, and how much they may take on disk. scripts/install.mjs reads it on any
// Node, so it is plain JavaScript. sizes.test.ts checks the bounds.
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** As documents say it for Linux on x64: packages for running, and the unpacked image. */
export const megabytesMax = { installation: 480, image: 620 }

const compilersOnly = ['.map', '.d.ts', '.d.mts', '.d.cts']

/** Returns the paths in `modules` that only compilers read, and binaries for other platforms. */
export function filesForCompilers(modules) {
  const node = join(modules, `node-${process.platform}-${process.arch}`)
  const sqlite = join(modules, 'better-sqlite3')
  const prebuilds = existsSync(join(sqlite, 'prebuilds')) ? readdirSync(join(sqlite, 'prebuilds')) : []
  const others = prebuilds.filter(
    (name) => !name.endsWith(`-${process.arch}.node`) || !name.startsWith(process.platform),
  )
  const folders = [
    ...['include', 'share', 'CHANGELOG.md'].map((name) => join(node, name)),
    ...['deps', 'src'].map((name) => join(sqlite, name)),
    ...others.map((name) => join(sqlite, 'prebuilds', name)),
  ].filter((path) => existsSync(path))
  return [...folders, ...declarationsIn(modules)]
}

/** Declarations and maps of sources. Returns none that is behind a link, such as of a workspace. */
function declarationsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return declarationsIn(path)
    return entry.isFile() && compilersOnly.some((end) => entry.name.endsWith(end)) ? [path] : []
  })
}

/** Returns the bytes that a file or folder takes on disk. */
export function bytesIn(path) {
  const stats = lstatSync(path)
  const own = stats.blocks === undefined ? stats.size : stats.blocks * 512
  if (!stats.isDirectory()) return own
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), own)
}
