import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '@everscan/contract/problems/problem.ts'
import { sql } from 'kysely'
import { forEachDatabase } from '../../db/testing/databases.ts'
import {
  differingSettings,
  readMachines,
  reportMachine,
  stopMachine,
  type MachineReport,
} from './machines.ts'

const report = (name: string, changed: Partial<MachineReport> = {}): MachineReport => ({
  name,
  release: '1.0.0',
  settings: { PUBLIC_URL: 'https://qr.example.com', SECRET: 'ab12' },
  problem: null,
  waitingBytes: 0,
  ...changed,
})

/** As a machine reports it: the sentence begins with the name of the part. */
const full: Problem = {
  problem: 'diskNearlyFull',
  values: { freeBytes: 1, sizeBytes: 100 },
  message: 'disk: nearly full: 1 of 100 bytes are free under DATA_DIR',
}

forEachDatabase('machines', (open) => {
  test('each is known by its last report, live, silent or stopped, for a day', async () => {
    const db = await open()
    for (const name of ['c', 'b', 'a']) await reportMachine(db, report(name), { isStart: true })
    await reportMachine(db, report('a', { problem: full, waitingBytes: 7 }), { isStart: false })
    await stopMachine(db, 'b')
    await sql`update machines set seen_at_ms = seen_at_ms - 100000 where name = 'c'`.execute(db.kysely)
    const machines = await readMachines(db)
    assert.deepEqual(machines[0]?.problemDetails, [{ path: '', ...full }])
    assert.deepEqual(
      machines.map(({ name, state, problem, waitingBytes }) => [name, state, problem, waitingBytes]),
      [
        ['a', 'LIVE', full.message, 7],
        ['b', 'STOPPED', null, 0],
        ['c', 'SILENT', null, 0],
      ],
    )
    assert.ok(machines.every(({ startedAtMs }) => Math.abs(startedAtMs - Date.now()) < 60_000))
    await reportMachine(db, report('b'), { isStart: true })
    await sql`update machines set seen_at_ms = seen_at_ms - 90000000 where name = 'c'`.execute(db.kysely)
    assert.deepEqual(
      (await readMachines(db)).map(({ name, state }) => [name, state]),
      [
        ['a', 'LIVE'],
        ['b', 'LIVE'],
      ],
    )
  })

  test('a machine with another host name replaces its report under the former one', async () => {
    const db = await open()
    await reportMachine(db, report('container-1:/data'), { isStart: true })
    await reportMachine(db, report('other:/data'), { isStart: true })
    const formerName = 'container-1:/data'
    await reportMachine(db, report('container-2:/data'), { isStart: true, formerName })
    await reportMachine(db, report('other:/data'), { isStart: true, formerName: 'other:/data' })
    assert.deepEqual(
      (await readMachines(db)).map(({ name, state }) => [name, state]),
      [
        ['container-2:/data', 'LIVE'],
        ['other:/data', 'LIVE'],
      ],
    )
  })

  test('settings of which live machines have different values are told, with the values', async () => {
    const db = await open()
    await reportMachine(db, report('a'), { isStart: true })
    await reportMachine(db, report('b'), { isStart: true })
    assert.deepEqual(differingSettings(await readMachines(db)), [])
    const settings = { PUBLIC_URL: 'https://go.example.com', SECRET: 'cd34', NEW: 'only here' }
    await reportMachine(db, report('b', { settings }), { isStart: true })
    const differing = differingSettings(await readMachines(db))
    assert.deepEqual(
      differing.map(({ message }) => message),
      [
        'PUBLIC_URL differs between machines: https://qr.example.com on a, https://go.example.com on b. Give all of them one value.',
        'SECRET differs between machines: fingerprint ab12 on a, fingerprint cd34 on b. Give all of them one value.',
      ],
    )
    assert.deepEqual(differing[1]?.values, {
      setting: 'SECRET',
      settings: 'ab12\ncd34',
      machines: 'a\nb',
    })
    await stopMachine(db, 'b')
    assert.deepEqual(differingSettings(await readMachines(db)), [])
  })
})
