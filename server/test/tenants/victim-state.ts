import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { comparableFiles } from '../../src/api/testing/archives.ts'
import type { MailReceiver } from '../../src/api/testing/mail-receiver.ts'
import { documentedOperations, requestOf, type Operation } from '../../src/api/testing/operations.ts'
import type { Database } from '../../src/db/database.ts'
import type { Service } from '../support/service.ts'
import { publicHost, send } from './callers.ts'
import { proxyHost, tablesOf, type Victim } from './victim.ts'

type Places = { service: Service; db: Database; mailbox: MailReceiver }

/** Reads that are streams, or look at the request that asks. */
const notCompared = new Set(['streamEvents', 'readConnection'])

/** Reads of the operator about all organizations: whether they answer at all is what counts. */
const statusOnly = '/organizations/{orgId}/installation'

/**
 * Fields that change by themselves: who asked last, when the answer was made, and when the DNS was
 * looked at. The worker looks at a host name as soon as anybody claims it.
 */
const volatile = /"(lastUsedAt|requestId|generatedAt|checkedAt)":("[^"]*"|null)/g
const volatileColumns = new Set([
  'last_used_at_ms',
  // The service looks at domains by itself, which ends mails about a notice to their former owner.
  'checked_at_ms',
  'proved_at_ms',
  'notice_mail_lease_number',
])

/**
 * Returns everything that a victim has and its visitors get, by name: rows of the catalogue, the
 * answers to operations that only read, heads of its short URLs under every host name, its archive
 * and its mails. Two of them are equal if nothing happened in between.
 */
export async function stateOfVictim(victim: Victim, places: Places): Promise<Record<string, string>> {
  return {
    ...(await rowsOf(victim, places.db)),
    ...(await redirectsOf(victim, places.service)),
    ...(await readsOf(victim, places.service)),
    mails: JSON.stringify(places.mailbox.mails.filter(({ to }) => to === victim.email)),
  }
}

async function rowsOf({ orgId, proved, claimed }: Victim, db: Database): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { name, columns } of await tablesOf(db)) {
    const owner = columns.includes('organization_id')
      ? sql`organization_id = ${orgId}`
      : columns.includes('hostname')
        ? sql`hostname in (${proved}, ${claimed})`
        : undefined
    if (owner === undefined) continue
    const compared = columns.filter((column) => !volatileColumns.has(column)).sort()
    const { rows } = await sql`
      select ${sql.join(compared.map((column) => sql.ref(column)))}
      from ${sql.table(name)}
      where ${owner}`.execute(db.kysely)
    found[`rows of ${name}`] = JSON.stringify(rows.map((row) => JSON.stringify(row)).sort())
  }
  return found
}

/** Heads only: a HEAD is no scan, so that looking changes nothing. */
async function redirectsOf(
  { shortUrls, proved, claimed }: Victim,
  service: Service,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const ours = ['/', '/healthz', '/app', '/api/v1/openapi.json']
  // Every name that is no proved domain is the installation's own.
  for (const host of [publicHost, claimed, proxyHost, '127.0.0.1', proved]) {
    const codesOn = host === proved ? proved : publicHost
    const codes = shortUrls.filter(([of]) => of === codesOn).map(([, path]) => path)
    for (const path of [...codes, ...ours]) {
      const { status, headers } = await send(service, 'HEAD', path, { host })
      const { date: _, 'x-request-id': __, ...rest } = headers
      found[`HEAD ${host}${path}`] = `${status} ${JSON.stringify(rest)}`
    }
  }
  return found
}

/** Returns the answers to all operations of an organization that only read, by their paths. */
export async function readsOf(
  victim: Pick<Victim, 'orgId' | 'key'> & { ids: Iterable<string> },
  service: Service,
): Promise<Record<string, string>> {
  const headers = { 'x-api-key': victim.key }
  const found: Record<string, string> = {}
  const read = async (operation: Operation, path: string): Promise<void> => {
    const { status, body } = await send(service, 'GET', `/api/v1${path}`, { headers })
    if (status !== 200) return
    if (operation.path.startsWith(statusOnly)) {
      found[`GET ${path}`] = String(status)
      return
    }
    const isText = body.every((byte) => byte !== 0)
    found[`GET ${path}`] = path.endsWith('/export')
      ? JSON.stringify(await archiveOf(body), (_name, value: unknown) =>
          typeof value === 'string' ? value.replaceAll(volatile, '') : value,
        )
      : isText
        ? body.toString().replaceAll(volatile, '')
        : createHash('sha256').update(body).digest('hex')
  }
  const reads = documentedOperations().filter(
    ({ method, path, id }) => method === 'GET' && path.includes('{orgId}') && !notCompared.has(id),
  )
  for (const operation of reads) {
    const inPath = operation.idPlaces.filter((place) => place.in === 'path')
    if (inPath.length === 0) await read(operation, requestOf(operation, victim.orgId).path)
    else
      for (const value of victim.ids) {
        const values = inPath.map((place) => ({ place, value }))
        await read(operation, requestOf(operation, victim.orgId, values).path)
      }
  }
  return found
}

/** An archive by file, or the text of an export of scans. */
async function archiveOf(body: Buffer): Promise<object | string> {
  return body.subarray(0, 2).toString() === 'PK' ? comparableFiles(body) : body.toString()
}
