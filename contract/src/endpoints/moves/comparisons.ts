import { limits } from '../../schema/limits.ts'
import { RecordParams } from '../../schema/common.ts'
import { StartComparison, Comparison } from '../../moves/comparisons.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Moves'
const path = '/organizations/:orgId/moves/:id/compare'

export const comparisons = {
  start: endpoint({
    id: 'startComparison',
    call: 'moves.compare',
    method: 'POST',
    path,
    role: 'EDITOR',
    scope: 'imports',
    tag,
    summary: 'Compare links of a move with the old service.',
    description: `Asks the old service for at most ${limits.comparedLinksMax} random links of the move, one after the other, and compares where they lead with where they lead here. Start it while the host name still leads to the old service. Only public addresses are asked. The old service may count these requests as clicks. 409 if nothing moved, if the links wait for the proof of their domain, or if a comparison is running.`,
    params: RecordParams,
    body: StartComparison,
    status: 202,
    response: Comparison,
    errors: [409],
  }),

  read: endpoint({
    id: 'readComparison',
    call: 'moves.readComparison',
    method: 'GET',
    path,
    role: 'VIEWER',
    scope: 'imports',
    tag,
    summary: 'Read the last comparison of a move with the old service.',
    params: RecordParams,
    status: 200,
    response: Comparison,
  }),
}
