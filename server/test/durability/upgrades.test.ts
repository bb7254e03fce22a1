import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import {
  fixtureNames,
  fixturesDir,
  readFixture,
  readState,
  scansIn,
  unpackDirectory,
  type DataState,
} from '../support/data-fixtures.ts'
import { readVisitorKey } from '../../src/processes/data-dir.ts'
import { visitorKeyOfSecret } from '../../src/processes/visitor-key.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { loadPostgres } from '../support/postgres-fixtures.ts'
import { phones } from '../support/phones.ts'
import { startService, until, type Service } from '../support/service.ts'
import { startUpgraded, untilOldIsTold, upgradeStore } from '../support/upgraded-service.ts'

const isSoak = process.env['SOAK'] === '1'

const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
const run = promisify(execFile)
const random = seededRandom()

type Audited = { auditLog: number }
const root = mkdtempSync(join(tmpdir(), 'everscan-upgrades-'))
after(() => rmSync(root, { recursive: true, force: true }))

const catalogues = [
  { catalogue: 'SQLite', env: async () => ({}), emptyEnv: async () => ({}) },
  {
    catalogue: 'PostgreSQL',
    env: async (name: string) => ({ DATABASE_URL: await loadPostgres(name) }),
    emptyEnv: async () => ({ DATABASE_URL: await (await testPostgres()).createDatabase() }),
  },
]

const names = fixtureNames().toSorted()

/**
 * `npm test` opens each fixture on one of the catalogues, in turn: so the migrations of this
 * release run on both. Those of earlier releases never change. The soak opens each on both.
 */
const openings = names.flatMap((name, number) =>
  catalogues
    .filter((_, place) => isSoak || place === number % catalogues.length)
    .map((catalogue) => ({ name, ...catalogue })),
)

for (const { name, catalogue, env, emptyEnv } of openings)
  describe(`a data directory of ${name}, with the catalogue on ${catalogue}`, () => {
    const fixture = readFixture(name)

    /**
     * Asserts that figures and records match to the scan what that release reported; a later
     * release may report more.
     */
    const assertAllThere = async (t: TestContext, service: Service): Promise<void> => {
      let state: DataState | undefined
      const isThere = async () => {
        state = await readState(service.baseUrl, fixture)
        return scansIn(state) >= fixture.totalScans
      }
      const tookMs = await until('waiting scans are ingested', isThere, 60_000)
      t.diagnostic(
        `${fixture.totalScans} scans, ${fixture.waitingScans} of them waiting, complete after ${Math.round(tookMs)} ms`,
      )
      const was = structuredClone(fixture.state)
      for (const [index, organization] of (was.organizations as Audited[]).entries()) {
        // Automatic changes of the service, such as disabling a webhook, continue meanwhile.
        const { auditLog = 0 } = (state?.organizations[index] ?? {}) as Partial<Audited>
        assert.ok(auditLog >= organization.auditLog, 'entries of the audit log')
        organization.auditLog = auditLog
      }
      assert.partialDeepStrictEqual(state, was)
    }
    const settings = async (attempt: string): Promise<Record<string, string>> => {
      const dataDir = join(root, `${name}-${catalogue}-${attempt}`)
      unpackDirectory(name, dataDir)
      if (catalogue !== 'SQLite') rmSync(join(dataDir, 'catalogue.sqlite'))
      return {
        ...(await env(name)),
        DATA_DIR: dataDir,
        SECRET: fixture.secret,
        PUBLIC_URL: 'https://qr.example.com',
      }
    }

    test('is opened with all its data, and resumes its waiting work', async (t) => {
      const service = await startUpgraded(await settings('calm'))
      t.after(() => service.remove())
      await assertAllThere(t, service)
      await service.restart()
      await assertAllThere(t, service)
      // Keys of every release so far have neither scopes nor networks; new ones may have them.
      const [{ id: orgId, apiKey } = assert.fail()] = fixture.organizations
      const { apiKeys } = service.client({ apiKey })
      for (const { scopes, networks } of (await apiKeys.list(orgId)).data)
        assert.deepEqual([scopes, networks], [null, null])
      const { key, ...made } = await apiKeys.create(orgId, {
        name: 'Report',
        scopes: ['analytics:read'],
        networks: ['127.0.0.1'],
      })
      assert.deepEqual([made.scopes, made.networks], [['analytics:read'], ['127.0.0.1/32']])
      const { analytics, folders } = service.client({ apiKey: key })
      await analytics.ofOrganization(orgId)
      await assert.rejects(folders.list(orgId), { status: 403, code: 'FORBIDDEN' })
    })

    // Later releases already have a visitor key of their own.
    if (fixture.version === '0.1.0')
      test('recognizes returning visitors, except IPv6 visitors, for whom the day is marked once', async (t) => {
        const service = await startUpgraded({ ...(await settings('visitors')), TRUST_PROXY: '127.0.0.1' })
        t.after(() => service.remove())
        await assertAllThere(t, service)
        await service.restart()
        assert.equal(readVisitorKey(service.dataDir), visitorKeyOfSecret(fixture.secret))
        const [{ id: orgId, apiKey } = assert.fail()] = fixture.organizations
        const client = service.client({ apiKey })
        const { marks, topQrCodes } = await client.analytics.ofOrganization(orgId, {
          startDate: fixture.startDate,
        })
        assert.deepEqual(
          marks.map(({ kind }) => kind),
          ['visitors-by-64'],
        )
        const [shortCode] = fixture.shortCodes
        const id = topQrCodes.find((code) => code.shortCode === shortCode)?.qrCodeId ?? assert.fail()
        const before = await client.qrCodes.read(orgId, id)
        // The visitors of the fixture, each of whom has scanned this code.
        for (const [at, { address, phone, uniques }] of [
          { address: '8.8.1.8', phone: phones[1], uniques: 0 },
          { address: '2001:db8::1', phone: phones[0], uniques: 1 },
        ].entries()) {
          const headers = { 'user-agent': phone, 'x-forwarded-for': address }
          const answer = await fetch(`${service.baseUrl}/${shortCode}`, { redirect: 'manual', headers })
          assert.equal(answer.status, 302)
          const scans = before.totalScans + at + 1
          const isCounted = async () => (await client.qrCodes.read(orgId, id)).totalScans === scans
          await until('it is counted', isCounted, 30_000)
          const { uniqueScans } = await client.qrCodes.read(orgId, id)
          assert.equal(uniqueScans, before.uniqueScans + uniques, address)
        }
      })

    const copy = join(fixturesDir, `${name}.copy`)
    if (existsSync(copy) && (hasVariants || name === names.at(-1)))
      test('is restored from its copy', async (t) => {
        const dataDir = join(root, `${name}-${catalogue}-restored`)
        const restored = { ...(await emptyEnv()), DATA_DIR: dataDir, PUBLIC_URL: 'https://qr.example.com' }
        await run(process.execPath, [main, 'restore', copy], { env: { ...process.env, ...restored } })
        const service = await startService(restored)
        t.after(() => service.remove())
        await assertAllThere(t, service)
      })

    // The oldest release has the most migrations to be killed in.
    const kills = isSoak ? 20 : hasVariants && name === names[0] ? 1 : 0
    for (let kill = 0; kill < kills; kill++)
      test(`is the same if its first start is killed (${kill})`, async (t) => {
        const given = await settings(`killed-${kill}`)
        const service = await startService(given, { wait: false })
        t.after(() => service.remove())
        const afterMs = Math.round(random() * 3_000)
        t.diagnostic(`killed after ${afterMs} ms`)
        await sleep(afterMs)
        await service.kill()
        service.launch()
        await untilOldIsTold(service)
        await service.stop()
        await upgradeStore({ ...given, DATA_DIR: service.dataDir })
        await service.restart()
        await assertAllThere(t, service)
      })
  })

test('there are fixtures', () => assert.ok(fixtureNames().length > 0))
