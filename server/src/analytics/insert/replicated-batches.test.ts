import { testSeed } from '@everscan/contract/testing/random.ts'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runReplicas, type Removal } from '../testing/replica-runs.ts'
import { periodMs, sendingMs } from './replicated-batches.ts'

const isSoak = process.env['SOAK'] === '1'
const firstSeed = testSeed()
const runs = isSoak ? 60_000 : 150
/** Without one of the remedies, the model finds a fault within so many runs. */
const runsMax = isSoak ? 10_000 : 2_000

const all = Object.assign([], { includes: () => true })

type Remedy = Removal & {
  /** The faults that the model may find without it. */
  faults: readonly string[]
  /** A run that is known to find one, which `npm test` tries first. */
  knownRun: number
}

/** The parts of the protocol, and how each is taken out. */
const remedies: readonly Remedy[] = [
  { name: 'a quorum of inserts', knownRun: 1788, faults: ['lost'], quorum: 1 },
  {
    name: 'catching up before a count',
    knownRun: 10,
    faults: ['twice', 'lost'],
    wrap: (replica) => ({ ...callsOf(replica), catchUp: async () => undefined }),
  },
  {
    name: 'the same token for the same rows',
    knownRun: 2,
    faults: ['twice', 'rewritten'],
    wrap: (replica, model) => ({
      ...callsOf(replica),
      insert: (batch, token) => replica.insert(batch, `${token} ${model.options.random()}`),
    }),
  },
  {
    name: 'one server until the batch is settled',
    knownRun: 72,
    faults: ['twice', 'lost'],
    see: (replicas, _batch, model) => {
      const any = () =>
        replicas.all[Math.floor(model.options.random() * replicas.all.length)] ?? replicas.pinned
      return {
        ...replicas,
        pinned: {
          insert: (...call) => any().insert(...call),
          count: (...call) => any().count(...call),
          catchUp: () => any().catchUp(),
          remove: (...call) => any().remove(...call),
        },
      }
    },
  },
  {
    name: 'a memory of tokens longer than requests are late',
    knownRun: 3,
    faults: ['twice', 'rewritten'],
    windowMs: 20_000,
  },
  {
    name: 'no trust in tokens of old batches',
    knownRun: 9,
    faults: ['twice', 'rewritten'],
    see: (replicas, { batchId }) => ({ ...replicas, nowMs: () => Number.parseInt(batchId.slice(4, 13), 36) }),
  },
  {
    name: 'a new count after a suspension',
    knownRun: 71,
    faults: ['twice', 'lost', 'rewritten'],
    see: (replicas) => {
      const nowMs = replicas.nowMs()
      return { ...replicas, nowMs: () => nowMs }
    },
  },
  {
    name: 'new tokens in each period',
    knownRun: 7681,
    faults: ['twice', 'lost', 'rewritten'],
    wrap: (replica) => ({
      ...callsOf(replica),
      insert: (batch, token) => replica.insert(batch, token.replace(/\/p\d+/, '')),
    }),
  },
  {
    name: 'a time between periods in which nothing is sent',
    knownRun: 2654,
    faults: ['twice', 'lost', 'rewritten'],
    see: (replicas, { batchId }) => ({
      ...replicas,
      nowMs: () => {
        const createdMs = Number.parseInt(batchId.slice(4, 13), 36)
        const ageMs = replicas.nowMs() - createdMs
        const inPeriodMs = ageMs % periodMs
        return createdMs + ageMs - inPeriodMs + (inPeriodMs * sendingMs) / periodMs
      },
    }),
  },
  {
    name: 'counts on a majority',
    knownRun: 30,
    faults: ['twice', 'lost'],
    see: (replicas) => ({ ...replicas, all: [replicas.pinned], majority: 1 }),
  },
  {
    name: 'parts that a deletion names',
    knownRun: 71,
    faults: ['lost'],
    wrap: (replica) => ({ ...callsOf(replica), remove: (batchId) => replica.remove(batchId, all) }),
  },
  {
    name: 'no count during a deletion',
    knownRun: 138,
    faults: ['lost'],
    wrap: (replica) => ({
      ...callsOf(replica),
      count: async (batchId) => ({ ...(await replica.count(batchId)), isChanging: false }),
    }),
  },
]

function callsOf<Calls extends { insert: unknown; count: unknown; catchUp: unknown; remove: unknown }>(
  replica: Calls,
): Calls {
  const bound = (name: 'insert' | 'count' | 'catchUp' | 'remove') =>
    (replica[name] as (...call: unknown[]) => unknown).bind(replica)
  return {
    insert: bound('insert'),
    count: bound('count'),
    catchUp: bound('catchUp'),
    remove: bound('remove'),
  } as Calls
}

describe('batches in a store of two or three replicas', () => {
  it(`are on every replica exactly once, in ${runs} runs of the model`, async () => {
    for (let seed = firstSeed; seed < firstSeed + runs; seed++)
      assert.equal(await runReplicas(seed), undefined, `SEED=${seed}`)
  })

  for (const { faults, knownRun, ...removal } of remedies)
    it(`need ${removal.name}`, async () => {
      const tries = Array.from({ length: runsMax }, (_, index) => index + 1)
      for (const run of isSoak ? tries : [knownRun, ...tries]) {
        const fault = await runReplicas(run, removal)
        if (fault === undefined) continue
        console.log(`without ${removal.name}: ${fault} in run ${run}`)
        assert.ok(faults.includes(fault), `${fault} in run ${run}`)
        return
      }
      assert.fail(`no fault in ${runsMax} runs`)
    })
})
