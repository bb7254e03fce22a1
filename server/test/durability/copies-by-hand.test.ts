// Left to the soak: `durability/owners` puts back each older part by its name.
// Proof 21 at random: the parts of one machine at several moments, copied by hand while it was
// stopped or had been killed, and combined in any order.
import assert from 'node:assert/strict'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { EverscanError } from '@everscan/client/errors.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { assertFigures, createCodes, totalScans, type Codes } from '../support/accounts.ts'
import { scanOnce } from '../support/load.ts'
import { startService, until, type Service } from '../support/service.ts'

const isSoak = process.env['SOAK'] === '1'
const orders = isSoak ? 100 : 2

type Environment = Readonly<Record<string, string>>

const catalogues = [
  { name: 'SQLite', isShared: false, newDatabase: async (): Promise<Environment> => ({}) },
  {
    name: 'PostgreSQL',
    isShared: true,
    newDatabase: async (): Promise<Environment> => ({
      DATABASE_URL: await (await testPostgres()).createDatabase(),
    }),
  },
]

type Moment = {
  dir: string
  databaseUrl: string | undefined
  /** Scans of the first code so far: the journals and the scan store contain all of them. */
  scans: number
}

const momentsMax = isSoak ? 6 : 3
/** Records of batches in files are a part of the store, in the folder of the journals. */
const storeParts = ['scan-files', 'journal/scans']

// Otherwise the orderings of `ingest/` cover both catalogues.
for (const { name, isShared, newDatabase } of isSoak ? catalogues : catalogues.slice(0, 1))
  describe(`catalogue, scan store and journals of different moments (${name})`, () => {
    const random = seededRandom()
    const moments: Moment[] = []
    let folder: string
    let service: Service
    let of: Codes
    let env: Environment

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'everscan-moments-'))
      env = { ...(await newDatabase()), TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0' }
      service = await startService(env)
      of = await createCodes(service, 1)
      for (let scans = 0; moments.length < momentsMax;) {
        const count = 3 + Math.floor(random() * 20)
        for (let index = 0; index < count; index++)
          assert.equal(await scanOnce({ port: service.port, code: of.codes[0]?.shortCode ?? '' }), 302)
        scans += count
        await until('scans are counted', async () => (await totalScans(of)) === scans, 30_000)
        // A batch that another machine may be about to settle is left alone for a day.
        await assertFigures(of, of.codes[0]?.id ?? '', scans)
        if (random() < 0.5) await service.kill()
        else await service.stop()
        moments.push(await keep(scans))
        service.launch()
        await service.waitUntilReady()
      }
      await service.stop()
    })
    after(async () => {
      await service.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    async function keep(scans: number): Promise<Moment> {
      const dir = join(folder, `moment-${moments.length}`)
      cpSync(service.dataDir, dir, { recursive: true, filter: (from) => !from.endsWith('.sock') })
      const template = env['DATABASE_URL']
      const databaseUrl =
        template === undefined ? undefined : await (await testPostgres()).createDatabase(template)
      return { dir, databaseUrl, scans }
    }

    test(`${orders} random combinations are exact after a start`, async (t) => {
      const reports: string[] = []
      for (let order = 0; order < orders; order++) {
        const oneOf = (): number => Math.floor(random() * moments.length)
        const [store, journal, rest] = [oneOf(), oneOf(), oneOf()]
        // Scans that another machine may still put back are not reported as lost for four days, so
        // there the catalogue must not be newer than both (record 32).
        const catalogue = isShared ? Math.min(oneOf(), Math.max(store, journal)) : oneOf()
        const scans = Math.max(moments[store]?.scans ?? 0, moments[journal]?.scans ?? 0)
        const dataDir = join(folder, `order-${order}`)
        const environment = await assemble(dataDir, { catalogue, store, journal, rest })
        const restored = await startService({
          ...env,
          ...environment,
          DATA_DIR: dataDir,
          BOOTSTRAP_API_KEY: service.apiKey,
        })
        const there: Codes = { ...of, client: restored.client() }
        const what = `catalogue ${catalogue}, store ${store}, journal ${journal}, directory ${rest}`
        try {
          await until(`${what}: ${scans} scans`, async () => (await totalScans(there)) === scans, 30_000)
          await until(`${what}: figures`, () => hasFigures(there), 30_000)
          await assertFigures(there, of.codes[0]?.id ?? '', scans)
          assert.equal(await scanOnce({ port: restored.port, code: of.codes[0]?.shortCode ?? '' }), 302)
          await assertFigures(there, of.codes[0]?.id ?? '', scans + 1)
          reports.push(`${what}: ${scans}`)
        } catch (error) {
          throw new Error(`${what}: ${String(error)}\n${restored.output().slice(-3000)}`, { cause: error })
        } finally {
          await restored.remove()
        }
      }
      t.diagnostic(`exact: ${reports.join('; ')}`)
    })

    async function assemble(
      dataDir: string,
      from: { catalogue: number; store: number; journal: number; rest: number },
    ): Promise<Environment> {
      mkdirSync(dataDir)
      const take = (moment: number, names: readonly string[]): void => {
        const dir = moments[moment]?.dir ?? ''
        for (const file of names)
          if (existsSync(join(dir, file))) cpSync(join(dir, file), join(dataDir, file), { recursive: true })
      }
      const parts = ['journal', ...storeParts, 'run']
      const { dir, databaseUrl } = moments[from.catalogue] ?? assert.fail()
      take(from.catalogue, globSync('catalogue.sqlite*', { cwd: dir }))
      take(from.journal, ['journal'])
      for (const part of storeParts) rmSync(join(dataDir, part), { recursive: true, force: true })
      take(from.store, storeParts)
      const others = readdirSync(moments[from.rest]?.dir ?? '').filter(
        (file) => !parts.includes(file) && !isCatalogue(file),
      )
      take(from.rest, others)
      if (databaseUrl === undefined) return {}
      return { DATABASE_URL: await (await testPostgres()).createDatabase(databaseUrl) }
    }
  })

/** Whether figures are answered: a store that lacks listed files is made whole first. */
async function hasFigures(of: Codes): Promise<boolean> {
  try {
    await assertFigures(of, of.codes[0]?.id ?? '', await totalScans(of))
    return true
  } catch (error) {
    if (error instanceof EverscanError && error.status === 503) return false
    throw error
  }
}

function isCatalogue(file: string): boolean {
  return file.startsWith('catalogue.sqlite')
}
