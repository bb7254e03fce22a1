import { problem } from '@everscan/contract/problems/problem.ts'
import { ensureFolders, findAndLockFolders } from '../../catalogue/codes/folders.ts'
import { createQrCodes, draftWaitingCode, type NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import { searchText } from '../../catalogue/codes/search-text.ts'
import { readDomain } from '../../catalogue/domains/domains.ts'
import type { ImportRowErrorRow } from '../../catalogue/imports/imports.ts'
import { systemOrigin, type ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import type { ImportInput, MoveInput } from '../../catalogue/rows/import-row.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { insertWaitingCodes } from '../../catalogue/waiting/waiting-codes.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { createShortCode } from '../../ids.ts'
import { keyOf } from './judge-rows.ts'
import type { CodeOfRow, JudgedRow, RowMeans } from './row-presets.ts'

type Input = ImportInput | MoveInput

/** An accepted row with its code, which is not stored yet. */
export type DraftedRow = { judged: JudgedRow & { accepted: CodeOfRow }; code: NewQrCode }

/** A row that became a code. `qrCodeId` is empty in a dry run, which makes none. */
export type MadeCode = Pick<JudgedRow, 'row'> & { shortCode: string; codeKey: string; qrCodeId: string }

export type MadeCodes = { failed: readonly ImportRowErrorRow[]; made: readonly MadeCode[] }

/** The origin of jobs that an older release started. */
const importOrigin: ChangeOrigin = { ...systemOrigin, via: 'import' }

/** Drafts the codes of the accepted rows: their pictures are drawn outside of the transaction. */
export function draftCodes(rows: readonly JudgedRow[], input: Input, means: RowMeans): DraftedRow[] {
  return rows.flatMap(({ accepted, ...judged }) =>
    accepted === undefined
      ? []
      : [{ judged: { ...judged, accepted }, code: newQrCode(accepted, input, means) }],
  )
}

/**
 * Returns a code to create. Its picture is created now, and so is its first short code if the row
 * has none. If a random short code is taken, others are created in the transaction.
 */
function newQrCode(
  { body, domain, createdAtMs, scansBefore }: CodeOfRow,
  { look, origin = importOrigin }: Input,
  { draw, clock }: RowMeans,
): NewQrCode {
  const { type, name, data, tags, metadata, status, shortCode: chosen } = body
  const style = look?.style ?? {}
  const shortCode = chosen ?? createShortCode()
  const drawCode = (code: string) => draw({ shortCode: code, domain: domain?.hostname ?? '' }, style)
  const picture = drawCode(shortCode)
  let drawn = false
  return {
    type,
    name,
    data,
    tags,
    metadata,
    status,
    domain,
    createdAtMs,
    scansBefore,
    style,
    scannability: look?.scannability,
    shortCode: chosen,
    createShortCode: () => {
      if (drawn) return createShortCode()
      drawn = true
      return shortCode
    },
    picture: (code) => (code === shortCode ? picture : drawCode(code)),
    origin,
    nowMs: clock(),
  }
}

/** Returns the codes that accepted rows would become. */
export function codesOfDryRun(rows: readonly JudgedRow[]): MadeCode[] {
  return rows.flatMap(({ row, accepted }) => {
    const codeKey = accepted && keyOf(accepted)
    return codeKey === undefined ? [] : [{ row, shortCode: '', codeKey, qrCodeId: '' }]
  })
}

/** Makes the drafted codes. `failed` has the rows that the catalogue refuses. */
export async function makeCodes(
  tx: Database,
  organizationId: string,
  { drafts, input }: { drafts: readonly DraftedRow[]; input: Input },
): Promise<MadeCodes> {
  if (input.waits === true) return makeWaitingCodes(tx, organizationId, { drafts, input })
  const codes = await inFolders(tx, organizationId, { drafts, input })
  const outcomes = await createQrCodes(tx, organizationId, codes)
  const failed: ImportRowErrorRow[] = []
  const made: MadeCode[] = []
  for (const [index, { judged }] of drafts.entries()) {
    const outcome = outcomes[index]
    if (outcome instanceof ApiError) failed.push(judged.refuse(outcome))
    else if (outcome !== undefined) made.push(madeOf(judged, outcome))
  }
  return { failed, made }
}

function madeOf({ row }: JudgedRow, { shortCode, codeKey, id: qrCodeId }: QrCodeRow): MadeCode {
  return { row, shortCode, codeKey, qrCodeId }
}

/** Creates the folders of the codes that do not exist yet, and puts each code into its own. */
async function inFolders(
  tx: Database,
  organizationId: string,
  { drafts, input: { origin = importOrigin, folderId } }: { drafts: readonly DraftedRow[]; input: Input },
): Promise<NewQrCode[]> {
  const names = new Set(drafts.flatMap(({ judged }) => judged.accepted.folder ?? []))
  const folders = await ensureFolders(tx, organizationId, { names: [...names], origin })
  // If the folder was deleted after the import began, the codes are in no folder, like the codes
  // that were in it.
  const kept = await findAndLockFolders(tx, organizationId, folderId === undefined ? [] : [folderId])
  const otherwise = folderId !== undefined && kept.has(folderId) ? folderId : null
  return drafts.map(({ code, judged: { accepted } }) => ({
    ...code,
    folderId: accepted.folder === undefined ? otherwise : (folders.get(searchText(accepted.folder)) ?? null),
  }))
}

/** Stores codes on a domain that the organization claims, until it proves it. */
async function makeWaitingCodes(
  tx: Database,
  organizationId: string,
  { drafts, input }: { drafts: readonly DraftedRow[]; input: Input },
): Promise<MadeCodes> {
  const { id = '', hostname = '' } = input.domain ?? {}
  if ((await readDomain(tx, { organizationId, id })) === undefined) {
    const gone = new ApiError(400, 'VALIDATION_ERROR', problem('domainGone', { hostname }))
    return { failed: drafts.map(({ judged }) => judged.refuse(gone)), made: [] }
  }
  const rows: QrCodeRow[] = []
  for (const { code, judged } of drafts)
    rows.push(await draftWaitingCode(organizationId, code, judged.accepted.codes))
  await insertWaitingCodes(tx, rows)
  return {
    failed: [],
    made: rows.flatMap((row, index) => {
      const judged = drafts[index]?.judged
      return judged === undefined ? [] : [madeOf(judged, row)]
    }),
  }
}
