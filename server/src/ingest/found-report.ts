import { addInstallationNote } from '../db/installation.ts'
import { dateOf } from '../db/scans/lost-hits.ts'
import type { Found, IngestBase } from './ingest-context.ts'

/** Tells what a comparison of catalogue and scan store has found: in the log, notes and figures. */
export async function reportFound({ db, log, stats, clock }: IngestBase, found: Found): Promise<void> {
  const { unknownHits, reserved, putBackHits, doubledHits, lost } = found
  const lostDays = lost.map(({ day, hits }) => ({ day: dateOf(day), hits }))
  if (unknownHits > 0) {
    log.error(
      { hits: unknownHits, reservedCodes: reserved.slice(0, 20) },
      'an older copy of the catalogue was put back: figures now follow the scan store',
    )
    await addInstallationNote(
      db,
      { kind: 'catalogue-behind', detail: { hits: unknownHits, reserved } },
      clock(),
    )
  }
  if (putBackHits > 0) {
    log.error({ hits: putBackHits }, 'the scan store had lost scans: they were put back')
    await addInstallationNote(db, { kind: 'scans-put-back', detail: { hits: putBackHits } }, clock())
  }
  if (doubledHits > 0) {
    log.error(
      { hits: doubledHits },
      'the scan store had duplicate scans, as after attaching parts whose rows had been restored: one of each remains',
    )
    await addInstallationNote(db, { kind: 'scans-doubled', detail: { hits: doubledHits } }, clock())
  }
  if (lost.length > 0) {
    log.error(
      { days: lostDays },
      'the scan store has lost scans that cannot be restored: figures no longer include them',
    )
    await addInstallationNote(db, { kind: 'scans-lost', detail: { days: lostDays } }, clock())
  }
  stats.unknownHits += unknownHits
  stats.putBackHits += putBackHits
  stats.doubledHits += doubledHits
  stats.lostHits += lost.reduce((sum, { hits }) => sum + hits, 0)
}
