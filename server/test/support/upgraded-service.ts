import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inherited, startService, until, type Service } from './service.ts'

const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')

/**
 * Starts a service on a data directory of an earlier release, as its operator does: the first start
 * upgrades the catalogue, and `upgrade-store` makes files of the scans.
 */
export async function startUpgraded(env: Readonly<Record<string, string>>): Promise<Service> {
  const service = await startOld(env)
  await service.stop()
  await upgradeStore({ ...env, DATA_DIR: service.dataDir })
  await service.restart()
  return service
}

/** Starts a service on the embedded scan store of an earlier release, which it does not open. */
export async function startOld(env: Readonly<Record<string, string>>): Promise<Service> {
  const service = await startService(env, { wait: false })
  await untilOldIsTold(service)
  return service
}

export async function untilOldIsTold(service: Service): Promise<void> {
  const problem = async () => (await service.readiness()).parts['scanStore']?.problem
  await until('the old scan store is told', async () => (await problem().catch(() => '')) === 'scanStoreOld')
}

/** Runs the command, and returns what it printed. */
export async function upgradeStore(env: Readonly<Record<string, string>>): Promise<unknown> {
  const words = [main, 'upgrade-store', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: { ...inherited(), ...env } })
  return JSON.parse(stdout)
}
