import {
  accessSync,
  constants,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  statfsSync,
  chmodSync,
} from 'node:fs'
import { join } from 'node:path'
import { writeProblem } from '../write-problem.ts'
import { openDirectoryWarning } from '../processes/start-warnings.ts'
import { findProblem } from '../problems/parts.ts'
import { diskFacts, isNearlyFull, readDiskRoom, type DiskRoom } from '../processes/disk-room.ts'
import { bytesText, countText, quoted, someOf } from '../amounts.ts'
import { failed, naming, notice, ok, unknown, warning, type CheckGroup, type Finding } from './check.ts'
import { CannotTell } from './cannot-tell.ts'
import { startFirst, type DoctorContext } from './context.ts'
import { judgeSyncTimes, measureSyncMs } from './sync-times.ts'

const freeShareMin = 0.1
const freeBytesEnough = 20 * 1024 ** 3
const inodesFreeShareMin = 0.05
const room = 'free space on it, enlarge it, or limit the age of scans with RETENTION_DAYS'

/**
 * Network file systems: locks, fsync and rename, which SQLite and the journal need, are not as
 * reliable there as on a disk.
 */
const networkTypes =
  /^(nfs4?|cifs|smb3?|smbfs|9p|afs|ceph|glusterfs|lustre|fuse\.(sshfs|s3fs|glusterfs|rclone|gcsfuse))$/
const memoryTypes = /^(tmpfs|ramfs)$/

/** A file that is still being written changes within this time. */
const leftoverMsMin = 3_600_000

export const dataDirChecks: CheckGroup = {
  title: 'Data directory',
  checks: [
    { name: 'data.there', title: 'DATA_DIR', run: ({ config }) => judgeDirectory(config.dataDir) },
    {
      name: 'data.mode',
      title: 'Permissions of DATA_DIR',
      run: ({ config }) => judgeMode(needDir(config.dataDir)),
      fix: ({ config: { dataDir } }) => {
        chmodSync(dataDir, 0o700)
        return `chmod 700 ${quoted(dataDir)}`
      },
    },
    {
      name: 'data.owner',
      title: 'Owner of the files in DATA_DIR',
      run: ({ config }) => judgeOwners(needDir(config.dataDir)),
    },
    {
      name: 'data.room',
      title: 'Free space',
      run: async ({ config: { dataDir } }) =>
        judgeRoom(await readDiskRoom([needDir(dataDir), join(dataDir, 'journal'), join(dataDir, 'scans')])),
    },
    {
      name: 'data.inodes',
      title: 'Free inodes',
      run: ({ config }) => {
        const { files, ffree } = statfsSync(needDir(config.dataDir))
        return judgeInodes(files, ffree)
      },
    },
    {
      name: 'data.file-system',
      title: 'File system',
      run: ({ config }) => judgeFileSystem(fileSystemOf(needDir(config.dataDir), mounts())),
    },
    {
      name: 'data.fsync',
      title: 'Time of a flush to disk',
      run: async ({ config }, signal) =>
        judgeSyncTimes(await measureSyncMs(needWritableDir(config.dataDir), signal)),
    },
    {
      name: 'data.leftovers',
      title: 'Leftover files',
      run: (context) => judgeLeftovers(leftovers(context), context.config.dataDir),
      fix: (context) => {
        const names = leftovers(context)
        for (const name of names) rmSync(join(context.config.dataDir, name), { force: true })
        return `removed ${someOf(names)}`
      },
    },
  ],
}

function needDir(dataDir: string): string {
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true) return dataDir
  throw new CannotTell(`there is no directory ${dataDir}`, startFirst)
}

function needWritableDir(dataDir: string): string {
  try {
    accessSync(needDir(dataDir), constants.W_OK | constants.X_OK)
    return dataDir
  } catch (error) {
    if (error instanceof CannotTell) throw error
    throw new CannotTell(`${dataDir} cannot be written`, writeProblem(dataDir, error), { cause: error })
  }
}

export function judgeDirectory(dataDir: string): Finding {
  const stats = statSync(dataDir, { throwIfNoEntry: false })
  if (stats === undefined)
    return failed(
      `there is no ${dataDir}`,
      'set DATA_DIR to that of the service; for a new installation: ./everscan start',
    )
  if (!stats.isDirectory()) return failed(`${dataDir} is not a directory`, 'set DATA_DIR to a directory')
  const user = process.getuid?.()
  // A file system that is mounted read-only refuses root, too.
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    return failed(
      `${dataDir} cannot be written, so the service neither starts nor records scans`,
      writeProblem(dataDir, error),
    )
  }
  if (user !== undefined && stats.uid !== user)
    return notice(
      `${dataDir} belongs to user ${stats.uid}, and this command runs as user ${user}`,
      'run ./everscan as the user of the service, so that it sees what the service sees',
    )
  return ok(dataDir)
}

export function judgeMode(dataDir: string): Finding {
  const problem = openDirectoryWarning(dataDir)
  if (problem === undefined) return ok('only the user of the service can access it')
  const [, says = problem] = /^DATA_DIR: (.*): chmod /s.exec(problem) ?? []
  return warning(says, `chmod 700 ${quoted(dataDir)}`)
}

/**
 * Finds files of another owner: a command that was run as root leaves files that the service cannot
 * read.
 */
export function judgeOwners(dataDir: string): Finding {
  const { uid, gid } = statSync(dataDir)
  const folders = ['.', 'run', 'journal', 'scans']
  const foreign = folders.flatMap((folder) =>
    entriesOf(join(dataDir, folder))
      .map((name) => join(folder, name))
      .filter((name) => {
        const stats = statSync(join(dataDir, name), { throwIfNoEntry: false })
        return stats !== undefined && stats.uid !== uid
      }),
  )
  if (foreign.length === 0) return ok(`all files belong to user ${uid}`)
  return warning(
    `${countText(foreign.length, 'file')} of another user: ${someOf(foreign)}`,
    `chown -R ${uid}:${gid} ${quoted(dataDir)}`,
  )
}

export function judgeRoom(disk: DiskRoom | undefined): Finding {
  if (disk === undefined) return unknown('the file system does not report its size', 'check it with df')
  const { freeBytes, sizeBytes } = disk
  const says = `${bytesText(freeBytes)} of ${bytesText(sizeBytes)} are free on the fullest disk`
  if (isNearlyFull(disk))
    return naming(
      failed(`${says}: once it is full, changes are refused and scans are lost`, room),
      findProblem('disk', diskFacts(disk)),
    )
  return freeBytes < Math.min(sizeBytes * freeShareMin, freeBytesEnough) ? warning(says, room) : ok(says)
}

export function judgeInodes(all: number, free: number): Finding {
  // Some file systems create inodes on demand.
  if (all === 0) return ok('this file system has no limit')
  const says = `${free} of ${all} inodes are free`
  if (free >= all * inodesFreeShareMin) return ok(says)
  return (free < all / 100 ? failed : warning)(
    `${says}: without a free inode no file can be created, even if there is space`,
    'remove small files that are not needed from this file system, or recreate it with more inodes',
  )
}

/** `type` is undefined if the operating system does not report it. */
export function judgeFileSystem(type: string | undefined): Finding {
  const disk = 'put DATA_DIR on a local disk (ext4, xfs, btrfs, zfs); in a container, on a volume'
  if (type === undefined) return unknown('this operating system does not report the type', disk)
  if (networkTypes.test(type))
    return warning(
      `${type} is a network file system: its locks and flushes are not as reliable as those of a disk`,
      disk,
    )
  if (memoryTypes.test(type))
    return failed(`${type} is in memory: a restart of the machine loses all data`, disk)
  if (type === 'overlay')
    return warning('overlay is the layer of the container: all data is lost with the container', disk)
  return ok(type)
}

/**
 * Returns the type of the file system of a path, which is that of its longest mount point. `table`
 * is /proc/self/mountinfo.
 */
export function fileSystemOf(path: string, table: string): string | undefined {
  const found = table
    .split('\n')
    .map((line) => {
      const [before = '', after = ''] = line.split(' - ')
      return { point: unescaped(before.split(' ')[4] ?? ''), type: after.split(' ')[0] ?? '' }
    })
    .filter(({ point }) => point === '/' || path === point || path.startsWith(`${point}/`))
    .filter(({ point, type }) => point !== '' && type !== '')
  // A later mount on the same point hides the earlier one.
  return found.toSorted((a, b) => a.point.length - b.point.length).at(-1)?.type
}

function unescaped(point: string): string {
  return point.replaceAll(/\\(\d{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}

function mounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}

/**
 * Returns unfinished files of processes that ended, and sockets of a service that does not run, as
 * paths below DATA_DIR.
 */
function leftovers({ config: { dataDir }, isRunning, nowMs }: DoctorContext): string[] {
  const inRun = entriesOf(join(needDir(dataDir), 'run')).map((name) => join('run', name))
  const stale = isRunning ? [] : inRun.filter((name) => name.endsWith('.sock'))
  // `next.tmp` of a journal is not a leftover: the front uses it again.
  const unfinished = [...entriesOf(dataDir), ...inRun].filter(
    (name) =>
      /\.partial$|^(installation\.json|secret|visitor-key)\.\d+$/.test(name) &&
      nowMs - (statSync(join(dataDir, name), { throwIfNoEntry: false })?.mtimeMs ?? nowMs) > leftoverMsMin,
  )
  return [...stale, ...unfinished].sort()
}

export function judgeLeftovers(names: readonly string[], dataDir: string): Finding {
  if (names.length === 0) return ok('none')
  const bytes = names.reduce(
    (sum, name) => sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  return notice(
    `${countText(names.length, 'file')} (${bytesText(bytes)}) of interrupted work: ${someOf(names)}`,
    './everscan doctor --fix removes them',
  )
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
