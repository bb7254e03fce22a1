import { fileURLToPath } from 'node:url'
import { readLastChange } from '../../db/feeds/changes.ts'
import type { Config } from '../../settings/settings.ts'
import type { Chore } from '../start-jobs.ts'
import type { Log } from '../../log.ts'
import { runCommandChild } from '../../processes/command-child.ts'

const entry = fileURLToPath(new URL('../../main.mjs', import.meta.url))
const hourMs = 3_600_000

/**
 * Keeps STATIC_EXPORT_DIR up to date: soon after a change, and once an hour, because codes open and
 * end by themselves, and the feed can hide a change. None if the setting is absent.
 */
export function staticExportChores(
  { staticExportDir, environment }: Config,
  { log, signal }: { log: Log; signal: AbortSignal },
): Chore[] {
  if (staticExportDir === undefined) return []
  let last: { change: number; atMs: number } | undefined
  const run: Chore['run'] = async (db, nowMs) => {
    const change = await readLastChange(db)
    if (last?.change === change && nowMs < last.atMs + hourMs) return
    const { succeeded, lastLine } = await runCommandChild(['export', '--static', staticExportDir], {
      entry,
      environment,
      signal,
    })
    if (succeeded) last = { change, atMs: nowMs }
    else if (!signal.aborted) log.warn({ dir: staticExportDir, reason: lastLine }, 'STATIC_EXPORT_DIR')
  }
  return [{ name: 'exportStatic', everyMs: 60_000, run }]
}
