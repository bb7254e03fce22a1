import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRelease } from './release.ts'

const changelog =
  '# Changelog\n\n## Unreleased\n\n### Operators\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n'

/** Creates a repository with three manifests and a CHANGELOG, on `main`. */
function repository(t: { after: (clean: () => void) => void }) {
  const root = mkdtempSync(join(tmpdir(), 'everscan-release-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  mkdirSync(join(root, 'qr'))
  mkdirSync(join(root, 'integrations', 'n8n'), { recursive: true })
  write('package.json', '{ "name": "everscan", "version": "0.1.0", "workspaces": ["qr"] }\n')
  write('qr/package.json', '{ "name": "@everscan/qr", "version": "0.1.0" }\n')
  write('integrations/n8n/package.json', '{ "name": "n8n-nodes-everscan", "version": "0.1.0" }\n')
  write('CHANGELOG.md', changelog)
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@example.com')
  git('add', '.')
  git('commit', '--quiet', '--message', 'feat: first')
  return { root, write, git, read }
}

test('a release is a version in every manifest, a section of the changelog, a commit and a tag', (t) => {
  const { root, git, read } = repository(t)
  makeRelease(root, '0.2.0', '2026-11-23')
  assert.match(read('package.json'), /"version": "0\.2\.0"/)
  assert.match(read('qr/package.json'), /"version": "0\.2\.0"/)
  assert.match(read('integrations/n8n/package.json'), /"version": "0\.2\.0"/)
  assert.equal(
    read('CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-23)\n\n### Operators\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n',
  )
  assert.equal(git('log', '-1', '--format=%s'), 'chore: release 0.2.0')
  assert.equal(git('rev-list', '-1', 'v0.2.0'), git('rev-parse', 'HEAD'))
  assert.match(git('tag', '--list', '--format=%(contents)', 'v0.2.0'), /- New\./)
  assert.throws(() => makeRelease(root, '0.3.0', '2026-11-24'), /nothing under "## Unreleased"/)
})

test('an invalid release is rejected before any change', (t) => {
  const { root, git, write } = repository(t)
  for (const version of ['0.1.0', '0.0.9', 'v0.2.0', '0.2', ''])
    assert.throws(() => makeRelease(root, version, '2026-11-23'), /later than 0\.1\.0/, version)
  write('new.txt', '')
  assert.throws(() => makeRelease(root, '0.2.0', '2026-11-23'), /commit or remove/)
  git('add', '.')
  git('commit', '--quiet', '--message', 'feat: second')
  git('switch', '--quiet', '--create', 'other')
  assert.throws(() => makeRelease(root, '0.2.0', '2026-11-23'), /from main/)
  assert.equal(git('tag', '--list'), '')
  assert.equal(git('status', '--porcelain'), '')
})
