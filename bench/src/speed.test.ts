// Checks that a change doesn't make redirects or analytics much slower: ratios to baselines in the
// same run, with a tolerance of a fifth below the aims. Other work on the machine makes rounds
// slower, never faster, so the best rounds of both sides are compared. They are compared by the
// clock and by processor time, which agree if a side has a core for itself. A miss is measured
// again before it counts.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { guarded } from './aims.ts'
import { askService, organizationId, withStore } from './analytics.ts'
import { cpuMs } from './load/cores.ts'
import { fillScans, readScans, settleScans } from './fill-scans.ts'
import { openPlainSqlite } from './plain-scans.ts'
import { withServers } from './redirects/redirect.ts'

const allowance = 0.8
/** The aim of analytics is for two cores. The engine uses both, SQLite one. */
const engineCores = 2
const attemptsMax = 3

/** The cost of some work by the clock and by processor time, in the same unit for both sides. */
type Cost = { clock: number; processor: number }
type Pair = { ours: Cost; baseline: Cost }

type Guard = { atLeast: number; rounds: number; measurePair: () => Promise<Pair> }

async function assertRatio(context: TestContext, { atLeast, rounds, measurePair }: Guard): Promise<void> {
  const pairs: Pair[] = []
  let ratio = 0
  for (let attempt = 0; attempt < attemptsMax && ratio < atLeast; attempt++) {
    for (let round = 0; round < rounds; round++) pairs.push(await measurePair())
    const best = (side: keyof Pair, kind: keyof Cost) => Math.min(...pairs.map((pair) => pair[side][kind]))
    const by = (kind: keyof Cost) => best('baseline', kind) / best('ours', kind)
    ratio = Math.max(by('clock'), by('processor'))
    context.diagnostic(
      `${by('clock').toFixed(3)} by the clock, ${by('processor').toFixed(3)} by processor time; at least ${atLeast}`,
    )
  }
  assert.ok(ratio >= atLeast, `${ratio}`)
}

test('redirects reach their aim relative to a bare server', (context) =>
  withServers(async ({ measure }) => {
    const measureSide = async (side: 'ours' | 'baseline'): Promise<Cost> => {
      const { requestsPerSecond, cpuUsPerRequest, errors } = await measure(side, 0.6)
      assert.equal(errors, 0)
      return { clock: 1e6 / requestsPerSecond, processor: cpuUsPerRequest }
    }
    // Exclude the compilation during the first requests.
    for (const side of ['baseline', 'ours'] as const) await measureSide(side)
    await assertRatio(context, {
      atLeast: guarded.redirect.aim.atLeast * allowance,
      rounds: 5,
      measurePair: async () => ({ baseline: await measureSide('baseline'), ours: await measureSide('ours') }),
    })
  }))

// Two million rows are written first.
if (hasVariants)
  test('analytics of an organization reach their aim relative to SQLite', async (context) => {
    const scans = 2_000_000
    // SQLite's time grows at least linearly with its rows, so it gets a twentieth of them and its
    // time counts twentyfold.
    const share = 20
    const dir = mkdtempSync(join(tmpdir(), 'everscan-bench-'))
    const plain = openPlainSqlite(join(dir, 'scans.sqlite'))
    try {
      await withStore(async (store, enginePid) => {
        await fillScans(store, organizationId, { to: scans / share })
        for await (const rows of readScans(store)) await plain.insert(rows)
        await plain.finish()
        await fillScans(store, organizationId, { from: scans / share, to: scans })
        await settleScans(store)
        const ask = () => askService(store, { name: 'organization' })
        await ask()
        await assertRatio(context, {
          atLeast: guarded.analytics.aim.atLeast * allowance,
          rounds: 3,
          measurePair: async () => {
            const baseline = await costOf(() => plain.breakdowns(), ownMs)
            const ours = await costOf(ask, () => cpuMs(enginePid))
            return {
              baseline: { clock: baseline.clock * share, processor: baseline.processor * share },
              ours: { ...ours, processor: ours.processor / engineCores },
            }
          },
        })
      })
    } finally {
      await plain.close()
      rmSync(dir, { recursive: true, force: true })
    }
  })

const ownMs = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000

async function costOf(work: () => Promise<unknown>, processorMs: () => number): Promise<Cost> {
  const from = { clock: performance.now(), processor: processorMs() }
  await work()
  return { clock: performance.now() - from.clock, processor: processorMs() - from.processor }
}
