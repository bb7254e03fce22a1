import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertProblem, rejection, urlCode, type Installation, type Tenant } from './installation.ts'
import { organizationOperations } from './operations.ts'

/** Errors: section 7 of the specification, sections 1 and 2 of the decisions. */
export function errorRules(of: Installation): void {
  describe('errors', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })

    test('decisions 2: an error is statusCode, message, error, code, problem, values, details [{path, problem, values, message}], requestId', async () => {
      const answer = await org.send('POST', '/qr-codes', { body: urlCode('') })
      const { requestId, ...problem } = assertProblem(answer, [400, 'VALIDATION_ERROR'])
      assert.deepEqual(problem, {
        statusCode: 400,
        message: 'name: must not be empty',
        error: 'Bad Request',
        code: 'VALIDATION_ERROR',
        problem: 'empty',
        values: {},
        details: [{ path: 'name', problem: 'empty', values: {}, message: 'must not be empty' }],
      })
      assert.ok(requestId.length > 10)
      assert.equal(answer.headers.get('x-request-id'), requestId)
    })

    test('decisions 2: details lists every problem, by its path', async () => {
      const data = { title: 'A', links: [{ platform: 'x', url: 'ftp://example.com' }, { platform: 'x' }] }
      const body = { type: 'SOCIAL', name: 'A', data, tags: ['ok', ''], metadata: { a: 1 } }
      const { details = [] } = await org.refused(['POST', '/qr-codes', { body }], 400, 'VALIDATION_ERROR')
      assert.deepEqual(details.map(({ path }) => path).sort(), ['metadata.a', 'tags[1]'])
      const ofData = { type: 'SOCIAL', name: 'A', data }
      const second = await org.refused(['POST', '/qr-codes', { body: ofData }], 400, 'VALIDATION_ERROR')
      const paths = second.details?.map(({ path }) => path)
      assert.ok(paths?.includes('data.links[1].url'), String(paths))
    })

    test('decisions 1: unknown query fields are 400 and named in the message, at every endpoint', async () => {
      for (const { id, method, path, example: body } of organizationOperations()) {
        const query = path.endsWith('/sample') ? '?type=URL&colour=red' : '?colour=red'
        const problem = await org.refused(
          [method, path + query, { body }],
          ...([400, 'VALIDATION_ERROR', /colour/] as const),
        )
        assert.ok(
          problem.details?.some((one) => one.path === 'colour'),
          id,
        )
      }
    })

    test('decisions 1: unknown body fields are 400 and named in the message, at every endpoint', async () => {
      for (const { id, method, path, example } of organizationOperations()) {
        if (example === undefined) continue
        const problem = await org.refused(
          [method, path, { body: { ...(example as object), colour: 'red' } }],
          ...([400, 'VALIDATION_ERROR', /colour/] as const),
        )
        assert.ok(
          problem.details?.some((one) => one.path === 'colour'),
          `${id}: ${JSON.stringify(problem)}`,
        )
      }
      const body = { ...urlCode('A'), colour: 'red' }
      await org.refused(['POST', '/qr-codes', { body }], 400, 'VALIDATION_ERROR', /colour/)
      const inStyle = { ...urlCode('A'), style: { colour: 'red' } }
      await org.refused(['POST', '/qr-codes', { body: inStyle }], 400, 'VALIDATION_ERROR', /style\.colour/)
    })

    test('decisions 1: unknown body fields are 400 and named even where no body is expected', async () => {
      const { client, orgId } = org
      const code = await client.qrCodes.create(orgId, urlCode('Stays'))
      const folder = await client.folders.create(orgId, { name: 'Stays' })
      const job = await client.imports.start(orgId, {
        type: 'URL',
        file: 'name,url\nA,https://example.com/',
        dryRun: true,
      })
      const { id } = await client.apiKeys.create(orgId, { name: 'Stays' })
      for (const [method, path] of [
        ['DELETE', `/qr-codes/${code.id}`],
        ['DELETE', `/folders/${folder.id}`],
        ['DELETE', `/api-keys/${id}`],
        ['POST', `/qr-codes/bulk-import/${job.id}/cancel`],
      ] as const) {
        const body = { colour: 'red' }
        await org.refused([method, path, { body }], 400, 'VALIDATION_ERROR', /colour/)
        // Many programs send an empty object, or only the media type.
        const headers = { 'content-type': 'application/json' }
        const expected = method === 'POST' ? [200, 409] : [200]
        const { status } = await org.send(method, path, { body: method === 'POST' ? '{}' : '', headers })
        assert.ok(expected.includes(status), `${path}: ${status}`)
      }
    })

    test('decisions 2: 400 VALIDATION_ERROR for a body that is not JSON, or for no body', async () => {
      const headers = { 'content-type': 'application/json' }
      for (const body of ['{"type":', '[]', 'null', '"x"', '7'])
        await org.refused(['POST', '/qr-codes', { body, headers }], 400, 'VALIDATION_ERROR')
      await org.refused(['POST', '/qr-codes'], 400, 'VALIDATION_ERROR')
    })

    test('decisions 2: 404 NOT_FOUND for an unknown id', async () => {
      const { client, orgId } = org
      for (const id of ['qr_01jqzv4x8m3c5t7w9y2b4d6f8h', 'x', 'sample', 'ä/../%00']) {
        const error = await rejection(client.qrCodes.read(orgId, id), 404, 'NOT_FOUND')
        assert.equal(error.constructor.name, 'NotFoundError')
      }
      await rejection(client.qrCodes.update(orgId, 'qr_x', { name: 'A' }), 404, 'NOT_FOUND')
      await rejection(client.qrCodes.delete(orgId, 'qr_x'), 404, 'NOT_FOUND')
      await rejection(client.qrCodes.download(orgId, 'qr_x'), 404, 'NOT_FOUND')
      await rejection(client.qrCodes.analytics(orgId, 'qr_x'), 404, 'NOT_FOUND')
      await rejection(client.scans.list(orgId, 'qr_x'), 404, 'NOT_FOUND')
      await rejection(client.analytics.export(orgId, 'qr_x'), 404, 'NOT_FOUND')
      await rejection(client.folders.read(orgId, 'fld_x'), 404, 'NOT_FOUND')
      await rejection(client.imports.read(orgId, 'job_x'), 404, 'NOT_FOUND')
      await rejection(client.apiKeys.revoke(orgId, 'key_x'), 404, 'NOT_FOUND')
    })

    test('decisions 2: 404 NOT_FOUND for an unknown route', async () => {
      await org.refused(['GET', '/nothing'], 404, 'NOT_FOUND')
      await org.refused(['POST', '/qr-codes/qr_x/nothing'], 404, 'NOT_FOUND')
    })

    test('decisions 2: 405 METHOD_NOT_ALLOWED, with the allowed methods', async () => {
      for (const { path } of organizationOperations()) {
        const ofPath = organizationOperations().filter((one) => one.path === path)
        const method = ['PUT', 'PATCH', 'DELETE'].find((name) => ofPath.every((one) => one.method !== name))
        // A fixed segment counts as an id for the methods that it lacks.
        if (method === undefined || /batch$|bulk-import$|analytics$|sample$/.test(path)) continue
        const answer = await org.send(method, path)
        assertProblem(answer, [405, 'METHOD_NOT_ALLOWED'])
        const allowed = answer.headers.get('allow')?.split(', ') ?? []
        for (const one of ofPath) assert.ok(allowed.includes(one.method), `${path}: ${allowed.join()}`)
        assert.ok(!allowed.includes(method))
      }
    })

    test('decisions 2: 406 NOT_ACCEPTABLE for a picture that Accept refuses', async () => {
      const { id } = await org.client.qrCodes.create(org.orgId, urlCode('A'))
      const headers = { accept: 'image/png;q=0' }
      const path = `/qr-codes/${id}/download`
      await org.refused(['GET', path, { headers }], 406, 'NOT_ACCEPTABLE', /image\/png/)
    })

    test('decisions 1: 400 for half a surrogate pair; 415 for an encoded body', async () => {
      const json = { 'content-type': 'application/json' }
      const half = JSON.stringify(urlCode('A')).replace('"A"', '"\\ud83d"')
      const refused = ['POST', '/qr-codes', { body: half, headers: json }] as const
      await org.refused(refused, 400, 'VALIDATION_ERROR', /name: must not contain half of a surrogate pair/)
      const packed = { body: JSON.stringify(urlCode('A')), headers: { ...json, 'content-encoding': 'gzip' } }
      await org.refused(
        ['POST', '/qr-codes', packed],
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        /Content-Encoding: gzip/,
      )
    })

    test('decisions 1 and 2: a trailing slash is the same path; 401 names its scheme; a bare + is explained', async () => {
      assert.equal((await org.send('GET', '/qr-codes/')).status, 200)
      const unknown = await of.send('GET', '/api/v1/users/me/organizations')
      assert.match(unknown.headers.get('www-authenticate') ?? '', /^ApiKey realm=/)
      const path = '/qr-codes/analytics?startDate=2026-03-01T00:00:00+02:00'
      await org.refused(['GET', path], 400, 'VALIDATION_ERROR', /write the \+ of the time zone as %2B/)
    })

    test('decisions 2: 415 UNSUPPORTED_MEDIA_TYPE for a body that is not JSON', async () => {
      for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
        const options = { body: JSON.stringify(urlCode('A')), headers: { 'content-type': type } }
        await org.refused(['POST', '/qr-codes', options], 415, 'UNSUPPORTED_MEDIA_TYPE', /JSON/)
      }
      const form = new FormData()
      form.append('type', 'URL')
      await org.refused(['POST', '/qr-codes', { body: form }], 415, 'UNSUPPORTED_MEDIA_TYPE')
    })

    test('decisions 2: 413 PAYLOAD_TOO_LARGE for a body over its limit', async () => {
      const body = urlCode('A', { metadata: { a: 'x'.repeat(3 * 1024 * 1024) } })
      await org.refused(['POST', '/qr-codes', { body }], 413, 'PAYLOAD_TOO_LARGE')
    })

    test('decisions 2: 409 CONFLICT for a taken short code', async () => {
      await org.client.qrCodes.create(org.orgId, urlCode('A', { shortCode: 'TAKEN-HERE' }))
      const again = org.client.qrCodes.create(org.orgId, urlCode('B', { shortCode: 'TAKEN-HERE' }))
      const error = await rejection(again, 409, 'CONFLICT', /TAKEN-HERE|short code/i)
      assert.equal(error.constructor.name, 'ConflictError')
    })

    test('decisions 2: 422 STYLE_NOT_SCANNABLE, and decisions 8: details has the nearest change that is accepted', async () => {
      const style = { foregroundColor: '#EEEEEE', backgroundColor: '#FFFFFF' }
      const call = org.client.qrCodes.create(org.orgId, urlCode('A', { style }))
      const { details } = await rejection(call, 422, 'STYLE_NOT_SCANNABLE')
      const suggestion = details[0]?.suggestion
      assert.ok(suggestion !== undefined)
      const passes = await org.client.qrCodes.create(
        org.orgId,
        urlCode('A', { style: { ...style, ...suggestion } }),
      )
      assert.deepEqual(passes.style, { ...style, ...suggestion })
      // The nearest one: a slightly darker color, not black.
      assert.notEqual(suggestion['foregroundColor'], '#000000')
      const { total } = (await org.client.qrCodes.list(org.orgId)).pagination
      const body = { style }
      const code = await org.client.qrCodes.create(org.orgId, urlCode('B'))
      await rejection(org.client.qrCodes.update(org.orgId, code.id, body), 422, 'STYLE_NOT_SCANNABLE')
      assert.deepEqual((await org.client.qrCodes.read(org.orgId, code.id)).style, {})
      assert.equal((await org.client.qrCodes.list(org.orgId)).pagination.total, total + 1)
    })

    test('decisions 2: message is one string that a person can act on, error the title-case phrase', async () => {
      const { key } = await org.client.apiKeys.create(org.orgId, { name: 'Reads', role: 'VIEWER' })
      const problems = [
        await org.refused(['GET', '/qr-codes?limit=101'], 400, 'VALIDATION_ERROR', /limit.*100/),
        await org.refused(['GET', '/qr-codes', { key: 'x' }], 401, 'UNAUTHORIZED', /X-API-Key/),
        await org.refused(['POST', '/folders', { key }], 403, 'FORBIDDEN', /EDITOR.*VIEWER/),
        await org.refused(['GET', '/qr-codes/qr_x'], 404, 'NOT_FOUND'),
        await org.refused(['PUT', '/tags'], 405, 'METHOD_NOT_ALLOWED', /GET/),
      ]
      assert.deepEqual(
        problems.map(({ error }) => error),
        ['Bad Request', 'Unauthorized', 'Forbidden', 'Not Found', 'Method Not Allowed'],
      )
      for (const { message } of problems) assert.match(message, /^\S.{10,}\S$/)
    })
  })
}
