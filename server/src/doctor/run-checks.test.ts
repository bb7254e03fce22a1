import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FatalError } from '../errors.ts'
import { failed, notice, ok, states, warning, type Check } from './check.ts'
import { CannotTell } from './cannot-tell.ts'
import { checkGroups } from './checks.ts'
import { contextFor, scratchDir } from './testing/doctor.ts'
import { reportOf, reportText } from './report.ts'
import { runChecks } from './run-checks.ts'

const check = (name: string, run: Check['run'], fix?: Check['fix']): Check => ({
  name,
  title: name,
  run,
  ...(fix !== undefined && { fix }),
})
const all = checkGroups.flatMap(({ checks }) => checks)

test('every check has a unique name with the prefix of its group, and a title', () => {
  const names = all.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  assert.ok(names.length >= 40, `${names.length} checks`)
  for (const { checks } of checkGroups) {
    const [group] = checks[0]?.name.split('.') ?? []
    for (const { name, title } of checks) {
      assert.match(name, new RegExp(`^${group}\\.[a-z][a-z0-9-]*$`))
      assert.match(title, /^[A-Z].*[^.]$/)
    }
  }
})

test('without an installation, no check crashes or creates anything, and each problem names a remedy', async (t) => {
  const dataDir = join(scratchDir(), 'none')
  const context = contextFor({ DATA_DIR: dataDir, PORT: '1' })
  t.after(context.close)
  const results = await runChecks(context, checkGroups, { fix: true })
  assert.deepEqual(
    results.map(({ name }) => name),
    all.map(({ name }) => name),
  )
  for (const { name, finding } of results) {
    assert.ok(states.includes(finding.state))
    assert.notEqual(finding.says, '')
    if (finding.state !== 'ok') assert.ok(finding.mend.length > 5, name)
    assert.doesNotMatch(finding.says, /the check failed/, name)
  }
  const { finding } = results[0] ?? assert.fail()
  assert.equal(finding.state, 'failed')
  assert.match(finding.says, /there is no .*none/)
  assert.ok(!existsSync(dataDir))
})

test('a check that throws or hangs is unknown; its signal fires at the deadline; the others go on', async () => {
  const context = contextFor({ DATA_DIR: scratchDir() })
  let isStopped = false
  const checks = [
    check('throws', () => {
      throw new TypeError('x is not a function\n at …')
    }),
    check('rejects', async () => Promise.reject(new CannotTell('the store is away', 'start it'))),
    check('refuses', () => {
      throw new FatalError('two parts do not belong together: adopt one')
    }),
    check('hangs', (_context, signal) => {
      signal.addEventListener('abort', () => (isStopped = true))
      return new Promise(() => {})
    }),
    check('works', () => ok('fine')),
  ]
  const results = await runChecks(context, [{ title: 'Group', checks }], { fix: false, deadlineMs: 50 })
  assert.deepEqual(
    results.map(({ finding }) => `${finding.state}: ${finding.says}`),
    [
      'unknown: the check failed: x is not a function',
      'unknown: the store is away',
      'failed: two parts do not belong together: adopt one',
      'unknown: no answer within 0.05 s',
      'ok: fine',
    ],
  )
  assert.ok(isStopped)
})

test('--fix fixes only problems, and checks again; without it nothing is changed', async () => {
  const context = contextFor({ DATA_DIR: scratchDir() })
  let mode = 'open'
  let fixes = 0
  const fixable = check(
    'fixable',
    () => (mode === 'open' ? warning('it is open', 'close it') : ok('closed')),
    () => {
      fixes++
      mode = 'closed'
      return 'closed it'
    },
  )
  const stuck = check(
    'stuck',
    () => warning('it is stuck', 'pull'),
    () => {
      throw new Error('no rights')
    },
  )
  const groups = [{ title: 'Group', checks: [fixable, stuck] }]
  await runChecks(context, groups, { fix: false })
  assert.equal(fixes, 0)
  const [first, second] = await runChecks(context, groups, { fix: true })
  assert.deepEqual([first?.finding, first?.fixed], [ok('closed'), 'closed it'])
  assert.deepEqual(second?.finding, warning('it is stuck; --fix could not: no rights', 'pull'))
  await runChecks(context, groups, { fix: true })
  assert.equal(fixes, 1)
})

const away = () => {
  throw new CannotTell('the store is away', 'start it')
}

test('the report lists problems with their remedies, a shared reason once, and with --all every check', async () => {
  const context = contextFor({ DATA_DIR: scratchDir() })
  const groups = [
    { title: 'Quiet', checks: [check('A', () => ok('one')), check('B', () => ok('two'))] },
    {
      title: 'Loud',
      checks: [
        check('C', () => ok('three')),
        check('D', () => notice('four', 'nothing')),
        check('E', () => failed('five', 'run six')),
        check('F', away),
        check('G', away),
      ],
    },
  ]
  const report = reportOf(await runChecks(context, groups, { fix: false }), Date.UTC(2026, 10, 23))
  assert.deepEqual(report.summary, { ok: 3, notice: 1, warning: 0, failed: 1, unknown: 2 })
  assert.equal(report.checkedAt, '2026-11-23T00:00:00.000Z')
  assert.equal(
    reportText(report, { all: false, isTerminal: true }),
    [
      'Quiet',
      '  ✓ all 2 checks fine',
      '',
      'Loud',
      '  ✓ 1 check fine',
      '  i D: four',
      '    -> nothing',
      '  ✗ E: five',
      '    -> run six',
      '  ? F, G: the store is away',
      '    -> start it',
      '',
      '7 checks: 3 fine, 1 notice, 0 warnings, 1 failed, 2 unknown.',
    ].join('\n'),
  )
  assert.match(
    reportText(report, { all: true, isTerminal: false }),
    /^Quiet\n  ok      A: one\n  ok      B: two\n/,
  )
})
