// A move may begin before its domain is proved. Its codes are none until then.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Move } from '@everscan/contract/moves/moves.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { startTestStore } from '../../analytics/testing/store.ts'
import { startHostFront } from '../../app/hosts/testing/host-fronts.ts'
import { deleteDomain } from '../../catalogue/domains/domains.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { createScanImporter } from '../../ingest/import-scans.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { proveDomains } from '../testing/archives.ts'
import { formOf, runImports } from '../testing/imports.ts'

const { scanStore, store, remove } = await startTestStore()
after(remove)

const hostname = 'go.example.com'
const links = [
  'shortCode,longUrl,title,visits',
  'aBcd,https://example.com/upper,Upper,100',
  'abCd,https://example.com/lower,Lower,3',
  'abCd,https://example.com/again,Again,3',
].join('\n')
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15'
const visits = [
  'Date,User agent,Country,Short url',
  ...['2025-01-02T10:00:00Z', '2025-02-02T11:00:00Z', '2025-02-03T12:00:00Z'].map(
    (time) => `${time},"${phone}",Germany,https://${hostname}/aBcd`,
  ),
].join('\n')

onEitherDatabase('a move onto a domain that is not proved', (open) => {
  async function begun(work: (db: Database, api: TestApi, domainId: string) => Promise<void>): Promise<void> {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const domain = await api.call('POST', `/organizations/${api.orgId}/domains`, {
      key: api.keys.ADMIN,
      payload: { hostname, codes: 'exact' },
    })
    assert.equal(domain.statusCode, 201, domain.body)
    await work(db, api, domain.json<{ id: string }>().id)
  }

  test('makes codes that answer nothing before the proof, and with their visits after it', () =>
    begun(async (db, api, domainId) => {
      const dry = await moved(db, api, domainId, { dryRun: 'true' })
      assert.deepEqual([dry.successCount, dry.waitingCount, dry.movedScans], [2, 2, 3])
      assert.deepEqual(await listed(api, '&waiting=true'), [])
      const front = await startHostFront(db)
      const ask = async (path: string) => {
        await front.catchUp()
        return front.ask(path, { host: hostname })
      }
      try {
        const move = await moved(db, api, domainId)
        assert.deepEqual([move.status, move.successCount, move.waitingCount], ['COMPLETED', 2, 2])
        assert.match(move.errors[0]?.error ?? '', /is the same code as in line 3/)
        assert.deepEqual(await listed(api, ''), [])
        const before = await listed(api, '&waiting=true')
        assert.deepEqual(
          before.map((code) => [code.name, code.shortCode, code.waiting, code.totalScans, code.scansBefore]),
          [
            ['Lower', 'abCd', true, 0, 3],
            ['Upper', 'aBcd', true, 0, 97],
          ],
        )
        assert.equal((await ask('/aBcd')).status, 404)
        const path = `/organizations/${api.orgId}/moves/${move.id}/compare`
        const compared = await api.call('POST', path, { key: api.keys.EDITOR, payload: {} })
        assert.equal(compared.statusCode, 409)
        assert.match(compared.json<ErrorBody>().message, /wait until go\.example\.com is proved/)
        const again = await moved(db, api, domainId)
        assert.deepEqual([again.successCount, again.errorCount], [0, 3])
        assert.match(again.errors[0]?.error ?? '', /"aBcd" is assigned here already/)

        await proveDomains(db, store, api.orgId)
        assert.deepEqual(await listed(api, '&waiting=true'), [])
        const codes = await listed(api, '')
        assert.deepEqual(
          codes.map(({ id, shortUrl, totalScans, uniqueScans, scansBefore }) => [
            id,
            shortUrl.endsWith(`//${hostname}/${before.find((code) => code.id === id)?.shortCode}`),
            totalScans,
            uniqueScans,
            scansBefore,
          ]),
          [
            [before[0]?.id, true, 0, 0, 3],
            [before[1]?.id, true, 3, 0, 97],
          ],
        )
        assert.equal((await ask('/aBcd')).location, 'https://example.com/upper')
        assert.equal((await ask('/abCd')).location, 'https://example.com/lower')
      } finally {
        await front.close()
      }
    }))

  test('refuses its rows if the domain is removed before they come', () =>
    begun(async (db, api, domainId) => {
      const { call, orgId, keys } = api
      const form = await formOf({
        file: links,
        fields: { source: 'shlink', domainId },
        fileName: 'links.csv',
        mediaType: 'text/csv',
      })
      const answer = await call('POST', `/organizations/${orgId}/moves`, { key: keys.EDITOR, ...form })
      await deleteDomain(db, { organizationId: orgId, id: domainId }, { origin: someOrigin, nowMs: 1 })
      await runImports(db, { hits: createScanImporter(store) })
      const path = `/organizations/${orgId}/moves/${answer.json<Move>().id}`
      const move = (await call('GET', path, { key: keys.VIEWER })).json<Move>()
      assert.deepEqual([move.successCount, move.errorCount, move.waitingCount], [0, 3, 0])
      assert.match(move.errors[0]?.error ?? '', /The domain go\.example\.com is gone/)
      assert.deepEqual(await listed(api, '&waiting=true'), [])
    }))
})

async function moved(
  db: Database,
  { call, orgId, keys }: TestApi,
  domainId: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Move> {
  const form = await formOf({
    file: links,
    visits,
    fields: { source: 'shlink', domainId, ...fields },
    fileName: 'links.csv',
    mediaType: 'text/csv',
  })
  const answer = await call('POST', `/organizations/${orgId}/moves`, { key: keys.EDITOR, ...form })
  assert.equal(answer.statusCode, 202, answer.body)
  await runImports(db, { hits: createScanImporter(store) })
  const path = `/organizations/${orgId}/moves/${answer.json<Move>().id}`
  return (await call('GET', path, { key: keys.VIEWER })).json<Move>()
}

const listed = async ({ call, orgId, keys }: TestApi, query: string) =>
  (await call('GET', `/organizations/${orgId}/qr-codes?limit=100${query}`, { key: keys.VIEWER }))
    .json<{ data: (QrCode & { waiting?: boolean })[] }>()
    .data.sort((a, b) => (a.name < b.name ? -1 : 1))
