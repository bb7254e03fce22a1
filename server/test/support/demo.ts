import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { createClient, type Client } from '@everscan/client/create-client.ts'
import { findDemo } from '../../src/catalogue/installation/demo-organizations.ts'
import { silentLog } from '../../src/db/testing/databases.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { readDemoPlan, type DemoPlan } from '../../src/demo/demo-plan.ts'
import { demoLedger, type LedgerHit } from '../../src/demo/testing/demo-ledger.ts'
import { inherited, until, type Service } from './service.ts'

export type Environment = Readonly<Record<string, string>>
export type Ran = { code: number; output: string; errors: string }

/** Runs a command of the operator beside a service, or after its end. */
export function everscan(
  service: Pick<Service, 'dataDir' | 'port'>,
  env: Environment,
  ...words: string[]
): Promise<Ran> {
  const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
  const settings = { DATA_DIR: service.dataDir, PORT: String(service.port), HOST: '127.0.0.1', ...env }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [main, ...words],
      { env: { ...inherited(), ...settings } },
      (error, output, errors) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, output, errors }),
    )
    child.stdin?.end()
  })
}

/** The demo of a service, as its catalogue describes it, and its ledger. */
export type Demo = { orgId: string; plan: DemoPlan; ledger: readonly LedgerHit[] }

/** Returns the demo of a catalogue, or undefined if there is none. */
export async function readDemo(
  service: Pick<Service, 'dataDir'>,
  env: Environment,
): Promise<Demo | undefined> {
  const databaseUrl = env['DATABASE_URL']
  const options = { databaseUrl, dataDir: service.dataDir, log: silentLog }
  const db = await openDatabase({ ...options, role: 'writer' })
  try {
    const found = await findDemo(db)
    if (found === undefined) return undefined
    const plan = readDemoPlan(found.plan)
    return { orgId: found.id, plan, ledger: demoLedger(plan) }
  } finally {
    await db.close()
  }
}

/** Returns the demo of a service, which must have one. */
export async function requireDemo(service: Pick<Service, 'dataDir'>, env: Environment): Promise<Demo> {
  const demo = await readDemo(service, env)
  assert.ok(demo !== undefined, 'there is a demo')
  return demo
}

/** Returns a client with a new ADMIN key of the demo. */
export async function demoClient(service: Service, env: Environment, orgId: string): Promise<Client> {
  const words = ['keys', 'create', 'Test', '--role', 'ADMIN', '--organization', orgId, '--json']
  const { code, output, errors } = await everscan(service, env, ...words)
  assert.equal(code, 0, errors)
  return createClient({ baseUrl: service.baseUrl, apiKey: JSON.parse(output).key })
}

/** Waits until every hit of the demo is in the figures, and none is still in a journal. */
export async function untilIngested(client: Client, { orgId, plan, ledger }: Demo): Promise<number> {
  const period = wholeDemo(plan)
  const scans = ledger.filter(({ isBot }) => !isBot).length
  return await until(
    'the demo is in the figures',
    async () => {
      const { summary } = await client.analytics.ofOrganization(orgId, period)
      if (summary.totalScans + summary.botScans < ledger.length) return false
      const { data } = await client.qrCodes.list(orgId, { limit: 100 })
      const uniques = data.reduce((sum, code) => sum + code.uniqueScans, 0)
      return (
        data.reduce((sum, code) => sum + code.totalScans, 0) >= scans &&
        uniques >= ledger.filter(({ isUnique }) => isUnique).length
      )
    },
    60_000,
  )
}

function dateOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

/** The period of a demo and of today. */
export function wholeDemo({ startMs }: DemoPlan): { startDate: string; endDate: string } {
  return { startDate: dateOf(startMs), endDate: dateOf(Date.now()) }
}
