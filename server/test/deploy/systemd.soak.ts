import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

// Requires systemd-analyze from Debian's package systemd, which need not run. Without it this suite
// fails, because it would prove nothing.

const root = join(import.meta.dirname, '..', '..', '..')
/** The scale of systemd-analyze ends at 10; from 2 on, it no longer calls a service OK. */
const exposureMax = 1.9

test('systemd accepts the unit, and it leaves the service few rights', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-unit-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const unit = join(dir, 'everscan.service')
  const text = readFileSync(join(root, 'deploy', 'systemd', 'everscan.service'), 'utf8')
  // systemd looks for the command.
  writeFileSync(unit, text.replaceAll('/opt/everscan', root))

  const verified = analyze('verify', '--man=no', unit)
  assert.equal(verified.output, '')
  assert.equal(verified.status, 0)

  const { status, output } = analyze('security', '--offline=true', `--threshold=${exposureMax * 10}`, unit)
  const exposure = /Overall exposure level for \S+: (\S+ \S+)/.exec(output)?.[1]
  t.diagnostic(`exposure ${exposure}`)
  assert.equal(status, 0, output)
})

function analyze(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync('systemd-analyze', ['--no-pager', ...args], {
    encoding: 'utf8',
  })
  assert.equal(error, undefined, 'systemd-analyze is not installed: apt-get install systemd')
  return { status, output: stdout + stderr }
}
