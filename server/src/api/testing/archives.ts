import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
import type { LightMyRequestResponse } from 'fastify'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import { noSource } from '../../catalogue/accounts/account-log.ts'
import { applyLook } from '../../catalogue/domains/domain-proofs.ts'
import { awaitedHosts, waitingKind } from '../../catalogue/waiting/claim-waiting-codes.ts'
import { commandOrigin } from '../../catalogue/rows/change-origins.ts'
import type { Database } from '../../db/database.ts'
import { silentLog } from '../../db/testing/databases.ts'
import { proofName } from '../../dns-looks.ts'
import { createScanImporter } from '../../ingest/import-scans.ts'
import { archiveJobs } from '../../jobs/imports/archive-job.ts'
import { waitingChore, waitingJobs } from '../../jobs/imports/waiting-job.ts'
import { startJobs, type Jobs } from '../../jobs/start-jobs.ts'
import { shortUrlOf } from '../../product/records/qr-code-records.ts'
import { createSecretBox } from '../../secret-box.ts'
import { pictureOf } from '@everscan/qr/shapes/encodings.ts'
import { nextMailAtMs } from '../../product/views/mail-times.ts'
import {
  importArchive,
  type ArchiveTarget,
  type KeepIds,
} from '../../product/imports/archives/start-archive-import.ts'
import { publicUrl, testConfig, type TestApi } from './api.ts'
import { filesOfZip } from './zip.ts'

/** Starts a worker that imports archives, as app/worker.ts does. */
export function startArchiveWorker(
  db: Database,
  store: ClickHouse,
  options: { leaseMs?: number; url?: string } = {},
): Jobs {
  const { url = publicUrl, leaseMs = 5_000 } = options
  const box = createSecretBox('a secret of tests', 'webhook secrets')
  const archive = archiveJobs({
    hits: createScanImporter(store),
    draw: (code, style) => pictureOf(shortUrlOf(code, url), style),
    mailAtMs: (every, { timezone = 'UTC' }, nowMs) => nextMailAtMs(every, timezone, nowMs),
    seal: (secret, id) => box.seal(secret, id),
  })
  return startJobs({ db, kinds: { archive }, log: silentLog, pollMs: 5, leaseMs })
}

/** Proves all domains of an organization. Ends when the codes that waited for them are codes. */
export async function proveDomains(db: Database, store: ClickHouse, organizationId: string): Promise<void> {
  const claims = await db.kysely
    .selectFrom('domains')
    .select(['hostname', 'proof'])
    .where('organization_id', '=', organizationId)
    .execute()
  for (const { hostname, proof } of claims)
    await applyLook(db, hostname, {
      look: { found: [{ type: 'TXT', name: proofName(hostname), value: proof }] },
      nowMs: Date.now(),
    })
  const jobs = startJobs({
    db,
    kinds: { waiting: waitingJobs({ hits: createScanImporter(store) }) },
    chores: [{ ...waitingChore, everyMs: 10 }],
    log: silentLog,
    pollMs: 5,
  })
  const open = () =>
    db.kysely
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', waitingKind)
      .where('status', '<>', 'COMPLETED')
      .execute()
  while ((await awaitedHosts(db, organizationId)).length > 0 || (await open()).length > 0) await sleep(10)
  await jobs.stop()
}

/** Exports an organization. */
export async function exportArchive(
  { call, orgId, keys }: TestApi,
  caller: { key?: string; session?: string; orgId?: string } = { key: keys.ADMIN },
): Promise<Buffer> {
  const { orgId: id = orgId, ...by } = caller
  const answer = await call('GET', `/organizations/${id}/export`, by)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.rawPayload
}

/** Sends an archive, as a browser does. */
export async function sendArchive(
  { call }: TestApi,
  archive: Buffer | undefined,
  {
    query = '',
    fields = {},
    headers = {},
    ...by
  }: { query?: string; fields?: object; headers?: object; key?: string; session?: string },
): Promise<LightMyRequestResponse> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  if (archive !== undefined) form.append('file', new File([new Uint8Array(archive)], 'mine.zip'))
  const request = new Response(form)
  return call('POST', `/organizations/imports${query}`, {
    ...by,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { ...headers, 'content-type': request.headers.get('content-type') ?? '' },
  })
}

/** Imports an archive as the command does, in this process. */
export async function importDirectly(
  db: Database,
  archive: Buffer,
  target: ArchiveTarget,
  { keep, ...options }: { keep?: KeepIds; dryRun?: boolean; leaveOut?: boolean } = {},
): Promise<ArchiveImport> {
  const folder = mkdtempSync(join(tmpdir(), 'everscan-archive-'))
  try {
    const path = join(folder, 'archive.zip')
    writeFileSync(path, archive)
    const { webhookAllowPrivate, privateDomains } = testConfig
    const settings = { publicUrl, webhookAllowPrivate, privateDomains }
    const request = { path, fileName: null, target, origin: commandOrigin, source: noSource, ...settings }
    const asked = { ...request, dryRun: false, leaveOut: false, ...options, nowMs: Date.now() }
    return await importArchive(db, asked, keep)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Which id each record of an archive got, as `ids.csv` says. */
export async function archivedIds(
  { call }: TestApi,
  { organizationId, id }: Pick<ArchiveImport, 'organizationId' | 'id'>,
  by: { key?: string; session?: string },
): Promise<Map<string, string>> {
  const answer = await call('GET', `/organizations/${organizationId}/imports/${id}/ids.csv`, by)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  const [head, ...lines] = answer.body.trimEnd().split('\r\n')
  if (head !== 'archived,here') throw new Error(head)
  return new Map(lines.map((line) => line.split(',') as [string, string]))
}

/** Replaces ids in a text by others. */
export function withIds(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\b[a-z]{2,3}_[0-9a-z]{26}\b/g, (id) => ids.get(id) ?? id)
}

/** Leaves out what stays in the other installation: authors, and when its organization began. */
export function ofNobody(text: string): string {
  return text
    .replaceAll(
      /"changedBy":\{"kind":"([a-z-]+)","id":(?:null|"[^"]*")/g,
      '"changedBy":{"kind":"$1","id":null',
    )
    .replace(/("organization": \{[^]*"createdAt": )"[^"]*"/, '$1""')
}

/** The import once it has ended. */
export async function importEnded(
  { call }: TestApi,
  { organizationId, id }: Pick<ArchiveImport, 'organizationId' | 'id'>,
  by: { key?: string; session?: string },
): Promise<ArchiveImport> {
  for (;;) {
    const answer = await call('GET', `/organizations/${organizationId}/imports/${id}`, by)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    const job = answer.json<ArchiveImport>()
    if (job.status === 'COMPLETED') return job
    await sleep(10)
  }
}

/** The files of an archive by name, without the date of the archive. */
export async function comparableFiles(archive: Buffer): Promise<Record<string, string>> {
  const files = [...(await filesOfZip(archive))].map(([name, bytes]) => [name, bytes.toString()] as const)
  return Object.fromEntries(
    files.map(([name, text]) => [
      name,
      name === 'organization.json'
        ? text.replace(/"exportedAt": ".*?"/, '"exportedAt": ""')
        : name === 'README.txt'
          ? text.replace(/as of \S+/, 'as of')
          : // A domain has another proof here, and waits for it.
            name === 'domains.jsonl'
            ? text.replaceAll(/everscan=[0-9a-z]+/g, '').replaceAll('"ACTIVE"', '"PENDING"')
            : text,
    ]),
  )
}
