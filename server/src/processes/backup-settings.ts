import { access, constants, stat } from 'node:fs/promises'
import type { Config } from '../config.ts'

type BackupSettings = Pick<Config, 'backupDir' | 'backupPassphraseFile'>

/** Why the settings allow no scheduled copies now, in a sentence that says what to do; undefined: they do, or ask for none. */
export async function backupProblem({
  backupDir,
  backupPassphraseFile,
}: BackupSettings): Promise<string | undefined> {
  if (backupDir === undefined) return undefined
  const found = await stat(backupDir).catch(() => undefined)
  if (found === undefined)
    return `BACKUP_DIR ${backupDir} does not exist: mount it or make it, for the user of the service`
  if (!found.isDirectory()) return `BACKUP_DIR ${backupDir} is not a folder: set it to one`
  if (!(await mayAccess(backupDir, constants.W_OK | constants.X_OK | constants.R_OK)))
    return `BACKUP_DIR ${backupDir} cannot be written by the user of the service: give it to that user`
  if (backupPassphraseFile !== undefined && !(await mayAccess(backupPassphraseFile, constants.R_OK)))
    return `BACKUP_PASSPHRASE_FILE ${backupPassphraseFile} cannot be read: no copies are made before it can, as they would not be encrypted`
  return undefined
}

/** What an operator should change about the copies although the service runs: a sentence each. */
export async function backupWarnings(settings: BackupSettings & Pick<Config, 'dataDir'>): Promise<string[]> {
  const problem = await backupProblem(settings)
  if (problem !== undefined) return [`${problem}; nothing is copied before that`]
  const { backupDir, dataDir } = settings
  if (backupDir === undefined || !(await onSameDisk(backupDir, dataDir))) return []
  return [
    `BACKUP_DIR ${backupDir} is on the same disk as DATA_DIR: copies there are lost with it. Set it to a folder on another disk or machine`,
  ]
}

/** Whether two folders are on one file system; false when either is not there. */
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
