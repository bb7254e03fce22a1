import { setImmediate } from 'node:timers/promises'
import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { PrintLabelSheet } from '@everscan/contract/resources/label-sheets.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { loadCaptionFont } from '@everscan/qr/shapes/captions.ts'
import { decodeLogo } from '@everscan/qr/shapes/logo-intake.ts'
import type { LogoPicture } from '@everscan/qr/shapes/logos.ts'
import { encodePayload } from '@everscan/qr/content/payload.ts'
import { errorCorrectionOf } from '@everscan/qr/shapes/encodings.ts'
import { type Label, writeLabelSheets } from '@everscan/qr/labels/pdf-label-sheets.ts'
import { readQrCodes } from '../../catalogue/codes/batches.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import type { Database } from '../../db/database.ts'
import { itemsOfIds } from '../http/batch-results.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import type { ApiContext } from '../http/api-context.ts'
import { contentDisposition } from '../../file-names.ts'
import { labelGridOf, type PlannedLabel, planLabels, requireLabelCount } from './label-plans.ts'
import { shortUrlOf } from '../../records/qr-code-records.ts'
import { notFound } from '../http/request-errors.ts'
import { streamOf } from '../http/streams.ts'
import { drawStyled } from '../styles/acceptance.ts'

export const print = endpoint({
  id: 'printLabelSheet',
  method: 'POST',
  path: '/organizations/:orgId/qr-codes/label-sheets',
  role: 'VIEWER',
  tag: 'QR codes',
  summary: 'QR codes on sheets of labels, as a PDF to print.',
  description:
    'On a common sheet by its number, or on one of your own. In real millimetres: print at 100 %. ' +
    `At most ${limits.batchMax} codes and ${limits.labelsMax} labels; archived codes are printed, too. Nothing is drawn when one of ` +
    'the codes is unknown (404), or would come out under 10 mm or half of its `scannability.minPrintMm` (400).',
  params: OrganizationParams,
  body: PrintLabelSheet,
  status: 200,
  produces: ['application/pdf'],
  responseHeaders: {
    'Content-Disposition': 'A file name.',
    'Captions-Incomplete': 'Of how many codes the caption lacks characters that cannot be drawn.',
  },
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

/** A style can have a picture of 700 kB in it, and is read as text and as an object. */
const codesPerRead = 20

/** The codes in the order of their ids, a few at a time; undefined for one that the organization does not have. */
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

/** Draws one code after the other, when it is asked for. */
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
    // Deleted since it was planned: the answer breaks off, so that nobody takes a part for the whole.
    if (row === undefined || caption === undefined) throw notFound()
    const { style, shortCode, picture } = row
    const text = encodePayload(shortUrlOf(shortCode, config.publicUrl))
    const code = { text, errorCorrection: errorCorrectionOf(style), ...picture }
    const logo = style.logo && (await logoOf(style.logo.dataUri, logos))
    yield { drawing: await drawStyled(code, style, { logo }), caption }
    // A thousand drawings take seconds: others get their turns between them.
    await setImmediate()
  }
}

/** Of as many logos as that the pixels are kept, 1 MB each: most codes of an organization share a few. */
const logosKept = 4

async function logoOf(dataUri: string, known: Map<string, LogoPicture>): Promise<LogoPicture> {
  const logo = known.get(dataUri) ?? (await decodeLogo(dataUri))
  if (known.size >= logosKept && !known.has(dataUri)) known.clear()
  known.set(dataUri, logo)
  return logo
}
