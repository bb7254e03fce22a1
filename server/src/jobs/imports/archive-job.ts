import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { ArchiveSection } from '@everscan/contract/archives/archive-imports.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import type { UtmTemplate } from '@everscan/contract/utm/utm-templates.ts'
import type { MailInterval, ViewQuery } from '@everscan/contract/views/views.ts'
import {
  insertArchivedCodes,
  insertArchivedFolders,
  insertArchivedStyles,
  insertArchivedTemplates,
  insertArchivedVersions,
} from '../../catalogue/codes/archived-codes.ts'
import { readLanguage } from '../../catalogue/accounts/languages.ts'
import { insertArchivedDomains } from '../../catalogue/domains/archived-domains.ts'
import { listDomains } from '../../catalogue/domains/domains.ts'
import type {
  ArchiveChunk,
  ArchiveImportInput,
  ArchiveImportProgress,
} from '../../catalogue/imports/archive-imports.ts'
import { readImportChunk } from '../../catalogue/imports/import-chunks.ts'
import { findWaitingCodes, insertWaitingCodes } from '../../catalogue/waiting/waiting-codes.ts'
import { saveWaitingHits } from '../../catalogue/waiting/waiting-hits.ts'
import type { Picture, QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { insertArchivedViews } from '../../catalogue/views/archived-views.ts'
import { insertArchivedWebhooks } from '../../catalogue/webhooks/archived-webhooks.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { LeaseLost } from '../../db/lease.ts'
import { advanceJob, endJob, type Claim } from '../queue.ts'
import type { JobKind } from '../start-jobs.ts'
import {
  codeRow,
  domainRow,
  folderRow,
  styleRow,
  templateRow,
  versionRow,
  viewRow,
  webhookRow,
  type CodeHost,
  type CodeLine,
  type DomainLine,
  type FolderLine,
  type VersionLine,
  type ViewLine,
  type WebhookLine,
} from './archive-rows.ts'
import { awayMs, commitChunk, waitWith, type Write } from './commit-chunk.ts'

/** The way of hits into the scan store; each returns false while the store is away. */
export type HitStore = {
  /**
   * Stores hits exactly once. Calls `commit` with what counts them in a transaction; that returns
   * false if another worker has counted them.
   */
  store: (
    db: Database,
    hits: {
      organizationId: string
      writer: string
      firstSequence: number
      lines: readonly unknown[]
      domain?: string
    },
    commit: (count: (tx: Database) => Promise<boolean>) => Promise<void>,
  ) => Promise<boolean>
  countUniques: (db: Database) => Promise<boolean>
  /** Returns the id of the code of a line. */
  codeOf: (line: unknown) => string
}

export type ArchiveJobOptions = {
  hits: HitStore
  /** Returns a picture for a code whose short URL is another one here. */
  draw: (code: Pick<QrCodeRow, 'shortCode' | 'domain'>, style: Style) => Picture
  /** Returns when the next mail of a view is due. */
  mailAtMs: (every: MailInterval, query: ViewQuery, nowMs: number) => number
  /** Seals the secret of a webhook. */
  seal: (secret: string, id: string) => string
  clock?: () => number
}

const stuckMs = 60_000
const storeAway = problem('scanStoreAway')
const stuck = problem('stepFails')

type Work = {
  input: ArchiveImportInput
  nowMs: number
  organizationId: string
  /** Host names of domains by id, for codes. */
  hosts: ReadonlyMap<string, CodeHost>
}

/**
 * Returns the job kind of imports of archives. Each step takes one chunk of lines. The removal of
 * the chunk, its rows and the progress of the job are committed together; hits are in the scan
 * store before that, under an intent. So a worker may be killed at any time. A job never fails: its
 * lines were checked before it started, and its short codes are assigned for ever.
 */
export function archiveJobs({ clock = Date.now, ...options }: ArchiveJobOptions): JobKind {
  const means = { ...options, clock }
  return {
    step: (db, claim) => importChunk(db, claim, means),
    giveUp: (db, claim) => wait(db, claim, { counted: countedOf(claim), why: stuck, ms: stuckMs, clock }),
  }
}

type Means = Required<ArchiveJobOptions>
type Counted = Required<Pick<ArchiveImportProgress, 'done' | 'waitingHits'>>

function countedOf({ progress }: Claim): Counted {
  const { done, waitingHits = 0 }: ArchiveImportProgress = JSON.parse(progress)
  return { done, waitingHits }
}

/** Writes what became of a chunk, in the transaction that removes it and saves the progress. */
type Commit = (write: Write, newlyWaiting?: number) => Promise<void>

async function importChunk(db: Database, claim: Claim, means: Means): Promise<void> {
  const input: ArchiveImportInput = JSON.parse(claim.input)
  const { clock } = means
  const counted = countedOf(claim)
  const { done, waitingHits } = counted
  const { organizationId } = claim
  const found = await readImportChunk(db, claim)
  if (found === undefined) return end(db, claim, { counted, means })
  const { chunk, rows } = found
  const { section, lines } = rows as ArchiveChunk
  const commit: Commit = async (write, newlyWaiting = 0) => {
    const progress: ArchiveImportProgress = {
      done: { ...done, [section]: done[section] + lines.length },
      waitingHits: waitingHits + newlyWaiting,
    }
    const advance = async (tx: Database) => advanceJob(tx, claim, { progress, nowMs: clock() })
    await commitChunk(db, claim, { chunk, write: async (tx) => write(tx).then(() => advance(tx)) })
  }
  if (section === 'hits') return importHits(db, claim, { chunk, lines, counted, commit, means })
  const hosts = section === 'qrCodes' ? await hostsOf(db, organizationId) : new Map<string, CodeHost>()
  const work = { input, organizationId, hosts, nowMs: clock() }
  // Pictures are drawn before the transaction.
  await commit(writers[section](lines, work, means))
}

/** Puts hits into the scan store; those of codes that wait are kept with them. */
async function importHits(
  db: Database,
  claim: Claim,
  {
    chunk,
    lines,
    counted,
    commit,
    means: { hits, clock },
  }: { chunk: number; lines: readonly unknown[]; counted: Counted; commit: Commit; means: Means },
): Promise<void> {
  const { organizationId } = claim
  const { stored, byHost } = await divideHits(db, organizationId, { lines, hits })
  const firstSequence = counted.done.hits - counted.waitingHits + 1
  const store = async (count: (tx: Database) => Promise<boolean>): Promise<void> =>
    commit(async (tx) => {
      if (!(await count(tx))) throw new LeaseLost('another worker has counted these hits')
      await saveWaitingHits(tx, claim, { number: chunk, byHost })
    }, lines.length - stored.length)
  if (stored.length === 0) return store(async () => true)
  const batch = { organizationId, writer: claim.id, firstSequence, lines: stored }
  const isStored = await hits.store(db, batch, store)
  if (!isStored) await wait(db, claim, { counted, why: storeAway, ms: awayMs, clock })
}

async function end(
  db: Database,
  claim: Claim,
  { counted, means: { hits, clock } }: { counted: Counted; means: Means },
): Promise<void> {
  if (counted.done.hits > counted.waitingHits && !(await hits.countUniques(db)))
    return wait(db, claim, { counted, why: storeAway, ms: awayMs, clock })
  await inTransaction(db, async (tx) =>
    endJob(tx, claim, { status: 'COMPLETED', progress: counted, nowMs: clock() }),
  )
}

async function wait(
  db: Database,
  claim: Claim,
  { counted, why, ms, clock }: { counted: Counted; why: Problem; ms: number; clock: () => number },
): Promise<void> {
  const details = [{ path: '', ...why }]
  const progress: ArchiveImportProgress = { ...counted, problem: why.message, details }
  await waitWith(db, claim, { progress, nowMs: clock(), ms })
}

async function hostsOf(db: Database, organizationId: string): Promise<Map<string, CodeHost>> {
  const { rows } = await listDomains(db, organizationId, { page: 1, limit: limits.domainsMax })
  return new Map(rows.map(({ id, hostname, codes }) => [id, { hostname, codes }]))
}

/** Divides hits into those to store now, and those of codes that wait, by host name. */
async function divideHits(
  db: Database,
  organizationId: string,
  { lines, hits: { codeOf } }: { lines: readonly unknown[]; hits: HitStore },
): Promise<{ stored: readonly unknown[]; byHost: ReadonlyMap<string, readonly unknown[]> }> {
  const waiting = await findWaitingCodes(db, organizationId, lines.map(codeOf))
  const ofHost = (line: unknown): string => waiting.get(codeOf(line)) ?? ''
  const { ['']: stored = [], ...others } = Object.groupBy(lines, ofHost)
  const byHost = Object.entries(others).map(([hostname, some = []]) => [hostname, some] as const)
  return { stored, byHost: new Map(byHost) }
}

/** Makes rows of the lines of each section. The lines were checked when they arrived. */
const writers: {
  [Section in Exclude<ArchiveSection, 'hits'>]: (
    lines: readonly unknown[],
    work: Work,
    options: ArchiveJobOptions,
  ) => Write
} = {
  folders: (lines, { organizationId }) => {
    const rows = (lines as FolderLine[]).map((line) => folderRow(organizationId, line))
    return (tx) => insertArchivedFolders(tx, rows)
  },
  styles: (lines, { organizationId }) => {
    const rows = (lines as SavedStyle[]).map((line) => styleRow(organizationId, line))
    return (tx) => insertArchivedStyles(tx, rows)
  },
  utmTemplates: (lines, { organizationId }) => {
    const rows = (lines as UtmTemplate[]).map((line) => templateRow(organizationId, line))
    return (tx) => insertArchivedTemplates(tx, rows)
  },
  domains: (lines, { organizationId }) => {
    const rows = (lines as DomainLine[]).map((line) => domainRow(organizationId, line))
    return (tx) => insertArchivedDomains(tx, rows)
  },
  qrCodes: (lines, { organizationId, input, hosts, nowMs }, { draw }) => {
    const rows = (lines as CodeLine[]).map((line): QrCodeRow => {
      const row = codeRow(organizationId, line, hosts)
      // Pictures of codes on a domain have its name.
      return input.samePictures || row.domain !== '' ? row : { ...row, picture: draw(row, row.style) }
    })
    return async (tx) => {
      const here = rows.filter(({ domain }) => domain === '')
      await insertArchivedCodes(tx, organizationId, { rows: here, origin: input.origin, nowMs })
      // No host name of an archive is proved before its job ends.
      await insertWaitingCodes(
        tx,
        rows.filter(({ domain }) => domain !== ''),
      )
    }
  },
  versions: (lines, { organizationId }) => {
    const rows = (lines as VersionLine[]).map(versionRow)
    return async (tx) => {
      const ids = rows.map(({ qrCodeId }) => qrCodeId)
      await insertArchivedVersions(tx, organizationId, rows, await findWaitingCodes(tx, organizationId, ids))
    }
  },
  views: (lines, { organizationId, input, nowMs }, { mailAtMs }) => {
    const { actor } = input.origin
    return async (tx) => {
      const language = actor.kind === 'user' ? await readLanguage(tx, { id: actor.id }) : null
      const rows = (lines as ViewLine[]).map((line) =>
        viewRow(organizationId, line, ({ to, every }, query) => ({
          to,
          every,
          setUpBy: actor.name,
          senderId: actor.id,
          language,
          nextAtMs: mailAtMs(every, query, nowMs),
        })),
      )
      await insertArchivedViews(tx, rows)
    }
  },
  webhooks: (lines, { organizationId, nowMs }, { seal }) => {
    const rows = (lines as WebhookLine[]).map((line) => webhookRow(organizationId, line))
    return (tx) => insertArchivedWebhooks(tx, rows, { seal, nowMs })
  },
}
