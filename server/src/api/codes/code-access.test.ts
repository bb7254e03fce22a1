import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AuditLogPage } from '@everscan/contract/resources/audit-log.ts'
import type { BatchResult } from '@everscan/contract/resources/batches.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { QrCodeHistory } from '@everscan/contract/resources/qr-code-history.ts'
import type { QrCode, QrCodePage } from '@everscan/contract/resources/qr-codes.ts'
import { startTestStore } from '../../analytics/testing/store.ts'
import { verifyPassword } from '../../catalogue/accounts/passwords.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { takeLease } from '../../db/scans/scan-limits.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, publicUrl, type TestApi } from '../testing/api.ts'
import { filesOfZip } from '../testing/zip.ts'

// For the archive, which has the scans, too.
const { scanStore, remove } = await startTestStore()
after(remove)

const poster = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } }
const password = ' open sesame '
const past = '2020-01-01T00:00:00.000Z'
const future = '2099-01-01T00:00:00.000Z'

onEitherDatabase('the access of a code', (open) => {
  test('is stored in UTC and merged by key; the password is only ever a flag', async () => {
    const api = await openTestApi(await open())
    const code = await create(api, {
      access: { startsAt: '2099-01-01T02:00:00+02:00', scanLimit: 3, whenUnknown: 'closed', password },
    })
    const access = {
      startsAt: future,
      scanLimit: 3,
      whenUnknown: 'closed',
      hasPassword: true,
      scanCount: 0,
    }
    assert.deepEqual([code.access, code.state], [access, 'SCHEDULED'])
    assert.deepEqual((await send(api, 'GET', `/${code.id}`)).json<QrCode>(), code)
    const { closed, ...changed } =
      (
        await put(api, code.id, {
          access: { startsAt: null, whenUnknown: null, closed: { message: 'Soon.' } },
        })
      ).access ?? {}
    assert.deepEqual(
      [changed, closed],
      [{ scanLimit: 3, hasPassword: true, scanCount: 0 }, { message: 'Soon.' }],
    )
    const open2 = await put(api, code.id, { access: { password: null } })
    assert.deepEqual(open2.access?.hasPassword, false)
    const none = await put(api, code.id, { access: null })
    assert.deepEqual([none.access, none.state], [null, 'LIVE'])
  })

  test('the record that GET gave can be sent back and changes nothing', async () => {
    const api = await openTestApi(await open())
    const code = await create(api, { access: { endsAt: future, scanLimit: 3, password } })
    const { access, state, name } = code
    const same = await put(api, code.id, { access, state, name })
    assert.deepEqual([same.access, same.updatedAt], [access, code.updatedAt])
    const again = await put(api, code.id, { access: { password } })
    assert.equal(again.updatedAt, code.updatedAt, 'the same password is no change')
    const updates = { access: { hasPassword: true } }
    const batch = await send(api, 'POST', '/batch/update', { ids: [code.id], updates })
    assert.equal(batch.statusCode, 400)
  })

  test('400 names the field of every problem', async () => {
    const api = await openTestApi(await open())
    const { id } = await create(api, { access: { startsAt: '2026-05-01T00:00:00Z' } })
    const cases: [object, string][] = [
      [{ startsAt: 'tomorrow' }, 'access.startsAt'],
      [{ endsAt: '2026-02-31T25:00:00Z' }, 'access.endsAt'],
      [{ endsAt: '2026-04-01T00:00:00Z' }, 'access.endsAt'],
      [{ scanLimit: 0 }, 'access.scanLimit'],
      [{ scanLimit: 1.5 }, 'access.scanLimit'],
      [{ whenUnknown: 'maybe' }, 'access.whenUnknown'],
      [{ password: '' }, 'access.password'],
      [{ password: 'x'.repeat(201) }, 'access.password'],
      [{ closed: {} }, 'access.closed'],
      [{ closed: { url: 'https://a.example/', message: 'x' } }, 'access.closed'],
      [{ closed: { url: 'javascript:alert(1)' } }, 'access.closed.url'],
      [{ closed: { url: `${publicUrl}/ABCD` } }, 'access.closed.url'],
      [{ closed: { message: ' ' } }, 'access.closed.message'],
      [{ until: future }, 'access.until'],
    ]
    for (const [access, path] of cases) {
      const answer = await send(api, 'PUT', `/${id}`, { access })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.ok(
        answer.json<ErrorBody>().details?.some((one) => one.path === path),
        `${path}: ${answer.body}`,
      )
    }
  })

  test('400 does not repeat a password that is no text', async () => {
    const api = await openTestApi(await open())
    const answer = await send(api, 'POST', '', { ...poster, access: { password: 12345678 } })
    assert.equal(answer.statusCode, 400)
    assert.ok(!answer.body.includes('12345678'), answer.body)
  })

  test('versions and audit entries have it without the password; a rollback leaves the password', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const code = await create(api, { access: { endsAt: future, password } })
    await put(api, code.id, { access: { endsAt: null, password: 'other' } })
    await put(api, code.id, { access: { password: 'third' } })
    const back = await send(api, 'POST', `/${code.id}/rollback`, { version: 1 })
    assert.deepEqual(back.json<QrCode>().access, code.access)
    const hash = await hashOf(db, api.orgId, code.id)
    assert.ok(await verifyPassword('third', hash))
    const history = await send(api, 'GET', `/${code.id}/history`)
    assert.deepEqual(
      history.json<QrCodeHistory>().data.map(({ changed, access }) => [changed, access]),
      [
        [['access'], { endsAt: future }],
        [['access'], null],
        [['access'], null],
        [[], { endsAt: future }],
      ],
    )
    const audit = await api.call('GET', `/organizations/${api.orgId}/audit-log`, { key: api.keys.ADMIN })
    assert.deepEqual(
      audit
        .json<AuditLogPage>()
        .data.slice(0, 4)
        .map(({ fields }) => fields),
      [['access'], ['access'], ['access'], []],
    )
    for (const { body } of [history, audit, back]) {
      assert.ok(!body.includes('third') && !body.includes('$argon2'))
    }
  })

  test('a limit keeps its count when its number changes; resetLimit and a new limit begin at 0', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const { id } = await create(api, { access: { scanLimit: 2 } })
    const count = async () => {
      const { access, state } = (await send(api, 'GET', `/${id}`)).json<QrCode>()
      return [access?.scanCount, state]
    }
    const key = { organizationId: api.orgId, qrCodeId: id }
    const take = async () => (await takeLease(db, key, { nowMs: 1 }))?.granted
    assert.deepEqual([await take(), await take(), await take()], [1, 1, 0])
    const { etag } = (await send(api, 'GET', `/${id}`)).headers
    assert.deepEqual(await count(), [2, 'FULL'])
    await put(api, id, { access: { scanLimit: 3 } })
    assert.deepEqual(await count(), [2, 'LIVE'])
    assert.notEqual((await send(api, 'GET', `/${id}`)).headers['etag'], etag)
    await put(api, id, { resetLimit: true })
    assert.deepEqual(await count(), [0, 'LIVE'])
    const { updatedAt } = (await send(api, 'GET', `/${id}`)).json<QrCode>()
    assert.equal((await put(api, id, { resetLimit: true })).updatedAt, updatedAt, 'nothing to reset')
    assert.equal(await take(), 1)
    await put(api, id, { access: { scanLimit: null } })
    assert.equal(await take(), undefined)
    await put(api, id, { access: { scanLimit: 1 } })
    assert.deepEqual(await count(), [0, 'LIVE'])
    const audit = await api.call('GET', `/organizations/${api.orgId}/audit-log`, { key: api.keys.ADMIN })
    assert.deepEqual(
      audit
        .json<AuditLogPage>()
        .data.slice(0, 4)
        .map(({ fields }) => fields),
      [['access'], ['access'], ['resetLimit'], ['access']],
    )
  })

  test('the list filters by state', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const ids: Record<string, string> = {
      LIVE: (await create(api, { access: { startsAt: past, endsAt: future, scanLimit: 2 } })).id,
      SCHEDULED: (await create(api, { access: { startsAt: future } })).id,
      ENDED: (await create(api, { access: { endsAt: past, scanLimit: 1 } })).id,
      FULL: (await create(api, { access: { scanLimit: 1 } })).id,
      ARCHIVED: (await create(api, { access: { endsAt: past } })).id,
    }
    await put(api, ids['ARCHIVED'] ?? '', { status: 'ARCHIVED' })
    for (const id of [ids['FULL'], ids['ENDED']])
      await takeLease(db, { organizationId: api.orgId, qrCodeId: id ?? '' }, { nowMs: 1 })
    for (const sort of ['createdAt', 'name', 'totalScans'])
      for (const [state, id] of Object.entries(ids)) {
        const { data, pagination } = (
          await send(api, 'GET', `?state=${state}&sort=${sort}`)
        ).json<QrCodePage>()
        assert.deepEqual([data.map((code) => [code.id, code.state]), pagination.total], [[[id, state]], 1])
      }
    const { pagination } = (await send(api, 'GET', '?state=LIVE&search=poster&tag=x')).json<QrCodePage>()
    assert.equal(pagination.total, 0)
    assert.equal((await send(api, 'GET', '?state=OPEN')).statusCode, 400)
  })

  test('batch update, clone and bin carry it: a clone has the password and counts from 0', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const ids = [(await create(api, {})).id, (await create(api, {})).id]
    const updates = { access: { scanLimit: 5, password } }
    const batch = await send(api, 'POST', '/batch/update', { ids, updates })
    assert.equal(batch.json<BatchResult>().successCount, 2, batch.body)
    const [id = ''] = ids
    await takeLease(db, { organizationId: api.orgId, qrCodeId: id }, { nowMs: 1 })
    const [copy] = (
      await send(api, 'POST', '/batch/clone', { ids: [id], overrides: { access: { endsAt: future } } })
    ).json<BatchResult>().data
    assert.deepEqual(copy?.access, { scanLimit: 5, endsAt: future, hasPassword: true, scanCount: 0 })
    assert.ok(await verifyPassword(password, await hashOf(db, api.orgId, copy?.id ?? '')))
    await send(api, 'DELETE', `/${id}?bin=true`)
    await send(api, 'POST', `/bin/${id}/restore`)
    const restored = (await send(api, 'GET', `/${id}`)).json<QrCode>()
    assert.deepEqual(restored.access, { scanLimit: 5, hasPassword: true, scanCount: 1 })
    assert.ok(await verifyPassword(password, await hashOf(db, api.orgId, id)))
    const reset = { ids, updates: { resetLimit: true, access: { scanLimit: 1 } } }
    const data = (await send(api, 'POST', '/batch/update', reset)).json<BatchResult>().data
    assert.deepEqual(
      data.map(({ access }) => [access?.scanLimit, access?.scanCount]),
      [
        [1, 0],
        [1, 0],
      ],
    )
  })

  test('the archive has the hash; its maps lead closed codes to their address or leave them out', async () => {
    const api = await openTestApi(await open(), { store: scanStore })
    const closed = { url: 'https://closed.example/' }
    await create(api, { shortCode: 'PASS', access: { password, closed } })
    await create(api, { shortCode: 'FEWX', access: { scanLimit: 1 } })
    await create(api, { shortCode: 'SXXN', access: { startsAt: future, closed } })
    await create(api, { shortCode: 'XPEN', access: { endsAt: future, closed } })
    const answer = await api.call('GET', `/organizations/${api.orgId}/export`, { key: api.keys.ADMIN })
    const files = await filesOfZip(answer.rawPayload)
    const [first = ''] = (files.get('qr-codes.jsonl') ?? '').toString().split('\n')
    const { access } = JSON.parse(first) as { access: { passwordHash: string } }
    assert.ok(await verifyPassword(password, access.passwordHash))
    const map = (files.get('redirects/everscan.map') ?? '').toString()
    assert.deepEqual(
      map.split('\n').filter((line) => line.startsWith('"')),
      [
        '"/PASS" "https://closed.example/";',
        '"/SXXN" "https://closed.example/";',
        '"/XPEN" "https://example.com/";',
      ],
    )
  })
})

async function hashOf(db: Database, organizationId: string, id: string): Promise<string> {
  return (await readQrCode(db, { organizationId, id }))?.passwordHash?.text ?? ''
}

async function create(api: TestApi, fields: object): Promise<QrCode> {
  const answer = await send(api, 'POST', '', { ...poster, ...fields })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json()
}

async function put(api: TestApi, id: string, fields: object): Promise<QrCode> {
  const answer = await send(api, 'PUT', `/${id}`, fields)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

function send(
  { call, keys, orgId }: TestApi,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
) {
  const body = payload === undefined ? {} : { payload }
  return call(method, `/organizations/${orgId}/qr-codes${path}`, { key: keys.EDITOR, ...body })
}
