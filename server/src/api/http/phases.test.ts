import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../../log.ts'
import { transactionIdleMsMax } from '../../db/transaction-watch.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { formOf, upload } from '../testing/imports.ts'
import { routes } from '../routes.ts'
import { runStyleJob } from '../../product/styles/style-jobs.ts'
import type { StyleWorkers } from '../../product/styles/style-work.ts'

/** Longer than a transaction may rest. */
const jobMs = transactionIdleMsMax + 100

const url = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } }
let styles = 0
/** A style that was not checked before: results are kept. */
const freshStyle = () => ({ foregroundColor: `#00${(0x1000 + styles++).toString(16)}` })

type Request = (api: TestApi) => Promise<{ statusCode: number; body: string }>

/** A request with a key for each endpoint that accepts keys and checks styles. */
const requests: Readonly<Record<string, Request>> = {
  createQrCode: (api) => post(api, '/qr-codes', { ...url, style: freshStyle() }),
  batchCreateQrCodes: (api) => post(api, '/qr-codes/batch', { qrCodes: [{ ...url, style: freshStyle() }] }),
  batchCloneQrCodes: async (api) => {
    const source = JSON.parse((await post(api, '/qr-codes', url)).body) as { id: string }
    return post(api, '/qr-codes/batch/clone', { ids: [source.id], overrides: { style: freshStyle() } })
  },
  batchUpdateQrCodes: async (api) => {
    const source = JSON.parse((await post(api, '/qr-codes', url)).body) as { id: string }
    const changes = [{ id: source.id, updates: { style: freshStyle() } }]
    return post(api, '/qr-codes/batch/update', { changes })
  },
  createStyle: (api) => post(api, '/styles', { name: 'Brand', style: freshStyle() }),
  startImport: async (api) => {
    const saved = JSON.parse((await post(api, '/styles', { name: 'File', style: freshStyle() })).body)
    return upload(api, {
      file: 'name,url\nPoster,https://example.com/\n',
      fields: { type: 'URL', styleId: saved.id },
      headers: { 'idempotency-key': 'import' },
      key: api.keys.EDITOR,
    })
  },
  startMove: async (api) => {
    await post(api, '/styles', { name: 'Links', style: freshStyle(), isDefault: true })
    const { payload, headers } = await formOf({
      file: 'slug,url\nlonger-than-generated,https://example.com/\n',
      fields: { source: 'csv' },
      fileName: 'links.csv',
      mediaType: 'text/csv',
    })
    return api.call('POST', `/organizations/${api.orgId}/moves`, {
      key: api.keys.EDITOR,
      payload,
      headers: { ...headers, 'idempotency-key': 'move' },
    })
  },
}

onEitherDatabase('with an Idempotency-Key', (open) => {
  for (const [id, request] of Object.entries(requests))
    test(`${id} checks styles outside its transaction, and others write meanwhile`, async () => {
      const lines: string[] = []
      const log = createLog({ level: 'warn', role: 'test' }, { write: (line) => void lines.push(line) })
      const db = { ...(await open()), log }
      const begun = Promise.withResolvers<void>()
      const slow: StyleWorkers = {
        for: () => (name, input) => {
          begun.resolve()
          return sleep(jobMs).then((): Promise<never> => runStyleJob(name, input) as never) as never
        },
      }
      const api = await openTestApi(db, { styleWorkers: slow })
      let isDone = false
      const doing = request(api).finally(() => (isDone = true))
      await Promise.race([begun.promise, doing])
      const other = await api.call('POST', `/organizations/${api.foreignOrgId}/folders`, {
        key: api.keys.foreign,
        payload: { name: 'Other' },
      })
      assert.equal(other.statusCode, 201)
      assert.equal(isDone, false, 'the other organization waited')
      const { statusCode, body } = await doing
      assert.ok([200, 201, 202].includes(statusCode), body)
      assert.deepEqual(lines, [])
    })
})

test('every endpoint with keys is tried here, or checks no style', () => {
  const withKeys = routes.filter(({ idempotent }) => idempotent === true).map(({ id }) => id)
  const withoutStyle = ['createFolder', 'createDomain', 'createUtmTemplate']
  assert.deepEqual(withKeys.toSorted(), [...Object.keys(requests), ...withoutStyle].toSorted())
})

let keys = 0

function post({ call, orgId, keys: { EDITOR } }: TestApi, path: string, payload: object) {
  return call('POST', `/organizations/${orgId}${path}`, {
    key: EDITOR,
    payload,
    headers: { 'idempotency-key': `key-${keys++}` },
  })
}
