// Proof 21, from outside: whatever operators put back, lose or mix up, the figures are exact after
// a start, or the start is rejected with a sentence that says what to do.
import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ConflictError } from '@everscan/client/create-client.ts'
import type { TestPostgres } from '../../src/db/testing/postgres.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { readVisitorKey } from '../../src/processes/data-dir.ts'
import { visitorKeyOfSecret } from '../../src/processes/visitor-key.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { assertFigures, createCodes, totalScans, type Codes } from '../support/accounts.ts'
import { scanOnce } from '../support/load.ts'
import { startStoreServer } from '../support/scan-store-server.ts'
import { inherited, startService, until, type Service } from '../support/service.ts'

const lossTold = 'scans that cannot be restored'

/** A scan store as an operator has it in hand, who moves folders while nothing runs. */
type StoreInHand = {
  env: Record<string, string>
  /** The journals of scans that an older copy replaces. */
  journal: string
  /** Has the rows of the last days. */
  kept: string
  /** Removes a part of what is stored, while the service is stopped. */
  loseSome: (dataDir: string) => Promise<void>
  /** Whether the service tells that it has restored what it had of so many scans. */
  hasRestored: (service: Service, scans: number) => Promise<boolean>
  /** Moves it away. Returns how it is put back. */
  moveAway: (dataDir: string, to: string) => Promise<() => Promise<void>>
  stop: () => Promise<void>
}

const inFiles = async (): Promise<StoreInHand> => ({
  env: {},
  // The records of scans, which are beside it, are a part of the store.
  journal: 'journal/front-0',
  kept: 'journal/scans',
  loseSome: async (dataDir) => {
    const records = globSync('journal/scans/*.rows', { cwd: dataDir })
    assert.ok(records.length > 0, 'there are records')
    for (const name of records) truncateSync(join(dataDir, name), 100)
  },
  // Counters never changed: batches are read again as if they had not been stored.
  hasRestored: async (service) =>
    service.output().includes('what journals still have of them is read again') &&
    !service.output().includes(lossTold),
  moveAway: async (dataDir, to) => {
    const folders = ['scan-files', 'journal/scans'].map((name) => ({
      from: join(dataDir, name),
      away: join(to, basename(name)),
    }))
    await mkdir(to)
    for (const { from, away } of folders) await rename(from, away)
    return async () => {
      for (const { from, away } of folders) {
        await rm(from, { recursive: true, force: true })
        await rename(away, from)
      }
    }
  },
  stop: async () => {},
})

/** Whether a folder is a part of a table of scans. */
function hasBatches(part: string): boolean {
  const columns = join(part, 'columns.txt')
  return existsSync(columns) && readFileSync(columns, 'utf8').includes('`batch_id`')
}

async function onServer(): Promise<StoreInHand> {
  const { url, engine, stop } = await startStoreServer()
  const stopped = async (change: () => Promise<void>) => {
    await engine.stop()
    await change()
    await engine.start()
  }
  return {
    env: { CLICKHOUSE_URL: url },
    journal: 'journal',
    kept: 'journal/kept',
    loseSome: () =>
      stopped(async () => {
        const gone = globSync('store/*/*/*_*_*_*', { cwd: engine.dir })
          .map((part) => join(engine.dir, part))
          .filter(hasBatches)
        assert.ok(gone.length > 0, 'there are parts')
        for (const part of gone) await rm(part, { recursive: true })
      }),
    hasRestored: async (service, scans) => (await service.metric('ingest_put_back_hits_total')) === scans,
    moveAway: async (_dataDir, to) => {
      await stopped(() => rename(engine.dir, to))
      return () =>
        stopped(async () => {
          await rm(engine.dir, { recursive: true })
          await rename(to, engine.dir)
        })
    },
    stop,
  }
}

for (const [kind, open] of [
  ['files', inFiles],
  ['ClickHouse', onServer],
] as const)
  describe(`one machine (SQLite and ${kind})`, () => {
    let store: StoreInHand
    let service: Service
    let of: Codes
    let copies: string
    let scans = 0
    let keyId: string
    let key: string

    before(async () => {
      copies = await mkdtemp(join(tmpdir(), 'everscan-copies-'))
      store = await open()
      service = await startService({ ...store.env, RATE_LIMIT_PER_MINUTE: '0', TRUST_PROXY: '127.0.0.1' })
      of = await createCodes(service, 1)
      ;({ id: keyId, key } = await of.client.apiKeys.create(of.orgId, { name: 'Leaked', role: 'EDITOR' }))
      await scan(6)
    })
    after(async () => {
      await service.remove()
      await store.stop()
      await rm(copies, { recursive: true })
    })

    const id = (): string => of.codes[0]?.id ?? assert.fail()
    const path = (name: string): string => join(service.dataDir, name)
    const copy = (name: string): string => join(copies, name)
    async function scan(count: number, code = of.codes[0]?.shortCode ?? ''): Promise<void> {
      for (let index = 0; index < count; index++)
        assert.equal(await scanOnce({ port: service.port, code }), 302)
      if (code === of.codes[0]?.shortCode) scans += count
      await until('scans are counted', async () => (await totalScans(of)) >= scans)
    }
    async function start(): Promise<void> {
      service.launch()
      await service.waitUntilReady()
    }
    async function assertMetric(name: string, isRight: (figure: number) => boolean): Promise<void> {
      await until(name, async () => isRight(await service.metric(name)))
    }
    async function keepCopies(): Promise<void> {
      for (const part of ['catalogue.sqlite', store.journal])
        await cp(path(part), copy(part), { recursive: true })
    }
    async function putBack(part: string): Promise<void> {
      for (const name of globSync(`${part}*`, { cwd: service.dataDir }))
        await rm(path(name), { recursive: true })
      await cp(copy(part), path(part), { recursive: true })
    }
    /** Runs a command on this data directory, and returns its output. */
    function everscan(...words: string[]): string {
      const env = { ...inherited(), ...store.env, DATA_DIR: service.dataDir }
      const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
      return execFileSync(process.execPath, [main, ...words], { env, encoding: 'utf8' })
    }
    /** Runs a start that must be rejected, and returns its last lines. */
    async function refusal(): Promise<string> {
      const from = service.output().length
      service.launch()
      assert.equal(await service.ended(), 1)
      return service.output().slice(from)
    }

    test('missing parts of the scan store are restored from the rows in the journal', async () => {
      const hasRows = async () => (await readdir(path(store.kept))).some((file) => file.endsWith('.rows'))
      await until('rows are kept', hasRows, 10_000)
      await service.stop()
      await keepCopies()
      await store.loseSome(service.dataDir)
      await start()
      await assertFigures(of, id(), scans)
      await until('it is told', () => store.hasRestored(service, scans))
    })

    test('a catalogue restored from a copy counts no scan twice; codes created since are reserved', async () => {
      await scan(5)
      const data = { url: 'https://example.com/new' }
      const made = await of.client.qrCodes.create(of.orgId, { type: 'URL', name: 'Made since', data })
      await scan(2, made.shortCode)
      const analytics = (): Promise<number> =>
        of.client.qrCodes.analytics(of.orgId, made.id).then(({ summary }) => summary.totalScans)
      await until('its scans are counted', async () => (await analytics()) === 2)
      await of.client.apiKeys.revoke(of.orgId, keyId)
      await service.stop()
      await putBack('catalogue.sqlite')
      await start()
      await assert.rejects(service.client({ apiKey: key }).qrCodes.list(of.orgId), /has been revoked/)
      await assertFigures(of, id(), scans)
      assert.equal(await scanOnce({ port: service.port, code: made.shortCode }), 410)
      await assert.rejects(
        of.client.qrCodes.create(of.orgId, { type: 'URL', name: 'Again', data, shortCode: made.shortCode }),
        ConflictError,
      )
      await assertMetric('ingest_unknown_hits_total', (hits) => hits === 7)
      assert.match(service.output(), /an older copy of the catalogue was (restored|put back)/)
      const told = async () =>
        (await of.client.auditLog.list(of.orgId, { limit: 10 })).data
          .filter(({ origin }) => origin.via === 'system')
          .map(({ action, target }) => `${action} ${target.name}`)
      await until('the audit log has the entry', async () => (await told()).includes('scans.recount +5'))
      for (const entry of ['catalogue.restore ', 'api-key.revoke Leaked'])
        assert.ok(
          (await told()).some((one) => one.startsWith(entry)),
          entry,
        )
      await scan(3)
      await assertFigures(of, id(), scans)
    })

    test('an older journal swallows no new scan', async () => {
      await service.stop()
      await putBack(store.journal)
      await start()
      await scan(4)
      await assertFigures(of, id(), scans)
    })

    test('without its scan store redirects continue and scans wait', async () => {
      await service.stop()
      const putStoreBack = await store.moveAway(service.dataDir, copy('scans-away'))
      await start()
      const code = of.codes[0]?.shortCode ?? ''
      for (let index = 0; index < 3; index++) assert.equal(await scanOnce({ port: service.port, code }), 302)
      scans += 3
      const detail = async () => (await service.readiness()).parts?.['scanStore']?.detail ?? ''
      await until('it is reported', async () => (await detail()).startsWith('the scan store is empty, but'))
      await service.stop()
      await putStoreBack()
    })

    test('without its catalogue or its secret the service creates no new one, and writes nothing', async () => {
      await rename(path('catalogue.sqlite'), copy('there'))
      for (const name of globSync('catalogue.sqlite-*', { cwd: service.dataDir })) await rm(path(name))
      assert.match(await refusal(), /catalogue\.sqlite is missing or empty, but DATA_DIR .* holds the scans/)
      assert.ok(!existsSync(path('catalogue.sqlite')))
      await rename(copy('there'), path('catalogue.sqlite'))
      await rename(path('secret'), copy('secret'))
      assert.match(await refusal(), /secret is missing, and DATA_DIR has been used: restore it/)
      assert.ok(!existsSync(path('secret')))
      await rename(copy('secret'), path('secret'))
    })

    test('the data directory or the journals of another installation are rejected until they are adopted; then everything is counted', async () => {
      const file = path('installation.json')
      const own = readFileSync(file, 'utf8')
      writeFileSync(file, own.replace(/ins_[0-9a-z]+/, 'ins_another'))
      assert.match(
        await refusal(),
        /belongs to installation ins_another, .* If this is intended: \.\/everscan adopt data-dir/,
      )
      assert.match(everscan('adopt', 'data-dir'), /now belongs to this installation/)
      for (const folder of ['journal/front-0', store.kept]) {
        writeFileSync(path(`${folder}/installation`), 'ins_another\n')
        assert.match(
          await refusal(),
          new RegExp(
            `the journals in .*${folder} belong to installation ins_another: move the folder out of DATA_DIR`,
          ),
        )
        everscan('adopt', 'data-dir')
        assert.match(readFileSync(path(`${folder}/installation`), 'utf8'), /^ins_\w{26}\n$/)
      }
      await start()
      await until('the scans that waited are counted', async () => (await totalScans(of)) === scans)
      await assertFigures(of, id(), scans)
    })

    test('a lost scan store is recreated when this is adopted: rows in the journal come back, and lost scans are reported', async () => {
      await service.stop()
      await store.moveAway(service.dataDir, copy('lost'))
      assert.match(everscan('adopt', 'scan-store'), /takes over the scan store that it finds/)
      const from = service.output().length
      await start()
      await until('the loss is reported', () => service.output().slice(from).includes(lossTold))
      scans = await totalScans(of)
      assert.ok(scans > 0, 'the rows of the last days are back')
      await scan(2)
      await assertFigures(of, id(), scans)
    })

    if (kind === 'files')
      test('an older journal with the records of scans reports those since as lost, and swallows no new scan', async () => {
        await service.stop()
        await rm(copy('journal'), { recursive: true })
        await cp(path('journal'), copy('journal'), { recursive: true })
        await start()
        await scan(3)
        await service.stop()
        await putBack('journal')
        const from = service.output().length
        await start()
        await until('the loss is reported', () => service.output().slice(from).includes(lossTold))
        scans -= 3
        await scan(4)
        await assertFigures(of, id(), scans)
      })
  })

if (hasVariants)
  describe('several machines (PostgreSQL)', () => {
    const secret = 'a secret that all machines of the cluster have'
    let postgres: TestPostgres
    let databaseUrl: string
    before(async () => {
      postgres = await testPostgres()
      databaseUrl = await postgres.createDatabase()
    })

    /** Starts a machine that must be rejected, and returns its last lines. */
    async function refused(env: Readonly<Record<string, string>>): Promise<string> {
      const service = await startService({ DATABASE_URL: databaseUrl, ...env }, { wait: false })
      assert.equal(await service.ended(), 1)
      const output = service.output()
      await service.remove()
      return output
    }

    test("a second one without the first one's scan store, or with another secret, is rejected; so is an emptied data directory", async () => {
      const first = await startService({ DATABASE_URL: databaseUrl, SECRET: secret })
      try {
        await until(
          'the first one has recorded its scan store',
          async () => (await first.readiness()).status === 'ready',
        )
        const [withoutStore, withOtherSecret, withNewSecret, withOtherKey] = await Promise.all([
          refused({ SECRET: secret }),
          refused({ SECRET: `${secret}!` }),
          refused({}),
          refused({ SECRET: secret, VISITOR_KEY: `${secret}!` }),
        ])
        assert.match(withoutStore, /CLICKHOUSE_URL is missing: .* Set CLICKHOUSE_URL on all machines/)
        assert.match(withOtherSecret, /SECRET is not the one of this installation: set SECRET/)
        assert.match(withNewSecret, /SECRET is not the one of this installation: set SECRET/)
        assert.match(
          withOtherKey,
          /VISITOR_KEY is not the visitor key of this installation: set the former value, or remove the setting/,
        )
      } finally {
        await first.remove()
      }
      assert.match(await refused({ SECRET: secret }), /CLICKHOUSE_URL is missing/)
    })

    test('a second one without the visitor key of the first is rejected', async () => {
      const shared = { DATABASE_URL: await postgres.createDatabase(), SECRET: secret }
      const first = await startService({ ...shared, VISITOR_KEY: `${secret} and a key of its own` })
      try {
        assert.equal(readVisitorKey(first.dataDir), undefined, 'a setting is not written to disk')
        assert.match(
          await refused(shared),
          /visitor-key is missing, .*: copy DATA_DIR\/visitor-key from the first machine, or set VISITOR_KEY on all of them\./,
        )
      } finally {
        await first.remove()
      }
    })

    test('a second one with the same scan store and secret shares its figures; another installation may not use the store', async () => {
      const store = await startStoreServer({ schema: 'none' })
      const env = { SECRET: secret, CLICKHOUSE_URL: store.url, TRUST_PROXY: '127.0.0.1' }
      const shared = { ...env, DATABASE_URL: await postgres.createDatabase() }
      const machines: Service[] = []
      try {
        for (const settings of [shared, shared]) machines.push(await startService(settings))
        const [first] = machines
        const of = await createCodes(first!, 1)
        const code = of.codes[0]?.shortCode ?? ''
        for (const { port } of machines)
          for (let index = 0; index < 4; index++) assert.equal(await scanOnce({ port, code }), 302)
        await until('all scans are counted', async () => (await totalScans(of)) === 8)
        await assertFigures(of, of.codes[0]?.id ?? '', 8)
        // Without VISITOR_KEY both derive the same key.
        for (const { dataDir } of machines) assert.equal(readVisitorKey(dataDir), visitorKeyOfSecret(secret))
        assert.match(
          await refused({ ...env, DATABASE_URL: await postgres.createDatabase() }),
          /the scan store belongs to installation ins_.*: set the CLICKHOUSE_URL that belongs to it/,
        )
      } finally {
        for (const machine of machines) await machine.remove()
        await store.stop()
      }
    })
  })
