import { cp, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { keptRowsName } from '../ingest/clickhouse/kept-rows.ts'

/**
 * Copies the kept rows of an ingest durably. The first start puts back those that the restored scan
 * store lacks.
 */
export async function restoreKeptRows(fromRoot: string, toRoot: string): Promise<void> {
  const from = join(fromRoot, keptRowsName)
  const names = await readdir(from).catch(() => [])
  if (names.length === 0) return
  const to = join(toRoot, keptRowsName)
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of names) {
    await cp(join(from, name), join(to, name))
    await syncPath(join(to, name))
  }
  await syncPath(to)
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
