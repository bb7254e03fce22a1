import { access, constants, stat } from 'node:fs/promises'
import type { Config } from '../settings/settings.ts'

type BackupSettings = Pick<Config, 'backupDir' | 'backupPassphraseFile'>

/** Returns why scheduled copies, if any, cannot be made now, with a remedy. */
export async function backupProblem({
  backupDir,
  backupPassphraseFile,
}: BackupSettings): Promise<string | undefined> {
  if (backupDir === undefined) return undefined
  const found = await stat(backupDir).catch(() => undefined)
  if (found === undefined)
    return `BACKUP_DIR ${backupDir} does not exist: mount or create it, for the user of the service`
  if (!found.isDirectory()) return `BACKUP_DIR ${backupDir} is not a folder: set it to a folder`
  if (!(await mayAccess(backupDir, constants.W_OK | constants.X_OK | constants.R_OK)))
    return `BACKUP_DIR ${backupDir} cannot be written by the user of the service: let that user write it`
  if (backupPassphraseFile !== undefined && !(await mayAccess(backupPassphraseFile, constants.R_OK)))
    return `BACKUP_PASSPHRASE_FILE ${backupPassphraseFile} cannot be read: no copies are made until it can, because they would not be encrypted`
  return undefined
}

/** Returns warnings about copies, a sentence each, for a service that runs nevertheless. */
export async function backupWarnings(settings: BackupSettings & Pick<Config, 'dataDir'>): Promise<string[]> {
  const problem = await backupProblem(settings)
  if (problem !== undefined) return [`${problem}; no copies are made until then`]
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
