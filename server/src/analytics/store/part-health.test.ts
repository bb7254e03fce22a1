import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { insertBatch } from '../insert/insert.ts'
import { checkParts, readDetachedParts } from './part-health.ts'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { randomFrom } from '@everscan/contract/testing/random.ts'
import { startTestStore } from '../testing/store.ts'

const { engine, store, remove } = await startTestStore()
after(remove)
const { signal } = new AbortController()
const [fromMs, toMs] = [Date.UTC(2026, 2, 2), Date.UTC(2026, 2, 3)]
for (const batchId of ['bat_1', 'bat_2', 'bat_3'])
  await insertBatch(
    store,
    blockOf(batchId, randomScans(randomFrom(1), { organizationId: batchId, rows: 50, fromMs, toMs })),
  )

test('parts that the store has set aside are named, with its own reason', async () => {
  assert.deepEqual(await readDetachedParts(store), [])
  const [part] = await store.select<{ name: string }>(
    `select name from system.parts where table = 'first_scans' and active order by name limit 1`,
  )
  await store.command(`alter table first_scans detach part '${part?.name}'`)
  assert.deepEqual(await readDetachedParts(store), [{ table: 'first_scans', part: part?.name, why: '' }])
  await store.command(`alter table first_scans attach part '${part?.name}'`)
  assert.deepEqual(await readDetachedParts(store), [])
})

test('parts are checked until the time is over, and from there on the next time', async () => {
  await store.command('system stop merges')
  const all = await store.select<{ place: string }>(
    `select concat(table, ' ', name) as place from system.parts
     where database = 'everscan' and table in ('scans', 'first_scans') and active order by place`,
  )
  const places = all.map(({ place }) => place)
  assert.deepEqual(await checkParts(store, { budgetMs: 60_000, signal }), { broken: [], done: undefined })
  const first = await checkParts(store, { budgetMs: 1, signal })
  assert.deepEqual(first, { broken: [], done: places[0] })
  const rest = await checkParts(store, { budgetMs: 60_000, after: places.at(-1), signal })
  assert.deepEqual(rest, { broken: [], done: undefined })
})

test('a part whose file is not what was written is named', async () => {
  await engine.stop()
  const files = globSync('store/*/*/202603_*/data.bin', { cwd: engine.dir }).map((path) =>
    join(engine.dir, path),
  )
  const damaged = files.find((path) =>
    readFileSync(join(path, '..', 'columns.txt'), 'utf8').includes('batch_id'),
  )
  assert.ok(damaged !== undefined)
  const bytes = readFileSync(damaged)
  const place = Math.floor(bytes.length / 2)
  bytes[place] = (bytes[place] ?? 0) ^ 0xff
  writeFileSync(damaged, bytes)
  await engine.start()
  await store.command('system stop merges')
  const { broken } = await checkParts(store, { budgetMs: 60_000, signal })
  assert.deepEqual(
    broken.map(({ table }) => table),
    ['scans'],
  )
  assert.ok(damaged.includes(`/${broken[0]?.part}/`))
  assert.match(broken[0]?.why ?? '', /[Cc]hecksum|CHECKSUM|data/)
})
