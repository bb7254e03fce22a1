import { ListMovesQuery, Move, MovePage, StartMoveForm } from '@everscan/contract/moves/moves.ts'
import { OrganizationParams, RecordParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { cancelMove, listMoves, readMove, startMove } from '../../catalogue/imports/moves.ts'
import { moveRecord, moveSummary } from '../../product/records/move-records.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { csvType } from '../../files/write-csv.ts'
import { csvAnswer } from '../http/csv-answers.ts'
import { errorLines } from '../../product/imports/import-errors.ts'
import { receiveMove } from './move-files.ts'
import { readMoveRecord } from '../../product/moves/prepare-move.ts'

const tag = 'Moves'
const collection = '/organizations/:orgId/moves'
const one = `${collection}/:id` as const

export const start = endpoint({
  id: 'startMove',
  method: 'POST',
  path: collection,
  role: 'EDITOR',
  scope: 'imports',
  tag,
  summary: 'Move links from another product, from its export.',
  description: `Reads the file of Bitly, Dub, Kutt, Shlink, YOURLS, Short.io, Rebrandly or any other product, as CSV or JSON. Columns are recognized by their names; \`mapping\` names others. Each link becomes a code of type URL that keeps its short code, title, tags and creation date; clicks so far are in \`scansBefore\`. With \`visits\`, a second file, visits of these links become scans. Links that cannot be taken are in the job, with the reason. \`dryRun\` only checks the file. 409 if ${limits.importsOpenMax} imports of the organization have not ended.`,
  params: OrganizationParams,
  form: { schema: StartMoveForm, receive: receiveMove },
  idempotent: true,
  requestHeaders: {
    'Idempotency-Key': 'Any text; a repeat within 24 hours returns the first response.',
  },
  takes: 'uploads',
  status: 202,
  response: Move,
  responseHeaders: {
    Location: 'URL of the job.',
    'Idempotent-Replayed': 'true if this repeats the first response.',
  },
  errors: [409],
  handle: async ({ db, clock }, { origin }, { body, params }) => {
    const move = await startMove(db, body.key, { input: body.input, origin, nowMs: clock() })
    const location = `/api/v1/organizations/${params.orgId}/moves/${move.id}`
    return new Answer(moveRecord(move), { location })
  },
})

export const list = endpoint({
  id: 'listMoves',
  method: 'GET',
  path: collection,
  role: 'VIEWER',
  scope: 'imports',
  tag,
  summary: 'List the moves from other products, newest first.',
  params: OrganizationParams,
  query: ListMovesQuery,
  tellsOfWork: true,
  status: 200,
  response: MovePage,
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listMoves(db, params.orgId, { status: query.status, ...page })
    return { data: rows.map(moveSummary), pagination: paginationOf(total, page) }
  },
})

export const read = endpoint({
  id: 'readMove',
  method: 'GET',
  path: one,
  role: 'VIEWER',
  scope: 'imports',
  tag,
  summary: 'Read a move: its columns, its progress and the links that could not be taken.',
  params: RecordParams,
  tellsOfWork: true,
  status: 200,
  response: Move,
  handle: async ({ db }, _caller, { params }) => {
    const move = await readMoveRecord(db, { organizationId: params.orgId, id: params.id })
    if (move === undefined) throw notFound()
    return move
  },
})

export const cancel = endpoint({
  id: 'cancelMove',
  method: 'POST',
  path: `${one}/cancel`,
  role: 'EDITOR',
  scope: 'imports',
  tag,
  summary: 'Cancel a move. Codes that it has created stay.',
  description: 'Cancelling a cancelled move changes nothing; 409 if it has ended otherwise.',
  params: RecordParams,
  status: 200,
  response: Move,
  errors: [409],
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const cancelled = await cancelMove(db, key, { origin, nowMs: clock() })
    const move = cancelled && (await readMoveRecord(db, key))
    if (move === undefined) throw notFound()
    return move
  },
})

export const errorsCsv = endpoint({
  id: 'downloadMoveErrors',
  method: 'GET',
  path: `${one}/errors.csv`,
  role: 'VIEWER',
  scope: 'imports',
  tag,
  summary: 'Download the links that a move could not take, with the reasons, as CSV.',
  description: 'The rows have the columns of the file. Correct them and move them with another move.',
  params: RecordParams,
  status: 200,
  produces: [csvType],
  responseHeaders: { 'Content-Disposition': 'A file name.' },
  handle: async ({ db }, _caller, { params }) => {
    const move = await readMove(db, { organizationId: params.orgId, id: params.id })
    if (move === undefined) throw notFound()
    const columns = move.input.header.map((name, index) => ({ name, index }))
    return csvAnswer(await errorLines(db, move, columns), `${move.id}-errors`)
  },
})
