import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ScanStoreUnavailable } from '../../scan-store.ts'
import { engineSize, ScanEngine } from './scan-engine.ts'

const folder = mkdtempSync(join(tmpdir(), 'everscan-engine-'))
const engine = await ScanEngine.open({ folders: [folder], spillTo: join(folder, 'spill'), memory: '64MB' })
after(() => {
  engine.close()
  rmSync(folder, { recursive: true })
})

const endless =
  'select count(*) from range(1000000) as a, range(1000000) as b where a.range % 7 = b.range % 11'

test('values are parameters, whatever they have, and counts are numbers', async () => {
  const texts = [`'; drop table x; --`, '$1', 'ä\n"']
  const rows = await engine.read((select) =>
    select<{ text: string; n: number }>(
      'select unnest($texts) as text, $some + count(*) as n from range($rows)',
      { texts, some: 2 ** 40, rows: 3 },
    ),
  )
  assert.deepEqual(
    rows,
    texts.map((text) => ({ text, n: 2 ** 40 + 3 })),
  )
})

test('a query ends at its deadline, as ScanStoreUnavailable, and gives its place to the next', async () => {
  const slow = Array.from({ length: 4 }, () => engine.read((select) => select(endless), 200))
  const next = engine.read((select) => select<{ one: number }>('select 1 as one'))
  for (const outcome of await Promise.allSettled(slow))
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof ScanStoreUnavailable)
  assert.deepEqual(await next, [{ one: 1 }])
})

test('at most four reads run at a time', async () => {
  let [running, most] = [0, 0]
  const { promise: areFour, resolve } = Promise.withResolvers<void>()
  const read = () =>
    engine.read(async (select) => {
      most = Math.max(most, ++running)
      if (running === 4) resolve()
      await areFour
      await select('select 1')
      running--
    })
  await Promise.all(Array.from({ length: 10 }, read))
  assert.equal(most, 4)
})

test('all queries of a read see one state', async () => {
  await engine.change('create table counted as select 1 as n')
  const counts = await engine.read(async (select) => {
    const count = async () => (await select('select n from counted')).length
    const first = await count()
    await engine.change('insert into counted values (2)')
    return [first, await count()]
  })
  assert.deepEqual(counts, [1, 1])
})

test('a file that is gone is an outage; a wrong query is a fault', async () => {
  const gone = engine.read((select) => select(`from read_parquet('${join(folder, 'none.parquet')}')`))
  await assert.rejects(gone, ScanStoreUnavailable)
  const wrong = engine.read((select) => select('select nothing from range(1)'))
  await assert.rejects(wrong, (error) => !(error instanceof ScanStoreUnavailable))
})

test('no statement opens a file outside the folders, loads an extension or unlocks the settings', async () => {
  const outside = join(tmpdir(), 'everscan-outside.parquet')
  for (const sql of [
    `select * from read_csv('/etc/passwd')`,
    `copy (select 1 as one) to '${outside}' (format parquet)`,
    `copy (select 1 as one) to '${join(folder, '..', 'everscan-outside.parquet')}' (format parquet)`,
    `attach '${outside}' as other`,
    `export database '${outside}'`,
    'install httpfs',
    `load '${outside}'`,
    'set enable_external_access = true',
    `set allowed_directories = ['/']`,
    'reset lock_configuration',
  ])
    await assert.rejects(engine.change(sql), Error, sql)
  assert.equal(existsSync(outside), false)
  await engine.change(`copy (select 1 as one) to '${join(folder, 'inside.parquet')}' (format parquet)`)
})

test('an engine takes a fifth of the memory, and has 64 MB of it for each thread', () => {
  const sizes = [0.25, 0.6, 1, 64].map((gigabytes) =>
    engineSize({ memoryBytes: gigabytes * 1024 ** 3, processors: 4 }),
  )
  assert.deepEqual(sizes, [
    { memory: '64MB', threads: 1 },
    { memory: '122MB', threads: 1 },
    { memory: '204MB', threads: 3 },
    { memory: '13107MB', threads: 4 },
  ])
})
