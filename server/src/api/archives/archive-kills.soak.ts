import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import { startTestStore } from '../../analytics/testing/store.ts'
import { createQrCodes } from '../../catalogue/codes/qr-codes.ts'
import { readArchiveImport } from '../../catalogue/imports/archive-imports.ts'
import { someOrigin, someQrCode } from '../../catalogue/testing/catalogue.ts'
import type { Database } from '../../db/database.ts'
import { forEachDatabase, onSqlite } from '../../db/testing/databases.ts'
import { programArgs } from '../../db/testing/program-args.ts'
import { recountAll } from '../../ingest/clickhouse/recount.ts'
import { openTestApi, somePerson, type TestApi } from '../testing/api.ts'
import {
  archivedIds,
  comparableFiles,
  exportArchive,
  ofNobody,
  sendArchive,
  withIds,
} from '../testing/archives.ts'

const codes = 10_000
const hits = 1_000_000
const kills = 10

const [there, here] = await Promise.all([startTestStore(), startTestStore()])
after(there.remove)
after(here.remove)
const { signal } = new AbortController()

/** A worker whose leases end soon after its death. */
const program = `
  import { pino } from 'pino'
  import { openClickHouse } from '${import.meta.dirname}/../../analytics/store/open-clickhouse.ts'
  import { openDatabase } from '${import.meta.dirname}/../../db/open-database.ts'
  import { startArchiveWorker } from '${import.meta.dirname}/../testing/archives.ts'
  const log = pino({ level: 'fatal' }, pino.destination(2))
  const { databaseUrl, dataDir, socketPath } = JSON.parse(process.argv[1])
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
  startArchiveWorker(db, openClickHouse({ socketPath }), { leaseMs: 300 })
  process.stdout.write('up')`

onSqlite('an archive', (openSource) => {
  forEachDatabase('and its import', (open) => {
    test(`whose worker is killed ${kills} times gives the same archive`, async (t) => {
      const random = seededRandom()
      const source = await openSourceOf(await openSource())
      const archive = await exportArchive(source)
      const db = await open()
      const target = await openTestApi(db, { store: here.scanStore })
      await db.kysely.updateTable('organizations').set({ slug: 'other' }).where('slug', '=', 'mine').execute()
      const { session } = await somePerson(db, 'Ada')
      const fromMs = performance.now()
      const started = await sendArchive(target, archive, { session })
      const checkedMs = performance.now() - fromMs
      t.diagnostic(`${Math.round(archive.length / 1024 ** 2)} MiB, checked in ${Math.round(checkedMs)} ms`)
      assert.equal(started.statusCode, 202, started.body)
      const { organizationId, id } = started.json<ArchiveImport>()
      const job = async () => {
        const row = await readArchiveImport(db, { organizationId: organizationId ?? '', id: id ?? '' })
        assert.ok(row)
        return row
      }
      const done = async () => Object.values((await job()).progress.done).reduce((sum, one) => sum + one, 0)

      let midway = 0
      for (let kill = 0; (await job()).completedAtMs === null; kill++) {
        const child = startWorker(db)
        await once(child.stdout, 'data')
        const before = await done()
        // At least one step is done by each worker, and some more are begun.
        while ((await done()) === before && (await job()).completedAtMs === null) await sleep(5)
        if (kill < kills) await sleep(random() * 1_000)
        else while ((await job()).completedAtMs === null) await sleep(20)
        if ((await job()).completedAtMs === null) midway++
        child.kill('SIGKILL')
        await once(child, 'close')
      }
      assert.ok(midway >= kills - 1, `killed ${midway} times on the way`)
      const { input, progress } = await job()
      assert.deepEqual(progress, { done: input.total, waitingHits: 0 })
      assert.equal(progress.done.hits, hits)
      const ids = await archivedIds(target, { organizationId, id }, { session })
      const back = new Map([...ids].map(([archived, mine]) => [mine, archived]))
      const again = await comparableFiles(
        await exportArchive(target, { session, orgId: organizationId ?? '' }),
      )
      t.diagnostic(`killed ${midway} times on the way`)
      // A difference would print a million lines.
      for (const [name, text] of Object.entries(await comparableFiles(archive)))
        assert.ok(ofNobody(withIds(again[name] ?? '', back)) === ofNobody(text), `${name} differs`)
    })
  })
})

function startWorker({ source }: Database) {
  const where =
    source.dialect === 'sqlite'
      ? { dataDir: dirname(source.file) }
      : { dataDir: '/nonexistent', databaseUrl: source.url }
  const words = JSON.stringify({ ...where, socketPath: here.engine.socketPath })
  return spawn(process.execPath, [...programArgs(program), words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** An organization with codes and their hits in two years. */
async function openSourceOf(db: Database): Promise<TestApi> {
  const api = await openTestApi(db, { store: there.scanStore })
  for (let from = 0; from < codes; from += 500) {
    const some = Array.from({ length: Math.min(500, codes - from) }, (_, index) =>
      someQrCode({ name: `Code ${from + index}`, picture: { version: 3, mask: 3 }, origin: someOrigin }),
    )
    await createQrCodes(db, api.orgId, some)
  }
  await insertHits(db, there.store, api.orgId)
  await recountAll(db, there.store, { signal, codes: 'all' })
  return api
}

async function insertHits(db: Database, store: ClickHouse, organizationId: string): Promise<void> {
  const rows = await db.kysely
    .selectFrom('qr_codes')
    .select(['id', 'canonical_code'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
  await store.command(
    `insert into scans (organization_id, qr_code_id, short_code, time, writer, sequence, visitor, class,
       bot_reason, country, city, region, device_type, os, browser, referrer, language, batch_id)
     select {organizationId:String},
       arrayElement({ids:Array(String)}, 1 + cityHash64(number) % {codes:UInt32}) as id,
       arrayElement({shorts:Array(String)}, 1 + cityHash64(number) % {codes:UInt32}),
       fromUnixTimestamp64Milli(toInt64(1700000000000 + cityHash64(number, 1) % 31536000000)),
       'writer', number, toUUID(hex(MD5(toString(cityHash64(number, 2) % 300000)))),
       if(cityHash64(number, 3) % 10 = 0, 'bot', 'human'), if(cityHash64(number, 3) % 10 = 0, 'because', ''),
       'DE', 'Berlin', '', 'mobile', 'iOS', 'Safari', '', 'de', 'bat_0'
     from numbers(1, {hits:UInt64})`,
    {
      organizationId,
      ids: rows.map(({ id }) => id),
      shorts: rows.map((row) => row.canonical_code),
      codes,
      hits,
    },
    { deadlineMs: 120_000, settings: { max_partitions_per_insert_block: '0' } },
  )
}
