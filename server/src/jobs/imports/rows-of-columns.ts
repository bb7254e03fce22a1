import { problem, withGot, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import { normalHostname } from '@everscan/contract/domains/host-names.ts'
import { shortCodeProblem, shortCodeTaken } from '@everscan/contract/resources/short-codes.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { patterns } from '@everscan/contract/schema/patterns.ts'
import { writtenTime } from '@everscan/contract/schema/written-times.ts'
import { readClaimedHosts, readCodeDomains, type CodeDomain } from '../../catalogue/domains/code-domains.ts'
import { repairCells } from '../../catalogue/imports/import-cells.ts'
import type { ImportInput } from '../../catalogue/rows/import-row.ts'
import type { Database } from '../../db/database.ts'
import { columnOf, readRow } from './import-rows.ts'
import type { BodyProblem, CodeOfRow, RowMeans, RowPreset } from './row-presets.ts'

type FoundDomain = { domain: ImportInput['domain'] | undefined; problems: readonly BodyProblem[] }

/** Reads rows of a file with the columns of a type, with their repairs. */
export async function rowsOfColumns(
  db: Database,
  organizationId: string,
  { input, means: { check, publicHost, clock } }: { input: ImportInput; means: RowMeans },
): Promise<RowPreset> {
  const known = await readKnownDomains(db, organizationId, { input, publicHost })
  const nowMs = clock()
  return {
    read: ({ cells, ...place }) => {
      const row = { ...place, cells: repairCells(cells, input.columns, input.repairs?.[place.row]) }
      const { body, folder, problems: ofRow, ...written } = readRow(input.type, input.columns, row.cells)
      const { domain, problems: ofDomain } = domainOf(written.domain, known)
      const { timeMs, problems: ofTime } = createdAtOf(written.createdAt, nowMs)
      const codes = known.domains.get(domain?.hostname ?? '')?.codes ?? 'canonical'
      const code: CodeOfRow = { body, folder, domain, codes, createdAtMs: timeMs }
      return {
        row,
        code,
        problems: (isTaken) => {
          if (ofRow.length > 0) return ofRow
          const ofBody = check(body).map(tellOfMetadata)
          const isJudged = ofDomain.length > 0 || ofBody.some(({ path }) => path === 'shortCode')
          const ofCode = isJudged ? [] : shortCodeProblems(code, { sameAs: row.sameAs, isTaken })
          return [...ofBody, ...folderProblems(folder), ...ofDomain, ...ofTime, ...ofCode]
        },
      }
    },
    place: (path, body) => {
      const column = columnOf(path, body) ?? null
      return { name: column, column }
    },
    wholeRow: 'The row ',
    refusals: ({ told, details: [first] = [] }) => {
      const path = columnsOfFields[first?.path ?? '']
      return first === undefined || path === undefined ? [{ path: '', ...told }] : [{ ...first, path }]
    },
  }
}

/** All metadata of a row have no column: their problem names them. */
function tellOfMetadata(found: BodyProblem): BodyProblem {
  if (found.path !== 'metadata') return found
  return { ...found, message: `has too much metadata: it ${found.message}` }
}

/** The columns of the fields of a code that the catalogue itself refuses. */
const columnsOfFields: Readonly<Record<string, string>> = { shortCode: 'shortCode', domainId: 'domain' }

/** Domains that rows can name, by host name, and host names that are not proved yet. */
type KnownDomains = {
  domains: ReadonlyMap<string, CodeDomain>
  claimed: ReadonlySet<string>
  /** The domain of rows that name none. */
  ofFile: ImportInput['domain']
  publicHost: string
}

async function readKnownDomains(
  db: Database,
  organizationId: string,
  { input: { columns, domain: ofFile }, publicHost }: { input: ImportInput; publicHost: string },
): Promise<KnownDomains> {
  const namesDomains = columns.includes('domain')
  return {
    domains:
      namesDomains || columns.includes('shortCode')
        ? await readCodeDomains(db, organizationId)
        : new Map<string, CodeDomain>(),
    claimed: namesDomains ? await readClaimedHosts(db, organizationId) : new Set<string>(),
    ofFile,
    publicHost,
  }
}

function shortCodeProblems(
  { body: { shortCode }, codes }: CodeOfRow,
  { sameAs, isTaken }: { sameAs: number | undefined; isTaken: boolean },
): BodyProblem[] {
  if (shortCode === undefined) return []
  const refused = shortCodeProblem(shortCode, codes)
  if (refused !== undefined) return [{ path: 'shortCode', ...withGot(refused, shortCode) }]
  if (sameAs !== undefined) {
    const same = problem('sameCodeInLine', { shortCode, line: sameAs })
    return [{ path: 'shortCode', ...same, code: 'CONFLICT' }]
  }
  return isTaken ? [{ path: 'shortCode', ...shortCodeTaken(shortCode), code: 'CONFLICT' }] : []
}

/** Returns the domain that a row names; undefined: PUBLIC_URL. */
function domainOf(
  written: string | undefined,
  { ofFile, publicHost, domains, claimed }: KnownDomains,
): FoundDomain {
  if (written === undefined) return { domain: ofFile, problems: [] }
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

function shorter(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
