import { pick, randomFrom } from '@everscan/contract/testing/random.ts'
import {
  insertReplicated,
  settleReplicated,
  type Replica,
  type Replicas,
} from '../insert/replicated-batches.ts'
import { ServerPin } from '../store/server-pin.ts'
import { Killed, ReplicaModel, type ModelBatch, type ModelReplica } from './replica-model.ts'

/** Takes one remedy out: wraps a replica of the model, or what workers see of it. */
export type Removal = {
  name: string
  windowMs?: number
  quorum?: number
  wrap?: (replica: Replica<ModelBatch>, model: ReplicaModel) => Replica<ModelBatch>
  see?: (replicas: Replicas<ModelBatch>, batch: ModelBatch, model: ReplicaModel) => Replicas<ModelBatch>
}

/** `rewritten`: rows were deleted although the model never doubled any. */
export type RunFault = 'twice' | 'lost' | 'rewritten' | 'not settled'

const startMs = Date.UTC(2026, 2, 1)
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const faultsUntilMs = startMs + 40 * minuteMs
/** The store remembers 100,000 tokens: a thousand seconds at a hundred batches per second. */
const windowMs = 1_000_000
const batchesMax = 3
const rows = 10

/**
 * Runs the model once: a worker inserts some batches with the code of the product, and others
 * settle them after crashes, while everything fails that may. Returns how the outcome is wrong, or
 * undefined if each batch is on every replica exactly once.
 */
export async function runReplicas(seed: number, removal?: Removal): Promise<RunFault | undefined> {
  const random = randomFrom(seed)
  const replicas = random() < 0.8 ? 3 : 2
  const model = new ReplicaModel({
    random,
    replicas,
    windowMs,
    quorum: Math.floor(replicas / 2) + 1,
    lagMs: pick(random, [5, 200, 5_000, 60_000, 600_000]),
    faultsUntilMs,
    ...(removal?.windowMs !== undefined && { windowMs: removal.windowMs }),
    ...(removal?.quorum !== undefined && { quorum: removal.quorum }),
  })
  const { time } = model
  const servers = model.replicas.map((replica) => removal?.wrap?.(replica, model) ?? replica)
  failServers(model)
  const settled = new Set<string>()
  let batches = 0
  const workAll = async (): Promise<void> => {
    for (; batches < batchesMax;) {
      const batchId = `bat_${Math.floor(time.nowMs).toString(36).padStart(9, '0')}${batches++}`
      const batch = { batchId, rows }
      await work({ model, servers, removal, batch, settled })
      await time.sleep(random() * 5_000)
    }
  }
  const untilMs = faultsUntilMs + 6 * hourMs
  let isOver = false
  void workAll().then(() => (isOver = true))
  await time.run(() => isOver, untilMs)
  if (!isOver) return 'not settled'
  // Requests that are still under way arrive, and every replica fetches what the others have.
  await time.run(() => !model.hasFaults && model.isConverged, untilMs + 72 * hourMs)
  if (!model.isConverged) return 'not settled'
  for (const batchId of settled)
    for (const replica of model.replicas) {
      const stored = replica.stored(batchId).rows
      if (stored !== rows) return stored > rows ? 'twice' : 'lost'
    }
  const isRewritten = model.doubled === 0 && model.log.some((entry) => 'deletion' in entry)
  return isRewritten ? 'rewritten' : undefined
}

type Work = {
  model: ReplicaModel
  servers: readonly Replica<ModelBatch>[]
  removal: Removal | undefined
  batch: ModelBatch
  settled: Set<string>
}

/**
 * Stores a batch as ingest does. A worker may be killed at any time, and the next one starts sooner
 * or later, also while the former is only suspended.
 */
async function work(given: Work): Promise<void> {
  const { model, batch, settled } = given
  const { time } = model
  const settle = async (pin: ServerPin): Promise<void> => {
    while (!settled.has(batch.batchId)) {
      const { index } = pin
      try {
        await settleReplicated(seenFrom(given, pin), batch)
        settled.add(batch.batchId)
      } catch (error) {
        if (error instanceof Killed) return
        pin.failed(index)
        await time.sleep(model.between(100, 5_000))
      }
    }
  }
  const first = async (): Promise<void> => {
    const pin = new ServerPin(given.servers.length)
    const replicas = seenFrom(given, pin)
    try {
      await insertReplicated(replicas, batch)
      await replicas.pinned.catchUp()
      const found = await replicas.pinned.count(batch.batchId)
      if (found.rows === rows && !found.isChanging) return void settled.add(batch.batchId)
    } catch (error) {
      if (error instanceof Killed) return
      // Otherwise the outcome is unknown.
    }
    await settle(pin)
  }
  const start = async (worker: Promise<void>): Promise<void> => {
    model.underWay++
    await worker.finally(() => model.underWay--)
  }
  const isSettled = async (worker: Promise<void>): Promise<void> => {
    await start(worker)
    if (!settled.has(batch.batchId)) await new Promise(() => undefined)
  }
  const others = async (): Promise<void> => {
    while (!settled.has(batch.batchId)) {
      await time.sleep(model.between(0, pick(model.options.random, [0.1, 30])) * minuteMs)
      if (!settled.has(batch.batchId)) void start(settle(new ServerPin(given.servers.length)))
    }
  }
  await Promise.race([isSettled(first()), others()])
}

/** The servers of the model as the product sees those of a store. */
function seenFrom({ model, servers, removal, batch }: Work, pin: ServerPin): Replicas<ModelBatch> {
  const replicas: Replicas<ModelBatch> = {
    pinned: servers[pin.index] as Replica<ModelBatch>,
    all: servers,
    majority: model.majority,
    nowMs: () => model.time.nowMs,
  }
  return removal?.see?.(replicas, batch, model) ?? replicas
}

/** Servers stop and start. One may lose its disk, and another be missing for hours. */
function failServers(model: ReplicaModel): void {
  const { random } = model.options
  const { time, replicas } = model
  const one = () => pick(random, replicas)
  const [missing, weak] = [random() < 0.2 ? one() : undefined, random() < 0.3 ? one() : undefined]
  if (missing !== undefined && replicas.length > 2)
    void missing.fail(faultsUntilMs - time.nowMs + 12 * hourMs, { isDiskLost: false })
  const failAgain = async (): Promise<void> => {
    while (time.nowMs < faultsUntilMs) {
      await time.sleep(model.between(0, 4) * minuteMs)
      await one().fail(model.between(0.05, 3) * minuteMs, { isDiskLost: false })
    }
  }
  const loseDisk = async (server: ModelReplica): Promise<void> => {
    await time.sleep(model.between(0, 35) * minuteMs)
    await server.fail(model.between(1, 10) * minuteMs, { isDiskLost: true })
  }
  if (weak !== undefined && missing === undefined) void loseDisk(weak)
  void failAgain()
}
