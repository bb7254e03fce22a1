import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@everscan/server/db/open-database.ts'
import { createLog } from '@everscan/server/log.ts'
import { fillStore } from '@everscan/server/test/support/filled-store.ts'
import { startService, type Service } from '@everscan/server/test/support/service.ts'
import { sql } from 'kysely'
import { fillCatalogue, filledRedirects } from './fill-catalogue.ts'
import { fillScans } from './fill-scans.ts'

export type FilledService = {
  service: Service
  orgId: string
  /** Short codes that redirect to a link. */
  redirects: readonly string[]
}

const log = createLog({ level: 'silent', role: 'bench' })

/** Starts a service and returns its first organization. */
export async function startBenchService(
  env: Readonly<Record<string, string>> = {},
): Promise<{ service: Service; orgId: string }> {
  const service = await startService({ LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '0', ...env })
  const [organization] = await service.client().organizations.listMine()
  if (organization === undefined) throw new Error('the service has no organization')
  return { service, orgId: organization.id }
}

/** Starts a service and adds this number of codes. */
export async function startServiceWithCodes(
  codes: number,
  env: Readonly<Record<string, string>> = {},
): Promise<FilledService> {
  const { service, orgId } = await startBenchService(env)
  return { service, orgId, redirects: await addCodes(service, orgId, { codes, env }) }
}

/** Writes codes into the catalogue of a running service. Returns those that redirect. */
export async function addCodes(
  { dataDir }: Service,
  orgId: string,
  { codes, env = {} }: { codes: number; env?: Readonly<Record<string, string>> },
): Promise<string[]> {
  const fromMs = performance.now()
  const db = await openDatabase({ databaseUrl: env['DATABASE_URL'], dataDir, role: 'writer', log })
  await fillCatalogue(db, orgId, { to: codes })
  // A catalogue that grew to this size over years has statistics too.
  await sql`analyze`.execute(db.kysely)
  const redirects = await filledRedirects(db)
  await db.close()
  // SQLite blocked this thread, which only now notices connections that the service closed.
  await sleep(1_000)
  console.log(`${codes} codes were written in ${Math.round((performance.now() - fromMs) / 1000)} s`)
  return redirects
}

/** Writes scans into the files of a service without scans, which it restarts. */
export async function addScans(
  service: Service,
  orgId: string,
  scans: number,
  codes?: number,
): Promise<void> {
  const fromMs = performance.now()
  await service.stop()
  await fillStore({ DATA_DIR: service.dataDir }, (store) =>
    fillScans(store, orgId, { to: scans, ...(codes !== undefined && { codes }) }),
  )
  await service.restart()
  console.log(`${scans} scans were written in ${Math.round((performance.now() - fromMs) / 1000)} s`)
}
