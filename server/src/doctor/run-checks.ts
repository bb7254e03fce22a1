import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage, FatalError } from '../errors.ts'
import { storeErrorName } from '../analytics/store/store-facts.ts'
import { catalogueProblem } from '../db/database-problems.ts'
import { errorCode } from '../db/errors.ts'
import { failed, naming, unknown, type Check, type CheckGroup, type Finding } from './check.ts'
import { CannotTell } from './cannot-tell.ts'
import type { DoctorContext } from './context.ts'

/** The result of a check. `fixed` says what was fixed before the check ran again. */
export type CheckResult = {
  group: string
  name: string
  title: string
  finding: Finding
  fixed?: string
  durationMs: number
}

export type RunOptions = {
  fix: boolean
  /** Called before each check. */
  onBegin?: (title: string) => void
  deadlineMs?: number
}

const deadlineMsDefault = 10_000

/**
 * Runs all checks and returns their results in order. The first group runs alone, because it
 * measures this machine. All other groups run at once, because most of them wait for servers.
 */
export async function runChecks(
  context: DoctorContext,
  groups: readonly CheckGroup[],
  options: RunOptions,
): Promise<CheckResult[]> {
  const [first, ...others] = groups
  const ofFirst = first === undefined ? [] : await runGroup(context, first, options)
  const ofOthers = await Promise.all(others.map((group) => runGroup(context, group, options)))
  return [...ofFirst, ...ofOthers.flat()]
}

async function runGroup(
  context: DoctorContext,
  { title: group, checks }: CheckGroup,
  options: RunOptions,
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of checks) {
    options.onBegin?.(check.title)
    const fromMs = performance.now()
    const { finding, fixed } = await checkAndFix(context, check, options)
    const { name, title } = check
    const durationMs = Math.round(performance.now() - fromMs)
    results.push({ group, name, title, finding, ...(fixed !== undefined && { fixed }), durationMs })
  }
  return results
}

async function checkAndFix(
  context: DoctorContext,
  check: Check,
  { fix, deadlineMs = deadlineMsDefault }: RunOptions,
): Promise<{ finding: Finding; fixed?: string }> {
  const finding = await runCheck(context, check, deadlineMs)
  if (!fix || check.fix === undefined || finding.state === 'ok' || finding.state === 'unknown')
    return { finding }
  try {
    const fixed = await check.fix(context)
    return { finding: await runCheck(context, check, deadlineMs), fixed }
  } catch (error) {
    return { finding: { ...finding, says: `${finding.says}; --fix could not: ${errorMessage(error)}` } }
  }
}

/** Runs one check. Never throws: if the check throws or takes too long, its state is unknown. */
async function runCheck(context: DoctorContext, check: Check, deadlineMs: number): Promise<Finding> {
  const stopping = new AbortController()
  const late = sleep(deadlineMs, undefined, { signal: stopping.signal }).then(
    () =>
      unknown(
        `no answer within ${deadlineMs / 1000} s`,
        'run ./everscan doctor again when the service is less busy',
      ),
    () => undefined,
  )
  const running = Promise.resolve()
    .then(() => check.run(context, stopping.signal))
    .catch((error: unknown) => findingOf(error, context))
  const finding = await Promise.race([running, late])
  stopping.abort()
  return finding ?? (await running)
}

function findingOf(error: unknown, { config }: DoctorContext): Finding {
  if (error instanceof CannotTell) return naming(unknown(error.message, error.mend), error.found)
  // The message of these errors names the remedy.
  if (error instanceof FatalError)
    return naming(failed(error.message, 'do what it says, and run ./everscan doctor again'), error.found)
  const ofStore = storeErrorName(error)
  if (ofStore !== undefined)
    return unknown(
      `the scan store cannot be read (${ofStore})`,
      'see what "Scan store" says, and the log of the store',
    )
  const ofCatalogue = catalogueProblem(error, config)
  if (ofCatalogue !== undefined) return unknown(ofCatalogue.sentence, 'do what it says')
  if (/^E(ACCES|PERM|ROFS|NOSPC)$/.test(errorCode(error)))
    return unknown(
      errorMessage(error),
      'see what "Data directory" says, and run this as the user of the service',
    )
  return unknown(
    `the check failed: ${errorMessage(error).split('\n')[0]}`,
    'run ./everscan doctor again; if it fails again, report it as a bug',
  )
}
