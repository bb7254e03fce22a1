// `node scripts/release.ts VERSION` releases the committed state: sets the version in every
// package.json, adds its section to the CHANGELOG, and creates a commit and an annotated tag. It
// pushes nothing. It requires a clean `main` and a version later than the last.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes a release on `today`, like 2026-11-23. Throws an Error that names the obstacle before it
 * changes anything.
 */
export function makeRelease(root: string, version: string, today: string): void {
  const git = (...args: string[]): string => run(root, 'git', args)
  const manifests = globSync('{package.json,*/package.json,integrations/*/package.json}', { cwd: root })
  const last = versionOf(join(root, 'package.json'))
  if (!isLater(version, last)) throw new Error(`the version must be like 1.2.3 and later than ${last}`)
  if (git('branch', '--show-current') !== 'main') throw new Error('a release is made from main')
  if (git('status', '--porcelain') !== '') throw new Error('commit or remove all changes first')
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`the tag v${version} already exists`)
  const changelog = join(root, 'CHANGELOG.md')
  const { text, notes } = releasedChangelog(readFileSync(changelog, 'utf8'), version, today)

  writeFileSync(changelog, text)
  for (const manifest of manifests) setVersion(join(root, manifest), last, version)
  run(root, 'npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'])
  // The tree was clean, so all changes belong to the release.
  git('add', '--all')
  git('commit', '--quiet', '--message', `chore: release ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Everscan ${version}\n\n${notes}`)
}

/** Moves the section `Unreleased` of the CHANGELOG under the version. Also returns the section. */
export function releasedChangelog(
  changelog: string,
  version: string,
  today: string,
): { text: string; notes: string } {
  const [, before = '', notes = '', after = ''] =
    /^([\s\S]*?\n## Unreleased\n)([\s\S]*?)(\n## [\s\S]*)?$/.exec(changelog) ?? []
  if (notes.trim() === '') throw new Error('the CHANGELOG has nothing under "## Unreleased"')
  const text = `${before}\n## ${version} (${today})\n\n${notes.trim()}\n${after}`
  return { text, notes: notes.trim() }
}

function isLater(version: string, last: string): boolean {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return false
  return version.localeCompare(last, 'en', { numeric: true }) > 0
}

function versionOf(manifest: string): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** Changes a single line, so that the rest of the file stays as it is. */
function setVersion(manifest: string, last: string, version: string): void {
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.replace(`"version": "${last}"`, `"version": "${version}"`))
}

function run(cwd: string, command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? stderr}`)
  return stdout.trim()
}

if (process.argv[1] === import.meta.filename) {
  const [version = ''] = process.argv.slice(2)
  try {
    makeRelease(join(import.meta.dirname, '..'), version, new Date().toISOString().slice(0, 10))
    console.log(
      `Committed and tagged. Next: git push --follow-tags, "Releases" in CONTRIBUTING.md, and\n` +
        `npm run sbom -- everscan-${version}.cdx.json, which belongs beside the release.`,
    )
  } catch (error) {
    console.error(String(error instanceof Error ? error.message : error))
    process.exitCode = 1
  }
}
