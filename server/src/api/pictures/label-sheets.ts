import { labelSheets } from '@everscan/contract/endpoints/pictures/label-sheets.ts'
import { setImmediate } from 'node:timers/promises'
import { loadCaptionFont } from '@everscan/qr/shapes/captions.ts'
import { decodeLogo } from '@everscan/qr/shapes/logo-intake.ts'
import type { LogoPicture } from '@everscan/qr/shapes/logos.ts'
import { encodePayload } from '@everscan/qr/content/payload.ts'
import { errorCorrectionOf } from '@everscan/qr/shapes/encodings.ts'
import { type Label, writeLabelSheets } from '@everscan/qr/labels/pdf-label-sheets.ts'
import { readQrCodes } from '../../catalogue/codes/batches.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import type { Database } from '../../db/database.ts'
import { itemsOfIds } from '../../product/codes/batch-results.ts'
import { Answer, handler } from '../http/handler.ts'
import type { ApiContext } from '../http/api-context.ts'
import { contentDisposition } from '../../files/file-names.ts'
import {
  labelGridOf,
  type PlannedLabel,
  planLabels,
  requireLabelCount,
} from '../../product/pictures/label-plans.ts'
import { shortUrlOf } from '../../product/records/qr-code-records.ts'
import { notFound } from '../../request-errors.ts'
import { streamOf } from '../../files/streams.ts'
import { drawStyled } from '../../product/styles/draw-styled.ts'

export const print = handler(labelSheets.print, {
  handle: async (context, _caller, { params, body }) => {
    const grid = labelGridOf(body)
    const items = itemsOfIds(body.ids)
    requireLabelCount(items.length, grid, body)
    const font = await loadCaptionFont()
    const ids = items.map(({ id }) => id)
    const rows = eachOf(context.db, params.orgId, ids)
    const plan = await planLabels(rows, { items, grid, font, body, publicUrl: context.config.publicUrl })
    const pieces = writeLabelSheets(drawLabels(context, params.orgId, plan.labels), {
      grid,
      font,
      look: plan.look,
      copies: body.copies ?? 1,
      startAt: body.startAt ?? 1,
      cutMarks: body.cutMarks ?? false,
      title: 'Labels',
    })
    return new Answer(await streamOf(pieces), {
      'content-type': 'application/pdf',
      'content-disposition': contentDisposition('attachment', 'Labels', 'pdf'),
      'captions-incomplete': String(plan.captionsIncomplete),
    })
  },
})

/** A style can contain a logo of 700 kB, which is read both as text and as an object. */
const codesPerRead = 20

/**
 * Yields the codes in the order of their ids, a few at a time; undefined for an id that the
 * organization does not have.
 */
async function* eachOf(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): AsyncGenerator<QrCodeRow | undefined, void, undefined> {
  for (let from = 0; from < ids.length; from += codesPerRead) {
    const some = ids.slice(from, from + codesPerRead)
    const rows = await readQrCodes(db, organizationId, some)
    for (const id of some) yield rows.get(id)
  }
}

/** Draws one code after the other, on demand. */
async function* drawLabels(
  { db, config }: ApiContext,
  organizationId: string,
  labels: readonly PlannedLabel[],
): AsyncGenerator<Label, void, undefined> {
  const logos = new Map<string, LogoPicture>()
  const ids = labels.map(({ id }) => id)
  let at = 0
  for await (const row of eachOf(db, organizationId, ids)) {
    const caption = labels[at++]?.caption
    // The code was deleted after planning: the response breaks off, so that no client takes a part
    // for the whole.
    if (row === undefined || caption === undefined) throw notFound()
    const { style, picture } = row
    const text = encodePayload(shortUrlOf(row, config.publicUrl))
    const code = { text, errorCorrection: errorCorrectionOf(style), ...picture }
    const logo = style.logo && (await logoOf(style.logo.dataUri, logos))
    yield { drawing: await drawStyled(code, style, { logo }), caption }
    // A thousand drawings take seconds: let other requests run in between.
    await setImmediate()
  }
}

/**
 * The number of logos whose pixels are cached, 1 MB each: most codes of an organization share a
 * few.
 */
const logosCachedMax = 4

async function logoOf(dataUri: string, known: Map<string, LogoPicture>): Promise<LogoPicture> {
  const logo = known.get(dataUri) ?? (await decodeLogo(dataUri))
  if (known.size >= logosCachedMax && !known.has(dataUri)) known.clear()
  known.set(dataUri, logo)
  return logo
}
