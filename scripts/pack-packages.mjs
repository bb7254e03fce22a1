// Writes packages of many small files as one file each, for server/src/use-packed-packages.mjs.
// `npm start` and `npm test` run it after an installation, with the path of rolldown.
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { lockfileHash, packedDir } from '../server/src/packed-packages.mjs'

const { rolldown } = await import(pathToFileURL(process.argv[2]).href)

const specifiers = ['kysely', 'typebox', 'typebox/value']

const dir = fileURLToPath(packedDir)
rmSync(dir, { recursive: true, force: true })
const { resolve } = createRequire(join(import.meta.dirname, '..', 'server', 'package.json'))
const bundle = await rolldown({
  input: Object.fromEntries(specifiers.map((specifier) => [nameOf(specifier), resolve(specifier)])),
  platform: 'node',
  logLevel: 'silent',
})
// Chunks that entries share are files of their own, so that each module exists once.
await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
const files = Object.fromEntries(specifiers.map((specifier) => [specifier, `${nameOf(specifier)}.mjs`]))
// Written last: without it, nothing of this is used.
writeFileSync(join(dir, 'index.json'), JSON.stringify({ lockfile: lockfileHash(), files }))

function nameOf(specifier) {
  return specifier.replaceAll('/', '-')
}
