// `npm run check`: runs lint, format, types, generated files, house rules and structure, one after
// the other. All steps run, even after a failure.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const steps: readonly [name: string, command: string, ...args: string[]][] = [
  // First, because it writes files that the others read.
  ['n8n nodes', process.execPath, 'integrations/n8n/build.mts'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'oxfmt', '--check'],
  ['types', 'tsc', '-p', '.'],
  ['types of the dashboard', 'tsc', '-p', 'web'],
  ['generated files', process.execPath, 'scripts/generate.ts', '--check'],
  ['house rules', process.execPath, 'scripts/house-rules.ts'],
  ['structure', process.execPath, 'scripts/structure.ts'],
  ['components of the release', process.execPath, 'scripts/sbom.ts', '--check'],
  ['security page', process.execPath, 'scripts/security-page.ts'],
  ['documents', process.execPath, 'scripts/docs-check.ts'],
]

let failed = 0
for (const [name, command, ...args] of steps) {
  const startedMs = Date.now()
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`)
  if (status !== 0) failed++
}
process.exitCode = failed === 0 ? 0 : 1
