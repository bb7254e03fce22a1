import type { DuckDBValue } from '@duckdb/node-api'
import { once } from 'node:events'
import { connect } from 'node:net'
import { ScanStoreUnavailable } from '../../scan-store.ts'
import { deadlineMsDefault, withDeadline } from '../../store/deadline.ts'
import type { ListedScans } from '../figures/listed-scans.ts'
import type { FileReads } from '../file-scans.ts'
import type { FileWrites } from '../parquet/file-writes.ts'
import { rowsFrom, type Columns } from '../parquet/select.ts'
import { MessageSocket } from './messages.ts'
import type { EngineAnswer, EngineMessage, SelectMessage } from './requests.ts'

/** A merge of a million scans takes some seconds on a slow disk. */
const writeMsMax = 10 * 60_000
/** A busy engine of a slow machine is late: it takes up thousands of scans at once. */
const pingMsMax = 5_000

/** The engine in another process. Every call may throw ScanStoreUnavailable. */
export type EngineClient = FileReads & FileWrites & { ping: () => Promise<boolean> }

/** Returns the engine that is served on a socket. Each call opens a connection of its own. */
export function engineClient(socketPath: string): EngineClient {
  const ping = () =>
    withCall(socketPath, { deadlineMs: pingMsMax, isAnswering: async () => true }, (call) =>
      call.ask<boolean>({ type: 'ping' }),
    ).catch(() => false)
  const callFor = <Result>(deadlineMs: number, work: (call: Call) => Promise<Result>) =>
    withCall(socketPath, { deadlineMs, isAnswering: ping }, work)
  const ask = <Value>(message: EngineMessage, deadlineMs: number = deadlineMsDefault): Promise<Value> =>
    callFor(deadlineMs, (call) => call.ask<Value>(message))
  return {
    ask: (work, deadlineMs) =>
      callFor(deadlineMs ?? deadlineMsDefault, async (call) => {
        const listed = await call.ask<ListedScans>({ type: 'read', deadlineMs })
        const select = rowsFrom((sql, params) => call.ask<Columns>({ sql, params }))
        return await work(select, listed)
      }),
    keepIds: (ids) => ask<string>({ type: 'keepIds', ids }),
    rows: (sql) => ask<DuckDBValue[][]>({ type: 'rows', sql }, writeMsMax),
    change: (sql) => ask({ type: 'change', sql }, writeMsMax),
    insertBlock: (block, to) => ask({ type: 'insertBlock', block: block.toBytes(), to }, writeMsMax),
    writeBlock: (block, to) => ask({ type: 'writeBlock', block: block.toBytes(), to }, writeMsMax),
    writeMerged: (rows, to) => ask({ type: 'writeMerged', rows, to }, writeMsMax),
    ping,
  }
}

/** An open connection. */
type Call = { ask: <Value>(message: EngineMessage | SelectMessage) => Promise<Value> }

/**
 * Throws ScanStoreUnavailable for what happens to the connection, and for an engine that hangs or
 * is late; errors of `work` pass.
 */
async function withCall<Result>(
  socketPath: string,
  { deadlineMs, isAnswering }: { deadlineMs: number; isAnswering: () => Promise<boolean> },
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const socket = connect(socketPath)
  const messages = new MessageSocket(socket)
  const call: Call = {
    ask: async <Value>(message: EngineMessage | SelectMessage) => {
      messages.send(message)
      return valueOf((await orOutage(messages.next())) as EngineAnswer) as Value
    },
  }
  let failed: unknown
  const answer = async (): Promise<Result> => {
    try {
      await orOutage(once(socket, 'connect'))
      return await work(call)
    } catch (error) {
      failed = error
      throw error
    }
  }
  try {
    return await withDeadline(deadlineMs, answer, isAnswering)
  } catch (error) {
    throw error === failed ? error : new ScanStoreUnavailable(error)
  } finally {
    // The engine then abandons the query.
    socket.destroy()
  }
}

function orOutage<Result>(answer: Promise<Result>): Promise<Result> {
  return answer.catch((error: unknown) => {
    throw new ScanStoreUnavailable(error)
  })
}

function valueOf(answer: EngineAnswer): unknown {
  if ('value' in answer) return answer.value
  const { message, isOutage } = answer.failure
  throw isOutage ? new ScanStoreUnavailable(message) : new Error(message)
}
