import type { DuckDBValue } from '@duckdb/node-api'
import type { Socket } from 'node:net'
import { ScanStoreUnavailable } from '../../scan-store.ts'
import { deadlineMsDefault, withDeadline } from '../../store/deadline.ts'
import type { ListedScans } from '../figures/listed-scans.ts'
import type { FileReads } from '../file-scans.ts'
import type { FileWrites } from '../parquet/file-writes.ts'
import { rowsFrom, type Columns } from '../parquet/select.ts'
import { MessageSocket } from './messages.ts'
import type { EngineAnswer, EngineMessage, SelectMessage } from './requests.ts'
import { askForEngine, connectAwake, connected, type EngineState } from './waking.ts'

/** A merge of a million scans takes some seconds on a slow disk. */
const writeMsMax = 10 * 60_000
/** A busy engine of a slow machine is late: it takes up thousands of scans at once. */
const pingMsMax = 5_000

/**
 * The engine in another process. It is started for a call if it sleeps. Every call may throw
 * ScanStoreUnavailable.
 */
export type EngineClient = FileReads &
  FileWrites & {
    /** Whether it answers, now or once it is awake. Does not wake it. */
    ping: () => Promise<boolean>
    /** Whether it answers now. */
    isAwake: () => Promise<boolean>
  }

const canAnswer: ReadonlySet<EngineState> = new Set(['asleep', 'starting'])

/** Returns the engine that is served on a socket. Each call opens a connection of its own. */
export function engineClient(socketPath: string): EngineClient {
  const isAwake = () =>
    withCall(
      () => connected(socketPath),
      { deadlineMs: pingMsMax, isAnswering: async () => true },
      (call) => call.ask<boolean>({ type: 'ping' }),
    ).catch(() => false)
  const ping = async () => (await isAwake()) || canAnswer.has(await askForEngine(socketPath, 'state'))
  const callFor = <Result>(deadlineMs: number, work: (call: Call) => Promise<Result>) =>
    withCall((signal) => connectAwake(socketPath, signal), { deadlineMs, isAnswering: ping }, work)
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
    isAwake,
  }
}

/** An open connection. */
type Call = { ask: <Value>(message: EngineMessage | SelectMessage) => Promise<Value> }

/**
 * Throws ScanStoreUnavailable for what happens to the connection, and for an engine that hangs or
 * is late; errors of `work` pass.
 */
async function withCall<Result>(
  connectTo: (signal: AbortSignal) => Promise<Socket>,
  { deadlineMs, isAnswering }: { deadlineMs: number; isAnswering: () => Promise<boolean> },
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  let socket: Socket | undefined
  let failed: unknown
  const answer = async (signal: AbortSignal): Promise<Result> => {
    try {
      socket = await orOutage(connectTo(signal))
      if (signal.aborted) socket.destroy()
      return await work(callOn(socket))
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
    socket?.destroy()
  }
}

function callOn(socket: Socket): Call {
  const messages = new MessageSocket(socket)
  return {
    ask: async <Value>(message: EngineMessage | SelectMessage) => {
      messages.send(message)
      return valueOf((await orOutage(messages.next())) as EngineAnswer) as Value
    },
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
