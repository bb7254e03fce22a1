import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from './testing/doctor.ts'
import {
  judgeClocks,
  judgeMemory,
  judgeNative,
  judgeNode,
  judgeOpenFiles,
  judgeProcessors,
} from './machine-checks.ts'

const gib = 1024 ** 3

test('a Node without security fixes is a warning', () => {
  assert.equal(judgeNode('v24.21.0', Date.UTC(2028, 3, 1)).state, 'ok')
  assert.match(
    textOf(judgeNode('v24.21.0', Date.UTC(2028, 4, 1))),
    /^warning: .*since 2028-04-30 -> update Everscan/,
  )
  assert.equal(judgeNode('v99.0.0', Date.UTC(2040, 0, 1)).state, 'ok')
})

test('a package that does not run here is named, with what still works', () => {
  assert.equal(judgeNative([]).state, 'ok')
  const broken = { name: '@duckdb/node-api', needs: 'x86-64', reason: 'SIGILL' } as const
  const finding = judgeNative([broken])
  assert.equal(finding.state, 'failed')
  assert.deepEqual(finding.problems, [
    { problem: 'figuresCannotRun', values: { package: broken.name, needs: 'x86-64', reason: 'SIGILL' } },
  ])
})

test('processors are judged, with the quota of a control group', () => {
  assert.equal(judgeProcessors(2, undefined).state, 'ok')
  assert.equal(judgeProcessors(8, 'max 100000\n').state, 'ok')
  assert.match(textOf(judgeProcessors(1, undefined)), /^notice: 1 processor: .* -> give the service two/)
  assert.match(textOf(judgeProcessors(8, '50000 100000')), /^warning: .*50 % of one .* -> .*CPUQuota/)
})

test('memory is judged: too little, a low limit, nearly none free, killed processes', () => {
  const enough = { totalBytes: 8 * gib, availableBytes: 4 * gib, limitBytes: undefined, oomKills: 0 }
  assert.equal(judgeMemory(enough).state, 'ok')
  assert.match(
    textOf(judgeMemory({ ...enough, limitBytes: gib / 2 })),
    /^warning: 512 MiB \(a limit\).*MemoryMax/,
  )
  assert.match(textOf(judgeMemory({ ...enough, availableBytes: gib / 8 })), /^warning: .*nearly none/)
  assert.match(textOf(judgeMemory({ ...enough, oomKills: 1 })), /^warning: .*killed 1 process here for lack/)
})

const limits = (hard: string) =>
  `Limit  Soft Limit  Hard Limit  Units\nMax open files            256                  ${hard}  files\n`

test('a low limit of open files is a warning, with the command for each way to start', () => {
  assert.equal(textOf(judgeOpenFiles(limits('65536'))), 'ok: 65536 files and connections may be open')
  assert.match(
    textOf(judgeOpenFiles(limits('1024'))),
    /^warning: only 1024 files .* -> before the start, run "ulimit -n 65536".*LimitNOFILE/,
  )
  assert.equal(judgeOpenFiles('').state, 'ok')
})

test('clocks that are more than two seconds ahead or behind are a warning', () => {
  assert.equal(judgeClocks([{ name: 'a', aheadMs: 1_900 }]).state, 'ok')
  assert.equal(
    textOf(
      judgeClocks([
        { name: "the database's clock", aheadMs: 3 * 3_600_000 },
        { name: 'b', aheadMs: -5_000 },
      ]),
    ),
    "warning: the database's clock is 3 hours ahead of this machine's; b is 5 s behind this machine's -> synchronize the clock of every machine by NTP: timedatectl set-ntp true",
  )
})
