import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { urlCode, type Installation, type Tenant } from './installation.ts'

/** How a record may be written: sections 1 and 4 of the decisions. */
export function tidyingRules(of: Installation): void {
  describe('records as people write them', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })
    const make = async (more = {}) => org.client.qrCodes.create(org.orgId, urlCode('A', more))
    const update = async (id: string, changes: object) => org.client.qrCodes.update(org.orgId, id, changes)

    test('decisions 4: the record that GET gave can be sent back, and changes nothing, also after a scan', async () => {
      const code = await make({ tags: ['a'], metadata: { a: '1' }, style: { cornerRadius: 10 } })
      const path = `/qr-codes/${code.id}`
      const read = await org.send('GET', path)
      for (const method of ['PUT', 'PATCH']) {
        const totalScans = code.totalScans + 7
        const sent = { ...code, totalScans, updatedAt: new Date().toISOString() }
        const after = await org.send(method, path, { body: sent })
        assert.equal(after.status, 200, after.text)
        assert.equal(after.headers.get('etag'), read.headers.get('etag'))
        assert.equal(after.text, read.text)
      }
      const history = await org.client.qrCodes.history(org.orgId, code.id)
      assert.equal(history.data.length, 1)
      const renamed = await org.send('PUT', path, { body: { ...code, name: 'Renamed' } })
      assert.match(renamed.text, /"name":"Renamed"/)
      await org.refused(
        ['PUT', path, { body: { totalScans: 'many' } }],
        400,
        'VALIDATION_ERROR',
        /totalScans/,
      )
      await org.refused(
        ['POST', '/qr-codes', { body: code }],
        400,
        'VALIDATION_ERROR',
        /id: is not a known field/,
      )
    })

    test('decisions 1: null for an optional field on create is absence, in a batch too', async () => {
      const body = { type: 'VCARD', name: 'Ada', data: { firstName: 'Ada', lastName: 'L', email: null } }
      const nothing = { tags: null, metadata: null, folderId: null, shortCode: null, style: { margin: null } }
      const made = await org.send('POST', '/qr-codes', { body: { ...body, ...nothing } })
      assert.equal(made.status, 201, made.text)
      const code = JSON.parse(made.text) as { data: object; tags: string[]; style: object }
      assert.deepEqual([code.data, code.tags, code.style], [{ firstName: 'Ada', lastName: 'L' }, [], {}])
      const batch = await org.send('POST', '/qr-codes/batch', {
        body: { qrCodes: [{ ...body, ...nothing }] },
      })
      assert.match(batch.text, /"successCount":1/)
      await org.refused(
        ['POST', '/qr-codes', { body: { ...body, name: null } }],
        400,
        'VALIDATION_ERROR',
        /^name/,
      )
      await org.refused(
        ['POST', '/qr-codes', { body: { ...body, data: null } }],
        400,
        'VALIDATION_ERROR',
        /^data/,
      )
    })

    test('decisions 1 and 4: names and addresses are trimmed, a host alone gets https://; names to 255', async () => {
      const { id, name, data } = await make({ name: '  Poster\t', data: { url: ' www.example.com/a ' } })
      assert.deepEqual([name, data], ['Poster', { url: 'https://www.example.com/a' }])
      assert.deepEqual((await update(id, { data: { url: 'example.com' } })).data, {
        url: 'https://example.com',
      })
      assert.equal((await update(id, { name: ` ${'n'.repeat(255)} ` })).name.length, 255)
      for (const url of [
        'mailto:a@example.com',
        'localhost:1',
        'javascript:alert(1)',
        'http://4100',
        'http://0x7f.1',
      ])
        await org.refused(
          ['PUT', `/qr-codes/${id}`, { body: { data: { url } } }],
          400,
          'VALIDATION_ERROR',
          /^data\.url/,
        )
      assert.deepEqual((await update(id, { data: { url: 'http://192.0.2.1:80/' } })).data, {
        url: 'http://192.0.2.1:80/',
      })
      const long = 'n'.repeat(256)
      await org.refused(
        ['PUT', `/qr-codes/${id}`, { body: { name: long } }],
        400,
        'VALIDATION_ERROR',
        /^name/,
      )
    })
  })
}
