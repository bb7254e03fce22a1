import { stat } from 'node:fs/promises'

/** How often files are looked at. A change is used at the second look at the same file. */
const lookMsDefault = 30_000

/**
 * Calls `onChange` after a file was replaced or written, once it is the same at two looks in a
 * row: a file that is being copied is not read. A missing file is no change. Events of the system
 * would miss changes on network disks and of links of Kubernetes. Does not keep the process alive.
 */
export function watchFile(
  path: () => string,
  onChange: () => Promise<unknown>,
  lookMs = lookMsDefault,
): { stop: () => void } {
  let used: string | undefined
  let seen: string | undefined
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    try {
      const found = await stateOf(path())
      used ??= found
      if (found !== undefined && found !== used && found === seen) {
        used = found
        await onChange()
      }
      seen = found
    } finally {
      isLooking = false
    }
  }
  void look()
  const timer = setInterval(() => void look(), lookMs).unref()
  return { stop: () => clearInterval(timer) }
}

async function stateOf(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs } = await stat(path)
    return `${path} ${ino} ${size} ${mtimeMs}`
  } catch {
    return undefined
  }
}
