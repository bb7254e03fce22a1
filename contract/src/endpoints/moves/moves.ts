import { limits } from '../../schema/limits.ts'
import { OrganizationParams, RecordParams } from '../../schema/common.ts'
import { StartMoveForm, Move, ListMovesQuery, MovePage } from '../../moves/moves.ts'
import { csvType } from '../media-types.ts'
import { endpoint } from '../endpoint.ts'
import { idempotencyKey, replayed } from '../headers.ts'

const tag = 'Moves'
const collection = '/organizations/:orgId/moves'
const one = `${collection}/:id` as const

export const moves = {
  start: endpoint({
    id: 'startMove',
    call: 'byHand',
    method: 'POST',
    path: collection,
    role: 'EDITOR',
    scope: 'imports',
    tag,
    summary: 'Move links from another product, from its export.',
    description: `Reads the file of Bitly, Dub, Kutt, Shlink, YOURLS, Short.io, Rebrandly or any other product, as CSV or JSON. Columns are recognized by their names; \`mapping\` names others. Each link becomes a code of type URL that keeps its short code, title, tags and creation date; clicks so far are in \`scansBefore\`. With \`visits\`, a second file, visits of these links become scans. Links that cannot be taken are in the job, with the reason. \`dryRun\` only checks the file. 409 if ${limits.importsOpenMax} imports of the organization have not ended.`,
    params: OrganizationParams,
    form: StartMoveForm,
    idempotent: true,
    requestHeaders: idempotencyKey,
    takes: 'uploads',
    status: 202,
    response: Move,
    responseHeaders: {
      Location: 'URL of the job.',
      ...replayed,
    },
    errors: [409],
  }),

  list: endpoint({
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
  }),

  read: endpoint({
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
  }),

  cancel: endpoint({
    id: 'cancelMove',
    method: 'POST',
    repeatable: true,
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
  }),

  errorsCsv: endpoint({
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
  }),
}
