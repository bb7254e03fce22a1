import { access, constants, stat } from 'node:fs/promises'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { Config } from '../settings/settings.ts'

type BackupSettings = Pick<Config, 'backupDir' | 'backupPassphraseFile'>

/** Returns why scheduled copies, if any, cannot be made now, with a remedy. */
export async function backupProblem({
  backupDir: dir,
  backupPassphraseFile,
}: BackupSettings): Promise<Problem | undefined> {
  if (dir === undefined) return undefined
  const found = await stat(dir).catch(() => undefined)
  if (found === undefined) return problem('backupDirMissing', { dir })
  if (!found.isDirectory()) return problem('backupDirNoFolder', { dir })
  if (!(await mayAccess(dir, constants.W_OK | constants.X_OK | constants.R_OK)))
    return problem('backupDirUnwritable', { dir })
  if (backupPassphraseFile !== undefined && !(await mayAccess(backupPassphraseFile, constants.R_OK)))
    return problem('passphraseFileUnreadable', { path: backupPassphraseFile })
  return undefined
}

/** Returns warnings about copies, a sentence each, for a service that runs nevertheless. */
export async function backupWarnings(settings: BackupSettings & Pick<Config, 'dataDir'>): Promise<string[]> {
  const wrong = await backupProblem(settings)
  if (wrong !== undefined) return [`${wrong.message}; no copies are made until then`]
  const { backupDir, dataDir } = settings
  if (backupDir === undefined || !(await onSameDisk(backupDir, dataDir))) return []
  return [
    `BACKUP_DIR ${backupDir} is on the same disk as DATA_DIR: the copies are lost with that disk. Set it to a folder on another disk or machine`,
  ]
}

/** Whether two folders are on the same file system; false if either does not exist. */
export async function onSameDisk(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)))
  return first !== undefined && first.dev === second?.dev
}

async function mayAccess(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}
