// `node build.mts [DIR]` writes the fields of the nodes from the OpenAPI document, and compiles the
// nodes into `dist` or DIR, with their icons: all that n8n loads.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, glob, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { n8nFiles } from '../../scripts/clients/n8n-node.ts'
import type { OpenApiDocument } from '../../server/src/api/openapi/openapi-document.ts'

const here = import.meta.dirname
const root = join(here, '..', '..')
const outDir = process.argv[2] ?? join(here, 'dist')
const document = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')) as OpenApiDocument

for (const [path, text] of Object.entries(n8nFiles(document))) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}
await rm(outDir, { recursive: true, force: true })
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const options = ['--noEmit', 'false', '--outDir', outDir]
const { status } = spawnSync(process.execPath, [tsc, '-p', here, ...options], { stdio: 'inherit' })
if (status !== 0) process.exit(1)
for await (const file of glob('{icons/*.svg,nodes/**/*.node.json}', { cwd: here }))
  await cp(join(here, file), join(outDir, file))
