import { readFileSync, statSync } from 'node:fs'

/** Each client takes one, and so do the files of the scan store. */
const openFilesMin = 4_096

/** What an operator should change although the service runs: a sentence each, with the command. */
export function startWarnings(dataDir: string): string[] {
  return [openDirectoryWarning(dataDir), fewFilesWarning(readLimits())].filter(
    (warning) => warning !== undefined,
  )
}

/** Undefined: only its user can get into it. */
export function openDirectoryWarning(dataDir: string): string | undefined {
  const mode = statSync(dataDir).mode & 0o777
  if ((mode & 0o077) === 0) return undefined
  const quoted = `'${dataDir.replaceAll("'", String.raw`'\''`)}'`
  return `DATA_DIR: other users of this machine can get into ${dataDir} (mode ${mode.toString(8)}), where secrets are: chmod 700 ${quoted}`
}

/** `limits` as Linux writes them in /proc/self/limits. Node raises the soft limit to the hard one by itself. */
export function fewFilesWarning(limits: string): string | undefined {
  const [, hard] = /^Max open files +\S+ +(\d+) /m.exec(limits) ?? []
  if (hard === undefined || Number(hard) >= openFilesMin) return undefined
  return (
    `only ${hard} files and connections may be open at once, which a busy day can reach: before the start, run ` +
    '"ulimit -n 65536" as root, or set LimitNOFILE=65536 in the systemd unit, or --ulimit nofile=65536 for docker'
  )
}

/** `/proc/self/limits`; empty where the system has no such file. */
export function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
