import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { someOrigin } from '../../src/catalogue/testing/catalogue.ts'
import { createApiKey } from '../../src/catalogue/organizations/api-keys.ts'
import { createSession } from '../../src/catalogue/accounts/sessions.ts'
import { createUser, saveMember } from '../../src/catalogue/accounts/users.ts'
import { until } from '../support/service.ts'
import {
  assertProblem,
  publicUrl,
  rejection,
  timestampForm,
  urlCode,
  withKey,
  type Installation,
  type Tenant,
} from './installation.ts'
import { documentedOperations, organizationOperations } from './operations.ts'

/**
 * Organizations, keys and roles: sections 2, 5 and 9 of the specification, sections 2 and 3 of the
 * decisions.
 */
export function keyRules(of: Installation): void {
  describe('keys', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })

    const newKey = async (role: 'ADMIN' | 'EDITOR' | 'VIEWER') =>
      withKey(of, org, (await org.client.apiKeys.create(org.orgId, { name: role, role })).key)

    /** They have a body, but change nothing. */
    const readingPosts = new Set(['batchDownloadQrCodes', 'printLabelSheet', 'simulateRules', 'replayRules'])
    type Role = Parameters<typeof newKey>[0]
    type Answers = { caller: Tenant; statuses: Map<string, number>; bodies: Map<string, string> }
    const asked: { [R in Role]?: Answers } = {}
    /** The responses of every operation to a key of a role, requested once. */
    const answersTo = async (role: Role): Promise<Answers> => {
      const known = asked[role]
      if (known !== undefined) return known
      const made: Answers = { caller: await newKey(role), statuses: new Map(), bodies: new Map() }
      for (const { id, method, path } of organizationOperations()) {
        const { status, text } = await made.caller.send(method, path)
        made.statuses.set(id, status)
        made.bodies.set(id, text)
      }
      asked[role] = made
      return made
    }

    test('spec 2: an organization has id, name, slug and the role of the caller', async () => {
      const first = of.service().client()
      const [organization, ...others] = await first.organizations.listMine()
      assert.deepEqual(others, [])
      assert.match(organization?.id ?? '', /^org_/)
      assert.deepEqual(organization, {
        id: organization?.id,
        name: 'My organization',
        slug: 'my-organization',
        role: 'ADMIN',
      })
    })

    test('spec 4, decisions 1: GET /users/me/organizations keeps its own form, an object with organizations', async () => {
      const { status, text } = await of.send('GET', '/api/v1/users/me/organizations', { key: org.key })
      assert.equal(status, 200)
      const body = JSON.parse(text) as { organizations: { id: string }[] }
      assert.deepEqual(Object.keys(body), ['organizations'])
      assert.deepEqual(
        body.organizations.map(({ id }) => id),
        [org.orgId],
      )
    })

    test('spec 9: every path lies under the prefix /api/v1', async () => {
      for (const prefix of ['', '/api', '/api/v2', '/v1'])
        assert.equal((await of.send('GET', `${prefix}/users/me/organizations`, { key: org.key })).status, 404)
    })

    test('spec 5: every request needs an API key in the header X-API-Key; key missing: 401 UNAUTHORIZED', async () => {
      const open = [
        'readOpenApi',
        'readTlsAllowed',
        'receiveInvitation',
        'acceptInvitation',
        'readSignInOptions',
        'signIn',
        'signOut',
        'beginPasskeySignIn',
        'signInWithPasskey',
        'signUp',
        'confirmSignUp',
        'requestPasswordReset',
        'confirmPasswordReset',
        'readSharedView',
        'unlockSharedView',
        'leaveViewMail',
      ]
      const operations = documentedOperations().filter(({ id }) => !open.includes(id))
      for (const { method, path } of operations) {
        const address = `/api/v1${path.replace('{orgId}', org.orgId).replace('{id}', 'qr_1')}`
        assertProblem(await of.send(method, address), [401, 'UNAUTHORIZED'])
        // No other header is accepted.
        const asBearer = { headers: { authorization: `Bearer ${org.key}`, cookie: `key=${org.key}` } }
        assertProblem(await of.send(method, address, asBearer), [401, 'UNAUTHORIZED'])
      }
    })

    test('spec 5: key invalid: 401 UNAUTHORIZED', async () => {
      const changed = org.key.slice(0, -1) + (org.key.endsWith('0') ? '1' : '0')
      for (const key of ['', 'x', changed, `${org.key}x`, org.key.toLowerCase(), `evs_${'0'.repeat(38)}`])
        await org.refused(['GET', '/qr-codes', { key }], 401, 'UNAUTHORIZED')
    })

    test('spec 7: the error of a missing key has statusCode, a message that says so, and a title-case phrase', async () => {
      const { text } = await of.send('GET', '/api/v1/users/me/organizations')
      const { statusCode, message, error } = JSON.parse(text) as Record<string, unknown>
      assert.deepEqual([statusCode, error], [401, 'Unauthorized'])
      assert.match(String(message), /missing or invalid/)
    })

    test('spec 5: key has been revoked: 403 API_KEY_REVOKED; decisions 3: DELETE revokes, from then on', async () => {
      const { id, key } = await org.client.apiKeys.create(org.orgId, { name: 'To be revoked' })
      const other = withKey(of, org, key)
      await other.client.qrCodes.list(org.orgId)
      const revoked = await org.client.apiKeys.revoke(org.orgId, id)
      assert.equal(org.last().status, 200)
      assert.match(revoked.revokedAt ?? '', timestampForm)
      await rejection(other.client.qrCodes.list(org.orgId), 403, 'API_KEY_REVOKED')
      await rejection(other.client.organizations.listMine(), 403, 'API_KEY_REVOKED')
      const { data } = await org.client.apiKeys.list(org.orgId)
      assert.equal(data.find((one) => one.id === id)?.revokedAt, revoked.revokedAt)
    })

    test('decisions 2: 403 API_KEY_EXPIRED', async () => {
      const expiresAt = new Date(Date.now() + 1_000).toISOString()
      const { key, ...made } = await org.client.apiKeys.create(org.orgId, { name: 'Short', expiresAt })
      assert.equal(made.expiresAt, expiresAt)
      const other = withKey(of, org, key)
      await until('the key expires', () =>
        other.client.organizations.listMine().then(
          () => false,
          () => true,
        ),
      )
      await rejection(other.client.organizations.listMine(), 403, 'API_KEY_EXPIRED')
      assert.ok(Date.now() >= Date.parse(expiresAt))
    })

    test('decisions 3: VIEWER may read, and nothing else (403 FORBIDDEN)', async () => {
      const { statuses, bodies } = await answersTo('VIEWER')
      for (const { id, method, path } of organizationOperations()) {
        const status = statuses.get(id)
        const reads = method === 'GET' || readingPosts.has(id)
        const mayCall = reads && !isForAdmins({ method, path })
        assert.equal(status === 403, !mayCall, `${id}: ${status}`)
        if (status === 403) assert.match(bodies.get(id) ?? '', /"code":"FORBIDDEN"/)
      }
    })

    test('decisions 3: EDITOR may use codes, folders and imports, but not keys', async () => {
      const { caller: editor, statuses } = await answersTo('EDITOR')
      for (const { id, method, path } of organizationOperations()) {
        const status = statuses.get(id)
        assert.equal(status === 403, isForAdmins({ method, path }), `${id}: ${status}`)
      }
      const code = await editor.client.qrCodes.create(org.orgId, urlCode('By an editor'))
      await editor.client.qrCodes.delete(org.orgId, code.id)
      await editor.client.folders.create(org.orgId, { name: 'By an editor' })
      await editor.client.imports.start(org.orgId, {
        type: 'URL',
        file: 'name,url\nA,https://example.com/',
        dryRun: true,
      })
    })

    test('decisions 3: ADMIN may do everything', async () => {
      for (const [id, status] of (await answersTo('ADMIN')).statuses) assert.notEqual(status, 403, id)
    })

    test("decisions 3: a dashboard session may call the same endpoints, with the member's role", async () => {
      for (const role of ['VIEWER', 'EDITOR', 'ADMIN'] as const) {
        const byKey = (await answersTo(role)).statuses
        const user = await createUser(of.db(), { email: `${role}@${org.orgId}`, name: role })
        const userId = user?.id ?? ''
        await saveMember(of.db(), org.orgId, { userId, role })
        const { token } = await createSession(of.db(), userId, { userAgent: null, nowMs: Date.now() })
        const headers = { cookie: `__Host-everscan_session=${token}`, origin: publicUrl }
        for (const { id, method, path } of organizationOperations()) {
          const { status } = await of.send(method, `/api/v1/organizations/${org.orgId}${path}`, { headers })
          assert.equal(status, byKey.get(id), `${id} as ${role}`)
        }
      }
    })

    test('decisions 3: a key acts with its own role, never above that of its creator', async () => {
      const editor = await newKey('EDITOR')
      assert.equal((await editor.client.organizations.listMine())[0]?.role, 'EDITOR')
      // Only accounts have a role that can fall below that of their keys.
      const maker = await createUser(of.db(), { email: `${org.orgId}@example.com`, name: 'Maker' })
      assert.ok(maker !== undefined)
      await saveMember(of.db(), org.orgId, { userId: maker.id, role: 'VIEWER' })
      const input = { name: 'Of a viewer', role: 'ADMIN', userId: maker.id, origin: someOrigin } as const
      const { value } = await createApiKey(of.db(), org.orgId, input)
      const other = withKey(of, org, value)
      assert.equal((await other.client.organizations.listMine())[0]?.role, 'VIEWER')
      await rejection(other.client.folders.create(org.orgId, { name: 'A' }), 403, 'FORBIDDEN')
    })

    test("decisions 2: an organization that is not the key's is 403, identical whether or not it exists", async () => {
      const other = await of.organization()
      for (const { id, method, path } of organizationOperations()) {
        const answers: unknown[] = []
        for (const orgId of [other.orgId, 'org_01jqzv4x8m3c5t7w9y2b4d6f8h', 'nothing']) {
          const answer = await of.send(method, `/api/v1/organizations/${orgId}${path}`, { key: org.key })
          const { requestId, ...problem } = assertProblem(answer, [403, 'FORBIDDEN'])
          assert.ok(requestId.length > 0)
          answers.push(problem)
        }
        assert.deepEqual(answers[1], answers[0], id)
        assert.deepEqual(answers[2], answers[0], id)
      }
    })

    test("decisions 2: another organization's ids are 404 NOT_FOUND", async () => {
      const other = await of.organization()
      const code = await other.client.qrCodes.create(other.orgId, urlCode('Foreign'))
      const folder = await other.client.folders.create(other.orgId, { name: 'Foreign' })
      const job = await other.client.imports.start(other.orgId, {
        type: 'URL',
        file: 'name,url\nA,https://example.com/',
      })
      const { data } = await other.client.apiKeys.list(other.orgId)
      const { client, orgId } = org
      for (const call of [
        () => client.qrCodes.read(orgId, code.id),
        () => client.qrCodes.update(orgId, code.id, { name: 'Mine' }),
        () => client.qrCodes.delete(orgId, code.id),
        () => client.qrCodes.download(orgId, code.id),
        () => client.qrCodes.analytics(orgId, code.id),
        () => client.analytics.export(orgId, code.id),
        () => client.scans.list(orgId, code.id),
        () => client.folders.read(orgId, folder.id),
        () => client.folders.update(orgId, folder.id, { name: 'Mine' }),
        () => client.folders.delete(orgId, folder.id),
        () => client.imports.read(orgId, job.id),
        () => client.imports.cancel(orgId, job.id),
        () => client.imports.errorsCsv(orgId, job.id),
        () => client.apiKeys.revoke(orgId, data[0]?.id ?? ''),
      ])
        await rejection(call(), 404, 'NOT_FOUND')
      assert.equal((await other.client.qrCodes.read(other.orgId, code.id)).name, 'Foreign')
    })

    test('decisions 3: POST api-keys is 201 with the key, shown only once', async () => {
      const { key, ...made } = await org.client.apiKeys.create(org.orgId, {
        name: 'Print shop',
        role: 'EDITOR',
      })
      assert.equal(org.last().status, 201)
      assert.deepEqual([made.name, made.role, made.expiresAt], ['Print shop', 'EDITOR', null])
      const { status, text } = await org.send('GET', '/api-keys')
      assert.equal(status, 200)
      assert.ok(text.includes(made.id) && !text.includes(key))
    })

    test('decisions 3: GET api-keys has prefix, role, createdAt, lastUsedAt, expiresAt, revokedAt', async () => {
      const tenant = await of.organization()
      const made = await tenant.client.apiKeys.create(tenant.orgId, { name: 'Unused', role: 'VIEWER' })
      const { data } = await tenant.client.apiKeys.list(tenant.orgId)
      const { key, ...shown } = made
      assert.deepEqual(data[0], shown)
      assert.deepEqual([data[0]?.lastUsedAt, data[0]?.revokedAt], [null, null])
      assert.ok(key.startsWith(made.prefix) && made.prefix.length < 10)
      assert.match(made.createdAt, timestampForm)
      assert.deepEqual(
        Object.keys(made).join(),
        'id,name,prefix,role,scopes,networks,createdAt,madeBy,lastUsedAt,expiresAt,revokedAt,key',
      )
      await until('the use of the other key is recorded', async () => {
        const [, used] = (await tenant.client.apiKeys.list(tenant.orgId)).data
        return timestampForm.test(used?.lastUsedAt ?? '')
      })
    })

    test('decisions 3: scopes limit what a key may do; a missing one is 403 FORBIDDEN and named', async () => {
      const { key, ...made } = await org.client.apiKeys.create(org.orgId, {
        name: 'Report',
        role: 'ADMIN',
        scopes: ['codes:read', 'analytics:read'],
      })
      assert.deepEqual(made.scopes, ['codes:read', 'analytics:read'])
      const limited = withKey(of, org, key)
      await limited.client.qrCodes.list(org.orgId)
      await limited.client.analytics.ofOrganization(org.orgId)
      assert.equal((await limited.client.organizations.listMine()).length, 1)
      const message = /requires the scope codes:write; the API key has codes:read, analytics:read/
      await limited.refused(['POST', '/folders', { body: { name: 'A' } }], 403, 'FORBIDDEN', message)
      const form = new FormData()
      form.append('type', 'URL')
      form.append('file', new File(['name,url\nA,https://example.com/'], 'a.csv', { type: 'text/csv' }))
      const scope = /requires the scope imports/
      await limited.refused(['POST', '/qr-codes/bulk-import', { body: form }], 403, 'FORBIDDEN', scope)
      await limited.refused(['GET', '/events?event=import.failed'], 403, 'FORBIDDEN', scope)
      await limited.refused(['GET', '/api-keys'], 403, 'FORBIDDEN', /requires the scope admin/)
    })

    test('decisions 3: a key is accepted only from its networks, as the trusted proxy names the client', async () => {
      const networks = ['203.0.113.0/24', '2001:db8:1::/48']
      const { key } = await org.client.apiKeys.create(org.orgId, { name: 'Office', role: 'VIEWER', networks })
      const from = async (forwardedFor?: string) =>
        of.send('GET', '/api/v1/users/me/organizations', {
          key,
          headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
        })
      for (const inside of [
        '203.0.113.7',
        '::ffff:203.0.113.7',
        '::FFFF:CB00:7107',
        '203.0.113.7:52000',
        '2001:db8:1:2::3',
        '[2001:db8:1:2::3]:443',
        '2001:DB8:0001:0:0::3%eth0',
        // Only the trusted proxy's own entry counts.
        '198.51.100.1, 203.0.113.7',
        '203.0.113.7, 127.0.0.1',
      ])
        assert.equal((await from(inside)).status, 200, inside)
      for (const [outside, seen] of [
        [undefined, '127.0.0.1'],
        ['198.51.100.1', '198.51.100.1'],
        ['203.0.113.7, 198.51.100.1', '198.51.100.1'],
        ['::ffff:198.51.100.1', '198.51.100.1'],
        ['2001:db8:2::3', '2001:db8:2::3'],
        ['nonsense', '127.0.0.1'],
      ]) {
        const { message } = assertProblem(await from(outside), [403, 'FORBIDDEN'])
        assert.equal(message, `This API key is not accepted from your address, ${seen}.`)
      }
    })

    test('decisions 3: expiresAt may be a date, and means until the end of that day in UTC', async () => {
      const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
      const { expiresAt } = await org.client.apiKeys.create(org.orgId, { name: 'Day', expiresAt: day })
      assert.equal(Date.parse(expiresAt ?? ''), Date.parse(day) + 86_400_000)
    })

    test('decisions 3: stored as a SHA-256 hash; the value has a fixed prefix and a checksum', async () => {
      const { id, key } = await org.client.apiKeys.create(org.orgId, { name: 'Hashed' })
      assert.match(key, /^evs_[0-9A-Za-z]{38}$/)
      const row = await of
        .db()
        .kysely.selectFrom('api_keys')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      assert.equal(row.hash, createHash('sha256').update(key).digest('hex'))
      assert.ok(!JSON.stringify(row).includes(key))
    })

    test('decisions 3: 6,000 requests per minute and key by default; decisions 2: the RateLimit headers', async () => {
      // Another key has its own count.
      const fresh = await newKey('VIEWER')
      assert.equal(await remaining(fresh), 5999)
      const left = await remaining(fresh)
      assert.ok([5998, 5999].includes(left), String(left))
    })
  })
}

/** The requests that the key has left in this minute, after one more. */
async function remaining(tenant: Tenant): Promise<number> {
  await tenant.client.organizations.listMine()
  const { headers } = tenant.last()
  assert.equal(headers.get('ratelimit-limit'), '6000')
  const resetSeconds = Number(headers.get('ratelimit-reset'))
  assert.ok(resetSeconds >= 1 && resetSeconds <= 60)
  return Number(headers.get('ratelimit-remaining'))
}

/** Members of the organization, its keys and its complete data. */
function isForAdmins({ method, path }: { method: string; path: string }): boolean {
  const isOpen = path.startsWith('/members') || path.startsWith('/domains')
  if (isOpen || path === '/public-address' || path === '') return method !== 'GET'
  return [
    '/api-keys',
    '/invitations',
    '/audit-log',
    '/connection',
    '/installation',
    '/export',
    '/imports',
    '/webhooks',
  ].some((start) => path.startsWith(start))
}
