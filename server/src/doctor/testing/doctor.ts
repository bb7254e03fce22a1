import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../settings/config.ts'
import { atProcessEnd } from '../../db/testing/at-process-end.ts'
import { createLog } from '../../log.ts'
import type { Check, Finding } from '../check.ts'
import { checkGroups } from '../checks.ts'
import { openContext, type DoctorContext, type Parts } from '../context.ts'
import { runChecks } from '../run-checks.ts'

export const silentLog = createLog({ level: 'silent', role: 'test' })

/** Parts that always belong together. */
export const matchingParts: Parts = {
  release: '0.0.0-test',
  openStore: () => {
    throw new Error('this test has no scan store')
  },
  refuseForeignParts: async () => {},
  refuseForeignStore: async () => {},
  refuseForeignFiles: async () => {},
  openEngine: () => {
    throw new Error('this test has no files of scans')
  },
}

const scratch = mkdtempSync(join(tmpdir(), 'everscan-doctor-'))
atProcessEnd(() => rmSync(scratch, { recursive: true, force: true }))

export function scratchDir(): string {
  return mkdtempSync(join(scratch, 'data-'))
}

/**
 * Returns a context for checks; `given` replaces the parts that would be opened. With a store in
 * ClickHouse, it is one on a server.
 */
export function contextFor(env: Record<string, string>, given: Partial<DoctorContext> = {}): DoctorContext {
  const server = given.store === undefined ? {} : { CLICKHOUSE_URL: 'http://127.0.0.1:1/x' }
  const opened = openContext(readConfig({ ...server, ...env }), {
    parts: given.parts ?? matchingParts,
    log: silentLog,
    nowMs: given.nowMs ?? Date.now(),
  })
  return { ...opened, ...given }
}

export function checkNamed(name: string): Check {
  const check = checkGroups.flatMap(({ checks }) => checks).find((one) => one.name === name)
  if (check === undefined) throw new Error(`there is no check ${name}`)
  return check
}

/** Runs one check as the command does, and returns its finding. */
export async function findingOf(
  name: string,
  context: DoctorContext,
  options: { fix: boolean } = { fix: false },
): Promise<Finding & { fixed?: string }> {
  const [result] = await runChecks(context, [{ title: 'Test', checks: [checkNamed(name)] }], options)
  if (result === undefined) throw new Error('unreachable')
  return { ...result.finding, ...(result.fixed !== undefined && { fixed: result.fixed }) }
}

/** Returns a finding as one text, `warning: what was found -> the remedy`, for comparisons. */
export function textOf(finding: Finding): string {
  return `${finding.state}: ${finding.says}${finding.state === 'ok' ? '' : ` -> ${finding.mend}`}`
}
