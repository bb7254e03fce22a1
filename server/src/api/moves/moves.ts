import { moves } from '@everscan/contract/endpoints/moves/moves.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { cancelImport, listImports, readImport, startImport } from '../../catalogue/imports/imports.ts'
import { moveRecord, moveSummary } from '../../product/records/move-records.ts'
import { Answer, handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { csvAnswer } from '../http/csv-answers.ts'
import { errorLines } from '../../product/imports/import-errors.ts'
import { receiveMove } from './move-files.ts'
import { readMoveRecord } from '../../product/imports/moves/prepare-move.ts'

export const start = handler(moves.start, {
  receive: receiveMove,
  handle: async ({ db, clock }, { origin }, { body, params }) => {
    const move = await startImport(db, body.key, {
      preset: 'move',
      input: body.input,
      origin,
      nowMs: clock(),
    })
    const location = `/api/v1/organizations/${params.orgId}/moves/${move.id}`
    return new Answer(moveRecord(move), { location })
  },
})

export const list = handler(moves.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listImports(db, params.orgId, {
      preset: 'move',
      status: query.status,
      ...page,
    })
    return { data: rows.map(moveSummary), pagination: paginationOf(total, page) }
  },
})

export const read = handler(moves.read, {
  handle: async ({ db }, _caller, { params }) => {
    const move = await readMoveRecord(db, { organizationId: params.orgId, id: params.id })
    if (move === undefined) throw notFound()
    return move
  },
})

export const cancel = handler(moves.cancel, {
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const cancelled = await cancelImport(db, key, { preset: 'move', origin, nowMs: clock() })
    const move = cancelled && (await readMoveRecord(db, key))
    if (move === undefined) throw notFound()
    return move
  },
})

export const errorsCsv = handler(moves.errorsCsv, {
  handle: async ({ db }, _caller, { params }) => {
    const move = await readImport(db, { organizationId: params.orgId, id: params.id }, 'move')
    if (move === undefined) throw notFound()
    const columns = move.input.header.map((name, index) => ({ name, index }))
    return csvAnswer(await errorLines(db, move, columns), `${move.id}-errors`)
  },
})
