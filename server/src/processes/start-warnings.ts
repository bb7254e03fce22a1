import { readFileSync, statSync } from 'node:fs'

/** Each client takes a file, and so does each file of the scan store. */
const openFilesMin = 4_096
/** With fewer, scans in many files cannot be read. */
export const openFilesNeeded = 1_024

/**
 * Returns a sentence with a command for each thing that the operator should change, although the
 * service runs.
 */
export function startWarnings(dataDir: string): string[] {
  return [openDirectoryWarning(dataDir), fewFilesWarning(readLimits())].filter(
    (warning) => warning !== undefined,
  )
}

/** Returns undefined if only the user of the directory can access it. */
export function openDirectoryWarning(dataDir: string): string | undefined {
  const mode = statSync(dataDir).mode & 0o777
  if ((mode & 0o077) === 0) return undefined
  const quoted = `'${dataDir.replaceAll("'", String.raw`'\''`)}'`
  return `DATA_DIR: other users of this machine can access ${dataDir} (mode ${mode.toString(8)}), which holds secrets: chmod 700 ${quoted}`
}

/**
 * Returns how many files may be open, or undefined for no limit. `limits` is the text of
 * /proc/self/limits. Node itself raises the soft limit to the hard one.
 */
export function openFilesLimit(limits: string): number | undefined {
  const [, hard] = /^Max open files +\S+ +(\d+) /m.exec(limits) ?? []
  return hard === undefined ? undefined : Number(hard)
}

export function fewFilesWarning(limits: string): string | undefined {
  const hard = openFilesLimit(limits)
  if (hard === undefined || hard >= openFilesMin) return undefined
  const consequence =
    hard < openFilesNeeded
      ? 'the service needs more even without visitors, and parts of it do not start'
      : 'a busy day can reach this limit'
  return (
    `only ${hard} files and connections may be open at once, and ${consequence}: before the start, run ` +
    '"ulimit -n 65536" as root, or set LimitNOFILE=65536 in the systemd unit, or --ulimit nofile=65536 for docker'
  )
}

/** Returns the text of `/proc/self/limits`; empty if the system has no such file. */
export function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
