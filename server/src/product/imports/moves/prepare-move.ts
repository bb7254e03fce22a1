import { problem } from '@everscan/contract/problems/problem.ts'
import { moveCells, movePreviewLink, readMovedLink } from '@everscan/contract/moves/moved-links.ts'
import { mapMoveColumns, mappingProblems, type MoveMapping } from '@everscan/contract/moves/move-sources.ts'
import {
  ChosenMoveColumns,
  type Move,
  type MovePreviewLink,
  type StartMoveFields,
} from '@everscan/contract/moves/moves.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { readDefaultDomain, requireDomain, type CodeDomain } from '../../../catalogue/domains/code-domains.ts'
import { readImport, readImportErrors, startImport } from '../../../catalogue/imports/imports.ts'
import type { ChangeOrigin } from '../../../catalogue/rows/change-origins.ts'
import type { ImportKey } from '../../../catalogue/rows/import-row.ts'
import type { MoveInput, MoveVisits } from '../../../catalogue/rows/import-row.ts'
import type { Database } from '../../../db/database.ts'
import { surveyCodes } from '../survey-rows.ts'
import { ApiError } from '../../../errors.ts'
import { moveRecord } from '../../records/move-records.ts'
import { decodeText } from '../../../files/decode-text.ts'
import { fileError, validationError } from '../../../request-errors.ts'
import type { StyleWork } from '../../styles/style-work.ts'
import { validatorOf } from '../../validation/validator.ts'
import { saveRows, type SavedFile } from '../save-rows.ts'
import { saveUpload } from '../save-upload.ts'
import { acceptQrCodeStyle } from '../../styles/qr-code-styles.ts'
import { runStyleJob } from '../../styles/style-jobs.ts'
import { styleLookup } from '../../styles/style-lookup.ts'
import { readExport, type ExportFile } from './read-export.ts'
import { columnName, saveVisits, type SavedVisits } from './save-visits.ts'

const checkMapping = validatorOf(ChosenMoveColumns, 'body')

export type MoveMeans = { publicUrl: string; work: StyleWork; clock: () => number }

/**
 * Starts the move of a file on this machine. Throws ApiError, and leaves nothing behind, if it
 * cannot be moved.
 */
export async function moveFile(
  db: Database,
  organizationId: string,
  {
    file,
    visits: visitsFile,
    fields,
    origin,
    publicUrl,
    clock,
  }: Omit<MoveMeans, 'work'> & {
    file: ExportFile
    visits?: ExportFile | undefined
    fields: StartMoveFields
    origin: ChangeOrigin
  },
): Promise<Move> {
  return saveUpload(db, organizationId, async (key) => {
    const saved = await saveExport(db, key, file, clock)
    const visits = visitsFile && (await saveVisits(db, key, visitsFile, clock))
    const work: StyleWork = { run: runStyleJob, suggests: false }
    const input = await prepareMove(db, key, saved, { fields, visits, publicUrl, work, clock })
    return moveRecord(await startImport(db, key, { preset: 'move', input, origin, nowMs: clock() }))
  })
}

/** Returns the state of a move, or undefined if the organization has no such move. */
export async function readMoveRecord(db: Database, key: ImportKey): Promise<Move | undefined> {
  const move = await readImport(db, key, 'move')
  if (move === undefined) return undefined
  const few = { limit: limits.importErrorsMax }
  const warnings =
    move.input.resolve === true ? await readImportErrors(db, key, { ...few, warnings: true }) : []
  return moveRecord(move, { errors: await readImportErrors(db, key, few), warnings })
}

/** Makes the input of a job whose rows were saved. Throws ApiError 400 for a wrong field. */
export async function prepareMove(
  db: Database,
  key: ImportKey,
  { fileName, header, totalRows }: SavedFile,
  {
    fields,
    visits,
    publicUrl,
    work,
    clock,
  }: MoveMeans & { fields: StartMoveFields; visits: SavedVisits | undefined },
): Promise<Omit<MoveInput, 'origin'>> {
  const { source, domainId, dryRun = false, resolve = false } = fields
  if (resolve) requireFewLinks(totalRows)
  const mapping = mapMoveColumns(source, header, chosenColumns(fields.mapping))
  requireMapping(mapping, header)
  const { domain, isProved } = await domainOf(db, key.organizationId, domainId)
  const { preview, longest } = await surveyLinks(db, key, { header, mapping, domain, nowMs: clock() })
  const style = await styleLookup(db, key.organizationId)(undefined)
  // The longest short code has the largest picture.
  const drawn = { shortCode: longest, domain: domain?.hostname, publicUrl, storedStyles: [style], work }
  const look = await acceptQrCodeStyle(style, drawn)
  return {
    source,
    dryRun,
    fileName,
    header,
    mapping,
    preview,
    totalRows,
    look,
    ...(resolve && { resolve }),
    ...(domain !== undefined && { domain }),
    ...(!isProved && { waits: true }),
    ...(visits !== undefined && { visits: inputOf(visits) }),
  }
}

function inputOf({ fileName, columns, total, skipped, problems }: SavedVisits): MoveVisits {
  return { fileName, columns, total, skipped, problems }
}

/** Saves the rows of an export as they arrive; only one chunk is in memory. */
export async function saveExport(
  db: Database,
  key: ImportKey,
  file: ExportFile,
  clock: () => number,
): Promise<SavedFile> {
  const saved = await saveRows(db, key, {
    file,
    read: (some) => readExport(decodeText(some)),
    rowsMax: limits.moveRowsMax,
    cellsMax: ({ length }) => length,
    clock,
  })
  if (saved.totalRows === 0) throw fileError(problem('fileWithoutLinks'))
  return { ...saved, header: saved.header.map(columnName) }
}

/**
 * Reads all rows again, now that the columns are known: marks those whose short code an earlier row
 * has, and returns the first links and the longest short code.
 */
async function surveyLinks(
  db: Database,
  key: ImportKey,
  options: { header: readonly string[]; mapping: MoveMapping; domain: CodeDomain | undefined; nowMs: number },
): Promise<{ preview: MovePreviewLink[]; longest: string | undefined }> {
  const { header, mapping, domain, nowMs } = options
  const places = moveCells(mapping, header)
  const preview: MovePreviewLink[] = []
  const longest = await surveyCodes(db, key, ({ line, cells }) => {
    const read = readMovedLink(places, cells, nowMs, domain?.codes)
    if (preview.length < limits.movePreviewLinksMax) preview.push(movePreviewLink(line, read))
    const { shortCode } = read.link
    return shortCode === '' ? undefined : { shortCode, domain }
  })
  return { preview, longest }
}

/** The `domainId` of codes below PUBLIC_URL, also if the organization has a default domain. */
export const noDomain = 'none'

async function domainOf(
  db: Database,
  organizationId: string,
  domainId: string | undefined,
): Promise<{ domain: CodeDomain | undefined; isProved: boolean }> {
  if (domainId === undefined) return { domain: await readDefaultDomain(db, organizationId), isProved: true }
  if (domainId === noDomain) return { domain: undefined, isProved: true }
  return requireDomain(db, organizationId, domainId)
}

function chosenColumns(written: string | undefined): Partial<MoveMapping> {
  if (written === undefined) return {}
  let chosen: unknown
  try {
    chosen = JSON.parse(written)
  } catch {
    throw validationError([{ path: 'mapping', ...problem('mappingNotJson') }])
  }
  if (typeof chosen !== 'object' || chosen === null || Array.isArray(chosen))
    throw validationError([{ path: 'mapping', ...problem('mappingNotObject') }])
  try {
    checkMapping(chosen)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const details = (error.details ?? []).map((detail) => ({ ...detail, path: `mapping.${detail.path}` }))
    throw validationError(details)
  }
  return chosen
}

function requireFewLinks(totalRows: number): void {
  const linksMax = limits.resolvedLinksMax
  if (totalRows <= linksMax) return
  const found = problem('tooManyLinksToLookAt', { max: linksMax, got: totalRows })
  throw validationError([{ path: 'resolve', ...found }])
}

/** Throws ApiError 400 that names the fields without a column, and the columns of the file. */
function requireMapping(mapping: MoveMapping, header: readonly string[]): void {
  const problems = mappingProblems(mapping, header)
  if (problems.length === 0) return
  const details = problems.map(({ field, ...found }) => ({ path: `mapping.${field}`, ...found }))
  const error = validationError(details)
  const message = `${error.message}. Columns of the file: ${header.join(', ')}`
  throw new ApiError(400, 'VALIDATION_ERROR', { ...error.told, message }, { details })
}
