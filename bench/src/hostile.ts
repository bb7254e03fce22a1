import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey } from '@everscan/server/catalogue/organizations/api-keys.ts'
import { createOrganization } from '@everscan/server/catalogue/organizations/organizations.ts'
import { systemOrigin } from '@everscan/server/catalogue/rows/change-origins.ts'
import { openDatabase } from '@everscan/server/db/open-database.ts'
import { createLog } from '@everscan/server/log.ts'
import type { Service } from '@everscan/server/test/support/service.ts'
import sharp from 'sharp'
import { startServiceWithCodes } from './filled-service.ts'
import { median, quantile, rounded } from './figures.ts'
import type { HostileOrder, HostileResult } from './hostile-neighbour.ts'

const codes = 20_000
const reads = { quick: 200, full: 600 }
const rounds = { quick: 1, full: 3 }
/** Between two requests of the calm tenant. */
const pauseMs = 20
/** Before the measurement, so that queues and budgets are as full as they get. */
const begunMs = 3_000

/**
 * Compares a tenant's reads and redirects beside a hostile tenant with the same beside a calm one.
 * The hostile tenant sends unreadable styles with and without leaving, guesses passwords and keys,
 * and opens event streams and idle connections without end. `get` and `redirect` are ratios of the
 * 95th percentiles.
 */
export async function benchHostile({ quick }: { quick: boolean }): Promise<object> {
  const size = quick ? 'quick' : 'full'
  const { service, orgId, redirects } = await startServiceWithCodes(codes, { RATE_LIMIT_PER_MINUTE: '6000' })
  try {
    const hostile = await secondTenant(service)
    const results: { calm: Measured; beside: Measured }[] = []
    let answers: HostileResult = {}
    for (let round = 0; round < rounds[size]; round++) {
      const work = { service, orgId, redirects, count: reads[size] }
      const calm = await measure(work)
      const neighbour = fork(join(import.meta.dirname, 'hostile-neighbour.ts'), { stdio: 'inherit' })
      neighbour.send({ port: service.port, ...hostile } satisfies HostileOrder)
      await sleep(begunMs)
      const beside = await measure(work)
      neighbour.send('end')
      ;[answers] = (await once(neighbour, 'message')) as [HostileResult]
      results.push({ calm, beside })
      console.log(`${round + 1} calm ${line(calm)}; hostile ${line(beside)}`)
      await sleep(begunMs)
    }
    const of = (value: (one: (typeof results)[number]) => number) => rounded(median(results.map(value)))
    return {
      get: of(({ calm, beside }) => beside.getMs / calm.getMs),
      redirect: of(({ calm, beside }) => beside.redirectMs / calm.redirectMs),
      getP95Ms: { calm: of(({ calm }) => calm.getMs), hostile: of(({ beside }) => beside.getMs) },
      redirectP95Ms: {
        calm: of(({ calm }) => calm.redirectMs),
        hostile: of(({ beside }) => beside.redirectMs),
      },
      errors: results.reduce((sum, { calm, beside }) => sum + calm.errors + beside.errors, 0),
      answers,
      rounds: rounds[size],
    }
  } finally {
    await service.remove()
  }
}

async function secondTenant({ dataDir }: Service): Promise<Omit<HostileOrder, 'port'>> {
  const log = createLog({ level: 'silent', role: 'bench' })
  const db = await openDatabase({ dataDir, role: 'writer', log })
  const { id: orgId } = await createOrganization(db, { name: 'Hostile' })
  const { value } = await createApiKey(db, orgId, { name: 'Hostile', role: 'ADMIN', origin: systemOrigin })
  await db.close()
  const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#1E3A8A' } })
  const logo = `data:image/png;base64,${(await picture.png().toBuffer()).toString('base64')}`
  return { orgId, apiKey: value, logo }
}

type Measured = { getMs: number; redirectMs: number; errors: number }

/** Reads and scans in turn, as one client, and returns the 95th percentiles. */
async function measure({
  service: { baseUrl, apiKey },
  orgId,
  redirects,
  count,
}: {
  service: Service
  orgId: string
  redirects: readonly string[]
  count: number
}): Promise<Measured> {
  const gets: number[] = []
  const scans: number[] = []
  let errors = 0
  const timed = async (times: number[], path: string, status: number): Promise<void> => {
    const fromMs = performance.now()
    const headers = { 'x-api-key': apiKey, 'user-agent': 'Mozilla/5.0 (iPhone) Safari/604.1' }
    try {
      const answer = await fetch(baseUrl + path, { headers, redirect: 'manual' })
      await answer.arrayBuffer()
      if (answer.status !== status) errors++
    } catch {
      errors++
    }
    times.push(performance.now() - fromMs)
  }
  for (let i = 0; i < count; i++) {
    await timed(gets, `/api/v1/organizations/${orgId}/qr-codes?limit=20&page=${1 + (i % 50)}`, 200)
    await timed(scans, `/${redirects[i % redirects.length]}`, 302)
    await sleep(pauseMs)
  }
  return { getMs: quantile(gets, 0.95), redirectMs: quantile(scans, 0.95), errors }
}

function line({ getMs, redirectMs, errors }: Measured): string {
  return `GET ${getMs.toFixed(1)} ms, redirect ${redirectMs.toFixed(1)} ms, ${errors} errors`
}
