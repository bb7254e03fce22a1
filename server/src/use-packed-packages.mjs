// Two packages consist of hundreds of small files each, which costs every process 130 ms and 10 MB
// at its start (measured). `npm start` and `npm test` write each of them as one file: see
// scripts/pack-packages.mjs. Import this file before anything else to use those. Without them, or
// with another lockfile than theirs, packages are loaded as usual.
import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { lockfileHash, packedDir } from './packed-packages.mjs'

// A relative import names a source with its extension, so it needs none of the look-ups by which
// Node would find it. Those are a tenth of the time that the sources of a process take to load, and
// a quarter of that of `worker` (measured).
const relativeSource = /^\.\.?\/.*\.ts$/
const packed = packedUrls()

registerHooks({
  resolve: (specifier, context, next) => {
    const url = packed.get(specifier)
    if (url !== undefined) return { url, format: 'module', shortCircuit: true }
    if (relativeSource.test(specifier) && context.parentURL?.endsWith('.ts') === true)
      return { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
    return next(specifier, context)
  },
})

/** Returns the addresses of the packed packages by their names; none if they must not be used. */
function packedUrls() {
  const index = new URL('index.json', packedDir)
  if (!existsSync(index)) return new Map()
  const { lockfile, files } = JSON.parse(readFileSync(index, 'utf8'))
  if (lockfileHash() !== lockfile) return new Map()
  return new Map(Object.entries(files).map(([specifier, file]) => [specifier, new URL(file, packedDir).href]))
}
