import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { join } from 'node:path'
import { canonicalShortCode } from '@everscan/contract/resources/short-codes.ts'
import { restoreFrames, type FramesToRestore } from '../journal/copy-frames.ts'
import { encodeFrame, frameBytesMax, frameSeed } from '../journal/frames.ts'
import { fileSystem, syncDirectoryNow } from '../journal/journal-io.ts'
import { openJournal } from '../journal/journal.ts'
import { prepareIds, type JournalBuffer } from '../journal/raw-scan.ts'
import { markJournals } from '../processes/journal-owners.ts'
import { createVisitorHash } from '../visitors/visitor-hash.ts'
import type { DemoPlan, PlannedCode } from './demo-plan.ts'
import type { DemoHit } from './demo-scans.ts'

/** A piece of frames is about this long. */
const pieceBytes = 1024 * 1024

const unfinishedEnd = '.unfinished'

/** The folders of the journal of one demo. */
export type DemoFolders = {
  /** The folder in which the worker reads it. */
  journal: string
  /** A folder without segments, which every reader of journals passes over. */
  unfinished: string
}

/**
 * Returns the folders of a demo's journal. Both are below the root of the journals, which may be a
 * disk of its own, so that the one can be renamed to the other.
 */
export function demoFolders(journalRoot: string, { writer }: Pick<DemoPlan, 'writer'>): DemoFolders {
  const name = `demo-${writer.slice(0, 8)}`
  return { journal: join(journalRoot, name), unfinished: join(journalRoot, `${name}${unfinishedEnd}`) }
}

/**
 * Reserves the journal of a demo for this data directory, durably. Throws errors of the file
 * system.
 */
export function reserveDemoJournal(journalRoot: string, plan: Pick<DemoPlan, 'writer'>): void {
  mkdirSync(demoFolders(journalRoot, plan).unfinished, { recursive: true, mode: 0o700 })
  syncDirectoryNow(fileSystem, journalRoot)
}

/** Whether this data directory has the journal of a demo, or began it. */
export function hasDemoJournal(journalRoot: string, plan: Pick<DemoPlan, 'writer'>): boolean {
  const { journal, unfinished } = demoFolders(journalRoot, plan)
  return existsSync(journal) || existsSync(unfinished)
}

/**
 * Removes the folders that killed calls left, except that of a plan whose journal is still to be
 * written.
 */
export function removeUnfinishedJournals(journalRoot: string, plan?: DemoPlan): void {
  if (!existsSync(journalRoot)) return
  const keep = plan === undefined || plan.isWritten ? undefined : demoFolders(journalRoot, plan).unfinished
  for (const name of readdirSync(journalRoot)) {
    const dir = join(journalRoot, name)
    if (!name.startsWith('demo-') || !name.endsWith(unfinishedEnd) || dir === keep) continue
    rmSync(dir, { recursive: true, force: true })
  }
}

export type DemoJournalOptions = {
  organizationId: string
  /** Identifies visitors, as in every scan of this installation. */
  visitorKey: string
  installation: string
}

/**
 * Writes hits as the journal of a front that has stopped: segments of one writer, then the empty
 * one of the next. The folder is complete and durable before it gets its name. Does nothing if it
 * has its name already. Throws errors of the file system.
 */
export async function writeDemoJournal(
  journalRoot: string,
  plan: DemoPlan,
  { hits, ...options }: DemoJournalOptions & { hits: readonly DemoHit[] },
): Promise<void> {
  const { journal, unfinished } = demoFolders(journalRoot, plan)
  if (!existsSync(journal)) {
    rmSync(unfinished, { recursive: true, force: true })
    const dir = join(unfinished, 'journal')
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    await restoreFrames(dir, framesOf(plan, hits, options))
    // The start of another writer ends this one: its segments are removed once they are ingested.
    await openJournal({ dir, sync: 'always', bytesMax: Infinity }).close()
    markJournals(unfinished, options.installation)
    syncDirectoryNow(fileSystem, dir)
    renameSync(dir, journal)
    syncDirectoryNow(fileSystem, journalRoot)
  }
  rmSync(unfinished, { recursive: true, force: true })
}

async function* framesOf(
  { writer, codes }: DemoPlan,
  hits: readonly DemoHit[],
  { organizationId, visitorKey }: DemoJournalOptions,
): AsyncGenerator<FramesToRestore, void, undefined> {
  const seed = frameSeed(writer)
  const visitorOf = createVisitorHash(visitorKey)
  const known = new Map(codes.map((code) => [code.key, code]))
  const prepared = new Map<string, ReturnType<typeof prepareIds>>()
  const idsOf = (code: PlannedCode, answer: DemoHit['answer']) => {
    // A plan of the first demos has no rules.
    const rule = (answer && code.rules?.[answer.rule]) ?? ''
    const arm = rule === '' ? '' : (answer?.arm ?? '')
    const name = `${code.key} ${rule} ${arm}`
    const ids =
      prepared.get(name) ??
      prepareIds({
        organizationId,
        domain: '',
        qrCodeId: code.id,
        shortCode: canonicalShortCode(code.shortCode),
        rule,
        arm,
      })
    prepared.set(name, ids)
    return ids
  }
  let bytes = Buffer.alloc(pieceBytes + frameBytesMax) as JournalBuffer
  let end = 0
  for (const [index, { timeMs, code, address, network, agent, ...hit }] of hits.entries()) {
    const planned = known.get(code)
    if (planned === undefined) throw new Error(`the plan of the demo has no code "${code}"`)
    const { userAgent, hints } = agent
    const { referrer, language, answer } = hit
    const ids = idsOf(planned, answer)
    const visitor = visitorOf(planned.id, address, userAgent)
    const referrerHost = referrer?.host ?? ''
    const scan = { timeMs, ids, visitor, network, userAgent, referrerHost, language, app: '', hints }
    end = encodeFrame(bytes, end, { sequence: index + 1, seed, scan })
    if (end < pieceBytes) continue
    yield { writer, bytes: bytes.subarray(0, end) }
    bytes = Buffer.alloc(pieceBytes + frameBytesMax) as JournalBuffer
    end = 0
    await nextTurn()
  }
  yield { writer, bytes: bytes.subarray(0, end) }
}
