import { startTestStore } from '@everscan/server/analytics/testing/store.ts'
import { fillScans, settleScans } from './fill-scans.ts'
import { rounded } from './figures.ts'

const scans = { quick: 200_000, full: 2_000_000 }

/** The bytes on the disk of a merged store, for each scan. */
export type DiskFigures = {
  scans: number
  /** The columns of the table of scans, compressed. */
  rowBytes: number
  /** The projections of that table, from which figures of whole days come. */
  projectionBytes: number
  /** The table of first scans. */
  firstScanBytes: number
  bytesPerScan: number
}

/**
 * Measures how many bytes a scan takes in the scan store, after its parts were merged. It is a
 * size, so it is the same on every machine.
 */
export async function benchDisk({ quick }: { quick: boolean }): Promise<DiskFigures> {
  const { store, remove } = await startTestStore()
  const to = scans[quick ? 'quick' : 'full']
  try {
    await fillScans(store, 'org_disk', { to })
    await settleScans(store)
    const parts = await store.select<{ table: string; bytes: number }>(
      `select table, toFloat64(sum(bytes_on_disk)) as bytes
       from system.parts
       where database = currentDatabase() and active and table in ('scans', 'first_scans')
       group by table`,
    )
    const [projections] = await store.select<{ bytes: number }>(
      `select toFloat64(sum(bytes_on_disk)) as bytes
       from system.projection_parts
       where database = currentDatabase() and active and table = 'scans'`,
    )
    const bytesOf = (name: string): number => parts.find(({ table }) => table === name)?.bytes ?? 0
    const projectionBytes = projections?.bytes ?? 0
    const perScan = (bytes: number): number => rounded(bytes / to)
    return {
      scans: to,
      rowBytes: perScan(bytesOf('scans') - projectionBytes),
      projectionBytes: perScan(projectionBytes),
      firstScanBytes: perScan(bytesOf('first_scans')),
      bytesPerScan: perScan(bytesOf('scans') + bytesOf('first_scans')),
    }
  } finally {
    await remove()
  }
}
