import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import { takenCodeKeys } from '../../catalogue/imports/archive-imports.ts'
import type { MovedRow } from '../../catalogue/imports/import-chunks.ts'
import type { ImportRowErrorRow } from '../../catalogue/imports/imports.ts'
import type { ImportInput, MoveInput } from '../../catalogue/rows/import-row.ts'
import { waitingCodeKeys } from '../../catalogue/waiting/waiting-codes.ts'
import type { Database } from '../../db/database.ts'
import { rowsOfColumns } from './rows-of-columns.ts'
import { rowsOfLinks } from './rows-of-links.ts'
import type { BodyProblem, CodeOfRow, JudgedRow, ReadRow, RowMeans, RowPreset } from './row-presets.ts'

export type JudgeOptions = { organizationId: string; input: ImportInput | MoveInput; means: RowMeans }

/** Judges rows of an import. Writes nothing. */
export async function judgeRows(
  db: Database,
  rows: readonly MovedRow[],
  { organizationId, input, means }: JudgeOptions,
): Promise<JudgedRow[]> {
  const preset =
    input.source === undefined
      ? await rowsOfColumns(db, organizationId, { input, means })
      : rowsOfLinks(input, means)
  const read = rows.map(preset.read)
  const keys = read.flatMap(({ code }) => keyOf(code) ?? [])
  // On a name that the organization has not proved, it does not learn what others have there.
  const taken = await (input.waits === true
    ? waitingCodeKeys(db, organizationId, keys)
    : takenCodeKeys(db, keys, organizationId))
  return read.map((one): JudgedRow => {
    const { row, code, problems } = one
    const found = problems(taken.has(keyOf(code) ?? ''))
    const refuse: JudgedRow['refuse'] = (error) => ({
      ...rowError(one, preset.refusals(error), { ...preset, wholeRow: '' }),
      code: error.code,
    })
    return found.length > 0
      ? { row, refused: rowError(one, found, preset), refuse }
      : { row, accepted: code, refuse }
  })
}

/** Returns the key of the short code that a row has; undefined: it has none. */
export function keyOf({ body: { shortCode = '' }, domain, codes }: CodeOfRow): string | undefined {
  return shortCode === '' ? undefined : codeKey({ shortCode, domain: domain?.hostname ?? '', codes })
}

function rowError(
  { row, code: { body } }: ReadRow,
  problems: readonly BodyProblem[],
  { place, wholeRow }: RowPreset,
): ImportRowErrorRow {
  const told = problems.map(({ path, code = 'VALIDATION_ERROR', ...found }) => {
    const { name, column } = place(path, body)
    const message = name === null ? `${wholeRow}${found.message}` : `${name}: ${found.message}`
    return { column, code, message, detail: { ...found, path: name ?? '' } }
  })
  const [{ column, code } = { column: null, code: 'VALIDATION_ERROR' }] = told
  const message = told.map((one) => one.message).join('; ')
  return { ...row, column, code, message, details: told.map(({ detail }) => detail) }
}
