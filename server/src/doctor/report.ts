import { countText } from '../amounts.ts'
import type { State } from './check.ts'
import type { CheckResult } from './run-checks.ts'

/** What `./everscan doctor` found, as `--json` prints it. */
export type Report = {
  checkedAt: string
  /** How many checks came to each state. */
  summary: Readonly<Record<State, number>>
  checks: readonly ReportedCheck[]
}

export type ReportedCheck = {
  /** Stable. */
  name: string
  group: string
  title: string
  state: State
  says: string
  mend?: string
  fixed?: string
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
/** Where the output is no terminal, which may not be read as UTF-8. */
const plainSigns: Readonly<Record<State, string>> = {
  ok: 'ok     ',
  notice: 'notice ',
  warning: 'warning',
  failed: 'FAILED ',
  unknown: 'unknown',
}

/** Group by group: a line for what is well, and each problem with its remedy; with `all`, each check. */
export function reportText(
  { checks, summary }: Report,
  { all, isTerminal }: { all: boolean; isTerminal: boolean },
): string {
  const marks = isTerminal ? signs : plainSigns
  const indent = ' '.repeat(marks.ok.length + 3)
  const lines: string[] = []
  for (const [group, ofGroup] of Map.groupBy(checks, (check) => check.group)) {
    const told = ofGroup.filter(({ state, fixed }) => all || state !== 'ok' || fixed !== undefined)
    const fine = ofGroup.length - told.length
    lines.push(group)
    if (fine > 0)
      lines.push(`  ${marks.ok} ${told.length === 0 ? 'all ' : ''}${countText(fine, 'check')} fine`)
    for (const sameOnes of sameReasons(told)) {
      const { state, says, mend, fixed } = sameOnes[0] as ReportedCheck
      lines.push(`  ${marks[state]} ${sameOnes.map(({ title }) => title).join(', ')}: ${says}`)
      if (fixed !== undefined) lines.push(`${indent}fixed: ${fixed}`)
      if (mend !== undefined) lines.push(`${indent}-> ${mend}`)
    }
    lines.push('')
  }
  return [...lines, summaryText(summary, checks.length)].join('\n')
}

/** Checks that want the same thing are told as one. */
function sameReasons(checks: readonly ReportedCheck[]): ReportedCheck[][] {
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
