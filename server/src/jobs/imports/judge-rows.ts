import { problem, withGot, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { normalHostname } from '@everscan/contract/domains/host-names.ts'
import type { ImportedQrCode } from '@everscan/contract/resources/bulk-imports.ts'
import { codeKey, shortCodeProblem, shortCodeTaken } from '@everscan/contract/resources/short-codes.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { patterns } from '@everscan/contract/schema/patterns.ts'
import { writtenTime } from '@everscan/contract/schema/written-times.ts'
import { readClaimedHosts, readCodeDomains, type CodeDomain } from '../../catalogue/domains/code-domains.ts'
import { takenCodeKeys } from '../../catalogue/imports/archive-imports.ts'
import { repairCells } from '../../catalogue/imports/import-cells.ts'
import type { ImportRow } from '../../catalogue/imports/import-chunks.ts'
import type { ImportRowErrorRow } from '../../catalogue/imports/imports.ts'
import type { ImportInput } from '../../catalogue/rows/import-row.ts'
import type { Database } from '../../db/database.ts'
import { readRow, rowProblems, type BodyProblem, type ReadRow, type RowProblem } from './import-rows.ts'

/** A row that may become a code: its body, and what the catalogue needs besides. */
export type AcceptedRow = {
  body: ImportedQrCode
  /** The name of its folder; undefined: it names none. */
  folder: string | undefined
  /** The domain of the code; undefined: PUBLIC_URL. */
  domain: ImportInput['domain'] | undefined
  createdAtMs: number | undefined
}

/** A row that may become a code, or the error of a row that may not. */
export type JudgedRow = { row: ImportRow; accepted?: AcceptedRow; refused?: ImportRowErrorRow }

export type JudgeOptions = {
  organizationId: string
  input: ImportInput
  /** Returns every problem of the body that would create a code, in the words of the API. */
  check: (body: ImportedQrCode) => readonly FieldProblem[]
  /** PUBLIC_URL's host name: rows name it for codes on no domain. */
  publicHost: string
  nowMs: number
}

type FoundDomain = { domain: ImportInput['domain'] | undefined; problems: readonly BodyProblem[] }
/** `codes`: how short codes are compared on its domain. */
type RowWithDomain = { row: ImportRow; read: ReadRow; codes: CodeForm } & FoundDomain

/** Judges rows of an import, with their repairs. Writes nothing. */
export async function judgeRows(
  db: Database,
  rows: readonly ImportRow[],
  options: JudgeOptions,
): Promise<JudgedRow[]> {
  const { organizationId, input, check, nowMs } = options
  const known = await readKnownDomains(db, options)
  const found = rows.map(({ cells, ...place }): RowWithDomain => {
    const row = { ...place, cells: repairCells(cells, input.columns, input.repairs?.[place.row]) }
    const read = readRow(input.type, input.columns, row.cells)
    const ofDomain = domainOf(read.domain, { ...options, ...known })
    const codes = known.domains.get(ofDomain.domain?.hostname ?? '')?.codes ?? 'canonical'
    return { row, read, codes, ...ofDomain }
  })
  const keys = found.filter(({ read }) => read.body.shortCode !== undefined).map(keyOf)
  const taken = await takenCodeKeys(db, keys, organizationId)
  return found.map((one) => {
    const { row, read, domain } = one
    const createdAt = createdAtOf(read.createdAt, nowMs)
    const ofBody = read.problems.length > 0 ? read.problems : check(read.body)
    const hasBadCode = ofBody.some(({ path }) => path === 'shortCode')
    const others: BodyProblem[] = [
      ...folderProblems(read.folder),
      ...one.problems,
      ...createdAt.problems,
      ...(hasBadCode ? [] : shortCodeProblems(one, taken)),
    ]
    const problems = read.problems.length > 0 ? ofBody : [...ofBody, ...others]
    const [first, ...more] = rowProblems(read, problems)
    if (first !== undefined) return { row, refused: rowError(row, [first, ...more]) }
    const { body, folder } = read
    return { row, accepted: { body, folder, domain, createdAtMs: createdAt.timeMs } }
  })
}

/** The domains of an organization by host name, and the host names that it has not proved yet. */
type KnownDomains = { domains: ReadonlyMap<string, CodeDomain>; claimed: ReadonlySet<string> }

async function readKnownDomains(
  db: Database,
  { organizationId, input: { columns } }: JudgeOptions,
): Promise<KnownDomains> {
  const namesDomains = columns.includes('domain')
  return {
    domains:
      namesDomains || columns.includes('shortCode')
        ? await readCodeDomains(db, organizationId)
        : new Map<string, CodeDomain>(),
    claimed: namesDomains ? await readClaimedHosts(db, organizationId) : new Set<string>(),
  }
}

function keyOf({ read, domain, codes }: RowWithDomain): string {
  return codeKey({ shortCode: read.body.shortCode ?? '', domain: domain?.hostname ?? '', codes })
}

function shortCodeProblems(
  one: RowWithDomain,
  taken: Awaited<ReturnType<typeof takenCodeKeys>>,
): BodyProblem[] {
  const { shortCode } = one.read.body
  if (shortCode === undefined || one.problems.length > 0) return []
  const refused = shortCodeProblem(shortCode, one.codes)
  if (refused !== undefined) return [{ path: 'shortCode', ...withGot(refused, shortCode) }]
  const { sameAs } = one.row
  if (sameAs !== undefined) {
    const same = problem('sameCodeInLine', { shortCode, line: sameAs })
    return [{ path: 'shortCode', ...same, code: 'CONFLICT' }]
  }
  if (!taken.has(keyOf(one))) return []
  return [{ path: 'shortCode', ...shortCodeTaken(shortCode), code: 'CONFLICT' }]
}

/** Returns the domain that a row names; undefined: PUBLIC_URL. */
function domainOf(
  written: string | undefined,
  { input, publicHost, domains, claimed }: JudgeOptions & KnownDomains,
): FoundDomain {
  if (written === undefined) return { domain: input.domain, problems: [] }
  const hostname = normalHostname(written) ?? ''
  const domain = domains.get(hostname)
  if (domain !== undefined || hostname === publicHost) return { domain, problems: [] }
  if (claimed.has(hostname)) {
    const waiting = problem('domainNotProved', { hostname })
    return { domain: undefined, problems: [{ path: 'domain', ...waiting, code: 'DOMAIN_NOT_PROVED' }] }
  }
  const strange = problem('notOwnDomain', { publicHost, got: shorter(written) })
  return { domain: undefined, problems: [{ path: 'domain', ...strange }] }
}

function createdAtOf(
  written: string | undefined,
  nowMs: number,
): { timeMs: number | undefined; problems: readonly FieldProblem[] } {
  if (written === undefined) return { timeMs: undefined, problems: [] }
  const timeMs = writtenTime(written)
  const expected =
    timeMs === undefined
      ? problem('notDateOrTime')
      : timeMs > nowMs
        ? problem('inFuture')
        : timeMs < 0
          ? problem('before1970')
          : undefined
  if (expected === undefined) return { timeMs, problems: [] }
  return { timeMs, problems: [{ path: 'createdAt', ...withGot(expected, shorter(written)) }] }
}

const folderName = new RegExp(patterns.line, 'u')

/** Checks a folder's name by the rules of the folders' own endpoint. */
function folderProblems(name: string | undefined): FieldProblem[] {
  if (name === undefined) return []
  const charsMax = limits.nameCharsMax
  const chars = Array.from(name).length
  if (chars > charsMax) return [{ path: 'folder', ...problem('tooLong', { max: charsMax, got: chars }) }]
  return folderName.test(name) ? [] : [{ path: 'folder', ...problem('lineForm') }]
}

function rowError(row: ImportRow, problems: readonly [RowProblem, ...RowProblem[]]): ImportRowErrorRow {
  const message = problems.map((one) =>
    one.column === null ? `The row ${one.message}` : `${one.column}: ${one.message}`,
  )
  const [{ column, code = 'VALIDATION_ERROR' }] = problems
  const details = problems.map((one) => ({ ...one, path: one.column ?? '' }))
  return { ...row, column, code, message: message.join('; '), details }
}

function shorter(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
