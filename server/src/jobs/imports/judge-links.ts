import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { moveCells, readMovedLink } from '@everscan/contract/moves/moved-links.ts'
import type { MoveField } from '@everscan/contract/moves/move-sources.ts'
import type { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import type { NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import { takenCodeKeys } from '../../catalogue/imports/archive-imports.ts'
import type { MovedRow } from '../../catalogue/imports/import-chunks.ts'
import type { ImportRowErrorRow } from '../../catalogue/imports/imports.ts'
import type { MoveInput } from '../../catalogue/rows/move-row.ts'
import { waitingCodeKeys } from '../../catalogue/waiting/waiting-codes.ts'
import type { Database } from '../../db/database.ts'
import type { ImportOptions } from './import-job.ts'

export type LinkProblem = Problem & { field: MoveField | undefined }

/** A row that may become a code, or the error of a row that may not. */
export type JudgedLink = { row: MovedRow; accepted?: NewQrCode; refused?: ImportRowErrorRow }

export type LinkMeans = Pick<ImportOptions, 'check' | 'draw'> & { clock: () => number }

/** Judges rows of an export. Writes nothing. */
export async function judgeLinks(
  db: Database,
  rows: readonly MovedRow[],
  { organizationId, input, means }: { organizationId: string; input: MoveInput; means: LinkMeans },
): Promise<JudgedLink[]> {
  const { hostname: domain = '', codes } = input.domain ?? {}
  const places = moveCells(input.mapping, input.header)
  const nowMs = means.clock()
  const read = rows.map((row) => ({ row, ...readMovedLink(places, row.cells, nowMs, codes) }))
  const keyOf = (shortCode: string) => codeKey({ shortCode, domain, codes })
  const keys = read.map(({ link }) => keyOf(link.shortCode))
  // On a name that the organization has not proved, it does not learn what others have there.
  const taken = await (input.waits === true
    ? waitingCodeKeys(db, organizationId, keys)
    : takenCodeKeys(db, keys, organizationId))
  return read.map(({ row, link, problems }): JudgedLink => {
    const { shortCode, destination, title: name, tags } = link
    const body: CreateQrCode = { type: 'URL', name, data: { url: destination }, tags }
    const found: LinkProblem[] = [...problems]
    if (row.sameAs !== undefined)
      found.push({ field: 'shortCode', ...problem('sameCodeAsLine', { shortCode, line: row.sameAs }) })
    else if (shortCode !== '' && taken.has(keyOf(shortCode)))
      found.push({ field: 'shortCode', ...problem('codeAssignedHere', { shortCode }) })
    if (found.length === 0)
      found.push(...means.check(body).map(({ path, ...one }) => ({ ...one, field: fieldOf(path) })))
    if (found.length > 0) return { row, refused: linkError(row, found, input) }
    // `check` has tidied the body.
    const { data } = body
    return {
      row,
      accepted: newQrCode({ ...link, data, name: body.name, tags: body.tags ?? [] }, input, means),
    }
  })
}

function newQrCode(
  { shortCode, createdAtMs, scansBefore, ...body }: Omit<NewQrCode, 'type' | 'picture' | 'origin'>,
  { look, domain, origin }: MoveInput,
  { draw, clock }: LinkMeans,
): NewQrCode {
  const { name, data, tags } = body
  return {
    type: 'URL',
    name,
    data,
    tags,
    shortCode,
    createdAtMs,
    scansBefore,
    domain,
    style: look.style,
    scannability: look.scannability,
    picture: draw({ shortCode: shortCode ?? '', domain: domain?.hostname ?? '' }, look.style),
    origin,
    nowMs: clock(),
  }
}

/** Returns the field of the file that a part of the body comes from. */
export function fieldOf(path: string): MoveField | undefined {
  if (path.startsWith('data')) return 'destination'
  if (path.startsWith('tags')) return 'tags'
  if (path === 'shortCode') return path
  return path === 'name' ? 'title' : undefined
}

export function linkError(
  { row, line, cells }: MovedRow,
  problems: readonly LinkProblem[],
  { mapping }: MoveInput,
): ImportRowErrorRow {
  const [first] = problems
  const column = first?.field === undefined ? null : (mapping[first.field][0] ?? null)
  const message = problems
    .map((one) => (one.field === undefined ? one.message : `${one.field}: ${one.message}`))
    .join('; ')
  const details = problems.map(({ field = '', ...one }) => ({ path: field, ...one }))
  return { row, line, cells, column, code: 'VALIDATION_ERROR', message, details }
}
