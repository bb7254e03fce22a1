// `npm run archive -- DIR` writes the archive of the committed state: the sources with the built
// dashboard. `--offline` writes one for machines of this kind without a network: also with the
// packages that running needs. Both are made from nothing but a clone, as a user would.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const isOffline = words.includes('--offline')
const [target, ...more] = words.filter((word) => word !== '--offline')
if (target === undefined || more.length > 0) {
  console.error('usage: npm run archive -- DIR [--offline]')
  process.exit(2)
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const name = `everscan-${version}`
const file = join(resolve(target), `${name}${isOffline ? `-${process.platform}-${process.arch}` : ''}.tar.gz`)
// On the disk of the target, which has room for the archive.
const place = mkdtempSync(join(resolve(target), '.archive-'))
try {
  const tree = join(place, name)
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${root}`, tree])
  rmSync(join(tree, '.git'), { recursive: true })
  run(tree, 'scripts/install.mjs', '--production')
  run(tree, 'scripts/build.mjs')
  // Compiled sources belong to the place where they were compiled.
  rmSync(join(tree, 'node_modules', '.cache'), { recursive: true, force: true })
  if (!isOffline) rmSync(join(tree, 'node_modules'), { recursive: true })
  execFileSync('tar', ['--create', '--gzip', '--owner=0', '--group=0', '--file', file, '-C', place, name])
} finally {
  rmSync(place, { recursive: true, force: true })
}
console.log(`${file}: ${Math.round(statSync(file).size / 1e6)} MB`)

function run(cwd: string, script: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${script} failed`)
}
