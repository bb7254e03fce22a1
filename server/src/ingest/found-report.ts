import { inTransaction, type Database } from '../db/database.ts'
import { addInstallationNote, type InstallationNote } from '../db/installation.ts'
import { dateOf } from '../db/scans/lost-hits.ts'
import { takeFindings, type Findings } from '../db/scans/scan-findings.ts'
import type { Found, IngestBase } from './ingest-context.ts'

/**
 * Tells what comparisons of catalogue and scan store have found since the last call, also those of
 * killed workers: in notes, the log and figures, and to `onFound`. One transaction records this and
 * forgets the findings, so that each is told once. A kill before its end repeats lines of the log.
 */
export async function tellFound(base: IngestBase): Promise<void> {
  const { db, stats, onFound } = base
  const found = await inTransaction(db, async (tx) => {
    const findings = await takeFindings(tx)
    if (findings === undefined) return undefined
    const told = foundIn(findings)
    await report(tx, base, told)
    await onFound(tx, told)
    return told
  })
  if (found === undefined) return
  stats.unknownHits += found.unknownHits
  stats.putBackHits += found.putBackHits
  stats.doubledHits += found.doubledHits
  stats.lostHits += found.lost.reduce((sum, { hits }) => sum + hits, 0)
}

/** If scans are lost, negative corrections are the losses. */
function foundIn({ recounted, putBack, ...found }: Findings): Found {
  const gone = found.lost.length > 0 ? recounted.filter(({ scans }) => scans < 0) : []
  return {
    ...found,
    organizations: {
      recounted: recounted.filter((row) => !gone.includes(row)),
      putBack,
      lost: gone.map(({ organizationId, scans }) => ({ organizationId, scans: -scans })),
    },
  }
}

async function report(
  tx: Database,
  { log, clock }: IngestBase,
  { unknownHits, reserved, putBackHits, doubledHits, lost }: Found,
): Promise<void> {
  const note = async (kind: InstallationNote['kind'], detail: InstallationNote['detail']) =>
    await addInstallationNote(tx, { kind, detail }, clock())
  const lostDays = lost.map(({ day, hits }) => ({ day: dateOf(day), hits }))
  if (unknownHits > 0) {
    log.error(
      { hits: unknownHits, reservedCodes: reserved.slice(0, 20) },
      'an older copy of the catalogue was put back: figures now follow the scan store',
    )
    await note('catalogue-behind', { hits: unknownHits, reserved })
  }
  if (putBackHits > 0) {
    log.error({ hits: putBackHits }, 'the scan store had lost scans: they were put back')
    await note('scans-put-back', { hits: putBackHits })
  }
  if (doubledHits > 0) {
    log.error(
      { hits: doubledHits },
      'the scan store had duplicate scans, as after attaching parts whose rows had been restored: one of each remains',
    )
    await note('scans-doubled', { hits: doubledHits })
  }
  if (lost.length > 0) {
    log.error(
      { days: lostDays },
      'the scan store has lost scans that cannot be restored: figures no longer include them',
    )
    await note('scans-lost', { days: lostDays })
  }
}
