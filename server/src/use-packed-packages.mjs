// Two packages consist of hundreds of small files each, which costs every process 130 ms and 10 MB
// at its start (measured). `npm start` and `npm test` write each of them as one file: see
// scripts/pack-packages.mjs. Import this file before anything else to use those. Without them, or
// with another lockfile than theirs, packages are loaded as usual.
import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { lockfileHash, packedDir } from './packed-packages.mjs'

const index = new URL('index.json', packedDir)
if (existsSync(index)) usePacked(JSON.parse(readFileSync(index, 'utf8')))

function usePacked({ lockfile, files }) {
  if (lockfileHash() !== lockfile) return
  const urls = new Map(
    Object.entries(files).map(([specifier, file]) => [specifier, new URL(file, packedDir).href]),
  )
  registerHooks({
    resolve: (specifier, context, next) => {
      const url = urls.get(specifier)
      return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true }
    },
  })
}
