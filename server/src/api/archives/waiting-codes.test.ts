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
import { onEitherDatabase, type OpenTestDatabase } from '../../db/testing/databases.ts'
import { recountAll } from '../../ingest/clickhouse/recount.ts'
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
  const api = await openTestApi(db, { store: store.scanStore })
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

/** Returns an installation with an imported archive, whose codes wait for `hostname`. */
async function imported(open: OpenTestDatabase) {
  const archive = await archiveOnHost(await open())
  const db = await open()
  const api = await openTestApi(db, { store: store.scanStore })
  const { session } = await somePerson(db, 'Ada')
  const { id: former } = await someOrganization(db, 'Former')
  const organizationId = await importAs(api, db, { archive, session })
  return { db, api, session, former, organizationId }
}

onEitherDatabase('codes of an archive on a host name', (open) => {
  test('never answer on a name that another organization has, and never block that organization', async () => {
    const archive = await archiveOnHost(await open())
    const db = await open()
    const api = await openTestApi(db, { store: store.scanStore })
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
    const { db, api, session, former, organizationId } = await imported(open)
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
    const proving = proveDomains(db, store.store, organizationId)
    // It is never missing between both.
    for (let isWaiting = true; isWaiting;) {
      const path = `/organizations/${organizationId}/qr-codes/${listed.data[1]?.id}`
      const read = await api.call('GET', path, { session })
      assert.equal(read.statusCode, 200)
      isWaiting = read.json<QrCode>().waiting === true
      await new Promise(setImmediate)
    }
    await proving
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

  test('are read, changed and deleted one by one; a lost one gets another word', async () => {
    const { db, api, session, former, organizationId } = await imported(open)
    const base = `/organizations/${organizationId}/qr-codes`
    const call = async (method: 'GET' | 'PUT' | 'DELETE', path: string, payload?: object) =>
      api.call(method, `${base}${path}`, { session, ...(payload !== undefined && { payload }) })
    const listed = async () => (await call('GET', '?waiting=true')).json<{ data: QrCode[] }>().data
    const [wine, menu] = await listed()
    assert.ok(wine !== undefined && menu !== undefined)
    const read = await call('GET', `/${menu.id}`)
    assert.deepEqual(read.json(), menu)
    // A record that is sent back as it was read changes nothing.
    assert.deepEqual((await call('PUT', `/${menu.id}`, menu)).json(), menu)
    const data = { url: 'https://example.com/new-menu' }
    const changed = await call('PUT', `/${menu.id}`, { name: 'Lunch', data, tags: ['food'] })
    assert.equal(changed.statusCode, 200, changed.body)
    assert.equal((await call('PUT', `/${menu.id}`, { data: { url: 'ftp://x' } })).statusCode, 400)
    assert.equal((await call('PUT', `/${menu.id}`, { shortCode: 'no spaces' })).statusCode, 400)
    const picture = await call('GET', `/${menu.id}/download`)
    assert.equal(picture.statusCode, 409)
    assert.match(picture.body, /waits for the proof of/)
    const ofOther = await api.call('GET', `/organizations/${api.orgId}/qr-codes/${menu.id}`, {
      key: api.keys.ADMIN,
    })
    assert.equal(ofOther.statusCode, 404)

    const domain = await createDomain(db, former, { hostname, fields: { codes: 'exact' }, ...change() })
    await applyLook(db, hostname, lookOf(hostname, [domain.proof]))
    await createQrCode(db, former, someQrCode({ shortCode: 'wine', domain }))
    await createQrCode(db, former, someQrCode({ shortCode: 'beer', domain }))
    await proveDomains(db, store.store, organizationId)
    const lunch = (await call('GET', `/${menu.id}`)).json<QrCode>()
    assert.deepEqual([lunch.waiting, lunch.name, lunch.tags], [undefined, 'Lunch', ['food']])
    const history = (await call('GET', `/${menu.id}/history`)).json<{ data: { name: string }[] }>()
    assert.deepEqual(
      history.data.map(({ name }) => name),
      ['Lunch', 'The menu', 'menu'],
    )
    assert.equal((await call('GET', `/${wine.id}`)).json<QrCode>().lost, true)
    const taken = await call('PUT', `/${wine.id}`, { shortCode: 'beer' })
    assert.equal(taken.statusCode, 409, taken.body)
    const renamed = (await call('PUT', `/${wine.id}`, { shortCode: 'red-wine' })).json<QrCode>()
    assert.deepEqual([renamed.waiting, renamed.lost], [true, undefined])
    assert.equal(renamed.shortUrl, `https://${hostname}/red-wine`)
    await proveDomains(db, store.store, organizationId)
    const front = await startHostFront(db)
    try {
      assert.equal(
        (await front.ask('/red-wine', { host: hostname })).location,
        'https://stranger.example/wine',
      )
    } finally {
      await front.close()
    }
  })

  test('that are deleted have no hits, in no archive and in no figure', async () => {
    const { db, api, session, organizationId } = await imported(open)
    const base = `/organizations/${organizationId}/qr-codes`
    const { data } = (await api.call('GET', `${base}?waiting=true`, { session })).json<{ data: QrCode[] }>()
    const menu = data.find(({ shortCode }) => shortCode === 'menu')
    const deleted = await api.call('DELETE', `${base}/${menu?.id}?bin=true`, { session })
    assert.deepEqual(deleted.json(), { id: menu?.id, deleted: true })
    assert.equal((await api.call('GET', `${base}/${menu?.id}`, { session })).statusCode, 404)
    const files = await filesOfZip(await exportArchive(api, { session, orgId: organizationId }))
    assert.ok(!(files.get('scans/2026-02.jsonl')?.toString() ?? '').includes(menu?.id ?? '?'))
    await proveDomains(db, store.store, organizationId)
    const codes = (await api.call('GET', base, { session })).json<{ data: QrCode[] }>().data
    assert.deepEqual(
      codes.map(({ shortCode, totalScans }) => [shortCode, totalScans]),
      [['wine', 0]],
    )
    const stored = await store.store.select<{ hits: number }>(
      'select count() as hits from scans where organization_id = {organizationId:String}',
      { organizationId },
    )
    assert.equal(Number(stored[0]?.hits), 0)
  })
})
