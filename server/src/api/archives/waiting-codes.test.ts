// An archive may name any host. Its codes there are none until its organization proves the name.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { insertBatch } from '../../analytics/insert/insert.ts'
import { blockOf, randomScans } from '../../analytics/testing/scan-rows.ts'
import { startTestStore } from '../../analytics/testing/store.ts'
import { someChanges, startHostFront } from '../../app/hosts/testing/host-fronts.ts'
import { applyLook } from '../../catalogue/domains/domain-proofs.ts'
import { createDomain } from '../../catalogue/domains/domains.ts'
import { createQrCode } from '../../catalogue/codes/qr-codes.ts'
import { listWaitingCodes } from '../../catalogue/waiting/waiting-codes.ts'
import { someOrganization, someQrCode } from '../../catalogue/testing/catalogue.ts'
import type { Database } from '../../db/database.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { recountAll } from '../../ingest/recount.ts'
import { openTestApi, somePerson, type TestApi } from '../testing/api.ts'
import {
  exportArchive,
  importEnded,
  proveDomains,
  sendArchive,
  startArchiveWorker,
} from '../testing/archives.ts'
import { filesOfZip } from '../testing/zip.ts'

const store = await startTestStore()
after(store.remove)
const { change, lookOf } = someChanges()
const hostname = 'go.victim.example'
const scans = 30

/** An organization with two codes on a host name and scans of them, and its archive. */
async function archiveOnHost(db: Database): Promise<Buffer> {
  const api = await openTestApi(db, { store: store.store })
  const { orgId: organizationId, keys, call } = api
  const domain = await createDomain(db, organizationId, { hostname, fields: { codes: 'exact' }, ...change() })
  await applyLook(db, hostname, lookOf(hostname, [domain.proof]))
  const codes: QrCode[] = []
  for (const shortCode of ['menu', 'wine']) {
    const payload = {
      type: 'URL',
      name: shortCode,
      shortCode,
      domainId: domain.id,
      data: { url: `https://stranger.example/${shortCode}` },
    }
    const path = `/organizations/${organizationId}/qr-codes`
    const made = (await call('POST', path, { key: keys.ADMIN, payload })).json<QrCode>()
    const renamed = { key: keys.ADMIN, payload: { name: `The ${shortCode}` } }
    codes.push((await call('PUT', `${path}/${made.id}`, renamed)).json<QrCode>())
  }
  const [first] = codes
  const period = { fromMs: Date.UTC(2026, 1, 1), toMs: Date.UTC(2026, 1, 20) }
  const rows = randomScans(Math.random, { organizationId, rows: scans, ...period }).map((row, index) => ({
    ...row,
    domain: hostname,
    class: 'human' as const,
    botReason: '',
    visitor: index.toString(16).padStart(32, '0'),
    qrCodeId: first?.id ?? '',
  }))
  await insertBatch(store.store, blockOf(`bat_${organizationId}`, rows))
  await recountAll(db, store.store, { signal: new AbortController().signal, codes: 'all' })
  return exportArchive(api)
}

async function importAs(
  api: TestApi,
  db: Database,
  { archive, session }: { archive: Buffer; session: string },
): Promise<string> {
  const started = await sendArchive(api, archive, { session })
  assert.equal(started.statusCode, 202, started.body)
  const jobs = startArchiveWorker(db, store.store)
  const ended = await importEnded(api, started.json<ArchiveImport>(), { session })
  await jobs.stop()
  return ended.organizationId ?? ''
}

const hitsIn = (files: Map<string, Buffer>) => files.get('scans/2026-02.jsonl')?.toString().split('\n').length

forEachDatabase('codes of an archive on a host name', (open) => {
  test('never answer on a name that another organization has, and never block that organization', async () => {
    const archive = await archiveOnHost(await open())
    const db = await open()
    const api = await openTestApi(db, { store: store.store })
    const { id: owner } = await someOrganization(db, 'Owner')
    const { session } = await somePerson(db, 'Eve')
    const front = await startHostFront(db)
    const ask = async (path: string) => {
      await front.catchUp()
      return front.ask(path, { host: hostname })
    }
    try {
      // Once before the owner has the name, and once after.
      const early = await importAs(api, db, { archive, session })
      assert.equal((await ask('/menu')).status, 404)
      // The form that the archive names binds nobody.
      const domain = await createDomain(db, owner, {
        hostname,
        fields: { codes: 'canonical' },
        ...change(),
      })
      await applyLook(db, hostname, lookOf(hostname, [domain.proof]))
      const late = await importAs(api, db, { archive, session })
      for (const code of ['/menu', '/wine']) assert.equal((await ask(code)).status, 404, code)
      const data = { url: 'https://victim.example/menu' }
      await createQrCode(db, owner, someQrCode({ shortCode: 'menu', domain, data }))
      assert.deepEqual(await ask('/menu'), { status: 302, location: data.url })
      for (const organizationId of [early, late]) {
        const { rows, total } = await listWaitingCodes(db, organizationId, { page: 1, limit: 10 })
        assert.deepEqual([total, rows.map(({ name }) => name)], [2, ['The wine', 'The menu']])
        const list = await api.call('GET', `/organizations/${organizationId}/qr-codes`, { session })
        assert.deepEqual(list.json<{ data: unknown[] }>().data, [])
      }
    } finally {
      await front.close()
    }
  })

  test('become codes with their histories and scans at the proof, if their short codes are free', async () => {
    const archive = await archiveOnHost(await open())
    const db = await open()
    const api = await openTestApi(db, { store: store.store })
    const { session } = await somePerson(db, 'Ada')
    const { id: former } = await someOrganization(db, 'Former')
    const organizationId = await importAs(api, db, { archive, session })
    const get = async <Answer>(path: string) =>
      (await api.call('GET', `/organizations/${organizationId}/qr-codes${path}`, { session })).json<Answer>()
    const again = async () => filesOfZip(await exportArchive(api, { session, orgId: organizationId }))
    const waiting = await again()
    const listed = await get<{ data: QrCode[] }>('?waiting=true')
    assert.deepEqual(
      listed.data.map(({ shortCode, waiting: isWaiting, lost }) => [shortCode, isWaiting, lost]),
      [
        ['wine', true, undefined],
        ['menu', true, undefined],
      ],
    )
    const both = await api.call('GET', `/organizations/${organizationId}/qr-codes?waiting=true&q=menu`, {
      session,
    })
    assert.equal(both.statusCode, 400, both.body)
    const domainId = listed.data[0]?.domainId
    const payload = { type: 'URL', name: 'A', data: { url: 'https://example.com/' }, domainId }
    const early = await api.call('POST', `/organizations/${organizationId}/qr-codes`, { session, payload })
    assert.deepEqual([early.statusCode, early.json<{ code: string }>().code], [400, 'DOMAIN_NOT_PROVED'])
    const gone = await api.call('DELETE', `/organizations/${organizationId}/domains/${domainId}`, { session })
    assert.match(gone.body, /2 QR codes wait for this domain/)
    assert.equal(gone.statusCode, 409)
    // Another organization had the name before, and still has a code there.
    const domain = await createDomain(db, former, { hostname, fields: { codes: 'exact' }, ...change() })
    await applyLook(db, hostname, lookOf(hostname, [domain.proof]))
    await createQrCode(db, former, someQrCode({ shortCode: 'wine', domain }))
    await proveDomains(db, store.store, organizationId)
    const front = await startHostFront(db)
    try {
      const menu = await front.ask('/menu', { host: hostname })
      assert.equal(menu.location, 'https://stranger.example/menu')
      const { data } = await get<{ data: QrCode[] }>('')
      assert.deepEqual(
        data.map(({ shortCode, totalScans }) => [shortCode, totalScans]),
        [['menu', scans]],
      )
      const versions = await get<{ data: { name: string }[] }>(`/${data[0]?.id}/history`)
      assert.deepEqual(
        versions.data.map(({ name }) => name),
        ['The menu', 'menu'],
      )
      const { rows } = await listWaitingCodes(db, organizationId, { page: 1, limit: 10 })
      assert.deepEqual(
        rows.map(({ shortCode, isLost }) => [shortCode, isLost]),
        [['wine', true]],
      )
      assert.equal(hitsIn(await again()), hitsIn(waiting), 'an archive has them before and after')
    } finally {
      await front.close()
    }
  })
})
