import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArchiveCounts, ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
import { countText } from '../amounts.ts'
import { keepIds } from '../product/imports/archives/keep-ids.ts'
import {
  importArchive,
  readArchiveRecord,
  type ArchiveTarget,
} from '../product/imports/archives/start-archive-import.ts'
import { noSource } from '../catalogue/accounts/account-log.ts'
import { commandOrigin } from '../catalogue/rows/change-origins.ts'
import { withScanStore } from '../copies/with-scan-store.ts'
import type { Database } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import { UsageError, type Action, type Call } from './command.ts'
import { linkActions } from './import-links.ts'
import { chooseOrganization, requireUser, withCatalogue } from './open-catalogue.ts'
import { readEmail } from './word-values.ts'

const archive: Action = {
  words: 'import archive',
  summary: 'Import the archive of an organization, from this or another installation',
  details: [
    'Checks every line of the archive first, and lists those that cannot be taken, such as short codes that are assigned here. Then it',
    'hands the rest to the service, which imports it in the background: the service must run, or be started afterwards. All records',
    'get new ids; short codes, pictures, history and scans are those of the archive. Accounts, keys and secrets are not in it; webhooks',
    'arrive disabled. With --keep-ids, records keep the ids that were never used here, and an installation in which nothing was made yet',
    'becomes that of the archive: its first organization is replaced, and its accounts, keys and mark as operator stay.',
  ],
  arguments: [{ name: 'FILE', meaning: 'The archive, from "Export everything" in the settings.' }],
  options: [
    {
      name: 'admin',
      value: 'EMAIL',
      meaning: 'Make a new organization, with this account as its first ADMIN.',
      read: readEmail,
    },
    { name: 'organization', value: 'SLUG', meaning: 'Fill this empty organization instead: slug or id.' },
    { name: 'dry-run', meaning: 'Only check the archive and write nothing.' },
    { name: 'leave-out', meaning: 'Import without the lines that cannot be taken.' },
    { name: 'keep-ids', meaning: 'Keep the ids of the archive that were never used here.' },
    { name: 'wait', meaning: 'Wait until everything is imported.' },
  ],
  examples: [
    {
      command: './everscan import archive acme.zip --admin ada@example.com --dry-run',
      does: 'only list what cannot be taken',
    },
    {
      command: './everscan import archive acme.zip --admin ada@example.com --wait',
      does: 'import it as a new organization of this account',
    },
    {
      command: './everscan import archive acme.zip --admin ada@example.com --keep-ids',
      does: 'the same, with the ids that programs of yours know, into a new installation',
    },
  ],
  run: ({ input, readConfig, nowMs, progress, interrupted }) => {
    const config = readConfig()
    const path = input.argument('FILE')
    return withCatalogue(config, async (db) => {
      if (!(await stat(path)).isFile()) throw new Error(`${path} is no file.`)
      const target = await targetOf(db, { admin: input.option('admin'), slug: input.option('organization') })
      const request = {
        path,
        fileName: basename(path),
        target,
        dryRun: input.flag('dry-run'),
        leaveOut: input.flag('leave-out'),
        publicUrl: config.publicUrl,
        webhookAllowPrivate: config.webhookAllowPrivate,
        privateDomains: config.privateDomains,
        origin: commandOrigin,
        source: noSource,
        nowMs,
      }
      const record = await (
        input.flag('keep-ids')
          ? withScanStore(config, async (store) => importArchive(db, request, keepIds(db, store)))
          : importArchive(db, request)
      ).catch((error: unknown) => {
        throw error instanceof ApiError ? new Error(textOf(error), { cause: error }) : error
      })
      if (record.id === null) return { text: checkedText(record), json: record }
      const ended = input.flag('wait') ? await wait(db, record, { progress, signal: interrupted() }) : record
      return { text: startedText(ended), json: ended }
    })
  },
}

export const importActions: readonly Action[] = [archive, ...linkActions]

async function targetOf(
  db: Database,
  { admin, slug }: { admin: string | undefined; slug: string | undefined },
): Promise<ArchiveTarget> {
  if ((admin === undefined) === (slug === undefined))
    throw new UsageError('name either --admin EMAIL, for a new organization, or --organization SLUG.')
  if (admin !== undefined) return { owner: await requireUser(db, admin) }
  return { organizationId: (await chooseOrganization(db, slug)).id }
}

const pollMs = 500

async function wait(
  db: Database,
  { organizationId, id }: ArchiveImport,
  { progress, signal }: { progress: Call['progress']; signal: AbortSignal },
): Promise<ArchiveImport> {
  const key = { organizationId: organizationId ?? '', id: id ?? '' }
  for (;;) {
    const record = await readArchiveRecord(db, key)
    if (record === undefined) throw new Error('the organization was deleted.')
    progress(`${sumOf(record.done)} of ${sumOf(record.total)} lines imported. ${record.problem ?? ''}`)
    if (record.completedAt !== null) return record
    if (signal.aborted) throw new Error('no longer waiting: the service goes on with the import.')
    await sleep(pollMs, undefined, { signal }).catch(() => undefined)
  }
}

function sumOf(counts: ArchiveCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

function summaryOf({ organizationName, total, samePictures, leftOut, leftOutCount }: ArchiveImport): string {
  const lines = leftOut.map(({ file, line, reason }) => `  ${file}:${line} ${reason}`)
  return [
    `Archive of "${organizationName}": ${countText(total.qrCodes, 'code')}, ${countText(total.hits, 'hit')}.`,
    ...(samePictures ? [] : ['PUBLIC_URL is another one there: the codes get new pictures.']),
    ...(leftOutCount === 0 ? [] : [`${countText(leftOutCount, 'line')} cannot be taken:`, ...lines]),
  ].join('\n')
}

function checkedText(record: ArchiveImport): string {
  return `${summaryOf(record)}\nNothing was written.`
}

function startedText(record: ArchiveImport): string {
  const state =
    record.completedAt === null ? 'The service imports it in the background.' : 'Everything is imported.'
  return `${summaryOf(record)}\n${state} Organization: ${record.organizationId}`
}

function textOf({ message, details = [] }: ApiError): string {
  return [message, ...details.map(({ path, message: problem }) => `  ${path} ${problem}`)].join('\n')
}
