import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Client } from '@everscan/client/create-client.ts'
import type { Zone } from '../../src/api/testing/dns-server.ts'
import type { Database } from '../../src/db/database.ts'
import { phones } from '../support/phones.ts'
import { until, type Service } from '../support/service.ts'
import { publicHost, send } from './callers.ts'

/** The name under which a proxy of this installation sends its requests on: nobody's domain. */
export const proxyHost = 'upstream.example.org'

/** An organization with something of every kind, and what others may know of it. */
export type Victim = {
  client: Client
  orgId: string
  key: string
  /** The account of its ADMIN. */
  email: string
  /** A host name that it proved, one that it only claimed, and the id of the latter. */
  proved: string
  claimed: string
  claimedId: string
  /** Every short URL of its codes: host name and path. */
  shortUrls: readonly (readonly [host: string, path: string])[]
  /** A code that opens ten times, seven of them from now on, and its path. */
  limited: { id: string; path: string }
  /** An id of it from every table of the catalogue. */
  ids: readonly string[]
  /** Other words of it that a stranger can put into a request. */
  words: readonly string[]
}

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Fills the organization of the first start, which is also the operator's. */
export async function createVictim(
  service: Service,
  { db, zone, email, hookUrl }: { db: Database; zone: Zone; email: string; hookUrl: string },
): Promise<Victim> {
  const client = service.client()
  const [{ id: orgId } = assert.fail()] = await client.organizations.listMine()
  const [proved, claimed] = ['go.victim.example.com', 'later.victim.example.com']
  const domain = await client.domains.create(orgId, { hostname: proved })
  zone[domain.verification.name] = { TXT: [domain.verification.value] }
  assert.equal((await client.domains.check(orgId, domain.id)).status, 'ACTIVE')
  const { id: claimedId } = await client.domains.create(orgId, { hostname: claimed })
  // So that the worker has no reason to look at it meanwhile.
  await client.domains.check(orgId, claimedId)

  const folder = await client.folders.create(orgId, { name: 'Spring campaign' })
  const style = await client.styles.create(orgId, {
    name: 'House style',
    style: { foregroundColor: '#102030', logo: { dataUri: pixel } },
  })
  await client.utmTemplates.create(orgId, { name: 'Flyers', source: 'flyer' })
  const hook = await client.webhooks.create(orgId, { url: hookUrl, events: ['qr.deleted'] })
  await client.webhooks.ping(orgId, hook.id)
  await client.views.create(orgId, { name: 'Numbers', public: {}, mail: { to: [email], every: 'week' } })
  await client.invitations.create(orgId, { email: 'colleague@example.com' })
  const url = { url: 'https://victim.example.com/landing' }
  const codes = await client.batches.create(orgId, [
    {
      type: 'URL',
      name: 'Poster',
      shortCode: 'Victim-Poster',
      data: url,
      folderId: folder.id,
      tags: ['spring'],
    },
    { type: 'URL', name: 'Styled', shortCode: 'Victim-Styled', data: url, styleId: style.id },
    { type: 'URL', name: 'Here', shortCode: 'Victim-Here', data: url, domainId: domain.id },
    { type: 'URL', name: 'Ten', shortCode: 'Victim-Ten', data: url, access: { scanLimit: 10 } },
    { type: 'URL', name: 'Secret', shortCode: 'Victim-Pin', data: url, access: { password: 'a long one' } },
    { type: 'TEXT', name: 'Text', shortCode: 'Victim-Text', data: { text: 'Ours' } },
    {
      type: 'URL',
      name: 'Ruled',
      shortCode: 'Victim-Rule',
      data: url,
      rules: [
        { name: 'Phones', when: { devices: ['mobile'] }, data: { url: 'https://victim.example.com/m' } },
      ],
    },
    { type: 'URL', name: 'Gone', shortCode: 'Victim-Gone', data: url },
  ])
  assert.deepEqual(codes.errors, [])
  const made = codes.data
  const named = (name: string) => made.find((code) => code.name === name) ?? assert.fail(name)
  await client.qrCodes.delete(orgId, named('Gone').id, { bin: true })
  await client.qrCodes.update(orgId, named('Poster').id, { data: { url: 'https://victim.example.com/new' } })
  const csv = 'name,url\nImported,https://victim.example.com/i\n'
  const job = await client.imports.start(orgId, { type: 'URL', file: new File([csv], 'codes.csv') })
  await client.imports.waitFor(orgId, job.id)

  const shortUrls = made.map(
    ({ shortCode, domainId }) => [domainId === null ? publicHost : proved, `/${shortCode}`] as const,
  )
  const limited = { id: named('Ten').id, path: '/Victim-Ten' }
  for (let scans = 0; scans < 3; scans++)
    for (const [host, path] of shortUrls)
      await send(service, 'GET', path, { host, headers: { 'user-agent': phones[0] } })
  await until('the scans of the victim are in its figures', async () => {
    const { summary } = await client.analytics.ofOrganization(orgId)
    return summary.totalScans === 3 * shortUrls.filter(([, path]) => !/Pin|Gone/.test(path)).length
  })
  await until('its webhooks are delivered', async () => {
    const { data } = await client.webhooks.deliveries(orgId, hook.id)
    return data.length === 2 && data.every(({ status }) => status === 'SUCCEEDED')
  })
  const words = [
    proved,
    claimed,
    proxyHost,
    publicHost,
    email,
    'Victim-Poster',
    `http://${proved}/Victim-Here`,
    'Spring campaign',
    'spring',
  ]
  return {
    client,
    orgId,
    key: service.apiKey,
    email,
    proved,
    claimed,
    claimedId,
    shortUrls,
    limited,
    words,
    ids: [orgId, ...(await idsOf(db, orgId))],
  }
}

/** The first id of each table of an organization. */
export async function idsOf(db: Database, orgId: string): Promise<string[]> {
  const ids: string[] = []
  for (const { name, columns } of await tablesOf(db)) {
    if (!columns.includes('id') || !columns.includes('organization_id')) continue
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(name)} where organization_id = ${orgId} order by id limit 1`.execute(
      db.kysely,
    )
    if (typeof rows[0]?.id === 'string') ids.push(rows[0].id)
  }
  return ids
}

export type Table = { name: string; columns: readonly string[] }

export async function tablesOf(db: Database): Promise<Table[]> {
  const tables = await db.kysely.introspection.getTables()
  return tables
    .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
