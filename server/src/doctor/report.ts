import { countText } from '../amounts.ts'
import type { NamedProblem, State } from './check.ts'
import type { CheckResult } from './run-checks.ts'

/** The result of `./everscan doctor`, as `--json` prints it. */
export type Report = {
  checkedAt: string
  /** The number of checks in each state. */
  summary: Readonly<Record<State, number>>
  checks: readonly ReportedCheck[]
}

export type ReportedCheck = {
  /** Stable: scripts may rely on it. */
  name: string
  group: string
  title: string
  state: State
  says: string
  mend?: string
  fixed?: string
  /** The problems of the installation that it tells, by the names of `/readyz`. */
  problems?: readonly NamedProblem[]
  durationMs: number
}

export function reportOf(results: readonly CheckResult[], nowMs: number): Report {
  const summary = { ok: 0, notice: 0, warning: 0, failed: 0, unknown: 0 }
  for (const { finding } of results) summary[finding.state]++
  return {
    checkedAt: new Date(nowMs).toISOString(),
    summary,
    checks: results.map(({ finding, name, group, title, fixed, durationMs }) => ({
      name,
      group,
      title,
      ...finding,
      ...(fixed !== undefined && { fixed }),
      durationMs,
    })),
  }
}

const signs: Readonly<Record<State, string>> = {
  ok: '✓',
  notice: 'i',
  warning: '!',
  failed: '✗',
  unknown: '?',
}
/** Signs for an output that is not a terminal: its reader may not expect UTF-8. */
const plainSigns: Readonly<Record<State, string>> = {
  ok: 'ok     ',
  notice: 'notice ',
  warning: 'warning',
  failed: 'FAILED ',
  unknown: 'unknown',
}

/**
 * Returns the report by groups: a line for the checks that are fine, and each problem with its
 * remedy. With `all`, lists every check.
 */
export function reportText(
  { checks, summary }: Report,
  { all, isTerminal }: { all: boolean; isTerminal: boolean },
): string {
  const marks = isTerminal ? signs : plainSigns
  const indent = ' '.repeat(marks.ok.length + 3)
  const lines: string[] = []
  for (const [group, ofGroup] of Map.groupBy(checks, (check) => check.group)) {
    const shown = ofGroup.filter(({ state, fixed }) => all || state !== 'ok' || fixed !== undefined)
    const fine = ofGroup.length - shown.length
    lines.push(group)
    if (fine > 0)
      lines.push(`  ${marks.ok} ${shown.length === 0 ? 'all ' : ''}${countText(fine, 'check')} fine`)
    for (const alike of groupByReason(shown)) {
      const { state, says, mend, fixed } = alike[0] as ReportedCheck
      lines.push(`  ${marks[state]} ${alike.map(({ title }) => title).join(', ')}: ${says}`)
      if (fixed !== undefined) lines.push(`${indent}fixed: ${fixed}`)
      if (mend !== undefined) lines.push(`${indent}-> ${mend}`)
    }
    lines.push('')
  }
  return [...lines, summaryText(summary, checks.length)].join('\n')
}

/** Groups checks that are unknown for the same reason, so that the report shows the reason once. */
function groupByReason(checks: readonly ReportedCheck[]): ReportedCheck[][] {
  const reasonOf = ({ name, state, says, mend }: ReportedCheck) =>
    state === 'unknown' ? `${says} ${mend}` : name
  return [...Map.groupBy(checks, reasonOf).values()]
}

function summaryText({ ok, notice, warning, failed, unknown }: Report['summary'], count: number): string {
  const parts = [
    `${ok} fine`,
    countText(notice, 'notice'),
    countText(warning, 'warning'),
    `${failed} failed`,
    `${unknown} unknown`,
  ]
  return `${countText(count, 'check')}: ${parts.join(', ')}.`
}
