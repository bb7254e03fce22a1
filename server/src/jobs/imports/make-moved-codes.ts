import { problem } from '@everscan/contract/problems/problem.ts'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import { createQrCodes, draftWaitingCode, type NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import { readDomain } from '../../catalogue/domains/domains.ts'
import type { MovedRow } from '../../catalogue/imports/import-chunks.ts'
import { warningCode, type ImportRowErrorRow } from '../../catalogue/imports/imports.ts'
import type { MovedCode } from '../../catalogue/imports/moved-codes.ts'
import type { MovedSample, MoveInput } from '../../catalogue/rows/move-row.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { insertWaitingCodes } from '../../catalogue/waiting/waiting-codes.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { fieldOf, linkError, type JudgedLink, type LinkProblem } from './judge-links.ts'
import { shortUrlIn } from './moved-sample.ts'

type MadeCodes = { failed: ImportRowErrorRow[]; made: MovedSample[]; codes: MovedCode[] }

/** Makes codes of the accepted rows, as the move has it: for a dry run it only says which. */
export async function makeMovedCodes(
  tx: Database,
  organizationId: string,
  links: { judged: readonly JudgedLink[]; input: MoveInput },
): Promise<MadeCodes> {
  const { judged, input } = links
  if (input.dryRun) return { failed: [], made: [], codes: codesOfDryRun(judged, input) }
  return (input.waits === true ? makeWaitingCodes : makeCodes)(tx, organizationId, links)
}

/** Creates the codes. `failed` has the rows whose short code another code took. */
async function makeCodes(
  tx: Database,
  organizationId: string,
  { judged, input }: { judged: readonly JudgedLink[]; input: MoveInput },
): Promise<MadeCodes> {
  const accepted = acceptedOf(judged)
  const outcomes = await createQrCodes(
    tx,
    organizationId,
    accepted.map(({ code }) => code),
  )
  const failed: ImportRowErrorRow[] = []
  const made: MovedSample[] = []
  const codes: MovedCode[] = []
  for (const [index, outcome] of outcomes.entries()) {
    const { row, code } = accepted[index] ?? {}
    if (row === undefined || code?.shortCode === undefined) continue
    if (!(outcome instanceof ApiError)) {
      made.push({ shortCode: code.shortCode, ...shortUrlIn(row, input) })
      codes.push({ codeKey: outcome.codeKey, qrCodeId: outcome.id })
    } else
      failed.push({
        ...linkError(row, linkProblems(outcome), input),
        code: outcome.code,
      })
  }
  return { failed, made, codes }
}

/** Stores codes on a domain that the organization claims, until it proves it. */
async function makeWaitingCodes(
  tx: Database,
  organizationId: string,
  { judged, input }: { judged: readonly JudgedLink[]; input: MoveInput },
): Promise<MadeCodes> {
  const { id = '', hostname = '', codes: form = 'canonical' } = input.domain ?? {}
  const accepted = acceptedOf(judged)
  if ((await readDomain(tx, { organizationId, id })) === undefined) {
    const gone: LinkProblem = { field: undefined, ...problem('domainGone', { hostname }) }
    return { failed: accepted.map(({ row }) => linkError(row, [gone], input)), made: [], codes: [] }
  }
  const rows: QrCodeRow[] = []
  for (const { code } of accepted) rows.push(await draftWaitingCode(organizationId, code, form))
  await insertWaitingCodes(tx, rows)
  return {
    failed: [],
    made: accepted.map(({ row, code: { shortCode = '' } }) => ({ shortCode, ...shortUrlIn(row, input) })),
    codes: rows.map((row) => ({ codeKey: row.codeKey, qrCodeId: row.id })),
  }
}

/** Returns what the catalogue says of a code, by the fields of the file. */
function linkProblems({ details, told }: ApiError): LinkProblem[] {
  if (details === undefined) return [{ field: undefined, ...told }]
  return details.map(({ path, ...found }) => ({ field: fieldOf(path), ...found }))
}

function acceptedOf(judged: readonly JudgedLink[]): { row: MovedRow; code: NewQrCode }[] {
  return judged.flatMap(({ row, accepted: code }) => (code === undefined ? [] : [{ row, code }]))
}

function codesOfDryRun(judged: readonly JudgedLink[], { domain }: MoveInput): MovedCode[] {
  return judged.flatMap(({ accepted }) => {
    if (accepted?.shortCode === undefined) return []
    const key = { shortCode: accepted.shortCode, domain: domain?.hostname ?? '', codes: domain?.codes }
    return [{ codeKey: codeKey(key), qrCodeId: '' }]
  })
}

/** Returns the rows that became codes although their destinations give no page. */
export function warningsOf(
  judged: readonly JudgedLink[],
  failed: readonly ImportRowErrorRow[],
  { mapping }: MoveInput,
): ImportRowErrorRow[] {
  const unmade = new Set(failed.map(({ row }) => row))
  return judged.flatMap(({ row: { row, line, cells, warning }, refused }) => {
    if (refused !== undefined || unmade.has(row) || warning === undefined || warning === null) return []
    const column = mapping.destination[0] ?? null
    // Rows that an earlier release looked at have a sentence only.
    const [message, details] =
      typeof warning === 'string' ? [warning, []] : [warning.message, [{ path: 'destination', ...warning }]]
    return [{ row, line, cells, column, code: warningCode, message, details }]
  })
}
