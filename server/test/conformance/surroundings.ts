import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { rejection, timestampForm, urlCode, type Installation, type Tenant } from './installation.ts'
import { documentedOperations } from './operations.ts'

/** The parts around codes: sections 10 and 3 of the decisions. */
export function surroundingRules(of: Installation): void {
  describe('around codes', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })
    const folders = () => org.client.folders

    test('decisions 10: GET /healthz: the process is running', async () => {
      const { status, headers, text } = await of.send('GET', '/healthz')
      assert.deepEqual([status, JSON.parse(text)], [200, { status: 'ok' }])
      assert.equal(headers.get('cache-control'), 'no-store')
    })

    test('decisions 10: GET /readyz: the state of each part', async () => {
      const { status, text } = await of.send('GET', '/readyz')
      const { status: state, parts } = JSON.parse(text) as {
        status: string
        parts: Record<string, { ok: boolean }>
      }
      assert.deepEqual([status, state], [200, 'ready'])
      for (const name of ['journal', 'catalogue', 'scanStore', 'ingest', 'geography'])
        assert.equal(parts[name]?.ok, true, name)
    })

    test('decisions 10: GET /metrics: Prometheus', async () => {
      const { status, headers, text } = await of.send('GET', '/metrics')
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
      assert.match(text, /^# TYPE everscan_scans_recorded_total counter$/m)
      assert.match(text, /^everscan_scans_recorded_total\{[^}]*\} \d+$/m)
    })

    test('decisions 10: GET /api/v1/openapi.json, without a key, is the document of the repository', async () => {
      const { status, headers, text } = await of.send('GET', '/api/v1/openapi.json')
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /^application\/json/)
      const { openapi, paths } = JSON.parse(text) as { openapi: string; paths: Record<string, object> }
      assert.match(openapi, /^3\.1/)
      const served = Object.values(paths).flatMap(
        (methods) => Object.values(methods) as { operationId: string }[],
      )
      assert.deepEqual(
        served.map(({ operationId }) => operationId).sort(),
        documentedOperations()
          .map((one) => one.id)
          .sort(),
      )
    })

    test('decisions 10: GET /docs: readable API reference; /app: dashboard', async () => {
      for (const path of ['/docs', '/app']) {
        const { status, headers, text } = await of.send('GET', path)
        assert.equal(status, 200, path)
        assert.match(headers.get('content-type') ?? '', /^text\/html/)
        assert.match(text, /<title>[^<]*Everscan/)
      }
    })

    test('decisions 10: POST folders creates a folder, GET reads it', async () => {
      const made = await folders().create(org.orgId, { name: 'Spring' })
      const { status, headers } = org.last()
      assert.equal(status, 201)
      const location = `/api/v1/organizations/${org.orgId}/folders/${made.id}`
      assert.equal(headers.get('location'), location)
      assert.match(made.createdAt, timestampForm)
      assert.deepEqual(made, {
        id: made.id,
        name: 'Spring',
        parentId: null,
        qrCodeCount: 0,
        qrCodesBelow: 0,
        createdAt: made.createdAt,
        updatedAt: made.createdAt,
      })
      assert.deepEqual(await folders().read(org.orgId, made.id), made)
      await rejection(folders().create(org.orgId, { name: '' }), 400, 'VALIDATION_ERROR', /name/)
      await rejection(folders().create(org.orgId, { name: 'Spring' }), 409, 'CONFLICT')
    })

    test('decisions 10: GET folders lists folders, newest first, with the number of their codes', async () => {
      const tenant = await of.organization()
      const { client, orgId } = tenant
      const first = await client.folders.create(orgId, { name: 'First' })
      const second = await client.folders.create(orgId, { name: 'Second', parentId: first.id })
      await client.qrCodes.create(orgId, urlCode('A', { folderId: second.id }))
      const { data } = await client.folders.list(orgId)
      assert.deepEqual(
        data.map(({ name, parentId, qrCodeCount }) => [name, parentId, qrCodeCount]),
        [
          ['Second', first.id, 1],
          ['First', null, 0],
        ],
      )
    })

    test('decisions 10: PUT folders updates a folder', async () => {
      const { id } = await folders().create(org.orgId, { name: 'Before' })
      const changed = await folders().update(org.orgId, id, { name: 'After' })
      assert.equal(changed.name, 'After')
      assert.deepEqual(await folders().read(org.orgId, id), changed)
    })

    test('decisions 10: DELETE folders deletes a folder, but none of its codes', async () => {
      const { id } = await folders().create(org.orgId, { name: 'To be deleted' })
      const code = await org.client.qrCodes.create(org.orgId, urlCode('Stays', { folderId: id }))
      assert.deepEqual(await folders().delete(org.orgId, id), { id, deleted: true })
      await rejection(folders().delete(org.orgId, id), 404, 'NOT_FOUND')
      assert.equal((await org.client.qrCodes.read(org.orgId, code.id)).folderId, null)
    })

    test('decisions 10: GET tags lists tags with the number of their codes', async () => {
      const tenant = await of.organization()
      const { client, orgId } = tenant
      const tags = [['a', 'b'], ['b'], ['b', 'c']]
      const { data } = await client.batches.create(
        orgId,
        tags.map((codeTags) => urlCode('A', { tags: codeTags })),
      )
      const counts = async () =>
        (await client.tags.list(orgId)).data.map(({ tag, qrCodeCount }) => `${tag} ${qrCodeCount}`)
      assert.deepEqual(await counts(), ['b 3', 'a 1', 'c 1'])
      await client.qrCodes.delete(orgId, data[2]?.id ?? '')
      assert.deepEqual(await counts(), ['b 2', 'a 1'])
    })
  })
}
